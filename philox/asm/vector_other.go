//go:build !amd64 || purego

package asm

import (
	"runtime"
	"unsafe"
)

func detect() features {
	if runtime.GOARCH != "amd64" {
		return features{noKernels: "not an amd64 processor"}
	}
	return features{noKernels: "built with the tag purego"}
}

func vectorWords(Level, Kind, unsafe.Pointer, int, uint64, uint64, uint64) {
	panic(noVectors)
}

func vectorPasses(Level, Kind, unsafe.Pointer, int, uint64, uint64, uint64, Args) {
	panic(noVectors)
}

func vectorTransform(Level, Kind, unsafe.Pointer, int, Args) {
	panic(noVectors)
}

func vectorTruncated(Level, Kind, unsafe.Pointer, int, uint64, uint64, uint64, *truncation) {
	panic(noVectors)
}

func vectorConverted(Level, Kind, unsafe.Pointer, int, uint64, uint64, uint64, Args) {
	panic(noVectors)
}

func vectorBits(Level, unsafe.Pointer, int, uint64, uint64, uint64, uint64, bool) {
	panic(noVectors)
}

func vectorHalves(Level, Half, unsafe.Pointer, unsafe.Pointer, int) {
	panic(noVectors)
}

func vectorIntegers(Level, unsafe.Pointer, int, uint64, uint64, uint64, *integers) {
	panic(noVectors)
}

func vectorDrop(Level, unsafe.Pointer, unsafe.Pointer, unsafe.Pointer, int, int, float32) int {
	panic(noVectors)
}

func vectorLanes(Level, *[4][]uint32, uint64, uint64, uint64, *laneBounds) {
	panic(noVectors)
}

const noVectors = "asm: this build has no vector kernels"
