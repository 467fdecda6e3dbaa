package draw

import (
	"math/bits"
	"sort"
	"unsafe"

	"github.com/philox-go/rng/philox"
)

// Wide reports whether choices of n integers take uint64 numbers, and not words.
func Wide(n uint64) bool { return n > 1<<32 }

// ChoiceBlocks returns the number of blocks that count choices take.
func ChoiceBlocks(count int, wide bool) uint64 {
	if wide {
		return uint64(count/2) + uint64(count%2)
	}
	return WordBlocks(count)
}

// Choose fills dst with integers from 0 to n-1, each at most once, in random order: the
// first ones of all n after as many swaps.
func Choose[T Integer](s philox.Stream, dst []T, n uint64, wide bool) {
	if wide {
		choose[T, uint64](s, dst, n)
	} else {
		choose[T, uint32](s, dst, n)
	}
}

func choose[T Integer, W uint32 | uint64](s philox.Stream, dst []T, n uint64) {
	if len(dst) == 0 {
		return
	}
	for i := range dst {
		dst[i] = T(i)
	}
	s = s.WithMaxGoroutines(1)
	k := uint64(len(dst))
	others := newOthers(W(k), n-k)
	var w [piece]W
	for at := 0; at < len(dst); at += piece {
		to := w[:min(len(dst)-at, piece)]
		integersBelow(s, to, uint64(at), n-uint64(at), -1)
		for i, j := range to {
			i += at
			if j += W(i); uint64(j) < k {
				dst[i], dst[j] = dst[j], dst[i]
			} else {
				dst[i] = T(others.exchange(j, W(dst[i])))
			}
		}
	}
}

// integersBelow writes integers, of a word or a uint64 each: number i is element first+i of
// the integers from 0 to n+i*step-1.
func integersBelow[W uint32 | uint64](s philox.Stream, to []W, first, n uint64, step int) {
	if unsafe.Sizeof(W(0)) == 8 {
		s.FillUint64At(unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(to))), len(to)), first)
		for i, x := range to {
			h, l := bits.Mul64(uint64(x), n)
			if l < n && l < -n%n {
				h = integer(s, first+uint64(i), n, true)
			}
			to[i] = W(h)
			n += uint64(step)
		}
		return
	}
	s.FillUint32At(unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(to))), len(to)), first)
	for i, x := range to {
		p := uint64(x) * n
		if l := uint64(uint32(p)); l < n && l < 1<<32%n {
			p = integer(s, first+uint64(i), n, false) << 32
		}
		to[i] = W(p >> 32)
		n += uint64(step)
	}
}

// others are the places from first on, each with its own number until there is another.
type others[W uint32 | uint64] struct {
	first W
	all   []W // the numbers, or nil where few of them change

	// By hashing, to the next free slot. A key is a place, or 0 for none, which is not
	// one of these since first is at least 1.
	slots []slot[W]
	shift int
}

// A slot has what it needs side by side, for it is seldom in a cache.
type slot[W uint32 | uint64] struct{ key, number W }

// newOthers returns the n places from first on, of which at most first change. It takes
// memory for the fewer of n and about 6*first numbers.
func newOthers[W uint32 | uint64](first W, n uint64) *others[W] {
	o := &others[W]{first: first}
	if n/4 <= uint64(first) {
		o.all = make([]W, n)
		for i := range o.all {
			o.all[i] = first + W(i)
		}
		return o
	}
	size := bits.Len64(2*uint64(first) - 1)
	o.slots, o.shift = make([]slot[W], 1<<size), 64-size
	return o
}

// exchange returns the number at a place and puts another there.
func (o *others[W]) exchange(place, number W) W {
	if o.slots == nil {
		old := o.all[place-o.first]
		o.all[place-o.first] = number
		return old
	}
	const golden = 0x9e3779b97f4a7c15 // 2^64 over the golden ratio (Knuth, volume 3, 6.4)
	for i := int(uint64(place) * golden >> o.shift); ; i = (i + 1) & (len(o.slots) - 1) {
		switch s := &o.slots[i]; s.key {
		case place:
			old := s.number
			s.number = number
			return old
		case 0:
			*s = slot[W]{place, number}
			return place
		}
	}
}

// maskBlock is the number of elements of a mask that are counted together.
const maskBlock = 256

// ChooseTrue fills the beginning of dst with the indices of true elements of a mask,
// each at most once, in random order, and returns how many these are: all true ones if
// dst has place for them. The chosen ones are those of Choose from as many integers as
// there are true elements, by their rank among these.
func ChooseTrue(s philox.Stream, dst []int, mask []bool) int {
	before := make([]int, 0, len(mask)/maskBlock+1) // true elements before each block
	n := 0
	for rest := mask; len(rest) > 0; {
		m := min(len(rest), maskBlock)
		before = append(before, n)
		n += count(rest[:m])
		rest = rest[m:]
	}
	dst = dst[:min(len(dst), n)]
	Choose(s, dst, uint64(n), Wide(uint64(len(mask))))
	if len(dst) >= len(mask)/16 { // a search for each would take longer than a list
		list := make([]int, 0, n)
		for i, m := range mask {
			if m {
				list = append(list, i)
			}
		}
		for i, rank := range dst {
			dst[i] = list[rank]
		}
		return len(dst)
	}
	for i, rank := range dst {
		block := sort.Search(len(before), func(b int) bool { return before[b] > rank }) - 1
		at := block * maskBlock
		for left := rank - before[block]; left > 0 || !mask[at]; at++ {
			if mask[at] {
				left--
			}
		}
		dst[i] = at
	}
	return len(dst)
}

// count returns the number of true elements.
func count(mask []bool) (n int) {
	for _, m := range mask {
		one := 0 // without a branch
		if m {
			one = 1
		}
		n += one
	}
	return n
}
