package cuda

import "github.com/philox-go/rng/random"

// The operators of package random, on buffers. Each queues its work on dst's stream and does not
// wait; see Dist.Next for the generator and for what an error leaves behind.

// next is Dist.Next of a distribution that may be none.
func next[T Element](g *random.Generator, dst Buffer[T], d Dist[T], err error) error {
	if err != nil {
		return err
	}
	return d.Next(g, dst)
}

// Uniform is [random.Uniform] on a device.
func Uniform[T random.Float](g *random.Generator, dst Buffer[T], lo, hi T) error {
	d, err := Uniforms(lo, hi)
	return next(g, dst, d, err)
}

// UniformHalf is [random.UniformHalf] on a device.
func UniformHalf[H random.Half](g *random.Generator, dst Buffer[H], format random.Format, lo, hi float32) error {
	d, err := UniformHalves[H](format, lo, hi)
	return next(g, dst, d, err)
}

// Normal is [random.Normal] on a device.
func Normal[T random.Float](g *random.Generator, dst Buffer[T], mean, std T) error {
	d, err := Normals(mean, std)
	return next(g, dst, d, err)
}

// NormalHalf is [random.NormalHalf] on a device.
func NormalHalf[H random.Half](g *random.Generator, dst Buffer[H], format random.Format, mean, std float32) error {
	d, err := NormalHalves[H](format, mean, std)
	return next(g, dst, d, err)
}

// TruncatedNormal is [random.TruncatedNormal] on a device.
func TruncatedNormal[T random.Float](g *random.Generator, dst Buffer[T], mean, std, a, b T) error {
	d, err := TruncatedNormals(mean, std, a, b)
	return next(g, dst, d, err)
}

// TruncatedNormalHalf is [random.TruncatedNormalHalf] on a device.
func TruncatedNormalHalf[H random.Half](g *random.Generator, dst Buffer[H], format random.Format, mean, std, a, b float32) error {
	d, err := TruncatedNormalHalves[H](format, mean, std, a, b)
	return next(g, dst, d, err)
}

// Exponential is [random.Exponential] on a device.
func Exponential[T random.Float](g *random.Generator, dst Buffer[T], rate T) error {
	d, err := Exponentials(rate)
	return next(g, dst, d, err)
}

// ExponentialHalf is [random.ExponentialHalf] on a device.
func ExponentialHalf[H random.Half](g *random.Generator, dst Buffer[H], format random.Format, rate float32) error {
	d, err := ExponentialHalves[H](format, rate)
	return next(g, dst, d, err)
}

// LogNormal is [random.LogNormal] on a device.
func LogNormal[T random.Float](g *random.Generator, dst Buffer[T], mean, std T) error {
	d, err := LogNormals(mean, std)
	return next(g, dst, d, err)
}

// LogNormalHalf is [random.LogNormalHalf] on a device.
func LogNormalHalf[H random.Half](g *random.Generator, dst Buffer[H], format random.Format, mean, std float32) error {
	d, err := LogNormalHalves[H](format, mean, std)
	return next(g, dst, d, err)
}

// Cauchy is [random.Cauchy] on a device.
func Cauchy[T random.Float](g *random.Generator, dst Buffer[T], median, scale T) error {
	d, err := Cauchys(median, scale)
	return next(g, dst, d, err)
}

// CauchyHalf is [random.CauchyHalf] on a device.
func CauchyHalf[H random.Half](g *random.Generator, dst Buffer[H], format random.Format, median, scale float32) error {
	d, err := CauchyHalves[H](format, median, scale)
	return next(g, dst, d, err)
}

// Laplace is [random.Laplace] on a device.
func Laplace[T random.Float](g *random.Generator, dst Buffer[T], mean, scale T) error {
	d, err := Laplaces(mean, scale)
	return next(g, dst, d, err)
}

// LaplaceHalf is [random.LaplaceHalf] on a device.
func LaplaceHalf[H random.Half](g *random.Generator, dst Buffer[H], format random.Format, mean, scale float32) error {
	d, err := LaplaceHalves[H](format, mean, scale)
	return next(g, dst, d, err)
}

// Gumbel is [random.Gumbel] on a device.
func Gumbel[T random.Float](g *random.Generator, dst Buffer[T], mode, scale T) error {
	d, err := Gumbels(mode, scale)
	return next(g, dst, d, err)
}

// GumbelHalf is [random.GumbelHalf] on a device.
func GumbelHalf[H random.Half](g *random.Generator, dst Buffer[H], format random.Format, mode, scale float32) error {
	d, err := GumbelHalves[H](format, mode, scale)
	return next(g, dst, d, err)
}

// Geometric is [random.Geometric] on a device.
func Geometric[T random.Integer | random.Float](g *random.Generator, dst Buffer[T], p float64) error {
	d, err := Geometrics[T](p)
	return next(g, dst, d, err)
}

// GeometricHalf is [random.GeometricHalf] on a device.
func GeometricHalf[H random.Half](g *random.Generator, dst Buffer[H], format random.Format, p float64) error {
	d, err := GeometricHalves[H](format, p)
	return next(g, dst, d, err)
}

// Bernoulli is [random.Bernoulli] on a device.
func Bernoulli[T ~bool | random.Integer | random.Float](g *random.Generator, dst Buffer[T], p float64) error {
	d, err := Bernoullis[T](p)
	return next(g, dst, d, err)
}

// BernoulliHalf is [random.BernoulliHalf] on a device.
func BernoulliHalf[H random.Half](g *random.Generator, dst Buffer[H], format random.Format, p float64) error {
	d, err := BernoulliHalves[H](format, p)
	return next(g, dst, d, err)
}

// IntN is [random.IntN] on a device.
func IntN[T random.Integer](g *random.Generator, dst Buffer[T], lo, hi T) error {
	d, err := IntNs(lo, hi)
	return next(g, dst, d, err)
}

// IntRange is [random.IntRange] on a device.
func IntRange[T random.Integer](g *random.Generator, dst Buffer[T], lo, last T) error {
	d, err := IntRanges(lo, last)
	return next(g, dst, d, err)
}
