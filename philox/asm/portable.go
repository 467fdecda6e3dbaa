package asm

import (
	"encoding/binary"
	"unsafe"

	"github.com/philox-go/rng/internal/layout"
	"github.com/philox-go/rng/internal/poly"
)

// portable writes n elements, at least one, at dst. It is the definition that every kernel is
// tested against.
func portable(k Kind, dst unsafe.Pointer, n int, key, hi, lo uint64) {
	k0, k1 := uint32(key), uint32(key>>32)
	var last [layout.BlockBytes / 8]uint64
	for per := k.PerBlock(); ; n -= per {
		p := dst
		if n < per {
			p = unsafe.Pointer(&last)
		}
		w0, w1, w2, w3 := ten(uint32(lo), uint32(lo>>32), uint32(hi), uint32(hi>>32), k0, k1)
		switch k {
		case Uint32:
			d := (*[4]uint32)(p)
			d[0], d[1], d[2], d[3] = w0, w1, w2, w3
		case Uint64:
			d := (*[2]uint64)(p)
			d[0], d[1] = join(w0, w1), join(w2, w3)
		case Bytes:
			d := (*[16]byte)(p)
			binary.LittleEndian.PutUint64(d[:8], join(w0, w1))
			binary.LittleEndian.PutUint64(d[8:], join(w2, w3))
		case Float32:
			d := (*[4]float32)(p)
			d[0], d[1], d[2], d[3] = poly.Uniform32(w0), poly.Uniform32(w1), poly.Uniform32(w2), poly.Uniform32(w3)
		case OpenFloat32:
			d := (*[4]float32)(p)
			d[0], d[1], d[2], d[3] = poly.Open32(w0), poly.Open32(w1), poly.Open32(w2), poly.Open32(w3)
		case Float64:
			d := (*[2]float64)(p)
			d[0], d[1] = poly.Uniform64(join(w0, w1)), poly.Uniform64(join(w2, w3))
		}
		if n <= per {
			if n < per {
				part := n * k.Size()
				copy(unsafe.Slice((*byte)(dst), part), unsafe.Slice((*byte)(p), part))
			}
			return
		}
		dst = unsafe.Add(dst, layout.BlockBytes)
		if lo++; lo == 0 {
			hi++
		}
	}
}

// join makes a 64-bit number of two words, the first one low.
func join(lo, hi uint32) uint64 { return uint64(hi)<<32 | uint64(lo) }
