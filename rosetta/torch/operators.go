package torch

import "math"

// Uniform is dst.uniform_(from, to).
func Uniform[T Float](g *Generator, dst []T, from, to float64) error {
	return draw(g, dst, func(s source, n uint64) (numbers[T], error) { return uniform[T](s, n, from, to) })
}

// Normal is dst.normal_(mean, std), or torch.randn where they are 0 and 1.
func Normal[T Float](g *Generator, dst []T, mean, std float64) error {
	return draw(g, dst, func(s source, n uint64) (numbers[T], error) { return normal[T](s, n, mean, std) })
}

// LogNormal is dst.log_normal_(mean, std).
func LogNormal[T Float](g *Generator, dst []T, mean, std float64) error {
	return draw(g, dst, func(s source, n uint64) (numbers[T], error) { return logNormal[T](s, n, mean, std) })
}

// Exponential is dst.exponential_(lambd).
func Exponential[T Float](g *Generator, dst []T, lambd float64) error {
	return draw(g, dst, func(s source, n uint64) (numbers[T], error) { return exponential[T](s, n, lambd) })
}

// Cauchy is dst.cauchy_(median, sigma).
func Cauchy[T Float](g *Generator, dst []T, median, sigma float64) error {
	return draw(g, dst, func(s source, n uint64) (numbers[T], error) { return cauchy[T](s, n, median, sigma) })
}

// Geometric is dst.geometric_(p): how many trials it takes until one succeeds.
func Geometric[T Float | Integer](g *Generator, dst []T, p float64) error {
	return draw(g, dst, func(s source, n uint64) (numbers[T], error) { return geometric[T](s, n, p) })
}

// Bernoulli is dst.bernoulli_(p) with one probability for all.
func Bernoulli[T Element](g *Generator, dst []T, p float64) error {
	return draw(g, dst, func(s source, n uint64) (numbers[T], error) { return bernoulli[T](s, n, p) })
}

// Random is dst.random_() without bounds: from 0 to the largest integer of the type, or to
// 2^24, 2^53, 2^11 and 2^8 for float32, float64, float16 and bfloat16.
func Random[T Element](g *Generator, dst []T) error {
	return draw(g, dst, func(s source, n uint64) (numbers[T], error) { return unbounded[T](s, n), nil })
}

// RandInt is dst.random_(from, to), or torch.randint(from, to, ...): to is not drawn. Both
// bounds, to less 1, must be numbers of the type.
func RandInt[T Element](g *Generator, dst []T, from, to int64) error {
	return draw(g, dst, func(s source, n uint64) (numbers[T], error) {
		if to == math.MinInt64 {
			return numbers[T]{}, bad("from", from, "must be below to")
		}
		return randint[T](s, n, from, to-1)
	})
}

// RandIntFrom is dst.random_(from, None): up to the largest integer that Random draws, or
// where from is the least int64 all of them, for int64, float64, float32 and bfloat16.
func RandIntFrom[T Element](g *Generator, dst []T, from int64) error {
	return draw(g, dst, func(s source, n uint64) (numbers[T], error) { return randomFrom[T](s, n, from) })
}
