package philox

import (
	"math/bits"

	"github.com/philox-go/rng/internal/layout"
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/skip"
)

// SequenceVersion is the version of the sequence contract, SEQUENCE.md in the
// repository. The numbers of a version never change; a new rule gets a new name.
const SequenceVersion = 1

// A Counter is a 128-bit block number in four words, word 0 least significant.
type Counter = skip.Counter

// A Key selects one of 2^64 families of numbers. Every value is valid.
type Key [2]uint32

// NewKey returns the key of a seed: its low half and its high half. A negative
// seed is its two's complement: NewKey(uint64(seed)).
func NewKey(seed uint64) Key {
	return Key{uint32(seed), uint32(seed >> 32)}
}

// Seed returns the seed whose key k is.
func (k Key) Seed() uint64 {
	return uint64(k[1])<<32 | uint64(k[0])
}

// CounterFromOffsetHigh returns the counter that holds one 64-bit offset in
// words 2 and 3, with words 0 and 1 zero: block 0 of stream offset.
func CounterFromOffsetHigh(offset uint64) Counter {
	return skip.FromUint64s(offset, 0)
}

// CounterAt returns the counter of a pair in cuRAND's layout: offset, in blocks,
// in words 0 and 1, and the subsequence (the stream) in words 2 and 3.
func CounterAt(subsequence, offset uint64) Counter {
	return skip.FromUint64s(subsequence, offset)
}

// Block returns the four words of Philox4x32-10 for a key and a counter (Salmon
// et al., SC 2011). It is the function that everything here is made of.
func Block(key Key, counter Counter) [4]uint32 {
	return asm.Block(key, counter)
}

// Block4x32R7 is [Block] with 7 rounds, the fewest that its authors found to pass
// the statistical tests of BigCrush.
func Block4x32R7(key Key, counter Counter) [4]uint32 {
	return asm.Block7(key, counter)
}

// Block2x32 returns the two words of Philox2x32-10.
func Block2x32(key uint32, counter [2]uint32) [2]uint32 {
	return rounds2x32(10, key, counter)
}

// Block2x32R7 is [Block2x32] with 7 rounds.
func Block2x32R7(key uint32, counter [2]uint32) [2]uint32 {
	return rounds2x32(7, key, counter)
}

func rounds2x32(rounds int, key uint32, c [2]uint32) [2]uint32 {
	const m = 0xD256D193
	for range rounds {
		p := m * uint64(c[0])
		c = [2]uint32{uint32(p>>32) ^ key ^ c[1], uint32(p)}
		key += layout.W0
	}
	return c
}

// Key increments of the 64-bit siblings: the golden ratio and the square root of
// 3 less 1, in 64 bits.
const (
	weyl64x0 = 0x9E3779B97F4A7C15
	weyl64x1 = 0xBB67AE8584CAA73B
)

// Block2x64 returns the two words of Philox2x64-10.
func Block2x64(key uint64, counter [2]uint64) [2]uint64 {
	return rounds2x64(10, key, counter)
}

// Block2x64R7 is [Block2x64] with 7 rounds.
func Block2x64R7(key uint64, counter [2]uint64) [2]uint64 {
	return rounds2x64(7, key, counter)
}

func rounds2x64(rounds int, key uint64, c [2]uint64) [2]uint64 {
	for range rounds {
		hi, lo := bits.Mul64(0xD2B74407B1CE6E93, c[0])
		c = [2]uint64{hi ^ key ^ c[1], lo}
		key += weyl64x0
	}
	return c
}

// Block4x64 returns the four words of Philox4x64-10.
func Block4x64(key [2]uint64, counter [4]uint64) [4]uint64 {
	return rounds4x64(10, key, counter)
}

// Block4x64R7 is [Block4x64] with 7 rounds.
func Block4x64R7(key [2]uint64, counter [4]uint64) [4]uint64 {
	return rounds4x64(7, key, counter)
}

func rounds4x64(rounds int, key [2]uint64, c [4]uint64) [4]uint64 {
	for range rounds {
		hi0, lo0 := bits.Mul64(0xD2E7470EE14C6C93, c[0])
		hi1, lo1 := bits.Mul64(0xCA5A826395121157, c[2])
		c = [4]uint64{hi1 ^ c[1] ^ key[0], lo1, hi0 ^ c[3] ^ key[1], lo0}
		key[0] += weyl64x0
		key[1] += weyl64x1
	}
	return c
}
