//go:build !purego

package asm

import (
	"math/bits"
	"unsafe"

	"github.com/philox-go/rng/internal/layout"
	"github.com/philox-go/rng/internal/view"
)

// vectorConverted is vector for kinds whose kernels read a Conversion.
func vectorConverted(l Level, k Kind, dst unsafe.Pointer, n int, key, hi, lo uint64, args Args) {
	var c layout.Conversion
	r := rangeOf(k, args)
	switch {
	case (k == Float16 || k == BFloat16) && args.unit():
	case k == Float16:
		c.SetRange(r.span/(1<<10), r.lo, r.below)
	case k == BFloat16:
		c.Table = tableOf(args, r)
	case k >= Chosen8 && k <= Chosen64:
		threshold, one := args.choice()
		if threshold == 0 {
			one = 0 // for kernels a limit is the largest word that is chosen
		}
		c.SetChoice(uint32(threshold-1), one, k.Size(), 0)
	default:
		c.SetRange(r.span, r.lo, r.below)
	}
	if !args.unit() {
		switch k {
		case Float16:
			k = ranged16
		case BFloat16:
			k = tabledB16
		}
	}
	vector(l, k, dst, n, key, hi, lo, &c.Params, nil)
}

// tableOf returns the uniform bfloat16 between bounds by the lower bits of their words. It
// takes as long as some thousand of them, so that the last one is kept.
func tableOf(args Args, r bounds) [128]uint16 {
	mem := scratch.Get().(*memory)
	defer scratch.Put(mem)
	if mem.tabled != args {
		for i := range mem.table {
			mem.table[i] = r.half(BFloat16, uniformOf(BFloat16, uint32(i)))
		}
		mem.tabled = args
	}
	return mem.table
}

// bitsGroup is the size of what a group of words becomes as bits.
const bitsGroup = layout.GroupBytes / 32

// vectorBits writes n bytes of bits at dst, whole groups, by the kernels of level l.
func vectorBits(l Level, dst unsafe.Pointer, n int, key, hi, lo, threshold uint64, flip bool) {
	var c layout.Conversion
	limit := uint32(threshold - 1)
	if threshold == 0 { // none, not all
		flip = !flip
	}
	var flips uint32
	if flip {
		flips = 1<<32 - 1
	}
	c.SetChoice(limit, 0, 4, flips)
	q := (*byte)(unsafe.Pointer(&c))
	for groups, done := n/bitsGroup, 0; groups > 0; {
		c.Set(key, hi, lo)
		// Kernels take counter word 0 to be the only one that changes.
		run := int(min((1<<32-lo&0xffffffff)/layout.GroupBlocks, uint64(groups)))
		for left := run; left > 0; {
			g := min(left, callGroups)
			if l == AVX512 {
				chosenBitsAVX512((*byte)(unsafe.Add(dst, done)), q, g)
			} else {
				chosenBitsAVX2((*byte)(unsafe.Add(dst, done)), q, g)
			}
			c.Advance(uint64(g) * layout.GroupBlocks)
			done += g * bitsGroup
			left -= g
		}
		if groups -= run; groups == 0 {
			return
		}
		if lo += uint64(run) * layout.GroupBlocks; lo == 0 {
			hi++
		}
		if lo&0xffffffff <= 1<<32-layout.GroupBlocks {
			continue
		}
		// The group in which it wraps.
		portableBits(unsafe.Add(dst, done), bitsGroup, key, hi, lo, threshold, flip != (threshold == 0))
		done += bitsGroup
		groups--
		old := lo
		if lo += layout.GroupBlocks; lo < old {
			hi++
		}
	}
}

// vectorHalves rounds n float32 at src by the kernels of level l.
func vectorHalves(l Level, h Half, dst, src unsafe.Pointer, n int) {
	const perGroup = layout.GroupBytes / 4
	m := layout.Move{Src: src}
	if groups := n / perGroup; groups > 0 {
		moveHalves(l, h, (*byte)(dst), &m, groups)
	}
	if rest := n % perGroup; rest > 0 {
		var buf [perGroup]uint16
		m.Src = unsafe.Add(src, 4*(n-rest))
		moveHalves(l, h, (*byte)(unsafe.Pointer(&buf)), &m, 1)
		copy(unsafe.Slice((*uint16)(unsafe.Add(dst, 2*(n-rest))), rest), buf[:])
	}
}

// moveHalves rounds groups of float32.
func moveHalves(l Level, h Half, dst *byte, m *layout.Move, groups int) {
	q := (*byte)(unsafe.Pointer(m))
	switch {
	case l == AVX512 && h == F16:
		round16AVX512(dst, q, groups)
	case l == AVX512:
		roundB16AVX512(dst, q, groups)
	case h == F16:
		round16AVX2(dst, q, groups)
	default:
		roundB16AVX2(dst, q, groups)
	}
}

// vectorIntegers writes n elements at dst by the kernels of level l. Candidates are made
// where they stay in the first cache, rejected ones again, and all of them moved.
func vectorIntegers(l Level, dst unsafe.Pointer, n int, key, hi, lo uint64, t *integers) {
	mem := scratch.Get().(*memory)
	defer scratch.Put(mem)
	w := integerWork{l: l, t: t, mem: mem}
	w.work.List = &mem.list
	w.work.SetIntegers(t.n, t.least)
	per := t.kind.PerBlock()
	for {
		// Kernels take counter word 0 to be the only one that changes.
		span := min(n, passBytes/layout.BlockBytes*per)
		if run := (1<<32 - lo&0xffffffff) * uint64(per); uint64(span) > run {
			span = int(run)
		}
		w.make(span, key, hi, lo)
		w.move(dst, span)
		if n -= span; n == 0 {
			return
		}
		dst = unsafe.Add(dst, span*t.kind.Size())
		if lo += uint64(span / per); lo == 0 {
			hi++
		}
	}
}

type integerWork struct {
	work layout.Truncation
	l    Level
	t    *integers
	mem  *memory
}

// make puts n elements, less the least integer, into the memory's words.
func (w *integerWork) make(n int, key, hi, lo uint64) {
	size := w.elementBytes()
	groups := (n*size + layout.GroupBytes - 1) / layout.GroupBytes
	w.work.Set(key, hi, lo)
	words, q := (*byte)(unsafe.Pointer(&w.mem.words)), (*byte)(unsafe.Pointer(&w.work))
	kernel(w.l, Uint32, words, &w.work.Params, groups)
	w.work.First, w.work.Count = 0, 0
	switch {
	case w.t.n == 0 || w.t.n == 1<<32 && size == 4: // they are words
		return
	case w.l == AVX512 && size == 4:
		integers32AVX512(words, q, groups)
	case w.l == AVX512:
		integers64AVX512(words, q, groups)
	case size == 4:
		integers32AVX2(words, q, groups)
	default:
		integers64AVX2(words, q, groups)
	}
	// The list takes whole groups. What is behind the end, as far as the order of the
	// list has it last, need not be made again.
	for w.work.Count > 0 && w.work.List[w.work.Count-1] >= uint32(n) {
		w.work.Count--
	}
	for a := uint64(1); w.work.Count > 0 && a < attempts; a++ {
		w.retry(key, attempt(hi, a), lo)
	}
}

// elementBytes is the size of an element before it is moved.
func (w *integerWork) elementBytes() int {
	if w.t.kind == Wide64 {
		return 8
	}
	return 4
}

// retry makes the listed elements again, of blocks whose counters have another upper
// half, and lists those that are rejected again.
func (w *integerWork) retry(key, hi, lo uint64) {
	w.work.Set(key, hi, lo)
	pair := 2 * w.elementBytes()
	listed := w.work.List[:w.work.Count]
	kept := 0
	for from := 0; from < len(listed); from += batchBytes / pair {
		part := listed[from:min(from+batchBytes/pair, len(listed))]
		w.work.From = uint64(from)
		w.pairs((len(part)*pair + layout.GroupBytes - 1) / layout.GroupBytes)
		// Without a branch on what is random.
		if pair == 8 {
			batch, words := view.Of[uint32](w.mem.batch[:]), view.Of[uint32](w.mem.words[:])
			for i, e := range part {
				p := uint64(batch[2*i+int(e&1)]) * w.t.n
				words[e] = uint32(p >> 32)
				listed[kept] = e
				if p&(1<<32-1) < w.t.least {
					kept++
				}
			}
			continue
		}
		for i, e := range part {
			var l uint64
			w.mem.words[e], l = bits.Mul64(w.wideWord(i, int(e&1)), w.t.n)
			listed[kept] = e
			if l < w.t.least {
				kept++
			}
		}
	}
	w.work.Count = uint64(kept)
}

// pairs makes the words of listed elements in the batch, each with its pair's other one.
func (w *integerWork) pairs(groups int) {
	b, q := (*byte)(unsafe.Pointer(&w.mem.batch)), (*byte)(unsafe.Pointer(&w.work))
	switch wide := w.t.kind == Wide64; {
	case w.l == AVX512 && wide:
		pairs64AVX512(b, q, groups)
	case w.l == AVX512:
		pairs32AVX512(b, q, groups)
	case wide:
		pairs64AVX2(b, q, groups)
	default:
		pairs32AVX2(b, q, groups)
	}
}

// wideWord returns one of the two 64-bit words of listed element i of a batch.
func (w *integerWork) wideWord(i, which int) uint64 {
	if w.l == AVX2 { // the first words of blocks 0, 2, 1 and 3, and then the second ones
		return w.mem.batch[i&^3*2+4*which+i&1<<1+i>>1&1]
	}
	return w.mem.batch[2*i+which]
}

// move adds the least integer to n elements in the memory's words and takes them to dst.
func (w *integerWork) move(dst unsafe.Pointer, n int) {
	from := w.elementBytes()
	perGroup := layout.GroupBytes / from
	m := layout.Move{Src: unsafe.Pointer(&w.mem.words)}
	m.SetLo(w.t.lo, w.t.kind.Size() == 8)
	if groups := n / perGroup; groups > 0 {
		w.moveGroups((*byte)(dst), &m, groups)
	}
	if rest := n % perGroup; rest > 0 {
		var buf [mostGroupBytes]byte
		m.Src = unsafe.Add(m.Src, from*(n-rest))
		w.moveGroups(&buf[0], &m, 1)
		size := w.t.kind.Size()
		copy(unsafe.Slice((*byte)(unsafe.Add(dst, (n-rest)*size)), rest*size), buf[:])
	}
}

func (w *integerWork) moveGroups(dst *byte, m *layout.Move, groups int) {
	q := (*byte)(unsafe.Pointer(m))
	if w.l == AVX512 {
		switch w.t.kind {
		case Int8:
			add8AVX512(dst, q, groups)
		case Int16:
			add16AVX512(dst, q, groups)
		case Int32:
			add32AVX512(dst, q, groups)
		case Int64:
			widen64AVX512(dst, q, groups)
		case Wide64:
			add64AVX512(dst, q, groups)
		}
		return
	}
	switch w.t.kind {
	case Int8:
		add8AVX2(dst, q, groups)
	case Int16:
		add16AVX2(dst, q, groups)
	case Int32:
		add32AVX2(dst, q, groups)
	case Int64:
		widen64AVX2(dst, q, groups)
	case Wide64:
		add64AVX2(dst, q, groups)
	}
}

// vectorDrop writes whole groups of n elements of a size by the kernels of level l, and
// returns how many elements that are.
func vectorDrop(l Level, dst, mask, src unsafe.Pointer, n, size int, scale float32) int {
	perGroup := layout.GroupBytes / size
	d := layout.Dropout{Scale32: scale, Scale64: float64(scale)}
	groups := n / perGroup
	for done := 0; done < groups; {
		g := min(groups-done, callGroups)
		d.Src, d.Mask = unsafe.Add(src, done*layout.GroupBytes), unsafe.Add(mask, done*perGroup/8)
		to, q := (*byte)(unsafe.Add(dst, done*layout.GroupBytes)), (*byte)(unsafe.Pointer(&d))
		switch {
		case l == AVX512 && size == 4:
			dropout32AVX512(to, q, g)
		case l == AVX512:
			dropout64AVX512(to, q, g)
		case size == 4:
			dropout32AVX2(to, q, g)
		default:
			dropout64AVX2(to, q, g)
		}
		done += g
	}
	return groups * perGroup
}
