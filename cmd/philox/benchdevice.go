package main

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/philox-go/rng/cuda"
	"github.com/philox-go/rng/internal/draw"
	"github.com/philox-go/rng/internal/measure"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/random"
)

const (
	deviceLarge     = 1 << 30
	mostDeviceLarge = 1 << 40

	benchMemset = "memset"
)

func runDeviceBench(ctx context.Context, c call, name deviceName, rounds int) (err error) {
	large, err := c.number("large", 16, mostDeviceLarge)
	if err == nil && large%16 != 0 {
		err = badValue("large", c.options["large"], "must be a multiple of 16")
	}
	if err != nil {
		return err
	}
	dev, err := name.open()
	if err != nil {
		return err
	}
	defer dev.Close()
	if !c.given["large"] {
		free, _, err := dev.Memory()
		if err != nil {
			return err
		}
		const unit = 1 << 20
		large = min(deviceLarge, max(free/2/unit, 1)*unit)
	}
	mem, err := cuda.Alloc[byte](dev, int(large))
	if err != nil {
		return fmt.Errorf("%d bytes for -large: %w", large, err)
	}
	rows, err := deviceBenchRows(mem)
	if err != nil {
		return err
	}
	report, err := timeOnDevice(ctx, mem.Stream(), rows, rounds)
	if err != nil {
		return err
	}
	return c.print(deviceBenchTable(dev.Info(), rows, report, int(large)))
}

// A deviceBenchRow is a line of the table.
type deviceBenchRow struct {
	name            string
	bytes, elements int
	queue           func() error
}

// deviceBenchRows are rows that write into all of mem, but for a mask.
func deviceBenchRows(mem cuda.Buffer[byte]) ([]deviceBenchRow, error) {
	large := mem.Len()
	rows := []deviceBenchRow{{benchMemset, large, large, func() error { return mem.SetBytes(0x55) }}}
	add := func(name string, f filling) error {
		queue, err := f.into(mem)
		n := large / f.size
		rows = append(rows, deviceBenchRow{name, large, n, func() error { return queue(philox.New(1), n, 0) }})
		return err
	}
	if err := add("bytes", filling{Draw: draw.Plain(asm.Bytes), size: 1}); err != nil {
		return nil, err
	}
	for _, d := range dists {
		if err := add(d.name, d.standard()); err != nil {
			return nil, err
		}
	}
	wide, err := draw.Integers[int64](0, 1<<40)
	if err == nil {
		err = add("int, wide", filling{Draw: wide, size: 8})
	}
	if err != nil {
		return nil, err
	}
	g := random.NewGenerator(mem.Device().Random(), 1)
	mask := mem.Slice(0, random.MaskBytes(large))
	return append(rows, deviceBenchRow{"dropout mask", mask.Len(), large, func() error { return cuda.DropoutMask(g, mask, large, 0.5) }}), nil
}

// timeOnDevice times the rows in turn, round after round.
func timeOnDevice(ctx context.Context, stream *cuda.Stream, rows []deviceBenchRow, rounds int) (measure.Report, error) {
	report := measure.Report{Results: make([]measure.Result, len(rows))}
	for i, r := range rows {
		report.Results[i] = measure.Result{Name: r.name, Bytes: r.bytes}
	}
	for range rounds {
		for i, r := range rows {
			if ctx.Err() != nil {
				return measure.Report{}, signalError(ctx)
			}
			took, err := r.time(stream)
			if err != nil {
				return measure.Report{}, err
			}
			report.Results[i].Times = append(report.Results[i].Times, float64(took))
		}
	}
	return report, nil
}

// time is how long the row takes behind another one of itself: the first time that loads its kernel, and
// always what keeps the device busy while the second one is queued.
func (r deviceBenchRow) time(stream *cuda.Stream) (time.Duration, error) {
	if err := r.queue(); err != nil {
		return 0, err
	}
	from, err := stream.Record()
	if err != nil {
		return 0, err
	}
	defer from.Close()
	if err := r.queue(); err != nil {
		return 0, err
	}
	to, err := stream.Record()
	if err != nil {
		return 0, err
	}
	defer to.Close()
	if err := to.Sync(); err != nil {
		return 0, err
	}
	return to.Since(from)
}

func deviceBenchTable(info cuda.Info, rows []deviceBenchRow, report measure.Report, large int) string {
	text := fmt.Sprintf("%s\n%s, %s\n\n", deviceText(info), measure.SizeName(large), runtime.Version())
	line := func(name, bytes, share, elements string) {
		text += fmt.Sprintf("%-15s%10s%10s%14s\n", name, bytes, "  "+share, "  "+elements)
	}
	line("distribution", "GB/s", "x "+benchMemset, "10^9 numbers/s")
	memset := report.Results[0]
	for i, r := range rows {
		result := report.Results[i]
		elements := float64(r.elements) / result.Median()
		line(r.name, fmt.Sprintf("%.1f", result.GBps()), fmt.Sprintf("%.2f", measure.Ratio(result, memset)), fmt.Sprintf("%.1f", elements))
	}
	return text
}
