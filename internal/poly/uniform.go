// Package poly holds the numbers and the exact float helpers that the portable
// code, the kernel generator and the GPU source share. It has no dependencies.
package poly

import "math"

// Mantissa stuffing: low bits of a word under the exponent of 1.0 give a number
// in [1,2), and subtracting 1 is exact.
const (
	// Mask32 selects the 23 significand bits of a float32.
	Mask32 = 1<<23 - 1
	// One32 is the bit pattern of float32(1).
	One32 = 0x3f800000
	// Mask64 selects the 52 significand bits of a float64.
	Mask64 = 1<<52 - 1
	// One64 is the bit pattern of float64(1).
	One64 = 0x3ff << 52
)

// The open uniform: x*OpenScale + OpenHalf, at most OpenMax.
const (
	OpenScale = 0x1p-32
	OpenHalf  = 0x1p-33
	OpenMax   = 1 - 0x1p-24
)

// Uniform32 maps a word to [0,1): the low 23 bits times 2^-23.
func Uniform32(x uint32) float32 {
	return math.Float32frombits(One32|x&Mask32) - 1
}

// Uniform64 maps a 64-bit word to [0,1): the low 52 bits times 2^-52.
func Uniform64(x uint64) float64 {
	return math.Float64frombits(One64|x&Mask64) - 1
}

// Open32 maps a word to (0,1): (x + 1/2) * 2^-32 with x rounded to float32
// first, and the result held below 1.
func Open32(x uint32) float32 {
	// The product is a scaling by a power of two and so exact, which makes a
	// fused multiply-add and a multiply followed by an add the same number.
	return min(float32(float32(x)*OpenScale)+OpenHalf, OpenMax)
}
