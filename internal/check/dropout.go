package check

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/philox-go/rng/cuda"
	drawn "github.com/philox-go/rng/internal/draw"
	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/random"
)

// A dropping is dropout of a type, on a device.
type dropping struct {
	name     string
	size     int
	random   func(r *rand.Rand) uint64 // the bits of an element, of no NaN
	forward  func(g *random.Generator, dst, mask, src memory, p float64, training bool) error
	from     func(s *cuda.State, dst, mask, src memory, p float64) error
	backward func(dst, mask, grad memory, p float64) error
	// want drops on the CPU.
	want func(dst, mask, src []byte, p float64) error
}

func droppings() []dropping {
	all := []dropping{droppingOf[float32](), droppingOf[float64]()}
	for _, f := range formats {
		all = append(all, droppingOfHalf(f))
	}
	return all
}

// noMask is the memory of no mask.
var noMask memory

func maskBuffer(m memory) cuda.Buffer[byte] {
	if m == noMask {
		return cuda.Buffer[byte]{}
	}
	return buffer[byte](m)
}

func droppingOf[T random.Float]() dropping {
	return dropping{
		name: fmt.Sprintf("%T", T(0)), size: sizeOf[T](),
		random: func(r *rand.Rand) uint64 {
			if sizeOf[T]() == 4 {
				return uint64(notNaN(r.Uint32, func(x uint32) float64 { return float64(math.Float32frombits(x)) }))
			}
			return notNaN(r.Uint64, math.Float64frombits)
		},
		forward: func(g *random.Generator, dst, mask, src memory, p float64, training bool) error {
			return cuda.Dropout(g, buffer[T](dst), maskBuffer(mask), buffer[T](src), p, training)
		},
		from: func(s *cuda.State, dst, mask, src memory, p float64) error {
			return cuda.DropoutFrom(s, buffer[T](dst), maskBuffer(mask), buffer[T](src), p)
		},
		backward: func(dst, mask, grad memory, p float64) error {
			return cuda.DropoutBackward(buffer[T](dst), maskBuffer(mask), buffer[T](grad), p)
		},
		want: func(dst, mask, src []byte, p float64) error {
			return random.DropoutBackward(view.Of[T](dst), mask, view.Of[T](src), p)
		},
	}
}

func droppingOfHalf(f random.Format) dropping {
	return dropping{
		name: f.String(), size: 2,
		random: func(r *rand.Rand) uint64 {
			return uint64(notNaN(func() uint16 { return uint16(r.Uint32()) }, func(x uint16) float64 { return float64(asm.Half(f).Float32(x)) }))
		},
		forward: func(g *random.Generator, dst, mask, src memory, p float64, training bool) error {
			return cuda.DropoutHalf(g, buffer[uint16](dst), f, maskBuffer(mask), buffer[uint16](src), p, training)
		},
		backward: func(dst, mask, grad memory, p float64) error {
			return cuda.DropoutBackwardHalf(buffer[uint16](dst), f, maskBuffer(mask), buffer[uint16](grad), p)
		},
		want: func(dst, mask, src []byte, p float64) error {
			return random.DropoutBackwardHalf(view.Of[uint16](dst), f, mask, view.Of[uint16](src), p)
		},
		from: func(s *cuda.State, dst, mask, src memory, p float64) error {
			return cuda.DropoutHalfFrom(s, buffer[uint16](dst), f, buffer[byte](mask), buffer[uint16](src), p)
		},
	}
}

// notNaN returns bits of a number: what a NaN is multiplied to, nobody says.
func notNaN[W any](bits func() W, number func(W) float64) W {
	for {
		if b := bits(); number(b) == number(b) {
			return b
		}
	}
}

const (
	// dropped is a probability of which the scale is not exact.
	dropped = 0.3
	// mostDropped is the longest dropout, after which threads of a grid go round.
	mostDropped = 1<<16 + 3
)

// probabilities are those that are exceptions, and one that is none.
var probabilities = []float64{0, dropped, 1}

// A dropout is the droppings of a cell, each with elements in the memory of the device.
type dropout struct {
	*batch
	droppings []dropping
	src       [][]byte
	on        []cuda.Buffer[byte]
}

// dropoutRow checks masks and what they let through.
func (d Device) dropoutRow() Row {
	cell := func(cases func(dropout)) func(*tally) {
		return d.cell(func(b *batch) {
			all := dropout{batch: b, droppings: droppings()}
			defer all.free()
			if err := all.load(); err != nil {
				b.t.attempt(func() string { return "elements for dropout" }, err.Error)
				return
			}
			cases(all)
			b.flush() // before the elements are freed
		})
	}
	return Row{Name: "dropout", cells: [len(Columns)]func(*tally){cell(dropout.lengths), cell(dropout.carries), cell(dropout.states)}}
}

func (d *dropout) load() error {
	r := seeded(27)
	for _, of := range d.droppings {
		var src []byte
		for range mostDropped {
			src = appendNumber(src, of.size, of.random(r))
		}
		on, err := cuda.Alloc[byte](d.Device.Device, len(src))
		if err != nil {
			return err
		}
		d.src, d.on = append(d.src, src), append(d.on, on)
		if err := on.CopyFrom(src); err != nil {
			return err
		}
	}
	return nil
}

func (d dropout) free() {
	for _, on := range d.on {
		on.Free()
	}
}

// work is the dropout of the first n elements of a dropping, i, and its gradient.
func (d dropout) work(r *rand.Rand, i, n int, p float64) work {
	of, src := d.droppings[i], d.src[i][:n*d.droppings[i].size]
	maskOffset, offset, grid := r.IntN(4), r.IntN(4), aGrid(r)
	places := func(at []uintptr, on *cuda.Stream) (mask, dst, back, from memory) {
		return memory{at[0], drawn.MaskBytes(n), grid, on}, memory{at[1], n, grid, on}, memory{at[2], n, grid, on}, memory{d.on[i].Pointer(), n, grid, on}
	}
	return work{
		name: fmt.Sprintf("dropout of %s, p %v", of.name, p), blocks: maskBlocks(n, p),
		parts: func(s philox.Stream) []part {
			mask := maskOf(s, n, p)
			dst := make([]byte, len(src))
			if err := of.want(dst, mask, src, p); err != nil {
				panic(err)
			}
			return []part{{size: 1, offset: maskOffset, want: mask}, {size: of.size, offset: offset, want: dst}, {size: of.size, want: dst}}
		},
		from: func(at []uintptr, s *cuda.State, on *cuda.Stream) error {
			mask, dst, back, from := places(at, on)
			if err := of.from(s, dst, mask, from, p); err != nil {
				return err
			}
			return of.backward(back, mask, from, p)
		},
		next: func(at []uintptr, g *random.Generator, on *cuda.Stream) error {
			mask, dst, back, from := places(at, on)
			if err := of.forward(g, dst, mask, from, p, true); err != nil {
				return err
			}
			return of.backward(back, mask, from, p)
		},
	}
}

// without is the dropout of the first n elements of a dropping, i, without training.
func (d dropout) without(i, n int, withMask bool) work {
	of := d.droppings[i]
	return work{
		name: fmt.Sprintf("dropout of %s without training", of.name),
		parts: func(s philox.Stream) []part {
			all := []part{{size: of.size, offset: 1, want: d.src[i][:n*of.size]}}
			if withMask {
				all = append(all, part{size: 1, want: maskOf(s, n, 0)})
			}
			return all
		},
		next: func(at []uintptr, g *random.Generator, on *cuda.Stream) error {
			mask := noMask
			if withMask {
				mask = memory{at[1], drawn.MaskBytes(n), 0, on}
			}
			return of.forward(g, memory{at[0], n, 0, on}, mask, memory{d.on[i].Pointer(), n, 0, on}, dropped, false)
		},
	}
}

// inPlace is the dropout of the first n elements of a dropping, i, where they lie.
func (d dropout) inPlace(r *rand.Rand, i, n int) work {
	w := d.work(r, i, n, dropped)
	of, parts := d.droppings[i], w.parts
	w.name += " in place"
	w.parts = func(s philox.Stream) []part { return parts(s)[:2] }
	w.next = func(at []uintptr, g *random.Generator, on *cuda.Stream) error {
		dst := memory{at[1], n, 0, on}
		whole := memory{at[1], n * of.size, 0, on}
		if err := buffer[byte](whole).CopyFrom(d.src[i][:n*of.size]); err != nil {
			return err
		}
		return of.forward(g, dst, memory{at[0], drawn.MaskBytes(n), 0, on}, dst, dropped, true)
	}
	return w
}

// mask is a mask alone.
func (d dropout) mask(r *rand.Rand, n int, p float64) work {
	offset, grid := r.IntN(slotBytes), aGrid(r)
	return work{
		name: fmt.Sprintf("mask, p %v", p), blocks: maskBlocks(n, p),
		parts: func(s philox.Stream) []part { return []part{{size: 1, offset: offset, want: maskOf(s, n, p)}} },
		from: func(at []uintptr, s *cuda.State, on *cuda.Stream) error {
			return cuda.DropoutMaskFrom(s, buffer[byte](memory{at[0], drawn.MaskBytes(n), grid, on}), n, p)
		},
		next: func(at []uintptr, g *random.Generator, on *cuda.Stream) error {
			return cuda.DropoutMask(g, buffer[byte](memory{at[0], drawn.MaskBytes(n), grid, on}), n, p)
		},
	}
}

func maskBlocks(n int, p float64) uint64 {
	if p == 0 || p == 1 {
		return 0
	}
	return drawn.WordBlocks(n)
}

// maskOf is a mask as the CPU makes it.
func maskOf(s philox.Stream, n int, p float64) []byte {
	mask := make([]byte, drawn.MaskBytes(n))
	threshold, err := drawn.Threshold(p)
	switch {
	case err != nil:
		panic(err)
	case p == 0 || p == 1:
		drawn.ConstantMask(mask, n, p == 0)
	default:
		drawn.Mask(s, mask, n, threshold)
	}
	return mask
}

// lengths has every length.
func (d dropout) lengths() {
	r := seeded(28)
	for n := 0; n <= mostEvery; n += d.every(9) {
		for _, p := range append(probabilities, 1e-12, 0.999999) {
			d.fromGenerator(aStream(r, false), job{d.mask(r, n, p)})
		}
		for i := range d.droppings {
			for _, p := range probabilities {
				d.fromGenerator(aStream(r, false), job{d.work(r, i, n, p)})
			}
			d.fromGenerator(aStream(r, false), job{d.without(i, n, n%2 == 0), d.inPlace(r, i, n)})
		}
	}
	for _, n := range []int{8191, 16389, mostDropped} {
		d.fromGenerator(aStream(r, false), job{d.mask(r, 5*n, dropped), d.mask(r, 5*n, 0)})
		for i := range d.droppings {
			d.fromGenerator(aStream(r, false), job{d.work(r, i, n, dropped), d.without(i, n, true)})
		}
	}
}

// carries begins at every place of a mask's units before a wrap. Generators have no others than those of word 0.
func (d dropout) carries() {
	r := seeded(29)
	const elements = 4 * 40
	for back := uint64(1); back <= units; back++ {
		for i, s := range wraps(philox.NewKey(r.Uint64()), back, false) {
			d.fromState(s, job{d.mask(r, elements-r.IntN(4), dropped), d.work(r, i, elements, dropped)})
			if i == 0 {
				d.fromGenerator(s, job{d.mask(r, elements-r.IntN(4), dropped), d.mask(r, elements, dropped)})
			}
		}
	}
	for _, s := range wraps(philox.NewKey(r.Uint64()), longWrap, false) {
		d.fromState(s, job{d.mask(r, 8*longWrap, dropped), d.mask(r, 1, dropped)})
	}
}

// states has masks and dropouts from a state and in a graph.
func (d dropout) states() {
	r := seeded(30)
	for i := range d.droppings {
		for _, p := range probabilities {
			j := job{d.work(r, i, 1+r.IntN(mostEvery), p), d.work(r, i, r.IntN(mostEvery), dropped), d.mask(r, r.IntN(mostEvery), p)}
			w := wraps(philox.NewKey(r.Uint64()), 5, false)
			d.fromState(w[1], j)
			d.fromGraph(w[0], w[3], j)
		}
	}
}
