package cuda

import (
	"errors"
	"fmt"
	"strings"
)

// What errors.Is finds in the errors of this package.
var (
	// ErrUnavailable is found in every error that says why there is no device at all: an
	// [*UnavailableError].
	ErrUnavailable = errors.New("CUDA is unavailable")

	// ErrOutOfMemory is found in the [*Error] of a device that has no more memory.
	ErrOutOfMemory = errors.New("out of device memory")

	// ErrClosed is found in every [*ClosedError].
	ErrClosed = errors.New("closed or freed")
)

// libraryVariable names the library of the driver, in place of the system's.
const libraryVariable = "PHILOX_CUDA_LIB"

// An Error is a failure of one of the driver's functions. Work on a device is queued, so that
// the failure may be that of work queued before.
type Error struct {
	Call string // the function, such as "cuMemAlloc"
	Code int    // the driver's number for the failure, such as 2
	Name string // the driver's name for it, such as "CUDA_ERROR_OUT_OF_MEMORY"; empty if it has none
	Text string // the driver's words for it, such as "out of memory"
}

// Error returns all of it, such as
// "cuda: cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2): out of memory".
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "cuda: %s: ", e.Call)
	if e.Name != "" {
		fmt.Fprintf(&b, "%s (%d)", e.Name, e.Code)
	} else {
		fmt.Fprintf(&b, "error %d", e.Code)
	}
	if e.Text != "" {
		fmt.Fprintf(&b, ": %s", e.Text)
	}
	return b.String()
}

// Is reports whether e is an [ErrOutOfMemory].
func (e *Error) Is(target error) bool {
	const outOfMemory = 2
	return target == ErrOutOfMemory && e.Code == outOfMemory
}

// An UnavailableError says why there is no device: the program was built without cgo or for
// another system than Linux, there is no driver or it is too old or does not start, or
// it has no device.
type UnavailableError struct {
	Reason string
	Err    error // the driver's error, if it is the driver that says so
}

// Error returns the reason, such as "cuda: unavailable: the program was built without cgo".
func (e *UnavailableError) Error() string { return "cuda: unavailable: " + e.Reason }

// Is reports that an UnavailableError is an [ErrUnavailable].
func (e *UnavailableError) Is(target error) bool { return target == ErrUnavailable }

// Unwrap returns e.Err.
func (e *UnavailableError) Unwrap() error { return e.Err }

// A ClosedError says that something was used after it was closed or freed, or that it never was
// open: a zero value.
type ClosedError struct {
	What string // such as "the buffer"
}

// Error returns what it was, such as "cuda: the buffer is closed or freed".
func (e *ClosedError) Error() string { return "cuda: " + e.What + " is " + ErrClosed.Error() }

// Is reports that a ClosedError is an [ErrClosed].
func (e *ClosedError) Is(target error) bool { return target == ErrClosed }
