package check

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/known"
	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

// The reference is right where others published what is right.
func TestReferenceKnownAnswers(t *testing.T) {
	functions := map[string]known.BlockFunc{}
	for _, f := range families {
		for _, rounds := range []int{7, 10} {
			functions[fmt.Sprintf("%s %d", f.name, rounds)] = f.plain(rounds)
		}
	}
	found := map[string]int{}
	for _, b := range known.Blocks() {
		require.Contains(t, functions, b.Name)
		assert.Equal(t, b.Want, functions[b.Name](b.Counter, b.Key), "%v", b)
		found[b.Name]++
	}
	for name := range functions {
		assert.Equal(t, 3, found[name], name)
	}
	w := words(known.Cpp26.Key, [4]uint32{}, 2500)
	assert.Equal(t, known.Cpp26.Word, w[known.Cpp26.Index])
}

func TestCounterOf(t *testing.T) {
	r := seeded(0)
	for range 100 {
		at := randomPlace(r)
		assert.Equal(t, [4]uint32(at.ctr), counterOf(at.key, plain4x32(10, at.key, at.ctr)))
		assert.Equal(t, [4]uint32(at.ctr), plain4x32(10, at.key, counterOf(at.key, at.ctr)))
	}
}

// Lane by lane a kernel may hold its own copy of a constant.
func TestExtremesAreInEveryLane(t *testing.T) {
	for lane := range 4 {
		var words []uint32
		for _, block := range extremes {
			words = append(words, block[lane])
		}
		assert.Subset(t, words, []uint32{0, 0xffffffff, 0xffffff80})
	}
}

func TestNext(t *testing.T) {
	const ones = 1<<32 - 1
	for from, to := range map[[4]uint32][4]uint32{
		{}:                       {1},
		{ones, 4, 5, 6}:          {0, 5, 5, 6},
		{ones, ones, 5, 6}:       {0, 0, 6, 6},
		{ones, ones, ones, 6}:    {0, 0, 0, 7},
		{ones, ones, ones, ones}: {},
		{4, ones, ones, ones}:    {5, ones, ones, ones},
	} {
		assert.Equal(t, to, next(from))
	}
	for i, at := range carryPlaces(philox.Key{}, 1) {
		assert.Equal(t, uint32(ones), at.ctr[i])
		assert.Zero(t, next(at.ctr)[i])
	}
}

// The arithmetic by words is that of whole numbers.
func TestReferenceArithmetic(t *testing.T) {
	all := new(big.Int).Lsh(big.NewInt(1), 128)
	number := func(a [4]uint32) *big.Int {
		n, _ := new(big.Int).SetString(fmt.Sprintf("%08x%08x%08x%08x", a[3], a[2], a[1], a[0]), 16)
		return n
	}
	r := seeded(0)
	for range 2000 {
		a, b := carryWords(r), carryWords(r)
		x, y := number(a), number(b)
		sum := new(big.Int).Add(x, y)
		require.Zero(t, sum.Mod(sum, all).Cmp(number(add(a, b))), "%08x + %08x", a, b)
		difference := new(big.Int).Sub(x, y)
		require.Zero(t, difference.Mod(difference, all).Cmp(number(subtract(a, b))), "%08x - %08x", a, b)
		for _, n := range []int{1, 2, 31} {
			require.Zero(t, new(big.Int).Rsh(x, uint(n)).Cmp(number(shifted(a, n))), "%08x >> %d", a, n)
		}
		hi, lo := halves(a)
		require.Equal(t, fmt.Sprintf("%032x", x), fmt.Sprintf("%016x%016x", hi, lo))
		require.Equal(t, low(a), wide(lo))
	}
}

// One call for a long fill takes more groups than 16 bits can count.
func TestLongFill(t *testing.T) {
	assert.Greater(t, longBytes/groupBytes, 1<<16)
	assert.Less(t, uint64(longPlace.ctr[0])+longBytes/blockBytes, uint64(1<<32))
	for k, all := range longFills {
		assert.Len(t, all(), longBytes, k)
	}
}

// What SEQUENCE.md says of uniform numbers, at the words where it matters.
func TestReferenceUniforms(t *testing.T) {
	for x, want := range map[uint32]float32{0: 0, 1: 0x1p-23, 0x7fffff: 1 - 0x1p-23, 0xffffffff: 1 - 0x1p-23, 0x800000: 0} {
		assert.Equal(t, math.Float32bits(want), uniform32(x), "%08x", x)
	}
	for x, want := range map[uint64]float64{0: 0, 1: 0x1p-52, 1<<52 - 1: 1 - 0x1p-52, 1 << 52: 0, math.MaxUint64: 1 - 0x1p-52} {
		assert.Equal(t, math.Float64bits(want), uniform64(x), "%016x", x)
	}
	for x, want := range map[uint32]float32{
		0: 0x1p-33, 1: 0x1.8p-32, 0xffffffff: 1 - 0x1p-24, 0xffffff80: 1 - 0x1p-24, 0xffffff7f: 1 - 0x1p-24, 0xfffffe7f: 1 - 0x1p-23,
	} {
		assert.Equal(t, math.Float32bits(want), open32(x), "%08x", x)
	}
	// Rounding once would give another number.
	once := float32((float64(0x017db87d) + 0.5) / (1 << 32))
	assert.NotEqual(t, math.Float32bits(once), open32(0x017db87d))
}

// By hand, one block of every kind as its little-endian bytes.
func TestElements(t *testing.T) {
	w := []uint32{0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c}
	plain := []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	for _, k := range []asm.Kind{asm.Uint32, asm.Uint64, asm.Bytes} {
		assert.Equal(t, plain, littleEndian(k.Size(), elements(k, place{}, w)), k)
	}
	assert.Equal(t, float32(0x020100)*0x1p-23, view.Of[float32](elements(asm.Float32, place{}, w))[0])
	assert.Equal(t, float32(0x0e0d0c)*0x1p-23, view.Of[float32](elements(asm.Float32, place{}, w))[3])
	assert.Equal(t, float64(0x6050403020100)*0x1p-52, view.Of[float64](elements(asm.Float64, place{}, w))[0])
	assert.Equal(t, float64(0xe0d0c0b0a0908)*0x1p-52, view.Of[float64](elements(asm.Float64, place{}, w))[1])
	assert.Equal(t, math.Float32bits(view.Of[float32](elements(asm.OpenFloat32, place{}, w))[1]), open32(w[1]))
}
