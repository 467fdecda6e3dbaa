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

// stridedChunk is how many elements Strided makes at a time: whole blocks of every type.
const stridedChunk = 16 << 10

// Strided fills the elements of a view, and nothing else of its data, in the order of
// their indices, the last one the fastest, with what fill writes into a slice of so many
// elements:
//
//	err := random.Strided(g, view, func(g *random.Generator, dst []float32) error {
//		return random.Normal(g, dst, 0, 1)
//	})
//
// It reserves what that would. fill is called with a generator that stands for g and for
// part of the elements at a time, in order, and of many elements for some more than once;
// it must be one call of a function of this package that fills dst. Where two elements of a view are the same one of its data, the later
// one stays. An error of fill, or of [View.Len], comes before anything is written.
func Strided[T any](g *Generator, view View[T], fill func(g *Generator, dst []T) error) error {
	n, err := view.Len()
	if err != nil {
		return err
	}
	if g, err = On(g, CPU()); err != nil {
		return err
	}
	part := make([]T, min(n, stridedChunk))
	out := walk[T]{view: view, index: make([]int, len(view.Shape)), at: view.Offset}
	if n <= stridedChunk {
		if err := fill(g, part); err != nil {
			return err
		}
		out.write(part)
		return nil
	}
	// Trials say whether it works, and how many blocks so many elements take.
	whole, err := blocksOf(g, part, fill)
	if err != nil {
		return err
	}
	rest, err := blocksOf(g, part[:n%stridedChunk], fill)
	if err != nil {
		return err
	}
	from, err := g.reserve(uint64(n/stridedChunk)*whole + rest)
	if err != nil {
		return err
	}
	own := newAt(g.Device(), from)
	for n > 0 {
		part = part[:min(n, stridedChunk)]
		if err := fill(own, part); err != nil {
			return err
		}
		out.write(part)
		n -= len(part)
	}
	return nil
}

// blocksOf returns how many blocks a fill of dst reserves.
func blocksOf[T any](g *Generator, dst []T, fill func(g *Generator, dst []T) error) (uint64, error) {
	trial := g.Clone()
	if err := trial.SetOffset(0); err != nil {
		return 0, err
	}
	err := fill(trial, dst)
	return trial.Offset(), err
}

// A walk goes through the elements of a view.
type walk[T any] struct {
	view  View[T]
	index []int // of the next element
	at    int   // its place in the data
}

// write sets the next elements.
func (w *walk[T]) write(elements []T) {
	for _, e := range elements {
		w.view.Data[w.at] = e
		for d := len(w.index) - 1; d >= 0; d-- {
			w.at += w.view.Strides[d]
			if w.index[d]++; w.index[d] < w.view.Shape[d] {
				break
			}
			w.at -= w.view.Shape[d] * w.view.Strides[d]
			w.index[d] = 0
		}
	}
}
