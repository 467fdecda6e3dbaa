package poly

import "math"

// The float32 normals: Box-Muller with r = sqrt(L), L = -2 ln u1, and the angle
// 2 pi u2, where u1 = (x + 1/2) * 2^-32 and u2 = (y + 1/2) * 2^-32. [Normal32] is the
// order of operations; kernels repeat it, operation for operation. The polynomials
// are minimax fits of relative error.
const (
	// Half32 is added to a word to put it in the middle of its interval.
	Half32 = 0.5
	// LowerG32 scales a negative centre to g: u1 = 1 - g/2.
	LowerG32 = -0x1p-31
	// LowerE32 is the exponent e that belongs to a centre in [1,2).
	LowerE32 = 31
	// TwoLn2For32 is 2 ln 2, rounded; it is wrong by 2.8e-9 of itself.
	TwoLn2For32 = 0x1.62e43p+0
	// TurnScale32 scales a signed remainder to t in [-1/2, 1/2]: an angle of pi/2 * t.
	TurnScale32 = 0x1p-32
	// TurnHalf32 is the half of u2, in the units of a remainder.
	TurnHalf32 = 2
	// TurnRound32 makes the top two bits of y the nearest quadrant.
	TurnRound32 = 1 << 29
	// OddQuadrant32 is the bit, and OddHalf32 the sign, of the quadrant's number.
	OddQuadrant32 = 1 << 30
	// Sign32 is the sign bit.
	Sign32 = 1 << 31
)

var (
	// LogPoly32 is R with L = e*2 ln 2 + g + g^2 R(g), for g in (0,1]: the error is
	// at most 2.7e-8 of L. Lowest degree first, as all of them.
	LogPoly32 = [...]float32{
		0x1.fffecp-3, 0x1.55a3a8p-4, 0x1.f30fdap-6, 0x1.0e050ep-6,
		-0x1.7297a2p-8, 0x1.356e6ep-6, -0x1.a3bc56p-7, 0x1.6a1fe4p-8,
	}
	// SinPoly32 is P with sin(pi/2 t) = t*SinLead32 + t*P(t^2), for |t| <= 1/2: the
	// error is at most 8.5e-9 of the sine.
	SinPoly32 = [...]float32{-0x1.a32bd2p-25, -0x1.4abbbap-1, 0x1.465e92p-4, -0x1.2d9302p-8}
	// CosPoly32 is cos(pi/2 t) in t^2, for |t| <= 1/2: the error is at most 2.1e-9.
	CosPoly32 = [...]float32{1, -0x1.3bd3ccp+0, 0x1.03c1d4p-2, -0x1.55c4f4p-6, 0x1.d99f6p-11}
)

// SinLead32 is pi/2, rounded; the rest of it is in SinPoly32[0].
const SinLead32 = 0x1.921fb6p+0

// Normal32 maps two words to two independent standard normals, r cos(2 pi u2) and
// r sin(2 pi u2). The largest |z| is sqrt(66 ln 2) = 6.7637, at x = 0; zero does not
// occur.
func Normal32(x, y uint32) (z0, z1 float32) {
	r := float32(math.Sqrt(float64(minusTwoLog32(x)))) // correctly rounded: 53 >= 2*24 + 2
	sin, cos := turn32(y)
	if y += TurnRound32; y&OddQuadrant32 != 0 {
		sin, cos = cos, -sin
	}
	if y&Sign32 != 0 {
		r = -r
	}
	return float32(r * cos), float32(r * sin)
}

// Exponential32 returns -ln u1, half of what the radius is the root of.
func Exponential32(x uint32) float32 { return minusTwoLog32(x) / 2 }

// minusTwoLog32 returns -2 ln u1. For u1 >= 1/2 the word less 2^32 is converted, so
// that what is small is exact, and every term of the sum is positive.
func minusTwoLog32(x uint32) float32 {
	c := float32(int32(x)) + Half32
	g, e := float32(c*LowerG32), float32(0)
	if c > 0 { // c = m * 2^(31-e), m in [1,2)
		b := math.Float32bits(c)
		g = 2 - math.Float32frombits(b&Mask32|One32)
		e = LowerE32 + 127 - float32(b>>23)
	}
	h := float32(g * g)
	even, odd := parity32(LogPoly32[:], h)
	r := FMA32(odd, g, even)
	return FMA32(r, h, FMA32(e, TwoLn2For32, g))
}

// turn32 returns sine and cosine of the angle from the nearest quadrant, between
// -pi/4 and pi/4. y<<2, signed, is 4 times the remainder.
func turn32(y uint32) (sin, cos float32) {
	t := float32(float32(int32(y<<2|TurnHalf32)) * TurnScale32)
	s := float32(t * t)
	sin = FMA32(t, SinLead32, float32(horner32(SinPoly32[:], s)*t))
	return sin, horner32(CosPoly32[:], s)
}

// parity32 evaluates the halves of a polynomial in g, of an even number of
// coefficients: even(h) + g*odd(h) with h = g^2, which is half as deep as one chain.
func parity32(p []float32, h float32) (even, odd float32) {
	even, odd = p[len(p)-2], p[len(p)-1]
	for i := len(p) - 4; i >= 0; i -= 2 {
		even, odd = FMA32(even, h, p[i]), FMA32(odd, h, p[i+1])
	}
	return even, odd
}

// horner32 evaluates a polynomial, lowest degree first.
func horner32(p []float32, x float32) float32 {
	v := p[len(p)-1]
	for i := len(p) - 2; i >= 0; i-- {
		v = FMA32(v, x, p[i])
	}
	return v
}
