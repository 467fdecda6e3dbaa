//go:build !purego

package asm

import "golang.org/x/sys/cpu"

func detect() features {
	return features{
		avx2:     cpu.X86.HasAVX2,
		fma:      cpu.X86.HasFMA,
		avx512f:  cpu.X86.HasAVX512F,
		avx512dq: cpu.X86.HasAVX512DQ,
		avx512bw: cpu.X86.HasAVX512BW,
		avx512vl: cpu.X86.HasAVX512VL,
	}
}
