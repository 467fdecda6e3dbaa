package random

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"

	"github.com/philox-go/rng/internal/draw"
)

// Choice fills dst with integers from 0 to n-1. With replacement each of them is equally
// likely for every element: those of [IntRange] from 0 to n-1. Without, no integer comes
// twice, and all choices in all orders are equally likely: element i is what a permutation
// by swaps has at i, after it was swapped with one of the n-i from i on. So dst is the
// beginning of a longer choice from the same place. For all of n, [Perm] is faster and
// is shared among cores; its numbers are others.
//
// len(dst) elements reserve a quarter of their number of blocks, or half of it if n is above
// 2^32, rounded up. Without replacement some memory is allocated, in proportion to len(dst)
// however large n is. The generator's stream must be below 2^48. It is an error if n < 0,
// if n-1 is more than the type has, if there are no integers to choose from, or, without
// replacement, fewer than len(dst).
func Choice[T Integer](g *Generator, dst []T, n int, replacement bool) error {
	if n < 0 {
		return badArg("n", strconv.Itoa(n), "must be at least 0")
	}
	if err := draw.Below[T]("n", n); err != nil {
		return err
	}
	if n == 0 && len(dst) > 0 {
		return badArg("n", "0", fmt.Sprintf("must be at least 1 for the %d integers of dst", len(dst)))
	}
	if replacement {
		d, err := draw.Integers(0, T(max(n, 1)-1))
		return run(g, d, err, at(dst), len(dst))
	}
	if n < len(dst) {
		return badArg("n", strconv.Itoa(n), fmt.Sprintf("must be at least %d, len(dst), without replacement", len(dst)))
	}
	wide := draw.Wide(uint64(n))
	from, err := reserveChoice(g, len(dst), wide)
	if err != nil {
		return err
	}
	draw.Choose(from.blocks(), dst, uint64(n), wide)
	return nil
}

// reserveChoice reserves the blocks of choices without replacement.
func reserveChoice(g *Generator, count int, wide bool) (place, error) {
	g, err := On(g, CPU())
	if err != nil {
		return place{}, err
	}
	return g.reserve(draw.ChoiceBlocks(count, wide), true)
}

// ChoiceWithMask chooses len(valid) of the true elements of a mask, without replacement,
// and writes their indices, each of as many integers as the shape of the mask has
// dimensions, which may be none: indices is an array of shape (len(valid), len(shape)),
// and mask one of shape, both with the last index the fastest. valid[i] is true
// where index i is a chosen one. If too few elements are true, all are chosen, in random
// order; the flags behind them are false and the integers 0.
//
// The true elements that are chosen are, by their rank among the true elements, those of
// [Choice]: with longer slices the result begins with the same. It reserves a quarter of
// len(valid) blocks, rounded up, whatever the mask holds, or half of it if the mask has
// more than 2^32 elements. It allocates memory in proportion to len(valid), and 1/32 of the
// size of the mask. The generator's stream must be below 2^48.
//
// It is an error if the product of the shape, 1 without dimensions, is not len(mask), if the
// length of indices is not that of valid times that of the shape, or if an index may be more
// than the type has.
func ChoiceWithMask[T Integer](g *Generator, indices []T, valid []bool, mask []bool, shape []int) error {
	if err := checkLengths(shape); err != nil {
		return err
	}
	if err := checkCount("mask", len(mask), shape); err != nil {
		return err
	}
	for i, n := range shape {
		if err := draw.Below[T](fmt.Sprintf("shape[%d]", i), n); err != nil {
			return err
		}
	}
	// A product that overflows has an upper half.
	if hi, lo := bits.Mul64(uint64(len(valid)), uint64(len(shape))); hi != 0 || lo != uint64(len(indices)) {
		return badArg("len(indices)", strconv.Itoa(len(indices)), fmt.Sprintf("must be len(valid)*len(shape), %d*%d", len(valid), len(shape)))
	}
	from, err := reserveChoice(g, len(valid), draw.Wide(uint64(len(mask))))
	if err != nil {
		return err
	}
	chosen := make([]int, min(len(valid), len(mask)))
	chosen = chosen[:draw.ChooseTrue(from.blocks(), chosen, mask)]
	shape = slices.Clone(shape) // which may be part of indices
	clear(indices)
	clear(valid)
	for i, at := range chosen {
		valid[i] = true
		index := indices[i*len(shape):][:len(shape)]
		for axis := len(shape) - 1; axis >= 0; axis-- {
			index[axis] = T(at % shape[axis])
			at /= shape[axis]
		}
	}
	return nil
}
