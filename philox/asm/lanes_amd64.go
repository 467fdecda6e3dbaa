//go:build !purego

package asm

import (
	"unsafe"

	"github.com/philox-go/rng/internal/layout"
)

// laneBlocks is the largest number of blocks in a group of a kernel of lanes, and callLanes
// that of a call, 64 KiB of words.
const (
	laneBlocks = 2 * layout.GroupBlocks
	callLanes  = callGroups * layout.GroupBlocks
)

// vectorLanes is fillLanes by the kernels of level l, for at least one block. They write whole
// groups and take counter word 2 to be the only one that changes, so the range is cut
// where that word wraps, and the end of each piece goes through a buffer. With bounds the
// words become uniform numbers, which level AVX512 alone has a kernel for.
func vectorLanes(l Level, dst *[4][]uint32, key, hi, lo uint64, b *laneBounds) {
	blocks := layout.GroupBlocks
	if l == AVX512 {
		blocks = laneBlocks
	}
	var p layout.Lanes
	var buf [4][laneBlocks]uint32 // as long-lived as p, or else it would escape
	if b != nil {
		p.Span, p.From, p.To = b.span, b.from, b.to
	}
	for n, done := len(dst[0]), 0; done < n; {
		p.Set(key, hi, lo)
		end := n
		if run := 1<<32 - hi&0xffffffff; uint64(n-done) > run { // blocks until word 2 wraps
			end = done + int(run)
		}
		hi += uint64(end - done)
		for end-done >= blocks {
			groups := min(end-done, callLanes) / blocks
			for k := range dst {
				p.Dst[k] = unsafe.Pointer(&dst[k][done])
			}
			lanes(l, &p, groups, b != nil)
			p.Advance(uint64(groups * blocks))
			done += groups * blocks
		}
		if done < end {
			for k := range buf {
				p.Dst[k] = unsafe.Pointer(&buf[k])
			}
			lanes(l, &p, 1, b != nil)
			for k := range buf {
				copy(dst[k][done:end], buf[k][:])
			}
			done = end
		}
	}
}

// lanes writes groups where p says.
func lanes(l Level, p *layout.Lanes, groups int, uniform bool) {
	switch {
	case uniform:
		uniformLanesAVX512((*byte)(p.Dst[0]), (*byte)(unsafe.Pointer(p)), groups)
	case l == AVX512:
		lanesAVX512((*byte)(p.Dst[0]), (*byte)(unsafe.Pointer(p)), groups)
	default:
		lanesAVX2((*byte)(p.Dst[0]), (*byte)(unsafe.Pointer(p)), groups)
	}
}
