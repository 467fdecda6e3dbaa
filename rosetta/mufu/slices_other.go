//go:build !amd64 || purego

package mufu

import "github.com/philox-go/rng/philox/asm"

const noVectors = "mufu: this build has no vector kernels"

func vectorApply(asm.Level, op, []float32, []float32) { panic(noVectors) }

func vectorUniforms(asm.Level, []float32, []uint32) { panic(noVectors) }

func vectorUniformsBetween(asm.Level, []float32, []uint32, float32, float32, float32) {
	panic(noVectors)
}

func vectorNormals(asm.Level, []float32, []float32, []uint32, []uint32) { panic(noVectors) }

func vectorUniformsDouble(asm.Level, []float64, []uint32, []uint32) { panic(noVectors) }

func vectorLogDouble(asm.Level, []float64, []float64) { panic(noVectors) }

func vectorNormalsDouble(asm.Level, []float64, []float64, *[4][]uint32) { panic(noVectors) }

func vectorAffine(asm.Level, []float32, float32, float32) { panic(noVectors) }
