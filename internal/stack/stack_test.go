package stack

import (
	"os"
	"testing"
	"unsafe"
)

const size = 300 << 10

// array is on the stack at any size: an array that is a result is.
//
//go:noinline
func array(t *testing.T) (x [size]byte) {
	for _, at := range []int{0, 1, size / 2, size - 1} {
		if !Holds(unsafe.Pointer(&x[at]), 1) {
			t.Errorf("byte %d of an array on the stack: not held", at)
		}
	}
	if !Holds(unsafe.Pointer(&x[size-1]), 1<<20) {
		t.Error("memory that overlaps the stack: not held")
	}
	return x
}

var kept *[size]byte

func TestHolds(t *testing.T) {
	if !Known {
		if os.Getenv("PHILOX_REQUIRE_STACK") != "" {
			t.Fatal("PHILOX_REQUIRE_STACK is set, but this build does not know the stack's bounds")
		}
		if !Holds(unsafe.Pointer(&kept), 1) {
			t.Error("without bounds everything may be on the stack")
		}
		return
	}
	// Also where the stack has just been moved, in a goroutine's first frames and
	// far down.
	done := make(chan bool)
	for depth := range 50 {
		go func() { below(t, depth); done <- true }()
		<-done
	}
	kept = new([size]byte)
	if Holds(unsafe.Pointer(kept), size) || Holds(unsafe.Pointer(&kept), 8) {
		t.Error("heap or data segment: held by the stack")
	}
	lo, hi := bounds()
	if here := uintptr(unsafe.Pointer(&lo)); here < lo || here >= hi {
		t.Errorf("bounds %#x..%#x: a local variable is at %#x", lo, hi, here)
	}
	// No pointer but one into the stack may hold these addresses, which are not
	// looked at.
	at := func(p uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&p)) }
	if !Holds(at(lo), 1) || !Holds(at(hi-1), 1) {
		t.Error("the first and the last byte: not held")
	}
}

//go:noinline
func below(t *testing.T, depth int) byte {
	var frame [1000]byte
	frame[depth] = 1
	if depth > 0 {
		return below(t, depth-1) + frame[depth]
	}
	x := array(t)
	return x[depth]
}
