package curand

import (
	"github.com/philox-go/rng/rosetta/internal/engine"
	"github.com/philox-go/rng/rosetta/mufu"
)

// normals are standard normal float32, two of each two words.
var normals = &engine.Convert[float32]{PerBlock: 4, Do: func(out [][]float32, w *[4][]uint32) {
	mufu.Normals(out[0], out[1], w[0], w[1])
	mufu.Normals(out[2], out[3], w[2], w[3])
}}

// normals64 are standard normal float64, two of a block.
var normals64 = &engine.Convert[float64]{PerBlock: 2, Do: func(out [][]float64, w *[4][]uint32) {
	mufu.NormalsDouble(out[0], out[1], w[0], w[1], w[2], w[3])
}}

func normalsOf(mean, std float32) *engine.Convert[float32] {
	return engine.In(normals, func(x []float32) { mufu.Affine(x, std, mean) })
}

func logNormalsOf(mean, std float32) *engine.Convert[float32] {
	return engine.In(normals, func(x []float32) {
		mufu.Affine(x, std, mean)
		mufu.ExpSlice(x, x)
	})
}

func normals64Of(mean, std float64) *engine.Convert[float64] {
	return engine.In(normals64, func(x []float64) {
		for i, z := range x {
			x[i] = normal64(z, mean, std)
		}
	})
}

func logNormals64Of(mean, std float64) *engine.Convert[float64] {
	return engine.In(normals64, func(x []float64) {
		for i, z := range x {
			x[i] = logNormal64(z, mean, std)
		}
	})
}
