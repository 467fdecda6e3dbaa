//go:build gc && !purego

#include "textflag.h"

// func bounds() (lo, hi uintptr)
TEXT ·bounds(SB), NOSPLIT, $0-16
	MOV 0(g), X5
	MOV 8(g), X6
	MOV X5, lo+0(FP)
	MOV X6, hi+8(FP)
	RET
