//go:build !amd64 || purego

package asm

import "unsafe"

func detect() features { return features{} }

func vector(Level, Kind, unsafe.Pointer, int, [2]uint32, [4]uint32) {
	panic("asm: this build has no vector kernels")
}
