package poly

import "math"

// FMA32 returns a*b + c with one rounding, as the fused multiply-add of IEEE 754
// for float32, which Go does not have.
//
// The product of two float32 is exact in float64 (24 + 24 <= 53 bits, exponents
// in range), so s is the sum with one rounding to 53 bits. Rounding s again to 24
// bits can only differ from rounding the sum itself if s lies on a tie of float32
// that the sum does not: everything else in between keeps its side of all ties,
// because every tie is itself a float64. Then the sum is replaced by one rounded to
// odd (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved
// algorithms using rounding to odd", IEEE Transactions on Computers 57(4), 2008).
func FMA32(a, b, c float32) float32 {
	p := float64(a) * float64(b)
	s := p + float64(c)
	// Ties of normal float32 have this end; subnormal ones have others.
	if bits := math.Float64bits(s); bits&(1<<29-1) == 1<<28 || bits<<1 < 897<<53 {
		s = odd(s, p, float64(c))
	}
	return float32(s)
}

// odd returns p + c rounded to odd: s, which is p + c to nearest, if that is exact
// or its last bit is 1, and else its neighbour on the side of the exact sum, whose
// last bit is 1. A float64 so rounded lies on a tie only if the sum does.
func odd(s, p, c float64) float64 {
	// The exact error of the sum (Knuth's TwoSum).
	t := s - p
	e := (p - (s - t)) + (c - t)
	bits := math.Float64bits(s)
	if e == 0 || e != e || bits&1 == 1 { // e is NaN where s is infinite or NaN
		return s
	}
	if (e < 0) == (s < 0) {
		return math.Float64frombits(bits + 1)
	}
	return math.Float64frombits(bits - 1)
}
