package check

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/philox-go/rng/cuda"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/random"
)

const (
	// mostEvery is the length up to which there is every one: some units of all kernels, and the elements
	// of a thread block of some.
	mostEvery = 257
	// mostFirst is the largest first element, but for those that are far.
	mostFirst = 9
)

// manyElements are longer fills: about the pieces that a thread block writes at a time, and as many of these as
// the grids that some fills have.
var manyElements = []struct{ n, grid int }{
	{1023, 0}, {1025, 1}, {2051, 2}, {4099, 1}, {8193, 0}, {16389, 2}, {32771, 40}, {1<<16 + 3, 0}, {1<<16 + 3, 132},
}

// far are distances in blocks from which elements are counted.
var far = []uint64{1, 1<<31 - 1, 1 << 32, 1<<59 + 12345}

// lengths has every length at several offsets, from first elements anywhere, by several grids. Since a number does not
// depend on those, the longest fill's serve for all.
func (b *batch) lengths(l law) {
	r := seeded(22)
	s := aStream(r, l.want.Retries())
	many := manyElements
	if b.Short {
		many = many[2:5]
	}
	all := l.elements(s, slices.MaxFunc(many, func(x, y struct{ n, grid int }) int { return x.n - y.n }).n+mostFirst)
	for n := 0; n <= mostEvery; n += b.every(9) {
		for _, offset := range l.offsets(n) {
			first := r.IntN(mostFirst + 1)
			b.fillLaw(l, s, r, all, first, n, offset, aGrid(r))
		}
	}
	for i, c := range many {
		if !l.first && (l.index+i)%3 > 0 { // which other laws have
			continue
		}
		b.fillLaw(l, s, r, all, r.IntN(mostFirst+1), c.n, r.IntN(16), c.grid)
	}
}

// fillLaw is the case of n elements from one on of those, all, that a stream has. Some are counted from
// blocks far before.
func (b *batch) fillLaw(l law, s philox.Stream, r *rand.Rand, all []byte, first, n, offset, grid int) {
	at := place{of: l.name, first: uint64(first)}
	if r.IntN(4) == 0 {
		back := far[r.IntN(len(far))]
		s = s.Back(back)
		at.first += back * uint64(l.per())
	}
	at.key, at.ctr = s.Key(), s.Counter()
	b.add(func(to []uintptr) error {
		return l.fill(memory{to[0], n, grid, b.mem.Stream()}, b.place(s), at.first)
	}, part{
		size: l.size, offset: offset, want: all[first*l.size : (first+n)*l.size],
		describe: func() string {
			return fmt.Sprintf("%v, n %d, at byte %d of %d, grid %d", at, n, offset*l.size, slotBytes, grid)
		},
	})
}

const (
	// units is how many blocks before a wrap are begun at: more than any unit has.
	units = 17
	// behindWraps is how many blocks are made behind it.
	behindWraps = 11
	// longWrap is how many blocks are before a wrap that comes after whole pieces.
	longWrap = 4097
)

// carries begins at every place of the units before a wrap.
func (b *batch) carries(l law) {
	r := seeded(23)
	per, retries := l.per(), l.want.Retries()
	for i, s := range wraps(philox.NewKey(r.Uint64()), units, retries) {
		blocks := units + behindWraps
		if retries && i == 3 {
			blocks = units // the last stream that there may be ends
		}
		all := l.elements(s, blocks*per)
		for from := 0; from < units; from += b.every(3) {
			for _, offset := range l.offsets(from) {
				first := from*per + r.IntN(per)
				b.fillLaw(l, s, r, all, first, blocks*per-first, offset, aGrid(r))
			}
		}
	}
	if b.Short {
		return
	}
	for i, s := range wraps(philox.NewKey(r.Uint64()), longWrap, retries) {
		n := 2 * longWrap * per
		if retries && i == 3 {
			n = longWrap * per
		}
		b.fillLaw(l, s, r, l.elements(s, n), 0, n, i, 2)
	}
}

// states has fills from a state, at every place of the units before a wrap; and such fills
// in a graph, and with the blocks of a generator.
func (b *batch) states(l law) {
	r := seeded(24)
	retries := l.want.Retries()
	b.fromState(aStream(r, retries), l.job(r, 2000))
	for back := uint64(1); back <= units; back += uint64(b.every(4)) {
		for i, s := range wraps(philox.NewKey(r.Uint64()), back, retries) {
			if retries && i == 3 {
				s = s.Back128(1, 2*units) // states keep a stream of room for more
			}
			b.fromState(s, l.job(r, units*l.per()))
		}
	}
	w := wraps(philox.NewKey(r.Uint64()), 5, retries)
	b.fromGraph(w[0], w[2], l.job(r, 100))
	b.fromGenerator(w[0], l.job(r, 100))
}

// job returns two fills, of at most so many elements each.
func (l law) job(r *rand.Rand, most int) job {
	return job{l.work(r, r.IntN(most+1)), l.work(r, r.IntN(most+1))}
}

// work returns the fill of n elements, at some offset and by some grid.
func (l law) work(r *rand.Rand, n int) work {
	offset, grid := r.IntN(4), aGrid(r)
	return work{
		name: l.name, blocks: l.want.Blocks(n),
		parts: func(s philox.Stream) []part {
			return []part{{size: l.size, offset: offset, want: l.elements(s, n)}}
		},
		from: func(at []uintptr, s *cuda.State, on *cuda.Stream) error {
			return l.fillFrom(memory{at[0], n, grid, on}, s)
		},
		next: func(at []uintptr, g *random.Generator, on *cuda.Stream) error {
			return l.next(memory{at[0], n, grid, on}, g)
		},
	}
}
