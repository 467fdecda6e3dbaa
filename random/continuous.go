package random

import (
	"github.com/philox-go/rng/internal/draw"
	"github.com/philox-go/rng/philox/asm"
)

// Uniform fills dst with uniform numbers in [lo, hi): u*(hi-lo) + lo with one rounding,
// at most the number below hi, where u are those of [philox.Stream.FillFloat32] and
// FillFloat64. It never gives hi. A float32 takes a word and a float64 two, so n of them
// reserve n/4 and n/2 blocks, rounded up.
//
// It is an error if lo or hi is not finite, if lo >= hi or if hi-lo is infinite.
func Uniform[T Float](g *Generator, dst []T, lo, hi T) error {
	d, err := draw.Uniform(lo, hi)
	return run(g, d, err, at(dst), len(dst))
}

// UniformHalf fills dst with uniform numbers in [lo, hi), which count as rounded to the
// format: k*(hi-lo)/1024 + lo for float16 and k*(hi-lo)/128 + lo for bfloat16, where k
// are the lower 10 or 7 bits of a word, in float32 with one rounding, rounded once more
// and at most the number below hi. n elements reserve n/4 blocks, rounded up.
//
// The errors are those of [Uniform], and bounds that are too large for the format or
// that it does not tell apart.
func UniformHalf[H Half](g *Generator, dst []H, format Format, lo, hi float32) error {
	d, err := draw.UniformHalf(asm.Half(format), lo, hi)
	return run(g, d, err, at(dst), len(dst))
}

// Normal fills dst with normal numbers of a mean and a standard deviation, those of
// [normal.FillScaledFloat32] and FillScaledFloat64. A float32 takes a word and a float64
// two, so n of them reserve n/4 and n/2 blocks, rounded up.
//
// It is an error if mean or std is not finite or if std < 0.
func Normal[T Float](g *Generator, dst []T, mean, std T) error {
	d, err := draw.Normal(mean, std)
	return run(g, d, err, at(dst), len(dst))
}

// NormalHalf fills dst with the float32 numbers of [Normal], rounded to the format. Those
// beyond its largest number are infinite.
func NormalHalf[H Half](g *Generator, dst []H, format Format, mean, std float32) error {
	d, err := draw.NormalHalf(asm.Half(format), mean, std)
	return run(g, d, err, at(dst), len(dst))
}

// TruncatedNormal fills dst with normal numbers under the condition that they are in
// [a, b], those of [normal.FillTruncatedFloat32] and FillTruncatedFloat64, which say what
// is an error. The bounds are in the units of the numbers. n elements reserve as many
// blocks as those of [Normal]. The generator's stream must be below 2^48.
func TruncatedNormal[T Float](g *Generator, dst []T, mean, std, a, b T) error {
	d, err := draw.TruncatedNormal(mean, std, a, b)
	return run(g, d, err, at(dst), len(dst))
}

// TruncatedNormalHalf fills dst with normal numbers that are in [a, b] when rounded to
// the format: the float32 numbers of [TruncatedNormal] between the least and the
// greatest float32 that are rounded to something there. It is an error if that is no
// finite number.
func TruncatedNormalHalf[H Half](g *Generator, dst []H, format Format, mean, std, a, b float32) error {
	d, err := draw.TruncatedNormalHalf(asm.Half(format), mean, std, a, b)
	return run(g, d, err, at(dst), len(dst))
}

// Exponential fills dst with exponential numbers of a rate, mean 1/rate: -ln u / rate,
// where u = (x+1/2)*2^-32 of a word, and of a float64 ((X>>11)+1/2)*2^-53 of two. They
// are finite and above 0 for every rate. n elements reserve n/4 blocks, and float64 ones
// n/2, rounded up.
//
// It is an error if the rate is not a finite number above 0.
func Exponential[T Float](g *Generator, dst []T, rate T) error {
	d, err := draw.Exponential(rate)
	return run(g, d, err, at(dst), len(dst))
}

// ExponentialHalf fills dst with the float32 numbers of [Exponential], rounded to the
// format and held between its smallest number above 0 and its largest one.
func ExponentialHalf[H Half](g *Generator, dst []H, format Format, rate float32) error {
	d, err := draw.ExponentialHalf(asm.Half(format), rate)
	return run(g, d, err, at(dst), len(dst))
}

// LogNormal fills dst with e^z, where z are the numbers of [Normal], with its blocks and
// errors. It is infinite or 0 where the type has no such number.
func LogNormal[T Float](g *Generator, dst []T, mean, std T) error {
	d, err := draw.LogNormal(mean, std)
	return run(g, d, err, at(dst), len(dst))
}

// LogNormalHalf fills dst with the float32 numbers of [LogNormal], rounded to the format.
func LogNormalHalf[H Half](g *Generator, dst []H, format Format, mean, std float32) error {
	d, err := draw.LogNormalHalf(asm.Half(format), mean, std)
	return run(g, d, err, at(dst), len(dst))
}

// Cauchy fills dst with Cauchy numbers: median + scale * tan(pi (u-1/2)), u as for
// [Exponential], with its blocks. They are infinite where the type has no such number.
//
// It is an error if the median is not finite or the scale not a finite number above 0.
func Cauchy[T Float](g *Generator, dst []T, median, scale T) error {
	d, err := draw.Cauchy(median, scale)
	return run(g, d, err, at(dst), len(dst))
}

// CauchyHalf fills dst with the float32 numbers of [Cauchy], rounded to the format.
func CauchyHalf[H Half](g *Generator, dst []H, format Format, median, scale float32) error {
	d, err := draw.CauchyHalf(asm.Half(format), median, scale)
	return run(g, d, err, at(dst), len(dst))
}

// Laplace fills dst with Laplace numbers: mean + scale * ln(2u) for u < 1/2 and mean -
// scale * ln(2(1-u)) for u > 1/2, u as for [Exponential], with its blocks. Their standard
// deviation is scale times the root of 2.
//
// It is an error if the mean is not finite or the scale not a finite number above 0.
func Laplace[T Float](g *Generator, dst []T, mean, scale T) error {
	d, err := draw.Laplace(mean, scale)
	return run(g, d, err, at(dst), len(dst))
}

// LaplaceHalf fills dst with the float32 numbers of [Laplace], rounded to the format.
func LaplaceHalf[H Half](g *Generator, dst []H, format Format, mean, scale float32) error {
	d, err := draw.LaplaceHalf(asm.Half(format), mean, scale)
	return run(g, d, err, at(dst), len(dst))
}

// Gumbel fills dst with Gumbel numbers: mode - scale * ln(-ln u), u as for
// [Exponential], with its blocks.
//
// It is an error if the mode is not finite or the scale not a finite number above 0.
func Gumbel[T Float](g *Generator, dst []T, mode, scale T) error {
	d, err := draw.Gumbel(mode, scale)
	return run(g, d, err, at(dst), len(dst))
}

// GumbelHalf fills dst with the float32 numbers of [Gumbel], rounded to the format.
func GumbelHalf[H Half](g *Generator, dst []H, format Format, mode, scale float32) error {
	d, err := draw.GumbelHalf(asm.Half(format), mode, scale)
	return run(g, d, err, at(dst), len(dst))
}
