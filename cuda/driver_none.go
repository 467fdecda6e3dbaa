//go:build !linux || !cgo

package cuda

import (
	"runtime"
	"unsafe"
)

const (
	kindMemory kind = iota
	kindStream
	kindEvent
	kindGraph
	kindModule
)

func driverLoad() error {
	if runtime.GOOS != "linux" {
		return &UnavailableError{Reason: "this package has no driver for " + runtime.GOOS + ", only for linux"}
	}
	return &UnavailableError{Reason: "the program was built without cgo"}
}

// The rest is there for the compiler: no device is ever open.

func driverCount() (int, error)                              { return 0, driverLoad() }
func driverDescribe(int) (Info, error)                       { return Info{}, driverLoad() }
func driverRetain(int) (uintptr, error)                      { return 0, driverLoad() }
func driverRelease(int) error                                { return driverLoad() }
func driverMemory(uintptr) (free, total uint64, err error)   { return 0, 0, driverLoad() }
func driverSync(uintptr) error                               { return driverLoad() }
func driverDestroy(uintptr, kind, uintptr) error             { return driverLoad() }
func driverStreamCreate(uintptr) (uintptr, error)            { return 0, driverLoad() }
func driverStreamSync(_, _ uintptr) error                    { return driverLoad() }
func driverStreamCapturing(_, _ uintptr) (bool, error)       { return false, driverLoad() }
func driverStreamWait(_, _, _ uintptr) error                 { return driverLoad() }
func driverEventRecord(_, _ uintptr) (uintptr, error)        { return 0, driverLoad() }
func driverEventSync(_, _ uintptr) error                     { return driverLoad() }
func driverEventDone(_, _ uintptr) (bool, error)             { return false, driverLoad() }
func driverEventElapsed(_, _, _ uintptr) (float32, error)    { return 0, driverLoad() }
func driverCaptureBegin(_, _ uintptr) error                  { return driverLoad() }
func driverCaptureEnd(_, _ uintptr, _ bool) (uintptr, error) { return 0, driverLoad() }
func driverGraphLaunch(_, _, _ uintptr) error                { return driverLoad() }
func driverAlloc(uintptr, int) (uintptr, error)              { return 0, driverLoad() }
func driverSet(_, _ uintptr, _ byte, _ int, _ uintptr) error { return driverLoad() }
func driverModule(uintptr, []byte) (uintptr, error)          { return 0, driverLoad() }
func driverFunction(_, _ uintptr, _ string) (uintptr, error) { return 0, driverLoad() }
func driverCopyIn(_, _ uintptr, _ []byte, _ uintptr) error   { return driverLoad() }
func driverCopyOut(_ uintptr, _ []byte, _, _ uintptr) error  { return driverLoad() }
func driverLaunch(_, _ uintptr, _, _ uint32, _ uintptr, _, _ unsafe.Pointer) error {
	return driverLoad()
}
