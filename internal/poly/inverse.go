package poly

import "math"

// Draws by inverse transform, each a function of one word: an open uniform u goes
// through the inverse of a distribution function. All is float64 for every type of
// element, and the caller rounds once. u is (x + 1/2) * 2^-32 of a 32-bit word, or
// ((x>>11) + 1/2) * 2^-53 of a 64-bit one, exactly, so that 1-u is the u of ^x. As in
// [Normal64], the order of operations is part of the sequence; logarithms of u are
// those of [MinusTwoLog64], and angles its sine and cosine.
//
// The polynomials are found as those of the normals. Errors in the comments are in
// units in the last place.
const (
	// Ln2For64 + Ln2Rest64 is ln 2.
	Ln2For64  = TwoLn2For64 / 2
	Ln2Rest64 = 0x1.abc9e3b39803fp-56
	// PerLn2For64 is 1/ln 2, rounded.
	PerLn2For64 = 0x1.71547652b82fep+0
	// ExpRound64, added, makes the lowest bits of a float64 the nearest whole number.
	ExpRound64 = 0x1.8p+52
	// ExpLowest64 and ExpHighest64 hold the argument where exponents have room. What
	// is beyond them is 0 and infinite, as are they themselves.
	ExpLowest64  = -746
	ExpHighest64 = 710
	// RootHalf64 is the bit pattern of sqrt(1/2), rounded.
	RootHalf64 = 0x3fe6a09e667f3bcd
	// CauchyQuarter32 and CauchyQuarter64, added to a word, make its top bit 0 where
	// |u - 1/2| > 1/4, and 1 elsewhere.
	CauchyQuarter32 = 1 << 30
	CauchyQuarter64 = 1 << 62
)

var (
	// ExpPoly64 is P with e^r = 1 + r + r^2 P(r), for |r| <= ln 2 / 2: the error is at
	// most 2^-67 of it. Lowest degree first, as all of them.
	ExpPoly64 = [...]float64{
		0x1p-1, 0x1.5555555555556p-3, 0x1.5555555555558p-5, 0x1.1111111110d5ep-7,
		0x1.6c16c16c14e67p-10, 0x1.a01a01a1e25edp-13, 0x1.a01a01ae7862ap-16, 0x1.71de341e69fb0p-19,
		0x1.27e4c910a9c9dp-22, 0x1.ae786464a8b4bp-26, 0x1.1f91bb8862b1bp-29, 0x1.49015a6fcd78dp-33,
	}
	// AtanhPoly64 is P with 2 artanh s = 2s + s^3 P(s^2), for |s| <= (sqrt 2 - 1)^2: the
	// error is at most 2^-59.4 of it.
	AtanhPoly64 = [...]float64{
		0x1.5555555555592p-1, 0x1.999999997ff1ap-2, 0x1.24924941e13dcp-2, 0x1.c71c5214696a0p-3,
		0x1.74663ce7c29cep-3, 0x1.39a1e967b9122p-3, 0x1.2f03b383b3b91p-3,
	}
)

// Exp returns e^v, not for NaN.
func Exp(v float64) float64 {
	v = min(max(v, ExpLowest64), ExpHighest64)
	k := math.FMA(v, PerLn2For64, ExpRound64)
	n := math.Float64bits(k) - 0x4338<<48 + 2*1023 // k + 2046, from 970 to 3070
	k -= ExpRound64
	// The first difference is exact: it is below 0.35 and ends at 2^-54 or before.
	r := math.FMA(-k, Ln2Rest64, math.FMA(-k, Ln2For64, v))
	h := float64(r * r)
	even, odd := parity64(ExpPoly64[:], h)
	e := 1 + math.FMA(math.FMA(odd, r, even), h, r)
	// 2^k in two steps, since it may not be a float64 where the product is. The first
	// product is exact, so that a subnormal result is rounded in the second one only.
	half := n >> 1
	return e * math.Float64frombits(half<<52) * math.Float64frombits((n-half)<<52)
}

// Log returns ln v of a finite v > 0.
func Log(v float64) float64 { return log64(v, 0) }

// LogOneMinus returns ln(1-p), for 0 <= p <= 1, and -Inf for p = 1.
func LogOneMinus(p float64) float64 {
	if p == 1 {
		return math.Inf(-1)
	}
	w := 1 - p
	return log64(w, ((1-w)-p)/w) // both differences are exact
}

// log64 returns ln v + c, for a c that is 0 or small enough: at most the half of a last
// place of v, by v. It has v = 2^e (1+f) with 1+f from sqrt(1/2) to sqrt 2, and
// ln(1+f) = 2 artanh s with s = f/(2+f), where 2s = f - s*f.
func log64(v, c float64) float64 {
	e := -1023.0
	if v < 0x1p-1022 {
		v *= 0x1p54
		e -= 54
	}
	b := math.Float64bits(v) + (One64 - RootHalf64)
	e += float64(b >> 52)
	f := math.Float64frombits(b&Mask64+RootHalf64) - 1 // exact
	s := f / (2 + f)
	z := float64(s * s)
	// 2 artanh s = f - f^2/2 + s*(f^2/2 + s^2 P(s^2)), so that s counts for little.
	g := float64(0.5 * f)
	rest := math.FMA(s, math.FMA(z, horner64(AtanhPoly64[:], z), float64(g*f)), math.FMA(e, Ln2Rest64, c))
	return math.FMA(e, Ln2For64, f+math.FMA(-g, f, rest))
}

// Laplace32 maps a word to a standard Laplace number: -ln(2(1-u)) in the upper half, and
// minus that of ^x in the lower one. Zero does not occur, and 32 ln 2 is the largest.
func Laplace32(x uint32) float64 {
	// 2u in the lower half is (2x+1) * 2^-32: 2^54 times that, as minusTwoLog64 has it.
	e := minusTwoLog64(float64(int64(int32(min(x, ^x)<<1|1))<<22)) / 2
	if x&Sign32 == 0 {
		return -e
	}
	return e
}

// Laplace64 is [Laplace32] of a 64-bit word, up to 53 ln 2.
func Laplace64(x uint64) float64 {
	e := minusTwoLog64(float64(int64(min(x, ^x)<<1)>>CenterShift64&^3|2)) / 2
	if x&Sign64 == 0 {
		return -e
	}
	return e
}

// Gumbel32 maps a word to a standard Gumbel number, -ln(-ln u).
func Gumbel32(x uint32) float64 { return -Log(MinusTwoLogOf32(x) / 2) }

// Gumbel64 is [Gumbel32] of a 64-bit word.
func Gumbel64(x uint64) float64 { return -Log(MinusTwoLog64(x) / 2) }

// Cauchy32 maps a word to a standard Cauchy number, tan(pi (u - 1/2)). Zero does not
// occur, and 2^33/pi is about the largest.
func Cauchy32(x uint32) float64 {
	return cauchy64(float64(float64(int32(x<<1|1))*0x1p-32), x+CauchyQuarter32 < Sign32)
}

// Cauchy64 is [Cauchy32] of a 64-bit word, up to about 2^54/pi.
func Cauchy64(x uint64) float64 {
	return cauchy64(float64(float64(int64((x&TurnMask64|TurnHalf64)<<1))*TurnScale64), x+CauchyQuarter64 < Sign64)
}

// cauchy64 takes t, which is 2u - 1 less the nearest whole number, exactly and not 0,
// and whether that number is odd: then the tangent is the cotangent from there.
func cauchy64(t float64, odd bool) float64 {
	sin, cos := sinCos64(t)
	if odd {
		return -cos / sin
	}
	return sin / cos
}

// Geometric32 maps a word to the number of trials up to the first success and with it,
// floor(ln u / q) + 1 with q = [LogOneMinus](p): a whole number, and 1 for p = 1. It is
// infinite only if p is below 2^-1018.
func Geometric32(x uint32, q float64) float64 {
	return math.Floor(MinusTwoLogOf32(x)/2/-q) + 1
}

// Geometric64 is [Geometric32] of a 64-bit word.
func Geometric64(x uint64, q float64) float64 {
	return math.Floor(MinusTwoLog64(x)/2/-q) + 1
}
