package check

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/philox-go/rng/philox/asm"
)

// The reference is the sequence contract (SEQUENCE.md) once more, in the plainest
// way. It shares nothing with the code it is compared with, not even the
// constants: a fault in one of those must show.

// plain4x32 is Philox4x32.
func plain4x32(rounds uint32, key [2]uint32, c [4]uint32) [4]uint32 {
	for r := range rounds {
		hi0, lo0 := bits.Mul32(0xD2511F53, c[0])
		hi1, lo1 := bits.Mul32(0xCD9E8D57, c[2])
		c = [4]uint32{
			hi1 ^ c[1] ^ (key[0] + r*0x9E3779B9), lo1,
			hi0 ^ c[3] ^ (key[1] + r*0xBB67AE85), lo0,
		}
	}
	return c
}

// counterOf undoes plain4x32 with ten rounds: it returns the counter whose block
// holds the words c. So words that conversions get wrong can be had at will.
func counterOf(key [2]uint32, c [4]uint32) [4]uint32 {
	// The inverses of the multipliers mod 2^32.
	const inverse0, inverse1 = 0x991A7CDB, 0x6D7CAE67
	for r := uint32(9); r < 10; r-- {
		c0, c2 := inverse0*c[3], inverse1*c[1]
		hi0, _ := bits.Mul32(0xD2511F53, c0)
		hi1, _ := bits.Mul32(0xCD9E8D57, c2)
		c = [4]uint32{
			c0, hi1 ^ c[0] ^ (key[0] + r*0x9E3779B9),
			c2, hi0 ^ c[2] ^ (key[1] + r*0xBB67AE85),
		}
	}
	return c
}

// next adds 1 to a counter, carrying as one does by hand.
func next(c [4]uint32) [4]uint32 {
	for i := range c {
		if c[i]++; c[i] != 0 {
			break
		}
	}
	return c
}

// words returns the words of n blocks from counter c on.
func words(key [2]uint32, c [4]uint32, n int) []uint32 {
	all := make([]uint32, 0, 4*n)
	for range n {
		b := plain4x32(10, key, c)
		all = append(all, b[:]...)
		c = next(c)
	}
	return all
}

// elements returns the memory of a slice of kind k that was filled with words.
func elements(k asm.Kind, words []uint32) []byte {
	all := make([]byte, 0, 4*len(words))
	for i := 0; i < len(words); i += 2 {
		x, y := words[i], words[i+1]
		wide := uint64(x) + uint64(y)<<32
		native := binary.NativeEndian
		switch k {
		case asm.Uint32:
			all = native.AppendUint32(native.AppendUint32(all, x), y)
		case asm.Uint64:
			all = native.AppendUint64(all, wide)
		case asm.Bytes:
			all = binary.LittleEndian.AppendUint64(all, wide)
		case asm.Float32:
			all = native.AppendUint32(native.AppendUint32(all, uniform32(x)), uniform32(y))
		case asm.OpenFloat32:
			all = native.AppendUint32(native.AppendUint32(all, open32(x)), open32(y))
		case asm.Float64:
			all = native.AppendUint64(all, uniform64(wide))
		}
	}
	return all
}

// uniform32 is the bits of the low 23 bits of x as a fraction.
func uniform32(x uint32) uint32 { return math.Float32bits(float32(x%(1<<23)) / (1 << 23)) }

// uniform64 is the bits of the low 52 bits of x as a fraction.
func uniform64(x uint64) uint64 { return math.Float64bits(float64(x%(1<<52)) / (1 << 52)) }

// open32 is the bits of the open uniform of x. A float64 holds all its steps
// exactly, but for the roundings that the contract has.
func open32(x uint32) uint32 {
	v := float32((float64(float32(x)) + 0.5) / (1 << 32))
	if v >= 1 {
		v = 1 - 1.0/(1<<24)
	}
	return math.Float32bits(v)
}

// littleEndian turns the memory of elements of size bytes into their
// little-endian bytes, or back.
func littleEndian(size int, b []byte) []byte {
	if size == 1 || binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return b
	}
	all := make([]byte, len(b))
	for i := range b {
		all[i] = b[i/size*size+size-1-i%size]
	}
	return all
}
