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
	fill(work{kind: k}, dst, n, first, key, hi, lo, limit, args)
}

// A Maker makes numbers that are not a kind's.
type Maker struct {
	// Name tells the numbers from those of other makers, such as "cauchy32".
	Name string
	// Make writes n elements at dst from block hi*2^64 + lo on. It does not keep dst.
	Make func(dst unsafe.Pointer, n int, key, hi, lo uint64, args asm.Args)
	// Size is that of an element in bytes.
	Size int
	// PerBlock is the number of elements that a block makes, or with a minus sign the
	// number of blocks that make an element.
	PerBlock int
	// Slowdown says how many times as long as words of the same blocks the numbers
	// take; 0 means that they are made one at a time.
	Slowdown int
}

// With is Fill by a maker. Where an element takes several blocks, first must be 0.
func With(m *Maker, dst unsafe.Pointer, n int, first, key, hi, lo uint64, limit int, args asm.Args) {
	fill(work{maker: m}, NoEscape(dst), n, first, key, hi, lo, limit, args)
}

// work is what makes the numbers of a fill.
type work struct {
	kind  asm.Kind
	maker *Maker // or nil
}

// make writes n elements at dst from block hi*2^64 + lo on.
func (w work) make(dst unsafe.Pointer, n int, key, hi, lo uint64, args asm.Args) {
	if w.maker == nil {
		asm.FillPointer(w.kind, dst, n, key, hi, lo, args)
		return
	}
	w.maker.Make(NoEscape(dst), n, key, hi, lo, args)
}

// size is that of an element.
func (w work) size() int {
	if w.maker == nil {
		return w.kind.Size()
	}
	return w.maker.Size
}

// elements is how many a number of blocks makes.
func (w work) elements(blocks int) int {
	switch {
	case w.maker == nil:
		return blocks * w.kind.PerBlock()
	case w.maker.PerBlock < 0:
		return blocks / -w.maker.PerBlock
	}
	return blocks * w.maker.PerBlock
}

// wordBytes is the size of the words of n elements: that of the elements, if a block
// makes so much of them.
func (w work) wordBytes(n int) int {
	if w.maker != nil && w.maker.PerBlock < 0 {
		return n * -w.maker.PerBlock * layout.BlockBytes
	}
	return n * (layout.BlockBytes / w.elements(1))
}

// locate returns the block that element i comes from and its place there.
func (w work) locate(i uint64) (block, lane uint64) {
	switch {
	case w.maker == nil:
		return w.kind.Locate(i)
	case w.maker.PerBlock < 0:
		return 0, 0
	}
	per := uint64(w.maker.PerBlock)
	return i / per, i % per
}

// threshold is the size of words from which fills are shared.
func (w work) threshold(args asm.Args) int {
	switch {
	case w.maker != nil:
		return thresholdOf(w.maker.Slowdown)
	case asm.OneAtATime(w.kind, args):
		return leastThreshold
	}
	return thresholds[w.kind]
}

func fill(w work, dst unsafe.Pointer, n int, first, key, hi, lo uint64, limit int, args asm.Args) {
	if n == 0 {
		return
	}
	block, lane := w.locate(first)
	hi, lo = Ahead(hi, lo, block)
	// Kernels start at a block, so what is left of a block that first stands inside
	// goes through a buffer.
	if lane != 0 {
		var whole [2 * layout.BlockBytes / 8]uint64
		per, size := w.elements(1), w.size()
		w.make(unsafe.Pointer(&whole), per, key, hi, lo, args)
		m := min(n, per-int(lane))
		part := unsafe.Slice((*byte)(unsafe.Pointer(&whole)), unsafe.Sizeof(whole))[int(lane)*size:]
		copy(unsafe.Slice((*byte)(dst), m*size), part)
		if n -= m; n == 0 {
			return
		}
		dst = unsafe.Add(dst, m*size)
		hi, lo = Ahead(hi, lo, 1)
	}
	if limit != 1 {
		if bytes := w.wordBytes(n); bytes >= leastThreshold {
			if threshold := w.threshold(args); bytes >= threshold {
				parallel(w, dst, n, bytes, key, hi, lo, limit, args, threshold)
				return
			}
		}
	}
	w.make(dst, n, key, hi, lo, args)
}

// Ahead returns the counter n blocks ahead, mod 2^128.
func Ahead(hi, lo, n uint64) (uint64, uint64) {
	lo, carry := bits.Add64(lo, n, 0)
	return hi + carry, lo
}
