//go:build !purego

package asm

import (
	"unsafe"

	"github.com/philox-go/rng/internal/layout"
)

// callGroups bounds one kernel call to 64 KiB: an assembly loop cannot be
// preempted, so the garbage collector waits for at most one call.
const callGroups = 64 << 10 / layout.GroupBytes

// passGroups bounds the words that become normals in a second pass to 15 KiB, so
// that they are still in the first cache: a whole number of passes of every kernel's
// main loop.
const passGroups = 120

// vector writes n bytes at dst by the kernels of level l; pass is nil for a kind that
// one kernel makes. Kernels write whole groups and take counter word 0 to be the only
// one that changes, so the range is cut where that word wraps, and the end of each
// piece goes through a buffer.
func vector(l Level, k Kind, dst unsafe.Pointer, n int, key, hi, lo uint64, pass *pass) {
	var p layout.Params
	most := callGroups
	if pass != nil {
		most = passGroups
	}
	for {
		p.Set(key, hi, lo)
		run := 1<<32 - lo&0xffffffff // blocks until word 0 wraps
		piece := n
		if uint64(n) > run*layout.BlockBytes {
			piece = int(run * layout.BlockBytes)
		}
		// The address only moves where something is left to write: one past the end
		// may belong to somebody else.
		done := 0
		for groups := piece / layout.GroupBytes; groups > 0; {
			g := min(groups, most)
			kernel(l, k, (*byte)(unsafe.Add(dst, done)), &p, g)
			if pass != nil {
				pass.run(l, k, (*byte)(unsafe.Add(dst, done)), g)
			}
			p.Advance(uint64(g) * layout.GroupBlocks)
			done += g * layout.GroupBytes
			groups -= g
		}
		if rest := piece - done; rest > 0 {
			var buf [layout.GroupBytes]byte
			kernel(l, k, &buf[0], &p, 1)
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

// kernel writes groups*128 bytes at dst. The calls are direct: through a func
// value the destination would count as escaping.
func kernel(l Level, k Kind, dst *byte, p *layout.Params, groups int) {
	q := (*byte)(unsafe.Pointer(p))
	if l == AVX512 {
		switch k {
		case Uint32, Uint64, Bytes, Normal32, Normal64:
			wordsAVX512(dst, q, groups)
		case Float32:
			float32AVX512(dst, q, groups)
		case OpenFloat32:
			openFloat32AVX512(dst, q, groups)
		case Float64:
			float64AVX512(dst, q, groups)
		}
		return
	}
	switch k {
	case Uint32, Uint64, Bytes:
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
	}
}

// A pass turns words into normals where they lie.
type pass struct {
	scale    layout.Scale
	standard bool // z*Std + Mean is z
}

// set gives the pass its numbers.
func (p *pass) set(k Kind, a Args) {
	p.standard = a.standard()
	switch {
	case p.standard:
	case k == Normal32:
		p.scale.Set32(float32(a.Mean), float32(a.Std))
	default:
		p.scale.Set64(a.Mean, a.Std)
	}
}

// run turns groups*128 bytes of words at dst, as kernel leaves them, into numbers of
// kind k.
func (p *pass) run(l Level, k Kind, dst *byte, groups int) {
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

// runInOrder is run for words that lie in order.
func (p *pass) runInOrder(l Level, k Kind, dst *byte, groups int) {
	switch {
	case l == AVX512:
	case k == Normal32:
		unzip32AVX2(dst, nil, groups)
	default:
		unzip64AVX2(dst, nil, groups)
	}
	p.run(l, k, dst, groups)
}

// vectorNormals is vector for normals.
func vectorNormals(l Level, k Kind, dst unsafe.Pointer, n int, key, hi, lo uint64, args Args) {
	var p pass
	p.set(k, args)
	vector(l, k, dst, n, key, hi, lo, &p)
}

// vectorTransform turns n bytes of words at dst, whole pairs, into normals.
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
