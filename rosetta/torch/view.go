package torch

import (
	"strconv"

	"github.com/philox-go/rng/random"
)

// Strided fills a view with what fill makes of a slice of so many elements. PyTorch counts
// a tensor's elements in the order of memory, whatever that of its dimensions: x.t() gets
// the numbers that x would get, each where it would be in x. A stride must be above 0,
// but for dimensions of length 1.
//
//	err := torch.Strided(view, func(dst []float32) error {
//		return torch.Uniform(g, dst, 0, 1)
//	})
func Strided[T Element](view random.View[T], fill func(dst []T) error) error {
	if _, err := view.Len(); err != nil {
		return err
	}
	ordered := random.View[T]{Data: view.Data, Offset: view.Offset}
	for d, length := range view.Shape {
		if length == 1 {
			continue
		}
		stride := view.Strides[d]
		if stride <= 0 {
			return bad("Strides["+strconv.Itoa(d)+"]", stride, "must be above 0")
		}
		ordered.Shape = append(ordered.Shape, length)
		ordered.Strides = append(ordered.Strides, stride)
	}
	// TensorIterator's insertion sort, from the last dimension on: of equal strides, which
	// overlap, the shorter dimension is the faster one.
	for i := len(ordered.Shape) - 2; i >= 0; i-- {
		for j := i; j+1 < len(ordered.Shape); j++ {
			a, b := ordered.Strides[j], ordered.Strides[j+1]
			if a > b || a == b && ordered.Shape[j] >= ordered.Shape[j+1] {
				break
			}
			ordered.Strides[j], ordered.Strides[j+1] = b, a
			ordered.Shape[j], ordered.Shape[j+1] = ordered.Shape[j+1], ordered.Shape[j]
		}
	}
	return random.Strided(ordered, fill)
}
