package asm

import (
	"fmt"

	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/skip"
)

// FillLanes writes words beside each other by the implementation l: word k of block j to
// dst[k][j]. Block j's counter is ctr with j added to words 2 and 3, as one number of 64 bits
// that wraps; words 0 and 1 are the same in all blocks. It panics if the lengths differ
// or if this machine does not have l.
func FillLanes(l Level, dst [4][]uint32, key [2]uint32, ctr [4]uint32) {
	l.mustBeHere()
	hi, lo := skip.Counter(ctr).Uint64s()
	fillLanes(l, &dst, join(key[0], key[1]), hi, lo)
}

// Lanes is FillLanes by the implementation Active. It takes numbers, since arrays would
// travel through memory.
func Lanes(dst *[4][]uint32, key, hi, lo uint64) {
	fillLanes(active, dst, key, hi, lo)
}

// laneBounds are those of uniform numbers.
type laneBounds struct{ span, from, to float32 }

// UniformLanes writes what becomes of the words of [Lanes]: u*span + from, by one fused
// multiply-add, of u = x*2^-32 + 2^-33 in (0,1], which is rounded once, and from where the
// result is to. Only AVX512 has a kernel for that; it panics for another level, and as
// FillLanes does.
func UniformLanes(l Level, dst *[4][]float32, key, hi, lo uint64, span, from, to float32) {
	l.mustBeHere()
	if l != AVX512 {
		panic("asm: UniformLanes has no kernel of level " + l.String())
	}
	var words [4][]uint32
	for k, d := range dst {
		words[k] = view.Of[uint32](d)
	}
	if laneCount(&words) > 0 {
		vectorLanes(l, &words, key, hi, lo, &laneBounds{span, from, to})
	}
}

// laneCount is how many blocks there are.
func laneCount(dst *[4][]uint32) int {
	n := len(dst[0])
	for k, d := range dst {
		if len(d) != n {
			panic(fmt.Sprintf("asm: dst[%d] = %d elements: must be as many as in dst[0], %d", k, len(d), n))
		}
	}
	return n
}

func fillLanes(l Level, dst *[4][]uint32, key, hi, lo uint64) {
	n := laneCount(dst)
	switch {
	case n == 0:
	case l == Generic || n <= scalarBlocks:
		portableLanes(dst, key, hi, lo)
	default:
		vectorLanes(l, dst, key, hi, lo, nil)
	}
}

// portableLanes is the definition that the kernels are tested against.
func portableLanes(dst *[4][]uint32, key, hi, lo uint64) {
	d0 := dst[0]
	d1, d2, d3 := dst[1][:len(d0)], dst[2][:len(d0)], dst[3][:len(d0)]
	c0, c1 := uint32(lo), uint32(lo>>32)
	k0, k1 := uint32(key), uint32(key>>32)
	for i := range d0 {
		d0[i], d1[i], d2[i], d3[i] = ten(c0, c1, uint32(hi), uint32(hi>>32), k0, k1)
		hi++
	}
}
