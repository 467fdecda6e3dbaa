package torch

import (
	"math"
	"math/big"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/random"
	"github.com/philox-go/rng/rosetta/curand"
	"github.com/philox-go/rng/rosetta/internal/engine"
	"github.com/philox-go/rng/rosetta/mufu"
	"github.com/philox-go/rng/skip"
)

var h200 = GPU{"H200", 132, 2048}

func TestCard(t *testing.T) {
	for name, want := range map[string]GPU{
		"h200": {"H200", 132, 2048}, "NVIDIA H200": {"H200", 132, 2048}, "h100 pcie": {"H100-PCIe", 114, 2048},
		"H100": {"H100-SXM", 132, 2048}, "rtx_3090": {"RTX-3090", 82, 1536}, "4090": {"RTX-4090", 128, 1536}, "t4": {"T4", 40, 1024},
		"132x2048": {"132x2048", 132, 2048}, "1x256": {"1x256", 1, 256},
	} {
		got, err := Card(name)
		require.NoError(t, err)
		assert.Equal(t, want, got, name)
	}
	for _, name := range []string{"", "h", "h300", "0x2048", "-1x256", "1x-256", "132x255", "132x", "x", "-x2048", "132x2048x2", "1e2x1024", "70000x2048", "99999999999999999999x1"} {
		_, err := Card(name)
		require.Error(t, err, name)
		assert.ErrorAs(t, err, new(*skip.ArgumentError))
		assert.Contains(t, err.Error(), "gpu = ")
	}
	_, err := Card("h300")
	assert.Contains(t, err.Error(), "H200")
	assert.Contains(t, err.Error(), "132x2048")
	seen := map[string]bool{}
	for _, c := range Cards() {
		got, err := Card(c.Name)
		require.NoError(t, err)
		assert.Equal(t, c, got)
		assert.False(t, seen[c.Name], c.Name)
		seen[c.Name] = true
	}
	Cards()[0].SMs = 7
	assert.NotEqual(t, 7, Cards()[0].SMs)
	assert.Panics(t, func() { NewGenerator(GPU{}, 1) })
}

func TestState(t *testing.T) {
	g := NewGenerator(h200, 1<<40+7)
	require.NoError(t, g.SetOffset(12))
	assert.Equal(t, []byte{7, 0, 0, 0, 0, 1, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0}, g.State())
	o := NewGenerator(h200, 0)
	require.NoError(t, o.SetState(g.State()))
	assert.Equal(t, []uint64{1<<40 + 7, 12}, []uint64{o.InitialSeed(), o.Offset()})
	c := o.Clone()
	require.NoError(t, Random(o, make([]bool, 1)))
	assert.Equal(t, []uint64{16, 12}, []uint64{o.Offset(), c.Offset()})
	assert.Equal(t, h200, c.GPU())
	o.ManualSeed(3)
	assert.Equal(t, []uint64{3, 0}, []uint64{o.InitialSeed(), o.Offset()})
	require.NoError(t, o.SetState([]byte{1, 2, 0, 0, 0, 0, 0, 0x80}))
	assert.Equal(t, []uint64{0x80<<56 | 0x201, 0}, []uint64{o.InitialSeed(), o.Offset()})

	before := o.State()
	for _, n := range []int{0, 1, 7, 9, 15, 17, 24} {
		assert.ErrorContains(t, o.SetState(make([]byte, n)), "must be 16")
	}
	for _, off := range []uint64{1, 2, 3, 5, math.MaxUint64} {
		assert.ErrorContains(t, o.SetOffset(off), "must be a multiple of 4")
		s := NewGenerator(h200, 9).State()
		s[8] = byte(off)
		assert.ErrorContains(t, o.SetState(s), "must be a multiple of 4")
	}
	assert.Equal(t, before, o.State())
	require.NoError(t, o.SetOffset(math.MaxUint64-3), "as PyTorch's -4")
}

// Numbers in the middle between two float32, and beside it, as math/big rounds them.
func TestNearest32(t *testing.T) {
	for _, power := range []uint{0, 23, 24, 25, 40, 52, 53, 54, 61, 62} {
		for _, step := range []int64{0, 1, 1 << power >> 24, 1 << power >> 25, 3 << power >> 25} {
			for d := int64(-2); d <= 2; d++ {
				for _, x := range []int64{1<<power + step + d, -(1<<power + step + d)} {
					want, _ := new(big.Float).SetInt64(x).Float32()
					require.Equal(t, want, nearest32(x), "%d", x)
				}
			}
		}
	}
	for _, x := range []int64{math.MaxInt64, math.MinInt64, math.MinInt64 + 1} {
		want, _ := new(big.Float).SetInt64(x).Float32()
		require.Equal(t, want, nearest32(x), "%d", x)
	}
}

// Every operator refuses what it has no numbers for, and writes and takes nothing then.
func TestBadArguments(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	x32, x16, i8, perm := []float32{5}, []Float16{5}, []int8{5}, make([]uint8, 300)
	g := NewGenerator(h200, 1)
	for _, c := range []struct {
		want string
		err  error
	}{
		{"from = 1: must be at most to", Uniform(g, x32, 1, 0)},
		{"to = +Inf: must be finite in float32", Uniform(g, x32, 0, inf)},
		{"from = NaN: must be finite", Uniform(g, x32, nan, 1)},
		{"to = 1e+06: must be finite in float16", Uniform(g, x16, 0, 1e6)},
		{"to = 3e+38: must be at most the largest float32 above from", Uniform(g, x32, -3e38, 3e38)},
		{"std = -1: must be at least 0", Normal(g, x32, 0, -1)},
		{"std = NaN: must be at least 0", Normal(g, x32, 0, nan)},
		{"std = 0: must be above 0", LogNormal(g, x32, 0, 0)},
		{"lambd = 0: must be above 0", Exponential(g, x32, 0)},
		{"sigma = 0: must be above 0", Cauchy(g, x32, 0, 0)},
		{"p = 1: must be above 0 and below 1", Geometric(g, x32, 1)},
		{"p = 0: must be above 0 and below 1", Geometric(g, i8, 0)},
		{"p = 1.5: must be 0 to 1", Bernoulli(g, x32, 1.5)},
		{"p = NaN: must be 0 to 1", Bernoulli(g, x32, nan)},
		{"p = -1: must be 0 to 1", BernoulliTensor(g, x32, []float64{-1})},
		{"len(p) = 2: must be len(dst)", BernoulliTensor(g, x32, []float64{1, 1})},
		{"to = 200: less 1 must be -128 to 127, as int8 has them", RandInt(g, i8, 0, 200)},
		{"from = -129: must be -128 to 127, as int8 has them", RandInt(g, i8, -129, 5)},
		{"from = 5: must be at most 4", RandInt(g, i8, 5, 5)},
		{"from = -70000: must be -65504 to 65504, as float16 has them", RandInt(g, x16, -70000, 3)},
		{"from = 1: must be below to", RandInt(g, []int64{5}, 1, math.MinInt64)},
		{"to = 3: less 1 must be 0 to 1, as bool has them", RandInt(g, []bool{true}, 0, 3)},
		{"from = 1000: must be at most 256", RandIntFrom(g, []BFloat16{5}, 1000)},
		{"from = -9223372036854775808: must be -65504 to 65504, as float16 has them", RandIntFrom(g, x16, math.MinInt64)},
		{"p = 1.5: must be 0 to 1", Dropout(g, x32, make([]bool, 1), x32, 1.5)},
		{"len(mask) = 2: must be len(src)", Dropout(g, x32, make([]bool, 2), x32, .5)},
		{"len(dst) = 1: must be len(src)", Dropout(g, x32, make([]bool, 2), make([]float32, 2), .5)},
		{"storage's offset = -1: must be at least 0", DropoutStorage(g, x32, make([]bool, 1), x32, .5, Storage{Offset: -1})},
		{"n = 300: must be at most 256 for uint8", RandPerm(g, perm)},
		{"len(dst) = 1: must be rows*k", Multinomial(g, []int64{5}, x32, 1, 2, false)},
		{"rows = 0: must be at least 1", Multinomial(g, nil, x32, 0, 2, false)},
		{"weights = -1: at 0 must be at least 0", Multinomial(g, []int64{5}, []float32{-1, 1}, 1, 1, false)},
		{"weights = 0: weights above 0 in row 0 must be at least k", Multinomial(g, []int64{5}, []float32{0}, 1, 1, true)},
		{"weights = 1: weights above 0 in row 0 must be at least k", Multinomial(g, []int64{5, 5}, []float32{1, 0}, 1, 2, false)},
		{"a = 2: must be at most b", TruncNormal(g, x32, 0, 1, 2, -2)},
		{"std = 0: must be above 0", TruncNormal(g, x32, 0, 0, -2, 2)},
		{"gain = 0: must be a finite number above 0", XavierNormal(g, x32, []int{1, 1}, 0)},
		{"shape = [2 2]: must have as many elements as there are, 1", XavierUniform(g, x32, []int{2, 2}, 1)},
		{"mode = FanMode(7): must be FanIn or FanOut", KaimingNormal(g, x32, []int{1, 1}, random.Kaiming{Mode: 7})},
		{"Strides[0] = 0: must be above 0", Strided(random.View[float32]{Data: x32, Shape: []int{2}, Strides: []int{0}}, nil)},
	} {
		if assert.ErrorContains(t, c.err, c.want) {
			assert.ErrorAs(t, c.err, new(*skip.ArgumentError), c.want)
		}
	}
	assert.Zero(t, g.Offset())
	assert.Equal(t, []any{[]float32{5}, []Float16{5}, []int8{5}, make([]uint8, 300)}, []any{x32, x16, i8, perm})

	for _, c := range [][]string{
		{"op = \"x\"", "x", "float32"}, {"dtype = \"int8\"", "uniform", "int8"}, {"p = \"none\": must be given", "geometric", "float32"},
		{"mean = \"x\": must be a number", "normal", "float32", "x"}, {"std = \"y\": must be a number", "log_normal", "float32", "0", "y"}, {"args = ", "normal", "float32", "1", "2", "3"},
		{"to = \"1.5\": must be an integer", "randint", "int8", "0", "1.5"}, {"n = 5", "state_bytes", "uint8"},
		{"samples = 2", "multinomial", "float32", "2", "false", "1"}, {"weights = \"none\"", "multinomial", "float32", "1", "false"},
		{"mode = \"out\"", "kaiming_normal", "float32", "5x1", "out"}, {"nonlinearity = \"elu\"", "kaiming_normal", "float32", "5x1", "fan_in", "elu"},
		{"shape = \"5y\"", "xavier_normal", "float32", "5y"}, {"start = \"2\"", "bernoulli_tensor", "float32", "2"},
	} {
		_, err := Plan(g, c[1], c[2], 5, c[3:]...)
		require.Error(t, err, c)
		assert.ErrorAs(t, err, new(*skip.ArgumentError))
	}
	_, err := Plan(g, "gauss", "float32", 5)
	assert.ErrorContains(t, err, "must be one of uniform, normal")
	_, err = Plan(g, "normal", "int8", 5)
	assert.ErrorContains(t, err, "must be one of float32, float64, float16, bfloat16")
	for _, name := range []string{"", "gauss_float32", "normal_1_2_3_float32", "uniform_view_8x10_step2", "dropout_0.1_line_3_float32"} {
		_, err := Named(g, name, 5)
		assert.ErrorAs(t, err, new(*skip.ArgumentError), name)
	}
	for _, n := range []uint64{1<<40 + 1, 1 << 60, math.MaxUint64} {
		_, err = Plan(g, "uniform", "float32", n)
		assert.ErrorContains(t, err, "must be at most 2^40")
	}
	_, err = Plan(g, "uniform", "float64", 1<<40)
	assert.NoError(t, err)
	_, err = Plan(g, "multinomial", "float32", 1<<39, "1", "true", "1", "2")
	assert.ErrorContains(t, err, "weights together")
	assert.ErrorContains(t, Uniform(new(Generator), []float32{5}, 0, 1), "gpu = 0x0")
	_, err = Plan(new(Generator), "uniform", "float32", 5)
	assert.ErrorContains(t, err, "gpu = 0x0")
	f, err := Plan(g, "normal", "float32", 5)
	require.NoError(t, err)
	assert.Error(t, f.Fill(make([]byte, 3), 0))
	assert.Error(t, f.Fill(make([]byte, 8), 4))
	assert.Error(t, f.Fill(make([]byte, 4), math.MaxUint64))
	assert.NoError(t, f.Fill(nil, 5))
}

// presets are arguments for every operator that needs some.
var presets = map[string][]string{
	"geometric": {"0.3"}, "random_from": {"1"}, "randint": {"0", "2"}, "multinomial": {"1", "false", "1", "2", "3"},
}

// Every operator of every type: any part is that part of the whole, at any address.
func TestParts(t *testing.T) {
	small := GPU{"small", 2, 256} // so that there are many rows
	for _, o := range Operators() {
		for _, d := range o.DTypes {
			n := uint64(6007)
			args := presets[o.Name]
			switch {
			case o.Name == "state_bytes":
				n = StateBytes
			case o.Name == "randperm":
				n = 120
			case len(o.Name) > 7 && (o.Name[:6] == "xavier" || o.Name[:7] == "kaiming"):
				args = []string{"6007x1"}
			}
			g := NewGenerator(small, 5)
			require.NoError(t, g.SetOffset(1<<34-8))
			f, err := Plan(g, o.Name, d, n, args...)
			require.NoError(t, err, "%s %s", o.Name, d)
			require.Equal(t, n, f.Len())
			require.Equal(t, o.Name, f.Op())
			all := make([]byte, n*uint64(f.Size()))
			require.NoError(t, f.Fill(all, 0))
			for _, p := range [][2]uint64{{0, 1}, {1, 5}, {n - 1, 1}, {n / 2, n / 4}, {511, 1026}, {1024, 2048}, {n / 3, n - n/3}} {
				from, m := min(p[0], n), p[1]
				m = min(m, n-from)
				mem := make([]byte, 1+m*uint64(f.Size()))
				part := mem[1:]
				require.NoError(t, f.Fill(part, from))
				require.True(t, slices.Equal(all[from*uint64(f.Size()):][:len(part)], part), "%s %s: %d from %d on", o.Name, d, m, from)
			}
			require.Equal(t, uint64(1<<34-8), g.Offset())
		}
	}
}

func TestGoroutines(t *testing.T) {
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	var want []float32
	for _, procs := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(procs)
		x := make([]float32, 3_000_001)
		require.NoError(t, Normal(NewGenerator(h200, 3), x, 1, 2))
		if want == nil {
			want = x
		}
		require.True(t, slices.Equal(want, x), "%d", procs)
	}
}

// convert makes numbers of words, each of which stands in every lane of a block.
func convert[T Element](c *engine.Convert[T], word uint32) T {
	var out [4][1]T
	c.Do([][]T{out[0][:], out[1][:], out[2][:], out[3][:]}[:c.PerBlock], &[4][]uint32{{word}, {word}, {word}, {word}})
	return out[0][0]
}

// Uniform numbers at and just below 1, which logarithms and tangents are not asked for.
func TestAtTheEnds(t *testing.T) {
	// From 2^32-128 on words are 1, and from 2^32-383 on 1-2^-24.
	for _, w := range []uint32{math.MaxUint32, math.MaxUint32 - 127, math.MaxUint32 - 200, math.MaxUint32 - 382} {
		assert.Equal(t, float32(0x1p-24), convert(exponentials[float32](1), w), "%08x", w)
		assert.Equal(t, float32(0x1p-25), convert(exponentials[float32](2), w), "%08x", w)
	}
	assert.Greater(t, convert(exponentials[float32](1), math.MaxUint32-383), float32(0x1p-24))
	// Two words of 21 and 32 ones are the greatest of 53 bits.
	x, y := uint32(1<<21-1), uint32(math.MaxUint32)
	var out [2][1]float64
	exponentials[float64](1).Do([][]float64{out[0][:], out[1][:]}, &[4][]uint32{{x}, {y}, {x}, {y}})
	assert.Equal(t, 0x1p-53, out[0][0])

	high, low := convert(cauchys[float32](0, 1), math.MaxUint32), convert(cauchys[float32](0, 1), 0)
	assert.Equal(t, mufu.FastTan(float32(math.Pi)*(1-0x1p-23-0.5)), high)
	assert.Equal(t, mufu.FastTan(float32(math.Pi)*(0x1p-23-0.5)), low)
	require.NoError(t, Uniform(NewGenerator(h200, 1), make([]float32, 1), 0, math.MaxFloat32), "to-from may be the largest float32")
}

// -1/lambda is one division in float32; 1.1 tells it from a rounded quotient of float64.
func TestExponentialScale(t *testing.T) {
	lambda := float32(1.1)
	require.NotEqual(t, -1/lambda, float32(-1/1.1))
	assert.Equal(t, float32(-1/lambda)*float32(-0x1p-24), convert(exponentials[float32](1.1), math.MaxUint32))
}

// What is kept is compared with 1-p in float64, rounded to float32 where the tensor is not of
// float64.
func TestKeepLimit(t *testing.T) {
	different := 0
	for i := range 1000 {
		p := float64(i) / 1001
		assert.Equal(t, 1-p, keepLimit[float64](p))
		assert.Equal(t, float64(float32(1-p)), keepLimit[BFloat16](p))
		if float32(1-p) != 1-float32(p) {
			different++
		}
	}
	assert.NotZero(t, different)
}

// Element i is of thread i/4, however many there are, and is 1 also where the number is p.
func TestBernoulliTensorOfManyThreads(t *testing.T) {
	const n = 300_007
	g := NewGenerator(h200, 1<<40+7)
	require.NoError(t, g.SetOffset(8))
	s := source{h200, g.load()}
	p, dst := make([]float32, n), make([]uint8, n)
	for i := range p {
		p[i] = mufu.Uniform(s.words(uint64(i/4), 0)[i%4])
		if i%2 == 1 {
			p[i] = math.Nextafter32(p[i], 0)
		}
	}
	require.NoError(t, BernoulliTensor(g, dst, p))
	for i, x := range dst {
		require.Equal(t, uint8(1-i%2), x, "%d", i)
	}
}

// Islands of equal keys are shuffled by cuRAND's state of the thread where they begin.
func TestIslands(t *testing.T) {
	for _, n := range []int{2, 5, 6, 9, 30} {
		const before = 3
		keys, perm := make([]uint64, before+n+1), make([]int32, before+n+1)
		for i := range keys {
			keys[i], perm[i] = uint64(min(i, before)), int32(100+i)
		}
		keys[before+n]++
		want := slices.Clone(perm)
		c := curand.Init(77<<32|5, before, 1<<34-8)
		for i := n - 1; i > 0; i-- {
			r := int(c.Uint32() % uint32(i+1))
			want[before+i], want[before+r] = want[before+r], want[before+i]
		}
		shuffleIslands(source{h200, place{77<<32 | 5, 1<<34 - 8}}, perm, keys)
		assert.Equal(t, want, perm, "%d", n)
	}
}

// Initialisers draw nothing where there is nothing.
func TestEmptyWeights(t *testing.T) {
	g := NewGenerator(h200, 1)
	for _, shape := range [][]int{{3, 0}, {0, 3}, {0, 0}} {
		require.NoError(t, KaimingUniform(g, []float32{}, shape, random.Kaiming{}), "%v", shape)
		require.NoError(t, XavierNormal(g, []BFloat16{}, shape, 1), "%v", shape)
	}
	assert.Zero(t, g.Offset())
}

// Calls from several goroutines never get the same numbers.
func TestSharedGenerator(t *testing.T) {
	g := NewGenerator(h200, 3)
	seen := make(chan int64, 8*50)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				var x [1]int64
				if err := Random(g, x[:]); err != nil {
					t.Error(err)
				}
				seen <- x[0]
			}
		})
	}
	all.Wait()
	close(seen)
	different := map[int64]bool{}
	for x := range seen {
		different[x] = true
	}
	assert.Len(t, different, 8*50)
	assert.EqualValues(t, 8*50*4, g.Offset())
}

// A large tensor is cut by its bytes, the smaller half first.
func TestPieces(t *testing.T) {
	s := source{h200, place{1, 40}}
	ps, after := s.pieces(1<<29, 4, 4)
	assert.Equal(t, []piece{{0, 1 << 29, 40}}, ps)
	row := uint64(132 * 2048 * 4)
	assert.Equal(t, 40+4*((1<<29-1)/row+1), after)
	ps, after = s.pieces(1<<29+1, 4, 4)
	first := 40 + 4*((1<<29)/row+1) // for the whole
	second := first + 4*((1<<28-1)/row+1)
	assert.Equal(t, []piece{{0, 1 << 28, first}, {1 << 28, 1<<28 + 1, second}}, ps)
	assert.Equal(t, second+4*((1<<28)/row+1), after)
	ps, _ = s.pieces(1<<31-1, 1, 4)
	assert.Len(t, ps, 1)
	ps, _ = s.pieces(1<<31, 1, 4)
	assert.Len(t, ps, 2)
	ps, _ = s.pieces(1<<33, 1, 4)
	assert.Len(t, ps, 8)
	for i, p := range ps {
		assert.Equal(t, uint64(i)<<30, p.first)
	}
}

func TestAs(t *testing.T) {
	type mine uint16
	x := make([]mine, 3)
	require.NoError(t, Bernoulli(NewGenerator(h200, 1), As[BFloat16](x), 1))
	assert.Equal(t, []mine{0x3f80, 0x3f80, 0x3f80}, x)
	require.NoError(t, Bernoulli(NewGenerator(h200, 1), As[Float16](x[:2]), 1))
	assert.Equal(t, []mine{0x3c00, 0x3c00, 0x3f80}, x)
	assert.Empty(t, As[Float16]([]uint16(nil)))
}

func TestEmpty(t *testing.T) {
	g := NewGenerator(h200, 1)
	require.NoError(t, Uniform(g, []float32{}, 0, 1))
	require.NoError(t, Dropout(g, []float32{}, nil, nil, 0.5))
	require.NoError(t, RandPerm(g, []int64{}))
	assert.Zero(t, g.Offset())
	require.NoError(t, BernoulliTensor(g, []float32{}, []float32{}))
	assert.Zero(t, g.Offset())
	require.NoError(t, RandPerm(g, make([]uint8, 256)))
	assert.EqualValues(t, 260, g.Offset())
}

// The bounds of a floating-point type's integers, by what its numbers are.
func TestRepresentable(t *testing.T) {
	assert.EqualValues(t, 1<<24, representable[float32](1<<24))
	assert.EqualValues(t, -(1<<24 + 3), representable[float32](-(1<<24 + 3)), "what is behind it is a float32")
	assert.EqualValues(t, 5, representable[int64](5))
	assert.EqualValues(t, 65471, upToRepresentable[Float16](65503))
	assert.EqualValues(t, 2047, upToRepresentable[Float16](2047))
	assert.Equal(t, int64(math.MaxInt64-1), upToRepresentable[float32](math.MaxInt64-1), "beyond 64 bits nothing changes")
}

// benchmarks fill so many numbers that each thread makes whole blocks, by one core, and
// names what it fills with as benchstat wants it.
func benchmarks(b *testing.B, torch func(g *Generator, dst []float32) error, native func(g *random.Generator, dst []float32) error) {
	procs := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(procs)
	x := make([]float32, 4*132*2048)
	for _, c := range []struct {
		name string
		fill func() error
	}{
		{"torch", func() error { return torch(NewGenerator(h200, 1), x) }},
		{"native", func() error { return native(random.NewGenerator(random.CPU(), 1), x) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(4 * int64(len(x)))
			for b.Loop() {
				if err := c.fill(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// One core's speed beside that of the library's own numbers.
func BenchmarkUniform(b *testing.B) {
	benchmarks(b, func(g *Generator, x []float32) error { return Uniform(g, x, 0, 1) },
		func(g *random.Generator, x []float32) error { return random.Uniform(g, x, 0, 1) })
}

func BenchmarkNormal(b *testing.B) {
	benchmarks(b, func(g *Generator, x []float32) error { return Normal(g, x, 0, 1) },
		func(g *random.Generator, x []float32) error { return random.Normal(g, x, 0, 1) })
}

// What is no number has the bits that a GPU gives it, whatever its own are.
func TestDropoutOfNaN(t *testing.T) {
	g, kept := NewGenerator(h200, 1), make([]bool, 2)
	quiet := math.Float32frombits(0xffc00001)
	single := []float32{quiet, float32(math.Inf(-1))}
	require.NoError(t, Dropout(g, single, kept, single, 0))
	assert.Equal(t, []bool{true, true}, kept)
	assert.Equal(t, uint32(0x7fffffff), math.Float32bits(single[0]))
	assert.Equal(t, float32(math.Inf(-1)), single[1])
	half := []Float16{0xfe01, 0x7c00}
	require.NoError(t, Dropout(g, half, kept, half, 0))
	assert.Equal(t, []Float16{0x7fff, 0x7c00}, half)
	brain := []BFloat16{0xffc1, 0xff80}
	require.NoError(t, Dropout(g, brain, kept, brain, 0))
	assert.Equal(t, []BFloat16{0x7fff, 0xff80}, brain)
}
