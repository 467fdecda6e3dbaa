package philox_test

import (
	"fmt"
	"math"
	"math/bits"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/philox"
)

// Faults that others' users reported, by their number in the project's list of
// cases, each with the report it comes from.

// Blocks of key (0,0) by counter. The first is Random123's known answer, and the
// second and third were computed with Random123 for the list of cases.
var knownBlocks = map[philox.Counter][4]uint32{
	{}:           {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
	{0, 1, 0, 0}: {0x6ad0c5ec, 0xea236249, 0x73a459f5, 0x074944b3},
	{0, 0, 1, 0}: {0x844515e1, 0xf08d6eaa, 0x0f19c053, 0x83f875f0},
}

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

// firstBlock returns the first four words that a stream fills.
func firstBlock(s philox.Stream) (b [4]uint32) {
	s.FillUint32(b[:])
	return b
}

func at(c philox.Counter) philox.Stream { return philox.NewAt(philox.Key{}, c) }

func TestCasesKnownBlocks(t *testing.T) {
	for c, want := range knownBlocks {
		assert.Equal(t, want, philox.Block(philox.Key{}, c), "%v", c)
	}
	for name, g := range extremes {
		assert.Equal(t, g.word, philox.Block(philox.Key{}, philox.Counter{uint32(g.block)})[g.lane], "%s", name)
	}
}

// JuliaRandom/Random123.jl#5: the carry out of word 0.
func TestCase1CarryOutOfWord0(t *testing.T) {
	var words [8]uint32
	at(philox.Counter{ones32, 0, 0, 0}).FillUint32(words[:])
	assert.Equal(t, knownBlocks[philox.Counter{0, 1, 0, 0}], [4]uint32(words[4:]))
}

// pytorch/pytorch#13070: a carry that makes the count's own high half overflow.
func TestCase2CarryOverflowsHighHalf(t *testing.T) {
	want := knownBlocks[philox.Counter{0, 0, 1, 0}]
	for _, tt := range []struct {
		from philox.Counter
		n    uint64
	}{
		{philox.Counter{ones32, 0, 0, 0}, 0xffffffff00000001},
		{philox.Counter{1, 0, 0, 0}, ones64},
	} {
		s := at(tt.from).Skip(tt.n)
		assert.Equal(t, philox.Counter{0, 0, 1, 0}, s.Counter())
		assert.Equal(t, want, firstBlock(s))
		assert.Equal(t, want, firstBlock(at(tt.from).Skip128(0, tt.n)))
		assert.Equal(t, tt.from, s.Back(tt.n).Counter())
	}
}

// oneapi/oneDPL#1905: discard went wrong in words that its tests did not overflow.
func TestCase5EveryWordOverflows(t *testing.T) {
	for w := range 3 {
		var from, step, want philox.Counter
		from[w], step[w], want[w+1] = ones32, 1, 1
		hi, lo := step.Uint64s()
		got := at(from).Skip128(hi, lo)
		assert.Equal(t, want, got.Counter(), "word %d", w)
		assert.Equal(t, philox.Block(philox.Key{}, want), firstBlock(got), "word %d", w)
	}
	r := newRand(5)
	for range 200 {
		key, c := philox.NewKey(r.Uint64()), randomCounter(r)
		hi, lo := c.Uint64s()
		skipped, set := philox.New(key.Seed()).Skip128(hi, lo), philox.NewAt(key, c)
		require.Equal(t, set, skipped)
		require.Equal(t, firstBlock(set), firstBlock(skipped))
		require.Equal(t, firstBlock(set), firstBlock(philox.NewAt(key, philox.Counter{0, 0, c[2], c[3]}).Skip(lo)))
	}
}

// arrayfire/arrayfire#2007: the sequence began again after 2^32 draws.
func TestCase6FarBlocksDiffer(t *testing.T) {
	s := philox.New(0)
	assert.Equal(t, knownBlocks[philox.Counter{}], firstBlock(s))
	assert.Equal(t, knownBlocks[philox.Counter{0, 1, 0, 0}], firstBlock(s.Skip(1<<32)))
	assert.Equal(t, knownBlocks[philox.Counter{0, 0, 1, 0}], firstBlock(s.Skip128(1, 0)))
	seen := map[[4]uint32]philox.Counter{}
	for c := range knownBlocks {
		b := firstBlock(at(c))
		assert.NotContains(t, seen, b)
		seen[b] = c
	}
	key, c := philox.Key{1, 2}, philox.Counter{3, 4, 0, 0}
	swapped := philox.Block(philox.Key{3, 4}, philox.Counter{1, 2, 0, 0})
	assert.NotEqual(t, swapped, philox.Block(key, c))
}

// ROCm/rocRAND#234: an offset gave an unrelated stream.
func TestCase7FirstElement(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		const n = 100
		all := k.get(t, philox.New(7), 0, n)
		for first := range 10 {
			got := k.get(t, philox.New(7), uint64(first), n-first)
			equalMemory(t, all[first*k.size:], got, k.size, "first = %d", first)
		}
	})
}

// triton-lang/triton#6832: a 64-bit offset made other numbers.
func TestCase9OffsetInWord1(t *testing.T) {
	want := knownBlocks[philox.Counter{0, 1, 0, 0}]
	assert.Equal(t, philox.Counter{0, 1, 0, 0}, philox.New(0).Skip(1<<32).Counter())
	assert.Equal(t, philox.Counter{0, 1, 0, 0}, philox.CounterAt(0, 1<<32))
	assert.Equal(t, want, firstBlock(at(philox.CounterAt(0, 1<<32))))
	var b [4]uint32
	philox.New(0).FillUint32At(b[:], 4<<32)
	assert.Equal(t, want, b)
}

// pytorch/pytorch#50169: offsets that are no multiple of a block. Here fills start
// on a block, and whole blocks are skipped, so the words' places are known.
func TestCase10CallsStartOnABlock(t *testing.T) {
	s := philox.New(10)
	var all [16]uint32
	s.FillUint32(all[:])
	used := map[uint32]bool{}
	for _, call := range []struct{ n, word, blocks int }{
		{1, 0, 1}, {5, 4, 2}, {3, 12, 1}, // word is where the call begins
	} {
		got := make([]uint32, call.n)
		s.FillUint32(got)
		assert.Equal(t, all[call.word:call.word+call.n], got)
		for _, w := range got {
			assert.False(t, used[w], "used twice")
			used[w] = true
		}
		s = s.Skip(uint64(call.blocks))
	}
}

// at the extreme word of a case, and enough after it for a kernel.
func extremeFloats(name string, fill func(philox.Stream, []float32)) (float32, []float32) {
	g := extremes[name]
	x := make([]float32, 64)
	fill(philox.New(0).Skip(g.block), x)
	return x[g.lane], x
}

// triton-lang/triton#601, vlang/v#16707: a uniform of 1.
func TestCase11OpenUniformBelow1(t *testing.T) {
	for _, name := range []string{"G1", "G2"} {
		x, _ := extremeFloats(name, philox.Stream.FillOpenFloat32)
		assert.Equal(t, float32(0.99999994), x, "%s", name)
	}
}

// NVIDIA/Fuser#2355, golang/go#12290: what rounded to 1 became 0.
func TestCase13OpenUniformAbove0(t *testing.T) {
	for name, g := range extremes {
		x, all := extremeFloats(name, philox.Stream.FillOpenFloat32)
		assert.Equal(t, refOpenBig(g.word), x, "%s", name)
		for _, y := range all {
			assert.Greater(t, y, float32(0))
			assert.Less(t, y, float32(1))
		}
	}
}

// numpy/numpy#17478, rust-random/rand#315: a significand bit that is never set.
func TestCase14AllSignificandBits(t *testing.T) {
	var f32 [64]float32
	var f64 [64]float64
	philox.New(14).FillFloat32(f32[:])
	philox.New(14).FillFloat64(f64[:])
	var or32, or64 uint64
	for i := range f32 {
		or32 |= uint64(f32[i] * (1 << 23))
		or64 |= uint64(f64[i] * (1 << 52))
	}
	assert.Equal(t, 23, bits.OnesCount64(or32))
	assert.Equal(t, 52, bits.OnesCount64(or64))
}

// triton-lang/triton#10597: the smallest signed word.
func TestCase16SignedExtremes(t *testing.T) {
	words := [4]uint32{0x80000000, 0x7fffffff, 0xffffffff, 0x80000001}
	s := at(unblock(philox.Key{}, words))
	require.Equal(t, words, firstBlock(s))
	var u, open [64]float32
	var d [32]float64
	s.FillFloat32(u[:])
	s.FillOpenFloat32(open[:])
	s.FillFloat64(d[:])
	for i := range u {
		assert.True(t, 0 <= u[i] && u[i] < 1, "%v", u[i])
		assert.True(t, 0 < open[i] && open[i] < 1, "%v", open[i])
		assert.True(t, 0 <= d[i/2] && d[i/2] < 1, "%v", d[i/2])
	}
	assert.Equal(t, []float32{0, 1 - 0x1p-23, 1 - 0x1p-23, 0x1p-23}, u[:4])
}

// pytorch/pytorch#80202: the first numbers depended on how many there were.
func TestCase47PrefixProperty(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		long := k.get(t, philox.New(47), 0, 1100)
		for _, n := range []int{15, 16, 17, 33, 64, 129, 1000} {
			equalMemory(t, long[:n*k.size], k.get(t, philox.New(47), 0, n), k.size, "n = %d", n)
		}
	})
}

// NatLabRockies/PRAS#3, opencv/opencv#8293: results that vary with threads.
func TestCase52Goroutines(t *testing.T) {
	procs := []int{1, 2, 7, 64}
	if testing.Short() {
		procs = []int{1, 7}
	}
	eachKind(t, func(t *testing.T, k kind) {
		n := (3*k.shared + 1000) / k.size
		s := philox.NewAt(philox.NewKey(52), philox.Counter{ones32 - 20000, ones32, 3, 4})
		want := k.want(s, 1, n)
		for _, procs := range procs {
			t.Run(fmt.Sprint(procs), func(t *testing.T) {
				setProcs(t, procs)
				equalMemory(t, want, k.get(t, s, 1, n), k.size, "GOMAXPROCS = %d", procs)
			})
		}
	})
}

// numpy/numpy#4676, luanti-org/luanti#3237: large seeds lost bits.
func TestCase57LargeSeedsDiffer(t *testing.T) {
	for _, p := range [][2]uint64{{1, 1 + 1<<40}, {1 << 31, 1<<31 + 1}, {0, 1 << 63}, {1 << 32, 0}, {math.MaxInt64, ones64}} {
		assert.NotEqual(t, firstBlock(philox.New(p[0])), firstBlock(philox.New(p[1])), "%d, %d", p[0], p[1])
		assert.NotEqual(t, philox.NewSource(p[0]).Uint64(), philox.NewSource(p[1]).Uint64(), "%d, %d", p[0], p[1])
	}
}

// pytorch/pytorch#42206, JuliaLang/julia#51416: what a negative seed means. Their
// first blocks are golden values too.
func TestCase58NegativeSeeds(t *testing.T) {
	seed := int64(-1)
	assert.Equal(t, philox.Key{ones32, ones32}, philox.NewKey(uint64(seed)))
	assert.Equal(t, philox.New(math.MaxUint64), philox.New(uint64(seed)))
	assert.Equal(t, philox.Key{255, 0}, philox.NewKey(255))
	assert.NotEqual(t, philox.New(255), philox.New(uint64(seed)))
	seed = math.MinInt64
	assert.Equal(t, philox.Key{0, 0x80000000}, philox.NewKey(uint64(seed)))
	// Random123's known answer for a key of ones.
	all := [4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}
	assert.Equal(t, all, firstBlock(philox.New(math.MaxUint64).Skip128(ones64, ones64)))
}

// celeritas-project/celeritas#696: streams of one seed that were all alike.
func TestCase61StreamsDiffer(t *testing.T) {
	seen := map[[4]uint32]uint64{}
	for id := range uint64(64) {
		b := firstBlock(philox.New(61).Substream(id))
		assert.Equal(t, philox.Block(philox.NewKey(61), philox.Counter{0, 0, uint32(id), 0}), b)
		assert.NotContains(t, seen, b, "stream %d", id)
		seen[b] = id
	}
}

// Expensify/Bedrock#2783, cilium/cilium#10988: shared generators that gave two
// callers the same numbers. A Stream has no state to race for.
func TestCase65SharedStream(t *testing.T) {
	const goroutines, each = 16, 5
	fills := 10_000
	if testing.Short() {
		fills = 1000
	}
	s := philox.New(65).Skip(1<<32 - 1000)
	eachKind(t, func(t *testing.T, k kind) {
		got := memory(goroutines*fills*each*k.size, 0)
		var wg sync.WaitGroup
		for g := range goroutines {
			wg.Go(func() {
				for f := range fills {
					i := (f*goroutines + g) * each // every goroutine's parts lie among the others'
					k.fillAt(s, got.mem[i*k.size:(i+each)*k.size], uint64(i))
				}
			})
		}
		wg.Wait()
		got.check(t)
		equalMemory(t, k.get(t, s, 0, goroutines*fills*each), got.mem, k.size, "%d goroutines", goroutines)
	})
}
