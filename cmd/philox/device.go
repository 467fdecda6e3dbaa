package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/philox-go/rng/cuda"
	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/skip"
)

// onCPU is the value of -device where it is not given, and cudaDevice begins the others.
const (
	onCPU      = "cpu"
	cudaDevice = "cuda:"
)

// deviceOption's help goes on with what is done there.
var deviceOption = option{name: "device", arg: "name", preset: onCPU,
	help: "cpu, or cuda:0 for the first NVIDIA GPU, cuda:1 for the second ...:\n"}

// A deviceName is the value of -device: the index of a CUDA device, or none for the CPU.
type deviceName struct {
	cuda  bool
	index int
}

func (c call) deviceName() (deviceName, error) {
	value := c.options[deviceOption.name]
	if value == onCPU {
		return deviceName{}, nil
	}
	digits, ok := strings.CutPrefix(value, cudaDevice)
	index, err := strconv.Atoi(digits)
	if !ok || err != nil || index < 0 || strconv.Itoa(index) != digits {
		return deviceName{}, badValue(deviceOption.name, value, "must be cpu, or cuda:0, cuda:1 and so on")
	}
	return deviceName{cuda: true, index: index}, nil
}

// open opens the device, which is nil for the CPU.
func (d deviceName) open() (*cuda.Device, error) {
	if !d.cuda {
		return nil, nil
	}
	dev, err := cuda.Open(d.index)
	if bad := (*skip.ArgumentError)(nil); errors.As(err, &bad) {
		return nil, badValue(deviceOption.name, cudaDevice+strconv.Itoa(d.index), "the index "+bad.Reason)
	}
	return dev, err
}

// gpus describes the CUDA devices, one a line, or says why there are none.
func gpus() []string {
	infos, err := cuda.Devices()
	if err != nil {
		reason := err.Error()
		if none := (*cuda.UnavailableError)(nil); errors.As(err, &none) {
			reason = none.Reason
		}
		return []string{"none found: " + strings.Join(strings.Fields(reason), " ")}
	}
	var lines []string
	for _, info := range infos {
		lines = append(lines, deviceText(info))
	}
	return lines
}

// deviceText describes a CUDA device on one line.
func deviceText(i cuda.Info) string {
	return fmt.Sprintf("%s%d: %s, compute capability %d.%d, memory %.1f GiB, driver for CUDA %d.%d",
		cudaDevice, i.Index, i.Name, i.Major, i.Minor, float64(i.Memory)/(1<<30), i.DriverVersion/1000, i.DriverVersion%1000/10)
}

// A queueFill queues that elements first to first+n-1 of s are put at the start of a device's memory.
type queueFill func(s philox.Stream, n int, first uint64) error

// into returns the distribution's fill of a device's memory.
func (f filling) into(mem cuda.Buffer[byte]) (queueFill, error) {
	switch f.size {
	case 1:
		return queueAs[uint8](f, mem)
	case 2:
		return queueAs[uint16](f, mem)
	case 4:
		return queueAs[uint32](f, mem)
	}
	return queueAs[uint64](f, mem)
}

// queueAs is filling.into for a type of the elements' size.
func queueAs[T cuda.Element](f filling, mem cuda.Buffer[byte]) (queueFill, error) {
	dst, err := cuda.Wrap[T](mem.Device(), mem.Pointer(), mem.Len()/f.size)
	if err != nil {
		return nil, err
	}
	dst = dst.On(mem.Stream())
	d := cuda.DistOf[T](f.Draw)
	return func(s philox.Stream, n int, first uint64) error { return d.Fill(dst.Slice(0, n), s, first) }, nil
}

// on returns the fill of one worker's chunks, which are made on a device unless that is nil. What it
// takes of the device is given back with it.
func (f filling) on(dev *cuda.Device) (distFill, error) {
	if dev == nil {
		return f.fill, nil
	}
	stream, err := dev.NewStream()
	if err != nil {
		return nil, err
	}
	mem, err := cuda.Alloc[byte](dev, chunkBytes)
	if err != nil {
		return nil, err
	}
	mem = mem.On(stream)
	queue, err := f.into(mem)
	if err != nil {
		return nil, err
	}
	return func(s philox.Stream, buf []uint64, n int, first uint64) ([]byte, error) {
		if err := queue(s, n, first); err != nil {
			return nil, err
		}
		b := view.Of[byte](buf)[:n*f.size]
		err := mem.Slice(0, len(b)).CopyTo(b)
		return asBytes(b, f.size), err
	}, nil
}
