package random_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/random"
	"github.com/philox-go/rng/skip"
)

// A badCall is a call with a bad argument.
type badCall struct {
	name       string
	arg, value string // of the error
	// call makes it for n elements in memory of canaries, and reports whether they are
	// still there.
	call func(g *random.Generator, n int) (quiet bool, err error)
}

func (c badCall) String() string { return fmt.Sprintf("%s: %s = %s", c.name, c.arg, c.value) }

func bad[T any](name, arg string, value any, f func(g *random.Generator, dst []T) error) badCall {
	return badCall{fmt.Sprintf("%s[%T]", name, *new(T)), arg, fmt.Sprint(value), func(g *random.Generator, n int) (bool, error) {
		words := make([]uint64, n+1)
		for i := range words {
			words[i] = canary * 0x0101010101010101
		}
		dst := view.Of[T](words)[:n:n]
		err := f(g, dst)
		return bytes.Equal(bytes.Repeat([]byte{canary}, 8*len(words)), view.Of[byte](words)), err
	}}
}

// five returns dst, if it has five elements, or else others.
func five[T any](dst []T) []T {
	if len(dst) == 5 {
		return dst
	}
	return make([]T, 5)
}

// notFinite are numbers that hardly any argument may be.
func notFinite[T random.Float]() []T {
	return []T{T(math.NaN()), T(math.Inf(1)), T(math.Inf(-1))}
}

// notPositive are numbers that rates and scales may not be.
func notPositive[T random.Float]() []T {
	return append(notFinite[T](), 0, T(math.Copysign(0, -1)), -1)
}

func badFloats[T random.Float](largest T) (all []badCall) {
	add := func(name, arg string, value T, f func(g *random.Generator, dst []T) error) {
		all = append(all, bad(name, arg, value, f))
	}
	for _, x := range notFinite[T]() {
		add("Uniform", "lo", x, func(g *random.Generator, dst []T) error { return random.Uniform(g, dst, x, 1) })
		add("Uniform", "hi", x, func(g *random.Generator, dst []T) error { return random.Uniform(g, dst, 0, x) })
	}
	for _, b := range [][2]T{{1, 1}, {2, 1}, {0, T(math.Copysign(0, -1))}, {0.3, 0.1}} {
		add("Uniform", "lo", b[0], func(g *random.Generator, dst []T) error { return random.Uniform(g, dst, b[0], b[1]) })
	}
	add("Uniform", "hi", largest, func(g *random.Generator, dst []T) error { return random.Uniform(g, dst, -largest, largest) })
	for name, f := range map[string]func(g *random.Generator, dst []T, mean, std T) error{
		"Normal": random.Normal[T], "LogNormal": random.LogNormal[T],
		"TruncatedNormal": func(g *random.Generator, dst []T, mean, std T) error {
			return random.TruncatedNormal(g, dst, mean, std, -1, 1)
		},
	} {
		for _, x := range notFinite[T]() {
			add(name, "mean", x, func(g *random.Generator, dst []T) error { return f(g, dst, x, 1) })
			add(name, "std", x, func(g *random.Generator, dst []T) error { return f(g, dst, 0, x) })
		}
		add(name, "std", -0.1, func(g *random.Generator, dst []T) error { return f(g, dst, 0, -0.1) })
	}
	nan, inf := T(math.NaN()), T(math.Inf(1))
	for _, b := range []struct {
		std, a, b T
		arg       string
		value     T
	}{
		{1, nan, 1, "a", nan}, {1, 0, nan, "b", nan}, {1, 1, 0.5, "a", 1}, {1, inf, inf, "a", inf}, {1, -inf, -inf, "b", -inf},
		{0, 0.25, 1, "std", 0}, {0, -2, -1, "std", 0},
	} {
		add("TruncatedNormal", b.arg, b.value, func(g *random.Generator, dst []T) error {
			return random.TruncatedNormal(g, dst, 0, b.std, b.a, b.b)
		})
	}
	for _, x := range notPositive[T]() {
		add("Exponential", "rate", x, func(g *random.Generator, dst []T) error { return random.Exponential(g, dst, x) })
	}
	for _, d := range []struct {
		name, location string
		f              func(*random.Generator, []T, T, T) error
	}{{"Cauchy", "median", random.Cauchy[T]}, {"Laplace", "mean", random.Laplace[T]}, {"Gumbel", "mode", random.Gumbel[T]}} {
		for _, x := range notFinite[T]() {
			add(d.name, d.location, x, func(g *random.Generator, dst []T) error { return d.f(g, dst, x, 1) })
		}
		for _, x := range notPositive[T]() {
			add(d.name, "scale", x, func(g *random.Generator, dst []T) error { return d.f(g, dst, 0, x) })
		}
	}
	return all
}

func badHalves() (all []badCall) {
	add := func(name, arg string, value any, f func(g *random.Generator, dst []uint16) error) {
		all = append(all, bad(name, arg, value, f))
	}
	type two func(g *random.Generator, dst []uint16, f random.Format, x, y float32) error
	truncated := func(g *random.Generator, dst []uint16, f random.Format, x, y float32) error {
		return random.TruncatedNormalHalf(g, dst, f, x, y, -1, 1)
	}
	twos := map[string]struct {
		f    two
		x, y string
	}{
		"NormalHalf": {random.NormalHalf[uint16], "mean", "std"}, "LogNormalHalf": {random.LogNormalHalf[uint16], "mean", "std"},
		"TruncatedNormalHalf": {truncated, "mean", "std"},
		"CauchyHalf":          {random.CauchyHalf[uint16], "median", "scale"}, "LaplaceHalf": {random.LaplaceHalf[uint16], "mean", "scale"},
		"GumbelHalf": {random.GumbelHalf[uint16], "mode", "scale"}, "UniformHalf": {random.UniformHalf[uint16], "lo", "hi"},
	}
	for _, f := range []random.Format{2, 255} {
		text := fmt.Sprintf("Half(%d)", uint8(f))
		for name, d := range twos {
			add(name, "format", text, func(g *random.Generator, dst []uint16) error { return d.f(g, dst, f, 0, 1) })
		}
		add("ExponentialHalf", "format", text, func(g *random.Generator, dst []uint16) error { return random.ExponentialHalf(g, dst, f, 1) })
		add("BernoulliHalf", "format", text, func(g *random.Generator, dst []uint16) error { return random.BernoulliHalf(g, dst, f, 0.5) })
		add("BernoulliEachHalf", "format", text, func(g *random.Generator, dst []uint16) error {
			return random.BernoulliEachHalf(g, dst, f, make([]float32, len(dst)))
		})
		add("GeometricHalf", "format", text, func(g *random.Generator, dst []uint16) error { return random.GeometricHalf(g, dst, f, 0.5) })
		for _, p := range []float64{0, 0.5, 1} {
			for _, training := range []bool{false, true} {
				add("DropoutHalf", "format", text, func(g *random.Generator, dst []uint16) error {
					return random.DropoutHalf(g, dst, f, make([]byte, random.MaskBytes(len(dst))), dst, p, training)
				})
			}
			add("DropoutBackwardHalf", "format", text, func(g *random.Generator, dst []uint16) error {
				return random.DropoutBackwardHalf(dst, f, make([]byte, random.MaskBytes(len(dst))), dst, p)
			})
		}
	}
	for _, f := range []random.Format{random.Float16, random.BFloat16} {
		for name, d := range twos {
			for _, x := range notFinite[float32]() {
				add(name, d.x, x, func(g *random.Generator, dst []uint16) error { return d.f(g, dst, f, x, 1) })
				add(name, d.y, x, func(g *random.Generator, dst []uint16) error { return d.f(g, dst, f, 0, x) })
			}
			switch d.y {
			case "scale":
				add(name, d.y, 0, func(g *random.Generator, dst []uint16) error { return d.f(g, dst, f, 0, 0) })
				fallthrough
			case "std":
				add(name, d.y, -0.1, func(g *random.Generator, dst []uint16) error { return d.f(g, dst, f, 0, -0.1) })
			}
		}
		for _, b := range []struct {
			lo, hi float32
			arg    string
		}{{1, 1, "lo"}, {2, 1, "lo"}, {1, 1.0001, "lo"}, {-1e-9, 0, "lo"}, {-math.MaxFloat32, math.MaxFloat32, "hi"}} {
			if b.lo == -1e-9 && f == random.BFloat16 {
				continue // which has that number
			}
			value := b.lo
			if b.arg == "hi" {
				value = b.hi
			}
			add("UniformHalf", b.arg, value, func(g *random.Generator, dst []uint16) error { return random.UniformHalf(g, dst, f, b.lo, b.hi) })
		}
		for _, x := range notPositive[float32]() {
			add("ExponentialHalf", "rate", x, func(g *random.Generator, dst []uint16) error { return random.ExponentialHalf(g, dst, f, x) })
		}
		nan, inf := float32(math.NaN()), float32(math.Inf(1))
		for _, b := range []struct {
			std, a, b float32
			arg       string
			value     float32
		}{
			{1, nan, 1, "a", nan}, {1, 0, nan, "b", nan}, {1, 1, 0.5, "a", 1}, {1, inf, inf, "a", inf}, {1, -inf, -inf, "a", -inf},
			{1, 1.0001, 1.0002, "a", 1.0001}, {0, 0.25, 1, "std", 0},
		} {
			add("TruncatedNormalHalf", b.arg, b.value, func(g *random.Generator, dst []uint16) error {
				return random.TruncatedNormalHalf(g, dst, f, 0, b.std, b.a, b.b)
			})
		}
	}
	// Beyond the largest number: 65520 is the first float32 that is rounded to infinity.
	add("UniformHalf", "hi", float32(65520), func(g *random.Generator, dst []uint16) error {
		return random.UniformHalf(g, dst, random.Float16, 0, 65520)
	})
	add("UniformHalf", "lo", float32(-65520), func(g *random.Generator, dst []uint16) error {
		return random.UniformHalf(g, dst, random.Float16, -65520, 0)
	})
	add("UniformHalf", "hi", float32(math.MaxFloat32), func(g *random.Generator, dst []uint16) error {
		return random.UniformHalf(g, dst, random.BFloat16, 0, math.MaxFloat32)
	})
	// These are 2^127 when rounded, and the difference is 2^128.
	edge := math.Nextafter32(0x1p127, 0)
	add("UniformHalf", "hi", edge, func(g *random.Generator, dst []uint16) error {
		return random.UniformHalf(g, dst, random.BFloat16, -edge, edge)
	})
	add("TruncatedNormalHalf", "a", float32(65520), func(g *random.Generator, dst []uint16) error {
		return random.TruncatedNormalHalf(g, dst, random.Float16, 0, 1, 65520, 1e30)
	})
	add("GeometricHalf", "p", 3e-4, func(g *random.Generator, dst []uint16) error {
		return random.GeometricHalf(g, dst, random.Float16, 3e-4)
	})
	return all
}

func badIntegers[T integer](pairs ...[2]T) (all []badCall) {
	for _, p := range pairs { // lo > last
		all = append(all,
			bad("IntRange", "lo", p[0], func(g *random.Generator, dst []T) error { return random.IntRange(g, dst, p[0], p[1]) }),
			bad("IntN", "lo", p[0], func(g *random.Generator, dst []T) error { return random.IntN(g, dst, p[0], p[1]) }),
			bad("IntN", "lo", p[0], func(g *random.Generator, dst []T) error { return random.IntN(g, dst, p[0], p[0]) }))
	}
	return all
}

// notProbabilities are out of [0,1].
var notProbabilities = []float64{math.NaN(), math.Inf(1), math.Inf(-1), -0.1, 1.1, math.Nextafter(1, 2), -math.SmallestNonzeroFloat64}

func badProbabilities[T ~bool | random.Integer | random.Float]() (all []badCall) {
	for _, p := range notProbabilities {
		all = append(all,
			bad("Bernoulli", "p", p, func(g *random.Generator, dst []T) error { return random.Bernoulli(g, dst, p) }))
	}
	for _, d := range []int{-1, 1} {
		all = append(all, bad("BernoulliEach", "len(p)", 5+d, func(g *random.Generator, dst []T) error {
			return random.BernoulliEach(g, five(dst), make([]float32, 5+d))
		}))
	}
	for i := range 5 {
		for _, x := range notProbabilities {
			p := make([]float64, 5)
			p[i] = x
			all = append(all, bad("BernoulliEach", fmt.Sprintf("p[%d]", i), x, func(g *random.Generator, dst []T) error {
				return random.BernoulliEach(g, five(dst), p)
			}))
		}
	}
	return all
}

func badTrials[T random.Integer | random.Float](tooSmall float64) (all []badCall) {
	for _, p := range append(notProbabilities, 0, tooSmall) {
		all = append(all, bad("Geometric", "p", p, func(g *random.Generator, dst []T) error { return random.Geometric(g, dst, p) }))
	}
	return all
}

func badDropouts[T random.Float]() (all []badCall) {
	for _, training := range []bool{false, true} {
		for _, p := range notProbabilities {
			all = append(all, bad("Dropout", "p", p, func(g *random.Generator, dst []T) error {
				return random.Dropout(g, dst, make([]byte, random.MaskBytes(len(dst))), make([]T, len(dst)), p, training)
			}))
		}
		for _, p := range []float64{0, 0.5, 1} {
			all = append(all,
				bad("Dropout", "len(dst)", 5, func(g *random.Generator, dst []T) error {
					return random.Dropout(g, five(dst), make([]byte, 16), make([]T, 6), p, training)
				}),
				bad("Dropout", "len(mask)", 31, func(g *random.Generator, _ []T) error {
					return random.Dropout(g, make([]T, 129), make([]byte, 31), make([]T, 129), p, training)
				}))
		}
	}
	for _, p := range notProbabilities {
		all = append(all, bad("DropoutBackward", "p", p, func(_ *random.Generator, dst []T) error {
			return random.DropoutBackward(dst, make([]byte, random.MaskBytes(len(dst))), make([]T, len(dst)), p)
		}))
	}
	for _, p := range []float64{0, 0.5, 1} {
		all = append(all,
			bad("DropoutBackward", "len(dst)", 5, func(_ *random.Generator, dst []T) error {
				return random.DropoutBackward(five(dst), make([]byte, 16), make([]T, 6), p)
			}),
			bad("DropoutBackward", "len(mask)", 15, func(_ *random.Generator, _ []T) error {
				return random.DropoutBackward(make([]T, 1), make([]byte, 15), make([]T, 1), p)
			}))
	}
	return all
}

func badMasks() (all []badCall) {
	for _, p := range notProbabilities {
		all = append(all, bad("DropoutMask", "p", p, func(g *random.Generator, dst []byte) error { return random.DropoutMask(g, dst, 0, p) }))
	}
	for _, p := range []float64{0, 0.5, 1} {
		all = append(all,
			bad("DropoutMask", "n", -1, func(g *random.Generator, dst []byte) error { return random.DropoutMask(g, dst, -1, p) }),
			bad("DropoutMask", "n", math.MinInt, func(g *random.Generator, dst []byte) error { return random.DropoutMask(g, dst, math.MinInt, p) }),
			bad("DropoutMask", "len(bits)", 15, func(g *random.Generator, _ []byte) error { return random.DropoutMask(g, make([]byte, 15), 1, p) }),
			bad("DropoutMask", "len(bits)", 16, func(g *random.Generator, _ []byte) error { return random.DropoutMask(g, make([]byte, 16), 129, p) }),
			bad("DropoutMask", "len(bits)", 16, func(g *random.Generator, _ []byte) error {
				return random.DropoutMask(g, make([]byte, 16), math.MaxInt, p)
			}))
	}
	return all
}

// Every argument that is bad: the error says which and what it was, and nothing is
// written or taken, whatever the generator.
func TestBadArguments(t *testing.T) {
	forget(t)
	random.ManualSeed(5)
	var all []badCall
	for _, more := range [][]badCall{
		badFloats[float32](math.MaxFloat32), badFloats[float64](math.MaxFloat64), badFloats[celsius](math.MaxFloat32), badHalves(),
		badIntegers([][2]int8{{1, 0}, {127, -128}, {-3, -4}}...), badIntegers([][2]uint8{{1, 0}, {255, 0}}...),
		badIntegers([2]int16{-3, -4}), badIntegers([2]uint16{65535, 3}), badIntegers([2]int32{-3, math.MinInt32}), badIntegers([2]uint32{1 << 31, 3}),
		badIntegers([][2]int64{{math.MaxInt64, math.MinInt64}, {0, -1}}...), badIntegers([2]uint64{ones64, ones64 - 1}),
		badIntegers([2]int{0, -1}), badIntegers([2]uint{1, 0}), badIntegers([2]weekday{7, 1}),
		badProbabilities[bool](), badProbabilities[int8](), badProbabilities[uint64](), badProbabilities[float32](), badProbabilities[float64](),
		badTrials[int8](0.15), badTrials[uint8](0.08), badTrials[int16](6e-4), badTrials[uint16](3e-4), badTrials[int32](1e-8), badTrials[uint32](5e-9),
		badTrials[int64](3e-18), badTrials[uint64](1e-18), badTrials[float32](1e-38), badTrials[float64](math.SmallestNonzeroFloat64),
		badTrials[weekday](0.15), badDropouts[float32](), badDropouts[float64](), badMasks(),
		badInitialisers(),
		badWeights[float32](math.MaxFloat32), badWeights(math.MaxFloat64), badMultinomials(),
	} {
		all = append(all, more...)
	}
	for _, c := range all {
		for name, g := range map[string]*random.Generator{
			"": at(t, 1, 2, 3), "exhausted": exhausted(t, 1, 2), "late stream": at(t, 1, ones64, 3), "default": nil,
		} {
			for _, n := range []int{0, 5} {
				before := g.State()
				quiet, err := c.call(g, n)
				var arg *skip.ArgumentError
				require.ErrorAs(t, err, &arg, "%v, %s", c, name)
				require.Equal(t, skip.ArgumentError{Package: "random", Arg: c.arg, Value: c.value, Reason: arg.Reason}, *arg, "%v, %s", c, name)
				require.NotEmpty(t, arg.Reason)
				require.True(t, quiet, "%v, %s: written", c, name)
				require.Equal(t, before, g.State(), "%v, %s: taken", c, name)
			}
		}
	}
}

// A few errors as they are read.
func TestArgumentErrors(t *testing.T) {
	g := random.NewGenerator(random.CPU(), 1)
	for _, tt := range []struct {
		err  error
		want string
	}{
		{random.Uniform(g, []float32{0}, 0.3, 0.1), "random: lo = 0.3: must be less than hi, 0.1"},
		{random.IntRange(g, []int8{0}, 1, -128), "random: lo = 1: must be at most last, -128"},
		{random.IntN(g, []uint64{0}, ones64, ones64), "random: lo = 18446744073709551615: must be less than hi, 18446744073709551615"},
		{random.Geometric(g, []int8{0}, 0.1), "random: p = 0.1: is so small that numbers up to 218 may come, beyond the largest int8"},
		{random.DropoutMask(g, make([]byte, 16), 129, 0.5), "random: len(bits) = 16: must be at least 32, random.MaskBytes(129)"},
	} {
		assert.EqualError(t, tt.err, tt.want)
	}
}

// The least probability of each type that is no error gives, for the least word, a
// number that the type has, and nearly its largest.
func testLeastTrials[T random.Integer | random.Float](t *testing.T, largest float64) {
	g := at(t, 1, 0, 0)
	good := func(p float64) bool { return random.Geometric(g, []T{}, p) == nil }
	lo, hi := uint64(0), math.Float64bits(1)
	require.False(t, good(math.Float64frombits(lo)))
	require.True(t, good(1))
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; good(math.Float64frombits(mid)) {
			hi = mid
		} else {
			lo = mid
		}
	}
	block, offset := unblock(philox.NewKey(1), [4]uint32{}).Uint64s()
	for _, n := range []int{1, 40} {
		x := make([]T, n)
		require.NoError(t, random.Geometric(at(t, 1, block, offset), x, math.Float64frombits(hi)))
		got := float64(x[0])
		assert.True(t, got > 0 && got <= largest && got > 0.9*largest, "%T: %v of %v", x[0], x[0], largest)
	}
}

func TestLeastTrials(t *testing.T) {
	testLeastTrials[int8](t, math.MaxInt8)
	testLeastTrials[uint8](t, math.MaxUint8)
	testLeastTrials[int16](t, math.MaxInt16)
	testLeastTrials[uint16](t, math.MaxUint16)
	testLeastTrials[int32](t, math.MaxInt32)
	testLeastTrials[uint32](t, math.MaxUint32)
	testLeastTrials[int64](t, math.MaxInt64)
	testLeastTrials[uint64](t, math.MaxUint64)
	testLeastTrials[int](t, math.MaxInt)
	testLeastTrials[uint](t, math.MaxUint)
	testLeastTrials[float32](t, math.MaxFloat32)
	testLeastTrials[float64](t, math.MaxFloat64)
}

var sink float64

// The slices are of arrays on the stack, so the operators may not let them escape either.
// Each call is written out: through a func value any slice escapes.
func TestOperatorsDoNotAllocate(t *testing.T) {
	if raceEnabled {
		return // the race detector allocates for its own ends; the same test runs without it
	}
	g := random.NewGenerator(random.CPU(), 1)
	for name, f := range map[string]func(){
		"Uniform": func() {
			var x [1000]float32
			var y [1000]float64
			_ = random.Uniform(g, x[:], -1, 2)
			_ = random.Uniform(g, y[:], -1, 2)
			sink += float64(x[9]) + y[9]
		},
		"Normal": func() {
			var x [1000]float32
			var y [1000]float64
			_ = random.Normal(g, x[:], -1, 2)
			_ = random.Normal(g, y[:], -1, 2)
			sink += float64(x[9]) + y[9]
		},
		"TruncatedNormal": func() {
			var x [1000]float32
			var y [1000]float64
			_ = random.TruncatedNormal(g, x[:], 0, 1, -1, 2)
			_ = random.TruncatedNormal(g, y[:], 0, 1, 2, 3)
			sink += float64(x[9]) + y[9]
		},
		"Exponential": func() {
			var x [1000]float32
			var y [1000]float64
			_ = random.Exponential(g, x[:], 2)
			_ = random.Exponential(g, y[:], 2)
			sink += float64(x[9]) + y[9]
		},
		"LogNormal": func() {
			var x [1000]float32
			var y [1000]float64
			_ = random.LogNormal(g, x[:], 0, 1)
			_ = random.LogNormal(g, y[:], 0, 1)
			sink += float64(x[9]) + y[9]
		},
		"Cauchy, Laplace, Gumbel": func() {
			var x [1000]float32
			var y [1000]float64
			_ = random.Cauchy(g, x[:], 0, 1)
			_ = random.Cauchy(g, y[:], 0, 1)
			_ = random.Laplace(g, x[:], 0, 1)
			_ = random.Laplace(g, y[:], 0, 1)
			_ = random.Gumbel(g, x[:], 0, 1)
			_ = random.Gumbel(g, y[:], 0, 1)
			sink += float64(x[9]) + y[9]
		},
		"halves": func() {
			var x [1000]uint16
			const f, b = random.Float16, random.BFloat16
			_ = random.UniformHalf(g, x[:], f, -1, 2)
			_ = random.NormalHalf(g, x[:], b, -1, 2)
			_ = random.TruncatedNormalHalf(g, x[:], f, 0, 1, -1, 2)
			_ = random.ExponentialHalf(g, x[:], b, 2)
			_ = random.LogNormalHalf(g, x[:], f, 0, 1)
			_ = random.CauchyHalf(g, x[:], b, 0, 1)
			_ = random.LaplaceHalf(g, x[:], f, 0, 1)
			_ = random.GumbelHalf(g, x[:], b, 0, 1)
			_ = random.BernoulliHalf(g, x[:], f, 0.5)
			_ = random.GeometricHalf(g, x[:], b, 0.5)
			sink += float64(x[9])
		},
		"weights": func() {
			var x [1000]float32
			var y [1000]float64
			var h [1000]uint16
			_ = random.KaimingUniform(g, x[:], []int{10, 4, 5, 5}, random.Kaiming{Groups: 2})
			_ = random.KaimingNormal(g, y[:], []int{10, 100}, random.Kaiming{Mode: random.FanOut})
			_ = random.XavierUniform(g, y[:], []int{10, 100}, 1, 1)
			_ = random.XavierNormal(g, x[:], []int{10, 100}, 1, 1)
			_ = random.KaimingUniformHalf(g, h[:], random.Float16, []int{10, 100}, random.Kaiming{})
			_ = random.KaimingNormalHalf(g, h[:], random.BFloat16, []int{10, 100}, random.Kaiming{})
			_ = random.XavierUniformHalf(g, h[:], random.Float16, []int{10, 100}, 1, 1)
			_ = random.XavierNormalHalf(g, h[:], random.BFloat16, []int{10, 100}, 1, 1)
			sink += float64(x[9]) + y[9] + float64(h[9])
		},
		"IntN": func() {
			var x [1000]int8
			var y [1000]uint32
			var z [1000]int64
			_ = random.IntN(g, x[:], -3, 3)
			_ = random.IntN(g, y[:], 0, 3<<30)
			_ = random.IntRange(g, z[:], math.MinInt64, 1<<62)
			sink += float64(x[9]) + float64(y[9]) + float64(z[9])
		},
		"Bernoulli": func() {
			var x [1000]bool
			var y [1000]float32
			var p [1000]float32
			_ = random.Bernoulli(g, x[:], 0.5)
			_ = random.Bernoulli(g, y[:], 0.5)
			_ = random.BernoulliEach(g, y[:], p[:])
			sink += float64(y[9])
			if x[9] {
				sink++
			}
		},
		"Geometric": func() {
			var x [1000]int32
			var y [1000]float64
			_ = random.Geometric(g, x[:], 0.5)
			_ = random.Geometric(g, y[:], 0.5)
			sink += float64(x[9]) + y[9]
		},
		"Dropout": func() {
			var x [1000]float32
			var h [1000]uint16
			var mask [128]byte
			_ = random.DropoutMask(g, mask[:], len(x), 0.5)
			_ = random.Dropout(g, x[:], mask[:], x[:], 0.5, true)
			_ = random.DropoutBackward(x[:], mask[:], x[:], 0.5)
			_ = random.DropoutHalf(g, h[:], random.Float16, mask[:], h[:], 0.5, true)
			_ = random.DropoutBackwardHalf(h[:], random.Float16, mask[:], h[:], 0.5)
			sink += float64(x[9]) + float64(mask[0]) + float64(h[9])
		},
	} {
		assert.Zero(t, testing.AllocsPerRun(50/reducedStep(10), f), "%s", name)
	}
}
