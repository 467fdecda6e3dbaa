package poly

import "math"

// The float64 normals: Box-Muller with r = sqrt(L), L = -2 ln u1, and the angle
// 2 pi u2, where u1 = ((x>>11) + 1/2) * 2^-53 and u2 is the same of y. [Normal64] is
// the order of operations; kernels repeat it, operation for operation. The polynomials
// are minimax fits of relative error, found by Remez exchange in 240 bits, the
// coefficients of low degree rounded before the rest was fitted again.
//
// In 4*10^7 pairs, r was within 1.20 units in the last place of the exact number, and
// z within 2.71, 0.43 on average.
const (
	// CenterShift64 and CenterBit64 make 2^54*u1, an odd number, of a word.
	CenterShift64 = 10
	CenterBit64   = 1
	// LowerG64 scales a negative centre to g: u1 = 1 - g/2.
	LowerG64 = -0x1p-53
	// LowerE64 is the exponent e that belongs to a centre in [1,2).
	LowerE64 = 53
	// TwoLn2For64 is 2 ln 2, rounded. It is wrong by 0.21 of its last place, and so
	// e times it by at most 0.31 of the last place of L, whose root halves that.
	TwoLn2For64 = 0x1.62e42fefa39efp+0
	// TurnMask64 selects the bits of a word that make u2, and TurnHalf64 is its half.
	TurnMask64 = ^uint64(1<<11 - 1)
	TurnHalf64 = 1 << 10
	// TurnScale64 scales a signed remainder to t in [-1/2, 1/2]: an angle of pi/2 * t.
	TurnScale64 = 0x1p-64
	// TurnRound64 makes the top two bits of y the nearest quadrant.
	TurnRound64 = 1 << 61
	// OddQuadrant64 is the bit, and Sign64 the sign, of the quadrant's number.
	OddQuadrant64 = 1 << 62
	Sign64        = 1 << 63
)

var (
	// LogPoly64 is R with L = e*2 ln 2 + g + g^2 R(g), for g in (0,1]: the error is
	// at most 2^-56.98 of L. Lowest degree first, as all of them.
	LogPoly64 = [...]float64{
		0x1.fffffffffff79p-3, 0x1.5555555560ec2p-4, 0x1.fffffff4cacffp-6, 0x1.99999c5dae599p-7,
		0x1.5554ec2fd8c09p-8, 0x1.249c99b2b92d4p-9, 0x1.fe94d55a4ecc8p-11, 0x1.d9552817988f3p-12,
		0x1.d4127d6d2b5fdp-14, 0x1.a06cd56403489p-12, -0x1.b7b3bbaedd1c5p-11, 0x1.02bb67c43988bp-9,
		-0x1.bbf2dcf6fe39ep-9, 0x1.2d2205b9e3b9ap-8, -0x1.395f1235e482dp-8, 0x1.ee68abb0bf620p-9,
		-0x1.1d8a37557c26bp-9, 0x1.c9b30bdce553fp-11, -0x1.c8197e24101a5p-13, 0x1.af93103cae11bp-16,
	}
	// SinPoly64 is P with sin(pi/2 t) = t*SinLead64 + t*P(t^2), for |t| <= 1/2: the
	// error is at most 2^-58 of the sine.
	SinPoly64 = [...]float64{
		0x1.02647475ac615p-54, -0x1.4abbce625be41p-1, 0x1.466bc67758781p-4, -0x1.32d2cce2dcf28p-8,
		0x1.50782fd107e53p-13, -0x1.e300693f669d9p-19, 0x1.e3f09990400e5p-25,
	}
	// CosPoly64 is cos(pi/2 t) in t^2, for |t| <= 1/2: the error is at most 2^-61.4.
	CosPoly64 = [...]float64{
		1, -0x1.3bd3cc9be45dep+0, 0x1.03c1f081b5a52p-2, -0x1.55d3c7e3bfe56p-6,
		0x1.e1f50675b20c9p-11, -0x1.a6d1e238ee688p-16, 0x1.f9c4adc07aeb7p-22, -0x1.b0345eb4df2eep-28,
	}
)

// SinLead64 is pi/2, rounded; the rest of it is in SinPoly64[0].
const SinLead64 = 0x1.921fb54442d18p+0

// Normal64 maps two words to two independent standard normals, r cos(2 pi u2) and
// r sin(2 pi u2). The largest |z| is sqrt(108 ln 2) = 8.6522, at x = 0; zero does not
// occur.
func Normal64(x, y uint64) (z0, z1 float64) {
	r := math.Sqrt(MinusTwoLog64(x))
	sin, cos := turn64(y)
	if y += TurnRound64; y&OddQuadrant64 != 0 {
		sin, cos = cos, -sin
	}
	if y&Sign64 != 0 {
		r = -r
	}
	return float64(r * cos), float64(r * sin)
}

// MinusTwoLog64 returns -2 ln u1, from 2^-53 to 108 ln 2. For u1 >= 1/2 the centre
// less 2^54 is converted, so that what is small is exact, and every term of the sum is
// positive.
func MinusTwoLog64(x uint64) float64 {
	// Exact: below 2^53 in magnitude. A conversion of x itself would round.
	return minusTwoLog64(float64(int64(x)>>CenterShift64 | CenterBit64))
}

// MinusTwoLogOf32 is MinusTwoLog64 for u1 = (x + 1/2) * 2^-32: from 2^-32 to 66 ln 2.
func MinusTwoLogOf32(x uint32) float64 {
	return minusTwoLog64(float64(int64(int32(x))<<22 | 1<<21)) // 33 significant bits
}

// minusTwoLog64 takes the centre 2^54 * u1, less 2^54 for u1 >= 1/2.
func minusTwoLog64(c float64) float64 {
	g, e := float64(c*LowerG64), 0.0
	if c > 0 { // c = m * 2^(53-e), m in [1,2)
		b := math.Float64bits(c)
		g = 2 - math.Float64frombits(b&Mask64|One64)
		e = LowerE64 + 1023 - float64(b>>52)
	}
	h := float64(g * g)
	even, odd := parity64(LogPoly64[:], h)
	r := math.FMA(odd, g, even)
	return math.FMA(r, h, math.FMA(e, TwoLn2For64, g))
}

// turn64 returns sine and cosine of the angle from the nearest quadrant, between
// -pi/4 and pi/4. The word<<2, signed, is 4 times the remainder: an odd multiple of
// 2^12, so that t has at most 51 significant bits and is exact and not zero.
func turn64(y uint64) (sin, cos float64) {
	return sinCos64(float64(float64(int64((y&TurnMask64|TurnHalf64)<<2)) * TurnScale64))
}

// sinCos64 returns sine and cosine of the angle pi/2 * t, for |t| <= 1/2.
func sinCos64(t float64) (sin, cos float64) {
	s := float64(t * t)
	sin = math.FMA(t, SinLead64, float64(horner64(SinPoly64[:], s)*t))
	return sin, horner64(CosPoly64[:], s)
}

// parity64 evaluates the halves of a polynomial in g, of an even number of
// coefficients: even(h) + g*odd(h) with h = g^2, which is half as deep as one chain.
func parity64(p []float64, h float64) (even, odd float64) {
	even, odd = p[len(p)-2], p[len(p)-1]
	for i := len(p) - 4; i >= 0; i -= 2 {
		even, odd = math.FMA(even, h, p[i]), math.FMA(odd, h, p[i+1])
	}
	return even, odd
}

// horner64 evaluates a polynomial, lowest degree first.
func horner64(p []float64, x float64) float64 {
	v := p[len(p)-1]
	for i := len(p) - 2; i >= 0; i-- {
		v = math.FMA(v, x, p[i])
	}
	return v
}
