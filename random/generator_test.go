package random_test

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/random"
	"github.com/philox-go/rng/skip"
)

const ones64 = math.MaxUint64

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

// at returns a generator of the CPU in a place.
func at(t testing.TB, seed, stream, offset uint64) *random.Generator {
	t.Helper()
	g := random.NewGenerator(random.CPU(), seed)
	if stream != 0 {
		var err error
		g, err = g.Substream(stream)
		require.NoError(t, err)
	}
	require.NoError(t, g.SetOffset(offset))
	return g
}

// exhausted returns a generator of the CPU with no block left.
func exhausted(t testing.TB, seed, stream uint64) *random.Generator {
	t.Helper()
	g := at(t, seed, stream, ones64)
	reserve(t, g, 1)
	require.True(t, g.Exhausted())
	return g
}

func reserve(t testing.TB, g *random.Generator, blocks uint64) uint64 {
	t.Helper()
	start, err := g.Reserve(blocks)
	require.NoError(t, err)
	return start
}

// equal checks everything that a generator has.
func equal(t testing.TB, want, got *random.Generator) {
	t.Helper()
	assert.Equal(t, want.Device(), got.Device())
	assert.Equal(t, want.State(), got.State())
}

func TestNewGenerator(t *testing.T) {
	for _, device := range []random.Device{random.CPU(), random.CUDA(3)} {
		g := random.NewGenerator(device, 42)
		assert.Equal(t, device, g.Device())
		assert.Equal(t, uint64(42), g.Seed())
		assert.Zero(t, g.Stream())
		assert.Zero(t, g.Offset())
		assert.False(t, g.Exhausted())
	}
}

// No bit of a seed is lost on the way in, out, through a state or to the key. These are
// numpy/numpy#4676, luanti-org/luanti#3237, pytorch/pytorch#42206 and
// JuliaLang/julia#51416: large seeds truncated, negative ones not documented.
func TestCase57And58Seeds(t *testing.T) {
	minus := int64(-1)
	seeds := []uint64{0, 1, 255, 1 + 1<<40, 1 << 31, 1<<31 + 1, 1 << 32, 1<<53 + 1, math.MaxInt64, 1 << 63, uint64(minus)}
	states, firsts := map[string]uint64{}, map[uint32]uint64{}
	for _, seed := range seeds {
		g := random.NewGenerator(random.CPU(), seed)
		set := random.NewGenerator(random.CPU(), 5)
		set.SetSeed(seed)
		read := random.NewGenerator(random.CPU(), 5)
		require.NoError(t, read.SetState(g.State()))
		sub, err := g.Substream(1)
		require.NoError(t, err)
		for _, g := range []*random.Generator{g, set, read, sub, g.Clone()} {
			assert.Equal(t, seed, g.Seed())
			s, err := g.ReserveStream(1)
			require.NoError(t, err)
			assert.Equal(t, philox.Key{uint32(seed), uint32(seed >> 32)}, s.Key())
		}
		states[string(g.State())] = seed
		var word [1]uint32
		philox.New(g.Seed()).FillUint32(word[:])
		firsts[word[0]] = seed
	}
	assert.Len(t, states, len(seeds))
	assert.Len(t, firsts, len(seeds))
}

func TestSetSeedStartsAnew(t *testing.T) {
	for _, g := range []*random.Generator{at(t, 1, 0, 0), at(t, 1, 9, 77), exhausted(t, 1, 9), exhausted(t, 3, 0)} {
		g.SetSeed(3)
		equal(t, random.NewGenerator(random.CPU(), 3), g)
	}
	cuda := random.NewGenerator(random.CUDA(2), 1)
	cuda.SetSeed(3)
	equal(t, random.NewGenerator(random.CUDA(2), 3), cuda)
}

func TestSeedRandomly(t *testing.T) {
	g := at(t, 1, 9, 77)
	var or, and uint64 = 0, ones64
	seen := map[uint64]bool{}
	for range 200 {
		reserve(t, g, 3)
		seed := g.SeedRandomly()
		equal(t, random.NewGenerator(random.CPU(), seed), g)
		or, and, seen[seed] = or|seed, and&seed, true
	}
	// A fault here where there is none has a chance of 2^-192, or below.
	assert.Equal(t, uint64(ones64), or)
	assert.Zero(t, and)
	assert.Len(t, seen, 200)
}

func TestOffset(t *testing.T) {
	g := at(t, 1, 5, 0)
	for _, offset := range []uint64{1, 1 << 32, 1<<63 + 1, ones64, 0, 7} {
		require.NoError(t, g.SetOffset(offset))
		assert.Equal(t, offset, g.Offset())
		assert.Equal(t, offset, reserve(t, g, 0))
		assert.Equal(t, offset, g.Offset(), "Reserve(0)")
		assert.False(t, g.Exhausted())
	}
	assert.Equal(t, uint64(1), g.Seed())
	assert.Equal(t, uint64(5), g.Stream())
}

// JuliaGPU/CUDA.jl#2035, Dao-AILab/flash-attention#2088: launches that repeated the
// numbers of the one before, since nothing moved an offset.
func TestCase54ReserveMovesOn(t *testing.T) {
	g := random.NewGenerator(random.CUDA(0), 54)
	saved := g.State()
	var first []uint64
	next := uint64(0)
	for _, blocks := range []uint64{1, 250, 0, 1 << 40, 3} {
		start := reserve(t, g, blocks)
		assert.Equal(t, next, start)
		next += blocks
		assert.Equal(t, next, g.Offset())
		first = append(first, start)
	}
	require.NoError(t, g.SetState(saved))
	for i, blocks := range []uint64{1, 250, 0, 1 << 40, 3} {
		assert.Equal(t, first[i], reserve(t, g, blocks), "again")
	}
}

func TestReserveStream(t *testing.T) {
	const seed, stream = 0x0123456789abcdef, 0xfedcba9876543210
	g := at(t, seed, stream, 1<<32-2)
	for _, want := range []philox.Counter{
		{0xfffffffe, 0, 0x76543210, 0xfedcba98},
		{1, 1, 0x76543210, 0xfedcba98},
		{4, 1, 0x76543210, 0xfedcba98},
	} {
		s, err := g.ReserveStream(3)
		require.NoError(t, err)
		assert.Equal(t, philox.NewAt(philox.NewKey(seed), want), s)
	}
	assert.Equal(t, uint64(1<<32+7), g.Offset())
}

// Every edge of the stream against sums without an end.
func TestReserveAtTheEnd(t *testing.T) {
	end := new(big.Int).Lsh(big.NewInt(1), 64)
	edges := []uint64{0, 1, 2, 3, 1 << 32, 1<<63 - 1, 1 << 63, 1<<63 + 1, ones64 - 2, ones64 - 1, ones64}
	for _, offset := range edges {
		for _, blocks := range edges {
			name := fmt.Sprintf("%d blocks from %d", blocks, offset)
			g, h := at(t, 1, 2, offset), at(t, 1, 2, offset)
			before := g.State()
			start, err := g.Reserve(blocks)
			s, streamErr := h.ReserveStream(blocks)
			equal(t, g, h)
			sum := new(big.Int).SetUint64(offset)
			sum.Add(sum, new(big.Int).SetUint64(blocks))
			if sum.Cmp(end) > 0 {
				want := &random.ExhaustedError{Offset: offset, Left: -offset, Blocks: blocks}
				assert.Equal(t, want, err, name)
				assert.Equal(t, want, streamErr, name)
				assert.Zero(t, start, name)
				assert.Equal(t, philox.Stream{}, s, name)
				assert.Equal(t, before, g.State(), name)
				continue
			}
			require.NoError(t, err, name)
			require.NoError(t, streamErr, name)
			assert.Equal(t, offset, start, name)
			assert.Equal(t, philox.NewAt(philox.NewKey(1), philox.CounterAt(2, offset)), s, name)
			assert.Equal(t, sum.Cmp(end) == 0, g.Exhausted(), name)
			if !g.Exhausted() {
				assert.Equal(t, sum.Uint64(), g.Offset(), name)
			}
		}
	}
}

func TestExhausted(t *testing.T) {
	g := exhausted(t, 1, 2)
	state := g.State()
	assert.Equal(t, uint64(ones64), g.Offset())
	assert.Equal(t, uint64(ones64), reserve(t, g, 0))
	s, err := g.ReserveStream(0)
	require.NoError(t, err)
	assert.Equal(t, philox.NewAt(philox.NewKey(1), philox.CounterAt(2, ones64)), s, "not stream 3")
	for _, blocks := range []uint64{1, 2, 1 << 63, ones64} {
		start, err := g.Reserve(blocks)
		assert.Zero(t, start)
		require.EqualError(t, err, fmt.Sprintf("random: blocks = %d: must be at most 0, what the stream has left", blocks))
		require.ErrorIs(t, err, random.ErrExhausted)
		require.NotErrorIs(t, err, random.ErrDevice)
		var bad *random.ExhaustedError
		require.ErrorAs(t, err, &bad)
		assert.Equal(t, random.ExhaustedError{Offset: ones64, Blocks: blocks}, *bad)
		_, err = g.ReserveStream(blocks)
		require.ErrorIs(t, err, random.ErrExhausted)
	}
	assert.Equal(t, state, g.State(), "refusals change nothing")

	back := at(t, 9, 0, 5)
	require.NoError(t, back.SetState(state))
	assert.True(t, back.Exhausted(), "a state keeps it")
	assert.True(t, g.Clone().Exhausted(), "a clone keeps it")

	require.NoError(t, g.SetOffset(ones64))
	assert.False(t, g.Exhausted())
	assert.Equal(t, uint64(ones64), reserve(t, g, 1))
	assert.True(t, g.Exhausted())
	require.NoError(t, g.SetOffset(0))
	assert.Zero(t, reserve(t, g, ones64))
	assert.False(t, g.Exhausted())

	root := exhausted(t, 8, 0)
	sub, err := root.Substream(1)
	require.NoError(t, err)
	equal(t, at(t, 8, 1, 0), sub)
}

// Expensify/Bedrock#2783, cilium/cilium#10988: shared generators that gave two callers
// the same numbers. The race detector watches too.
func TestCase65RangesAreDisjoint(t *testing.T) {
	const goroutines, from = 64, 1<<32 - 1000
	calls := 10_000
	if testing.Short() {
		calls = 500
	}
	type span struct{ start, blocks uint64 }
	g := at(t, 1, 2, from)
	var wg sync.WaitGroup
	var all [goroutines][]span
	for i := range all {
		wg.Go(func() {
			mine, r := *g, newRand(uint64(i)) // half of them have a handle of their own
			handle := g
			if i%2 == 1 {
				handle = &mine
			}
			for range calls {
				blocks := r.Uint64N(5)
				if r.IntN(100) == 0 {
					blocks = r.Uint64N(1 << 40)
				}
				var start uint64
				var err error
				if r.IntN(2) == 0 {
					start, err = handle.Reserve(blocks)
				} else {
					var s philox.Stream
					s, err = handle.ReserveStream(blocks)
					_, start = s.Counter().Uint64s()
				}
				if err != nil {
					t.Error(err)
					return
				}
				if blocks > 0 {
					all[i] = append(all[i], span{start, blocks})
				}
			}
		})
	}
	wg.Wait()
	for _, spans := range all {
		assert.True(t, slices.IsSortedFunc(spans, func(a, b span) int { return cmp.Compare(a.start, b.start) }), "one caller's ranges go up")
	}
	sorted := slices.Concat(all[:]...)
	slices.SortFunc(sorted, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	next := uint64(from)
	for _, s := range sorted {
		require.Equal(t, next, s.start, "an overlap or a gap")
		next += s.blocks
	}
	assert.Equal(t, next, g.Offset())
}

// At the end of the stream too, each block goes to one caller.
func TestRangesAreDisjointAtTheEnd(t *testing.T) {
	const left = 1000
	for range 20 {
		g := at(t, 1, 2, 1<<64-left)
		var wg sync.WaitGroup
		var mu sync.Mutex
		taken := map[uint64]int{}
		for range 8 {
			wg.Go(func() {
				for range left {
					start, err := g.Reserve(2)
					if err != nil {
						return
					}
					mu.Lock()
					taken[start]++
					taken[start+1]++
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		require.Len(t, taken, left)
		for _, n := range taken {
			require.Equal(t, 1, n)
		}
		require.True(t, g.Exhausted())
	}
}

// Seed, stream and offset are of one moment.
func TestNothingIsTorn(t *testing.T) {
	g := at(t, 1, 1, 1<<60)
	states := [2][]byte{g.State(), at(t, 2, 2, 2<<60).State()}
	root := random.NewGenerator(random.CPU(), 1)
	done := make(chan struct{})
	var wg, setters sync.WaitGroup
	setters.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			default:
			}
			if err := g.SetState(states[i%2]); err != nil {
				t.Error(err)
				return
			}
			root.SetSeed(uint64(i))
			runtime.Gosched() // WebAssembly has one thread, which nothing takes away
		}
	})
	for range 4 {
		wg.Go(func() {
			for range 5000 {
				s, err := g.ReserveStream(1)
				seed := s.Key().Seed()
				stream, start := s.Counter().Uint64s()
				if err != nil || stream != seed || start>>60 != seed {
					t.Errorf("seed %d with block %d of stream %d: %v", seed, start, stream, err)
				}
				c := g.Clone()
				if c.Stream() != c.Seed() || c.Offset()>>60 != c.Seed() {
					t.Errorf("a clone has seed %d, stream %d, offset %d", c.Seed(), c.Stream(), c.Offset())
				}
				parts, err := root.Split(2)
				if err != nil || parts[0].Seed() != parts[1].Seed() {
					t.Errorf("parts of two seeds: %v", err)
				}
			}
		})
	}
	wg.Wait()
	close(done)
	setters.Wait()
}

func TestCopiesShare(t *testing.T) {
	g := at(t, 1, 2, 3)
	c := *g
	assert.True(t, c == *g)
	assert.Equal(t, uint64(3), reserve(t, g, 10))
	assert.Equal(t, uint64(13), reserve(t, &c, 10))
	assert.Equal(t, uint64(23), g.Offset())
	c.SetSeed(5)
	assert.Equal(t, uint64(5), g.Seed())
	require.NoError(t, g.UnmarshalBinary(at(t, 7, 8, 9).State()))
	assert.Equal(t, uint64(7), c.Seed(), "also after a state was read")
	equal(t, g, &c)
}

func TestClonesDoNot(t *testing.T) {
	for _, g := range []*random.Generator{at(t, 1, 2, 3), exhausted(t, 1, 2), random.NewGenerator(random.CUDA(4), 5)} {
		state := g.State()
		c := g.Clone()
		equal(t, g, c)
		assert.False(t, *c == *g)
		c.SetSeed(99)
		reserve(t, c, 1)
		assert.Equal(t, state, g.State())
		g.SetSeed(98)
		assert.Equal(t, uint64(99), c.Seed())
		assert.Equal(t, uint64(1), c.Offset())
	}
}

func TestSubstream(t *testing.T) {
	for _, device := range []random.Device{random.CPU(), random.CUDA(1)} {
		g := random.NewGenerator(device, 42)
		reserve(t, g, 1000)
		before := g.State()
		for _, id := range []uint64{1, 2, 1 << 32, 1 << 48, ones64} {
			sub, err := g.Substream(id)
			require.NoError(t, err)
			assert.Equal(t, device, sub.Device())
			assert.Equal(t, uint64(42), sub.Seed())
			assert.Equal(t, id, sub.Stream())
			assert.Zero(t, sub.Offset())

			s, err := sub.ReserveStream(1)
			require.NoError(t, err)
			assert.Equal(t, philox.New(42).Substream(id), s)
			again, err := g.Substream(id)
			require.NoError(t, err)
			assert.Zero(t, again.Offset(), "an independent one")
		}
		assert.Equal(t, before, g.State(), "the root is as it was")
	}
}

func TestSplit(t *testing.T) {
	g := random.NewGenerator(random.CUDA(1), 42)
	for _, n := range []int{1, 2, 100} {
		parts, err := g.Split(n)
		require.NoError(t, err)
		require.Len(t, parts, n)
		for i, part := range parts {
			sub, err := g.Substream(uint64(i) + 1)
			require.NoError(t, err)
			equal(t, sub, part)
			reserve(t, part, uint64(i)+1) // a shared one would be seen by the next
		}
	}
	assert.Zero(t, g.Offset())
}

func TestSubstreamErrors(t *testing.T) {
	root, sub := at(t, 1, 0, 5), at(t, 1, 3, 5)
	for _, tt := range []struct {
		name string
		make func() (any, error)
		want skip.ArgumentError
	}{
		{"id 0", func() (any, error) { return root.Substream(0) }, skip.ArgumentError{Arg: "id", Value: "0", Reason: "must be at least 1"}},
		{"id 0 of a substream", func() (any, error) { return sub.Substream(0) }, skip.ArgumentError{Arg: "id", Value: "0", Reason: "must be at least 1"}},
		{"nested", func() (any, error) { return sub.Substream(1) }, skip.ArgumentError{Arg: "stream", Value: "3", Reason: "must be 0: a substream has no substreams"}},
		{"nested, same id", func() (any, error) { return sub.Substream(3) }, skip.ArgumentError{Arg: "stream", Value: "3", Reason: "must be 0: a substream has no substreams"}},
		{"no parts", func() (any, error) { return root.Split(0) }, skip.ArgumentError{Arg: "n", Value: "0", Reason: "must be at least 1"}},
		{"fewer", func() (any, error) { return root.Split(math.MinInt) }, skip.ArgumentError{Arg: "n", Value: fmt.Sprint(math.MinInt), Reason: "must be at least 1"}},
		{"nested parts", func() (any, error) { return sub.Split(2) }, skip.ArgumentError{Arg: "stream", Value: "3", Reason: "must be 0: a substream has no substreams"}},
	} {
		got, err := tt.make()
		assert.Nil(t, got, tt.name)
		tt.want.Package = "random"
		var bad *skip.ArgumentError
		require.ErrorAs(t, err, &bad, tt.name)
		assert.Equal(t, tt.want, *bad, tt.name)
	}
	sub.SetSeed(1) // to stream 0
	_, err := sub.Substream(1)
	assert.NoError(t, err)
}

// celeritas-project/celeritas#696: streams of one seed that were all alike.
func TestCase61StreamsDiffer(t *testing.T) {
	g := random.NewGenerator(random.CPU(), 61)
	parts, err := g.Split(63)
	require.NoError(t, err)
	seen := map[[4]uint32]bool{}
	for i, part := range append(parts, g) {
		s, err := part.ReserveStream(1)
		require.NoError(t, err)
		var block [4]uint32
		s.FillUint32(block[:])
		assert.Equal(t, philox.Block(philox.Key{61, 0}, philox.Counter{0, 0, uint32(i+1) % 64, 0}), block)
		seen[block] = true
	}
	assert.Len(t, seen, 64)
}

func TestAllocatesNothing(t *testing.T) {
	g, nobody := at(t, 1, 2, 3), (*random.Generator)(nil)
	random.Default(random.CPU())
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		for _, g := range []*random.Generator{g, nobody} {
			on, err := random.On(g, random.CPU())
			if err != nil {
				t.Error(err)
			}
			if _, err := on.ReserveStream(1); err != nil {
				t.Error(err)
			}
			if _, err := on.Reserve(1); err != nil {
				t.Error(err)
			}
		}
	}))
}

func BenchmarkReserve(b *testing.B) {
	b.Run("explicit", func(b *testing.B) {
		g := random.NewGenerator(random.CPU(), 1)
		for b.Loop() {
			g.Reserve(1)
		}
	})
	b.Run("default", func(b *testing.B) {
		var g *random.Generator
		for b.Loop() {
			g.Reserve(1)
		}
	})
}
