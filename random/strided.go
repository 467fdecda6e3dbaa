package random

import (
	"fmt"
	"math/bits"
	"strconv"
)

// A View is part of a slice seen as an array of any number of dimensions: element (i0,
// i1, ...) is Data[Offset + i0*Strides[0] + i1*Strides[1] + ...]. Strides are in
// elements, and may be negative or 0. Without dimensions it is one element.
type View[T any] struct {
	Data    []T
	Offset  int
	Shape   []int
	Strides []int
}

// Len returns the number of elements, the product of the shape. It is an error if Shape
// and Strides differ in length, if a length is negative, or if an element would be
// outside of Data.
func (v View[T]) Len() (int, error) {
	if len(v.Shape) != len(v.Strides) {
		return 0, badArg("len(Strides)", strconv.Itoa(len(v.Strides)), fmt.Sprintf("must be len(Shape), %d", len(v.Shape)))
	}
	n, empty := 1, false
	for d, length := range v.Shape {
		if length < 0 {
			return 0, badArg(fmt.Sprintf("Shape[%d]", d), strconv.Itoa(length), "must be at least 0")
		}
		empty = empty || length == 0
	}
	if empty {
		return 0, nil
	}
	// The least and the greatest index, each within Data as far as it is summed up, so
	// that nothing overflows.
	least, most := v.Offset, v.Offset
	if v.Offset < 0 || v.Offset >= len(v.Data) {
		return 0, badArg("Offset", strconv.Itoa(v.Offset), fmt.Sprintf("must be an index of Data, whose length is %d", len(v.Data)))
	}
	for d, length := range v.Shape {
		hi, count := bits.Mul(uint(n), uint(length))
		if hi != 0 || int(count) < 0 {
			return 0, badArg("Shape", fmt.Sprint(v.Shape), "has more elements than an int counts")
		}
		n = int(count)
		stride := v.Strides[d]
		hi, reach := bits.Mul(uint(length-1), magnitude(stride))
		switch {
		case stride >= 0 && (hi != 0 || reach > uint(len(v.Data)-1-most)),
			stride < 0 && (hi != 0 || reach > uint(least)):
			return 0, badArg(fmt.Sprintf("Strides[%d]", d), strconv.Itoa(stride), fmt.Sprintf("leads outside of Data, whose length is %d, with Shape[%d] = %d", len(v.Data), d, length))
		case stride >= 0:
			most += int(reach)
		default:
			least -= int(reach)
		}
	}
	return n, nil
}

func magnitude(x int) uint {
	if x < 0 {
		return -uint(x)
	}
	return uint(x)
}

// dense reports whether the view's elements lie side by side in their order.
func (v View[T]) dense() bool {
	next := 1
	for d := len(v.Shape) - 1; d >= 0; d-- {
		if v.Shape[d] > 1 && v.Strides[d] != next {
			return false
		}
		next *= v.Shape[d]
	}
	return true
}

// Strided fills the elements of a view, and nothing else of its data, in the order of
// their indices, the last one the fastest, with what fill writes into a slice of so many
// elements:
//
//	err := random.Strided(view, func(dst []float32) error {
//		return random.Normal(g, dst, 0, 1)
//	})
//
// So any function that fills a slice, those of this package above all, has its form for
// views; it is called once. Where the elements do not lie side by side in that order, the
// slice is memory of its own, and what fill did not write there is 0. Where two elements of
// a view are the same one of its data, the later one stays. After an error, of fill or of
// [View.Len], nothing is written but what fill itself wrote.
func Strided[T any](view View[T], fill func(dst []T) error) error {
	n, err := view.Len()
	if err != nil {
		return err
	}
	if n > 0 && view.dense() {
		return fill(view.Data[view.Offset:][:n:n])
	}
	line := make([]T, n)
	if err := fill(line); err != nil {
		return err
	}
	at, index := view.Offset, make([]int, len(view.Shape))
	for _, e := range line {
		view.Data[at] = e
		for d := len(index) - 1; d >= 0; d-- {
			at += view.Strides[d]
			if index[d]++; index[d] < view.Shape[d] {
				break
			}
			at -= view.Shape[d] * view.Strides[d]
			index[d] = 0
		}
	}
	return nil
}
