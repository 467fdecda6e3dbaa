//go:build !purego

package asm

import (
	"unsafe"

	"github.com/philox-go/rng/internal/layout"
)

// callGroups bounds one kernel call to 64 KiB: an assembly loop cannot be
// preempted, so the garbage collector waits for at most one call.
const callGroups = 64 << 10 / layout.GroupBytes

// vector writes n bytes at dst by the kernels of level l. Kernels write whole
// groups and take counter word 0 to be the only one that changes, so the range
// is cut where that word wraps, and the end of each piece goes through a buffer.
func vector(l Level, k Kind, dst unsafe.Pointer, n int, key, hi, lo uint64) {
	var p layout.Params
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
			g := min(groups, callGroups)
			kernel(l, k, (*byte)(unsafe.Add(dst, done)), &p, g)
			p.Advance(uint64(g) * layout.GroupBlocks)
			done += g * layout.GroupBytes
			groups -= g
		}
		if rest := piece - done; rest > 0 {
			var buf [layout.GroupBytes]byte
			kernel(l, k, &buf[0], &p, 1)
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
		case Uint32, Uint64, Bytes:
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
	case Float32:
		float32AVX2(dst, q, groups)
	case OpenFloat32:
		openFloat32AVX2(dst, q, groups)
	case Float64:
		float64AVX2(dst, q, groups)
	}
}
