package check

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"github.com/philox-go/rng/internal/known"
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

// plain2x32 is Philox2x32.
func plain2x32(rounds, key uint32, c [2]uint32) [2]uint32 {
	for r := range rounds {
		hi, lo := bits.Mul32(0xD256D193, c[0])
		c = [2]uint32{hi ^ c[1] ^ (key + r*0x9E3779B9), lo}
	}
	return c
}

// plain2x64 is Philox2x64.
func plain2x64(rounds, key uint64, c [2]uint64) [2]uint64 {
	for r := range rounds {
		hi, lo := bits.Mul64(0xD2B74407B1CE6E93, c[0])
		c = [2]uint64{hi ^ c[1] ^ (key + r*0x9E3779B97F4A7C15), lo}
	}
	return c
}

// plain4x64 is Philox4x64.
func plain4x64(rounds uint64, key [2]uint64, c [4]uint64) [4]uint64 {
	for r := range rounds {
		hi0, lo0 := bits.Mul64(0xD2E7470EE14C6C93, c[0])
		hi1, lo1 := bits.Mul64(0xCA5A826395121157, c[2])
		c = [4]uint64{
			hi1 ^ c[1] ^ (key[0] + r*0x9E3779B97F4A7C15), lo1,
			hi0 ^ c[3] ^ (key[1] + r*0xBB67AE8584CAA73B), lo0,
		}
	}
	return c
}

// A family is one of the four generators.
type family struct {
	name        string
	words, bits int // of a counter; a key has half as many words
	plain       func(rounds int) known.BlockFunc
}

var philox4x32 = family{"philox4x32", 4, 32, func(rounds int) known.BlockFunc {
	return known.Of4x32(func(k [2]uint32, c [4]uint32) [4]uint32 { return plain4x32(uint32(rounds), k, c) })
}}

var families = []family{
	{"philox2x32", 2, 32, func(rounds int) known.BlockFunc {
		return known.Of2x32(func(k uint32, c [2]uint32) [2]uint32 { return plain2x32(uint32(rounds), k, c) })
	}},
	philox4x32,
	{"philox2x64", 2, 64, func(rounds int) known.BlockFunc {
		return known.Of2x64(func(k uint64, c [2]uint64) [2]uint64 { return plain2x64(uint64(rounds), k, c) })
	}},
	{"philox4x64", 4, 64, func(rounds int) known.BlockFunc {
		return known.Of4x64(func(k [2]uint64, c [4]uint64) [4]uint64 { return plain4x64(uint64(rounds), k, c) })
	}},
}

// ones is the largest word.
func (f family) ones() uint64 { return math.MaxUint64 >> (64 - f.bits) }

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

// add adds numbers of 128 bits word by word, mod 2^128.
func add(a, b [4]uint32) (sum [4]uint32) {
	carry := uint64(0)
	for i := range a {
		carry += uint64(a[i]) + uint64(b[i])
		sum[i] = uint32(carry)
		carry >>= 32
	}
	return sum
}

// negative returns what gives 0 when it is added to a.
func negative(a [4]uint32) [4]uint32 {
	for i := range a {
		a[i] = ^a[i]
	}
	return next(a)
}

// shifted divides by 2^n, for an n from 1 to 31.
func shifted(a [4]uint32, n int) [4]uint32 {
	for i := range 3 {
		a[i] = a[i]>>n | a[i+1]<<(32-n)
	}
	a[3] >>= n
	return a
}

// wide makes x a number of 128 bits.
func wide(x uint64) [4]uint32 { return [4]uint32{uint32(x), uint32(x >> 32)} }

// halves returns the upper and the lower 64 bits.
func halves(a [4]uint32) (hi, lo uint64) {
	return uint64(a[3])<<32 | uint64(a[2]), uint64(a[1])<<32 | uint64(a[0])
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

// elements returns the memory of a slice of kind k that was filled with words, those
// of the blocks from a place on. A kind that draws again makes words itself; a kind
// without a reference stops the check here.
func elements(k asm.Kind, from place, words []uint32) []byte {
	all := make([]byte, 0, 4*len(words))
	if k == asm.Truncated32 || k == asm.Truncated64 {
		return twoSigma.appendTo(all, k, from.key, from.ctr, len(words)/4)
	}
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
		case asm.Normal32:
			z0, z1 := normal32(x, y)
			all = native.AppendUint32(native.AppendUint32(all, math.Float32bits(z0)), math.Float32bits(z1))
		case asm.Normal64:
			if i%4 == 0 { // a pair is a block
				z0, z1 := normal64(wide, uint64(words[i+2])+uint64(words[i+3])<<32)
				all = native.AppendUint64(native.AppendUint64(all, math.Float64bits(z0)), math.Float64bits(z1))
			}
		default:
			panic(fmt.Sprintf("check: there is no reference for %v", k))
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
