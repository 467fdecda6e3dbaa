package curand

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/rosetta/mufu"
	"github.com/philox-go/rng/skip"
)

// starts are places with every carry of the counter near.
var starts = [][3]uint64{ // seed, subsequence, offset
	{0, 0, 0}, {42, 1, 1}, {42, 7, 6}, {1<<40 + 7, math.MaxUint32, 4*math.MaxUint32 + 3},
	{1, math.MaxUint64, math.MaxUint64}, {2, math.MaxUint32, math.MaxUint64 - 5},
}

// word is word i of a sequence by the definition: block i/4 of the counter that the subsequence
// begins.
func word(seed, subsequence uint64, offset, i uint64) uint32 {
	c := skip.FromUint64s(subsequence, offset/4).Skip((offset%4 + i) / 4)
	return philox.Block(philox.NewKey(seed), c)[(offset%4+i)%4]
}

func TestWords(t *testing.T) {
	for _, at := range starts {
		s := Init(at[0], at[1], at[2])
		four := s
		for i := range uint64(40) {
			require.Equal(t, word(at[0], at[1], at[2], i), s.Uint32(), "%v: word %d", at, i)
		}
		for i := range uint64(10) {
			for k, x := range four.Uint32x4() {
				require.Equal(t, word(at[0], at[1], at[2], 4*i+uint64(k)), x, "%v: word %d of block %d", at, k, i)
			}
		}
		assert.Equal(t, s, four, "%v: the same words were taken", at)
	}
}

func TestSkipahead(t *testing.T) {
	for _, at := range starts {
		for n := range uint64(20) {
			want, got := Init(at[0], at[1], at[2]), Init(at[0], at[1], at[2])
			for range n {
				want.Uint32()
			}
			got.Skipahead(n)
			assert.Equal(t, want, got, "%v: %d words", at, n)
		}
	}
	far := Init(1, 0, 0)
	for range 8 {
		far.Skipahead(1 << 63)
	}
	assert.Equal(t, Init(1, 1, 0), func() State { far.Skipahead(0); return far }(), "2^66 words are a subsequence")
	s := Init(1, math.MaxUint64, 9)
	s.SkipaheadSequence(3)
	assert.Equal(t, Init(1, 2, 9), s, "subsequences wrap around")
}

// What is kept comes from the call before, whatever was asked for since.
func TestKept(t *testing.T) {
	pair := func() [2]float32 { s := Init(5, 6, 7); return s.Normal2() }()
	logs := func() [2]float32 { s := Init(5, 6, 7); return s.LogNormal2(0.1, 0.3) }()
	later := func() [2]float32 { s := Init(5, 6, 9); return s.Normal2() }()
	doubles := func() [2]float64 { s := Init(5, 6, 7); return s.Normal2Double() }()

	s := Init(5, 6, 7)
	assert.Equal(t, pair[0], s.Normal())
	other := s
	assert.Equal(t, pair[1], s.Normal())
	assert.Equal(t, later[0], s.Normal(), "nothing is kept any more")

	s = other
	s.Skipahead(100)
	s.SkipaheadSequence(3)
	assert.Equal(t, pair[1], s.Normal(), "skipping leaves what is kept")

	s = other
	s.LogNormal(0, 1)
	assert.Equal(t, Init(5, 6, 11).Copy().Normal(), s.Normal(), "a log-normal number takes the place of what was kept")

	s = Init(5, 6, 7)
	assert.Equal(t, logs[0], s.LogNormal(0.1, 0.3))
	assert.Equal(t, logs[1], s.LogNormal(17, 4), "what is kept has the parameters of its own call")

	s = Init(5, 6, 7)
	assert.Equal(t, doubles[0], s.NormalDouble())
	assert.Equal(t, Init(5, 6, 11).Copy().Normal(), s.Normal(), "float32 has a place of its own")
	assert.Equal(t, doubles[1], s.NormalDouble())
}

// Copy makes a method of a State that has no name.
func (s State) Copy() *State { return &s }

func TestManyAreSingle(t *testing.T) {
	one, four := Init(3, 2, 1), Init(3, 2, 1)
	var want [8]any
	for i := range want {
		want[i] = one.Uniform()
	}
	a, b := four.Uniform4(), four.Uniform4()
	assert.Equal(t, want[:], []any{a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]})
	for _, lambda := range []float64{3, 100} {
		one, four := Init(3, 2, 1), Init(3, 2, 1)
		assert.Equal(t, four.Poisson4(lambda), [4]uint32{one.Poisson(lambda), one.Poisson(lambda), one.Poisson(lambda), one.Poisson(lambda)})
	}
}

func TestPoissonMoments(t *testing.T) {
	for _, lambda := range []float64{0.5, 3.5, 63, 64, 500, 4000, 4001, 1e6} {
		s := Init(11, 0, 0)
		const n = 20000
		var sum, squares float64
		for range n {
			d := float64(s.Poisson(lambda)) - lambda
			sum += d
			squares += d * d
		}
		assert.InDelta(t, 0, sum/n, 5*math.Sqrt(lambda/n), "lambda = %v: mean", lambda)
		assert.InEpsilon(t, lambda, squares/n, 0.12, "lambda = %v: variance", lambda)
	}
}

func TestPoissonLambda(t *testing.T) {
	for _, lambda := range []float64{0, -1, math.Inf(-1)} {
		s := Init(1, 0, 0)
		assert.Zero(t, s.Poisson(lambda), lambda)
	}
	defer func() {
		err, _ := recover().(error)
		var argument *skip.ArgumentError
		require.ErrorAs(t, err, &argument)
		assert.Equal(t, "curand: lambda = NaN: must be a number", err.Error())
	}()
	s := Init(1, 0, 0)
	s.Poisson(math.NaN())
	assert.Fail(t, "no panic")
}

// Conversions end at the ends of the range on a GPU, other than in Go.
func TestConversions(t *testing.T) {
	for _, c := range []struct {
		x float64
		u uint32
		i int32
	}{
		{0, 0, 0}, {1.99, 1, 1}, {-1.99, 0, -1}, {1e10, math.MaxUint32, math.MaxInt32}, {-1e10, 0, math.MinInt32},
		{math.Inf(1), math.MaxUint32, math.MaxInt32}, {math.Inf(-1), 0, math.MinInt32}, {math.MaxUint32 - 0.5, math.MaxUint32 - 1, math.MaxInt32},
	} {
		assert.Equal(t, c.u, toUint32(c.x), c.x)
		assert.Equal(t, c.i, toInt32(c.x), c.x)
	}
}

func TestUniformEnds(t *testing.T) {
	for _, c := range []struct {
		word   uint32
		single float32
		coarse float64
	}{
		{0, 0x1p-33, 0x1p-32}, {1, 0x1.8p-32, 0x1p-31}, {math.MaxUint32 - 128, 1 - 0x1p-24, 1 - 0x1p-25}, {math.MaxUint32 - 127, 1, 1 - 0x1.fcp-26}, {math.MaxUint32, 1, 1},
	} {
		t.Run(fmt.Sprint(c.word), func(t *testing.T) {
			assert.Equal(t, c.single, mufu.Uniform(c.word))
			assert.Equal(t, c.coarse, coarse(c.word))
		})
	}
}
