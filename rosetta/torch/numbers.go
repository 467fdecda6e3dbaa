package torch

import (
	"math"
	"unsafe"

	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/rosetta/internal/engine"
)

// numbers are what an operator makes of one tensor.
type numbers[T Element] struct {
	n     uint64
	after uint64 // the generator's offset after the operator
	// fill writes elements first, first+1, ...
	fill func(dst []T, first uint64)
}

// A source is what an operator's numbers come from.
type source struct {
	gpu GPU
	place
}

// draw fills dst with the numbers that an operator makes at the generator's place, and
// moves the generator on; the numbers are made outside of its lock. An error leaves both as
// they were.
func draw[T Element](g *Generator, dst []T, of func(s source, n uint64) (numbers[T], error)) error {
	x, err := reserve(g, uint64(len(dst)), of)
	if err == nil {
		x.fill(dst, 0)
	}
	return err
}

// reserve is that part of draw which needs the lock.
func reserve[T Element](g *Generator, n uint64, of func(s source, n uint64) (numbers[T], error)) (numbers[T], error) {
	if err := g.gpu.check(); err != nil { // of a Generator that NewGenerator did not make
		return numbers[T]{}, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	x, err := of(source{g.gpu, g.at}, n)
	if err == nil {
		g.at.offset = x.after
	}
	return x, err
}

// words are those of a thread's block, counted from the source's offset on.
func (s source) words(thread, block uint64) [4]uint32 {
	block += s.offset / 4
	return asm.Block([2]uint32{uint32(s.seed), uint32(s.seed >> 32)},
		[4]uint32{uint32(block), uint32(block >> 32), uint32(thread), uint32(thread >> 32)})
}

// rows returns how many rows n elements are, of so many lanes of each thread.
func (s source) rows(n uint64, lanes int) uint64 {
	return (n-1)/(s.gpu.threads(n)*uint64(lanes)) + 1
}

// layout is that of PyTorch's kernels for n elements, from an offset on.
func (s source) layout(n, offset uint64) *engine.Layout {
	return &engine.Layout{Key: s.seed, Block: offset / 4, Threads: s.gpu.threads(n), Depth: 1, Strided: true}
}

// A piece is a part of a tensor that has a kernel of its own.
type piece struct{ first, n, offset uint64 }

// pieces cuts a tensor of n elements into those whose bytes 32 bits count. The generator
// moves on for the whole first, if that is too large, and then for each piece.
func (s source) pieces(n uint64, size, lanes int) (ps []piece, after uint64) {
	after = s.offset
	var cut func(first, n uint64)
	cut = func(first, n uint64) {
		// TensorIterator asks whether the last element's first byte, counted from 1, is one
		// that an int32 counts, and halves the tensor if not, the smaller half first.
		if n-1 > (math.MaxInt32-1)/uint64(size) {
			cut(first, n/2)
			cut(first+n/2, n-n/2)
			return
		}
		ps = append(ps, piece{first, n, after})
		after += 4 * s.rows(n, lanes)
	}
	if n-1 > (math.MaxInt32-1)/uint64(size) {
		after += 4 * s.rows(n, lanes)
	}
	cut(0, n)
	return ps, after
}

// elementwise are the numbers that a conversion makes by PyTorch's kernel of such
// operators, distribution_elementwise_grid_stride_kernel.
func elementwise[T Element](s source, n uint64, c *engine.Convert[T]) numbers[T] {
	if n == 0 {
		return numbers[T]{after: s.offset, fill: func([]T, uint64) {}}
	}
	ps, after := s.pieces(n, size[T](), c.PerBlock)
	return numbers[T]{n: n, after: after, fill: func(dst []T, first uint64) {
		for _, p := range ps {
			if len(dst) == 0 {
				return
			}
			if first >= p.first+p.n {
				continue
			}
			m := int(min(uint64(len(dst)), p.first+p.n-first))
			engine.Fill(s.layout(p.n, p.offset), c, dst[:m], first-p.first)
			dst, first = dst[m:], first+uint64(m)
		}
	}}
}

// of32 are a conversion's float32, changed by f, in a type.
func of32[T Element](c *engine.Convert[float32], f func(x []float32)) *engine.Convert[T] {
	if t, ok := any(engine.In(c, f)).(*engine.Convert[T]); ok {
		return t
	}
	return engine.Then(c, func(dst []T, src []float32) {
		f(src)
		cast32(dst, src)
	})
}

// of64 are a conversion's float64, changed by f; T is float64.
func of64[T Element](c *engine.Convert[float64], f func(x []float64)) *engine.Convert[T] {
	return any(engine.In(c, f)).(*engine.Convert[T])
}

// wide reports whether T is float64, whose numbers PyTorch computes in float64 and those
// of all others in float32.
func wide[T Element]() bool {
	_, ok := any(*new(T)).(float64)
	return ok
}

// slice returns x as of another type, which is its own.
func slice[U, T any](x []T) []U {
	return unsafe.Slice((*U)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}
