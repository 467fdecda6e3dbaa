// Package fill writes any elements of a sequence of numbers: those that begin
// inside a block, and so many that goroutines share them. The packages that make
// numbers have it in common.
package fill

import (
	"math/bits"
	"unsafe"

	"github.com/philox-go/rng/internal/layout"
	"github.com/philox-go/rng/philox/asm"
)

// Fill writes the n elements first, first+1, ... of kind k at dst, where element 0
// is the first one of block hi*2^64 + lo. At most limit goroutines share the work,
// the caller's included; 0 means GOMAXPROCS. The numbers are the same for any
// limit.
//
// It does not allocate, and the memory at dst does not escape, be it on the
// caller's stack. The caller vouches for that memory.
func Fill(k asm.Kind, dst unsafe.Pointer, n int, first, key, hi, lo uint64, limit int, args asm.Args) {
	if n == 0 {
		return
	}
	block, lane := k.Locate(first)
	hi, lo = ahead(hi, lo, block)
	// Kernels start at a block, so what is left of a block that first stands inside
	// goes through a buffer.
	if lane != 0 {
		var whole [layout.BlockBytes / 8]uint64
		asm.FillPointer(k, unsafe.Pointer(&whole), k.PerBlock(), key, hi, lo, args)
		size := k.Size()
		m := min(n, k.PerBlock()-int(lane))
		part := unsafe.Slice((*byte)(unsafe.Pointer(&whole)), unsafe.Sizeof(whole))[int(lane)*size:]
		copy(unsafe.Slice((*byte)(dst), m*size), part)
		if n -= m; n == 0 {
			return
		}
		dst = unsafe.Add(dst, m*size)
		hi, lo = ahead(hi, lo, 1)
	}
	if limit != 1 && n*k.Size() >= leastThreshold {
		threshold := thresholds[k]
		if asm.OneAtATime(k, args) {
			threshold = leastThreshold
		}
		if n*k.Size() >= threshold {
			parallel(k, dst, n, key, hi, lo, limit, args, threshold)
			return
		}
	}
	asm.FillPointer(k, dst, n, key, hi, lo, args)
}

// ahead returns the counter n blocks ahead, mod 2^128.
func ahead(hi, lo, n uint64) (uint64, uint64) {
	lo, carry := bits.Add64(lo, n, 0)
	return hi + carry, lo
}
