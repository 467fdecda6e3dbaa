package torch

import (
	"math"

	"github.com/philox-go/rng/internal/poly"
	"github.com/philox-go/rng/rosetta/internal/engine"
	"github.com/philox-go/rng/rosetta/mufu"
)

// The laws are PyTorch's transformations (ATen/core/TransformationHelper.h and
// ATen/native/cuda/DistributionTemplates.h), operation by operation as nvcc compiles them:
// a product and a sum are one fused multiply-add, and float32's log, exp and tan are the
// fast ones.

func uniform[T Float](s source, n uint64, from, to float64) (numbers[T], error) {
	most := largest[T]()
	switch {
	case !(math.Abs(from) <= most):
		return numbers[T]{}, bad("from", from, "must be finite in "+dtype[T]())
	case !(math.Abs(to) <= most):
		return numbers[T]{}, bad("to", to, "must be finite in "+dtype[T]())
	case from > to:
		return numbers[T]{}, bad("from", from, "must be at most to")
	case to-from > most:
		return numbers[T]{}, bad("to", to, "must be at most the largest "+dtype[T]()+" above from")
	}
	if wide[T]() {
		return elementwise(s, n, of64[T](engine.Open64(), func(x []float64) {
			for i, u := range x {
				if x[i] = math.FMA(u, to-from, from); x[i] == to {
					x[i] = from
				}
			}
		})), nil
	}
	a, b := round32[T](float32(from)), round32[T](float32(to))
	span := round32[T](b - a)
	return elementwise(s, n, between[T](span, a, b)), nil
}

// between are the numbers u*span + a, rounded to the type, and where that is b, a.
func between[T Float](span, a, b float32) *engine.Convert[T] {
	if c, ok := any(engine.Between32(span, a, b)).(*engine.Convert[T]); ok {
		return c
	}
	return of32[T](engine.Open32(), func(x []float32) {
		for i, u := range x {
			if x[i] = round32[T](poly.FMA32(u, span, a)); x[i] == b {
				x[i] = a
			}
		}
	})
}

func normal[T Float](s source, n uint64, mean, std float64) (numbers[T], error) {
	if !(std >= 0) {
		return numbers[T]{}, bad("std", std, "must be at least 0")
	}
	return elementwise(s, n, normals[T](mean, std)), nil
}

func normals[T Float](mean, std float64) *engine.Convert[T] {
	if wide[T]() {
		return of64[T](engine.Normal64(), func(x []float64) { affine64(x, std, mean) })
	}
	return of32[T](engine.Normal32(), func(x []float32) { mufu.Affine(x, float32(std), float32(mean)) })
}

func affine64(x []float64, std, mean float64) {
	for i, z := range x {
		x[i] = math.FMA(z, std, mean)
	}
}

func logNormal[T Float](s source, n uint64, mean, std float64) (numbers[T], error) {
	if !(std > 0) {
		return numbers[T]{}, bad("std", std, "must be above 0")
	}
	if wide[T]() {
		return elementwise(s, n, of64[T](engine.Normal64(), func(x []float64) {
			affine64(x, std, mean)
			for i, z := range x {
				x[i] = mufu.Exp(z)
			}
		})), nil
	}
	return elementwise(s, n, of32[T](engine.Normal32(), func(x []float32) {
		mufu.Affine(x, float32(std), float32(mean))
		mufu.FastExpSlice(x, x)
	})), nil
}

func exponential[T Float](s source, n uint64, lambda float64) (numbers[T], error) {
	if !(lambda > 0) {
		return numbers[T]{}, bad("lambd", lambda, "must be above 0")
	}
	return elementwise(s, n, exponentials[T](lambda)), nil
}

func exponentials[T Float](lambda float64) *engine.Convert[T] {
	if wide[T]() {
		scale := -1 / lambda
		return of64[T](engine.Open64(), func(x []float64) { scaledLogs(x, 0x1p-53, scale, mufu.LogDoubleSlice) })
	}
	scale := -1 / float32(lambda)
	return of32[T](engine.Open32(), func(x []float32) { scaledLogs(x, 0x1p-24, scale, mufu.FastLogSlice) })
}

// scaledLogs turns uniform numbers into their logarithms times scale. That of what is less
// than half a place below 1 is minus half a place.
func scaledLogs[F float32 | float64](x []F, half, scale F, logs func(dst, x []F)) {
	var ones [64]int // where x is as good as 1
	for len(x) > 0 {
		part := x[:min(len(x), len(ones))]
		x = x[len(part):]
		k := 0
		for i, u := range part {
			if u >= 1-half {
				ones[k] = i
				k++
			}
		}
		logs(part, part)
		for _, i := range ones[:k] {
			part[i] = -half
		}
		for i, l := range part {
			part[i] = scale * l
		}
	}
}

func cauchy[T Float](s source, n uint64, median, sigma float64) (numbers[T], error) {
	if !(sigma > 0) {
		return numbers[T]{}, bad("sigma", sigma, "must be above 0")
	}
	return elementwise(s, n, cauchys[T](median, sigma)), nil
}

func cauchys[T Float](median, sigma float64) *engine.Convert[T] {
	if wide[T]() {
		return of64[T](engine.Open64(), func(x []float64) {
			for i, u := range x {
				x[i] = math.FMA(sigma, mufu.Tan(math.Pi*(u-0.5)), median)
			}
		})
	}
	m, scale := float32(median), float32(sigma)
	return of32[T](engine.Open32(), func(x []float32) {
		for i, u := range x {
			u = max(min(u, 1-0x1p-23), 0x1p-23)
			x[i] = poly.FMA32(scale, mufu.FastTan(float32(math.Pi)*(u-0.5)), m)
		}
	})
}

func geometric[T Float | Integer](s source, n uint64, p float64) (numbers[T], error) {
	if !(p > 0 && p < 1) {
		return numbers[T]{}, bad("p", p, "must be above 0 and below 1")
	}
	if wide[T]() {
		d := mufu.Log1p(-p)
		return elementwise(s, n, of64[T](engine.Open64(), func(x []float64) {
			mufu.LogDoubleSlice(x, x)
			for i, l := range x {
				x[i] = math.Ceil(l / d)
			}
		})), nil
	}
	d := mufu.FastLog(1 - float32(p))
	return elementwise(s, n, of32[T](engine.Open32(), func(x []float32) {
		mufu.FastLogSlice(x, x)
		for i, l := range x {
			x[i] = float32(math.Ceil(float64(l / d)))
		}
	})), nil
}

func bernoulli[T Element](s source, n uint64, p float64) (numbers[T], error) {
	if !(p >= 0 && p <= 1) {
		return numbers[T]{}, bad("p", p, "must be 0 to 1")
	}
	if wide[T]() {
		return elementwise(s, n, of64[T](engine.Open64(), func(x []float64) {
			for i, u := range x {
				x[i] = 0
				if u < p {
					x[i] = 1
				}
			}
		})), nil
	}
	return elementwise(s, n, of32[T](engine.Open32(), below(float32(p)))), nil
}

// below turns the numbers that are below p into 1, and others into 0.
func below(p float32) func(x []float32) {
	return func(x []float32) {
		for i, u := range x {
			x[i] = 0
			if u < p {
				x[i] = 1
			}
		}
	}
}
