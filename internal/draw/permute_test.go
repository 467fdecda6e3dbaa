package draw

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/statistics"
	"github.com/philox-go/rng/philox"
)

func TestRoundsOf(t *testing.T) {
	for _, c := range []struct {
		n      uint64
		rounds []int
	}{
		{0, nil}, {1, nil}, {1 << 19, nil}, {1<<19 + 1, []int{5}}, {1 << 20, []int{5}}, {1<<20 + 1, []int{6}},
		{1e7, []int{9}}, {1 << 26, []int{11}}, {1<<26 + 1, []int{6, 6}}, {1 << 31, []int{8, 8}}, {1<<31 + 1, []int{8, 9}},
		{1 << 37, []int{11, 11}}, {1<<37 + 1, []int{7, 8, 8}}, {1 << 62, []int{9, 9, 9, 10, 10}},
	} {
		if n := int(c.n); n >= 0 && uint64(n) == c.n {
			assert.Equal(t, c.rounds, roundsOf(n), "%d", n)
			assert.Equal(t, uint64(len(c.rounds)+1)*((c.n+3)/4), PermutationBlocks(n))
		}
	}
}

// divided is a permutation with rounds that only longer ones have.
func divided(seed uint64, n int, rounds ...int) *permutation {
	return &permutation{n: n, rounds: rounds, stream: philox.New(seed).WithMaxGoroutines(1)}
}

// ordered permutes by sorting.
func (p *permutation) ordered() []uint32 {
	x := make([]uint32, p.n)
	for i := range x {
		x[i] = uint32(i)
	}
	buckets := make([]int, p.n) // by position
	w := make([]uint32, p.n)
	for round, bits := range p.rounds {
		p.words(round).FillUint32(w)
		from := make([]int, p.n)
		for i := range from {
			from[i] = i
			buckets[i] = buckets[i]<<bits | int(w[i]>>(32-bits))
		}
		slices.SortStableFunc(from, func(i, j int) int { return buckets[i] - buckets[j] })
		x, buckets = gather(x, from), gather(buckets, from)
	}
	for i, start := 0, 0; i < p.n; i++ {
		if buckets[i] != buckets[start] {
			start = i
		}
		j := start + int(integer(p.words(len(p.rounds)), uint64(i), uint64(i-start+1), false))
		x[i], x[j] = x[j], x[i]
	}
	return x
}

func gather[T any](x []T, from []int) (y []T) {
	for _, i := range from {
		y = append(y, x[i])
	}
	return y
}

func numbers(n int) []uint64 {
	x := make([]uint64, n)
	for i := range x {
		x[i] = uint64(i)
	}
	return x
}

// Any rounds, since two need 2^26 elements otherwise.
func TestRounds(t *testing.T) {
	for _, n := range []int{1, 2, 3, 64, 1000, 20_011} {
		for _, rounds := range [][]int{{1}, {5}, {11}, {1, 1}, {2, 3}, {6, 6}, {1, 2, 3}, {2, 1, 2, 1}, {1, 1, 1, 2, 2}} {
			p := divided(uint64(n), n, rounds...)
			want := p.ordered()
			got := make([]uint32, n)
			permuteShared(p, got)
			require.True(t, slices.Equal(want, got), "%d %v", n, rounds)
			x := numbers(n)
			shuffle(p, x)
			for i, v := range want {
				require.EqualValues(t, v, x[i], "%d %v", n, rounds)
			}
		}
	}
}

func TestHasPointers(t *testing.T) {
	type plain struct {
		a [3]complex128
		b struct{ c, d uint8 }
		e bool
	}
	type deep struct {
		a int
		b [2]struct{ c *int }
	}
	assert.False(t, hasPointers(reflect.TypeFor[plain]()))
	for _, typ := range []reflect.Type{
		reflect.TypeFor[uintptr](), reflect.TypeFor[float32](), reflect.TypeFor[[0]uint16](), reflect.TypeFor[struct{}](),
	} {
		assert.False(t, hasPointers(typ), "%v", typ)
	}
	for _, typ := range []reflect.Type{
		reflect.TypeFor[deep](), reflect.TypeFor[string](), reflect.TypeFor[[]int](), reflect.TypeFor[any](), reflect.TypeFor[error](),
		reflect.TypeFor[map[int]int](), reflect.TypeFor[chan int](), reflect.TypeFor[func()](), reflect.TypeFor[unsafe.Pointer](), reflect.TypeFor[*int](),
	} {
		assert.True(t, hasPointers(typ), "%v", typ)
	}
}

// Permutations of four elements that buckets divide, and of those whose buckets nobody
// permutes.
func TestDividedPermutationsAreUniform(t *testing.T) {
	const n = 24 * 400
	for _, rounds := range [][]int{{1}, {3}, {2, 1}} {
		whole, undone := make([]float64, 24), make([]float64, 24)
		for seed := range uint64(n) {
			p := divided(seed, 4, rounds...)
			x := make([]uint32, 4)
			permuteShared(p, x)
			whole[statistics.Order(x)]++
			to, from := make([]uint32, 4), []uint32{0, 1, 2, 3}
			p.divide(move(p, to, from))
			undone[statistics.Order(to)]++
		}
		uniform := func(int) float64 { return 1. / 24 }
		assert.Less(t, statistics.ChiSquare(whole, n, uniform), statistics.Limit, "%v", rounds)
		assert.Greater(t, statistics.ChiSquare(undone, n, uniform), statistics.Limit, "%v", rounds)
	}
}

// pytorch/pytorch#54113 (review): keys with ties that favour low indices. With the keys
// 1, 0, 1 element 1 is the first, and each of the others as often the second.
func TestCase40TiesFavourNobody(t *testing.T) {
	counts := map[string]float64{}
	n := 0.0
	for seed := range uint64(16_000) {
		p := divided(seed, 3, 1)
		var keys [3]uint32
		p.words(0).FillUint32(keys[:])
		if keys[0]>>31 != 1 || keys[1]>>31 != 0 || keys[2]>>31 != 1 {
			continue
		}
		x := make([]uint32, 3)
		permuteShared(p, x)
		counts[fmt.Sprint(x)]++
		n++
	}
	assert.Len(t, counts, 2)
	assert.Less(t, statistics.Binomial(counts["[1 0 2]"], n, 0.5), statistics.Limit)
	assert.Less(t, statistics.Binomial(counts["[1 2 0]"], n, 0.5), statistics.Limit)
	assert.InDelta(t, 2000, n, 200)
}
