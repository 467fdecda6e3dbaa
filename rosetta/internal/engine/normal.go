package engine

import (
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/rosetta/mufu"
)

// Normal32 are cuRAND's float32 normals, two of each two words.
func Normal32() *Convert[float32] {
	return &Convert[float32]{PerBlock: 4, Do: func(out [][]float32, w *[4][]uint32) {
		mufu.Normals(out[0], out[1], w[0], w[1])
		mufu.Normals(out[2], out[3], w[2], w[3])
	}}
}

// Normal64 are cuRAND's float64 normals, two of each block.
func Normal64() *Convert[float64] {
	return &Convert[float64]{PerBlock: 2, Do: func(out [][]float64, w *[4][]uint32) {
		mufu.NormalsDouble(out[0], out[1], w[0], w[1], w[2], w[3])
	}}
}

// Between32 are u*span + from of the uniform u of Open32, and from where that is to.
func Between32(span, from, to float32) *Convert[float32] {
	c := &Convert[float32]{PerBlock: 4, Do: func(out [][]float32, w *[4][]uint32) {
		for k := range out {
			mufu.UniformsBetween(out[k], w[k], span, from, to)
		}
	}}
	if asm.Active() == asm.AVX512 {
		c.Direct = func(out [][]float32, key, hi, lo uint64) {
			asm.UniformLanes(asm.AVX512, (*[4][]float32)(out), key, hi, lo, span, from, to)
		}
	}
	return c
}
