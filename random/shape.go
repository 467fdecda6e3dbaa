package random

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
)

// checkLengths checks that no dimension of a shape is negative.
func checkLengths(shape []int) error {
	for d, length := range shape {
		if length < 0 {
			return badArg(fmt.Sprintf("shape[%d]", d), strconv.Itoa(length), "must be at least 0")
		}
	}
	return nil
}

// checkCount checks that n, the length of arg, is the number of elements of a shape
// without negative dimensions.
func checkCount(arg string, n int, shape []int) error {
	count, fits := product(1, shape)
	switch {
	case !fits:
		return badArg("shape", shapeText(shape), "has more elements than an int counts")
	case count != n:
		return badArg("len("+arg+")", strconv.Itoa(n), fmt.Sprintf("must be %d, the product of the shape %s", count, shapeText(shape)))
	}
	return nil
}

// product returns the product of lengths, and whether an int holds it.
func product(first int, more []int) (int, bool) {
	if first == 0 || slices.Contains(more, 0) {
		return 0, true // whatever the others
	}
	n := uint(first)
	for _, length := range more {
		hi, lo := bits.Mul(n, uint(length))
		if hi != 0 || int(lo) < 0 {
			return 0, false
		}
		n = lo
	}
	return int(n), true
}

// shapeText returns a shape as it is printed. It prints a copy, for else every shape that
// a caller writes down would be allocated.
func shapeText(shape []int) string { return fmt.Sprint(slices.Clone(shape)) }
