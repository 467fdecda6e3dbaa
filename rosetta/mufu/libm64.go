package mufu

import (
	"math"
	"math/bits"
)

func f64(b uint64) float64 { return math.Float64frombits(b) }

// high is the high word of x. CUDA's functions compare it as if it was a float32,
// which has the same order: seen so, all infinities and NaN of float64 are NaN.
func high(x float64) uint32 { return uint32(math.Float64bits(x) >> 32) }

// horner64 returns the polynomial with the coefficients c, the highest first, at x.
func horner64(x float64, c []uint64) float64 {
	p := f64(c[0])
	for _, b := range c[1:] {
		p = math.FMA(p, x, f64(b))
	}
	return p
}

const (
	ln2High = 0x3fe62e42fefa39ef
	ln2Low  = 0x3c7abc9e3b39803f
)

// reciprocal returns 1/d nearly, by the hardware's and a step of Newton's method of
// the third order.
func reciprocal(d float64) float64 {
	r := Rcp64(d)
	e := math.FMA(-d, r, 1)
	return math.FMA(math.FMA(e, e, e), r, r)
}

var expCoefficients = []uint64{0x3e5ade1569ce2bdf, 0x3e928af3fca213ea, 0x3ec71dee62401315, 0x3efa01997c89eb71,
	0x3f2a01a014761f65, 0x3f56c16c1852b7af, 0x3f81111111122322, 0x3fa55555555502a1, 0x3fc5555555555511,
	0x3fe000000000000b, 0x3ff0000000000000, 0x3ff0000000000000}

// Exp returns CUDA's exp(x), e to the power of x.
func Exp(x float64) float64 {
	const shift = 0x1.8p52
	t := math.FMA(x, f64(0x3ff71547652b82fe), shift)
	n := int32(uint32(math.Float64bits(t)))
	k := t - shift
	r := math.FMA(k, -f64(ln2High), x)
	r = math.FMA(k, -f64(ln2Low), r)
	p := math.Float64bits(horner64(r, expCoefficients))
	switch a := high(x) &^ sign32; {
	case a < 0x4086232b:
		return f64(p + uint64(uint32(n)<<20)<<32)
	case a >= 0x40874800:
		if x < 0 {
			return 0
		}
		return x + math.Inf(1)
	}
	// In two steps, of which only the second one rounds.
	half := n / 2
	return f64(p+uint64(uint32(half)<<20)<<32) * f64(uint64(uint32(n-half)<<20+0x3ff<<20)<<32)
}

var logCoefficients = []uint64{0x3eb1380b3ae80f1e, 0x3ed0ee258b7a8b04, 0x3ef3b2669f02676f, 0x3f1745cba9ab0956,
	0x3f3c71c72d1b5154, 0x3f624924923be72d, 0x3f8999999999a3c4, 0x3fb5555555555554}

// Log returns CUDA's log(x), the natural logarithm.
func Log(x float64) float64 {
	base := int32(-1023)
	if int32(high(x)) <= 1<<20-1 { // negative too
		x *= 0x1p54
		base -= 54
	}
	h := high(x)
	if h-1 >= 0x7fefffff {
		if h&^sign32 == 0 {
			return math.Inf(-1)
		}
		return math.FMA(x, math.Inf(1), math.Inf(1))
	}
	// x = m * 2^e, m from about sqrt(1/2) to sqrt(2).
	e := base + int32(h>>20)
	h = h&(1<<20-1) | 1023<<20
	if h >= 0x3ff6a09f {
		h -= 1 << 20
		e++
	}
	m := f64(uint64(h)<<32 | math.Float64bits(x)&math.MaxUint32)
	// log m = 2 atanh(f/(m+1)): t is twice the quotient, u what t lacks.
	f := m - 1
	q := reciprocal(m + 1)
	t := math.FMA(f, q, float64(f*q))
	s := float64(t * t)
	p := horner64(s, logCoefficients)
	r := f - t
	u := float64(q * math.FMA(-t, f, r+r))
	u = math.FMA(float64(s*p), t, u)
	n := float64(e)
	a := math.FMA(n, f64(ln2High), t)
	c := math.FMA(-n, f64(ln2High), a) - t
	return a + math.FMA(n, f64(ln2Low), u-c)
}

var log1pCoefficients = []uint64{0x3eb372fb2fbe14b5, 0x3ed087ffceb2dc44, 0x3ef3b9ff890f468c, 0x3f17457efd51baf8,
	0x3f3c71c8de3ce825, 0x3f6249248fa4661f, 0x3f899999999d70c4, 0x3fb5555555555462}

// Log1p returns CUDA's log1p(x), the natural logarithm of 1+x.
func Log1p(x float64) float64 {
	// From about -0.4 to 0.667, by the high word.
	if h := f32(high(x)); !(h < f32(0x3fe55555) && h > f32(0xbfd99999)) {
		return Log(x + 1)
	}
	p := float64(x * (x / (x + 2)))
	d := x - p
	s := float64(d * d)
	return x + math.FMA(float64(s*horner64(s, log1pCoefficients)), d, -p)
}

var tanCoefficients = []uint64{0x3ee48dac2799bcb9, 0xbef9757c5b27ebb1, 0x3f0980e90fd91e04, 0xbefae2b0417d7e1d,
	0x3f119f5341bfba57, 0x3f15e791a00f6919, 0x3f2ff2e7fadec73a, 0x3f434bc1b206da62, 0x3f57db18ef2f83f9,
	0x3f6d6d2e7ae49fbc, 0x3f8226e3a816a776, 0x3f9664f485d25660, 0x3faba1ba1babf31d, 0x3fc11111111105d2,
	0x3fd555555555555e}

// Tan returns CUDA's tan(x).
func Tan(x float64) float64 {
	r, odd := reduced64(x)
	s := float64(r * r)
	p := float64(s * horner64(s, tanCoefficients))
	t := math.FMA(p, r, r)
	if !odd {
		return t
	}
	// -1/(t + what t lacks).
	low := math.FMA(p, r, -(t - r))
	q := -reciprocal(t)
	e := math.FMA(q, low, math.FMA(t, q, 1))
	return math.FMA(e, q, q)
}

// reduced64 returns x - n*pi/2 and whether n is odd.
func reduced64(x float64) (r float64, odd bool) {
	switch a := math.Abs(x); {
	case a != a || math.IsInf(x, 0):
		return math.NaN(), false
	case a >= 0x1p31:
		return reducedFar64(math.Float64bits(x))
	}
	n := int32(math.RoundToEven(float64(x * f64(0x3fe45f306dc9c883))))
	j := float64(n) // never -0
	r = math.FMA(-j, f64(0x3ff921fb54442d18), x)
	r = math.FMA(-j, f64(0x3c91a62633145c00), r)
	r = math.FMA(-j, f64(0x397b839a252049c0), r)
	return r, n&1 != 0
}

// twoOverPi64 is 2/pi * 2^1152, the low word first.
var twoOverPi64 = [18]uint64{0x6bfb5fb11f8d5d08, 0x3d0739f78a5292ea, 0x7527bac7ebe5f17b, 0x4f463f669e5fea2d,
	0x6d367ecf27cb09b7, 0xef2f118b5a0a6d1f, 0x1ff897ffde05980f, 0x9c845f8bbdf9283b, 0x3991d639835339f4,
	0xe99c7026b45f7e41, 0xe88235f52ebb4484, 0xfe1deb1cb129a73e, 0x06492eea09d1921c, 0xb7246e3a424dd2e0,
	0xfe5163abdebbc561, 0xdb6295993c439041, 0xfc2757d1f534ddc0, 0xa2f9836e4e441529}

// reducedFar64 is reduced64 for x of at least 2^31, given as bits, by Payne and Hanek's method.
func reducedFar64(b uint64) (float64, bool) {
	e := int(b>>52&0x7ff) - 1024
	m := b<<11 | 1<<63
	first := 15 - e>>6
	var res [5]uint64
	var carry uint64
	words := twoOverPi64[first:min(first+4, 18)]
	for i, w := range words {
		hi, lo := bits.Mul64(w, m)
		lo, c := bits.Add64(lo, carry, 0)
		res[i], carry = lo, hi+c
	}
	res[len(words)] = carry
	hi, lo, next := res[3], res[2], res[1]
	if s := e & 63; s != 0 {
		hi = hi<<s | lo>>(64-s)
		lo = lo<<s | next>>(64-s)
	}
	n := hi >> 62
	hi, lo = hi<<2|lo>>62, lo<<2
	sign := b & (1 << 63)
	if hi>>63 != 0 { // the nearest whole number is the next one
		n++
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
		sign ^= 1 << 63
	}
	z := bits.LeadingZeros64(hi)
	if z != 0 {
		hi = hi<<z | lo>>(64-z)
	}
	p, q := bits.Mul64(hi, 0xc90fdaa22168c235) // pi/2 * 2^63
	if p>>63 == 0 && p != 0 {
		p = p<<1 | q>>63
		z++
	}
	return f64((0x3fe<<52 - uint64(z)<<52 + ((p+1)>>10+1)>>1) | sign), n&1 != 0
}

// Erfinv returns CUDA's erfinv(x), the inverse of the error function.
func Erfinv(x float64) float64 {
	if high(x)&^sign32 >= 0x3ff<<20 {
		switch a := math.Abs(x); {
		case a != a:
			return x
		case a == 1:
			return float64(x * math.Inf(1))
		}
		return math.NaN()
	}
	// w = -log(1 - x^2), with a logarithm of its own: 1-x^2 = m * 2^e, e even.
	y := math.FMA(x, -x, 1)
	h := high(y)
	e := int32(h>>20&0x7fe) - 1022
	m := f64(uint64(h&(1<<21-1)|0x3fe<<20)<<32 | math.Float64bits(y)&math.MaxUint32)
	f := m - 1
	q := reciprocal(m + 1)
	t := float64(f * q)
	u := math.FMA(-2, t, f)
	u = math.FMA(-t, f, u)
	u = math.FMA(u, q, t)
	s := float64(u * u)
	u = math.FMA(float64(s*horner64(s, erfinvLog)), u, u)
	l := math.FMA(float64(e), f64(ln2High), u+u)

	var p float64
	if high(l) < 0xc0190000 { // w below 6.25
		p = horner64(-3.125-l, erfinvCentral)
	} else if r := math.Sqrt(-l); high(r) < 0x40100000 {
		p = horner64(r-3.25, erfinvMiddle)
	} else {
		p = horner64(r-5, erfinvFar)
	}
	return float64(x * p)
}

var (
	// The logarithm in Erfinv is a polynomial in u^2.
	erfinvLog = []uint64{0x3fb5c5c218c775c9, 0x3fa55cf59cdc5d89, 0x3faefd18cf6ebb9c, 0x3fb10682edcb8d1b, 0x3fb3b1dd3ac7fc96,
		0x3fb745cb459b54a6, 0x3fbc71c741a0669f, 0x3fc249249209112e, 0x3fc99999999a06c1, 0x3fd5555555555535}
	// Erfinv is one in w - 3.125 where w < 6.25,
	erfinvCentral = []uint64{0xbbb135d2e746e627, 0xbc08ddf93324d327, 0x3c37b83eef0b7c9f, 0x3c69ba72cd589b91, 0xbca33689090a6b96,
		0x3c782e11898132e0, 0x3cfde4acfd9e26ba, 0xbd26d33eed66c487, 0xbd36f2167040d8e2, 0x3d872a22c2d77e20,
		0xbdac8859c4e5c0af, 0xbdcdc583d118a561, 0x3e120f47ccf46b3c, 0xbe31a9e38dc84d60, 0xbe5f36cd6d3d46a9,
		0x3e9c6b4f5d03b787, 0xbeb6e8a5434ae8a2, 0xbeed1d1f7b8736f6, 0x3f2879c2a212f024, 0xbf4845769484fca8,
		0xbf78b6c33114f909, 0x3fcebd80d9b13e28, 0x3ffa755e7c99ae86}
	// one in sqrt(w) - 3.25 where w < 16,
	erfinvMiddle = []uint64{0x3e23040f87dbd932, 0x3e785cbe52878635, 0xbe92777453dd3955, 0x3e5395abcd554c6c, 0x3eb936388a3790ad,
		0xbed0d5db812b5083, 0x3ec8860cd5d652f6, 0x3eea29a0cacdfb23, 0xbf08cef1f80281f2, 0x3f11e684d0b9188a,
		0x3ef932cd54c8a222, 0xbf37448a89ef8aa3, 0x3f4f3cc55ad40c25, 0xbf5ba924132f38b1, 0x3f6468eeca533cf8,
		0xbf6ebadabb891bbd, 0x3f75ffcfe5b76afc, 0x3ff0158a6d641d39, 0x4008abcc380d5a48}
	// and beyond that one in sqrt(w) - 5.
	erfinvFar = []uint64{0xbdbdcec3a7785389, 0xbdf18feec0e38727, 0x3e19e6bf2dda45e3, 0xbe30468fb24e2f5f, 0x3e405ac6a8fba182,
		0xbe50102e495fb9c0, 0x3e5f4c20e1334af8, 0xbe722d220fdf9c3e, 0x3e8ebc8bb824cb54, 0xbeb0a8d40ea372cc,
		0x3ed2fbd29d093d2b, 0xbef4a3497e1e0fac, 0x3f13ebf4eb00938f, 0xbf2c2f36a8fc5d53, 0xbf222ea5df04047c,
		0x3ff02a30d1fba0dc, 0x4013664ddd1ad7fb}
)

var (
	sinpiCoefficients = []uint64{0x3de5db65f9785eba, 0xbe5ae5f12cb0d246, 0x3ec71de369ace392, 0xbf2a01a019db62a1,
		0x3f81111111110818, 0xbfc5555555555554, 0}
	cospiCoefficients = []uint64{0xbda8ff8320fd8164, 0x3e21eea7c1ef8528, 0xbe927e4f8e06e6d9, 0x3efa01a019ddbce9,
		0xbf56c16c16c15d47, 0x3fa5555555555551, 0xbfe0000000000000, 0x3ff0000000000000}
)

// Sincospi returns what CUDA's sincospi(x) does, the sine and the cosine of pi*x.
func Sincospi(x float64) (sin, cos float64) {
	if high(x)<<1 >= 0x86800001 { // about 2^53
		x = float64(x * 0)
	}
	n := math.RoundToEven(2 * x)
	r := math.FMA(-n, 0.5, x)
	y := math.FMA(r, f64(0x400921fb54442d18), float64(r*f64(0x3ca1a62633145c07)))
	z := float64(y * y)
	cos = horner64(z, cospiCoefficients)
	sin = math.FMA(horner64(z, sinpiCoefficients), y, y)
	if n == n {
		k := int64(n)
		if k&1 != 0 {
			sin, cos = cos, -sin
		}
		if k&2 != 0 {
			sin, cos = -sin, -cos
		}
	}
	if x == math.Trunc(x) {
		sin = float64(x * 0)
	}
	return sin, cos + 0
}
