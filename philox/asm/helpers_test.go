package asm

import (
	"fmt"
	"os"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// requireISA is the environment variable that makes the tests fail on a machine
// that lacks a level, and expectISA the one that makes them fail unless the
// level chosen is the one named.
const (
	requireISA = "PHILOX_REQUIRE_ISA"
	expectISA  = "PHILOX_EXPECT_ISA"
)

// vectorLevels returns the levels of this machine other than Generic.
func vectorLevels(tb testing.TB) []Level {
	all := Levels()
	if name := os.Getenv(requireISA); name != "" {
		require.Contains(tb, levelNames, name, requireISA)
		require.Contains(tb, fmt.Sprint(all), name, "%s: this machine lacks the level", requireISA)
	}
	return all[1:]
}

// nothingToCompare reports whether the portable code, the reference of the other levels,
// is alone on this machine.
func nothingToCompare(tb testing.TB) bool { return len(vectorLevels(tb)) == 0 }

// fillRaw fills the n elements at p as FillLevel would fill a slice.
func fillRaw(l Level, k Kind, p unsafe.Pointer, n int, key [2]uint32, ctr [4]uint32) {
	switch k.Size() {
	case 1:
		FillLevel(l, k, unsafe.Slice((*uint8)(p), n), key, ctr)
	case 4:
		FillLevel(l, k, unsafe.Slice((*uint32)(p), n), key, ctr)
	case 8:
		FillLevel(l, k, unsafe.Slice((*uint64)(p), n), key, ctr)
	}
}

// fillNew returns the memory of n elements, filled.
func fillNew(l Level, k Kind, n int, key [2]uint32, ctr [4]uint32) []byte {
	b := aligned(n*k.Size() + 8)
	fillRaw(l, k, unsafe.Pointer(&b[0]), n, key, ctr)
	return b[:n*k.Size()]
}

// aligned returns n bytes that may hold 64-bit numbers.
func aligned(n int) []byte {
	w := make([]uint64, (n+7)/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(w))), n)
}

// carries returns counters that are back blocks before the carry out of word 0,
// and of all words up to 1, 2 and 3.
func carries(back uint32) [][4]uint32 {
	const ones = 1<<32 - 1
	return [][4]uint32{
		{-back, 7, 8, 9},
		{-back, ones, 8, 9},
		{-back, ones, ones, 9},
		{-back, ones, ones, ones},
	}
}
