package asm

import (
	"encoding/binary"
	"unsafe"

	"github.com/philox-go/rng/internal/poly"
	"github.com/philox-go/rng/skip"
)

// bufBlocks is the number of blocks the portable code makes at a time: the words
// stay in the nearest cache between the rounds and the conversion.
const bufBlocks = 8

// portable writes n elements at dst. It is the definition that every kernel is
// tested against.
func portable(k Kind, dst unsafe.Pointer, n int, key [2]uint32, ctr [4]uint32) {
	// Arrays travel through memory, so the loops work on plain numbers.
	k0, k1 := key[0], key[1]
	hi, lo := skip.Counter(ctr).Uint64s()
	var buf [4 * bufBlocks]uint32
	for {
		m := min(n, bufBlocks<<logPerBlock[k])
		w := buf[:4*((m+k.PerBlock()-1)>>logPerBlock[k])]
		words(w, k0, k1, hi, lo)
		convert(k, dst, m, w)
		if n -= m; n == 0 {
			return
		}
		dst = unsafe.Add(dst, m*k.Size())
		if lo += bufBlocks; lo < bufBlocks {
			hi++
		}
	}
}

// words writes whole blocks, of which dst holds a whole number.
func words(dst []uint32, k0, k1 uint32, hi, lo uint64) {
	for ; len(dst) >= 4; dst = dst[4:] {
		dst[0], dst[1], dst[2], dst[3] = ten(uint32(lo), uint32(lo>>32), uint32(hi), uint32(hi>>32), k0, k1)
		if lo++; lo == 0 {
			hi++
		}
	}
}

// convert writes n elements of kind k at dst from words.
func convert(k Kind, dst unsafe.Pointer, n int, w []uint32) {
	switch k {
	case Uint32:
		copy(unsafe.Slice((*uint32)(dst), n), w)
	case Uint64:
		for i, d := 0, unsafe.Slice((*uint64)(dst), n); i < len(d); i++ {
			d[i] = uint64(w[2*i]) | uint64(w[2*i+1])<<32
		}
	case Bytes:
		d := unsafe.Slice((*byte)(dst), n)
		for ; len(d) >= 4; d, w = d[4:], w[1:] {
			binary.LittleEndian.PutUint32(d, w[0])
		}
		if len(d) > 0 {
			var last [4]byte
			binary.LittleEndian.PutUint32(last[:], w[0])
			copy(d, last[:])
		}
	case Float32:
		for i, d := 0, unsafe.Slice((*float32)(dst), n); i < len(d); i++ {
			d[i] = poly.Uniform32(w[i])
		}
	case OpenFloat32:
		for i, d := 0, unsafe.Slice((*float32)(dst), n); i < len(d); i++ {
			d[i] = poly.Open32(w[i])
		}
	case Float64:
		for i, d := 0, unsafe.Slice((*float64)(dst), n); i < len(d); i++ {
			d[i] = poly.Uniform64(uint64(w[2*i]) | uint64(w[2*i+1])<<32)
		}
	}
}
