package asm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var formats = []Half{F16, B16}

// Every number of a format, the middle between it and the next one, and what is beside
// that. Rounded numbers come from float32 that are no NaN.
func TestKernelsRoundHalves(t *testing.T) {
	for _, h := range formats {
		var in []float32
		for b := range 1 << 15 {
			f := h.Float32(uint16(b))
			if f != f || math.IsInf(float64(f), 0) {
				continue
			}
			next := float64(h.Float32(uint16(b + 1)))
			if math.IsInf(next, 0) {
				next = float64(f) + (float64(f) - float64(h.Float32(uint16(b-1))))
			}
			middle := float32((float64(f) + next) / 2)
			for _, x := range []float32{f, middle, math.Nextafter32(middle, 0), math.Nextafter32(middle, float32(inf))} {
				in = append(in, x, -x)
			}
		}
		in = append(in, math.MaxFloat32, -math.MaxFloat32, float32(inf), float32(-inf), math.SmallestNonzeroFloat32)
		if testing.Short() {
			in = in[:20_001]
		}
		for _, l := range vectorLevels(t) {
			got := make([]uint16, len(in))
			vectorHalves(l, h, unsafe.Pointer(&got[0]), unsafe.Pointer(&in[0]), len(in))
			for i, f := range in {
				require.Equal(t, h.Round(f), got[i], "%v %v: %v", l, h, f)
			}
		}
	}
}

// Fills of halves by every level, of lengths around those that are made at a time.
func TestFillHalves(t *testing.T) {
	for _, h := range formats {
		for _, k := range []Kind{Normal32, Exponential32, Truncated32} {
			args := map[Kind]Args{
				Normal32:      {Mean: 3, Std: 20000},
				Exponential32: Rate(2, float64(h.Smallest()), float64(h.Largest())),
				Truncated32:   {Std: 1, A: -1, B: 2},
			}[k]
			const longest = 2*3840 + 70
			hi, lo := uint64(7), uint64(1<<64-100)
			single := make([]float32, longest)
			fill(Generic, k, unsafe.Pointer(&single[0]), longest, 42, hi, lo, args)
			for _, n := range []int{0, 1, 3, 16, 17, 33, 100, 3839, 3840, 3841, longest} {
				for _, l := range Levels() {
					got := make([]uint16, n+1)
					got[n] = 0xa5a5
					FillHalves(l, k, h, unsafe.Pointer(&got[0]), n, 42, hi, lo, args)
					for i := range n {
						require.Equal(t, h.Round(single[i]), got[i], "%v %v %v: element %d of %d", l, k, h, i, n)
					}
					require.EqualValues(t, 0xa5a5, got[n], "%v %v %v: %d", l, k, h, n)
				}
			}
		}
	}
}

func TestBelowAndAbove(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 31
	}
	for _, h := range formats {
		for b := 0; b < 1<<16; b += step {
			f := h.Float32(uint16(b))
			if f != f || math.IsInf(float64(f), 0) {
				continue
			}
			above, below := h.Above(f), h.Below(f)
			assert.Less(t, f, above)
			assert.Greater(t, f, below)
			if f > 0 { // the neighbours have the neighbouring bits
				require.Equal(t, h.Float32(uint16(b+1)), above, "%v", f)
				require.Equal(t, h.Float32(uint16(b-1)), below, "%v", f)
			}
			require.Equal(t, -above, h.Below(-f))
		}
		assert.Equal(t, h.Smallest(), h.Above(0))
		assert.Equal(t, -h.Smallest(), h.Below(0))
		assert.Equal(t, float32(1), h.Above(math.Nextafter32(1, 0)))
		assert.Equal(t, float32(1), h.Below(math.Nextafter32(1, 2)))
		assert.Equal(t, h.Largest(), h.Below(float32(inf)))
	}
}

// The interval of what rounds to numbers between two others: its ends do, and their
// neighbours outside do not.
func TestCover(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	random := func() float32 {
		if r.IntN(4) == 0 {
			return []float32{0, 1, -1, 65504, -65520, 3e38, 1e-8, -1e-40, float32(inf), float32(-inf)}[r.IntN(10)]
		}
		return float32(math.Ldexp(r.Float64()-0.5, r.IntN(300)-150))
	}
	found := 0
	for range 20_000 {
		h := formats[r.IntN(2)]
		a, b := random(), random()
		if r.IntN(3) == 0 {
			b = a * (1 + float32(r.IntN(3))/512)
		}
		if a > b {
			a, b = b, a
		}
		inside := func(f float32) bool {
			v := h.Float32(h.Round(f))
			return a <= v && v <= b && !math.IsInf(float64(v), 0)
		}
		lo, hi, ok := h.Cover(a, b)
		if !ok {
			// Then no number is there: neither the first from a on nor that from b down.
			first := h.Float32(h.Round(a))
			if first < a && !math.IsInf(float64(a), 0) {
				first = h.Above(a)
			}
			first = max(first, -h.Largest())
			require.False(t, first >= a && first <= b && first <= h.Largest(), "%v: [%v, %v]", h, a, b)
			continue
		}
		found++
		what := fmt.Sprintf("%v: [%v, %v] is [%v, %v]", h, a, b, lo, hi)
		require.True(t, inside(lo) && inside(hi), what)
		require.False(t, inside(math.Nextafter32(lo, float32(-inf))), what)
		require.False(t, inside(math.Nextafter32(hi, float32(inf))), what)
	}
	require.Greater(t, found, 5000)
}
