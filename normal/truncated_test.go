package normal_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/normal"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/skip"
)

// What the numbers are is tested in philox/asm, where they are made.

// truncatedAt fills by the forms that start at an element.
func truncatedAt[T float](s philox.Stream, dst []T, first uint64, mean, std, a, b T) error {
	switch dst := any(dst).(type) {
	case []float32:
		return normal.FillTruncatedFloat32At(s, dst, first, float32(mean), float32(std), float32(a), float32(b))
	case []float64:
		return normal.FillTruncatedFloat64At(s, dst, first, float64(mean), float64(std), float64(a), float64(b))
	}
	panic("no such type")
}

func TestTruncatedPrefixes(t *testing.T) {
	t.Run("float32", truncatedPrefixes[float32])
	t.Run("float64", truncatedPrefixes[float64])
}

// Any piece of a fill is what a fill of that piece makes, also where counter words 0
// and 1 carry.
func truncatedPrefixes[T float](t *testing.T) {
	for _, start := range []philox.Counter{{}, {math.MaxUint32 - 20, 7, 8, 9}, {math.MaxUint32 - 20, math.MaxUint32, 8, 1<<16 - 1}, {math.MaxUint32 - 20, math.MaxUint32, math.MaxUint32, 9}} {
		s := philox.NewAt(philox.NewKey(42), start)
		for _, p := range [][4]T{{0, 1, -2, 2}, {0, 1, 1, 1.25}, {5, 2, 8, 12}} {
			var want [400]T
			require.NoError(t, truncatedAt(s, want[:], 0, p[0], p[1], p[2], p[3]))
			for first := range 21 {
				for n := 0; first+n <= len(want); n += 1 + n/5 {
					got := make([]T, n+1)
					got[n] = 99
					require.NoError(t, truncatedAt(s, got[:n], uint64(first), p[0], p[1], p[2], p[3]))
					require.Equal(t, want[first:first+n], got[:n], "%v: %d from %d", p, n, first)
					require.Equal(t, T(99), got[n])
				}
			}
		}
	}
}

// Where the plain normals are inside they are the numbers, and nothing is outside.
func TestTruncatedKeepsNormals(t *testing.T) {
	s := philox.New(7)
	const n = 10_000
	plain, got := make([]float32, n), make([]float32, n)
	require.NoError(t, normal.FillScaledFloat32(s, plain, 3, 2))
	require.NoError(t, normal.FillTruncatedFloat32(s, got, 3, 2, 1, 6))
	kept := 0
	for i, v := range plain {
		require.True(t, 1 <= got[i] && got[i] <= 6)
		if 1 <= v && v <= 6 {
			kept++
			require.Equal(t, v, got[i])
		}
	}
	assert.InDelta(t, 0.7745, float64(kept)/n, 0.02)

	plain64, got64 := make([]float64, n), make([]float64, n)
	require.NoError(t, normal.FillScaledFloat64(s, plain64, 3, 2))
	require.NoError(t, normal.FillTruncatedFloat64(s, got64, 3, 2, 1, 6))
	for i, v := range plain64 {
		require.True(t, 1 <= got64[i] && got64[i] <= 6)
		if 1 <= v && v <= 6 {
			require.Equal(t, v, got64[i])
		}
	}
}

func TestTruncatedSharedFills(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, p := range [][4]float32{{0, 1, -2, 2}, {0, 1, 3, 4}} {
		n := 1 << 17
		one, all := make([]float32, n), make([]float32, n)
		require.NoError(t, normal.FillTruncatedFloat32At(philox.New(3).WithMaxGoroutines(1), one, 5, p[0], p[1], p[2], p[3]))
		require.NoError(t, normal.FillTruncatedFloat32At(philox.New(3), all, 5, p[0], p[1], p[2], p[3]))
		for i := range one {
			if one[i] != all[i] {
				t.Fatalf("%v: element %d: %v alone, %v shared", p, i, one[i], all[i])
			}
		}
	}
}

func TestTruncatedExactCases(t *testing.T) {
	inf := math.Inf(1)
	var v [50]float64
	for _, tt := range []struct{ mean, std, a, b, want float64 }{
		{5, 0, 4, 6, 5},
		{5, 0, 5, 5, 5},
		{5, 0, -inf, inf, 5},
		{5, 1, 7, 7, 7},
		{5, 1, -7, -7, -7},
		{0, 1, math.MaxFloat64, inf, math.MaxFloat64},
		{0, 1, -inf, -math.MaxFloat64, -math.MaxFloat64},
		{-math.MaxFloat64, 0x1p-1074, math.MaxFloat64, math.MaxFloat64, math.MaxFloat64},
	} {
		require.NoError(t, normal.FillTruncatedFloat64(philox.New(1), v[:], tt.mean, tt.std, tt.a, tt.b))
		for _, x := range v {
			require.Equal(t, tt.want, x, "%v", tt)
		}
	}
}

func TestTruncatedErrors(t *testing.T) {
	t.Run("float32", truncatedErrors[float32])
	t.Run("float64", truncatedErrors[float64])
}

func truncatedErrors[T float](t *testing.T) {
	inf, nan := T(math.Inf(1)), T(math.NaN())
	ok := philox.New(1)
	at := func(c philox.Counter) philox.Stream { return philox.NewAt(philox.NewKey(1), c) }
	last := philox.Counter{math.MaxUint32, math.MaxUint32, math.MaxUint32, 1<<16 - 1}
	for _, tt := range []struct {
		s               philox.Stream
		first           uint64
		mean, std, a, b T
		arg, value      string
	}{
		{ok, 0, nan, 1, 0, 1, "mean", "NaN"},
		{ok, 0, inf, 1, 0, 1, "mean", "+Inf"},
		{ok, 0, -inf, 1, 0, 1, "mean", "-Inf"},
		{ok, 0, 0, nan, 0, 1, "std", "NaN"},
		{ok, 0, 0, inf, 0, 1, "std", "+Inf"},
		{ok, 0, 0, -1.5, 0, 1, "std", "-1.5"},
		{ok, 0, 0, 1, nan, 1, "a", "NaN"},
		{ok, 0, 0, 1, 0, nan, "b", "NaN"},
		{ok, 0, 0, 1, 1.25, 1, "a", "1.25"},
		{ok, 0, 0, 1, inf, -inf, "a", "+Inf"},
		{ok, 0, 0, 1, inf, inf, "a", "+Inf"},
		{ok, 0, 0, 1, -inf, -inf, "b", "-Inf"},
		{ok, 0, 0, 0, 1, 2, "std", "0"},
		{ok, 0, 0, 0, -2, -1, "std", "0"},
		{at(philox.Counter{0, 0, 0, 1 << 16}), 0, 0, 1, -1, 1, "s", "a stream at counter [0 0 0 65536]"},
		{ok.Substream(1 << 48), 0, 0, 1, -1, 1, "s", "a stream at counter [0 0 0 65536]"},
		{at(philox.Counter{1, 2, 3, math.MaxUint32}), 0, 0, 1, -1, 1, "s", "a stream at counter [1 2 3 4294967295]"},
		{at(last), 0, 0, 1, -1, 1, "first", "0"},
		{at(last), 1 << 60, 0, 1, -1, 1, "first", "1152921504606846976"},
	} {
		var dst, want [5]T
		for i := range dst {
			dst[i], want[i] = 99, 99
		}
		err := truncatedAt(tt.s, dst[:], tt.first, tt.mean, tt.std, tt.a, tt.b)
		var arg *skip.ArgumentError
		require.ErrorAs(t, err, &arg, fmt.Sprint(tt))
		assert.Equal(t, tt.arg, arg.Arg, err)
		assert.Equal(t, tt.value, arg.Value, err)
		assert.NotEmpty(t, arg.Reason)
		assert.Equal(t, want, dst)
	}
	// The last blocks that are allowed.
	per := 16 / binary.Size(T(0))
	dst := make([]T, per+1)
	require.NoError(t, truncatedAt(at(last), dst[:per], 0, 0, 1, -1, 1))
	require.NoError(t, truncatedAt(at(last), dst[:per-1], 1, 0, 1, -1, 1))
	require.NoError(t, truncatedAt(at(last), dst[:0], 9, 0, 1, -1, 1))
	for first, n := range map[uint64]int{0: per + 1, 1: per, uint64(per): 1, math.MaxUint64: 1} {
		err := truncatedAt(at(last), dst[:n], first, 0, 1, -1, 1)
		require.True(t, errors.As(err, new(*skip.ArgumentError)), "%d from %d", n, first)
	}
	require.NoError(t, truncatedAt(at(philox.Counter{0, 0, math.MaxUint32, 1<<16 - 1}), dst, math.MaxUint64, 0, 1, -1, 1))
}

// A fill of awkward arguments takes about as long as any other: scipy 10092 and
// numpyro 1184 are of fills that never ended and numbers that were infinite.
func TestTruncatedEnds(t *testing.T) {
	inf := math.Inf(1)
	v := make([]float64, 2000)
	start := time.Now()
	for _, p := range [][4]float64{
		{10, 1e-4, -5e6, inf}, {0, 1, 38, inf}, {0, 1, 1e300, inf}, {0, 1e-300, 1, 2}, {0, 1e300, 1, 2},
		{0, 1e300, 1, math.Nextafter(1, 2)}, {0, 1e-300, 1, math.Nextafter(1, 2)}, {0, 5e-324, 0, 5e-324},
		{-math.MaxFloat64, math.MaxFloat64, -inf, inf}, {1e308, 1e300, -inf, -1e308}, {1e16, 1e-3, 1e16 + 2, inf},
	} {
		require.NoError(t, normal.FillTruncatedFloat64(philox.New(1), v, p[0], p[1], p[2], p[3]))
		for _, x := range v {
			require.True(t, p[2] <= x && x <= p[3] && !math.IsInf(x, 0), "%v: %v", p, x)
		}
	}
	assert.Less(t, time.Since(start), 20*time.Second) // measured: 2 ms
}
