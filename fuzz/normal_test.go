package fuzz_test

import (
	"errors"
	"math"
	"math/big"
	"testing"
	"unsafe"

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

// FuzzTruncated cuts fills of truncated normals, whose numbers are between the bounds.
// What is no interval, and counters that leave no room for attempts, are errors.
func FuzzTruncated(f *testing.F) {
	inf := math.Inf(1)
	f.Add(uint64(0), uint64(0), uint64(0), uint64(0), uint16(100), []byte{1, 2, 3}, 0.0, 1.0, -2.0, 2.0)
	f.Add(uint64(42), uint64(7), uint64(1<<32-5), uint64(3), uint16(1100), []byte{0, 1, 0, 255, 128, 5}, -5.0, 0.1, -5.0, inf)
	f.Add(uint64(1), uint64(1<<48-1), ones64-40, uint64(9), uint16(600), []byte{15, 16, 17, 31, 33, 64, 65, 127, 129}, 1e30, 1e38, -inf, 0.0)
	f.Add(uint64(2), uint64(1<<48-1), ones64-40, uint64(1000), uint16(100), []byte{7, 7}, 3.0, 1.0, 2.0, 4.0)
	f.Add(uint64(3), uint64(1<<48), uint64(0), uint64(1<<62-9), uint16(200), []byte{}, 0.0, 1.0, 1.0, 2.0)
	f.Add(uint64(4), uint64(1<<32-1), ones64-70, uint64(0), uint16(20000), []byte{201, 100}, 0.0, 1.0, 0.5, 1.5)
	f.Add(uint64(5), uint64(0), uint64(9), uint64(2), uint16(31), []byte{1, 1, 1, 1}, 0.0, 0.0, -1.0, 1.0)
	f.Add(uint64(6), uint64(0), uint64(9), uint64(2), uint16(31), []byte{1}, 0.0, 1.0, 10.0, 11.0)
	f.Add(uint64(7), uint64(0), uint64(9), uint64(2), uint16(31), []byte{2}, 0.0, 1.0, -0.25, 0.5)
	f.Add(uint64(8), uint64(0), uint64(9), uint64(2), uint16(31), []byte{2}, 0.0, 1.0, 2.0, 1.0)
	f.Add(uint64(9), uint64(0), uint64(9), uint64(2), uint16(31), []byte{2}, 0.0, 1.0, math.NaN(), inf)
	f.Fuzz(func(t *testing.T, seed, hi, lo, first uint64, n uint16, cuts []byte, mean, std, a, b float64) {
		s := philox.New(seed).Skip128(hi, lo)
		truncated(t, s, first, int(n), cuts, normal.FillTruncatedFloat64, normal.FillTruncatedFloat64At, mean, std, a, b)
		truncated(t, s, first, int(n), cuts, normal.FillTruncatedFloat32, normal.FillTruncatedFloat32At, float32(mean), float32(std), float32(a), float32(b))
	})
}

func truncated[T float32 | float64](t *testing.T, s philox.Stream, first uint64, n int, cuts []byte,
	fill func(s philox.Stream, dst []T, mean, std, a, b T) error,
	fillAt func(s philox.Stream, dst []T, first uint64, mean, std, a, b T) error, mean, std, a, b T) {
	x := make([]T, n)
	err := fillAt(s, x, first, mean, std, a, b)
	finite := func(x T) bool { return x-x == 0 }
	interval := a <= b && (a <= 0 || finite(a)) && (b >= 0 || finite(b))
	if !finite(mean) || !finite(std) || !(std >= 0) || !interval || std == 0 && !(a <= mean && mean <= b) || !room(s, first, n, T(0)) {
		var bad *skip.ArgumentError
		require.True(t, errors.As(err, &bad), "%v, %v, [%v, %v], %d from %d: %v", mean, std, a, b, n, first, err)
		require.Equal(t, make([]T, n), x)
		return
	}
	require.NoError(t, err)
	for _, v := range x {
		require.True(t, a <= v && v <= b && finite(v), "%v of %v, %v, [%v, %v]", v, mean, std, a, b)
	}
	if n == 0 { // then any first will do, also one that no stream can skip to
		return
	}
	chunked(
		func(s philox.Stream, dst []T) { require.NoError(t, fill(s, dst, mean, std, a, b)) },
		func(s philox.Stream, dst []T, first uint64) {
			require.NoError(t, fillAt(s, dst, first, mean, std, a, b))
		},
	)(t, s, first, n, cuts)
}

// room reports whether the blocks of n elements from element first of a stream have a
// counter word 3 below 2^16.
func room[T float32 | float64](s philox.Stream, first uint64, n int, of T) bool {
	c := s.Counter()
	place := new(big.Int).SetUint64(first)
	if n > 0 {
		place.Add(place, big.NewInt(int64(n-1)))
	}
	place.Div(place, big.NewInt(16/int64(unsafe.Sizeof(of))))
	if n == 0 {
		place.SetInt64(0)
	}
	for i := range c {
		place.Add(place, new(big.Int).Lsh(big.NewInt(int64(c[i])), uint(32*i)))
	}
	return place.BitLen() <= 112
}
