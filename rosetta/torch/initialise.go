package torch

import (
	"fmt"
	"math"

	"github.com/philox-go/rng/random"
	"github.com/philox-go/rng/rosetta/mufu"
)

// TruncNormal is torch.nn.init.trunc_normal_(dst, mean, std, a, b): uniform numbers through
// the inverse of the error function, scaled, and held between a and b.
func TruncNormal[T Float](g *Generator, dst []T, mean, std, a, b float64) error {
	return draw(g, dst, func(s source, n uint64) (numbers[T], error) {
		return truncNormal[T](s, n, mean, std, a, b)
	})
}

func truncNormal[T Float](s source, n uint64, mean, std, a, b float64) (numbers[T], error) {
	switch {
	case !(math.Abs(mean) <= math.MaxFloat64):
		return numbers[T]{}, bad("mean", mean, "must be finite")
	case !(std > 0 && std <= math.MaxFloat64):
		return numbers[T]{}, bad("std", std, "must be above 0 and finite")
	case !(a <= b):
		return numbers[T]{}, bad("a", a, "must be at most b")
	}
	below := func(x float64) float64 { return (1 + erf(x/math.Sqrt2)) / 2 }
	x, err := uniform[T](s, n, 2*below((a-mean)/std)-1, 2*below((b-mean)/std)-1)
	if err != nil {
		return x, err
	}
	uniforms := x.fill
	scale := std * math.Sqrt2
	x.fill = func(dst []T, first uint64) {
		uniforms(dst, first)
		if wide[T]() {
			d := slice[float64](dst)
			for i, u := range d {
				d[i] = min(max(float64(mufu.Erfinv(u)*scale)+mean, a), b)
			}
			return
		}
		in32(dst, dst, func(_ int, v float32) float32 {
			v = round32[T](mufu.Erfinvf(v))
			v = round32[T](v * float32(scale))
			v = round32[T](v + float32(mean))
			return min(max(v, float32(a)), float32(b))
		})
	}
	return x, nil
}

// KaimingUniform is torch.nn.init.kaiming_uniform_ of a tensor of a shape.
func KaimingUniform[T Float](g *Generator, dst []T, shape []int, k random.Kaiming) error {
	return draw(g, dst, func(s source, n uint64) (numbers[T], error) {
		return weights(s, n, shape, kaiming(k), uniformOf[T])
	})
}

// KaimingNormal is torch.nn.init.kaiming_normal_ of a tensor of a shape.
func KaimingNormal[T Float](g *Generator, dst []T, shape []int, k random.Kaiming) error {
	return draw(g, dst, func(s source, n uint64) (numbers[T], error) {
		return weights(s, n, shape, kaiming(k), normalOf[T])
	})
}

// XavierUniform is torch.nn.init.xavier_uniform_(dst, gain) of a tensor of a shape.
func XavierUniform[T Float](g *Generator, dst []T, shape []int, gain float64) error {
	return draw(g, dst, func(s source, n uint64) (numbers[T], error) {
		return weights(s, n, shape, xavier(gain), uniformOf[T])
	})
}

// XavierNormal is torch.nn.init.xavier_normal_(dst, gain) of a tensor of a shape.
func XavierNormal[T Float](g *Generator, dst []T, shape []int, gain float64) error {
	return draw(g, dst, func(s source, n uint64) (numbers[T], error) {
		return weights(s, n, shape, xavier(gain), normalOf[T])
	})
}

// A spread is what a standard deviation makes.
type spread[T Float] func(s source, n uint64, std float64) (numbers[T], error)

func uniformOf[T Float](s source, n uint64, std float64) (numbers[T], error) {
	bound := math.Sqrt(3) * std
	return uniform[T](s, n, -bound, bound)
}

func normalOf[T Float](s source, n uint64, std float64) (numbers[T], error) {
	return normal[T](s, n, 0, std)
}

// deviation is the standard deviation of weights of a shape.
type deviation func(shape []int) (float64, error)

func kaiming(k random.Kaiming) deviation {
	return func(shape []int) (float64, error) {
		in, out, err := random.Fans(shape, k.Groups)
		if err != nil {
			return 0, err
		}
		fan := in
		switch k.Mode {
		case random.FanIn:
		case random.FanOut:
			fan = out
		default:
			return 0, bad("mode", k.Mode, "must be FanIn or FanOut")
		}
		gain, err := random.Gain(k.Nonlinearity, k.Slope)
		return gain / math.Sqrt(float64(fan)), err
	}
}

func xavier(gain float64) deviation {
	return func(shape []int) (float64, error) {
		in, out, err := random.Fans(shape, 0)
		if err == nil && !(gain > 0 && gain <= math.MaxFloat64) {
			err = bad("gain", gain, "must be a finite number above 0")
		}
		return gain * math.Sqrt(2/float64(in+out)), err
	}
}

// weights are the numbers of n weights of a shape.
func weights[T Float](s source, n uint64, shape []int, d deviation, as spread[T]) (numbers[T], error) {
	std, err := d(shape)
	if err != nil {
		return numbers[T]{}, err
	}
	count := uint64(1)
	for _, l := range shape {
		count *= uint64(l)
	}
	if count == n && n == 0 {
		std = 1 // that all types have: there is nothing to draw
	}
	if count != n {
		return numbers[T]{}, bad("shape", fmt.Sprint(shape), fmt.Sprintf("must have as many elements as there are, %d", n))
	}
	return as(s, n, std)
}
