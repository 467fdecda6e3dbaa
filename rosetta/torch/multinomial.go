package torch

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Multinomial is torch.multinomial(weights, k, replacement) of rows of weights side by
// side: dst gets k numbers of each row, those from 0 to the length of a row less 1. It is
// an error if a weight is negative or not finite, if a row has no weight above 0, and
// without replacement if it has fewer of these than k.
//
// Several numbers of a single row with replacement are an error if the row has more than
// 5760 weights in float32, 2688 in float64 or 11520 in a type of 16 bits: PyTorch finds the
// numbers in running sums, and those of a longer row may be rounded otherwise whenever they
// are computed. Those of two rows and more never are.
func Multinomial[T Float](g *Generator, dst []int64, weights []T, rows, k int, replacement bool) error {
	return draw(g, dst, func(s source, n uint64) (numbers[int64], error) {
		if rows < 0 || k < 0 || uint64(rows)*uint64(k) != n {
			return numbers[int64]{}, bad("len(dst)", n, "must be rows*k")
		}
		return multinomial(s, weights, rows, k, replacement)
	})
}

func multinomial[T Float](s source, weights []T, rows, k int, replacement bool) (numbers[int64], error) {
	none := numbers[int64]{}
	switch {
	case rows < 1:
		return none, bad("rows", rows, "must be at least 1")
	case k < 1:
		return none, bad("k", k, "must be at least 1")
	case len(weights) == 0 || len(weights)%rows != 0:
		return none, bad("len(weights)", len(weights), "must be rows times the number of weights of each")
	}
	columns := len(weights) / rows
	if most := scanTiles * tileOf[T](); replacement && k > 1 && rows == 1 && columns > most {
		return none, bad("len(weights)", columns, fmt.Sprintf("must be at most %d for several numbers of one row with replacement: "+
			"the running sums of more %s depend on which of PyTorch's threads come first", most, dtype[T]()))
	}
	for r := range rows {
		positive := 0
		for c, w := range weights[r*columns : (r+1)*columns] {
			f := float64Of(w)
			if !(f >= 0 && f <= math.MaxFloat64) {
				return none, bad("weights", f, "at "+strconv.Itoa(r*columns+c)+" must be at least 0 and finite")
			}
			if f > 0 {
				positive++
			}
		}
		if positive == 0 || !replacement && positive < k {
			return none, bad("weights", positive, "weights above 0 in row "+strconv.Itoa(r)+" must be at least k")
		}
	}
	if replacement && k > 1 {
		return replaced(s, weights, rows, k), nil
	}
	q := elementwise(s, uint64(len(weights)), exponentials[T](1))
	return numbers[int64]{n: uint64(rows * k), after: q.after, fill: func(dst []int64, first uint64) {
		e := make([]T, len(weights))
		q.fill(e, 0)
		race := make([]float64, columns)
		order := make([]int64, columns)
		for i := range dst {
			at := first + uint64(i)
			r, j := int(at/uint64(k)), int(at%uint64(k))
			if i == 0 || j == 0 {
				for c := range race {
					race[c], order[c] = quotient(weights[r*columns+c], e[r*columns+c]), int64(c)
				}
				rank(race, order, k)
			}
			dst[i] = order[j]
		}
	}}, nil
}

// quotient divides as PyTorch does: in the type, or for those of 16 bits in float32.
func quotient[T Float](w, e T) float64 {
	if wide[T]() {
		return float64Of(w) / float64Of(e)
	}
	return float64(round32[T](float32(float64Of(w)) / float32(float64Of(e))))
}

// rank puts the k of order with the largest numbers first, the largest one of them first.
// Of equal ones torch.topk finds those that are before, and then, if k is at most 32, sorts
// what it found by a network that does not keep their order.
func rank(race []float64, order []int64, k int) {
	if k == 1 {
		best := 0
		for c, x := range race {
			if x > race[best] {
				best = c
			}
		}
		order[0] = int64(best)
		return
	}
	slices.SortStableFunc(order, func(a, b int64) int { return cmp.Compare(race[b], race[a]) })
	if k > network {
		return
	}
	// What was found stands in its first order, all that are equal to the last one behind.
	last := race[order[k-1]]
	slices.SortFunc(order[:k], func(a, b int64) int {
		if tieA, tieB := race[a] == last, race[b] == last; tieA != tieB {
			if tieA {
				return 1
			}
			return -1
		}
		return cmp.Compare(a, b)
	})
	bitonic(race, order[:k])
}

// network is how many a warp sorts by a bitonic network (ATen/native/cuda/SortUtils.cuh).
const network = 32

// bitonic sorts at most 32 numbers, the largest first, as PyTorch's network does, which
// exchanges equal ones. Places beyond the last number sort behind all.
func bitonic(race []float64, order []int64) {
	var v [network]int64
	for i := range v {
		v[i] = -1
	}
	copy(v[:], order)
	exchange := func(a, b int, dir bool) {
		before := v[b] < 0 || v[a] >= 0 && race[v[a]] > race[v[b]]
		if before == dir {
			v[a], v[b] = v[b], v[a]
		}
	}
	for size := 2; size <= network; size *= 2 {
		for stride := size / 2; stride > 0; stride /= 2 {
			for t := range network / 2 {
				at := 2*t - t&(stride-1)
				exchange(at, at+stride, size < network && t&(size/2) != 0)
			}
		}
	}
	copy(order, v[:])
}
