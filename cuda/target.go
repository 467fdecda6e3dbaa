package cuda

import "unsafe"

// A target is a buffer without its type.
type target struct {
	dev     *Device // nil for the zero Buffer
	stream  *Stream
	pointer uintptr
	n       int    // elements
	size    int    // of one, in bytes
	grid    uint32 // as in Buffer
	mem     *memory
}

func (b Buffer[T]) target() target {
	return target{dev: b.Device(), stream: b.stream, pointer: b.pointer, n: b.n, size: int(unsafe.Sizeof(*new(T))), grid: b.grid, mem: b.mem}
}

// use calls with the handle of the target's stream, while neither memory, stream nor device can be
// closed, or returns why it cannot. Uses may be nested, one target's in another's; in
// call, closing one of these things waits for ever.
func (t target) use(call func(stream uintptr) error) error {
	if t.mem == nil {
		return &ClosedError{What: kindMemory.String()}
	}
	if err := t.mem.enter(); err != nil {
		return err
	}
	defer t.mem.leave()
	if err := t.stream.enter(); err != nil {
		return err
	}
	defer t.stream.leave()
	if err := t.stream.of(t.dev); err != nil {
		return err
	}
	return call(t.stream.handle)
}
