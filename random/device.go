package random

import (
	"errors"
	"fmt"
	"math"
)

// A Device is where a generator's numbers are made. Devices are compared with ==. The
// zero value is the CPU.
type Device struct {
	cuda  bool
	index int32
}

// CPU returns the CPU.
func CPU() Device { return Device{} }

// CUDA returns the CUDA device with an index, whether the machine has it or not. It
// panics if the index is negative or more than an int32 holds.
func CUDA(index int) Device {
	if index < 0 || index > math.MaxInt32 {
		panic(fmt.Sprintf("random: CUDA: index = %d: must be from 0 to %d", index, math.MaxInt32))
	}
	return Device{cuda: true, index: int32(index)}
}

// IsCUDA reports whether d is a CUDA device.
func (d Device) IsCUDA() bool { return d.cuda }

// Index returns the index of a CUDA device, and 0 for the CPU.
func (d Device) Index() int { return int(d.index) }

// String returns "cpu", or "cuda:1" for the CUDA device with index 1.
func (d Device) String() string {
	if d.cuda {
		return fmt.Sprintf("cuda:%d", d.index)
	}
	return "cpu"
}

// ErrDevice is what errors.Is finds in every [*DeviceError].
var ErrDevice = errors.New("generator of another device")

// A DeviceError says that a generator is not of the device that it was used for.
type DeviceError struct {
	Want Device // the device that it was used for
	Got  Device // the generator's
}

// Error returns both devices, such as
// "random: the generator's device = cuda:1: must be cpu".
func (e *DeviceError) Error() string {
	return fmt.Sprintf("random: the generator's device = %v: must be %v", e.Got, e.Want)
}

// Is reports that a DeviceError is an [ErrDevice].
func (e *DeviceError) Is(target error) bool { return target == ErrDevice }
