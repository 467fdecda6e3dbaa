package random_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/random"
)

// bit is that of an element in a mask.
func bit(mask []byte, i int) byte { return mask[i/8] >> (i % 8) & 1 }

// sameMemory compares bits, which tell NaNs apart.
func sameMemory[T any](t testing.TB, want, got []T, format string, args ...any) {
	t.Helper()
	require.True(t, bytes.Equal(view.Of[byte](want), view.Of[byte](got)), "differs: "+format, args)
}

// awkward are numbers that a product is likely to change: all kinds of NaN among them.
func awkward32(n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = math.Float32frombits([]uint32{
			0, 0x80000000, 0x7f800000, 0xff800000, 0x7f800001, 0xffbfffff, 0x7fc00000, 0xffc12345, 0x3f800000, 1, 0x80000001, 0x7f7fffff, 0x007fffff,
		}[i%13] ^ uint32(i/13)<<1)
	}
	return x
}

func awkward64(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Float64frombits([]uint64{
			0, 1 << 63, 0x7ff << 52, 0xfff << 52, 0x7ff<<52 | 1, 0xfff7ffffffffffff, 0x7ff8 << 48, 0xfff8123456789abc, 0x3ff << 52, 1, 1<<63 | 1, 0x7fefffffffffffff,
		}[i%12] ^ uint64(i/12)<<1)
	}
	return x
}

func allHalves() []uint16 {
	x := make([]uint16, 1<<16)
	for i := range x {
		x[i] = uint16(i)
	}
	return x
}

// A dropOf is dropout for one type, with numbers that are awkward.
type dropOf[T any] struct {
	src      []T
	forward  func(g *random.Generator, dst []T, mask []byte, src []T, p float64, training bool) error
	backward func(dst []T, mask []byte, grad []T, p float64) error
}

func testDropout[T any](t *testing.T, d dropOf[T]) {
	n := len(d.src)
	sameAs := func(mask []byte, keep bool) {
		want := bytes.Repeat([]byte{byte(-oneIf(keep))}, random.MaskBytes(n))
		for i := n; i < 8*len(want); i++ {
			want[i/8] &^= 1 << (i % 8)
		}
		require.Equal(t, want, mask)
	}
	zeros := make([]T, n)
	for _, inPlace := range []bool{false, true} {
		call := func(g *random.Generator, p float64, training bool) (dst []T, mask []byte) {
			src := slices.Clone(d.src)
			dst, mask = make([]T, n), bytes.Repeat([]byte{canary}, random.MaskBytes(n))
			if inPlace {
				dst = src
			}
			require.NoError(t, d.forward(g, dst, mask, src, p, training))
			if !inPlace {
				sameMemory(t, d.src, src, "the source")
			}
			return dst, mask
		}
		g := at(t, 3, 2, 1)
		before := g.State()
		for _, p := range []float64{0, 0.5, 1} {
			dst, mask := call(g, p, false)
			sameMemory(t, d.src, dst, "not training, p = %v", p)
			sameAs(mask, true)
		}
		dst, mask := call(g, 0, true)
		sameMemory(t, d.src, dst, "p = 0")
		sameAs(mask, true)
		dst, mask = call(g, 1, true)
		sameMemory(t, zeros, dst, "p = 1")
		sameAs(mask, false)
		require.Equal(t, before, g.State(), "none of these takes blocks")

		// What is dropped is +0, whatever it was, and what is kept is what a mask of ones
		// keeps: that product TestKept looks at.
		const p = 0.4
		dst, mask = call(g, p, true)
		require.Equal(t, uint64(1+(n+3)/4), g.Offset())
		alone := make([]byte, len(mask))
		require.NoError(t, random.DropoutMask(at(t, 3, 2, 1), alone, n, p))
		require.Equal(t, alone, mask)
		kept := make([]T, n)
		require.NoError(t, d.backward(kept, bytes.Repeat([]byte{0xff}, len(mask)), d.src, p))
		want := slices.Clone(kept)
		var drops int
		for i := range want {
			if bit(mask, i) == 0 {
				want[i] = zeros[i]
				drops++
			}
		}
		assert.InDelta(t, p*float64(n), drops, 5*math.Sqrt(float64(n)/4))
		sameMemory(t, want, dst, "p = %v", p)

		// The way back, with the same mask, which stays as it is.
		grad := slices.Clone(d.src)
		back := make([]T, n)
		if inPlace {
			back = grad
		}
		stored := slices.Clone(mask)
		require.NoError(t, d.backward(back, mask, grad, p))
		sameMemory(t, want, back, "back")
		require.Equal(t, stored, mask)
		require.NoError(t, d.backward(back, mask, d.src, 0))
		sameMemory(t, d.src, back, "back, p = 0")
		require.NoError(t, d.backward(back, mask, d.src, 1))
		sameMemory(t, zeros, back, "back, p = 1")
	}
}

func TestDropout(t *testing.T) {
	t.Run("float32", func(t *testing.T) {
		testDropout(t, dropOf[float32]{awkward32(1001), random.Dropout[float32], random.DropoutBackward[float32]})
	})
	t.Run("float64", func(t *testing.T) {
		testDropout(t, dropOf[float64]{awkward64(1001), random.Dropout[float64], random.DropoutBackward[float64]})
	})
	for _, f := range []random.Format{random.Float16, random.BFloat16} {
		t.Run(f.String(), func(t *testing.T) {
			testDropout(t, dropOf[uint16]{
				allHalves(),
				func(g *random.Generator, dst []uint16, mask []byte, src []uint16, p float64, training bool) error {
					return random.DropoutHalf(g, dst, f, mask, src, p, training)
				},
				func(dst []uint16, mask []byte, grad []uint16, p float64) error {
					return random.DropoutBackwardHalf(dst, f, mask, grad, p)
				},
			})
		})
	}
}

// The product of what is kept: every number of 16 bits, and some others.
func TestKept(t *testing.T) {
	for _, p := range []float64{0.1, 0.25, 1. / 3, 0.5, 0.9, 0.99999, math.Nextafter(1, 0), 1e-9, math.SmallestNonzeroFloat64} {
		scale := float32(1 / (1 - p))
		x := awkward32(500)
		got := make([]float32, len(x))
		ones := bytes.Repeat([]byte{0xff}, 1<<13)
		require.NoError(t, random.DropoutBackward(got, ones, x, p))
		for i := range x {
			exact := float64(x[i]) * float64(scale) // 48 bits
			if want := float32(exact); want != got[i] && want == want || (want != want) != (got[i] != got[i]) {
				require.Failf(t, "differs", "p = %v: %v gives %v, want %v", p, x[i], got[i], want)
			}
		}
		y := awkward64(500)
		double := make([]float64, len(y))
		require.NoError(t, random.DropoutBackward(double, ones, y, p))
		for i := range y {
			if want := y[i] * float64(scale); want != double[i] && want == want || (want != want) != (double[i] != double[i]) {
				require.Failf(t, "differs", "p = %v: %v gives %v, want %v", p, y[i], double[i], want)
			}
		}
		for _, f := range []random.Format{random.Float16, random.BFloat16} {
			h := allHalves()
			require.NoError(t, random.DropoutBackwardHalf(h, f, ones, h, p))
			for i := range h {
				switch magnitude := uint16(i) & 0x7fff; {
				case magnitude > halfInf(f):
					require.Greater(t, h[i]&0x7fff, halfInf(f), "NaN stays NaN")
				case magnitude == halfInf(f):
					require.Equal(t, uint16(i), h[i], "infinity stays")
				case i%reducedStep(37) == 0:
					if want := roundHalf(f, float32(halfValue(f, uint16(i))*float64(scale))); want != h[i] {
						require.Failf(t, "differs", "%v, p = %v: %#x gives %#x, want %#x", f, p, i, h[i], want)
					}
				}
			}
		}
	}
}

// Masks of every length: what they are padded with, and what is behind them.
func TestMasks(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 16, 127: 16, 128: 16, 129: 32, 256: 32, 257: 48, math.MaxInt: math.MaxInt/128*16 + 16} {
		assert.Equal(t, want, random.MaskBytes(n), "%d", n)
	}
	assert.PanicsWithValue(t, "random: n = -1: must be at least 0", func() { random.MaskBytes(-1) })
	kept := make([]bool, 600)
	for _, p := range []float64{0, 0.3, 1} {
		require.NoError(t, random.Bernoulli(at(t, 6, 7, 1<<32-20), kept, 1))
		if p < 1 {
			require.NoError(t, random.Bernoulli(at(t, 6, 7, 1<<32-20), kept, p))
		}
		for n := 0; n < len(kept); n += reducedStep(7) {
			size := random.MaskBytes(n)
			mask := bytes.Repeat([]byte{canary}, size+40)
			require.NoError(t, random.DropoutMask(at(t, 6, 7, 1<<32-20), mask, n, p))
			for i := range 8 * size {
				want := byte(0)
				if i < n && !kept[i] {
					want = 1
				}
				if bit(mask, i) != want {
					require.Failf(t, "differs", "n = %d, p = %v: bit %d", n, p, i)
				}
			}
			require.Equal(t, bytes.Repeat([]byte{canary}, 40), mask[size:], "n = %d, p = %v", n, p)
			// Where the mask ends, nothing more is needed.
			require.NoError(t, random.DropoutMask(at(t, 6, 7, 0), mask[:size:size], n, p))
		}
	}
}

// A saved state makes the mask of a step again, so that it need not be stored.
func TestMaskFromAState(t *testing.T) {
	const n, p = 1003, 0.3
	g := at(t, 1, 2, 1<<32-100)
	x := awkward32(n)
	for range 3 {
		saved := g.State()
		y, mask := make([]float32, n), make([]byte, random.MaskBytes(n))
		require.NoError(t, random.Dropout(g, y, mask, x, p, true))
		require.Equal(t, uint64(251), g.Offset()-func() uint64 { c := g.Clone(); require.NoError(t, c.SetState(saved)); return c.Offset() }())
		later := random.NewGenerator(random.CPU(), 0)
		require.NoError(t, later.SetState(saved))
		again := make([]byte, len(mask))
		require.NoError(t, random.DropoutMask(later, again, n, p))
		require.Equal(t, mask, again)
		equal(t, g, later)
	}
}

// Dropouts and masks that goroutines share, against choices.
func TestLongDropouts(t *testing.T) {
	n := reduced(1<<20) + 77
	const p = 0.25
	dropped := make([]uint8, n)
	require.NoError(t, random.Bernoulli(at(t, 5, 0, 1<<32-1000), dropped, p))
	src := make([]float32, n)
	for i := range src {
		src[i] = float32(i + 1)
	}
	for _, procs := range []int{1, 7} {
		t.Run(fmt.Sprint(procs), func(t *testing.T) {
			setProcs(t, procs)
			dst, mask := make([]float32, n), make([]byte, random.MaskBytes(n))
			g := at(t, 5, 0, 1<<32-1000)
			require.NoError(t, random.Dropout(g, dst, mask, src, p, true))
			require.Equal(t, 1<<32-1000+uint64(n+3)/4, g.Offset())
			for i, x := range dropped {
				want := float32(0)
				if x == 0 {
					want = src[i] * float32(1/(1-p))
				}
				if dst[i] != want || bit(mask, i) == x {
					require.Failf(t, "differs", "element %d: %v, want %v", i, dst[i], want)
				}
			}
			for i := n; i < 8*len(mask); i++ {
				require.Zero(t, bit(mask, i))
			}
		})
	}
}

// All that was dropped or kept is in the mask, so the way back looks at nothing else of
// it than the bits of its elements.
func TestBackwardLooksAtItsBits(t *testing.T) {
	for n := range 140 {
		mask := make([]byte, random.MaskBytes(n))
		require.NoError(t, random.DropoutMask(at(t, 1, 2, 3), mask, n, 0.5))
		grad := slices.Repeat([]float64{3}, n)
		want, got := make([]float64, n), make([]float64, n)
		require.NoError(t, random.DropoutBackward(want, mask, grad, 0.5))
		for i := n; i < 8*len(mask); i++ {
			mask[i/8] |= 1 << (i % 8)
		}
		require.NoError(t, random.DropoutBackward(got, mask, grad, 0.5))
		require.Equal(t, want, got)
		for i, x := range got {
			require.Equal(t, 6*float64(bit(mask, i)), x)
		}
	}
}

// An evaluation has no use for a mask.
func TestDropoutWithoutMask(t *testing.T) {
	g := at(t, 1, 2, 3)
	x := []float32{1, 2, 3}
	require.NoError(t, random.Dropout(g, x, nil, x, 0.5, false))
	require.Equal(t, []float32{1, 2, 3}, x)
	require.EqualValues(t, 3, g.Offset())
	require.Error(t, random.Dropout(g, x, nil, x, 0.5, true))
	require.Error(t, random.Dropout(g, x, make([]byte, 15), x, 0.5, false), "too short is a mistake all the same")
	require.Error(t, random.Dropout(g, x, nil, x, 2, false))
}

// Probabilities may lie where their outcomes go.
func TestBernoulliEachInPlace(t *testing.T) {
	const n = 1000
	p, want := make([]float64, n), make([]float64, n)
	for i := range p {
		p[i] = float64(i%5) / 4
	}
	require.NoError(t, random.BernoulliEach(at(t, 1, 2, 3), want, p))
	require.NoError(t, random.BernoulliEach(at(t, 1, 2, 3), p, p))
	require.Equal(t, want, p)
	require.NotContains(t, []float64{p[4], p[9], p[14]}, 0.0)
}
