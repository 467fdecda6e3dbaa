//go:build !purego

package asm

import (
	"unsafe"

	"github.com/philox-go/rng/internal/layout"
)

// spanBytes is how much is filled before what is outside the bounds is made again: the
// more, the fuller are the vectors of the last few elements. It stays in the second
// cache.
const spanBytes = 4 * passBytes

// A truncator fills by Box-Muller. Rejected elements are listed, and made again until
// the list is empty, as many at a time as a batch holds.
type truncator struct {
	work layout.Truncation
	pass pass
	l    Level
	k    Kind
	t    *truncation

	key, hi, lo uint64 // of the block of element 0 of the list
	batch       *[batchBytes / 8]uint64
}

// vectorTruncated writes n elements at dst by the kernels of level l.
func vectorTruncated(l Level, k Kind, dst unsafe.Pointer, n int, key, hi, lo uint64, t *truncation) {
	of := Normal32
	if k == Truncated64 {
		of = Normal64
	}
	mem := scratch.Get().(*memory)
	defer scratch.Put(mem)
	w := truncator{l: l, k: of, t: t, key: key, batch: &mem.batch}
	w.work.List = &mem.list
	w.pass.set(of, t.args)
	w.work.SetBounds(t.lo, t.hi)
	for n *= k.Size(); ; {
		// Kernels take counter word 0 to be the only one that changes.
		span := min(n, spanBytes)
		if run := (1<<32 - lo&0xffffffff) * layout.BlockBytes; uint64(span) > run {
			span = int(run)
		}
		w.work.Base, w.hi, w.lo = dst, hi, lo
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
		w.normals(unsafe.Add(w.work.Base, done), &p, g)
		w.scan(unsafe.Add(w.work.Base, done), g)
		if w.work.Count > layout.Listed-passGroups*layout.GroupBytes/4 {
			w.retry() // all of the next ones may be outside
		}
		done += g * layout.GroupBytes
		groups -= g
	}
	if rest := n - done; rest > 0 {
		// The list takes all of the buffer, and what is behind the end off again.
		var buf [layout.GroupBytes]byte
		w.normals(unsafe.Pointer(&buf), &p, 1)
		w.scan(unsafe.Pointer(&buf), 1)
		copy(unsafe.Slice((*byte)(unsafe.Add(w.work.Base, done)), rest), buf[:])
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
	a := uint64(1)
	for ; w.work.Count > 0 && a < attempts; a++ {
		w.work.Set(w.key, attempt(w.hi, a), w.lo)
		w.work.Kept = 0
		for from := uint64(0); from < w.work.Count; from += uint64(batchBytes / pair) {
			w.work.From = from
			w.batchOf(int(min(w.work.Count-from, uint64(batchBytes/pair))))
		}
		w.work.Count = w.work.Kept
	}
	for _, i := range w.work.List[:w.work.Count] { // none, as far as anybody has seen
		w.t.store(unsafe.Add(w.work.Base, int(i)*w.k.Size()), w.t.reserve)
	}
	w.work.Count = 0
}

// batchOf makes the n elements of the list that begin at From.
func (w *truncator) batchOf(n int) {
	groups := (n*2*w.k.Size() + layout.GroupBytes - 1) / layout.GroupBytes
	if w.l != AVX512 {
		w.pairs(groups)
		part := w.work.List[w.work.From:][:n]
		rejected := w.work.List[w.work.Kept:]
		if w.t.single {
			w.work.Kept += scatter[float32](w, part, rejected)
		} else {
			w.work.Kept += scatter[float64](w, part, rejected)
		}
		return
	}
	// The group's other pairs are the last element's too.
	end := w.work.From + uint64(n)
	for i := range uint64(groups*layout.GroupBytes/(2*w.k.Size()) - n) {
		w.work.List[end+i] = w.work.List[end-1]
	}
	w.pairs(groups)
	b, q := (*byte)(unsafe.Pointer(w.batch)), (*byte)(unsafe.Pointer(&w.work))
	if w.t.single {
		place32AVX512(b, q, groups)
	} else {
		place64AVX512(b, q, groups)
	}
	for k := &w.work.Kept; *k > 1 && w.work.List[*k-1] == w.work.List[*k-2]; {
		*k--
	}
}

// pairs makes the normals of listed elements in the batch, each with its pair's
// other one.
func (w *truncator) pairs(groups int) {
	b, q := (*byte)(unsafe.Pointer(w.batch)), (*byte)(unsafe.Pointer(&w.work))
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
	if w.t.single {
		w.pass.runInOrder(w.l, w.k, b, groups)
	} else {
		w.pass.run(w.l, w.k, b, groups)
	}
}

// scatter stores the elements of a list from the pairs in the batch, puts those that
// are still outside the bounds into rejected, and returns how many they are. Rejected
// may be what is before the list's end: it does not catch up.
func scatter[T float32 | float64](w *truncator, list, rejected []uint32) uint64 {
	n := 0
	lo, hi := T(w.t.lo), T(w.t.hi)
	pairs := unsafe.Slice((*T)(unsafe.Pointer(w.batch)), 2*len(list))
	for i, e := range list {
		v := pairs[2*i+int(e&1)]
		*(*T)(unsafe.Add(w.work.Base, uintptr(e)*unsafe.Sizeof(v))) = v
		rejected[n] = e
		if !(lo <= v && v <= hi) {
			n++
		}
	}
	return uint64(n)
}
