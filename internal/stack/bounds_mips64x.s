//go:build gc && !purego && (mips64 || mips64le)

#include "textflag.h"

// func bounds() (lo, hi uintptr)
TEXT ·bounds(SB), NOSPLIT, $0-16
	MOVV 0(g), R1
	MOVV 8(g), R2
	MOVV R1, lo+0(FP)
	MOVV R2, hi+8(FP)
	RET
