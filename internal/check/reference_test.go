package check

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/philox-go/rng/internal/known"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

// The reference is right where others published what is right.
func TestReferenceKnownAnswers(t *testing.T) {
	functions := map[string]known.BlockFunc{
		"philox4x32 7":  known.Of4x32(func(k [2]uint32, c [4]uint32) [4]uint32 { return plain4x32(7, k, c) }),
		"philox4x32 10": known.Of4x32(func(k [2]uint32, c [4]uint32) [4]uint32 { return plain4x32(10, k, c) }),
	}
	found := 0
	for _, b := range known.Blocks() {
		if f, ok := functions[b.Name]; ok {
			assert.Equal(t, b.Want, f(b.Counter, b.Key), "%v", b)
			found++
		}
	}
	assert.Equal(t, 6, found)
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
		assert.Equal(t, plain, littleEndian(k.Size(), elements(k, w)), k)
	}
	assert.Equal(t, float32(0x020100)*0x1p-23, view[float32](elements(asm.Float32, w))[0])
	assert.Equal(t, float32(0x0e0d0c)*0x1p-23, view[float32](elements(asm.Float32, w))[3])
	assert.Equal(t, float64(0x6050403020100)*0x1p-52, view[float64](elements(asm.Float64, w))[0])
	assert.Equal(t, float64(0xe0d0c0b0a0908)*0x1p-52, view[float64](elements(asm.Float64, w))[1])
	assert.Equal(t, math.Float32bits(view[float32](elements(asm.OpenFloat32, w))[1]), open32(w[1]))
}
