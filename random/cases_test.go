package random_test

import (
	"bytes"
	"math"
	mathbits "math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/known"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/random"
)

// Faults that others' users reported, by their number in the project's list of cases,
// each with the report it comes from.

const ones32 = math.MaxUint32

// Extreme words of key (0,0): counter word 0, lane, word.
var extremes = map[string]struct {
	block uint64
	lane  int
	word  uint32
}{
	"G0": {1498094372, 3, 0},
	"G1": {1538303059, 1, 0xffffffff},
	"G2": {11031643, 3, 0xffffffcc},
	"G3": {14883995, 0, 0x93},
}

// unblock returns the counter whose block is words.
func unblock(key philox.Key, words [4]uint32) philox.Counter {
	return known.CounterOf(key, words)
}

// extreme calls f with a generator at the block of an extreme word, for fills that
// portable code makes and for those of kernels.
func extreme(t *testing.T, name string, f func(g *random.Generator, lane, n int)) {
	x := extremes[name]
	require.Equal(t, x.word, philox.Block(philox.Key{}, philox.Counter{uint32(x.block)})[x.lane])
	for _, n := range []int{4, 64} {
		f(at(t, 0, 0, x.block), x.lane, n)
	}
}

// filled returns what an operator gives.
func filled[T any](t testing.TB, g *random.Generator, n int, f func(g *random.Generator, dst []T) error) []T {
	t.Helper()
	x := make([]T, n)
	require.NoError(t, f(g, x))
	return x
}

// triton-lang/triton#601, vlang/v#16707: a uniform of 1.
func TestCase11UniformBelowItsEnd(t *testing.T) {
	for name := range extremes {
		extreme(t, name, func(g *random.Generator, lane, n int) {
			for _, hi := range []float32{1, 0x1p-149, 3, 1e30} {
				for _, x := range filled(t, g.Clone(), n, func(g *random.Generator, x []float32) error { return random.Uniform(g, x, 0, hi) }) {
					require.True(t, 0 <= x && x < hi, "%v", x)
				}
			}
			for _, b := range [][2]float64{{0, 1}, {1, 1 + 0x1p-52}, {-1e300, 1e300}} {
				for _, x := range filled(t, g.Clone(), n, func(g *random.Generator, x []float64) error { return random.Uniform(g, x, b[0], b[1]) }) {
					require.True(t, b[0] <= x && x < b[1], "%v", x)
				}
			}
			for _, f := range []random.Format{random.Float16, random.BFloat16} {
				for _, x := range filled(t, g.Clone(), n, func(g *random.Generator, x []uint16) error { return random.UniformHalf(g, x, f, 0, 1) }) {
					require.Less(t, halfValue(f, x), 1.)
				}
			}
		})
	}
	// The words that are most of all uniforms.
	extreme(t, "G1", func(g *random.Generator, lane, n int) {
		x := filled(t, g, n, func(g *random.Generator, x []float32) error { return random.Uniform(g, x, 0, 1) })
		assert.Equal(t, float32(1-0x1p-23), x[lane])
	})
}

// NVIDIA/Fuser#2355, golang/go#12290: what rounded to 1 became 0. The open uniforms here
// are inside logarithms, where 0 would be infinite and 1 would be 0.
func TestCase13OpenUniforms(t *testing.T) {
	for name, e := range extremes {
		extreme(t, name, func(g *random.Generator, lane, n int) {
			x := filled(t, g.Clone(), n, func(g *random.Generator, x []float32) error { return random.Exponential(g, x, 1) })
			assert.InEpsilon(t, unit32(e.word).minusLog(), x[lane], 1e-6, name)
			y := filled(t, g.Clone(), n, func(g *random.Generator, x []float32) error { return random.Laplace(g, x, 0, 1) })
			assert.InEpsilon(t, unit32(e.word).laplace(), y[lane], 1e-6, name)
			for _, v := range x {
				require.True(t, v > 0 && v < 23, "%v", v)
			}
		})
	}
}

// numpy/numpy#17478, rust-random/rand#315: a significand bit that is never set.
func TestCase14AllSignificandBits(t *testing.T) {
	var or32, or64 uint64
	for _, x := range filled(t, at(t, 14, 0, 0), 64, func(g *random.Generator, x []float32) error { return random.Uniform(g, x, 0, 1) }) {
		or32 |= uint64(x * (1 << 23))
	}
	for _, x := range filled(t, at(t, 14, 0, 0), 64, func(g *random.Generator, x []float64) error { return random.Uniform(g, x, 0, 1) }) {
		or64 |= uint64(x * (1 << 52))
	}
	assert.Equal(t, 23, mathbits.OnesCount64(or32))
	assert.Equal(t, 52, mathbits.OnesCount64(or64))
	for f, want := range map[random.Format]int{random.Float16: 10, random.BFloat16: 7} {
		var or uint64
		for _, x := range filled(t, at(t, 14, 0, 0), 64, func(g *random.Generator, x []uint16) error { return random.UniformHalf(g, x, f, 0, 1) }) {
			or |= uint64(halfValue(f, x) * float64(int(1)<<want))
		}
		assert.Equal(t, want, mathbits.OnesCount64(or), "%v", f)
	}
}

// triton-lang/triton#10597: the smallest signed word.
func TestCase16SignedExtremes(t *testing.T) {
	words := [4]uint32{0x80000000, 0x7fffffff, 0xffffffff, 0x80000001}
	hi, lo := unblock(philox.Key{}, words).Uint64s()
	for _, n := range []int{4, 64} {
		x := filled(t, at(t, 0, hi, lo), n, func(g *random.Generator, x []float32) error { return random.Uniform(g, x, 0, 1) })
		assert.Equal(t, []float32{0, 1 - 0x1p-23, 1 - 0x1p-23, 0x1p-23}, x[:4])
		for _, v := range x {
			require.True(t, 0 <= v && v < 1, "%v", v)
		}
		y := filled(t, at(t, 0, hi, lo), n, func(g *random.Generator, x []float32) error { return random.Exponential(g, x, 1) })
		for i, w := range words {
			assert.InEpsilon(t, unit32(w).minusLog(), y[i], 1e-6)
		}
	}
}

// JuliaGPU/CUDA.jl#1464, gpuocean/gpuocean#37: an infinite normal.
func TestCase17NormalsOfSmallWords(t *testing.T) {
	ceiling := float64(float32(math.Sqrt(66 * math.Ln2)))
	for name := range extremes {
		extreme(t, name, func(g *random.Generator, lane, n int) {
			for _, z := range filled(t, g.Clone(), n, func(g *random.Generator, x []float32) error { return random.Normal(g, x, 0, 1) }) {
				require.LessOrEqual(t, math.Abs(float64(z)), ceiling)
			}
			for _, z := range filled(t, g.Clone(), n, func(g *random.Generator, x []float64) error { return random.Normal(g, x, 0, 1) }) {
				require.LessOrEqual(t, math.Abs(z), 8.6523)
			}
			for _, h := range filled(t, g.Clone(), n, func(g *random.Generator, x []uint16) error { return random.NormalHalf(g, x, random.Float16, 0, 1) }) {
				require.Less(t, math.Abs(halfValue(random.Float16, h)), 6.77)
			}
		})
	}
	// Word 0 gives the ceiling: the first of a pair is the radius times the cosine of
	// next to nothing.
	hi, lo := unblock(philox.Key{}, [4]uint32{}).Uint64s()
	for _, n := range []int{4, 64} {
		z := filled(t, at(t, 0, hi, lo), n, func(g *random.Generator, x []float32) error { return random.Normal(g, x, 0, 1) })
		assert.InDelta(t, 6.7637, z[0], 1e-4)
		assert.InDelta(t, 6.7637, z[2], 1e-4)
	}
}

// pytorch/pytorch#91944: the same normal for every seed.
func TestCase19Seeds(t *testing.T) {
	const seeds = 1000
	seen := map[float32]bool{}
	var sum, squares float64
	g := random.NewGenerator(random.CPU(), 0)
	for seed := range uint64(seeds) {
		g.SetSeed(seed + 1)
		z := filled(t, g, 10, func(g *random.Generator, x []float32) error { return random.Normal(g, x, 0, 1) })[9]
		seen[z] = true
		sum += float64(z)
		squares += float64(z) * float64(z)
	}
	assert.Len(t, seen, seeds)
	mean := sum / seeds
	assert.InDelta(t, 0, mean, 4*math.Sqrt(1./seeds))
	assert.InDelta(t, 1, squares/seeds-mean*mean, 4*math.Sqrt(2./seeds))
}

// torch/DEPRECEATED-torch7-distro#191, intel/torch-xpu-ops#3239: the second normal of a
// pair outlived its seed.
func TestCase20NothingIsSpared(t *testing.T) {
	three := func(g *random.Generator) []float32 {
		return filled(t, g, 3, func(g *random.Generator, x []float32) error { return random.Normal(g, x, 0, 1) })
	}
	g := random.NewGenerator(random.CPU(), 20)
	first := three(g)
	saved := g.State()
	second := three(g)
	g.SetSeed(20)
	assert.Equal(t, first, three(g))
	assert.Equal(t, second, three(g))
	require.NoError(t, g.SetState(saved))
	assert.Equal(t, second, three(g))
	assert.NotEqual(t, first, second)
}

// pytorch/pytorch#2561: an infinite exponential.
func TestCase22ExponentialsAreFinite(t *testing.T) {
	for name := range extremes {
		extreme(t, name, func(g *random.Generator, lane, n int) {
			for _, rate := range []float64{1, 1e-30, 1e30} {
				for _, x := range filled(t, g.Clone(), n, func(g *random.Generator, x []float32) error {
					return random.Exponential(g, x, float32(rate))
				}) {
					require.True(t, x > 0 && x <= math.MaxFloat32, "%v", x)
				}
				for _, x := range filled(t, g.Clone(), n, func(g *random.Generator, x []float64) error { return random.Exponential(g, x, rate) }) {
					require.True(t, x > 0 && x <= math.MaxFloat64, "%v", x)
				}
				for _, f := range []random.Format{random.Float16, random.BFloat16} {
					for _, h := range filled(t, g.Clone(), n, func(g *random.Generator, x []uint16) error {
						return random.ExponentialHalf(g, x, f, float32(rate))
					}) {
						require.True(t, h > 0 && h < halfInf(f), "%#x", h)
					}
				}
			}
		})
	}
	extreme(t, "G1", func(g *random.Generator, lane, n int) {
		x := filled(t, g, n, func(g *random.Generator, x []float32) error { return random.Exponential(g, x, 1) })
		assert.InEpsilon(t, 0x1p-33, x[lane], 1e-6)
	})
	extreme(t, "G0", func(g *random.Generator, lane, n int) {
		x := filled(t, g, n, func(g *random.Generator, x []float32) error { return random.Exponential(g, x, 1) })
		assert.InEpsilon(t, 33*math.Ln2, x[lane], 1e-6)
	})
}

// scipy/scipy#2477 and #10092: infinite between 10 and 11, where the mirrored interval
// worked, and beyond 38.
func testCase24[T random.Float](t *testing.T) {
	n := reduced(20_000)
	fill := func(a, b T) (x []T, mean float64) {
		x = filled(t, at(t, 24, 0, 0), n, func(g *random.Generator, x []T) error { return random.TruncatedNormal(g, x, 0, 1, a, b) })
		for _, v := range x {
			require.True(t, a <= v && v <= b && v-v == 0, "%v in [%v, %v]", v, a, b)
			mean += float64(v) / float64(n)
		}
		return x, mean
	}
	// The standard deviations are 0.096 and 0.026.
	inf := T(math.Inf(1))
	room := 5 / math.Sqrt(float64(n))
	x, mean := fill(10, 11)
	assert.InDelta(t, 10.0981, mean, 0.096*room)
	y, mean := fill(-11, -10)
	assert.InDelta(t, -10.0981, mean, 0.096*room)
	for i := range x {
		require.Equal(t, x[i], -y[i])
	}
	_, mean = fill(38, inf)
	assert.InDelta(t, 38.0263, mean, 0.026*room)
}

func TestCase24Tails(t *testing.T) {
	t.Run("float32", testCase24[float32])
	t.Run("float64", testCase24[float64])
	// bfloat16 has 38 and 38.25 there.
	for _, h := range filled(t, at(t, 24, 0, 0), 1000, func(g *random.Generator, x []uint16) error {
		return random.TruncatedNormalHalf(g, x, random.BFloat16, 0, 1, 38, float32(math.Inf(1)))
	}) {
		v := halfValue(random.BFloat16, h)
		require.True(t, 38 <= v && v < 40, "%v", v)
	}
}

// pyro-ppl/numpyro#1184: infinite at times between loose bounds.
func TestCase26LooseBounds(t *testing.T) {
	for _, v := range filled(t, at(t, 26, 0, 0), 10_000_000/reducedStep(100), func(g *random.Generator, x []float32) error {
		return random.TruncatedNormal(g, x, 10, 1e-4, -5e6, float32(math.Inf(1)))
	}) {
		if !(9.999 < v && v < 10.001) {
			t.Fatalf("%v", v)
		}
	}
}

// pytorch/pytorch#26807, #15356: p = 0 gave ones.
func TestCase28BernoulliOf0And1(t *testing.T) {
	for name := range extremes {
		extreme(t, name, func(g *random.Generator, lane, n int) {
			for _, p := range []float64{0, 1} {
				want := slices.Repeat([]bool{p == 1}, n)
				assert.Equal(t, want, filled(t, g.Clone(), n, func(g *random.Generator, x []bool) error { return random.Bernoulli(g, x, p) }))
				assert.Equal(t, want, filled(t, g.Clone(), n, func(g *random.Generator, x []bool) error {
					return random.BernoulliEach(g, x, slices.Repeat([]float64{p}, n))
				}))
			}
		})
	}
	// The least probability that ever gives 1 does so for word 0 alone.
	extreme(t, "G0", func(g *random.Generator, lane, n int) {
		want := make([]bool, n)
		assert.Equal(t, want, filled(t, g.Clone(), n, func(g *random.Generator, x []bool) error {
			return random.Bernoulli(g, x, math.Nextafter(0x1p-33, 0))
		}))
		want[lane] = true
		assert.Equal(t, want, filled(t, g, n, func(g *random.Generator, x []bool) error { return random.Bernoulli(g, x, 0x1p-33) }))
	})
}

// pytorch/pytorch#94388: one probability and the same for each disagreed.
func TestCase29BernoulliEach(t *testing.T) {
	const n, p = 15, 0.75
	var words [n]uint32
	philox.New(29).FillUint32(words[:])
	want := make([]bool, n)
	for i, w := range words {
		want[i] = float64(w)*0x1p-32 < p
	}
	assert.Equal(t, want, filled(t, at(t, 29, 0, 0), n, func(g *random.Generator, x []bool) error { return random.Bernoulli(g, x, p) }))
	each := slices.Repeat([]float32{p}, n)
	assert.Equal(t, want, filled(t, at(t, 29, 0, 0), n, func(g *random.Generator, x []bool) error { return random.BernoulliEach(g, x, each) }))
	assert.Contains(t, want, true)
	assert.Contains(t, want, false)
}

// torch/torch7#43: the probability became a number of the elements' type.
func TestCase30BernoulliOfBytes(t *testing.T) {
	x := filled(t, at(t, 30, 0, 0), 100, func(g *random.Generator, x []uint8) error { return random.Bernoulli(g, x, 0.5) })
	assert.Contains(t, x, uint8(1))
	assert.Contains(t, x, uint8(0))
	y := filled(t, at(t, 30, 0, 0), 100, func(g *random.Generator, x []uint8) error {
		return random.BernoulliEach(g, x, slices.Repeat([]float32{0.5}, 100))
	})
	assert.Equal(t, x, y)
}

// pytorch/pytorch#107942, gorgonia/gorgonia#399: p = 1 divided by 0.
func TestCase32DropoutOfAll(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	src := []float32{1, -1, 0, inf, -inf, nan, math.MaxFloat32}
	dst, mask := slices.Repeat([]float32{7}, len(src)), make([]byte, 16)
	require.NoError(t, random.Dropout(at(t, 32, 0, 0), dst, mask, src, 1, true))
	for _, x := range dst {
		assert.Zero(t, math.Float32bits(x))
	}
	assert.Equal(t, make([]byte, 16), mask)
	grad := slices.Clone(src)
	require.NoError(t, random.DropoutBackward(grad, mask, grad, 1))
	for _, x := range grad {
		assert.Zero(t, math.Float32bits(x))
	}
}

// pytorch/pytorch#151717: p = 0 dropped.
func TestCase34DropoutOfNone(t *testing.T) {
	extreme(t, "G0", func(g *random.Generator, lane, n int) {
		src := make([]float32, n)
		for i := range src {
			src[i] = math.Float32frombits(0x7f800001 + uint32(i)) // signalling NaN
		}
		dst, mask := make([]float32, n), make([]byte, random.MaskBytes(n))
		require.NoError(t, random.Dropout(g, dst, mask, src, 0, true))
		for i := range src {
			require.Equal(t, 0x7f800001+uint32(i), math.Float32bits(dst[i]))
			require.Equal(t, byte(1), mask[i/8]>>(i%8)&1)
		}
	})
}

// godotengine/godot#43184: a remainder, which is not uniform.
func TestCase35NoModuloBias(t *testing.T) {
	const n = 10_000
	less := 0
	for _, x := range filled(t, at(t, 35, 0, 0), n, func(g *random.Generator, x []uint32) error { return random.IntN(g, x, 0, 3<<30) }) {
		require.Less(t, x, uint32(3<<30))
		if x < 1<<30 {
			less++
		}
	}
	assert.InDelta(t, 1./3, float64(less)/n, 5*math.Sqrt(2./9/n))
}

// ml-explore/mlx#3936: integers went through float32.
func TestCase37LargeIntegers(t *testing.T) {
	seen := map[int32]int{}
	for _, x := range filled(t, at(t, 37, 0, 0), 1000, func(g *random.Generator, x []int32) error { return random.IntN(g, x, 1<<24, 1<<24+4) }) {
		seen[x]++
	}
	assert.Len(t, seen, 4)
	for x, count := range seen {
		assert.True(t, 1<<24 <= x && x < 1<<24+4, "%d", x)
		assert.InDelta(t, 250, count, 70)
	}
	wide := map[int64]bool{}
	for _, x := range filled(t, at(t, 37, 0, 0), 1000, func(g *random.Generator, x []int64) error { return random.IntN(g, x, 1<<53, 1<<53+4) }) {
		wide[x] = true
	}
	assert.Equal(t, map[int64]bool{1 << 53: true, 1<<53 + 1: true, 1<<53 + 2: true, 1<<53 + 3: true}, wide)
}

// pytorch/pytorch#48841, #50034: a category without weight was drawn.
func testCase42[F random.Float](t *testing.T, weights []F) {
	made, err := random.NewWeights(weights)
	require.NoError(t, err)
	wide := make([]float64, len(weights))
	for i, w := range weights {
		wide[i] = float64(w)
	}
	sums := sumsOf(wide)
	for _, sum := range append(sums, 0) {
		edge := sum / sums[len(sums)-1]
		for _, coin := range []float64{edge, math.Nextafter(edge, 0), math.Nextafter(edge, 1)} {
			if coin == 1 {
				continue
			}
			for _, at := range []func(coin float64) (int, error){
				func(coin float64) (int, error) { return random.CategoricalAt(weights, coin) }, made.At,
			} {
				i, err := at(coin)
				require.NoError(t, err)
				require.NotEqual(t, 2, i, "%v", coin)
				require.Equal(t, indexOf(sums, coin), i, "%v", coin)
			}
		}
		// The coins of the operators are multiples of 2^-52: those next to the edge.
		for d := range uint64(5) {
			x := min(uint64(edge*(1<<52))+d-2, 1<<52-1)
			hi, lo := unblock(philox.Key{}, [4]uint32{uint32(x), uint32(x >> 32), uint32(x), uint32(x >> 32)}).Uint64s()
			for _, n := range []int{1, 2, 40} {
				for _, f := range []func(g *random.Generator, dst []int8) error{
					func(g *random.Generator, dst []int8) error { return random.Categorical(g, dst, weights) },
					func(g *random.Generator, dst []int8) error { return random.CategoricalFrom(g, dst, made) },
					func(g *random.Generator, dst []int8) error { return random.Multinomial(g, dst, weights, 1, n, true) },
				} {
					drawn := filled(t, at(t, 0, hi, lo), n, f)
					require.NotContains(t, drawn, int8(2))
					require.Equal(t, indexOf(sums, float64(x)*0x1p-52), int(drawn[0]), "%v", weights)
				}
			}
			require.NotContains(t, filled(t, at(t, 0, hi, lo), 3, func(g *random.Generator, dst []int8) error {
				return random.Multinomial(g, dst, weights, 1, 3, false)
			}), int8(2))
		}
	}
}

func TestCase42NoWeight(t *testing.T) {
	testCase42(t, []float64{0.33, 0.34, 0, 0.33})
	testCase42(t, []float32{0.33, 0.34, 0, 0.33})
	testCase42(t, []float64{0.25, 0.25, 0, 0.5}) // sums are multiples of 2^-52
	testCase42(t, []float64{0.25, 0.25 + 0x1p-52, 0, 0.5 - 0x1p-52})
}

// gonum/gonum#1866: an index behind the last one.
func TestCase44IndexesAreThere(t *testing.T) {
	r := rand.New(rand.NewPCG(44, 0))
	for range reduced(20_000) {
		w := make([]float64, 3)
		for i := range w {
			w[i] = math.Ldexp(r.Float64(), -r.IntN(2)*r.IntN(1074)) * float64(r.IntN(3))
		}
		if w[0]+w[1]+w[2] == 0 {
			w[r.IntN(3)] = 1
		}
		i, err := random.CategoricalAt(w, 1-0x1p-53)
		require.NoError(t, err)
		require.True(t, i >= 0 && i < 3 && w[i] > 0, "%v: %d", w, i)
	}
}

// pytorch/pytorch#80202: the first numbers depended on how many there were.
func TestCase47PrefixProperty(t *testing.T) {
	for _, o := range operators {
		long := o.get(t, at(t, 47, 0, 0), 1100)
		for _, n := range []int{15, 16, 17, 33, 64, 129, 1000} {
			require.Equal(t, long[:n*o.size], o.get(t, at(t, 47, 0, 0), n), "%s: n = %d", o.name, n)
		}
	}
}

// JuliaGPU/CUDA.jl#2035, Dao-AILab/flash-attention#2088: every mask was the same.
func TestCase54MasksDiffer(t *testing.T) {
	const n, p = 1001, 0.5
	g := random.NewGenerator(random.CPU(), 54)
	mask := func() []byte {
		m := make([]byte, random.MaskBytes(n))
		require.NoError(t, random.DropoutMask(g, m, n, p))
		return m
	}
	seen := map[string]bool{}
	for i := range uint64(10) {
		require.Equal(t, i*251, g.Offset())
		saved := g.State()
		m := mask()
		seen[string(m)] = true
		require.NoError(t, g.SetState(saved))
		require.Equal(t, m, mask(), "from the saved state")
	}
	assert.Len(t, seen, 10)
	// The same of numbers.
	for _, o := range operators {
		if o.fixed || o.indexed {
			continue
		}
		g := at(t, 54, 0, 0)
		first, second := o.get(t, g, 400), o.get(t, g, 400)
		if !constant(o, first) {
			require.False(t, bytes.Equal(first, second), "%s", o.name)
		}
		require.Equal(t, 2*o.blocks(400), g.Offset(), "%s", o.name)
	}
}

// constant reports whether an operator's elements are hardly ever something else.
func constant(o *operator, b []byte) bool {
	count := map[string]int{}
	for i := 0; i < len(b); i += o.size {
		count[string(b[i:i+o.size])]++
	}
	for _, n := range count {
		if n > len(b)/o.size-3 {
			return true
		}
	}
	return false
}

// pytorch/pytorch#23854, ml-explore/mlx#4536: the fans of grouped convolutions.
func TestCase78GroupedFans(t *testing.T) {
	for _, tt := range []struct {
		name            string
		shape           []int
		groups, in, out int
	}{
		{"64 to 32 channels, kernel 3, 4 groups, as PyTorch", []int{32, 16, 3}, 0, 48, 96},
		{"64 to 32 channels, kernel 3, 4 groups", []int{32, 16, 3}, 4, 48, 24},
		{"4 channels, kernel 3x3, depthwise, as PyTorch", []int{4, 1, 3, 3}, 1, 9, 36},
		{"4 channels, kernel 3x3, depthwise", []int{4, 1, 3, 3}, 4, 9, 9},
	} {
		in, out, err := random.Fans(tt.shape, tt.groups)
		require.NoError(t, err)
		assert.Equal(t, [2]int{tt.in, tt.out}, [2]int{in, out}, "%s", tt.name)
		// The same fans in what is drawn: with a gain of 1 std is 1/sqrt(fan).
		n := lengthOf(tt.shape)
		for mode, fan := range map[random.FanMode]int{random.FanIn: tt.in, random.FanOut: tt.out} {
			std := 1 / math.Sqrt(float64(fan))
			k := random.Kaiming{Mode: mode, Nonlinearity: random.Conv, Groups: tt.groups}
			requireSame(t, n, with(random.Normal[float64], 0, std), func(g *random.Generator, dst []float64) error {
				return random.KaimingNormal(g, dst, tt.shape, k)
			}, tt.name)
		}
		std := math.Sqrt(2 / float64(tt.in+tt.out))
		requireSame(t, n, with(random.Normal[float64], 0, std), func(g *random.Generator, dst []float64) error {
			return random.XavierNormal(g, dst, tt.shape, 1, tt.groups)
		}, tt.name)
	}
}
