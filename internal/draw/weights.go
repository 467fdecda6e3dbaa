package draw

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync"
	"unsafe"

	"github.com/philox-go/rng/internal/argument"
	"github.com/philox-go/rng/internal/fill"
	"github.com/philox-go/rng/internal/poly"
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/skip"
)

// A draw by weights takes the first index i whose sum c[i] of weights 0 to i, in order,
// is above a cut, the coin times the sum of all, held below that sum. So there is always
// one. Its weight is above 0: c[i] > cut >= c[i-1] or, for i = 0, c[i] > cut >= 0, and a
// weight of 0 leaves the sum as it is.

// cut returns what the sum up to the index of a coin is the first to be above.
func cut(coin, total float64) float64 {
	if t := float64(coin * total); t < total { // not fused with what becomes of it
		return t
	}
	return math.Float64frombits(math.Float64bits(total) - 1)
}

// sum returns the sum of weights in order, with that up to each of them in sums if there
// is room, or NaN if one of them is less than 0 or NaN.
func sum[F Float](weights []F, sums []float64) float64 {
	c := 0.0
	for i, w := range weights {
		if !(w >= 0) {
			return math.NaN()
		}
		c += float64(w)
		if i < len(sums) {
			sums[i] = c
		}
	}
	return c
}

// checkSum returns an error for weights from one index up to another if their sum, as sum
// returns it, is none to draw by.
func checkSum[F Float](weights []F, from, to int, total float64) error {
	if total > 0 && total <= math.MaxFloat64 {
		return nil
	}
	for i, w := range weights[from:to] {
		if !(w >= 0 && argument.Finite(w)) {
			return argument.Bad(pkg, fmt.Sprintf("weights[%d]", from+i), w, "must be a finite number of at least 0")
		}
	}
	return argument.Bad(pkg, fmt.Sprintf("sum(%s)", rangeOf(weights, from, to)), total, "must be a finite number above 0")
}

// rangeOf names weights from one index up to another, which are a row of all.
func rangeOf[F Float](weights []F, from, to int) string {
	if to-from == len(weights) {
		return "weights"
	}
	return fmt.Sprintf("weights[%d:%d]", from, to)
}

// checkWeights returns an error for weights with such a sum, or none.
func checkWeights[F Float](weights []F, total float64) error {
	if len(weights) == 0 {
		return &skip.ArgumentError{Package: pkg, Arg: "len(weights)", Value: "0", Reason: "must be at least 1"}
	}
	return checkSum(weights, 0, len(weights), total)
}

// CategoricalAt returns the index that a coin has among weights.
func CategoricalAt[F Float](weights []F, coin float64) (int, error) {
	total := sum(weights, nil)
	if err := checkWeights(weights, total); err != nil {
		return 0, err
	}
	if err := checkCoin(coin); err != nil {
		return 0, err
	}
	return walk(weights, cut(coin, total)), nil
}

func checkCoin(coin float64) error {
	if !(coin >= 0 && coin < 1) {
		return argument.Bad(pkg, "coin", coin, "must be a number from 0 to below 1")
	}
	return nil
}

// walk returns the first index with a sum above a cut, which is below the sum of all.
func walk[F Float](weights []F, cut float64) int {
	c, i := float64(weights[0]), 0
	for c <= cut {
		i++
		c += float64(weights[i])
	}
	return i
}

// A Table is the sums of weights, and a guide to them where that pays: it does not change
// what is drawn (Chen and Asau, "On generating random variates from an empirical
// distribution", AIIE Transactions 6(2), 1974).
type Table struct {
	sums []float64
	// guide has, for each cell of coins with the same upper bits, an index that no coin
	// there comes before; nil if there is none.
	guide []uint32
	shift int // of a coin's 52 bits, that leaves those of its cell
}

const coinBits = 52

// NewTable returns a table of weights with a guide.
func NewTable[F Float](weights []F) (*Table, error) {
	t := new(Table)
	err := checkWeights(weights, setSums(t, weights))
	if err != nil {
		return nil, err
	}
	t.guideFor(math.MaxInt)
	return t, nil
}

// tables are those whose memory can be used again.
var tables = sync.Pool{New: func() any { return new(Table) }}

// TableFor returns a table that is as good as a number of draws is worth. Release gives
// it back.
func TableFor[F Float](weights []F, draws int) (*Table, error) {
	t := tables.Get().(*Table)
	if err := checkWeights(weights, setSums(t, weights)); err != nil {
		t.Release()
		return nil, err
	}
	t.guideFor(draws)
	return t, nil
}

// Release gives up a table of TableFor, which nobody may look at any longer.
func (t *Table) Release() { tables.Put(t) }

// setSums sets the sums to those of weights, and returns the last one, as sum does.
func setSums[F Float](t *Table, weights []F) float64 {
	t.sums = slices.Grow(t.sums[:0], len(weights))[:len(weights)]
	return sum(weights, t.sums)
}

// A guide takes as long to make as some draws without one: it pays from this part of the
// number of weights on.
const drawsShare = 16

// guideFor makes the guide if a number of draws is worth it.
func (t *Table) guideFor(draws int) {
	t.guide = t.guide[:0]
	if n := len(t.sums); draws >= n/drawsShare && uint64(n) <= math.MaxUint32 {
		t.makeGuide()
	}
}

// makeGuide makes two to four cells for each weight. On Zen 5 half as many take 1.5 times
// as long for a draw, and twice as many gain little, or nothing where the guide is as
// large as a core's cache.
//
// Coins of cell k of m are k/m and more. Where c[i]/total < k/m, c[i] is less than k/m*total,
// so that at most it is u*total, also when that is rounded, and no index up to i is u's. It
// does not matter that the quotient is rounded, as k/m is a number that rounding does not
// cross. So c[i] rules i out from cell floor(m*c[i]/total) + 1 on, or in no cell where it is
// the total.
func (t *Table) makeGuide() {
	n := len(t.sums)
	cellBits := min(bits.Len(uint(n-1))+1, 32)
	m := 1 << cellBits
	t.shift = coinBits - cellBits
	t.guide = slices.Grow(t.guide, m)[:m]
	clear(t.guide)
	total := t.sums[n-1]
	for i, c := range t.sums {
		if k := int(c/total*float64(m)) + 1; k < m {
			t.guide[k] = uint32(i + 1)
		}
	}
	last := uint32(0)
	for k, i := range t.guide {
		last = max(last, i)
		t.guide[k] = last
	}
}

// Len returns the number of weights.
func (t *Table) Len() int { return len(t.sums) }

// At returns the index that a coin has.
func (t *Table) At(coin float64) (int, error) {
	if err := checkCoin(coin); err != nil {
		return 0, err
	}
	return t.search(cut(math.Abs(coin), t.sums[len(t.sums)-1])), nil // -0 is no number that search takes
}

// passed is 1 if a sum is at most the cut, and 0 if it is above, without a branch: what it
// would be is random. Numbers of at least 0 are in the order of their bits.
func passed(sum, cut float64) uint64 {
	return (math.Float64bits(cut)-math.Float64bits(sum))>>63 ^ 1
}

// search returns the first index with a sum above a cut, which is below the sum of all.
func (t *Table) search(cut float64) int {
	first, n := 0, len(t.sums) // it is one of n
	for n > 1 {
		half := n / 2
		first += half & -int(passed(t.sums[first+half-1], cut))
		n -= half
	}
	return first
}

// indexes puts the indexes that the uniforms of words have in the place of these. With a
// guide a coin passes less than one sum in the mean, and mostly at most one, whatever the
// weights are: its cells are equally likely and more than the sums.
func (t *Table) indexes(words []uint64) {
	sums := t.sums
	total := sums[len(sums)-1]
	if len(t.guide) == 0 {
		for i, x := range words {
			words[i] = uint64(t.search(cut(poly.Uniform64(x), total)))
		}
		return
	}
	guide, shift := t.guide, uint(t.shift)%64
	for i, x := range words {
		c := cut(poly.Uniform64(x), total)
		k := uint64(guide[x&poly.Mask64>>shift])
		k += passed(sums[k], c)
		for sums[k] <= c {
			k++
		}
		words[i] = k
	}
}

// Categorical returns the draw of the indexes of a table's weights, whose number has a
// name.
func Categorical[I Integer](t *Table, name string) (Draw, error) {
	if err := Below[I](name, t.Len()); err != nil {
		return Draw{}, err
	}
	return Draw{maker: indexMaker[I](t)}, nil
}

// indexMaker returns the maker of the indexes of a table's weights.
func indexMaker[I Integer](t *Table) *fill.Maker {
	return &fill.Maker{
		Name: "categorical",
		Make: func(dst unsafe.Pointer, n int, key, hi, lo uint64, _ asm.Args) {
			var w [chunk]uint64
			for d := unsafe.Slice((*I)(dst), n); len(d) > 0; {
				m := min(len(d), chunk)
				hi, lo = wordsOf(w[:m], key, hi, lo)
				t.indexes(w[:m])
				for i, x := range w[:m] {
					d[i] = I(x)
				}
				d = d[m:]
			}
		},
		Size: int(unsafe.Sizeof(I(0))), PerBlock: 2, Slowdown: indexSlowdown,
	}
}

// indexSlowdown is that of indexes: one takes 4 ns on Zen 5, and its words what they take.
var indexSlowdown = map[asm.Level]int{asm.Generic: 2, asm.AVX2: 6, asm.AVX512: 10}[asm.Active()]
