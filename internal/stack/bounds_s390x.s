//go:build gc && !purego

#include "textflag.h"

// func bounds() (lo, hi uintptr)
TEXT ·bounds(SB), NOSPLIT, $0-16
	MOVD 0(g), R1
	MOVD 8(g), R2
	MOVD R1, lo+0(FP)
	MOVD R2, hi+8(FP)
	RET
