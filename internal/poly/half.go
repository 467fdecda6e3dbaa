package poly

import "math"

// The conversions between float32 and the types of 16 bits, float16 (binary16 of
// IEEE 754) and bfloat16, as bit patterns. Rounding is to nearest, ties to even, and
// what rounds beyond the largest number is infinite. NaN stays NaN: it keeps its sign
// and the bits that there is room for, and becomes quiet.
const (
	sign16 = 1 << 15
	mask16 = 1<<10 - 1
	inf16  = 0x1f << 10

	inf32   = 0xff << 23
	quiet32 = 1 << 22
	// half32 is the bit pattern of float32(0.5).
	half32 = 0x3f000000
	// smallest16 and overflow16 are those of 2^-14, the smallest normal float16, and
	// of 65520, in the middle between the largest one and 2^16.
	smallest16 = (127 - 14) << 23
	overflow16 = (127+15)<<23 | 0x7ff<<12
)

// Float16 returns the float16 nearest to f.
func Float16(f float32) uint16 {
	b := math.Float32bits(f)
	sign := uint16(b >> 16 & sign16)
	b &^= Sign32
	switch {
	case b > inf32:
		return sign | inf16 | uint16((b|quiet32)>>13&mask16)
	case b >= overflow16:
		return sign | inf16
	case b < smallest16:
		// The last place of the sum, between 1/2 and 1, is 2^-24, as that of the
		// result is, so the sum rounds as it must. It may become 2^-14.
		return sign | uint16(math.Float32bits(math.Float32frombits(b)+0.5)-half32)
	}
	// Half of the last place that stays, or a bit less if that is even already. What
	// carries into the exponent is right there.
	b += 1<<12 - 1 + b>>13&1
	return sign | uint16((b-(127-15)<<23)>>13)
}

// FromFloat16 returns the number of a float16, which is exact.
func FromFloat16(h uint16) float32 {
	sign, b := uint32(h&sign16)<<16, uint32(h&^sign16)
	switch {
	case b > inf16:
		b = b<<13 | inf32 | quiet32
	case b == inf16:
		b = inf32
	case b < 1<<10: // subnormal there, and not here
		b = math.Float32bits(float32(b) * 0x1p-24)
	default:
		b = b<<13 + (127-15)<<23
	}
	return math.Float32frombits(sign | b)
}

// BFloat16 returns the bfloat16 nearest to f.
func BFloat16(f float32) uint16 {
	b := math.Float32bits(f)
	if b&^Sign32 > inf32 {
		return uint16((b | quiet32) >> 16)
	}
	return uint16((b + 1<<15 - 1 + b>>16&1) >> 16) // see Float16; infinity stays as it is
}

// FromBFloat16 returns the number of a bfloat16, which is exact.
func FromBFloat16(h uint16) float32 {
	b := uint32(h) << 16
	if b&^Sign32 > inf32 {
		b |= quiet32
	}
	return math.Float32frombits(b)
}
