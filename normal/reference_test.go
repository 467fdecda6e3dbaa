package normal_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/poly"
	"github.com/philox-go/rng/normal"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

const (
	ones32 = math.MaxUint32
	ones64 = math.MaxUint64
)

// reduced returns n, or less of it where everything takes long: under the race
// detector and in emulators, for which .ci/run passes -short.
func reduced(n int) int {
	if raceEnabled || testing.Short() {
		return max(n/10, 1)
	}
	return n
}

func setProcs(t testing.TB, n int) {
	before := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

type float interface{ float32 | float64 }

// A width is what the package offers for one type.
type width[T float] struct {
	kind      asm.Kind
	fill      func(philox.Stream, []T)
	at        func(philox.Stream, []T, uint64)
	scaled    func(philox.Stream, []T, T, T) error
	scaledAt  func(philox.Stream, []T, uint64, T, T) error
	truncated func(s philox.Stream, dst []T, mean, std, a, b T) error
	source    func(philox.Stream) source[T]
	zero      func() source[T]

	// words returns the words of the pairs that hold elements 0 to n-1, two for each.
	words func(s philox.Stream, n int) []uint64
	pair  func(x, y uint64) (T, T)
	fma   func(z, std, mean T) T
	max   float64 // magnitude
}

// A source is a Source32 or a Source64.
type source[T float] interface {
	Norm() T
	Seed(uint64)
	Key() philox.Key
	Position() (philox.Counter, int)
	Skip(uint64)
	AppendBinary([]byte) ([]byte, error)
	MarshalBinary() ([]byte, error)
	UnmarshalBinary([]byte) error
}

type source32 struct{ *normal.Source32 }

func (s source32) Norm() float32 { return s.NormFloat32() }

type source64 struct{ *normal.Source64 }

func (s source64) Norm() float64 { return s.NormFloat64() }

var width32 = width[float32]{
	kind:     asm.Normal32,
	fill:     normal.FillFloat32,
	at:       normal.FillFloat32At,
	scaled:   normal.FillScaledFloat32,
	scaledAt: normal.FillScaledFloat32At, truncated: normal.FillTruncatedFloat32,
	source: func(s philox.Stream) source[float32] { return source32{normal.NewSource32(s)} },
	zero:   func() source[float32] { return source32{new(normal.Source32)} },
	words: func(s philox.Stream, n int) []uint64 {
		w := make([]uint32, (n+1)&^1)
		s.FillUint32(w)
		wide := make([]uint64, len(w))
		for i := range w {
			wide[i] = uint64(w[i])
		}
		return wide
	},
	pair: func(x, y uint64) (float32, float32) { return poly.Normal32(uint32(x), uint32(y)) },
	fma:  poly.FMA32,
	max:  math.Sqrt(66 * math.Ln2),
}

var width64 = width[float64]{
	kind:     asm.Normal64,
	fill:     normal.FillFloat64,
	at:       normal.FillFloat64At,
	scaled:   normal.FillScaledFloat64,
	scaledAt: normal.FillScaledFloat64At, truncated: normal.FillTruncatedFloat64,
	source: func(s philox.Stream) source[float64] { return source64{normal.NewSource64(s)} },
	zero:   func() source[float64] { return source64{new(normal.Source64)} },
	words: func(s philox.Stream, n int) []uint64 {
		w := make([]uint64, (n+1)&^1)
		s.FillUint64(w)
		return w
	},
	pair: poly.Normal64,
	fma:  math.FMA,
	max:  math.Sqrt(108 * math.Ln2),
}

// want returns elements first, first+1, ... one pair at a time.
func (w *width[T]) want(s philox.Stream, n int, first uint64) []T {
	block, lane := w.kind.Locate(first)
	words := w.words(s.Skip(block), int(lane)+n)
	z := make([]T, len(words))
	for i := 0; i < len(z); i += 2 {
		z[i], z[i+1] = w.pair(words[i], words[i+1])
	}
	return z[lane:][:n]
}

// scale returns z*std + mean.
func (w *width[T]) scale(z []T, mean, std T) []T {
	v := make([]T, len(z))
	for i := range z {
		v[i] = w.fma(z[i], std, mean)
	}
	return v
}

// both runs a test for both types.
func both(t *testing.T, f32 func(*testing.T, *width[float32]), f64 func(*testing.T, *width[float64])) {
	t.Run("float32", func(t *testing.T) { f32(t, &width32) })
	t.Run("float64", func(t *testing.T) { f64(t, &width64) })
}

// sameBits compares bits, which tell the signs of zeros apart.
func sameBits[T float](t testing.TB, want, got []T, format string, args ...any) {
	t.Helper()
	require.Len(t, got, len(want))
	bits := func(x T) uint64 {
		if unsafe.Sizeof(x) == 4 {
			return uint64(math.Float32bits(float32(x)))
		}
		return math.Float64bits(float64(x))
	}
	for i := range want {
		if bits(want[i]) != bits(got[i]) {
			require.Failf(t, "differs", "element %d: %x, want %x: "+format, append([]any{i, got[i], want[i]}, args...)...)
		}
	}
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 20260)) }

// starts are counters of which some carry out of each word within a few blocks.
var starts = []philox.Stream{
	philox.New(42),
	philox.NewAt(philox.NewKey(7), philox.Counter{ones32 - 3, 5, 6, 7}),
	philox.NewAt(philox.NewKey(8), philox.Counter{ones32 - 9, ones32, 6, 7}),
	philox.NewAt(philox.NewKey(9), philox.Counter{ones32 - 20, ones32, ones32, 7}),
	philox.NewAt(philox.NewKey(ones64), philox.Counter{ones32 - 33, ones32, ones32, ones32}),
}
