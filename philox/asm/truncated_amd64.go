//go:build !purego

package asm

import (
	"unsafe"

	"github.com/philox-go/rng/internal/layout"
)

const (
	// spanBytes is how much is filled before what is outside the bounds is made
	// again: the more, the fuller are the vectors of the last few elements. It stays
	// in the second cache.
	spanBytes = 64 << 10
	// scanGroups are looked at in one call; all of them may be outside.
	scanGroups = 2 << 10 / layout.GroupBytes
	// batchBytes holds the pairs of listed elements that are made in one call.
	batchBytes = 2 << 10
	// fewListed elements are made one at a time.
	fewListed = 1
)

// A truncator fills by Box-Muller. Rejected elements are listed, and made again until
// the list is empty, each time all that are left by one call of each kernel.
type truncator struct {
	work layout.Truncation
	pass pass
	l    Level
	k    Kind
	t    *truncation

	key, hi, lo uint64         // of the block of element 0 of the list
	base        unsafe.Pointer // that element
	batch       [batchBytes / 8]uint64
}

// vectorTruncated writes n bytes of elements at dst by the kernels of level l.
func vectorTruncated(l Level, k Kind, dst unsafe.Pointer, n int, key, hi, lo uint64, t *truncation) {
	of := Normal32
	if k == Truncated64 {
		of = Normal64
	}
	w := truncator{l: l, k: of, t: t, key: key}
	w.pass.set(of, t.args)
	w.work.SetBounds(t.lo, t.hi)
	for n *= k.Size(); ; {
		// Kernels take counter word 0 to be the only one that changes.
		span := min(n, spanBytes)
		if run := (1<<32 - lo&0xffffffff) * layout.BlockBytes; uint64(span) > run {
			span = int(run)
		}
		w.base, w.hi, w.lo = dst, hi, lo
		w.fill(span)
		if n -= span; n == 0 {
			return
		}
		dst = unsafe.Add(dst, span)
		if lo += uint64(span / layout.BlockBytes); lo == 0 {
			hi++
		}
	}
}

// fill writes n bytes at the base.
func (w *truncator) fill(n int) {
	w.work.First, w.work.Count = 0, 0
	var p layout.Params
	p.Set(w.key, w.hi, w.lo)
	done := 0
	for groups := n / layout.GroupBytes; groups > 0; {
		g := min(groups, passGroups)
		w.normals(unsafe.Add(w.base, done), &p, g)
		for from := 0; from < g; from += scanGroups {
			w.scan(unsafe.Add(w.base, done+from*layout.GroupBytes), min(scanGroups, g-from))
			if w.work.Count > layout.Listed-scanGroups*layout.GroupBytes/4 {
				w.retry()
			}
		}
		done += g * layout.GroupBytes
		groups -= g
	}
	if rest := n - done; rest > 0 {
		// The list takes all of the buffer, and what is behind the end off again.
		var buf [layout.GroupBytes]byte
		w.normals(unsafe.Pointer(&buf), &p, 1)
		w.scan(unsafe.Pointer(&buf), 1)
		copy(unsafe.Slice((*byte)(unsafe.Add(w.base, done)), rest), buf[:])
		end := uint32(n / w.k.Size())
		for w.work.Count > 0 && w.work.List[w.work.Count-1] >= end {
			w.work.Count--
		}
	}
	w.retry()
}

// normals writes groups of normals and moves p on.
func (w *truncator) normals(at unsafe.Pointer, p *layout.Params, groups int) {
	kernel(w.l, w.k, (*byte)(at), p, groups)
	w.pass.run(w.l, w.k, (*byte)(at), groups)
	p.Advance(uint64(groups) * layout.GroupBlocks)
}

// scan lists what is outside the bounds in the groups that come next.
func (w *truncator) scan(at unsafe.Pointer, groups int) {
	d, q := (*byte)(at), (*byte)(unsafe.Pointer(&w.work))
	switch {
	case w.l == AVX512 && w.t.single:
		outside32AVX512(d, q, groups)
	case w.l == AVX512:
		outside64AVX512(d, q, groups)
	case w.t.single:
		outside32AVX2(d, q, groups)
	default:
		outside64AVX2(d, q, groups)
	}
	w.work.First += uint64(groups * layout.GroupBytes / w.k.Size())
}

// retry makes what is listed again, until it is inside the bounds.
func (w *truncator) retry() {
	pair := 2 * w.k.Size()
	list := w.work.List[:w.work.Count]
	a := uint64(1)
	for ; len(list) > fewListed && a < attempts; a++ {
		w.work.Set(w.key, attempt(w.hi, a), w.lo)
		kept := 0
		for from := 0; from < len(list); from += batchBytes / pair {
			part := list[from:min(from+batchBytes/pair, len(list))]
			w.work.From = uint64(from)
			w.pairs((len(part)*pair + layout.GroupBytes - 1) / layout.GroupBytes)
			if w.t.single {
				kept += scatter(w.base, part, unsafe.Slice((*float32)(unsafe.Pointer(&w.batch)), batchBytes/4), list[kept:], float32(w.t.lo), float32(w.t.hi))
			} else {
				kept += scatter(w.base, part, unsafe.Slice((*float64)(unsafe.Pointer(&w.batch)), batchBytes/8), list[kept:], w.t.lo, w.t.hi)
			}
		}
		list = list[:kept]
	}
	for _, i := range list {
		block, lane := w.k.Locate(uint64(i))
		v := w.t.retry(w.key, w.hi, w.lo+block, a, int(lane))
		w.t.store(unsafe.Add(w.base, int(i)*w.k.Size()), v)
	}
	w.work.Count = 0
}

// pairs makes the normals of listed elements in the batch, each with its pair's
// other one.
func (w *truncator) pairs(groups int) {
	b, q := (*byte)(unsafe.Pointer(&w.batch)), (*byte)(unsafe.Pointer(&w.work))
	switch {
	case w.l == AVX512 && w.t.single:
		pairs32AVX512(b, q, groups)
	case w.l == AVX512:
		pairs64AVX512(b, q, groups)
	case w.t.single:
		pairs32AVX2(b, q, groups)
	default:
		pairs64AVX2(b, q, groups)
	}
	w.pass.run(w.l, w.k, b, groups)
}

// scatter stores the elements of a list from their pairs, puts those that are still
// outside the bounds into rejected, and returns how many they are. Rejected may be
// what is before the list's end: it does not catch up.
func scatter[T float32 | float64](base unsafe.Pointer, list []uint32, pairs []T, rejected []uint32, lo, hi T) int {
	n := 0
	pairs = pairs[:2*len(list)]
	for i, e := range list {
		v := pairs[2*i+int(e&1)]
		*(*T)(unsafe.Add(base, uintptr(e)*unsafe.Sizeof(v))) = v
		rejected[n] = e
		if !(lo <= v && v <= hi) {
			n++
		}
	}
	return n
}
