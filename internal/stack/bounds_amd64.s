//go:build gc && !purego

#include "textflag.h"

// func bounds() (lo, hi uintptr)
TEXT ·bounds(SB), NOSPLIT, $0-16
	MOVQ (TLS), AX
	MOVQ 0(AX), CX
	MOVQ 8(AX), DX
	MOVQ CX, lo+0(FP)
	MOVQ DX, hi+8(FP)
	RET
