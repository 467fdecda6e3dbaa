package curand

import (
	"github.com/philox-go/rng/rosetta/internal/engine"
	"github.com/philox-go/rng/rosetta/mufu"
)

func normalsOf(mean, std float32) *engine.Convert[float32] {
	return engine.In(engine.Normal32(), func(x []float32) { mufu.Affine(x, std, mean) })
}

func logNormalsOf(mean, std float32) *engine.Convert[float32] {
	return engine.In(engine.Normal32(), func(x []float32) {
		mufu.Affine(x, std, mean)
		mufu.ExpSlice(x, x)
	})
}

func normals64Of(mean, std float64) *engine.Convert[float64] {
	return engine.In(engine.Normal64(), func(x []float64) {
		for i, z := range x {
			x[i] = normal64(z, mean, std)
		}
	})
}

func logNormals64Of(mean, std float64) *engine.Convert[float64] {
	return engine.In(engine.Normal64(), func(x []float64) {
		for i, z := range x {
			x[i] = logNormal64(z, mean, std)
		}
	})
}
