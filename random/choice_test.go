package random_test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/statistics"
	"github.com/philox-go/rng/random"
)

// below returns the integer from 0 to n-1 of an element that takes one word or two.
func below(e element, n uint64, wide bool) uint64 {
	bits := uint(32)
	if wide {
		bits = 64
	}
	end := new(big.Int).Lsh(big.NewInt(1), bits)
	count := new(big.Int).SetUint64(n)
	least := new(big.Int).Mod(end, count)
	for a := uint32(0); ; a++ {
		x := uint64(e.words(a)[e.lane%4])
		if wide {
			x = e.wide(a)
		}
		high, low := new(big.Int).DivMod(new(big.Int).Mul(new(big.Int).SetUint64(x), count), end, new(big.Int))
		if low.Cmp(least) >= 0 {
			return high.Uint64()
		}
	}
}

// chosenOf returns k of n integers, and the blocks that they take: the first k of all n
// after k swaps, of which a map has what is not in its place.
func chosenOf(p placeOf, k int, n uint64, wide bool) (chosen []uint64, blocks uint64) {
	per := perBlock(wide)
	moved := map[uint64]uint64{}
	get := func(i uint64) uint64 {
		if v, ok := moved[i]; ok {
			return v
		}
		return i
	}
	for i := range uint64(k) {
		j := i + below(elementAt(p, 0, int(i), per), n-i, wide)
		moved[i], moved[j] = get(j), get(i)
		chosen = append(chosen, moved[i])
	}
	return chosen, uint64((k + per - 1) / per)
}

func testChoice[T integer](t *testing.T, p placeOf, k, n int) {
	wide := uint64(n) > 1<<32
	want, blocks := chosenOf(p, k, uint64(n), wide)
	g := at(t, p.seed, p.stream, p.offset)
	got := make([]T, k)
	require.NoError(t, random.Choice(g, got, n, false))
	for i, v := range want {
		require.EqualValues(t, v, got[i], "%d: %d of %d %T", i, k, n, got)
	}
	require.Equal(t, p.offset+blocks, g.Offset())
}

func TestChoiceAgainstItsRule(t *testing.T) {
	p := placeOf{1<<64 - 42, 1<<48 - 1, 1<<32 - 5}
	for _, n := range []int{1, 2, 3, 10, 100, 256} {
		for _, k := range []int{0, 1, 2, n / 6, n / 5, n / 2, n - 1, n} {
			if k <= n {
				testChoice[uint8](t, p, k, n)
				testChoice[int64](t, p, k, n)
			}
		}
	}
	for _, n := range []int{2560, 2565, 40_000, math.MaxInt32} { // 5 times as many are few
		for _, k := range []int{1, 2, 3, 511, 512, 513, 1500} {
			testChoice[int32](t, p, k, n)
			testChoice[uint64](t, p, k, n)
		}
	}
	if math.MaxInt > math.MaxInt32 {
		// Half of 3*2^30's words are drawn again, as a quarter of 3*2^62's are.
		for _, n := range []int64{3 << 30, 1<<32 - 1, 1 << 32, 1<<32 + 1, 1<<32 + 300, 3 << 61, math.MaxInt64} {
			for _, k := range []int{1, 2, 3, 513, 1025} {
				testChoice[int64](t, p, k, int(n))
				testChoice[uint](t, p, k, int(n))
			}
		}
	}
}

// Choices are the first of longer ones, and in memory for as many as there are or for few.
func TestChoicesBeginAlike(t *testing.T) {
	const n = 10_000
	of := func(k int) []uint16 {
		x := make([]uint16, k)
		require.NoError(t, random.Choice(at(t, 3, 2, 1), x, n, false))
		return x
	}
	all := of(n)
	for _, k := range []int{1, 10, 1999, 2000, 2001, 5000, n - 1} {
		require.True(t, slices.Equal(all[:k], of(k)), "%d", k)
	}
	slices.Sort(all)
	for i, v := range all {
		require.EqualValues(t, i, v)
	}
}

func TestChoiceWithReplacementIsIntN(t *testing.T) {
	for _, n := range []int{1, 2, 1000, math.MaxInt32} {
		g, h := at(t, 5, 6, 7), at(t, 5, 6, 7)
		x, y := make([]int, 1001), make([]int, 1001)
		require.NoError(t, random.Choice(g, x, n, true))
		require.NoError(t, random.IntN(h, y, 0, n))
		require.Equal(t, y, x)
		equal(t, h, g)
	}
	x := make([]uint8, 1000)
	require.NoError(t, random.Choice(at(t, 5, 6, 7), x, 256, true))
	assert.Contains(t, x, uint8(255))
}

// Two of four in all twelve orders, and a mutant that sorts them.
func TestStatisticsOfChoice(t *testing.T) {
	const n = 12 * 2000
	pairs := func(choose func(g *random.Generator, x []uint8)) float64 {
		g := at(t, 12, 0, 0)
		counts := make([]float64, 12)
		for range n {
			var x [2]uint8
			choose(g, x[:])
			if x[1] > x[0] {
				x[1]--
			}
			counts[x[0]*3+x[1]]++
		}
		return statistics.ChiSquare(counts, n, func(int) float64 { return 1. / 12 })
	}
	choice := func(g *random.Generator, x []uint8) { require.NoError(t, random.Choice(g, x, 4, false)) }
	assert.Less(t, pairs(choice), statistics.Limit)
	assert.Greater(t, pairs(func(g *random.Generator, x []uint8) {
		choice(g, x)
		slices.Sort(x)
	}), statistics.Limit)

	// Of a million, in memory for few, by which twentieth.
	const million, bins = 1_000_000, 20
	counts := make([]float64, bins)
	x := make([]int32, 50)
	g := at(t, 13, 0, 0)
	for range 400 {
		require.NoError(t, random.Choice(g, x, million, false))
		for _, v := range x {
			counts[int(v)*bins/million]++
		}
	}
	assert.Less(t, statistics.ChiSquare(counts, 400*50, func(int) float64 { return 1. / bins }), statistics.Limit)
}

// pytorch/pytorch#143682: 2^32 mod n is a quarter of all words at n = 3*2^30, so that a third of the
// integers would come twice as often as others without further attempts.
func TestCase39Choice(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		return // n is no int
	}
	n := int64(3) << 30
	var thirds [3]float64
	x := make([]uint32, 30_000)
	require.NoError(t, random.Choice(at(t, 39, 0, 0), x, int(n), false))
	for _, v := range x {
		thirds[v>>30]++
	}
	assert.Less(t, statistics.ChiSquare(thirds[:], 30_000, func(int) float64 { return 1. / 3 }), statistics.Limit)
}

func TestChoiceErrors(t *testing.T) {
	g := at(t, 1, 0, 7)
	x := []uint8{3, 3, 3}
	for _, replacement := range []bool{false, true} {
		for _, c := range []struct {
			n    int
			text string
		}{
			{-1, "random: n = -1: must be at least 0"},
			{0, "random: n = 0: must be at least 1 for the 3 integers of dst"},
			{257, "random: n = 257: must be at most 256, the number of integers from 0 on that uint8 has"},
		} {
			assert.EqualError(t, random.Choice(g, x, c.n, replacement), c.text)
		}
		assert.NoError(t, random.Choice(g, x[:0], 0, replacement))
		for n := range 4 {
			assert.ErrorContains(t, random.Choice(at(t, 1, 1<<48, 0), x[:n], 3, replacement), "stream = 281474976710656")
		}
		assert.ErrorContains(t, random.Choice(at(t, 1, 1<<48, 0), x[:0], 0, replacement), "stream = 281474976710656")
		assert.ErrorIs(t, random.Choice(exhausted(t, 1, 0), x, 3, replacement), random.ErrExhausted)
		assert.ErrorIs(t, random.Choice(random.NewGenerator(random.CUDA(0), 1), x, 3, replacement), random.ErrDevice)
	}
	assert.EqualError(t, random.Choice(g, x, 2, false), "random: n = 2: must be at least 3, len(dst), without replacement")
	assert.Equal(t, []uint8{3, 3, 3}, x)
	assert.EqualValues(t, 7, g.Offset())
}

// masked returns what ChoiceWithMask must give.
func masked(p placeOf, count int, mask []bool, shape []int) (indices []int, valid []bool) {
	var trues [][]int
	at := make([]int, len(shape))
	for _, m := range mask {
		if m {
			trues = append(trues, slices.Clone(at))
		}
		for d := len(at) - 1; d >= 0; d-- {
			if at[d]++; at[d] < shape[d] {
				break
			}
			at[d] = 0
		}
	}
	chosen, _ := chosenOf(p, min(count, len(trues)), uint64(len(trues)), false)
	valid = make([]bool, count)
	for i, c := range chosen {
		indices = append(indices, trues[c]...)
		valid[i] = true
	}
	return append(indices, make([]int, count*len(shape)-len(indices))...), valid
}

func TestChoiceWithMaskAgainstItsRule(t *testing.T) {
	p := placeOf{9, 8, 7}
	for _, shape := range [][]int{{}, {1}, {10}, {255}, {256}, {257}, {5000}, {3, 4}, {40, 0}, {1, 30, 1}, {2, 3, 4, 5}, {2, 1, 3, 7, 2}, {6, 5, 4, 3, 2, 2}} {
		n := 1
		for _, length := range shape {
			n *= length
		}
		for _, kind := range []string{"none", "all", "few", "half", "first", "last"} {
			mask := make([]bool, n)
			r := newRand(uint64(n))
			for i := range mask {
				mask[i] = kind == "all" || kind == "few" && r.IntN(50) == 0 || kind == "half" && r.IntN(2) == 0 || kind == "first" && i == 0 || kind == "last" && i == n-1
			}
			for _, count := range []int{0, 1, 2, 5, n/16 - 1, n / 16, n, n + 3} {
				if count < 0 {
					continue
				}
				g := at(t, p.seed, p.stream, p.offset)
				indices, valid := make([]int16, count*len(shape)), make([]bool, count)
				for i := range indices {
					indices[i] = -9
				}
				for i := range valid {
					valid[i] = i%2 == 0
				}
				require.NoError(t, random.ChoiceWithMask(g, indices, valid, mask, shape))
				wantIndices, wantValid := masked(p, count, mask, shape)
				require.Equal(t, converted[int16](wantIndices), indices, "%d of %s of %v", count, kind, shape)
				require.Equal(t, wantValid, valid)
				require.Equal(t, p.offset+quarter(count), g.Offset())
			}
		}
	}
}

// A shape in the memory of what is written.
func TestChoiceWithMaskOfItsOwnShape(t *testing.T) {
	mask := make([]bool, 6)
	mask[5] = true
	shape, valid := []int{2, 3}, make([]bool, 1)
	require.NoError(t, random.ChoiceWithMask(at(t, 1, 0, 0), shape, valid, mask, shape))
	assert.Equal(t, []int{1, 2}, shape)
	assert.True(t, valid[0])
}

func TestChoiceWithMaskErrors(t *testing.T) {
	g := at(t, 1, 0, 7)
	mask, indices, valid := []bool{true, true, true, true, true, true}, []int8{5, 5, 5, 5}, []bool{true, true}
	shape := []int{2, 3}
	for _, c := range []struct {
		err  error
		text string
	}{
		{random.ChoiceWithMask(g, indices, valid, mask, []int{2, -3}), "random: shape[1] = -3: must be at least 0"},
		{random.ChoiceWithMask(g, indices, valid, mask, []int{2, 2}), "random: len(mask) = 6: must be 4, the product of the shape [2 2]"},
		{random.ChoiceWithMask(g, indices[:0], valid, mask, nil), "random: len(mask) = 6: must be 1, the product of the shape []"},
		{random.ChoiceWithMask(g, indices, valid, mask, []int{math.MaxInt, 3}), fmt.Sprintf("random: shape = [%d 3]: has more elements than an int counts", math.MaxInt)},
		{random.ChoiceWithMask(g, indices[:3], valid, mask, shape), "random: len(indices) = 3: must be len(valid)*len(shape), 2*2"},
		{random.ChoiceWithMask(g, indices[:2], valid, make([]bool, 129), []int{129}), "random: shape[0] = 129: must be at most 128, the number of integers from 0 on that int8 has"},
	} {
		assert.EqualError(t, c.err, c.text)
	}
	assert.ErrorContains(t, random.ChoiceWithMask(at(t, 1, 1<<48, 0), indices, valid, mask, shape), "stream = 281474976710656")
	assert.ErrorIs(t, random.ChoiceWithMask(exhausted(t, 1, 0), indices, valid, mask, shape), random.ErrExhausted)
	assert.ErrorIs(t, random.ChoiceWithMask(random.NewGenerator(random.CUDA(0), 1), indices, valid, mask, shape), random.ErrDevice)
	assert.Equal(t, []int8{5, 5, 5, 5}, indices)
	assert.Equal(t, []bool{true, true}, valid)
	assert.EqualValues(t, 7, g.Offset())
}

// Every pair of three true elements, in both orders.
func TestStatisticsOfChoiceWithMask(t *testing.T) {
	const n = 6000
	mask := []bool{false, true, true, false, false, true}
	counts := map[[2]int]float64{}
	g := at(t, 14, 0, 0)
	for range n {
		var x [2]int
		valid := make([]bool, 2)
		require.NoError(t, random.ChoiceWithMask(g, x[:], valid, mask, []int{6}))
		require.Equal(t, []bool{true, true}, valid)
		counts[x]++
	}
	var all []float64
	for _, i := range []int{1, 2, 5} {
		for _, j := range []int{1, 2, 5} {
			if i != j {
				all = append(all, counts[[2]int{i, j}])
			}
		}
	}
	assert.Less(t, statistics.ChiSquare(all, n, func(int) float64 { return 1. / 6 }), statistics.Limit)
}

var goldenChoices = func() (cases []goldenCase) {
	p := placeOf{1<<64 - 42, 1<<40 + 7, 1<<32 - 100}
	for _, n := range []int{100, 5000, math.MaxInt32} {
		cases = append(cases, goldenCase{
			fmt.Sprintf("Choice[uint32] n %d without replacement seed %d stream %d offset %d of %d", n, int64(p.seed), p.stream, p.offset, min(n, 1003)), 8,
			func(t *testing.T) []byte {
				return littleEndian32(filled(t, at(t, p.seed, p.stream, p.offset), min(n, 1003), func(g *random.Generator, dst []uint32) error {
					return random.Choice(g, dst, n, false)
				}))
			},
		})
	}
	return append(cases, goldenCase{
		fmt.Sprintf("ChoiceWithMask[uint32] of 100*99 every third seed %d stream %d offset %d of 1003", int64(p.seed), p.stream, p.offset), 8,
		func(t *testing.T) []byte {
			indices, valid, mask := make([]uint32, 2006), make([]bool, 1003), make([]bool, 9900)
			for i := range mask {
				mask[i] = i%3 == 0
			}
			require.NoError(t, random.ChoiceWithMask(at(t, p.seed, p.stream, p.offset), indices, valid, mask, []int{100, 99}))
			require.NotContains(t, valid, false)
			return littleEndian32(indices)
		},
	})
}()
