package draw

import (
	"unsafe"

	"github.com/philox-go/rng/internal/fill"
	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

// maskUnit is what masks are padded to, in bits.
const maskUnit = 128

// MaskBytes returns the size of a mask of n bits: whole units of 128.
func MaskBytes(n int) int { return (n/maskUnit + min(n%maskUnit, 1)) * (maskUnit / 8) }

// kept makes a bit for every word, 1 where it is not less than the threshold in Args'
// Mean. Its elements are bytes.
var kept = &fill.Maker{
	Name: "mask",
	Make: func(dst unsafe.Pointer, n int, key, hi, lo uint64, args asm.Args) {
		asm.FillBits(asm.Active(), dst, n, key, hi, lo, uint64(args.Mean), true)
	},
	Size: 1, PerBlock: -2, Slowdown: 1,
}

// Mask writes a mask of n elements of s that are dropped below a threshold.
func Mask(s philox.Stream, mask []byte, n int, threshold uint64) {
	mask = mask[:MaskBytes(n)]
	hi, lo := s.Counter().Uint64s()
	fill.With(kept, unsafe.Pointer(unsafe.SliceData(mask)), len(mask), 0, s.Key().Seed(), hi, lo, s.MaxGoroutines(), asm.Args{Mean: float64(threshold)})
	endMask(mask, n)
}

// ConstantMask writes a mask of n elements that are all kept or all dropped.
func ConstantMask(mask []byte, n int, keep bool) {
	mask = mask[:MaskBytes(n)]
	var b byte
	if keep {
		b = 0xff
	}
	for i := range mask {
		mask[i] = b
	}
	endMask(mask, n)
}

// endMask makes the bits from n on 0.
func endMask(mask []byte, n int) {
	if n%8 != 0 {
		mask[n/8] &= 1<<(n%8) - 1
	}
	clear(mask[(n+7)/8:])
}

// Each writes one where a word of s is less than its element's threshold, by a
// probability in p, and zero elsewhere. Probabilities must be good.
func Each[T any, P Float](s philox.Stream, dst []T, p []P, one, zero T) {
	hi, lo := s.Counter().Uint64s()
	var w [chunk]uint32
	for len(dst) > 0 {
		m := min(len(dst), chunk)
		hi, lo = wordsOf(w[:m], s.Key().Seed(), hi, lo)
		for i, x := range w[:m] {
			e := zero
			if uint64(x) < threshold(float64(p[i])) {
				e = one
			}
			dst[i] = e // which may be p[i]
		}
		dst, p = dst[m:], p[m:]
	}
}

// KeptScale is what kept elements are multiplied by, for p < 1.
func KeptScale(p float64) float32 { return float32(1 / (1 - p)) }

// Keep writes src times scale where the mask has a 1, and 0 elsewhere: also where src is
// infinite or NaN.
func Keep[T Float](dst []T, mask []byte, src []T, scale float32) {
	if is32[T]() {
		asm.Drop32(asm.Active(), view.Of[float32](dst), mask, view.Of[float32](src), scale)
	} else {
		asm.Drop64(asm.Active(), view.Of[float64](dst), mask, view.Of[float64](src), scale)
	}
}

// KeepHalf does so for half types, with the product rounded to float32 and then to h.
func KeepHalf[H Half](h asm.Half, dst []H, mask []byte, src []H, scale float32) {
	for i, x := range src[:len(dst)] { // without a branch, since masks are random
		kept := H(mask[i/8] >> (i % 8) & 1)
		dst[i] = H(h.Round(float32(h.Float32(uint16(x))*scale))) & -kept
	}
}
