package cuda_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/cuda"
	"github.com/philox-go/rng/internal/known"
	"github.com/philox-go/rng/internal/poly"
	"github.com/philox-go/rng/normal"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/random"
	"github.com/philox-go/rng/skip"
)

// An operator is one of package random and its twin on a device.
type operator struct {
	name string
	// run runs both with the same generator, on n elements, in a buffer from element offset on, and
	// compares what they have made.
	run func(t *testing.T, dev *cuda.Device, cpu, gpu *random.Generator, n, offset int)
}

func twins[T cuda.Element](name string, cpu func(*random.Generator, []T) error, gpu func(*random.Generator, cuda.Buffer[T]) error) operator {
	return operator{name, func(t *testing.T, dev *cuda.Device, g, h *random.Generator, n, offset int) {
		want, got := make([]T, n), make([]T, n)
		require.NoError(t, cpu(g, want))
		mem, err := cuda.Alloc[T](dev, offset+n)
		require.NoError(t, err)
		defer mem.Free()
		buf := mem.Slice(offset, offset+n)
		require.NoError(t, gpu(h, buf))
		require.NoError(t, buf.CopyTo(got))
		if !slices.Equal(want, got) { // sooner than a comparison of all
			require.Equal(t, want, got)
		}
	}}
}

func floats[T random.Float](name string) []operator {
	type G = *random.Generator
	type B = cuda.Buffer[T]
	return []operator{
		twins("Uniform "+name, func(g G, d []T) error { return random.Uniform(g, d, -1, 2) }, func(g G, d B) error { return cuda.Uniform(g, d, -1, 2) }),
		twins("Normal "+name, func(g G, d []T) error { return random.Normal(g, d, 0, 1) }, func(g G, d B) error { return cuda.Normal(g, d, 0, 1) }),
		twins("TruncatedNormal "+name, func(g G, d []T) error { return random.TruncatedNormal(g, d, 1, 2, 0, 3) }, func(g G, d B) error { return cuda.TruncatedNormal(g, d, 1, 2, 0, 3) }),
		twins("Exponential "+name, func(g G, d []T) error { return random.Exponential(g, d, 1.5) }, func(g G, d B) error { return cuda.Exponential(g, d, 1.5) }),
		twins("LogNormal "+name, func(g G, d []T) error { return random.LogNormal(g, d, 0.5, 2) }, func(g G, d B) error { return cuda.LogNormal(g, d, 0.5, 2) }),
		twins("Cauchy "+name, func(g G, d []T) error { return random.Cauchy(g, d, 0.5, 2) }, func(g G, d B) error { return cuda.Cauchy(g, d, 0.5, 2) }),
		twins("Laplace "+name, func(g G, d []T) error { return random.Laplace(g, d, 0.5, 2) }, func(g G, d B) error { return cuda.Laplace(g, d, 0.5, 2) }),
		twins("Gumbel "+name, func(g G, d []T) error { return random.Gumbel(g, d, 0.5, 2) }, func(g G, d B) error { return cuda.Gumbel(g, d, 0.5, 2) }),
		twins("Geometric "+name, func(g G, d []T) error { return random.Geometric(g, d, 0.01) }, func(g G, d B) error { return cuda.Geometric(g, d, 0.01) }),
		twins("Bernoulli "+name, func(g G, d []T) error { return random.Bernoulli(g, d, 0.3) }, func(g G, d B) error { return cuda.Bernoulli(g, d, 0.3) }),
	}
}

func integers[T random.Integer](name string, lo, hi T) []operator {
	type G = *random.Generator
	type B = cuda.Buffer[T]
	return []operator{
		twins("IntN "+name, func(g G, d []T) error { return random.IntN(g, d, lo, hi) }, func(g G, d B) error { return cuda.IntN(g, d, lo, hi) }),
		twins("IntRange "+name, func(g G, d []T) error { return random.IntRange(g, d, lo, hi) }, func(g G, d B) error { return cuda.IntRange(g, d, lo, hi) }),
		twins("Geometric "+name, func(g G, d []T) error { return random.Geometric(g, d, 0.4) }, func(g G, d B) error { return cuda.Geometric(g, d, 0.4) }),
		twins("Bernoulli "+name, func(g G, d []T) error { return random.Bernoulli(g, d, 0.3) }, func(g G, d B) error { return cuda.Bernoulli(g, d, 0.3) }),
	}
}

func halves(f random.Format) []operator {
	type G = *random.Generator
	type H uint16
	type B = cuda.Buffer[H]
	name := f.String()
	return []operator{
		twins("Uniform "+name, func(g G, d []H) error { return random.UniformHalf(g, d, f, -1, 2) }, func(g G, d B) error { return cuda.UniformHalf(g, d, f, -1, 2) }),
		twins("Normal "+name, func(g G, d []H) error { return random.NormalHalf(g, d, f, 1, 2) }, func(g G, d B) error { return cuda.NormalHalf(g, d, f, 1, 2) }),
		twins("TruncatedNormal "+name, func(g G, d []H) error { return random.TruncatedNormalHalf(g, d, f, 1, 2, 3, 5) }, func(g G, d B) error { return cuda.TruncatedNormalHalf(g, d, f, 1, 2, 3, 5) }),
		twins("Exponential "+name, func(g G, d []H) error { return random.ExponentialHalf(g, d, f, 1.5) }, func(g G, d B) error { return cuda.ExponentialHalf(g, d, f, 1.5) }),
		twins("LogNormal "+name, func(g G, d []H) error { return random.LogNormalHalf(g, d, f, 0.5, 2) }, func(g G, d B) error { return cuda.LogNormalHalf(g, d, f, 0.5, 2) }),
		twins("Cauchy "+name, func(g G, d []H) error { return random.CauchyHalf(g, d, f, 0.5, 2) }, func(g G, d B) error { return cuda.CauchyHalf(g, d, f, 0.5, 2) }),
		twins("Laplace "+name, func(g G, d []H) error { return random.LaplaceHalf(g, d, f, 0.5, 2) }, func(g G, d B) error { return cuda.LaplaceHalf(g, d, f, 0.5, 2) }),
		twins("Gumbel "+name, func(g G, d []H) error { return random.GumbelHalf(g, d, f, 0.5, 2) }, func(g G, d B) error { return cuda.GumbelHalf(g, d, f, 0.5, 2) }),
		twins("Geometric "+name, func(g G, d []H) error { return random.GeometricHalf(g, d, f, 0.01) }, func(g G, d B) error { return cuda.GeometricHalf(g, d, f, 0.01) }),
		twins("Bernoulli "+name, func(g G, d []H) error { return random.BernoulliHalf(g, d, f, 0.3) }, func(g G, d B) error { return cuda.BernoulliHalf(g, d, f, 0.3) }),
		{"Dropout " + name, func(t *testing.T, dev *cuda.Device, g, h *random.Generator, n, offset int) {
			src := make([]H, n)
			require.NoError(t, random.NormalHalf(g.Clone(), src, f, 0, 100))
			dropout(t, dev, g, h, src, offset, dropoutOf[H]{
				func(g *random.Generator, dst []H, mask []byte, src []H, p float64, training bool) error {
					return random.DropoutHalf(g, dst, f, mask, src, p, training)
				},
				func(g *random.Generator, dst cuda.Buffer[H], mask cuda.Buffer[byte], src cuda.Buffer[H], p float64, training bool) error {
					return cuda.DropoutHalf(g, dst, f, mask, src, p, training)
				},
				func(dst []H, mask []byte, grad []H, p float64) error {
					return random.DropoutBackwardHalf(dst, f, mask, grad, p)
				},
				func(dst cuda.Buffer[H], mask cuda.Buffer[byte], grad cuda.Buffer[H], p float64) error {
					return cuda.DropoutBackwardHalf(dst, f, mask, grad, p)
				},
			})
		}},
	}
}

// A dropoutOf is the dropout of a type and its gradient, in package random and on a device.
type dropoutOf[T cuda.Element] struct {
	cpu  func(g *random.Generator, dst []T, mask []byte, src []T, p float64, training bool) error
	gpu  func(g *random.Generator, dst cuda.Buffer[T], mask cuda.Buffer[byte], src cuda.Buffer[T], p float64, training bool) error
	back func(dst []T, mask []byte, grad []T, p float64) error
	gack func(dst cuda.Buffer[T], mask cuda.Buffer[byte], grad cuda.Buffer[T], p float64) error
}

func dropoutFloat[T random.Float](name string) operator {
	return operator{"Dropout " + name, func(t *testing.T, dev *cuda.Device, g, h *random.Generator, n, offset int) {
		src := make([]T, n)
		require.NoError(t, random.Normal(g.Clone(), src, 0, 100))
		if n > 2 {
			src[1], src[2] = T(math.Inf(-1)), T(math.Copysign(0, -1))
		}
		dropout(t, dev, g, h, src, offset, dropoutOf[T]{random.Dropout[T], cuda.Dropout[T], random.DropoutBackward[T], cuda.DropoutBackward[T]})
	}}
}

func dropout[T cuda.Element](t *testing.T, dev *cuda.Device, g, h *random.Generator, src []T, offset int, of dropoutOf[T]) {
	n := len(src)
	want, got := make([]T, n), make([]T, n)
	wantMask, gotMask := make([]byte, random.MaskBytes(n)), make([]byte, random.MaskBytes(n))
	from, err := cuda.Alloc[T](dev, n)
	require.NoError(t, err)
	defer from.Free()
	mem, err := cuda.Alloc[T](dev, offset+n)
	require.NoError(t, err)
	defer mem.Free()
	to := mem.Slice(offset, offset+n)
	mask, err := cuda.Alloc[byte](dev, len(gotMask))
	require.NoError(t, err)
	defer mask.Free()
	require.NoError(t, from.CopyFrom(src))
	equal := func(what string) {
		require.NoError(t, to.CopyTo(got))
		require.NoError(t, mask.CopyTo(gotMask))
		require.Equal(t, want, got, what)
		require.Equal(t, wantMask, gotMask, what)
		require.Equal(t, g.Offset(), h.Offset(), what)
	}
	for _, p := range []float64{0.3, 0, 1, 1e-12} {
		for _, training := range []bool{true, false} {
			what := fmt.Sprint("p = ", p, ", training = ", training)
			require.NoError(t, of.cpu(g, want, wantMask, src, p, training))
			require.NoError(t, of.gpu(h, to, mask, from, p, training))
			equal(what)
			if training {
				require.NoError(t, of.back(want, wantMask, src, p))
				require.NoError(t, of.gack(to, mask, from, p))
				equal(what + ", backward")
			}
		}
	}
	// In place, and without a mask where none is needed.
	require.NoError(t, of.cpu(g, want, wantMask, src, 0.5, true))
	require.NoError(t, to.CopyFrom(src))
	require.NoError(t, of.gpu(h, to, mask, to, 0.5, true))
	equal("in place")
	require.NoError(t, of.cpu(g, want, nil, src, 0.5, false))
	require.NoError(t, of.gpu(h, to, cuda.Buffer[byte]{}, from, 0.5, false))
	equal("no mask")
}

// tiny32 and tiny64 are the smallest numbers above 0.
const tiny32, tiny64 = math.SmallestNonzeroFloat32, math.SmallestNonzeroFloat64

func allOperators() []operator {
	type G = *random.Generator
	all := append(floats[float32]("float32"), floats[float64]("float64")...)
	all = append(all, integers[int8]("int8", -100, 100)...)
	all = append(all, integers[uint8]("uint8", 0, 200)...)
	all = append(all, integers[int16]("int16", -100, 100)...)
	all = append(all, integers[uint32]("uint32", 0, 3<<30)...)
	all = append(all, integers[int64]("int64", -1<<40, 1<<41)...)
	all = append(all, integers("int", -5, 5)...)
	all = append(all, halves(random.Float16)...)
	all = append(all, halves(random.BFloat16)...)
	words := func(s philox.Stream, err error, fill func(philox.Stream)) error {
		if err == nil {
			fill(s)
		}
		return err
	}
	reserve := func(g G, n, perBlock int) (philox.Stream, error) {
		return g.ReserveStream(uint64(n+perBlock-1) / uint64(perBlock))
	}
	all = append(all,
		twins("uint32", func(g G, d []uint32) error {
			s, err := reserve(g, len(d), 4)
			return words(s, err, func(s philox.Stream) { s.FillUint32(d) })
		}, cuda.Uint32s().Next),
		twins("uint64", func(g G, d []uint64) error {
			s, err := reserve(g, len(d), 2)
			return words(s, err, func(s philox.Stream) { s.FillUint64(d) })
		}, cuda.Uint64s().Next),
		twins("bytes", func(g G, d []byte) error {
			s, err := reserve(g, len(d), 16)
			return words(s, err, func(s philox.Stream) { s.FillBytes(d) })
		}, cuda.Bytes().Next),
		twins("open uniforms", func(g G, d []float32) error {
			s, err := reserve(g, len(d), 4)
			return words(s, err, func(s philox.Stream) { s.FillOpenFloat32(d) })
		}, cuda.OpenUniforms().Next),
		twins("standard uniforms", func(g G, d []float32) error { return random.Uniform(g, d, 0, 1) }, func(g G, d cuda.Buffer[float32]) error { return cuda.Uniform(g, d, 0, 1) }),
		twins("scaled normals", func(g G, d []float32) error { return random.Normal(g, d, 1, 2) }, func(g G, d cuda.Buffer[float32]) error { return cuda.Normal(g, d, 1, 2) }),
		twins("mean 5, std 1", func(g G, d []float32) error { return random.Normal(g, d, 5, 1) }, func(g G, d cuda.Buffer[float32]) error { return cuda.Normal(g, d, 5, 1) }),
		twins("exp near its ends", func(g G, d []float64) error { return random.LogNormal(g, d, 709.5, 0.3) }, func(g G, d cuda.Buffer[float64]) error { return cuda.LogNormal(g, d, 709.5, 0.3) }),
		twins("exp of little", func(g G, d []float64) error { return random.LogNormal(g, d, -745, 0.5) }, func(g G, d cuda.Buffer[float64]) error { return cuda.LogNormal(g, d, -745, 0.5) }),
		twins("below 0, float32", func(g G, d []float32) error { return random.Uniform(g, d, -tiny32, tiny32) }, func(g G, d cuda.Buffer[float32]) error { return cuda.Uniform(g, d, -tiny32, tiny32) }),
		twins("below 0, float64", func(g G, d []float64) error { return random.Uniform(g, d, -tiny64, tiny64) }, func(g G, d cuda.Buffer[float64]) error { return cuda.Uniform(g, d, -tiny64, tiny64) }),
		twins("below 0, float16", func(g G, d []uint16) error { return random.UniformHalf(g, d, random.Float16, -0x1p-23, 0x1p-24) },
			func(g G, d cuda.Buffer[uint16]) error {
				return cuda.UniformHalf(g, d, random.Float16, -0x1p-23, 0x1p-24)
			}),
		twins("below 0, bfloat16", func(g G, d []uint16) error { return random.UniformHalf(g, d, random.BFloat16, -0x1p-131, 0x1p-133) },
			func(g G, d cuda.Buffer[uint16]) error {
				return cuda.UniformHalf(g, d, random.BFloat16, -0x1p-131, 0x1p-133)
			}),
		twins("far tail", func(g G, d []float32) error { return random.TruncatedNormal(g, d, 0, 1, 2900, 2900.001) },
			func(g G, d cuda.Buffer[float32]) error { return cuda.TruncatedNormal(g, d, 0, 1, 2900, 2900.001) }),
		twins("many trials, uint32", func(g G, d []uint32) error { return random.Geometric(g, d, 5.4e-9) }, func(g G, d cuda.Buffer[uint32]) error { return cuda.Geometric(g, d, 5.4e-9) }),
		twins("many trials, uint64", func(g G, d []uint64) error { return random.Geometric(g, d, 2.1e-18) }, func(g G, d cuda.Buffer[uint64]) error { return cuda.Geometric(g, d, 2.1e-18) }),
		twins("a tail", func(g G, d []float32) error { return random.TruncatedNormal(g, d, 0, 1, 4, float32(math.Inf(1))) },
			func(g G, d cuda.Buffer[float32]) error {
				return cuda.TruncatedNormal(g, d, 0, 1, 4, float32(math.Inf(1)))
			}),
	)
	return append(all, dropoutFloat[float32]("float32"), dropoutFloat[float64]("float64"),
		twins("Bernoulli bool", func(g G, d []bool) error { return random.Bernoulli(g, d, 0.3) }, func(g G, d cuda.Buffer[bool]) error { return cuda.Bernoulli(g, d, 0.3) }),
		operator{"DropoutMask", func(t *testing.T, dev *cuda.Device, g, h *random.Generator, n, offset int) {
			want, got := make([]byte, random.MaskBytes(n)), make([]byte, random.MaskBytes(n))
			buf, err := cuda.Alloc[byte](dev, offset+len(got))
			require.NoError(t, err)
			defer buf.Free()
			mask := buf.Slice(offset, offset+len(got)) // of any alignment
			for _, p := range []float64{0.3, 0, 1} {
				require.NoError(t, random.DropoutMask(g, want, n, p))
				require.NoError(t, cuda.DropoutMask(h, mask, n, p))
				require.NoError(t, mask.CopyTo(got))
				require.Equal(t, want, got, p)
			}
		}})
}

// Every operator must give what its twin gives and leave the generator where that leaves it.
func TestOperatorsAreThoseOfRandom(t *testing.T) {
	dev := cuda.OpenForTest(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, op := range allOperators() {
		t.Run(op.name, func(t *testing.T) {
			for _, n := range []int{0, 1, 2, 5, 31, 128, 1000, 2047, 4095, 4099, 8191, 16_383} {
				seed := rng.Uint64()
				cpu, gpu := random.NewGenerator(random.CPU(), seed), random.NewGenerator(dev.Random(), seed)
				for _, g := range []*random.Generator{cpu, gpu} {
					require.NoError(t, g.SetOffset(seed<<32-100)) // c0 wraps soon
				}
				for range 2 {
					op.run(t, dev, cpu, gpu, n, rng.IntN(4))
					require.Equal(t, cpu.Offset(), gpu.Offset())
				}
			}
		})
	}
}

// Long fills at all alignments: of 2^20+3 elements on a GPU, and shorter ones where a processor plays it.
func TestLongFills(t *testing.T) {
	dev := cuda.OpenForTest(t)
	n := 1<<13 + 3
	if os.Getenv("PHILOX_REQUIRE_CUDA") == "1" && !testing.Short() {
		n = 1<<20 + 3
	}
	for i, op := range allOperators() {
		t.Run(op.name, func(t *testing.T) {
			for offset := range 4 {
				seed := uint64(4*i + offset)
				op.run(t, dev, random.NewGenerator(random.CPU(), seed), random.NewGenerator(dev.Random(), seed), n, offset)
			}
		})
	}
}

// Arguments are wrong on a device as they are on the CPU, and take and write nothing.
func TestOperatorErrors(t *testing.T) {
	dev := cuda.OpenForTest(t)
	g := random.NewGenerator(dev.Random(), 42)
	buf, err := cuda.Alloc[float32](dev, 100)
	require.NoError(t, err)
	defer buf.Free()
	require.NoError(t, buf.SetBytes(0xab))
	mask, err := cuda.Alloc[byte](dev, 16)
	require.NoError(t, err)
	defer mask.Free()
	ints, err := cuda.Alloc[int32](dev, 100)
	require.NoError(t, err)
	defer ints.Free()
	halves, err := cuda.Alloc[uint16](dev, 100)
	require.NoError(t, err)
	defer halves.Free()
	require.NoError(t, halves.SetBytes(0xab))
	other, err := cuda.Open(0)
	require.NoError(t, err)
	defer other.Close()
	foreign, err := cuda.Alloc[float32](other, 100)
	require.NoError(t, err)
	high, err := g.Substream(1 << 48)
	require.NoError(t, err)
	exhausted := random.NewGenerator(dev.Random(), 1)
	require.NoError(t, exhausted.SetOffset(math.MaxUint64))
	stray := random.NewGenerator(random.CUDA(7), 42)
	for _, c := range []struct {
		what string
		err  error
		want string
	}{
		{"bounds", cuda.Uniform(g, buf, 2, 1), "random: lo = 2: must be less than hi, 1"},
		{"std", cuda.Normal(g, buf, 0, -1), "random: std = -1: must be a finite number of at least 0"},
		{"p", cuda.Bernoulli(g, buf, 1.5), "random: p = 1.5: must be a number from 0 to 1"},
		{"rate", cuda.Exponential(g, buf, 0), "random: rate = 0: must be a finite number above 0"},
		{"integers", cuda.IntN(g, ints, 3, 3), "random: lo = 3: must be less than hi, 3"},
		{"mask too short", cuda.Dropout(g, buf, mask.Slice(0, 15), buf, 0.5, true), "cuda: len(mask) = 15: must be at least 16 for 100 elements"},
		{"mask of a gradient too short", cuda.DropoutBackward(buf, mask.Slice(0, 15), buf, 0.5), "cuda: len(mask) = 15: must be at least 16 for 100 elements"},
		{"source of another opening", cuda.DropoutBackward(buf, mask, foreign, 0.5), "cuda: buffer = one of cuda:0: must be of this cuda:0"},
		{"high stream of words for integers", fill(cuda.IntNs[int32](0, 10))(ints, philox.New(1).Substream(1<<48), 0), "random: s = a stream at counter [0 0 0 65536]: word 3 must be below 2^16"},
		{"lengths", cuda.Dropout(g, buf, mask, buf.Slice(0, 99), 0.5, true), "cuda: len(dst) = 100: must be that of the source, 99"},
		{"p of dropout", cuda.Dropout(g, buf, mask, buf, math.NaN(), false), "random: p = NaN: must be a number from 0 to 1"},
		{"p of a mask", cuda.DropoutMask(g, mask, 3, -1), "random: p = -1: must be a number from 0 to 1"},
		{"n of a mask", cuda.DropoutMask(g, mask, -1, 0.5), "cuda: n = -1: must not be negative"},
		{"format", cuda.UniformHalf(g, halves, 2, 0, 1), "random: format = Half(2): must be Float16 or BFloat16"},
		{"format of dropout", cuda.DropoutHalf(g, halves, 2, mask, halves, 0.5, true), "random: format = Half(2): must be Float16 or BFloat16"},
		{"format of dropout from a state", cuda.DropoutHalfFrom(nil, halves, 3, mask, halves, 0.5), "random: format = Half(3): must be Float16 or BFloat16"},
		{"format of a gradient", cuda.DropoutBackwardHalf(halves, 255, mask, halves, 0.5), "random: format = Half(255): must be Float16 or BFloat16"},
		{"another opening", cuda.Dropout(g, buf, mask, foreign, 0.5, true), "cuda: buffer = one of cuda:0: must be of this cuda:0"},
		{"generator of the CPU", cuda.Normal(random.NewGenerator(random.CPU(), 1), buf, 0, 1), "random: the generator's device = cpu: must be cuda:0"},
		{"another index", cuda.DropoutMask(stray, mask, 3, 0.5), "random: the generator's device = cuda:7: must be cuda:0"},
		{"high stream", cuda.IntN(high, ints, 0, 10), "random: stream = 281474976710656: must be below 2^48 where elements may have to be drawn again"},
		{"exhausted", cuda.Normal(exhausted, buf, 0, 1), "random: blocks = 25: must be at most 1, what the stream has left"},
		{"no distribution", cuda.Dist[float32]{}.Next(g, buf), "cuda: dist = Dist{}: must be made by one of the functions that return a Dist"},
		{"no buffer", cuda.Normal(g, cuda.Buffer[float32]{}, 0, 1), "cuda: the buffer is closed or freed"},
		{"no state", cuda.Uint32s().FillFrom(cuda.Buffer[uint32]{}, nil), "cuda: the state is closed or freed"},
	} {
		assert.EqualError(t, c.err, c.want, c.what)
	}
	assert.Zero(t, g.Offset())
	got := make([]float32, 100)
	require.NoError(t, buf.CopyTo(got))
	for _, x := range got {
		require.Equal(t, uint32(0xabababab), math.Float32bits(x))
	}
	gotHalves := make([]uint16, 100)
	require.NoError(t, halves.CopyTo(gotHalves))
	for _, x := range gotHalves {
		require.Equal(t, uint16(0xabab), x)
	}
	bad := (*skip.ArgumentError)(nil)
	require.ErrorAs(t, cuda.Uniform(g, buf, 2, 1), &bad)
	require.ErrorIs(t, cuda.Normal(stray, buf, 0, 1), random.ErrDevice)
	require.ErrorIs(t, cuda.Normal(exhausted, buf, 0, 1), random.ErrExhausted)
}

// fill is Fill of a distribution that must be one.
func fill[T cuda.Element](d cuda.Dist[T], err error) func(cuda.Buffer[T], philox.Stream, uint64) error {
	if err != nil {
		panic(err)
	}
	return d.Fill
}

// The words at which something changes must come out as on the CPU: 0, what would round to 1, both halves of the
// circle and the quadrants; and the ends of a truncation and a threshold that are exactly drawn.
func TestExtremeWords(t *testing.T) {
	dev := cuda.OpenForTest(t)
	key := philox.NewKey(42)
	single, wide := newBuffer[float32](t, dev, 4), newBuffer[float64](t, dev, 2)
	normals, err := cuda.Normals[float32](0, 1)
	require.NoError(t, err)
	doubles, err := cuda.Normals[float64](0, 1)
	require.NoError(t, err)
	exponentials, err := cuda.Exponentials[float32](1)
	require.NoError(t, err)
	words := []uint32{0, 1, 1<<29 - 1, 1 << 29, 1<<30 - 1, 1 << 30, 1<<31 - 1, 1 << 31, 3 << 29, 3 << 30, 0xffffff7f, 0xffffff80, 0xffffffcc, 0xffffffff, 0x017db87d}
	for _, x := range words {
		for _, y := range words {
			s := philox.NewAt(key, known.CounterOf(key, [4]uint32{x, y, y, x}))
			want := make([]float32, 4)
			s.FillOpenFloat32(want)
			require.NoError(t, cuda.OpenUniforms().Fill(single, s, 0))
			require.Equal(t, want, contents(t, single), "open, %#x %#x", x, y)
			normal.FillFloat32(s, want)
			require.NoError(t, normals.Fill(single, s, 0))
			require.Equal(t, want, contents(t, single), "normals, %#x %#x", x, y)

			// Between the least and the greatest of them, and then all are accepted at once.
			cut, err := cuda.TruncatedNormals(0, 1, slices.Min(want), slices.Max(want))
			require.NoError(t, err)
			if hi, _ := s.Counter().Uint64s(); hi < 1<<48 {
				require.NoError(t, cut.Fill(single, s, 0))
				require.Equal(t, want, contents(t, single), "truncated, %#x %#x", x, y)
			}
			random32 := func(p float64) []bool {
				chosen := make([]bool, 4)
				for i, w := range []uint32{x, y, y, x} {
					chosen[i] = float64(w) < p*(1<<32)
				}
				return chosen
			}
			for _, w := range []uint32{x, y} {
				p := (float64(w) + 1) / (1 << 32)
				coins, err := cuda.Bernoullis[bool](p)
				require.NoError(t, err)
				flags := newBuffer[bool](t, dev, 4)
				require.NoError(t, coins.Fill(flags, s, 0))
				require.Equal(t, random32(p), contents(t, flags), "bernoulli, %#x %#x", x, y)
				require.NoError(t, flags.Free())
			}
			require.NoError(t, exponentials.Fill(single, s, 0))
			for i, z := range contents(t, single) {
				require.Equal(t, poly.Exponential32([]uint32{x, y, y, x}[i]), z, "exponential, %#x %#x", x, y)
			}
			both := make([]float64, 2)
			normal.FillFloat64(s, both)
			require.NoError(t, doubles.Fill(wide, s, 0))
			require.Equal(t, both, contents(t, wide), "float64 normals, %#x %#x", x, y)
		}
	}
}

// What becomes of a NaN is a NaN, and masks of p = 0 and p = 1 leave a state as it is.
func TestDropoutEdges(t *testing.T) {
	dev := cuda.OpenForTest(t)
	g := random.NewGenerator(dev.Random(), 3)
	x, mask := newBuffer[uint16](t, dev, 1000), newBuffer[byte](t, dev, random.MaskBytes(1000))
	for f, nan := range map[random.Format]uint16{random.Float16: 0x7fff, random.BFloat16: 0xffff} {
		src := make([]uint16, 1000)
		for i := range src {
			src[i] = nan
		}
		require.NoError(t, x.CopyFrom(src))
		require.NoError(t, cuda.DropoutHalf(g, x, f, mask, x, 0.5, true))
		kept := contents(t, mask)
		largest := map[random.Format]uint16{random.Float16: 0x7c00, random.BFloat16: 0x7f80}[f]
		for i, b := range contents(t, x) {
			require.Equal(t, kept[i/8]>>(i%8)&1 == 1, b&0x7fff > largest, "%v %d", f, i)
		}
	}
	state, err := cuda.NewState(dev, philox.New(1))
	require.NoError(t, err)
	defer state.Free()
	for p, b := range map[float64]byte{0: 0xff, 1: 0} {
		require.NoError(t, cuda.DropoutMaskFrom(state, mask, 800, p))
		require.Equal(t, b, contents(t, mask)[42])
		now, err := state.Get(mask.Stream())
		require.NoError(t, err)
		require.Equal(t, philox.New(1), now)
	}
	// With p = 1 a gradient is 0, whatever the mask says.
	grads := newBuffer[float32](t, dev, 1000)
	require.NoError(t, grads.SetBytes(0x3f))
	require.NoError(t, mask.SetBytes(0xff))
	require.NoError(t, cuda.DropoutBackward(grads, mask, grads, 1))
	require.Equal(t, make([]float32, 1000), contents(t, grads))
	// No elements, no mask, in training; and a generator of another device is refused all the same.
	none := newBuffer[float32](t, dev, 0)
	require.NoError(t, cuda.Dropout(g, none, cuda.Buffer[byte]{}, none, 0.5, true))
	require.ErrorIs(t, cuda.Dropout(random.NewGenerator(random.CPU(), 1), grads, cuda.Buffer[byte]{}, grads, 0.5, false), random.ErrDevice)
	require.NoError(t, mask.Free())
	require.ErrorIs(t, cuda.DropoutBackward(grads, mask, grads, 0.5), cuda.ErrClosed)
}

// Numbers that may be drawn again need room in the counter, now and at any later Set.
func TestStatesOfHighStreams(t *testing.T) {
	dev := cuda.OpenForTest(t)
	dice, err := cuda.IntNs[uint8](1, 7)
	require.NoError(t, err)
	x, words := newBuffer[uint8](t, dev, 100), newBuffer[uint32](t, dev, 100)
	high := philox.New(1).Substream(1<<48 - 1)
	state, err := cuda.NewState(dev, high)
	require.NoError(t, err)
	defer state.Free()
	const text = "cuda: s = a stream at counter [0 0 4294967295 65535]: must be below stream 2^48 - 1 for numbers that may be drawn again"
	require.NoError(t, cuda.Uint32s().FillFrom(words, state))
	require.EqualError(t, dice.FillFrom(x, state), text)
	require.NoError(t, state.Set(philox.New(1).Substream(1<<48-2), x.Stream()))
	require.NoError(t, dice.FillFrom(x, state))
	require.EqualError(t, state.Set(high, x.Stream()), text)
	zero := new(cuda.State)
	require.ErrorIs(t, zero.Set(high, x.Stream()), cuda.ErrClosed)
	_, err = zero.Get(x.Stream())
	require.ErrorIs(t, err, cuda.ErrClosed)
	require.ErrorIs(t, dice.FillFrom(x, zero), cuda.ErrClosed)
}

// Load loads all that fills need.
func TestLoad(t *testing.T) {
	dev := cuda.OpenForTest(t)
	require.NoError(t, cuda.Uint32s().Load(dev))
	assert.ElementsMatch(t, []string{"uint32", "uint32_across", "uint32_state", "prepare"}, cuda.LoadedStages(dev))
}

// A nil generator is the device's default one.
func TestDefaultGenerator(t *testing.T) {
	dev := cuda.OpenForTest(t)
	buf, err := cuda.Alloc[float32](dev, 50)
	require.NoError(t, err)
	defer buf.Free()
	random.ManualSeed(7)
	require.NoError(t, cuda.Normal(nil, buf, 0, 1))
	require.NoError(t, cuda.Normal(nil, buf, 0, 1))
	want, got := make([]float32, 50), make([]float32, 50)
	cpu := random.NewGenerator(random.CPU(), 7)
	require.NoError(t, random.Normal(cpu, want, 0, 1))
	require.NoError(t, random.Normal(cpu, want, 0, 1))
	require.NoError(t, buf.CopyTo(got))
	assert.Equal(t, want, got)
	assert.Equal(t, cpu.Offset(), random.Default(dev.Random()).Offset())
}

// PyTorch's values change with the number of multiprocessors from 40961 elements on
// (pytorch/pytorch#194676), and lanes raced where a stride was one short
// (tensorflow/tensorflow#10298).
func TestGridsGiveTheSameNumbers(t *testing.T) {
	dev := cuda.OpenForTest(t)
	normals, err := cuda.Normals[float32](0, 1)
	require.NoError(t, err)
	for _, n := range []int{40_961, 2*256*4*4 + 3, 1<<20 + 3} {
		buf, err := cuda.Alloc[float32](dev, n)
		require.NoError(t, err)
		want, got := make([]float32, n), make([]float32, n)
		require.NoError(t, random.Normal(random.NewGenerator(random.CPU(), 3), want, 0, 1))
		for _, grid := range []int{0, 1, 40, 132, 132, math.MaxInt} {
			require.NoError(t, buf.SetBytes(0xff))
			require.NoError(t, normals.Fill(buf.WithMaxGrid(grid), philox.New(3), 0))
			require.NoError(t, buf.CopyTo(got))
			require.Equal(t, want, got, "n = %d, grid = %d", n, grid)
		}
		require.NoError(t, buf.Free())
	}
	assert.PanicsWithValue(t, "cuda: WithMaxGrid: n = -1: must not be negative", func() { cuda.Buffer[byte]{}.WithMaxGrid(-1) })
}
