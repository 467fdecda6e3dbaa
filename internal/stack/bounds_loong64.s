//go:build gc && !purego

#include "textflag.h"

// func bounds() (lo, hi uintptr)
TEXT ·bounds(SB), NOSPLIT, $0-16
	MOVV 0(g), R4
	MOVV 8(g), R5
	MOVV R4, lo+0(FP)
	MOVV R5, hi+8(FP)
	RET
