package random

import (
	"fmt"
	"math"
	"strconv"
	"unsafe"

	"github.com/philox-go/rng/internal/draw"
)

// Perm fills dst with the integers from 0 to n-1, n = len(dst), in a random order: all
// n! orders are equally likely. Permutations of more than 2^19 elements are shared among all
// cores, and made in pieces that fit into a core's cache: every integer goes to one
// of many buckets at random, and each bucket is permuted by swaps (Rao 1961, Sandelius
// 1962). The numbers are the same for any number of cores, and for any type.
//
// n integers reserve n/4 blocks, rounded up: once up to 2^19, twice up to 2^26, three times
// up to 2^37. Above 2^26 they need memory for as many more, which one call leaves to the
// next; above 2^19 as much again is allocated if dst is, or may be, on the stack: on 32-bit
// systems, wasm and with the build tag purego that is not known. The generator's stream must
// be below 2^48. It is an error if n-1 is more than the type has.
func Perm[T Integer](g *Generator, dst []T) error {
	if err := draw.Below[T]("len(dst)", len(dst)); err != nil {
		return err
	}
	return permute(g, at(dst), len(dst), int(unsafe.Sizeof(*new(T))))
}

func permute(g *Generator, dst unsafe.Pointer, n, size int) error {
	from, err := reservePermutation(g, n)
	if err != nil {
		return err
	}
	draw.Permute(from.blocks(), dst, n, size)
	return nil
}

// reservePermutation reserves the blocks of a permutation of n elements.
func reservePermutation(g *Generator, n int) (place, error) {
	g, err := On(g, CPU())
	if err != nil {
		return place{}, err
	}
	return g.reserve(draw.PermutationBlocks(n), true)
}

// Shuffle permutes the elements of x, all orders equally likely: x[i] becomes what was
// x[p[i]], where p is what [Perm] would give for len(x), and with its blocks. Above 2^19
// elements it needs memory for as many more, which one call leaves to the next unless
// there are pointers in it. The generator's stream must be below 2^48.
func Shuffle[T any](g *Generator, x []T) error {
	from, err := reservePermutation(g, len(x))
	if err != nil {
		return err
	}
	draw.Shuffle(from.blocks(), x)
	return nil
}

// ShuffleFunc is [Shuffle] for n elements of any kind, such as rows, or several slices that
// belong together: swap(i, j) must exchange elements i and j. i and j may be the same. swap
// is called at most n times, by the caller's goroutine. Above 2^19 elements memory for n
// integers is allocated, above 2^26 for twice as many, and it goes through the elements from
// one place to another far away: Shuffle is many times as fast where it can be used. It is
// an error if n < 0 or above math.MaxInt/16.
func ShuffleFunc(g *Generator, n int, swap func(i, j int)) error {
	if n < 0 {
		return badArg("n", strconv.Itoa(n), "must be at least 0")
	}
	if most := math.MaxInt / 16; n > most { // the memory that it needs
		return badArg("n", strconv.Itoa(n), fmt.Sprintf("must be at most %d", most))
	}
	memory := draw.ShuffleMemory(n) // before blocks are taken, since there may not be so much
	from, err := reservePermutation(g, n)
	if err != nil {
		return err
	}
	draw.ShuffleFunc(from.blocks(), n, memory, swap)
	return nil
}
