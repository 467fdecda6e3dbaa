//go:build random123 && cgo

package bench

// #cgo CFLAGS: -O3 -march=native
// #include "random123.h"
import "C"

import "unsafe"

func random123Rows() []Row {
	return []Row{{
		Name: Random123 + " (" + C.GoString(C.random123_compiler()) + ")",
		Run:  func(mem []byte, times int) { fillRandom123(mem, 0, times) },
	}}
}

// fillRandom123 fills mem from a block on, times times. The repetition is C's, so
// that a call out of Go does not count.
func fillRandom123(mem []byte, first uint64, times int) {
	C.random123_fill(unsafe.Pointer(unsafe.SliceData(mem)), C.uint64_t(len(mem)/16), C.uint64_t(first), seed, C.uint64_t(times))
}
