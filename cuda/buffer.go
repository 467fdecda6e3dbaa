package cuda

import (
	"fmt"
	"math"
	"runtime"
	"strconv"
	"unsafe"

	"github.com/philox-go/rng/skip"
)

// An Element is a type that a buffer may have: of 1, 2, 4 or 8 bytes, on the device as in Go.
type Element interface {
	~bool | ~int8 | ~int16 | ~int32 | ~int64 | ~int | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint | ~float32 | ~float64
}

// A Buffer is a view of memory of a device, as a slice is of an array, together with the stream on
// which its operations are queued. It is a value: copies and slices of it share the memory, and are
// all freed with it. Operations on memory that was freed, and on the zero Buffer, fail
// with [ErrClosed].
type Buffer[T Element] struct {
	mem     *memory
	stream  *Stream
	pointer uintptr
	n       int
	grid    uint32 // thread blocks of a launch, 0 for any number
}

// memory is what all views of one allocation have in common.
type memory struct {
	object
	cleanup runtime.Cleanup // of tests
}

// Alloc allocates memory for n elements, which it does not clear. Nothing but [Buffer.Free] and
// [Device.Close] gives it back: work that is queued may still use what Go no longer does.
// Operations are queued on the legacy default stream, unless [Buffer.On] says otherwise.
func Alloc[T Element](d *Device, n int) (Buffer[T], error) {
	size, err := bytesOf[T](n)
	if err != nil {
		return Buffer[T]{}, err
	}
	if err := d.enter(); err != nil {
		return Buffer[T]{}, err
	}
	defer d.leave()
	mem := &memory{object: object{dev: d, resource: resource{kind: kindMemory}}}
	if size > 0 { // the driver refuses to allocate nothing
		if mem.handle, err = driverAlloc(d.context, size); err != nil {
			return Buffer[T]{}, err
		}
		mem.owned = true
		d.own(mem.resource)
		if tell := d.leaked; tell != nil {
			pointer := mem.handle
			mem.cleanup = runtime.AddCleanup(mem, func(bytes int) { tell(pointer, bytes) }, size)
		}
	}
	return Buffer[T]{mem: mem, stream: d.legacy, pointer: mem.handle, n: n}, nil
}

// Wrap returns a buffer of n elements of a caller's memory on the device, at any address that is
// a multiple of an element's size. The caller keeps the memory alive for as long as it is used,
// and frees it.
func Wrap[T Element](d *Device, pointer uintptr, n int) (Buffer[T], error) {
	size, err := bytesOf[T](n)
	if err != nil {
		return Buffer[T]{}, err
	}
	reason := ""
	switch one := unsafe.Sizeof(*new(T)); {
	case pointer == 0 && n > 0:
		reason = "must be an address of memory of the device"
	case pointer%one != 0:
		reason = fmt.Sprintf("must be a multiple of %d, an element's size", one)
	case pointer+uintptr(size) < pointer:
		reason = fmt.Sprintf("must leave room for %d elements", n)
	}
	if reason != "" {
		return Buffer[T]{}, &skip.ArgumentError{Package: "cuda", Arg: "pointer", Value: fmt.Sprintf("%#x", pointer), Reason: reason}
	}
	if err := d.enter(); err != nil {
		return Buffer[T]{}, err
	}
	defer d.leave()
	mem := &memory{object: object{dev: d, resource: resource{kindMemory, pointer}}}
	return Buffer[T]{mem: mem, stream: d.legacy, pointer: pointer, n: n}, nil
}

// bytesOf returns the size of n elements, or an [*skip.ArgumentError] if there are none of that number.
func bytesOf[T Element](n int) (int, error) {
	one := int(unsafe.Sizeof(*new(T)))
	if most := math.MaxInt / one; n < 0 || n > most {
		return 0, &skip.ArgumentError{Package: "cuda", Arg: "n", Value: strconv.Itoa(n), Reason: fmt.Sprintf("must be from 0 to %d", most)}
	}
	return n * one, nil
}

// Len returns the number of elements.
func (b Buffer[T]) Len() int { return b.n }

// Pointer returns the address on the device, a CUdeviceptr.
func (b Buffer[T]) Pointer() uintptr { return b.pointer }

// Device returns the device of the memory, nil for the zero Buffer.
func (b Buffer[T]) Device() *Device {
	if b.mem == nil {
		return nil
	}
	return b.mem.dev
}

// Stream returns the stream on which operations are queued, nil for the zero Buffer.
func (b Buffer[T]) Stream() *Stream { return b.stream }

// Slice returns the elements from one index up to another, which it does not include. It panics,
// as a slice expression does, unless 0 <= from <= to <= b.Len().
func (b Buffer[T]) Slice(from, to int) Buffer[T] {
	if from < 0 || from > to || to > b.n {
		panic(fmt.Sprintf("cuda: Slice: bounds out of range [%d:%d] with length %d", from, to, b.n))
	}
	b.pointer += uintptr(from) * unsafe.Sizeof(*new(T))
	b.n = to - from
	return b
}

// On returns the same elements with their operations queued on a stream of their device. With a
// stream of another one they fail with an [*skip.ArgumentError].
func (b Buffer[T]) On(s *Stream) Buffer[T] {
	b.stream = s
	return b
}

// WithMaxGrid returns the same elements with a limit for the launches of their fills: at most n
// thread blocks of 256 threads, so that other work finds room on the device. 0, the default,
// sets none, which is the fastest. The numbers are the same for any n. It panics if n is negative.
func (b Buffer[T]) WithMaxGrid(n int) Buffer[T] {
	if n < 0 {
		panic(fmt.Sprintf("cuda: WithMaxGrid: n = %d: must not be negative", n))
	}
	b.grid = uint32(min(n, math.MaxInt32)) // the driver takes no more
	return b
}

// Free waits for operations of Go that are about to queue, and for what is queued on the device, and frees
// all of the memory of which b is a view. A caller's memory it leaves alone: it only ends the
// use of it here. A second Free of any view fails with [ErrClosed].
func (b Buffer[T]) Free() error {
	if b.mem == nil {
		return &ClosedError{What: kindMemory.String()}
	}
	b.mem.cleanup.Stop()
	return b.mem.close()
}

// CopyFrom copies src to the buffer. It waits until that is done, and so for what was queued on the stream
// before it. Both must be of the same length.
func (b Buffer[T]) CopyFrom(src []T) error {
	if err := b.sameLength("src", len(src)); err != nil {
		return err
	}
	return b.target().use(func(stream uintptr) error {
		if len(src) == 0 {
			return nil
		}
		return driverCopyIn(b.mem.dev.context, b.pointer, bytesIn(src), stream)
	})
}

// CopyTo copies the buffer to dst. It waits until that is done, and so for what was queued on the stream
// before it. Both must be of the same length.
func (b Buffer[T]) CopyTo(dst []T) error {
	if err := b.sameLength("dst", len(dst)); err != nil {
		return err
	}
	return b.target().use(func(stream uintptr) error {
		if len(dst) == 0 {
			return nil
		}
		return driverCopyOut(b.mem.dev.context, bytesIn(dst), b.pointer, stream)
	})
}

func (b Buffer[T]) sameLength(arg string, n int) error {
	if n == b.n {
		return nil
	}
	return &skip.ArgumentError{Package: "cuda", Arg: arg, Value: fmt.Sprintf("%d elements", n), Reason: fmt.Sprintf("must be %d, as the buffer has", b.n)}
}

// bytesIn returns the memory of a slice.
func bytesIn[T Element](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), uintptr(len(s))*unsafe.Sizeof(*new(T)))
}

// SetBytes queues that every byte of the buffer is set to v.
func (b Buffer[T]) SetBytes(v byte) error {
	t := b.target()
	return t.use(func(stream uintptr) error {
		if t.n == 0 {
			return nil
		}
		return driverSet(t.dev.context, t.pointer, v, t.n*t.size, stream)
	})
}
