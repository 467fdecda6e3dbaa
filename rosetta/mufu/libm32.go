package mufu

import (
	"math"

	"github.com/philox-go/rng/internal/poly"
)

// The constants of CUDA's functions are written as their bits, as the machine code that
// nvcc 13.0 makes of them for sm_90 has them, and operations are in its order: every fma is one,
// and what is not one rounds twice, which the conversions to float32 and float64 make sure of.

func f32(b uint32) float32 { return math.Float32frombits(b) }

func fma(a, b, c float32) float32 { return poly.FMA32(a, b, c) }

// horner returns the polynomial with the coefficients c, the highest first, at x.
func horner(x float32, c ...uint32) float32 {
	p := f32(c[0])
	for _, b := range c[1:] {
		p = fma(p, x, f32(b))
	}
	return p
}

var (
	posInf = float32(math.Inf(1))
	ln2    = f32(0x3f317218)
	log2e  = f32(0x3fb8aa3b)
)

// FastLog returns CUDA's __logf(x): the hardware's logarithm to base 2 times ln 2.
// Subnormal numbers count, as in all code that is compiled without -ftz=true.
func FastLog(x float32) float32 {
	return float32(lg2(x) * ln2)
}

// lg2 is lg2.approx.f32, with subnormal numbers.
func lg2(x float32) float32 {
	if math.Float32bits(x)&^sign32 <= frac32 {
		return Lg2(float32(x*0x1p24)) - 24
	}
	return Lg2(x)
}

// FastExp returns CUDA's __expf(x): the hardware's power of 2 of x * log2(e). Subnormal
// results count, as in all code that is compiled without -ftz=true.
func FastExp(x float32) float32 {
	return ex2(float32(x * log2e))
}

// ex2 is ex2.approx.f32, with subnormal numbers.
func ex2(x float32) float32 {
	if x < -126 {
		r := Ex2(float32(x * 0.5))
		return float32(r * r)
	}
	return Ex2(x)
}

// FastTan returns CUDA's __tanf(x): FastDivide(Sin(x), Cos(x)).
func FastTan(x float32) float32 { return FastDivide(Sin(x), Cos(x)) }

// FastDivide returns CUDA's __fdividef(x, y): x times the hardware's reciprocal of
// y, which is 0 for |y| beyond 2^126.
func FastDivide(x, y float32) float32 {
	if math.Float32bits(y)&^sign32 <= frac32 {
		x = float32(x * 0x1p24)
		y = float32(y * 0x1p24)
	}
	return float32(x * Rcp(y))
}

// Logf returns CUDA's logf(x), the natural logarithm.
func Logf(x float32) float32 {
	var base float32
	if x < smallest {
		x = float32(x * 0x1p23)
		base = -23
	}
	b := math.Float32bits(x)
	switch {
	case b&^sign32 == 0:
		return -posInf
	case b >= inf32:
		return fma(x, posInf, posInf)
	}
	// x = m * 2^r, m in [2/3,4/3).
	r := (b - 0x3f2aaaab) & 0xff800000
	e := fma(float32(int32(r)), 0x1p-23, base)
	m := f32(b-r) - 1
	p := horner(m, 0xbe055027, 0x3e1039f6, 0xbdf8cdcc, 0x3e0f2955, 0xbe2ad8b9, 0x3e4ced0b,
		0xbe7fff22, 0x3eaaaa78, 0xbf000000)
	return fma(e, ln2, fma(float32(m*p), m, m))
}

// Expf returns CUDA's expf(x), e to the power of x, which ends in the hardware's power of 2.
func Expf(x float32) float32 {
	// The exponent: x * log2(e) + 126 between 0 and 252, which the code finds as
	// 252 times a number between 0 and 1, and rounds down.
	t := fma(x, f32(0x3bbb989d), 0.5)
	switch {
	case !(t > 0): // NaN too
		t = 0
	case t > 1:
		t = 1
	}
	n := int32(float64(t) * 252) // exact
	r := fma(x, log2e, float32(126-n))
	r = fma(x, f32(0x32a57060), r)
	return float32(Ex2(r) * f32(uint32(n+1)<<23))
}

// Log1pf returns CUDA's log1pf(x), the natural logarithm of 1+x.
func Log1pf(x float32) float32 {
	b := math.Float32bits(x)
	switch {
	case b == inf32 || b > inf32 && b < sign32 || b > one32|sign32:
		return fma(x, posInf, posInf)
	case b == sign32:
		return x
	}
	// 1+x = m * 2^r; g = m - 1, m in [3/4,3/2).
	r := (math.Float32bits(plusOne(x)) - 0x3f400000) & 0xff800000
	g := fma(0.25, f32(0x40800000-r), -1) + f32(b-r)
	e := float32(float32(int32(r)) * 0x1p-23)
	p := horner(g, 0xbd39bf78, 0x3dd80012, 0xbe0778e0, 0x3e146475, 0xbe2a68dd, 0x3e4caf9e,
		0xbe800042, 0x3eaaaae6, 0xbf000000)
	return fma(e, ln2, fma(float32(g*p), g, g))
}

// plusOne returns x+1, rounded toward zero, for x >= -1.
func plusOne(x float32) float32 {
	s := float64(x) + 1
	b := math.Float64bits(s)
	// What float64 has rounded up is taken back: only the truncated sum counts.
	if s-1 > float64(x) {
		b--
	}
	return float32(math.Float64frombits(b &^ (1<<29 - 1)))
}

// Erfinvf returns CUDA's erfinvf(x), the inverse of the error function, which uses
// the hardware's logarithm and, near -1 and 1, its reciprocal square root.
func Erfinvf(x float32) float32 {
	w := -Lg2(fma(x, -x, 1))
	if w > f32(0x41033333) {
		if w == posInf {
			return f32(inf32 | math.Float32bits(x)&sign32)
		}
		r := Rsqrt(w)
		p := horner(r, 0xbf1704a1, 0xbf29baa5, 0x3fcc6adc, 0xbf2cdaed, 0xbdc30537, 0x3f55d9b9)
		y := float32(float32(r*w) * p)
		return f32(math.Float32bits(y)&^sign32 | math.Float32bits(x)&sign32)
	}
	p := horner(w, 0xaf8a6370, 0x3221f645, 0xb4016fda, 0x3468f846, 0x370742aa, 0xb804db4d,
		0xba4afea1, 0x3bb5c027, 0x3e24ae0f, 0x3f62dfc4)
	return float32(x * p)
}

// Sinf returns CUDA's sinf(x), the accurate sine.
func Sinf(x float32) float32 {
	r, n := reduced(x)
	return quarter(r, n)
}

// Cosf returns CUDA's cosf(x), the accurate cosine.
func Cosf(x float32) float32 {
	r, n := reduced(x)
	return quarter(r, n+1)
}

// reduced returns x - n*pi/2 and n modulo 4.
func reduced(x float32) (float32, uint32) {
	a := math.Float32bits(x) &^ sign32
	switch {
	case a > inf32:
		return nan, 0
	case a == inf32:
		return float32(x * 0), 0
	case a >= 0x47ce4780: // 105615
		return reducedFar(math.Float32bits(x))
	}
	n := int32(math.RoundToEven(float64(float32(x * f32(0x3f22f983)))))
	j := float32(n) // never -0
	r := fma(j, f32(0xbfc90fda), x)
	r = fma(j, f32(0xb3a22168), r)
	return fma(j, f32(0xa7c234c5), r), uint32(n)
}

// twoOverPi is 2/pi * 2^192, the low word first.
var twoOverPi = [6]uint32{0x3c439041, 0xdb629599, 0xf534ddc0, 0xfc2757d1, 0x4e441529, 0xa2f9836e}

// reducedFar is reduced for large x, given as bits: multiplied by as many places of 2/pi
// as matter (Payne and Hanek).
func reducedFar(b uint32) (float32, uint32) {
	e := int(b>>23&0xff) - 128
	m := b<<8 | 1<<31
	var res [7]uint32
	var carry uint64
	for i, w := range twoOverPi {
		carry += uint64(w) * uint64(m)
		res[i] = uint32(carry)
		carry >>= 32
	}
	res[6] = uint32(carry)
	i := e >> 5
	hi, lo, next := res[6-i], res[5-i], res[4-i]
	if s := e & 31; s != 0 {
		hi = hi<<s | lo>>(32-s)
		lo = lo<<s | next>>(32-s)
	}
	frac := uint64(hi)<<32 | uint64(lo)
	n := uint32(frac >> 62)
	frac <<= 2
	sign := b & sign32
	flip := sign
	if frac>>63 != 0 { // the nearest whole number is the next one
		n++
		frac = ^frac
		flip ^= sign32
	}
	if sign != 0 {
		n = -n
	}
	r := float32(float64(int64(frac)) * math.Float64frombits(0x3bf921fb54442d19))
	return negative(r, flip), n
}

// quarter returns the sine (n even) or cosine (n odd) of r, negative if n/2 is odd.
func quarter(r float32, n uint32) float32 {
	s := float32(r * r)
	var v float32
	if n&1 != 0 {
		p := horner(s, 0x37cbac00, 0xbab607ed, 0x3d2aaabb, 0xbeffffff)
		v = fma(p, s, 1)
	} else {
		p := horner(s, 0xb94d4153, 0x3c0885e4, 0xbe2aaaa8)
		v = fma(p, fma(s, r, 0), r)
	}
	if n&2 != 0 {
		v = fma(v, -1, 0)
	}
	return v
}
