package check

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"unsafe"

	"github.com/philox-go/rng/cuda"
	drawn "github.com/philox-go/rng/internal/draw"
	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/random"
)

// A law is a distribution with its arguments, on a device and on the CPU.
type law struct {
	name     string
	index    int  // in its row
	first    bool // of those in the row that have the same draw, and most often kernel, with other arguments
	size     int  // bytes of an element
	want     drawn.Draw
	fill     func(m memory, s philox.Stream, first uint64) error
	fillFrom func(m memory, s *cuda.State) error
	next     func(m memory, g *random.Generator) error
}

// of returns the law of a distribution, once it is given what that must be.
func of[T cuda.Element](d cuda.Dist[T], wrong error) func(want drawn.Draw, wrong error) law {
	return func(want drawn.Draw, alsoWrong error) law {
		if err := errors.Join(wrong, alsoWrong); err != nil {
			panic(err) // every table has all laws
		}
		return law{
			name: nameOf(want), size: sizeOf[T](), want: want,
			fill:     func(m memory, s philox.Stream, first uint64) error { return d.Fill(buffer[T](m), s, first) },
			fillFrom: func(m memory, s *cuda.State) error { return d.FillFrom(buffer[T](m), s) },
			next:     func(m memory, g *random.Generator) error { return d.Next(g, buffer[T](m)) },
		}
	}
}

// nameOf is a draw's name with its arguments.
func nameOf(d drawn.Draw) string {
	name, a := d.Name(), d.Args()
	switch strings.TrimRight(name, "123468") {
	case "int", "wide":
		lo, n, _ := d.Kind().Integers(a)
		return fmt.Sprintf("%s, %d from %d on", name, n, int64(lo))
	case "chosen":
		threshold, one := a.Choice()
		return fmt.Sprintf("%s, 0x%x below %d", name, one, threshold)
	}
	return fmt.Sprintf("%s %+v", name, a)
}

// per is the number of elements of a block.
func (l law) per() int { return l.want.PerBlock() }

// elements is the memory of n elements as the CPU makes them.
func (l law) elements(s philox.Stream, n int) []byte {
	mem := view.Of[byte](make([]uint64, (n*l.size+7)/8))[:n*l.size]
	if err := l.want.Fill(s, unsafe.Pointer(unsafe.SliceData(mem)), n, 0); err != nil {
		panic(err)
	}
	return mem
}

// A kindOfLaws is what one row has.
type kindOfLaws struct {
	name string
	laws []law
}

// kindsOfLaws are all, with the arguments that matter: those that are skipped in computing, or
// hold numbers at a bound, or have a method or kernel of their own.
func kindsOfLaws() []kindOfLaws {
	all := []kindOfLaws{
		{"words", wordLaws()},
		{"uniform", uniformLaws()},
		{"normal", normalLaws()},
		{"truncated", truncatedLaws()},
		{"exponential", exponentialLaws()},
		{"lognormal", located(cuda.LogNormals[float32], drawn.LogNormal[float32], cuda.LogNormals[float64], drawn.LogNormal[float64], cuda.LogNormalHalves[uint16], drawn.LogNormalHalf, 50)},
		{"cauchy", located(cuda.Cauchys[float32], drawn.Cauchy[float32], cuda.Cauchys[float64], drawn.Cauchy[float64], cuda.CauchyHalves[uint16], drawn.CauchyHalf, 1e20)},
		{"laplace", located(cuda.Laplaces[float32], drawn.Laplace[float32], cuda.Laplaces[float64], drawn.Laplace[float64], cuda.LaplaceHalves[uint16], drawn.LaplaceHalf, 1e20)},
		{"gumbel", located(cuda.Gumbels[float32], drawn.Gumbel[float32], cuda.Gumbels[float64], drawn.Gumbel[float64], cuda.GumbelHalves[uint16], drawn.GumbelHalf, 1e20)},
		{"geometric", geometricLaws()},
		{"bernoulli", bernoulliLaws()},
		{"integers", integerLaws()},
	}
	for _, k := range all {
		seen := map[string]bool{}
		for i := range k.laws {
			l := &k.laws[i]
			l.index, l.first = i, !seen[l.want.Name()]
			seen[l.want.Name()] = true
		}
	}
	return all
}

// offsets are those that a case of number i is made at: all, or where other laws have the
// others, one.
func (l law) offsets(i int) []int {
	if l.first {
		return []int{0, 1, 2, 3}
	}
	return []int{(l.index + i) % 4}
}

// formats are those of numbers of 16 bits.
var formats = []random.Format{random.Float16, random.BFloat16}

func wordLaws() []law {
	return []law{
		of(cuda.Uint32s(), nil)(drawn.Plain(asm.Uint32), nil),
		of(cuda.Uint64s(), nil)(drawn.Plain(asm.Uint64), nil),
		of(cuda.Bytes(), nil)(drawn.Plain(asm.Bytes), nil),
	}
}

func uniformLaws() []law {
	all := []law{of(cuda.OpenUniforms(), nil)(drawn.Plain(asm.OpenFloat32), nil)}
	// What is held below 0, and what is hardly above it, has zeros of either sign.
	for _, b := range [][2]float32{{0, 1}, {-3, 5}, {-1, 0}, {0, 1e-40}, {1e30, 3e30}, {-1e38, 1e38}} {
		all = append(all, of(cuda.Uniforms(b[0], b[1]))(drawn.Uniform(b[0], b[1])))
	}
	for _, b := range [][2]float64{{0, 1}, {-3, 5}, {-1, 0}, {-5e-324, 0}, {0, 1e-320}, {-1e300, 1e300}} {
		all = append(all, of(cuda.Uniforms(b[0], b[1]))(drawn.Uniform(b[0], b[1])))
	}
	for _, f := range formats {
		for _, b := range [][2]float32{{0, 1}, {-3, 5}, {-1, 0}, {-1e-4, 0}, {0, 1e-6}, {-3e4, 3e4}} {
			all = append(all, of(cuda.UniformHalves[uint16](f, b[0], b[1]))(drawn.UniformHalf(asm.Half(f), b[0], b[1])))
		}
	}
	b := [2]float32{0, 1e-40}
	return append(all, of(cuda.UniformHalves[uint16](random.BFloat16, b[0], b[1]))(drawn.UniformHalf(asm.B16, b[0], b[1])))
}

func normalLaws() []law {
	var all []law
	for _, c := range [][2]float32{{0, 1}, {0, float32(math.Copysign(0, -1))}, {1, 3}, {1, 0}, {float32(math.Copysign(0, -1)), 0}, {-1e30, 1e38}, {1, 1e-30}} {
		mean, std := c[0], c[1]
		all = append(all, of(cuda.Normals(mean, std))(drawn.Normal(mean, std)))
		all = append(all, of(cuda.Normals(float64(mean), float64(std)))(drawn.Normal(float64(mean), float64(std))))
		for _, f := range formats {
			all = append(all, of(cuda.NormalHalves[uint16](f, mean, std))(drawn.NormalHalf(asm.Half(f), mean, std)))
		}
	}
	return all
}

// truncatedLaws have every method, from both ends: normals, uniforms, exponentials, and nothing but the mean
// or, where hardly any attempt is accepted, what there is after the last one.
func truncatedLaws() []law {
	inf := float32(math.Inf(1))
	var all []law
	for _, c := range [][4]float32{
		{0, 1, -2, 2}, {1, 3, -0.5, inf}, {0.1, 0.7, -inf, inf}, {0, 1, -inf, -0.25},
		{0, 1, -0.25, 0.5}, {0, 1, 10, 10.0625}, {0, 1, -10.0625, -10},
		{0, 1, 10, 11}, {0, 1, -11, -10}, {0.1, 0.7, -inf, -3}, {0, 2, 9, inf},
		{0.5, 0, 0, 1}, {float32(math.Copysign(0, -1)), 0, -1, 1}, {0, 1, 3, 3}, {0, 1e-30, 1, 2}, {0, 1e-30, -2, -1},
	} {
		mean, std, a, b := c[0], c[1], c[2], c[3]
		all = append(all, of(cuda.TruncatedNormals(mean, std, a, b))(drawn.TruncatedNormal(mean, std, a, b)))
		m, s, x, y := float64(mean), float64(std), float64(a), float64(b)
		all = append(all, of(cuda.TruncatedNormals(m, s, x, y))(drawn.TruncatedNormal(m, s, x, y)))
		for _, f := range formats {
			all = append(all, of(cuda.TruncatedNormalHalves[uint16](f, mean, std, a, b))(drawn.TruncatedNormalHalf(asm.Half(f), mean, std, a, b)))
		}
	}
	return all
}

func exponentialLaws() []law {
	var all []law
	for _, rate := range []float32{1, 0.3, 2, math.SmallestNonzeroFloat32, 1e-30, 1e30, math.MaxFloat32} {
		all = append(all, of(cuda.Exponentials(rate))(drawn.Exponential(rate)))
		for _, f := range formats {
			all = append(all, of(cuda.ExponentialHalves[uint16](f, rate))(drawn.ExponentialHalf(asm.Half(f), rate)))
		}
	}
	for _, rate := range []float64{1, 0.3, math.SmallestNonzeroFloat64, 1e-308, 1e308, math.MaxFloat64} {
		all = append(all, of(cuda.Exponentials(rate))(drawn.Exponential(rate)))
	}
	return all
}

// located are laws of a location and a scale, of which the last pair is about large.
func located(
	singles func(x, y float32) (cuda.Dist[float32], error), single func(x, y float32) (drawn.Draw, error),
	doubles func(x, y float64) (cuda.Dist[float64], error), double func(x, y float64) (drawn.Draw, error),
	halves func(f random.Format, x, y float32) (cuda.Dist[uint16], error), half func(h asm.Half, x, y float32) (drawn.Draw, error),
	large float32,
) []law {
	var all []law
	for _, c := range [][2]float32{{0, 1}, {-2, 0.5}, {0, 1e-30}, {large, large}} {
		x, y := c[0], c[1]
		all = append(all, of(singles(x, y))(single(x, y)), of(doubles(float64(x), float64(y)))(double(float64(x), float64(y))))
		for _, f := range formats {
			all = append(all, of(halves(f, x, y))(half(asm.Half(f), x, y)))
		}
	}
	return all
}

func geometricLaws() []law {
	var all []law
	for _, p := range []float64{0.25, 0.75, 1} {
		all = append(all,
			geometricOf[int8](p), geometricOf[uint8](p), geometricOf[int16](p), geometricOf[uint16](p), geometricOf[int32](p), geometricOf[uint32](p),
			geometricOf[int64](p), geometricOf[uint64](p), geometricOf[int](p), geometricOf[uint](p), geometricOf[float32](p), geometricOf[float64](p))
		for _, f := range formats {
			all = append(all, of(cuda.GeometricHalves[uint16](f, p))(drawn.GeometricHalf(asm.Half(f), p)))
		}
	}
	return append(all, geometricOf[uint8](0.1), geometricOf[int16](1e-3), geometricOf[int32](2e-8), geometricOf[int64](1e-17), geometricOf[uint64](2.5e-18),
		geometricOf[float32](1e-20), geometricOf[float64](1e-300))
}

func geometricOf[T random.Integer | random.Float](p float64) law {
	return of(cuda.Geometrics[T](p))(drawn.Geometric[T](p))
}

func bernoulliLaws() []law {
	var all []law
	for _, p := range []float64{0, 1, 1e-12, 3e-10, 0.3, 0.5, 1 - 1e-9} {
		all = append(all, bernoulliOf[bool](p), bernoulliOf[uint16](p), bernoulliOf[int32](p), bernoulliOf[float32](p), bernoulliOf[int64](p), bernoulliOf[float64](p))
		for _, f := range formats {
			all = append(all, of(cuda.BernoulliHalves[uint16](f, p))(drawn.BernoulliHalf(asm.Half(f), p)))
		}
	}
	return all
}

func bernoulliOf[T ~bool | random.Integer | random.Float](p float64) law {
	return of(cuda.Bernoullis[T](p))(drawn.Bernoulli[T](p))
}

func integerLaws() []law {
	all := []law{
		integersOfType[int8](-1, -1), integersOfType[int8](-128, 127), integersOfType[uint8](3, 102), integersOfType[int8](-1, 0),
		integersOfType[int16](-1, -1), integersOfType[int16](-1, 0), integersOfType[int16](-1<<15, 1<<15-1), integersOfType[uint16](7, 60000),
		integersOfType[int32](-1, -1), integersOfType[int32](-1, 0), integersOfType[int32](-1<<31, 1<<30-1), integersOfType[int32](-1<<30, 1<<30),
		integersOfType[uint32](0, 1<<31), integersOfType[int32](-1<<31, 1<<31-1), integersOfType[uint32](0, 99),
		of(cuda.IntNs[uint8](0, 255))(drawn.IntegersBelow[uint8](0, 255)),
		of(cuda.IntNs[int64](math.MinInt64, math.MaxInt64))(drawn.IntegersBelow[int64](math.MinInt64, math.MaxInt64)),
	}
	for _, n := range []uint64{1, 2, 3 << 30, 1<<31 + 1, 1 << 32, 1<<32 + 1, 1<<40 + 1, 3 << 62, 1<<63 + 1, 0} { // 0 is 2^64
		lo := uint64(77)
		if lo > lo+n-1 || n == 0 {
			lo = 0
		}
		signed := math.MinInt64 + int64(lo)
		all = append(all, integersOfType[uint64](lo, lo+n-1), integersOfType[int64](signed, signed+int64(n-1)))
	}
	return all
}

func integersOfType[T random.Integer](lo, last T) law {
	return of(cuda.IntRanges(lo, last))(drawn.Integers(lo, last))
}
