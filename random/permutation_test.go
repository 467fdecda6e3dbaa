package random_test

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/started"
	"github.com/philox-go/rng/internal/statistics"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/random"
)

// The rules of permutations once more, from the words of one element at a time.

// elementAt returns element i from a place on, per of which are in a block.
func elementAt(p placeOf, blocks uint64, i, per int) element {
	c := philox.CounterAt(p.stream, p.offset).Skip(blocks + uint64(i/per))
	return element{key: philox.NewKey(p.seed), counter: c, lane: i % per, index: i}
}

// quarter is the blocks of n words.
func quarter(n int) uint64 { return uint64(n+3) / 4 }

// roundsOf returns by how many bits each round divides.
func roundsOf(n int) []int {
	if n <= 1<<19 {
		return nil
	}
	k := -15
	for p := 1; p < n; p *= 2 {
		k++
	}
	switch {
	case k <= 11:
		return []int{k}
	case k <= 22:
		return []int{k / 2, k - k/2}
	}
	panic("too long for a test")
}

// wordBelow returns the integer from 0 to n-1 of an element that takes a word.
func wordBelow(e element, n int) int {
	for a := uint32(0); ; a++ {
		if p := uint64(e.word(a)) * uint64(n); p%(1<<32) >= (1<<32)%uint64(n) {
			return int(p >> 32)
		}
	}
}

// permuted returns the permutation of n elements from a place on, and its blocks.
func permuted(p placeOf, n int) ([]int, uint64) {
	type item struct{ value, bucket int }
	items := make([]item, n)
	for i := range items {
		items[i].value = i
	}
	rounds := roundsOf(n)
	for r, bits := range rounds {
		for i := range items {
			word := elementAt(p, uint64(r)*quarter(n), i, 4).word(0)
			items[i].bucket = items[i].bucket<<bits | int(word>>(32-bits))
		}
		slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(a.bucket, b.bucket) })
	}
	start := 0
	for i := range items {
		if items[i].bucket != items[start].bucket {
			start = i
		}
		e := elementAt(p, uint64(len(rounds))*quarter(n), i, 4)
		j := start + wordBelow(e, i-start+1)
		items[i], items[j] = items[j], items[i]
	}
	values := make([]int, n)
	for i := range items {
		values[i] = items[i].value
	}
	return values, uint64(len(rounds)+1) * quarter(n)
}

func converted[T integer](values []int) []T {
	to := make([]T, len(values))
	for i, v := range values {
		to[i] = T(v)
	}
	return to
}

func testPerm[T integer](t *testing.T, p placeOf, want []int, blocks uint64) {
	g := at(t, p.seed, p.stream, p.offset)
	got := filled(t, g, len(want), random.Perm[T])
	require.True(t, slices.Equal(converted[T](want), got), "%d of %T", len(want), got)
	require.Equal(t, p.offset+blocks, g.Offset())
}

// longPermutations are lengths at which a round begins to divide, and some on which
// goroutines' shares end.
func longPermutations() []int {
	if raceEnabled || testing.Short() {
		return []int{1<<19 + 3}
	}
	return []int{1 << 19, 1<<19 + 1, 1<<20 + 1}
}

func TestPermAgainstItsRule(t *testing.T) {
	type id int32
	for _, n := range slices.Concat([]int{0, 1, 2, 3, 4, 5, 7, 8, 9, 127, 128, 255, 256, 257, 511, 512, 513, 1024, 1025, 20_481}, longPermutations()) {
		for _, p := range []placeOf{{1<<64 - 42, 1<<48 - 1, 1<<32 - quarter(n)/2}, {42, 0, 0}} {
			if n > 1<<17 && p.seed == 42 {
				continue
			}
			want, blocks := permuted(p, n)
			testPerm[int32](t, p, want, blocks)
			testPerm[uint64](t, p, want, blocks)
			if n > 2000 {
				continue
			}
			testPerm[id](t, p, want, blocks)
			testPerm[int16](t, p, want, blocks)
			testPerm[uint](t, p, want, blocks)
			if n <= 256 {
				testPerm[uint8](t, p, want, blocks)
			}
			if n <= 128 {
				testPerm[int8](t, p, want, blocks)
			}
		}
	}
}

// Words that are drawn again, of which a permutation of 2^17 elements has one on average.
func TestPermDrawsAgain(t *testing.T) {
	const n = 1 << 17
	again := 0
	p := placeOf{seed: 1}
	for ; again == 0; p.seed++ {
		w := make([]uint32, n)
		philox.New(p.seed).FillUint32(w)
		for i, x := range w {
			if m := uint32(i + 1); uint64(x*m) < (1<<32)%uint64(m) {
				again++
			}
		}
		if again > 0 {
			break
		}
	}
	want, blocks := permuted(p, n)
	testPerm[int32](t, p, want, blocks)
}

// pytorch/pytorch#59756, #56822: garbage from a GPU's permutation, and 256 bytes refused.
func TestCase41PermutationsAreComplete(t *testing.T) {
	t.Run("uint8", func(t *testing.T) {
		x := filled(t, at(t, 41, 0, 0), 256, random.Perm[uint8])
		slices.Sort(x)
		for i := range x {
			require.EqualValues(t, i, x[i])
		}
	})
	for _, n := range slices.Concat([]int{0, 1, 256, 1 << 15, 101_796}, longPermutations()) {
		seen := make([]bool, n)
		for _, v := range filled(t, at(t, 41, 0, 0), n, random.Perm[int64]) {
			if seen[v] {
				t.Fatalf("%d of %d twice", v, n)
			}
			seen[v] = true
		}
	}
}

func TestCase52PermAndShuffle(t *testing.T) {
	n := longPermutations()[0] + 5
	want, _ := permuted(placeOf{52, 1, 9}, n)
	for _, p := range []int{1, 2, 7, 64} {
		t.Run(strconv.Itoa(p), func(t *testing.T) {
			setProcs(t, p)
			before := started.Goroutines(t)
			got := filled(t, at(t, 52, 1, 9), n, random.Perm[uint32])
			assert.Equal(t, p > 1, started.Goroutines(t) != before, "was shared")
			assert.True(t, slices.Equal(converted[uint32](want), got))
			x := converted[int](make([]int, n))
			for i := range x {
				x[i] = i
			}
			require.NoError(t, random.Shuffle(at(t, 52, 1, 9), x))
			assert.True(t, slices.Equal(want, x))
		})
	}
}

// Elements go where Perm says, whatever they are.
func TestShuffleFollowsPerm(t *testing.T) {
	type pair struct {
		text string
		at   *int
	}
	for _, n := range []int{0, 1, 2, 3, 100, 513, 5000, longPermutations()[0] + 3} {
		p := placeOf{7, 3, 11}
		of := func() *random.Generator { return at(t, p.seed, p.stream, p.offset) }
		order := filled(t, of(), n, random.Perm[int])
		numbers := make([]int, n)
		pairs := make([]pair, n)
		bytes := make([]byte, n)
		blocks := make([][3]uint64, n)
		for i := range n {
			numbers[i] = i
			pairs[i] = pair{strconv.Itoa(i), &numbers[i]}
			bytes[i] = byte(i * 7)
			blocks[i] = [3]uint64{uint64(i), ^uint64(i), 5}
		}
		g := of()
		require.NoError(t, random.Shuffle(g, pairs))
		require.NoError(t, random.Shuffle(of(), bytes))
		require.NoError(t, random.Shuffle(of(), blocks))
		for i, from := range order {
			good := pairs[i] == pair{strconv.Itoa(from), &numbers[from]} && bytes[i] == byte(from*7) && blocks[i][0] == uint64(from) && blocks[i][1] == ^uint64(from)
			require.True(t, good, "%d of %d", i, n)
		}
		swapped := slices.Clone(numbers)
		h := of()
		calls := 0
		require.NoError(t, random.ShuffleFunc(h, n, func(i, j int) {
			calls++
			swapped[i], swapped[j] = swapped[j], swapped[i]
		}))
		require.True(t, slices.Equal(order, swapped), "%d", n)
		require.LessOrEqual(t, calls, n)
		_, want := permuted(p, n)
		require.Equal(t, p.offset+want, g.Offset())
		require.Equal(t, p.offset+want, h.Offset())
	}
}

// pytorch/pytorch#143682: biased permutations of many.
func TestCase39PermutationsAreUniform(t *testing.T) {
	const n = 24 * 4000
	orders := func(permute func(g *random.Generator, x []uint8)) float64 {
		g := at(t, 39, 0, 0)
		counts := make([]float64, 24)
		for range n {
			var x [4]uint8
			permute(g, x[:])
			counts[statistics.Order(x[:])]++
		}
		return statistics.ChiSquare(counts, n, func(int) float64 { return 1. / 24 })
	}
	assert.Less(t, orders(func(g *random.Generator, x []uint8) { _ = random.Perm(g, x) }), statistics.Limit)
	assert.Less(t, orders(func(g *random.Generator, x []uint8) {
		copy(x, []uint8{0, 1, 2, 3})
		_ = random.Shuffle(g, x)
	}), statistics.Limit)
	assert.Greater(t, orders(func(g *random.Generator, x []uint8) { // swaps with any element
		copy(x, []uint8{0, 1, 2, 3})
		var with [4]uint8
		_ = random.IntN(g, with[:], 0, 4)
		for i, j := range with {
			x[i], x[j] = x[j], x[i]
		}
	}), statistics.Limit)
	assert.Greater(t, orders(func(g *random.Generator, x []uint8) { // ties of short keys in their order
		var keys [4]uint8
		_ = random.IntN(g, keys[:], 0, 64)
		copy(x, []uint8{0, 1, 2, 3})
		slices.SortStableFunc(x, func(a, b uint8) int { return cmp.Compare(keys[a], keys[b]) })
	}), statistics.Limit)
}

// Which numbers come to the first, the middle and the last place.
func TestStatisticsOfPerm(t *testing.T) {
	for n, times := range map[int]int{100_000: reduced(1000), 1<<19 + 1: max(reduced(300), 100)} {
		const bins = 20
		at3 := []int{0, n / 2, n - 1}
		places := func(permute func(g *random.Generator, x []int32)) (worst float64) {
			g := at(t, 10, 5, 0)
			counts := make([][]float64, len(at3))
			for i := range counts {
				counts[i] = make([]float64, bins)
			}
			x := make([]int32, n)
			for range times {
				permute(g, x)
				for i, place := range at3 {
					counts[i][int(x[place])*bins/n]++
				}
			}
			for _, c := range counts {
				worst = max(worst, statistics.ChiSquare(c, float64(times), func(int) float64 { return 1. / bins }))
			}
			return worst
		}
		assert.Less(t, places(func(g *random.Generator, x []int32) { _ = random.Perm(g, x) }), statistics.Limit, "%d", n)
		assert.Greater(t, places(func(g *random.Generator, x []int32) { // a permutation of one half and of the other
			_ = random.Perm(g, x[:n/2])
			_ = random.Perm(g, x[n/2:])
			for i := n / 2; i < n; i++ {
				x[i] += int32(n / 2)
			}
		}), statistics.Limit, "%d", n)
	}
}

func TestPermutationErrors(t *testing.T) {
	g := at(t, 1, 0, 7)
	for _, c := range []struct {
		err  error
		text string
	}{
		{random.Perm(g, make([]uint8, 257)), "random: len(dst) = 257: must be at most 256, the number of integers from 0 on that uint8 has"},
		{random.Perm(g, make([]int8, 129)), "random: len(dst) = 129: must be at most 128, the number of integers from 0 on that int8 has"},
		{random.Perm(g, make([]uint16, 1<<16+1)), "random: len(dst) = 65537: must be at most 65536, the number of integers from 0 on that uint16 has"},
		{random.ShuffleFunc(g, -1, nil), "random: n = -1: must be at least 0"},
		{random.ShuffleFunc(g, math.MaxInt, nil), fmt.Sprintf("random: n = %d: must be at most %d", math.MaxInt, math.MaxInt/16)},
		{random.Perm(at(t, 1, 1<<48, 0), make([]int, 3)), "random: stream = 281474976710656: must be below 2^48 where elements may have to be drawn again"},
		{random.Shuffle(at(t, 1, 1<<48, 0), make([]int, 3)), "random: stream = 281474976710656: must be below 2^48 where elements may have to be drawn again"},
	} {
		assert.EqualError(t, c.err, c.text)
	}
	assert.EqualValues(t, 7, g.Offset())
	end := at(t, 1, 0, ones64-1)
	x := []int{5, 6, 7, 8, 9, 10, 11, 12, 13}
	for _, err := range []error{
		random.Perm(end, x), random.Shuffle(end, x),
		random.ShuffleFunc(end, len(x), func(i, j int) { t.Error("was called") }),
	} {
		assert.ErrorIs(t, err, random.ErrExhausted)
	}
	assert.Equal(t, []int{5, 6, 7, 8, 9, 10, 11, 12, 13}, x)
	gpu := random.NewGenerator(random.CUDA(0), 1)
	for _, err := range []error{
		random.Perm(gpu, x[:0]), random.Shuffle(gpu, x), random.ShuffleFunc(gpu, 0, nil),
	} {
		assert.ErrorIs(t, err, random.ErrDevice)
	}
	require.NoError(t, random.Perm(end, x[:8]))
	assert.True(t, end.Exhausted())
}

func TestPermAllocatesNothing(t *testing.T) {
	if raceEnabled {
		return // the race detector allocates for its own ends
	}
	g := random.NewGenerator(random.CPU(), 1)
	assert.Zero(t, testing.AllocsPerRun(20, func() {
		var a [300]int16
		var b [300]int
		var c [300]uint32
		var d [100]uint8
		_, _, _, _ = random.Perm(g, a[:]), random.Perm(g, b[:]), random.Perm(g, c[:]), random.Perm(g, d[:])
		sink += float64(a[1]) + float64(b[1]) + float64(c[1]) + float64(d[1])
	}))
}

// A large array on the stack, which other goroutines must not write to.
func TestPermOnTheStack(t *testing.T) {
	setProcs(t, 4)
	want, _ := permuted(placeOf{9, 0, 0}, 1<<19+3)
	done := make(chan bool)
	go func() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		x := onTheStack(at(t, 9, 0, 0))
		runtime.ReadMemStats(&after)
		assert.True(t, slices.Equal(converted[uint32](want), x[:]))
		// x itself is on the heap; besides there is memory that goroutines may share.
		assert.Greater(t, after.TotalAlloc-before.TotalAlloc, uint64(2*4*len(x)))
		done <- true
	}()
	<-done
}

//go:noinline
func onTheStack(g *random.Generator) (x [1<<19 + 3]uint32) {
	_ = random.Perm(g, x[:])
	return x
}

func littleEndian32(x []uint32) []byte {
	b := make([]byte, 0, 4*len(x))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

var goldenPermutations = func() (cases []goldenCase) {
	for _, n := range []int{10, 1003, 1<<19 + 3} {
		for _, p := range []placeOf{{42, 0, 0}, {1<<64 - 42, 1<<40 + 7, 1<<32 - 100}} {
			cases = append(cases, goldenCase{
				fmt.Sprintf("Perm[uint32] seed %d stream %d offset %d n %d", int64(p.seed), p.stream, p.offset, n), 8,
				func(t *testing.T) []byte {
					return littleEndian32(filled(t, at(t, p.seed, p.stream, p.offset), n, random.Perm[uint32]))
				},
			})
		}
	}
	return cases
}()
