package mufu

import (
	"math"
	"math/bits"

	"github.com/philox-go/rng/internal/sfu"
)

const (
	sign32 = 1 << 31
	inf32  = 0xff << 23
	one32  = 127 << 23
	frac32 = 1<<23 - 1

	// smallest is the smallest normal float32.
	smallest = 0x1p-126
)

// nan is the NaN that functions return for arguments outside of their domain.
// Which of the NaNs the hardware gives is not modelled.
var nan = math.Float32frombits(inf32 | 1<<22)

// truncated returns the float32 f * 2^scale, f > 0, without the bits below its 24
// leading ones. The result must be a normal number.
func truncated(f int64, scale int) float32 {
	n := bits.Len64(uint64(f))
	// The leading one adds 1 to the exponent.
	m := uint32(uint64(f) << (64 - n) >> 40)
	return math.Float32frombits(uint32(n+scale+125)<<23 + m)
}

// negative returns -x if sign is the sign bit of a float32, and x if it is 0.
func negative(x float32, sign uint32) float32 {
	return math.Float32frombits(math.Float32bits(x) ^ sign)
}

// turns returns how often 2^-25 of a turn fits into the angle with the bits b, without sign, modulo a turn.
//
// The angle is multiplied by 1/(2 pi) first, 0x3e22f983 as a float32, and the
// product is rounded toward zero.
func turns(b uint32) uint32 {
	e := int(b>>23) - 150
	p := uint64(b&frac32|1<<23) * 0xa2f983 // times 2^(e-26)
	e -= 26
	if p>>47 != 0 {
		p >>= 24
		e += 24
	} else {
		p >>= 23
		e += 23
	}
	switch e += 25; {
	case e >= 25:
		return 0
	case e >= 0:
		return uint32(p<<e) & (1<<25 - 1)
	case e > -24:
		return uint32(p >> -e)
	}
	return 0
}

// sine returns the sine of k/2^25 turns, for k < 2^25.
func sine(k uint32) float32 {
	t := k & frac32
	if k>>23&1 != 0 {
		t ^= frac32
	}
	f := sfu.Sin.At(t)
	if f == 0 {
		return negative(0, k>>24<<31)
	}
	return negative(truncated(f, -37), k>>24<<31)
}

// Sin returns sin.approx.ftz.f32 of x, an angle in radians.
func Sin(x float32) float32 {
	b := math.Float32bits(x)
	sign := b & sign32
	b ^= sign
	switch {
	case b >= inf32:
		return nan
	case b <= frac32:
		return negative(0, sign)
	}
	return negative(sine(turns(b)), sign)
}

// Cos returns cos.approx.ftz.f32 of x, an angle in radians.
func Cos(x float32) float32 {
	b := math.Float32bits(x) &^ sign32
	switch {
	case b >= inf32:
		return nan
	case b <= frac32:
		b = 0
	}
	return sine((turns(b) + 1<<23) & (1<<25 - 1))
}

// Lg2 returns lg2.approx.ftz.f32 of x, the logarithm to base 2.
func Lg2(x float32) float32 {
	b := math.Float32bits(x)
	switch {
	case b&^sign32 <= frac32: // zeros and subnormals
		return float32(math.Inf(-1))
	case b == inf32:
		return x
	case b > inf32: // negative or NaN
		return nan
	case b == one32:
		return 0
	}
	e := int64(b>>23) - 127
	g := sfu.Lg2.At(b&frac32) + e<<38
	if e < 0 {
		return -truncated((-g-1)&^3, -38)
	}
	return truncated(g&^3, -38)
}

// Ex2 returns ex2.approx.ftz.f32 of x, 2 to the power of x.
func Ex2(x float32) float32 {
	b := math.Float32bits(x)
	sign := b & sign32
	b ^= sign
	e := int(b>>23) - 127
	switch {
	case b > inf32:
		return nan
	case b <= frac32:
		return 1
	case e >= 7: // 128 or more
		if sign != 0 {
			return 0
		}
		return float32(math.Inf(1))
	}
	// |x| in units of 2^-23, truncated.
	m := int64(b&frac32 | 1<<23)
	if e >= 0 {
		m <<= e
	} else {
		m >>= min(-e, 24)
	}
	switch {
	case sign == 0:
	case m&frac32 == 0:
		m = -m
	default: // all places are inverted: a place less than the exact number
		m = ^m
	}
	i := int(m >> 23)
	if i < -126 {
		return 0
	}
	return truncated(sfu.Ex2.At(uint32(m)&frac32), i-38)
}

// Rcp returns rcp.approx.ftz.f32 of x, 1/x.
func Rcp(x float32) float32 {
	b := math.Float32bits(x)
	sign := b & sign32
	b ^= sign
	switch {
	case b > inf32:
		return nan
	case b <= frac32:
		return negative(float32(math.Inf(1)), sign)
	case b > (127+126)<<23: // the result would be subnormal
		return negative(0, sign)
	}
	return negative(truncated(sfu.Rcp.At(b&frac32), 127-int(b>>23)-40), sign)
}

// Rsqrt returns rsqrt.approx.ftz.f32 of x, the reciprocal of the square root.
func Rsqrt(x float32) float32 {
	b := math.Float32bits(x)
	switch {
	case b&^sign32 <= frac32:
		return negative(float32(math.Inf(1)), b&sign32)
	case b == inf32:
		return 0
	case b > inf32:
		return nan
	}
	e := int(b>>23) - 127
	if e&1 != 0 {
		return truncated(sfu.Rsqrt2.At(b&frac32), -(e-1)/2-40)
	}
	if b&frac32 == 0 {
		return math.Float32frombits(uint32(127-e/2) << 23)
	}
	return truncated(sfu.Rsqrt1.At(b&frac32), -e/2-40)
}

// Sqrt returns sqrt.approx.ftz.f32 of x, the square root. It differs from the correctly rounded
// one, which CUDA's sqrtf is, in the last places.
func Sqrt(x float32) float32 {
	b := math.Float32bits(x)
	switch {
	case b&^sign32 <= frac32:
		return negative(0, b&sign32)
	case b == inf32:
		return x
	case b > inf32:
		return nan
	}
	e := int(b>>23) - 127
	if e&1 != 0 {
		return truncated(sfu.Sqrt2.At(b&frac32), (e-1)/2-40)
	}
	return truncated(sfu.Sqrt1.At(b&frac32), e/2-40)
}

// cut64 returns the float64 f * 2^scale, f > 0, without the bits below its 21 leading ones, which
// is what a high word holds. The result must be a normal number.
func cut64(f int64, scale int) float64 {
	n := bits.Len64(uint64(f))
	m := uint64(f) << (64 - n) >> 43 << 32
	return math.Float64frombits(uint64(n+scale+1021)<<52 + m)
}

const (
	frac20 = 1<<20 - 1
	inf20  = 0x7ff << 20
)

// Rcp64 returns rcp.approx.ftz.f64 of x, about 1/x: the first step of divisions and
// logarithms. The hardware looks at the high 32 bits of x only, and the low 32 bits of the
// result are 0. In between it is Rcp.
func Rcp64(x float64) float64 {
	h := high(x)
	sign := h & sign32
	h ^= sign
	switch {
	case h > inf20:
		return math.NaN()
	case h <= frac20:
		return f64(uint64(inf20|sign) << 32)
	case h > (1023+1022)<<20: // the result would be subnormal
		return f64(uint64(sign) << 32)
	}
	r := cut64(sfu.Rcp.At(h&frac20<<3), 1023-int(h>>20)-40)
	return f64(math.Float64bits(r) | uint64(sign)<<32)
}

// Rsqrt64 returns rsqrt.approx.ftz.f64 of x, about 1/sqrt(x), as Rcp64.
func Rsqrt64(x float64) float64 {
	h := high(x)
	switch {
	case h&^sign32 <= frac20:
		return f64(uint64(inf20|h&sign32) << 32)
	case h == inf20:
		return 0
	case h > inf20:
		return math.NaN()
	}
	e := int(h>>20) - 1023
	if e&1 != 0 {
		return cut64(sfu.Rsqrt2.At(h&frac20<<3), -(e-1)/2-40)
	}
	if h&frac20 == 0 {
		return f64(uint64(1023-e/2) << 52)
	}
	return cut64(sfu.Rsqrt1.At(h&frac20<<3), -e/2-40)
}
