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

func vector(Level, Kind, unsafe.Pointer, int, uint64, uint64, uint64) {
	panic("asm: this build has no vector kernels")
}
