//go:build !purego

package asm

import (
	"unsafe"

	"github.com/philox-go/rng/internal/layout"
)

// callGroups bounds one kernel call to 64 KiB: an assembly loop cannot be
// preempted, so the garbage collector waits for at most one call.
const callGroups = 64 << 10 / layout.GroupBytes

// passGroups bounds the words that become numbers in a second pass.
const passGroups = passBytes / layout.GroupBytes

// vectorWords writes n bytes at dst of a kind that one kernel makes of Params alone.
func vectorWords(l Level, k Kind, dst unsafe.Pointer, n int, key, hi, lo uint64) {
	var p layout.Params
	vector(l, k, dst, n, key, hi, lo, &p, nil)
}

// vector writes n bytes at dst by the kernels of level l. p is what they read, or the
// beginning of it; pass is nil for a kind that one kernel makes. Kernels write whole
// groups and take counter word 0 to be the only one that changes, so the range is cut
// where that word wraps, and the end of each piece goes through a buffer.
func vector(l Level, k Kind, dst unsafe.Pointer, n int, key, hi, lo uint64, p *layout.Params, pass *pass) {
	blockBytes := k.BlockSize()
	groupBytes := layout.GroupBlocks * blockBytes
	most := callGroups
	if pass != nil {
		most = passGroups
	}
	for {
		p.Set(key, hi, lo)
		run := 1<<32 - lo&0xffffffff // blocks until word 0 wraps
		piece := n
		if uint64(n) > run*uint64(blockBytes) {
			piece = int(run) * blockBytes
		}
		// The address only moves where something is left to write: one past the end
		// may belong to somebody else.
		done := 0
		for groups := piece / groupBytes; groups > 0; {
			g := min(groups, most)
			kernel(l, k, (*byte)(unsafe.Add(dst, done)), p, g)
			if pass != nil {
				pass.run(l, k, (*byte)(unsafe.Add(dst, done)), g)
			}
			p.Advance(uint64(g) * layout.GroupBlocks)
			done += g * groupBytes
			groups -= g
		}
		if rest := piece - done; rest > 0 {
			var buf [mostGroupBytes]byte
			kernel(l, k, &buf[0], p, 1)
			if pass != nil {
				pass.run(l, k, &buf[0], 1)
			}
			copy(unsafe.Slice((*byte)(unsafe.Add(dst, done)), rest), buf[:])
		}
		if n -= piece; n == 0 {
			return
		}
		dst = unsafe.Add(dst, piece)
		if lo += run; lo == 0 {
			hi++
		}
	}
}

// mostGroupBytes is the largest size of what a group of words becomes.
const mostGroupBytes = 2 * layout.GroupBytes

// kernel writes groups*128 bytes at dst, or what becomes of so many bytes of words. The
// calls are direct: through a func
// value the destination would count as escaping.
func kernel(l Level, k Kind, dst *byte, p *layout.Params, groups int) {
	q := (*byte)(unsafe.Pointer(p))
	if l == AVX512 {
		switch k {
		case Uint32, Uint64, Bytes, Normal32, Normal64, Exponential32, Exponential64:
			wordsAVX512(dst, q, groups)
		case Float32:
			float32AVX512(dst, q, groups)
		case OpenFloat32:
			openFloat32AVX512(dst, q, groups)
		case Float64:
			float64AVX512(dst, q, groups)
		case Range32:
			range32AVX512(dst, q, groups)
		case Range64:
			range64AVX512(dst, q, groups)
		case Float16:
			float16AVX512(dst, q, groups)
		case BFloat16:
			bfloat16AVX512(dst, q, groups)
		case Chosen8:
			chosen8AVX512(dst, q, groups)
		case Chosen16:
			chosen16AVX512(dst, q, groups)
		case Chosen32:
			chosen32AVX512(dst, q, groups)
		case Chosen64:
			chosen64AVX512(dst, q, groups)
		case ranged16:
			ranged16AVX512(dst, q, groups)
		case tabledB16:
			tabledB16AVX512(dst, q, groups)
		}
		return
	}
	switch k {
	case Uint32, Uint64, Bytes, Exponential32, Exponential64:
		wordsAVX2(dst, q, groups)
	case Normal32:
		unzipped32AVX2(dst, q, groups)
	case Normal64:
		unzipped64AVX2(dst, q, groups)
	case Float32:
		float32AVX2(dst, q, groups)
	case OpenFloat32:
		openFloat32AVX2(dst, q, groups)
	case Float64:
		float64AVX2(dst, q, groups)
	case Range32:
		range32AVX2(dst, q, groups)
	case Range64:
		range64AVX2(dst, q, groups)
	case Float16:
		float16AVX2(dst, q, groups)
	case BFloat16:
		bfloat16AVX2(dst, q, groups)
	case Chosen8:
		chosen8AVX2(dst, q, groups)
	case Chosen16:
		chosen16AVX2(dst, q, groups)
	case Chosen32:
		chosen32AVX2(dst, q, groups)
	case Chosen64:
		chosen64AVX2(dst, q, groups)
	case range16:
		range16AVX2(dst, q, groups)
	case rangeB16:
		rangeB16AVX2(dst, q, groups)
	}
}

// A pass turns words into numbers where they lie.
type pass struct {
	scale    layout.Scale
	rate     layout.Exponential
	standard bool // the numbers are what the words give, without scale or rate
	unheld   bool // a rate's bounds change nothing
}

// set gives the pass its numbers.
func (p *pass) set(k Kind, a Args) {
	switch k {
	case Normal32:
		if p.standard = a.standard(); !p.standard {
			p.scale.Set32(float32(a.Mean), float32(a.Std))
		}
	case Normal64:
		if p.standard = a.standard(); !p.standard {
			p.scale.Set64(a.Mean, a.Std)
		}
	default:
		p.unheld = a.unheld()
		if p.standard = a.unscaled(); !p.standard {
			p.rate.Set(a.rate())
		}
	}
}

// run turns groups*128 bytes of words at dst, as kernel leaves them, into numbers of
// kind k.
func (p *pass) run(l Level, k Kind, dst *byte, groups int) {
	if k == Exponential32 || k == Exponential64 {
		p.exponentials(l, k, dst, groups)
		return
	}
	q := (*byte)(unsafe.Pointer(&p.scale))
	if l == AVX512 {
		switch {
		case k == Normal32 && p.standard:
			normal32AVX512(dst, q, groups)
		case k == Normal32:
			scaledNormal32AVX512(dst, q, groups)
		case p.standard:
			normal64AVX512(dst, q, groups)
		default:
			scaledNormal64AVX512(dst, q, groups)
		}
		return
	}
	switch {
	case k == Normal32 && p.standard:
		normal32AVX2(dst, q, groups)
	case k == Normal32:
		scaledNormal32AVX2(dst, q, groups)
	case p.standard:
		normal64AVX2(dst, q, groups)
	default:
		scaledNormal64AVX2(dst, q, groups)
	}
}

// exponentials is run for exponentials.
func (p *pass) exponentials(l Level, k Kind, dst *byte, groups int) {
	q := (*byte)(unsafe.Pointer(&p.rate))
	if l == AVX512 {
		switch {
		case k == Exponential32 && p.standard:
			exponential32AVX512(dst, q, groups)
		case k == Exponential32 && p.unheld:
			scaledExponential32AVX512(dst, q, groups)
		case k == Exponential32:
			heldExponential32AVX512(dst, q, groups)
		case p.standard:
			exponential64AVX512(dst, q, groups)
		case p.unheld:
			scaledExponential64AVX512(dst, q, groups)
		default:
			heldExponential64AVX512(dst, q, groups)
		}
		return
	}
	switch {
	case k == Exponential32 && p.standard:
		exponential32AVX2(dst, q, groups)
	case k == Exponential32 && p.unheld:
		scaledExponential32AVX2(dst, q, groups)
	case k == Exponential32:
		heldExponential32AVX2(dst, q, groups)
	case p.standard:
		exponential64AVX2(dst, q, groups)
	case p.unheld:
		scaledExponential64AVX2(dst, q, groups)
	default:
		heldExponential64AVX2(dst, q, groups)
	}
}

// runInOrder is run for words that lie in order.
func (p *pass) runInOrder(l Level, k Kind, dst *byte, groups int) {
	if l == AVX2 {
		switch k {
		case Normal32:
			unzip32AVX2(dst, nil, groups)
		case Normal64:
			unzip64AVX2(dst, nil, groups)
		}
	}
	p.run(l, k, dst, groups)
}

// vectorPasses is vector for kinds of two passes.
func vectorPasses(l Level, k Kind, dst unsafe.Pointer, n int, key, hi, lo uint64, args Args) {
	var params layout.Params
	var p pass
	p.set(k, args)
	vector(l, k, dst, n, key, hi, lo, &params, &p)
}

// vectorTransform turns n bytes of words at dst, whole pairs, into numbers of
// kind k.
func vectorTransform(l Level, k Kind, dst unsafe.Pointer, n int, args Args) {
	var p pass
	p.set(k, args)
	// The address only moves where words are left, as in vector.
	done := 0
	for groups := n / layout.GroupBytes; groups > 0; {
		g := min(groups, passGroups)
		p.runInOrder(l, k, (*byte)(unsafe.Add(dst, done)), g)
		done += g * layout.GroupBytes
		groups -= g
	}
	if rest := n - done; rest > 0 {
		var buf [layout.GroupBytes]byte
		end := unsafe.Slice((*byte)(unsafe.Add(dst, done)), rest)
		copy(buf[:], end)
		p.runInOrder(l, k, &buf[0], 1)
		copy(end, buf[:])
	}
}
