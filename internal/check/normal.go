package check

import (
	"math"
	"math/big"
)

// The normals of SEQUENCE.md once more, with literals of their own; see the
// remark in reference.go.

// normal32 is a pair of float32 normals.
func normal32(x, y uint32) (z0, z1 float32) {
	r := float32(math.Sqrt(float64(minusTwoLog32(x))))

	quarter := (int64(y) + 1<<29) >> 30 // 0 to 4
	rest := 4*(int64(y)-quarter<<30) + 2
	t := float32(rest) / (1 << 32)
	s := float32(t * t)
	p := fused(fused(fused(-0x1.2d9302p-8, s, 0x1.465e92p-4), s, -0x1.4abbbap-1), s, -0x1.a32bd2p-25)
	sin := fused(t, 0x1.921fb6p+0, float32(p*t))
	cos := fused(fused(fused(fused(0x1.d99f6p-11, s, -0x1.55c4f4p-6), s, 0x1.03c1d4p-2), s, -0x1.3bd3ccp+0), s, 1)
	c, d := turned(quarter, cos, sin)
	return float32(r * c), float32(r * d)
}

// minusTwoLog32 is -2 ln of the middle of x, in float32.
func minusTwoLog32(x uint32) float32 {
	var g, e float32
	if x >= 1<<31 {
		g = (float32(1<<32-uint64(x)) - 0.5) / (1 << 31)
	} else {
		frac, exp := math.Frexp(float64(float32(x) + 0.5))
		g, e = float32(2-2*frac), float32(32-exp)
	}
	h := float32(g * g)
	even := fused(fused(fused(-0x1.a3bc56p-7, h, -0x1.7297a2p-8), h, 0x1.f30fdap-6), h, 0x1.fffecp-3)
	odd := fused(fused(fused(0x1.6a1fe4p-8, h, 0x1.356e6ep-6), h, 0x1.0e050ep-6), h, 0x1.55a3a8p-4)
	return fused(fused(odd, g, even), h, fused(e, 0x1.62e43p+0, g))
}

// normal64 is a pair of float64 normals.
func normal64(x, y uint64) (z0, z1 float64) {
	r := math.Sqrt(minusTwoLog(2*(x>>11)+1, 54))

	k := int64(y >> 11)
	quarter := (k + 1<<50) >> 51
	t := float64(2*(k-quarter<<51)+1) / (1 << 52)
	s := float64(t * t)
	p := chain(s, 0x1.e3f09990400e5p-25, -0x1.e300693f669d9p-19, 0x1.50782fd107e53p-13, -0x1.32d2cce2dcf28p-8,
		0x1.466bc67758781p-4, -0x1.4abbce625be41p-1, 0x1.02647475ac615p-54)
	sin := math.FMA(t, 0x1.921fb54442d18p+0, float64(p*t))
	cos := chain(s, -0x1.b0345eb4df2eep-28, 0x1.f9c4adc07aeb7p-22, -0x1.a6d1e238ee688p-16, 0x1.e1f50675b20c9p-11,
		-0x1.55d3c7e3bfe56p-6, 0x1.03c1f081b5a52p-2, -0x1.3bd3cc9be45dep+0, 1)
	c, d := turned(quarter, cos, sin)
	return float64(r * c), float64(r * d)
}

// minusTwoLog is -2 ln of the odd number c over 2^bits, which is below 1.
func minusTwoLog(c uint64, bits int) float64 {
	var g, e float64
	if c >= 1<<(bits-1) {
		g = math.Ldexp(float64(1<<bits-c), 1-bits)
	} else {
		frac, exp := math.Frexp(float64(c))
		g, e = 2-2*frac, float64(bits-exp)
	}
	h := float64(g * g)
	even := chain(h, -0x1.c8197e24101a5p-13, -0x1.1d8a37557c26bp-9, -0x1.395f1235e482dp-8, -0x1.bbf2dcf6fe39ep-9,
		-0x1.b7b3bbaedd1c5p-11, 0x1.d4127d6d2b5fdp-14, 0x1.fe94d55a4ecc8p-11, 0x1.5554ec2fd8c09p-8,
		0x1.fffffff4cacffp-6, 0x1.fffffffffff79p-3)
	odd := chain(h, 0x1.af93103cae11bp-16, 0x1.c9b30bdce553fp-11, 0x1.ee68abb0bf620p-9, 0x1.2d2205b9e3b9ap-8,
		0x1.02bb67c43988bp-9, 0x1.a06cd56403489p-12, 0x1.d9552817988f3p-12, 0x1.249c99b2b92d4p-9,
		0x1.99999c5dae599p-7, 0x1.5555555560ec2p-4)
	return math.FMA(math.FMA(odd, g, even), h, math.FMA(e, 0x1.62e42fefa39efp+0, g))
}

// turned takes cosine and sine of an angle on by so many quarters of a turn.
func turned[T float32 | float64](quarters int64, cos, sin T) (c, s T) {
	switch quarters % 4 {
	case 0:
		return cos, sin
	case 1:
		return -sin, cos
	case 2:
		return -cos, -sin
	default:
		return sin, -cos
	}
}

// chain is a polynomial, its coefficient of the highest degree first.
func chain(x, v float64, rest ...float64) float64 {
	for _, c := range rest {
		v = math.FMA(v, x, c)
	}
	return v
}

// fused is a*b + c with one rounding, for what is neither subnormal nor too large.
// Rounding to 53 bits and then to 24 goes wrong on ties only; there the exact sum
// is looked at.
func fused(a, b, c float32) float32 {
	sum := math.FMA(float64(a), float64(b), float64(c))
	near := float32(sum)
	opposite := 2*sum - float64(near) // on the other side of sum, exactly
	far := float32(opposite)
	if far == near || float64(far) != opposite {
		return near
	}
	exact := new(big.Float).SetPrec(300).Mul(big.NewFloat(float64(a)), big.NewFloat(float64(b)))
	exact.Add(exact, big.NewFloat(float64(c)))
	if side := exact.Cmp(big.NewFloat(sum)); side != 0 && (side > 0) == (far > near) {
		return far
	}
	return near
}
