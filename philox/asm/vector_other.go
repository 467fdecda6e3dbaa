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

type pass struct{}

func vector(Level, Kind, unsafe.Pointer, int, uint64, uint64, uint64, *pass) {
	panic(noVectors)
}

func vectorNormals(Level, Kind, unsafe.Pointer, int, uint64, uint64, uint64, Args) {
	panic(noVectors)
}

func vectorTransform(Level, Kind, unsafe.Pointer, int, Args) {
	panic(noVectors)
}

func vectorTruncated(Level, Kind, unsafe.Pointer, int, uint64, uint64, uint64, *truncation) {
	panic(noVectors)
}

const noVectors = "asm: this build has no vector kernels"
