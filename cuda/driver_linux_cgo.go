//go:build linux && cgo

package cuda

// #cgo linux LDFLAGS: -ldl
// #cgo noescape philox_cuda_count
// #cgo nocallback philox_cuda_count
// #cgo noescape philox_cuda_describe
// #cgo nocallback philox_cuda_describe
// #cgo noescape philox_cuda_memory_info
// #cgo nocallback philox_cuda_memory_info
// #cgo noescape philox_cuda_stream_capturing
// #cgo nocallback philox_cuda_stream_capturing
// #cgo noescape philox_cuda_event_elapsed
// #cgo nocallback philox_cuda_event_elapsed
// #cgo noescape philox_cuda_copy_in
// #cgo nocallback philox_cuda_copy_in
// #cgo noescape philox_cuda_copy_out
// #cgo nocallback philox_cuda_copy_out
// #cgo noescape philox_cuda_launch
// #cgo nocallback philox_cuda_launch
// #include <stdlib.h>
// #include "driver.h"
import "C"

import (
	"fmt"
	"os"
	"strings"
	"unsafe"
)

// The kinds as driver.c numbers them.
const (
	kindMemory kind = C.philox_cuda_memory
	kindStream kind = C.philox_cuda_stream
	kindEvent  kind = C.philox_cuda_event
	kindGraph  kind = C.philox_cuda_graph
	kindModule kind = C.philox_cuda_module_image
)

// driverLoad loads the library and starts the driver.
func driverLoad() error {
	libraries := []string{"libcuda.so.1", "libcuda.so"}
	if named := os.Getenv(libraryVariable); named != "" {
		libraries = []string{named}
	}
	var reasons []string
	for _, library := range libraries {
		reason, found := openLibrary(library)
		if reason == "" {
			return driverInit()
		}
		reasons = append(reasons, reason)
		if found {
			// An older one under the other name would say less.
			reasons = []string{reason}
			break
		}
	}
	return &UnavailableError{Reason: strings.Join(reasons, "; ")}
}

// openLibrary returns why a library cannot be used, and whether there is one.
func openLibrary(library string) (reason string, found bool) {
	name := C.CString(library)
	defer C.free(unsafe.Pointer(name))
	var text [1024]C.char
	state := C.philox_cuda_open(name, &text[0], C.size_t(len(text)))
	if state == 0 {
		return "", true
	}
	return C.GoString(&text[0]), state == 2
}

func driverInit() error {
	if err := check(C.philox_cuda_init()); err != nil {
		return &UnavailableError{Reason: strings.TrimPrefix(err.Error(), "cuda: "), Err: err}
	}
	return nil
}

func check(r C.philox_cuda_result) error {
	if r.code == 0 {
		return nil
	}
	return failure(r)
}

func failure(r C.philox_cuda_result) *Error {
	e := &Error{Call: C.GoString(r.call), Code: int(r.code)}
	if name := C.philox_cuda_error_name(r.code); name != nil {
		e.Name = C.GoString(name)
	}
	if text := C.philox_cuda_error_text(r.code); text != nil {
		e.Text = C.GoString(text)
	}
	return e
}

func driverCount() (int, error) {
	var n C.int
	err := check(C.philox_cuda_count(&n))
	return int(n), err
}

func driverDescribe(index int) (Info, error) {
	var d C.philox_cuda_device
	if err := check(C.philox_cuda_describe(C.int(index), &d)); err != nil {
		return Info{}, err
	}
	return Info{
		Index:           index,
		Name:            C.GoString(&d.name[0]),
		Major:           int(d.major),
		Minor:           int(d.minor),
		Memory:          uint64(d.memory),
		Multiprocessors: int(d.multiprocessors),
		DriverVersion:   int(d.version),
	}, nil
}

func driverRetain(index int) (uintptr, error) {
	var context C.uintptr_t
	err := check(C.philox_cuda_retain(C.int(index), &context))
	return uintptr(context), err
}

func driverRelease(index int) error {
	return check(C.philox_cuda_release(C.int(index)))
}

func driverMemory(context uintptr) (free, total uint64, err error) {
	var f, t C.uint64_t
	err = check(C.philox_cuda_memory_info(C.uintptr_t(context), &f, &t))
	return uint64(f), uint64(t), err
}

func driverSync(context uintptr) error {
	return check(C.philox_cuda_sync(C.uintptr_t(context)))
}

func driverDestroy(context uintptr, k kind, handle uintptr) error {
	return check(C.philox_cuda_destroy(C.uintptr_t(context), C.int(k), C.uintptr_t(handle)))
}

func driverStreamCreate(context uintptr) (uintptr, error) {
	var stream C.uintptr_t
	err := check(C.philox_cuda_stream_create(C.uintptr_t(context), &stream))
	return uintptr(stream), err
}

func driverStreamSync(context, stream uintptr) error {
	return check(C.philox_cuda_stream_sync(C.uintptr_t(context), C.uintptr_t(stream)))
}

func driverStreamCapturing(context, stream uintptr) (bool, error) {
	var capturing C.int
	err := check(C.philox_cuda_stream_capturing(C.uintptr_t(context), C.uintptr_t(stream), &capturing))
	return capturing != 0, err
}

func driverStreamWait(context, stream, event uintptr) error {
	return check(C.philox_cuda_stream_wait(C.uintptr_t(context), C.uintptr_t(stream), C.uintptr_t(event)))
}

func driverEventRecord(context, stream uintptr) (uintptr, error) {
	var event C.uintptr_t
	err := check(C.philox_cuda_event_record(C.uintptr_t(context), C.uintptr_t(stream), &event))
	return uintptr(event), err
}

func driverEventSync(context, event uintptr) error {
	return check(C.philox_cuda_event_sync(C.uintptr_t(context), C.uintptr_t(event)))
}

func driverEventDone(context, event uintptr) (bool, error) {
	const notReady = 600
	r := C.philox_cuda_event_query(C.uintptr_t(context), C.uintptr_t(event))
	if r.code == notReady {
		return false, nil
	}
	err := check(r)
	return err == nil, err
}

func driverEventElapsed(context, from, to uintptr) (ms float32, err error) {
	var f C.float
	err = check(C.philox_cuda_event_elapsed(C.uintptr_t(context), C.uintptr_t(from), C.uintptr_t(to), &f))
	return float32(f), err
}

func driverCaptureBegin(context, stream uintptr) error {
	return check(C.philox_cuda_capture_begin(C.uintptr_t(context), C.uintptr_t(stream)))
}

func driverCaptureEnd(context, stream uintptr, keep bool) (uintptr, error) {
	var graph C.uintptr_t
	k := C.int(0)
	if keep {
		k = 1
	}
	err := check(C.philox_cuda_capture_end(C.uintptr_t(context), C.uintptr_t(stream), k, &graph))
	return uintptr(graph), err
}

func driverGraphLaunch(context, graph, stream uintptr) error {
	return check(C.philox_cuda_graph_launch(C.uintptr_t(context), C.uintptr_t(graph), C.uintptr_t(stream)))
}

func driverAlloc(context uintptr, bytes int) (uintptr, error) {
	var pointer C.uintptr_t
	err := check(C.philox_cuda_alloc(C.uintptr_t(context), C.size_t(bytes), &pointer))
	return uintptr(pointer), err
}

func driverSet(context, pointer uintptr, value byte, bytes int, stream uintptr) error {
	return check(C.philox_cuda_set(C.uintptr_t(context), C.uintptr_t(pointer), C.uint8_t(value), C.size_t(bytes), C.uintptr_t(stream)))
}

// Of an address of a slice's element cgo checks the slice alone for Go pointers, not all
// that it may be a part of: hence the slices here and in driverLaunch.

func driverCopyIn(context, pointer uintptr, host []byte, stream uintptr) error {
	return check(C.philox_cuda_copy_in(C.uintptr_t(context), C.uintptr_t(pointer), unsafe.Pointer(&host[0]), C.size_t(len(host)), C.uintptr_t(stream)))
}

func driverCopyOut(context uintptr, host []byte, pointer, stream uintptr) error {
	return check(C.philox_cuda_copy_out(C.uintptr_t(context), unsafe.Pointer(&host[0]), C.uintptr_t(pointer), C.size_t(len(host)), C.uintptr_t(stream)))
}

// driverModule loads an image that ends in a zero byte.
func driverModule(context uintptr, image []byte) (uintptr, error) {
	var module C.uintptr_t
	var log [8192]C.char
	r := C.philox_cuda_module_load(C.uintptr_t(context), unsafe.Pointer(unsafe.SliceData(image)), &module, &log[0], C.size_t(len(log)))
	if r.code == 0 {
		return uintptr(module), nil
	}
	err := failure(r)
	log[len(log)-1] = 0
	if said := strings.TrimSpace(C.GoString(&log[0])); said != "" {
		err.Text = strings.TrimPrefix(fmt.Sprintf("%s: %s", err.Text, said), ": ")
	}
	return 0, err
}

func driverFunction(context, module uintptr, name string) (uintptr, error) {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	var function C.uintptr_t
	err := check(C.philox_cuda_module_function(C.uintptr_t(context), C.uintptr_t(module), text, &function))
	return uintptr(function), err
}

func driverLaunch(context, function uintptr, grid, block uint32, stream uintptr, fill, args unsafe.Pointer) error {
	f, a := unsafe.Slice((*byte)(fill), 1), unsafe.Slice((*byte)(args), 1)
	return check(C.philox_cuda_launch(C.uintptr_t(context), C.uintptr_t(function), C.uint(grid), C.uint(block), C.uintptr_t(stream), unsafe.Pointer(&f[0]), unsafe.Pointer(&a[0])))
}
