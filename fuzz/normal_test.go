package fuzz_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/normal"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/skip"
)

// FuzzNormal cuts fills of normals. A mean and a standard deviation that are none
// are errors; all others make numbers.
func FuzzNormal(f *testing.F) {
	f.Add(uint64(0), uint64(0), uint64(0), uint64(0), uint16(100), []byte{1, 2, 3}, 0.0, 1.0)
	f.Add(uint64(42), uint64(7), uint64(1<<32-5), uint64(3), uint16(1100), []byte{0, 1, 0, 255, 128, 5}, -5.0, 0.1)
	f.Add(ones64, ones64, ones64-3, uint64(1), uint16(600), []byte{15, 16, 17, 31, 33, 64, 65, 127, 129}, 1e30, 1e38)
	f.Add(uint64(1), uint64(0), uint64(0), ones64-40, uint16(100), []byte{7, 7}, 3.0, 0.0)
	f.Add(uint64(2), ones64, ones64, uint64(1<<62-9), uint16(200), []byte{}, 0.0, -1.0)
	f.Add(uint64(3), uint64(1<<32-1), ones64-70, uint64(0), uint16(20000), []byte{201, 100}, math.NaN(), 1.0)
	f.Add(uint64(4), uint64(0), uint64(9), uint64(2), uint16(31), []byte{1, 1, 1, 1}, 1e-40, math.Inf(1))
	f.Fuzz(func(t *testing.T, seed, hi, lo, first uint64, n uint16, cuts []byte, mean, std float64) {
		s := philox.New(seed).Skip128(hi, lo)
		chunked(normal.FillFloat32, normal.FillFloat32At)(t, s, first, int(n), cuts)
		chunked(normal.FillFloat64, normal.FillFloat64At)(t, s, first, int(n), cuts)
		if scales(t, mean, std, normal.FillScaledFloat64At(s, nil, first, mean, std)) {
			chunked(
				func(s philox.Stream, dst []float64) { require.NoError(t, normal.FillScaledFloat64(s, dst, mean, std)) },
				func(s philox.Stream, dst []float64, first uint64) {
					require.NoError(t, normal.FillScaledFloat64At(s, dst, first, mean, std))
				},
			)(t, s, first, int(n), cuts)
		}
		m, d := float32(mean), float32(std)
		if scales(t, float64(m), float64(d), normal.FillScaledFloat32At(s, nil, first, m, d)) {
			chunked(
				func(s philox.Stream, dst []float32) { require.NoError(t, normal.FillScaledFloat32(s, dst, m, d)) },
				func(s philox.Stream, dst []float32, first uint64) {
					require.NoError(t, normal.FillScaledFloat32At(s, dst, first, m, d))
				},
			)(t, s, first, int(n), cuts)
		}
	})
}

// scales reports whether a mean and a standard deviation are ones, and checks that err
// says the same.
func scales(t *testing.T, mean, std float64, err error) bool {
	if mean-mean == 0 && std-std == 0 && std >= 0 {
		require.NoError(t, err)
		return true
	}
	var bad *skip.ArgumentError
	require.True(t, errors.As(err, &bad), "%v, %v", mean, std)
	return false
}
