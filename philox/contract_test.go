package philox_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/known"
	"github.com/philox-go/rng/internal/poly"
	"github.com/philox-go/rng/philox"
)

// unblock returns the counter whose block is words.
func unblock(key philox.Key, words [4]uint32) philox.Counter {
	return known.CounterOf(key, words)
}

// wordsToTry are those at which a conversion may go wrong: near powers of two
// (where rounding to 24 bits starts, and where a rounded word gets a new
// exponent), near ties, near the top (where the open uniform would be 1), and
// some others.
func wordsToTry() []uint32 {
	words := []uint32{
		0x017db87d, // the trap of rounding (x+1/2)2^-32 in one step
		0x93, 0xffffffcc, 0x80000000, 0x7fffffff, 0x007fffff, 0x00800000, 0x3f800000, 0x3fffffff,
	}
	for bit := range 33 {
		for d := -40; d <= 40; d++ {
			words = append(words, uint32(1<<bit+d))
		}
	}
	for d := range 512 {
		words = append(words, 0xffffff80-256+uint32(d))
	}
	r := newRand(2)
	for bit := 24; bit < 32; bit++ { // ties and their neighbours between 2^bit and 2^(bit+1)
		for range 40 {
			unit := uint32(1) << (bit - 23)
			tie := uint32(1)<<bit | r.Uint32N(1<<23)*unit | unit/2
			words = append(words, tie-1, tie, tie+1)
		}
	}
	for range 4000 {
		words = append(words, r.Uint32())
	}
	for len(words)%4 != 0 {
		words = append(words, r.Uint32())
	}
	return words
}

func TestContractOpenUniform(t *testing.T) {
	for _, x := range wordsToTry() {
		want := refOpenBig(x)
		require.Equal(t, want, refOpen(x), "%#08x: the test's own whole numbers", x)
		require.Equal(t, want, poly.Open32(x), "%#08x", x)
		require.Greater(t, want, float32(0), "%#08x", x)
		require.Less(t, want, float32(1), "%#08x", x)
	}
}

// The contract rounds twice. This holds the word at which that shows, so that
// nobody takes the two for the same.
func TestContractOpenUniformRoundsTwice(t *testing.T) {
	const x = 0x017db87d
	exact := new(big.Float).SetPrec(100).SetMantExp(big.NewFloat(x+0.5), -32)
	once, _ := exact.Float32()
	assert.NotEqual(t, once, refOpenBig(x))
	assert.Equal(t, refOpenBig(x), poly.Open32(x))
}

func TestContractStuffing(t *testing.T) {
	words := wordsToTry()
	for i, x := range words {
		require.Equal(t, refUniform32(x), poly.Uniform32(x), "%#08x", x)
		for _, y := range []uint32{words[len(words)-1-i], 0, ones32} {
			z := uint64(x)<<32 | uint64(y)
			require.Equal(t, refUniform64(z), poly.Uniform64(z), "%#016x", z)
		}
	}
}

// Kernels convert many words at a time: each of the words to try goes through a
// fill, at every lane, with its block at every place of a group.
func TestContractEveryConversionInAFill(t *testing.T) {
	const blocks = 16
	words := wordsToTry()
	r := newRand(3)
	eachKind(t, func(t *testing.T, k kind) {
		for i := 0; i < len(words); i += 4 {
			key := philox.Key{r.Uint32(), r.Uint32()}
			block := [4]uint32(words[i:])
			for range i / 4 % 4 {
				block = [4]uint32{block[1], block[2], block[3], block[0]}
			}
			c := unblock(key, block)
			require.Equal(t, block, philox.Block(key, c))
			s := philox.NewAt(key, c).Back(uint64(i / 16 % blocks))
			got := k.get(t, s, 0, blocks*k.perBlock)
			equalMemory(t, k.want(s, 0, blocks*k.perBlock), got, k.size, "words %#08x", block)
		}
	})
}

// The reference itself, once more and without sharing a line with it.
func TestContractWordPositions(t *testing.T) {
	key := philox.NewKey(0x9E3779B97F4A7C15)
	for _, start := range []philox.Counter{{}, {5, 6, 7, 8}, {ones32 - 9}, {ones32, ones32}, {ones32 - 3, ones32, ones32}, ahead(full, big.NewInt(-20))} {
		t.Run(fmt.Sprint(start), func(t *testing.T) {
			const n = 400
			s := philox.NewAt(key, start)
			var words [n]uint32
			s.FillUint32(words[:])
			for i, w := range words {
				c := ahead(start, big.NewInt(int64(i/4)))
				require.Equal(t, philox.Block(key, c)[i%4], w, "word %d", i)
			}

			var u64 [n / 2]uint64
			s.FillUint64(u64[:])
			for i, x := range u64 {
				require.Equal(t, uint64(words[2*i])|uint64(words[2*i+1])<<32, x, "uint64 %d", i)
			}

			var raw [4 * n]byte
			s.FillBytes(raw[:])
			for i, w := range words {
				require.Equal(t, w, binary.LittleEndian.Uint32(raw[4*i:]), "bytes of word %d", i)
			}

			var f32 [n]float32
			s.FillFloat32(f32[:])
			for i, f := range f32 {
				require.Equal(t, float64(words[i]&0x7fffff), float64(f)*(1<<23), "float32 %d", i)
			}

			var f64 [n / 2]float64
			s.FillFloat64(f64[:])
			for i, f := range f64 {
				require.Equal(t, float64(u64[i]&(1<<52-1)), f*(1<<52), "float64 %d", i)
			}

			var open [n]float32
			s.FillOpenFloat32(open[:])
			for i, f := range open {
				require.Equal(t, refOpenBig(words[i]), f, "open float32 %d", i)
			}
		})
	}
}

func TestContractKeysAndCounters(t *testing.T) {
	for _, seed := range []uint64{0, 1, 255, 1 << 31, 1 << 32, 1<<40 + 1, 1 << 63, ones64, 0x0123456789abcdef} {
		k := philox.NewKey(seed)
		assert.Equal(t, philox.Key{uint32(seed % (1 << 32)), uint32(seed / (1 << 32))}, k)
		assert.Equal(t, seed, k.Seed())
		assert.Equal(t, k, philox.New(seed).Key())
		assert.Equal(t, philox.Counter{}, philox.New(seed).Counter())
	}
	const x, y = 0x2222222211111111, 0x4444444433333333
	assert.Equal(t, philox.Counter{0, 0, 0x11111111, 0x22222222}, philox.CounterFromOffsetHigh(x))
	assert.Equal(t, philox.Counter{0x33333333, 0x44444444, 0x11111111, 0x22222222}, philox.CounterAt(x, y))
	assert.Equal(t, philox.CounterAt(x, 0), philox.CounterFromOffsetHigh(x))
	assert.Equal(t, 1, philox.SequenceVersion, "the contract's first version is frozen; a new rule gets a new name")
}

// The limits that the documentation of the fills states.
func TestContractLimits(t *testing.T) {
	assert.Equal(t, float32(0x1p-33), poly.Open32(0))
	assert.Equal(t, float32(1-0x1p-24), poly.Open32(ones32))
	assert.Equal(t, float32(1-0x1p-23), poly.Uniform32(ones32))
	assert.Equal(t, 1-0x1p-52, poly.Uniform64(ones64))
	assert.False(t, math.Signbit(float64(poly.Uniform32(0))))
	assert.False(t, math.Signbit(poly.Uniform64(0)))
}
