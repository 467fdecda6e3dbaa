package normal_test

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/philox"
)

// Golden values never change: they are part of version 1 of the sequence.
func TestGolden(t *testing.T) {
	both(t, func(t *testing.T, w *width[float32]) {
		testGolden(t, w, []float32{
			-0x1.f0bcb8p-01, 0x1.8d59cep-03, -0x1.3c51a4p+00, 0x1.ec8678p+00,
			-0x1.2bc06p-04, 0x1.1cf41ep-03, -0x1.1b4e66p+00, 0x1.4e85f8p-02,
		})
	}, func(t *testing.T, w *width[float64]) {
		testGolden(t, w, []float64{
			-0x1.54ac03c1a032ep-01, 0x1.0938db380d761p+00, -0x1.6f135c80fefcbp+00, 0x1.b16fd5e6389bep-02,
			0x1.147f0a3f6edc5p-03, -0x1.cf0bbb759e23p-01, -0x1.4be7821c7eb88p-01, 0x1.3b205af57e137p-01,
		})
	})
}

func testGolden[T float](t *testing.T, w *width[T], want []T) {
	got := make([]T, 8)
	w.fill(philox.New(42), got)
	sameBits(t, want, got, "fill")
	sameBits(t, want, draw(w.source(philox.New(42)), 8), "source")
	sameBits(t, want, w.want(philox.New(42), 8, 0), "one by one")
}

// The SHA-256 of the little-endian bytes of the first 2^20 normals of seed 42.
func TestGoldenHash(t *testing.T) {
	both(t, func(t *testing.T, w *width[float32]) {
		testGoldenHash(t, w, "4e4072bb83d3eeef3c9cb6c1c76c15df107cfa755149138affd322fbb6cc6978")
	}, func(t *testing.T, w *width[float64]) {
		testGoldenHash(t, w, "19807f945c00f4d712b7d650b9e9c83896ddacc487b9dc79a30b77837c2c77a7")
	})
}

func testGoldenHash[T float](t *testing.T, w *width[T], want string) {
	x := make([]T, 1<<20)
	w.fill(philox.New(42), x)
	b, err := binary.Append(nil, binary.LittleEndian, x)
	require.NoError(t, err)
	assert.Equal(t, want, fmt.Sprintf("%x", sha256.Sum256(b)))
}
