//go:build !amd64 || purego

package asm

import "unsafe"

func detect() features { return features{} }

func vector(Level, Kind, unsafe.Pointer, int, uint64, uint64, uint64) {
	panic("asm: this build has no vector kernels")
}
