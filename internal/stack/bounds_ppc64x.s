//go:build gc && !purego && (ppc64 || ppc64le)

#include "textflag.h"

// func bounds() (lo, hi uintptr)
TEXT ·bounds(SB), NOSPLIT, $0-16
	MOVD 0(g), R3
	MOVD 8(g), R4
	MOVD R3, lo+0(FP)
	MOVD R4, hi+8(FP)
	RET
