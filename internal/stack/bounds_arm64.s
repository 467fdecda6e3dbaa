//go:build gc && !purego

#include "textflag.h"

// func bounds() (lo, hi uintptr)
TEXT ·bounds(SB), NOSPLIT, $0-16
	MOVD 0(g), R0
	MOVD 8(g), R1
	MOVD R0, lo+0(FP)
	MOVD R1, hi+8(FP)
	RET
