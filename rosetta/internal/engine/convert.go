package engine

import (
	"sync"

	"github.com/philox-go/rng/rosetta/mufu"
)

// Words are the words themselves.
func Words() *Convert[uint32] {
	return &Convert[uint32]{PerBlock: 4, Do: func(out [][]uint32, w *[4][]uint32) {
		for k := range out {
			copy(out[k], w[k])
		}
	}}
}

// Wide are 64-bit numbers of two words, the upper half first.
func Wide() *Convert[uint64] {
	return &Convert[uint64]{PerBlock: 2, Do: func(out [][]uint64, w *[4][]uint32) {
		for k, o := range out {
			hi, lo := w[2*k], w[2*k+1][:len(o)]
			for j := range o {
				o[j] = uint64(hi[j])<<32 | uint64(lo[j])
			}
		}
	}}
}

// Open32 are cuRAND's uniform float32, x*2^-32 + 2^-33 in (0,1], of each word.
func Open32() *Convert[float32] {
	return &Convert[float32]{PerBlock: 4, Do: func(out [][]float32, w *[4][]uint32) {
		for k := range out {
			mufu.Uniforms(out[k], w[k])
		}
	}}
}

// Open64 are cuRAND's uniform float64 in (0,1], of each two words.
func Open64() *Convert[float64] {
	return &Convert[float64]{PerBlock: 2, Do: func(out [][]float64, w *[4][]uint32) {
		for k := range out {
			mufu.UniformsDouble(out[k], w[2*k], w[2*k+1])
		}
	}}
}

// Then are the numbers that f makes of c's, of as many at a time as it is given.
func Then[S, T any](c *Convert[S], f func(dst []T, src []S)) *Convert[T] {
	pool := sync.Pool{New: func() any { return new([4][chunk]S) }}
	return &Convert[T]{PerBlock: c.PerBlock, Do: func(out [][]T, w *[4][]uint32) {
		src := pool.Get().(*[4][chunk]S)
		defer pool.Put(src)
		var lanes [4][]S
		for k := range out {
			lanes[k] = src[k][:len(out[k])]
		}
		c.Do(lanes[:len(out)], w)
		for k := range out {
			f(out[k], lanes[k])
		}
	}}
}

// In is Then for numbers that f changes where they are.
func In[T any](c *Convert[T], f func(x []T)) *Convert[T] {
	return &Convert[T]{PerBlock: c.PerBlock, Do: func(out [][]T, w *[4][]uint32) {
		c.Do(out, w)
		for _, o := range out {
			f(o)
		}
	}}
}
