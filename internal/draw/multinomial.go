package draw

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"sync"
	"unsafe"

	"github.com/philox-go/rng/internal/fill"
	"github.com/philox-go/rng/internal/poly"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/skip"
)

// A MultinomialDraw is the draw of k indexes from each row of a matrix of weights.
type MultinomialDraw[I Integer, F Float] struct {
	weights       []F
	rows, cols, k int
	replacement   bool
	totals        []float64 // the sum of each row in order
}

// Multinomial returns the draw of k indexes from each of some rows of weights, into n
// elements. At most limit goroutines look at the weights; 0 means GOMAXPROCS.
func Multinomial[I Integer, F Float](weights []F, n, rows, k int, replacement bool, limit int) (*MultinomialDraw[I, F], error) {
	bad := func(arg string, value int, reason string) (*MultinomialDraw[I, F], error) {
		return nil, &skip.ArgumentError{Package: pkg, Arg: arg, Value: strconv.Itoa(value), Reason: reason}
	}
	switch {
	case rows < 0:
		return bad("rows", rows, "must be at least 0")
	case k < 0:
		return bad("k", k, "must be at least 0")
	case rows == 0 && len(weights) > 0:
		return bad("len(weights)", len(weights), "must be 0 for 0 rows")
	case rows > 0 && (len(weights) == 0 || len(weights)%rows != 0):
		return bad("len(weights)", len(weights), fmt.Sprintf("must be a multiple of rows, %d, and not 0", rows))
	}
	if hi, all := bits.Mul(uint(rows), uint(k)); hi != 0 || all != uint(n) {
		return bad("len(dst)", n, fmt.Sprintf("must be rows*k, %d times %d", rows, k))
	}
	m := &MultinomialDraw[I, F]{weights: weights, rows: rows, k: k, replacement: replacement}
	if rows > 0 {
		m.cols = len(weights) / rows
	}
	if err := Below[I]("len(weights)/rows", m.cols); err != nil {
		return nil, err
	}
	m.totals = make([]float64, rows)
	fill.Share(rows, worthwhile(float64(m.cols)), limit, func(from, to int) {
		for r := from; r < to; r++ {
			total, err := m.check(r)
			if err != nil {
				total = math.NaN()
			}
			m.totals[r] = total
		}
	})
	if r := slices.IndexFunc(m.totals, math.IsNaN); r >= 0 {
		_, err := m.check(r)
		return nil, err
	}
	return m, nil
}

// worthwhile returns how many rows are worth a goroutine's while, which is 50 microseconds,
// of rows that take some nanoseconds each.
func worthwhile(each float64) int { return int(50e3/(each+10)) + 1 }

// check returns the sum of a row in order, or an error if it cannot be drawn from.
func (m *MultinomialDraw[I, F]) check(r int) (float64, error) {
	from := r * m.cols
	to := from + m.cols
	row := m.weights[from:to]
	total := sum(row, nil)
	if m.replacement {
		return total, checkSum(m.weights, from, to, total)
	}
	root := total
	if root > math.MaxFloat64/2 { // below, that of the tree, which differs by roundings, is finite as well
		t := trees.Get().(*tree)
		root = makeTree(t, row)
		trees.Put(t)
	}
	if err := checkSum(m.weights, from, to, root); err != nil {
		return 0, err
	}
	left := m.k
	for i := 0; i < len(row) && left > 0; i++ {
		if row[i] > 0 {
			left--
		}
	}
	if left > 0 {
		return 0, &skip.ArgumentError{Package: pkg, Arg: "k", Value: strconv.Itoa(m.k), Reason: fmt.Sprintf("must be at most %d, the number of %s that are above 0", m.k-left, rangeOf(m.weights, from, to))}
	}
	return total, nil
}

// Blocks returns the number of blocks that the elements take.
func (m *MultinomialDraw[I, F]) Blocks() uint64 {
	n := uint64(m.rows * m.k)
	return n/2 + n%2
}

// Fill writes the elements, from the first block of s on.
func (m *MultinomialDraw[I, F]) Fill(s philox.Stream, dst []I) {
	limit := s.MaxGoroutines()
	cost := float64(m.cols) + 10*float64(m.k)
	if !m.replacement {
		cost = 3*float64(m.cols) + 100*float64(m.k)
	}
	// Where there are more goroutines than rows, some share a row.
	s = s.WithMaxGoroutines(max(1, fill.Goroutines(limit)/max(1, m.rows)))
	fill.Share(m.rows, worthwhile(cost), limit, func(from, to int) {
		var coins [chunk]uint64
		for r := from; r < to; r++ {
			m.draw(s, dst[r*m.k:][:m.k], r, &coins)
		}
	})
}

// fewSteps is how many steps along a row with all of its draws take less time than a table.
const fewSteps = 128

// draw writes the elements of a row, with room for coins.
func (m *MultinomialDraw[I, F]) draw(s philox.Stream, dst []I, r int, coins *[chunk]uint64) {
	row, first := m.weights[r*m.cols:][:m.cols], uint64(r*m.k)
	hi, lo := s.Counter().Uint64s()
	if m.replacement && m.k > 1 && m.cols > fewSteps/m.k {
		t := tables.Get().(*Table)
		setSums(t, row)
		t.guideFor(m.k)
		fill.With(indexMaker[I](t), unsafe.Pointer(unsafe.SliceData(dst)), m.k, first, s.Key().Seed(), hi, lo, s.MaxGoroutines(), asm.Args{})
		t.Release()
		return
	}
	var t *tree
	if !m.replacement {
		t = trees.Get().(*tree)
		defer trees.Put(t)
		makeTree(t, row)
	}
	for len(dst) > 0 {
		n := min(len(dst), chunk)
		fill.Fill(asm.Uint64, unsafe.Pointer(coins), n, first, s.Key().Seed(), hi, lo, 1, asm.Standard())
		for i, x := range coins[:n] {
			if coin := poly.Uniform64(x); m.replacement {
				dst[i] = I(walk(row, cut(coin, m.totals[r])))
			} else {
				dst[i] = I(t.take(coin))
			}
		}
		dst, first = dst[n:], first+uint64(n)
	}
}

// A tree is the sums of weights, of pairs of these sums, and so on, for draws without
// replacement: what was drawn becomes 0, and the sums that it is in are made anew. They
// are at each time those of the weights that are left, without a residue of subtractions.
type tree struct {
	nodes  []float64 // the weights, and then level by level, but for the root with a 0 at the end if there are an odd number
	levels []int     // where they begin
}

// trees are those whose memory can be used again.
var trees = sync.Pool{New: func() any { return new(tree) }}

// makeTree makes a tree of weights and returns the sum of all.
func makeTree[F Float](t *tree, weights []F) float64 {
	t.nodes = slices.Grow(t.nodes[:0], 2*len(weights)+2*bits.UintSize)
	for _, w := range weights {
		t.nodes = append(t.nodes, float64(w))
	}
	t.levels = append(t.levels[:0], 0)
	for from, n := 0, len(weights); n > 1; n /= 2 {
		if n%2 == 1 {
			t.nodes = append(t.nodes, 0)
			n++
		}
		to := from + n
		t.levels = append(t.levels, to)
		for i := from; i < to; i += 2 {
			t.nodes = append(t.nodes, t.nodes[i]+t.nodes[i+1])
		}
		from = to
	}
	return t.nodes[len(t.nodes)-1]
}

// take returns the index of a coin and makes its weight 0.
//
// If the root is above 0, the way down leads through nodes above 0 alone: such a node is
// the sum of two numbers of at least 0, one of which is above 0. The left one is taken if
// the cut, which is at least 0, is less, or if the right one is 0; the right one if it is
// above 0. It does not matter that the cut may be as large as the node, by roundings or
// because a small weight made no difference to a sum.
func (t *tree) take(coin float64) int {
	top := len(t.levels) - 1
	cut := float64(coin * t.nodes[t.levels[top]])
	i := 0
	for l := top - 1; l >= 0; l-- {
		i *= 2
		left, right := t.nodes[t.levels[l]+i], t.nodes[t.levels[l]+i+1]
		if cut >= left && right > 0 {
			cut -= left
			i++
		}
	}
	t.nodes[i] = 0
	for l, j := 0, i/2; l < top; l, j = l+1, j/2 {
		t.nodes[t.levels[l+1]+j] = t.nodes[t.levels[l]+2*j] + t.nodes[t.levels[l]+2*j+1]
	}
	return i
}
