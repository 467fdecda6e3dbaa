// Package engine makes the numbers of systems that run Philox4x32-10 on many threads.
// Such a system is a Layout, which says from which block an element comes, and a
// Convert, which says what becomes of the words: no system has a loop of its own.
package engine

import (
	"math/bits"
	"unsafe"

	"github.com/philox-go/rng/internal/fill"
	"github.com/philox-go/rng/philox/asm"
)

// A Layout maps elements to blocks. The blocks stand in rows of one for each thread:
// that of thread t has Thread + t in counter words 2 and 3. A row takes from every
// thread as many blocks as Depth says, which follow each other in counter words 0 and 1,
// from Block on, and the next row goes on there.
//
// With p elements of a block and d blocks, p*d lanes, element e of a row of t threads is
// lane e/t of thread e%t where the layout is strided, as in PyTorch's kernels, and else
// lane e%(p*d) of thread e/(p*d), as in cuRAND's generators.
type Layout struct {
	// Key is the seed, key word 0 in its lower half.
	Key uint64
	// Block is counter words 0 and 1 of row 0, Thread words 2 and 3 of thread 0.
	Block, Thread uint64
	// Threads is how many there are, at least 1.
	Threads uint64
	// Start is the thread that rows begin with, below Threads. The threads before it come
	// after the last one, and there one block later.
	Start uint64
	// Depth is at least 1, and 1 if there is one thread.
	Depth int
	// Strided says which of the two maps it is.
	Strided bool
}

// A Convert makes numbers of words.
type Convert[T any] struct {
	// PerBlock is how many numbers a block makes, at most 4.
	PerBlock int
	// Do sets out[k][j], for k below PerBlock, to number k of block j, whose words are
	// w[0][j] to w[3][j]. All slices are of one length. It may overwrite the words; out is
	// no memory of theirs.
	Do func(out [][]T, w *[4][]uint32)
	// Direct, if it is there, makes the numbers of blocks beside each other without their
	// words in between, block hi*2^64 + lo the first.
	Direct func(out [][]T, key, hi, lo uint64)
}

const (
	// chunk is how many blocks are made at a time: their words fit into a processor's first
	// cache, beside the numbers.
	chunk = 1024
	// direct is how many are made at a time where nothing has to stay in a cache.
	direct = 16 * chunk
	// least is how many chunks are worth a goroutine.
	least = 8
)

// Fill writes the elements from first on. Several goroutines share the work where it is
// much; the numbers are the same for any number of them.
func Fill[T any](l *Layout, c *Convert[T], dst []T, first uint64) {
	if len(dst) == 0 {
		return
	}
	f := &filler[T]{Layout: l, Convert: c, dst: dst, first: first, last: first + uint64(len(dst))}
	f.lanes = uint64(c.PerBlock * l.Depth)
	from, to := first/f.lanes, (f.last-1)/f.lanes+1
	if l.Strided {
		row := f.lanes * l.Threads
		from, to = first/row*l.Threads, ((f.last-1)/row+1)*l.Threads
	}
	fill.Share(int((to-from-1)/chunk+1), least, 0, func(a, b int) {
		f.visits(from+uint64(a)*chunk, min(from+uint64(b)*chunk, to))
	})
}

// A filler is one call of Fill. A visit is what a row takes from a thread; visit v is
// that of thread v%Threads, counted from Start, in row v/Threads.
type filler[T any] struct {
	*Layout
	*Convert[T]
	dst         []T
	first, last uint64 // elements
	lanes       uint64 // of a visit
}

// A scratch is what one goroutine works with.
type scratch[T any] struct {
	size  int // blocks that it has room for
	words []uint32
	out   [4][]T
	lanes [4][]T
}

// lanesOfWords returns memory for the words of n blocks.
func (s *scratch[T]) lanesOfWords(n int) (w [4][]uint32) {
	if s.words == nil {
		s.words = make([]uint32, 4*s.size)
	}
	for k := range w {
		w[k] = s.words[k*n : (k+1)*n]
	}
	return w
}

// visits makes the elements of visits from to to-1, as far as dst has them.
func (f *filler[T]) visits(from, to uint64) {
	size := uint64(chunk)
	if f.Direct != nil {
		size = direct
	}
	s := &scratch[T]{size: int(min(size, to-from))}
	for from < to {
		n := int(min(uint64(s.size), to-from))
		if f.Threads > 1 {
			n = int(min(uint64(n), f.Threads-from%f.Threads))
		}
		from += uint64(f.visit(s, from, n))
	}
}

// visit makes the elements of some of the n visits from v on, which are of one row if
// there are more threads than one, and returns of how many.
func (f *filler[T]) visit(s *scratch[T], v uint64, n int) int {
	row, at := v/f.Threads, v%f.Threads
	thread, block := f.Start+at, f.Block+row*uint64(f.Depth)
	if thread < f.Start || thread >= f.Threads {
		thread -= f.Threads
		block++
	} else if f.Threads > 1 {
		n = int(min(uint64(n), f.Threads-thread))
	}
	for d := range f.Depth {
		k := d * f.PerBlock // the first lane
		if !f.within(row, at, k, n) {
			continue
		}
		for i := range f.PerBlock {
			s.lanes[i] = f.direct(row, at, k+i, n)
			if s.lanes[i] == nil {
				if s.out[i] == nil {
					s.out[i] = make([]T, s.size)
				}
				s.lanes[i] = s.out[i][:n]
			}
		}
		out := s.lanes[:f.PerBlock]
		if f.Direct != nil && f.Threads > 1 {
			f.Direct(out, f.Key, f.Thread+thread, block+uint64(d))
		} else {
			w := s.lanesOfWords(n)
			if f.Threads > 1 {
				asm.Lanes(&w, f.Key, f.Thread+thread, block+uint64(d))
			} else {
				f.sequence(&w, v)
			}
			f.Do(out, &w)
		}
		for i := range f.PerBlock {
			if s.out[i] != nil && unsafe.SliceData(s.lanes[i]) == unsafe.SliceData(s.out[i]) {
				f.place(s.lanes[i], row, at, k+i)
			}
		}
	}
	return n
}

// element returns lane k of thread number at of a row, and how far the next thread's is.
func (f *filler[T]) element(row, at uint64, k int) (e, step uint64) {
	if f.Strided {
		return (row*f.lanes+uint64(k))*f.Threads + at, 1
	}
	return (row*f.Threads+at)*f.lanes + uint64(k), f.lanes
}

// within reports whether dst has anything of a block's lanes, k the first of them, of n
// threads.
func (f *filler[T]) within(row, at uint64, k, n int) bool {
	if !f.Strided {
		return true
	}
	for i := range f.PerBlock {
		if e, _ := f.element(row, at, k+i); e < f.last && e+uint64(n) > f.first {
			return true
		}
	}
	return false
}

// direct returns where lane k of n threads goes, if dst has all of it side by side.
func (f *filler[T]) direct(row, at uint64, k, n int) []T {
	e, step := f.element(row, at, k)
	if step != 1 || e < f.first || e+uint64(n) > f.last {
		return nil
	}
	return f.dst[e-f.first:][:n:n]
}

// place copies lane k of threads to where dst has them.
func (f *filler[T]) place(from []T, row, at uint64, k int) {
	e, step := f.element(row, at, k)
	if e < f.first {
		skip := (f.first - e + step - 1) / step
		if skip >= uint64(len(from)) {
			return
		}
		from = from[skip:]
		e += skip * step
	}
	if e >= f.last {
		return
	}
	from = from[:min(uint64(len(from)), (f.last-e-1)/step+1)]
	to := f.dst[e-f.first:]
	if step == 1 {
		copy(to, from)
		return
	}
	for i, x := range from {
		to[uint64(i)*step] = x
	}
}

// sequence makes the words of blocks that follow each other.
func (f *filler[T]) sequence(w *[4][]uint32, block uint64) {
	lo, carry := bits.Add64(f.Block, block, 0)
	hi := f.Thread + carry
	var words [4 * 64]uint32
	for at := 0; at < len(w[0]); at += len(words) / 4 {
		n := min(len(words)/4, len(w[0])-at)
		asm.FillPointer(asm.Uint32, unsafe.Pointer(&words), 4*n, f.Key, hi, lo, asm.Args{})
		for j := range n {
			w[0][at+j], w[1][at+j], w[2][at+j], w[3][at+j] = words[4*j], words[4*j+1], words[4*j+2], words[4*j+3]
		}
		hi, lo = fill.Ahead(hi, lo, uint64(n))
	}
}
