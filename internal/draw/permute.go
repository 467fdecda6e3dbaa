package draw

import (
	"math/bits"
	"reflect"
	"runtime"
	"sync"
	"unsafe"

	"github.com/philox-go/rng/internal/fill"
	"github.com/philox-go/rng/internal/stack"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

// Permutations are by Rao ("Generation of random permutation of given number of elements
// using random sampling numbers", Sankhya A 23, 1961) and Sandelius ("A simple
// randomization procedure", Journal of the Royal Statistical Society B 24, 1962): every
// element goes to a random bucket, and each bucket is permuted by itself. Unlike the swaps of one
// long permutation, which go all over the memory, buckets fit into a cache, and goroutines
// share them.

const (
	// undivided is the number of elements up to which there is one bucket. At this length
	// that takes on Sapphire Rapids half as long as buckets on one core, a little less than
	// they on two, and twice as long on 16.
	undivided = 1 << 19
	// logBucket is the logarithm of the mean size of buckets, rounded up: 256 KiB of
	// 8 bytes each.
	logBucket = 15
	// roundBits is the most by which one round divides: a round writes to as many places
	// in turn as there are buckets. With 2^11 it takes a quarter longer than with 2^10 on
	// Zen 5 (10^7 elements), which is less than a second round.
	roundBits = 11
)

// A permutation is how n elements are permuted.
type permutation struct {
	n      int
	rounds []int // the bits by which each divides
	stream philox.Stream
}

func newPermutation(s philox.Stream, n int) permutation {
	return permutation{n: n, rounds: roundsOf(n), stream: s.WithMaxGoroutines(1)}
}

// roundsOf returns the bits by which each round divides n elements.
func roundsOf(n int) []int {
	if n <= undivided {
		return nil
	}
	all := bits.Len64(uint64(n-1)) - logBucket
	rounds := make([]int, (all+roundBits-1)/roundBits)
	for i := range rounds {
		rounds[i] = (all + i) / len(rounds) // sums to all
	}
	return rounds
}

// PermutationBlocks returns the number of blocks that a permutation of n elements takes.
func PermutationBlocks(n int) uint64 {
	return uint64(len(roundsOf(n))+1) * WordBlocks(n)
}

// PermutationMemory returns how many elements more than its own a permutation of n needs
// memory for.
func PermutationMemory(n int) (more uint64) {
	rounds := len(roundsOf(n))
	if rounds > 1 {
		more += uint64(n)
	}
	if rounds > 0 && !stack.Known {
		more += uint64(n)
	}
	return more
}

// WordBlocks returns the number of blocks of n words.
func WordBlocks(n int) uint64 { return uint64(n/4) + uint64(min(n%4, 1)) }

// words returns the stream of which position i takes word i in a round, the one after the
// last of which permutes inside of buckets.
func (p *permutation) words(round int) philox.Stream {
	return p.stream.Skip(uint64(round) * WordBlocks(p.n))
}

// piece is the number of words that are made at a time, on the stack.
const piece = 512

// each calls do with the words of positions lo to hi-1 of a round, in pieces.
func (p *permutation) each(round, lo, hi int, do func(w []uint32, at int)) {
	var w [piece]uint32
	s := p.words(round)
	for at := lo; at < hi; {
		m := min(hi-at, piece)
		s.FillUint32At(w[:m], uint64(at))
		do(w[:m], at)
		at += m
	}
}

// A scatter moves the elements at positions lo to hi-1 to where their buckets have place,
// in their order. A bucket is the upper bits of a position's word. next is the next free
// place of each bucket.
type scatter func(round, lo, hi int, next []int)

// move returns the scatter of what is in src to dst.
func move[T any](p *permutation, dst, src []T) scatter {
	return func(round, lo, hi int, next []int) {
		shift := 32 - p.rounds[round]
		p.each(round, lo, hi, func(w []uint32, at int) {
			for i, e := range src[at : at+len(w)] {
				b := w[i] >> shift
				to := next[b]
				next[b] = to + 1
				dst[to] = e
			}
		})
	}
}

// place returns the scatter of the number of each position to dst.
func place[T uint32 | uint64](p *permutation, dst []T) scatter {
	return func(round, lo, hi int, next []int) {
		shift := 32 - p.rounds[round]
		p.each(round, lo, hi, func(w []uint32, at int) {
			for i, x := range w {
				b := x >> shift
				to := next[b]
				next[b] = to + 1
				dst[to] = T(at + i)
			}
		})
	}
}

// count adds the number of elements of each bucket.
func (p *permutation) count(round, lo, hi int, counts []int) {
	shift := 32 - p.rounds[round]
	p.each(round, lo, hi, func(w []uint32, _ int) {
		for _, x := range w {
			counts[x>>shift]++
		}
	})
}

// Positions are divided for counting and moving so that each core gets some, which end
// at different times. They do not change the result.
const (
	shareOfCore = 4
	leastShare  = 1 << 14
)

// share calls do for each of n shares, on all cores.
func share(n int, do func(i int)) {
	fill.Share(n, 1, 0, func(from, to int) {
		for i := from; i < to; i++ {
			do(i)
		}
	})
}

// divide divides all elements by round 0, and returns the edges of the buckets.
func (p *permutation) divide(to scatter) []int {
	buckets := 1 << p.rounds[0]
	shares := min(shareOfCore*runtime.GOMAXPROCS(0), (p.n+leastShare-1)/leastShare)
	ends := func(i int) (lo, hi int) {
		size := p.n/shares + 1
		return min(i*size, p.n), min((i+1)*size, p.n)
	}
	next := make([][]int, shares)
	share(shares, func(i int) {
		next[i] = make([]int, buckets)
		lo, hi := ends(i)
		p.count(0, lo, hi, next[i])
	})
	edges := make([]int, buckets+1)
	at := 0
	for b := range buckets {
		edges[b] = at
		for _, n := range next {
			at, n[b] = at+n[b], at
		}
	}
	edges[buckets] = at
	share(shares, func(i int) {
		lo, hi := ends(i)
		to(0, lo, hi, next[i])
	})
	return edges
}

// divideAgain divides each bucket by a further round, and returns the edges of what they
// become.
func (p *permutation) divideAgain(round int, edges []int, to scatter) []int {
	parts := 1 << p.rounds[round]
	finer := make([]int, (len(edges)-1)*parts+1)
	share(len(edges)-1, func(i int) {
		next := make([]int, parts)
		lo, hi := edges[i], edges[i+1]
		p.count(round, lo, hi, next)
		at := lo
		for b, n := range next {
			finer[i*parts+b], next[b] = at, at
			at += n
		}
		to(round, lo, hi, next)
	})
	finer[len(finer)-1] = p.n
	return finer
}

// finish permutes each bucket of what is in src, in dst.
func finish[T any](p *permutation, dst, src []T, edges []int) {
	share(len(edges)-1, func(i int) {
		lo, hi := edges[i], edges[i+1]
		if unsafe.SliceData(dst) != unsafe.SliceData(src) {
			copy(dst[lo:hi], src[lo:hi])
		}
		swap(p, dst[lo:hi], lo)
	})
}

// swap permutes a bucket that begins at position lo (Fisher and Yates; Durstenfeld,
// "Algorithm 235: Random permutation", Communications of the ACM 7(7), 1964; from the first
// element on). The integers are those of integersBelow: made in a loop of their own, the
// whole takes 1.7 times as long.
func swap[T any](p *permutation, bucket []T, lo int) {
	var w [piece]uint32
	s := p.words(len(p.rounds))
	for at := 0; at < len(bucket); at += piece {
		part := bucket[at:min(at+piece, len(bucket))]
		x := w[:len(part)]
		s.FillUint32At(x, uint64(lo+at))
		n := uint64(at)
		for i := range part {
			n++
			product := uint64(x[i]) * n
			j := product >> 32
			if l := uint64(uint32(product)); l < n && l < 1<<32%n {
				j = integer(s, uint64(lo+at+i), n, false)
			}
			part[i], bucket[j] = bucket[j], part[i]
		}
	}
}

// integer returns element i of the integers from 0 to n-1 of a stream, which are made of a
// word each, or of a uint64.
func integer(s philox.Stream, i, n uint64, wide bool) (v uint64) {
	kind := asm.Int64
	if wide {
		kind = asm.Wide64
	}
	hi, lo := s.Counter().Uint64s()
	fill.Fill(kind, unsafe.Pointer(&v), 1, i, s.Key().Seed(), hi, lo, 1, asm.Integers(0, n))
	return v
}

// Permute writes the numbers from 0 to n-1, in a random order, as integers of size bytes
// at dst.
//
// It takes a pointer for the reason that Fill has.
func Permute(s philox.Stream, dst unsafe.Pointer, n, size int) {
	switch size {
	case 1:
		permute(s, unsafe.Slice((*uint8)(dst), n))
	case 2:
		permute(s, unsafe.Slice((*uint16)(dst), n))
	case 4:
		permuteLong(s, unsafe.Slice((*uint32)(dst), n))
	case 8:
		permuteLong(s, unsafe.Slice((*uint64)(dst), n))
	}
}

// permute is Permute of undivided elements.
func permute[T uint8 | uint16 | uint32 | uint64](s philox.Stream, dst []T) {
	for i := range dst {
		dst[i] = T(i)
	}
	p := newPermutation(s, len(dst))
	swap(&p, dst, 0)
}

func permuteLong[T uint32 | uint64](s philox.Stream, dst []T) {
	if len(dst) <= undivided {
		permute(s, dst)
		return
	}
	at := unsafe.Pointer(unsafe.SliceData(dst))
	heap := unsafe.Slice((*T)(fill.NoEscape(at)), len(dst))
	if stack.Holds(at, uintptr(len(dst))*unsafe.Sizeof(dst[0])) {
		heap = make([]T, len(dst))
	}
	p := newPermutation(s, len(dst))
	permuteShared(&p, heap)
	if unsafe.SliceData(heap) != unsafe.SliceData(dst) {
		copy(dst, heap)
	}
}

// permuteShared is Permute by a permutation of at least one round, of what is on the heap.
func permuteShared[T uint32 | uint64](p *permutation, dst []T) {
	to, other := dst, dst
	if len(p.rounds) > 1 {
		var release func()
		other, release = temporary[T](p.n)
		defer release()
	}
	if len(p.rounds)%2 == 0 {
		to, other = other, to
	}
	edges := p.divide(place(p, to))
	for round := 1; round < len(p.rounds); round++ {
		edges = p.divideAgain(round, edges, move(p, other, to))
		to, other = other, to
	}
	finish(p, to, to, edges)
}

// temporaries has memory for elements without pointers that one call leaves to the next:
// to get as much anew, page by page, may take longer than the permutation.
var temporaries sync.Pool

// temporary returns memory for n elements, with anything in it, and what to call when it
// is no longer used.
func temporary[T any](n int) (x []T, release func()) {
	if hasPointers(reflect.TypeFor[T]()) {
		return make([]T, n), func() {}
	}
	words := int((uintptr(n)*unsafe.Sizeof(*new(T)) + 7) / 8)
	memory, _ := temporaries.Get().(*[]uint64)
	if memory == nil || len(*memory) < words {
		m := make([]uint64, words)
		memory = &m
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(*memory))), n), func() { temporaries.Put(memory) }
}

// hasPointers reports whether the garbage collector must know of elements of a type.
func hasPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return hasPointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if hasPointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	}
	return t.Kind() > reflect.Complex128
}

// Shuffle permutes the elements of x.
func Shuffle[T any](s philox.Stream, x []T) {
	p := newPermutation(s, len(x))
	shuffle(&p, x)
}

func shuffle[T any](p *permutation, x []T) {
	if len(p.rounds) == 0 {
		swap(p, x, 0)
		return
	}
	from := x
	to, release := temporary[T](len(x))
	defer release()
	edges := p.divide(move(p, to, from))
	for round := 1; round < len(p.rounds); round++ {
		from, to = to, from
		edges = p.divideAgain(round, edges, move(p, to, from))
	}
	finish(p, x, to, edges)
}

// ShuffleMemory returns the memory that ShuffleFunc needs for n elements.
func ShuffleMemory(n int) []int {
	if n <= undivided {
		return nil
	}
	return make([]int, n)
}

// ShuffleFunc permutes n elements as Shuffle does, by swapping.
func ShuffleFunc(s philox.Stream, n int, from []int, exchange func(i, j int)) {
	if from == nil {
		s = s.WithMaxGoroutines(1)
		var w [piece]uint32
		for at := 0; at < n; at += piece {
			to := w[:min(n-at, piece)]
			integersBelow(s, to, uint64(at), uint64(at)+1, 1)
			for i, j := range to {
				exchange(at+i, int(j))
			}
		}
		return
	}
	Permute(s, unsafe.Pointer(unsafe.SliceData(from)), n, int(unsafe.Sizeof(n)))
	// Each cycle, from its first place on: a swap brings to a place what belongs there,
	// and what was there to the place that comes next.
	for i := range from {
		at := i
		for from[at] != i {
			next := from[at]
			exchange(at, next)
			from[at], at = at, next // is done
		}
		from[at] = at
	}
}
