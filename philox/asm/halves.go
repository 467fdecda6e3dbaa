package asm

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/philox-go/rng/internal/poly"
)

// A Half is a format of floating-point numbers in 16 bits.
type Half uint8

const (
	// F16 is IEEE 754's binary16, with 11 significant bits.
	F16 Half = iota
	// B16 is bfloat16, the upper half of a float32, with 8 significant bits.
	B16
)

func (h Half) String() string {
	switch h {
	case F16:
		return "float16"
	case B16:
		return "bfloat16"
	}
	return fmt.Sprintf("Half(%d)", uint8(h))
}

// Round returns the bits of the number nearest to f, ties to even.
func (h Half) Round(f float32) uint16 {
	if h == B16 {
		return poly.BFloat16(f)
	}
	return poly.Float16(f)
}

// Float32 returns the number whose bits are b.
func (h Half) Float32(b uint16) float32 {
	if h == B16 {
		return poly.FromBFloat16(b)
	}
	return poly.FromFloat16(b)
}

// Largest returns the largest finite number.
func (h Half) Largest() float32 {
	if h == B16 {
		return h.Float32(0x7f7f)
	}
	return h.Float32(0x7bff)
}

// Smallest returns the smallest number above 0.
func (h Half) Smallest() float32 { return h.Float32(1) }

// Below returns the largest number that is less than f, which must not be NaN or -Inf.
func (h Half) Below(f float32) float32 {
	b := h.Round(f)
	if h.Float32(b) < f {
		return h.Float32(b)
	}
	switch {
	case b&(1<<15-1) == 0: // either zero
		return -h.Smallest()
	case b < 1<<15:
		return h.Float32(b - 1)
	}
	return h.Float32(b + 1)
}

// Above returns the smallest number that is greater than f, which must not be NaN or
// +Inf.
func (h Half) Above(f float32) float32 { return -h.Below(-f) }

// Cover returns the least and the greatest float32 that round to a number from a to b,
// which must not be NaN. Where there is none, or only infinities, ok is false.
func (h Half) Cover(a, b float32) (lo, hi float32, ok bool) {
	least, most := h.Float32(h.Round(a)), h.Float32(h.Round(b))
	if least < a {
		least = h.Above(a)
	}
	if most > b {
		most = h.Below(b)
	}
	least, most = max(least, -h.Largest()), min(most, h.Largest())
	if least > most {
		return 0, 0, false
	}
	return -h.roundsTo(-least), h.roundsTo(most), true
}

// roundsTo returns the greatest float32 that rounds to f or to less, where f is a finite
// number of the format.
func (h Half) roundsTo(f float32) float32 {
	lo, hi := ordered(f), ordered(float32(math.Inf(1)))
	for hi-lo > 1 { // the first rounds to f, the second to more
		if mid := lo + (hi-lo)/2; h.Float32(h.Round(unordered(mid))) <= f {
			lo = mid
		} else {
			hi = mid
		}
	}
	return unordered(lo)
}

// ordered maps float32 to integers of the same order, and unordered maps them back.
func ordered(f float32) int64 {
	b := int64(int32(math.Float32bits(f)))
	if b < 0 {
		return -(b & math.MaxInt32)
	}
	return b
}

func unordered(i int64) float32 {
	if i < 0 {
		return -math.Float32frombits(uint32(-i))
	}
	return math.Float32frombits(uint32(i))
}

// FillHalves writes n numbers of a format at dst, rounded from those of kind k, float32,
// from block hi*2^64 + lo on, by the implementation l. The caller vouches for the memory.
func FillHalves(l Level, k Kind, h Half, dst unsafe.Pointer, n int, key, hi, lo uint64, args Args) {
	if n > 0 {
		halves(l, k, h, dst, n, key, hi, lo, args)
	}
}

// halves is FillHalves for at least one element.
func halves(l Level, k Kind, h Half, dst unsafe.Pointer, n int, key, hi, lo uint64, args Args) {
	const most = passBytes / 4
	mem := scratch.Get().(*memory)
	defer scratch.Put(mem)
	single := unsafe.Pointer(&mem.words)
	for {
		part := min(n, most)
		fill(l, k, single, part, key, hi, lo, args)
		if l == Generic {
			portableHalves(h, dst, single, part)
		} else {
			vectorHalves(l, h, dst, single, part)
		}
		if n -= part; n == 0 {
			return
		}
		dst = unsafe.Add(dst, 2*part)
		old := lo
		if lo += most / 4; lo < old {
			hi++
		}
	}
}

func portableHalves(h Half, dst, src unsafe.Pointer, n int) {
	d := unsafe.Slice((*uint16)(dst), n)
	for i, f := range unsafe.Slice((*float32)(src), n) {
		d[i] = h.Round(f)
	}
}
