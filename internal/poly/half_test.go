package poly

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A format is a type of 16 bits: its conversions and what defines its numbers.
type format struct {
	name     string
	to       func(float32) uint16
	from     func(uint16) float32
	fraction int // bits
	bias     int
}

var formats = []format{
	{"float16", Float16, FromFloat16, 10, 15},
	{"bfloat16", BFloat16, FromBFloat16, 7, 127},
}

// infinity is the first pattern that is not a number.
func (f format) infinity() uint16 { return 1<<15 - 1<<f.fraction }

// value is what IEEE 754 says that the pattern is, and 2^(bias+1) for infinity.
func (f format) value(h uint16) float64 {
	exponent, m := int(h>>f.fraction), float64(h&(1<<f.fraction-1))
	if exponent == 0 {
		exponent = 1
	} else {
		m += math.Ldexp(1, f.fraction)
	}
	return math.Ldexp(m, exponent-f.bias-f.fraction)
}

func (f format) isNaN(h uint16) bool { return h&^sign16 > f.infinity() }

// check rounds v and -v.
func (f format) check(t *testing.T, v float32, want uint16) {
	t.Helper()
	if got := f.to(v); got != want {
		require.Failf(t, "differs", "%x is %#x, want %#x", v, got, want)
	}
	if got := f.to(-v); got != want|sign16 {
		require.Failf(t, "differs", "%x is %#x, want %#x", -v, got, want|sign16)
	}
}

// All 65536 patterns, both ways.
func TestHalfNumbers(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			for i := range 1 << 16 {
				h := uint16(i)
				v := f.from(h)
				want, sign := f.value(h&^sign16), 1.0
				if h&sign16 != 0 {
					sign = -1
				}
				switch {
				case f.isNaN(h):
					if v == v || math.Float32bits(v)&quiet32 == 0 || math.Float32bits(v)>>31 != uint32(h>>15) {
						require.Failf(t, "not a quiet NaN", "%#x: %#x", h, math.Float32bits(v))
					}
					h |= 1 << (f.fraction - 1)
				case h&^sign16 == f.infinity():
					require.True(t, math.IsInf(float64(v), int(sign)), "%#x: %v", h, v)
				default:
					if float64(v) != sign*want || math.Signbit(float64(v)) != (sign < 0) {
						require.Failf(t, "differs", "%#x: %v, want %v", h, v, sign*want)
					}
				}
				if got := f.to(v); got != h {
					require.Failf(t, "no way back", "%#x: %#x", h, got)
				}
			}
		})
	}
}

// Between every two neighbours, the largest and the power of two beyond it among them:
// the middle goes to the even one, and a float32 next to it to the nearer one.
func TestHalfRounding(t *testing.T) {
	up, down := float32(math.Inf(1)), float32(0)
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			for h := range f.infinity() {
				low, high := f.value(h), f.value(h+1)
				middle := float32((low + high) / 2)
				require.Equal(t, low+high, 2*float64(middle), "not exact")
				f.check(t, middle, h+h&1)
				f.check(t, math.Nextafter32(middle, down), h)
				f.check(t, math.Nextafter32(middle, up), h+1)
				f.check(t, math.Nextafter32(float32(low), up), h)
				f.check(t, float32(low), h)
				if h > 0 {
					f.check(t, math.Nextafter32(float32(low), down), h)
				}
			}
			f.check(t, up, f.infinity())
			f.check(t, math.MaxFloat32, f.infinity())
			f.check(t, 0, 0)
		})
	}
}

// Any float32, against a search for its neighbours.
func TestHalfNearest(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 10_000
	}
	for k, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(12, uint64(k)))
			for range n {
				v := math.Float32frombits(rng.Uint32() &^ Sign32)
				if rng.IntN(2) == 0 {
					v = ofExponent(rng, rng.IntN(45)-27)
				}
				m := math.Abs(float64(v))
				if !isFinite(v) {
					continue
				}
				h := uint16(sort.Search(int(f.infinity()), func(i int) bool { return f.value(uint16(i)) >= m }))
				if h > 0 {
					below, above := m-f.value(h-1), f.value(h)-m // exact, or far from a tie
					if below < above || below == above && h&1 == 1 {
						h--
					}
				}
				f.check(t, float32(m), h)
			}
		})
	}
}

// NaN stays one, with its sign, however low the bits are that make it one.
func TestHalfNaN(t *testing.T) {
	for _, f := range formats {
		for _, bits := range []uint32{0x7f800001, 0x7fc00000, 0x7fffffff, 0x7f801fff, 0x7f80ffff, 0x7fbfffff, 0x7fdfe000} {
			for _, sign := range []uint32{0, Sign32} {
				got := f.to(math.Float32frombits(bits | sign))
				assert.True(t, f.isNaN(got), "%s of %#x: %#x", f.name, bits|sign, got)
				assert.NotZero(t, got&(1<<(f.fraction-1)), "%s of %#x is not quiet: %#x", f.name, bits|sign, got)
				assert.Equal(t, uint16(sign>>16), got&sign16, "%s of %#x: %#x", f.name, bits|sign, got)
			}
		}
	}
}

func TestHalfTable(t *testing.T) {
	for _, c := range []struct {
		v           float32
		half, bfl   uint16
		back, backB float32
	}{
		{1, 0x3c00, 0x3f80, 1, 1},
		{-2, 0xc000, 0xc000, -2, -2},
		{1.0 / 3, 0x3555, 0x3eab, 0x1.554p-2, 0x1.56p-2},
		{65504, 0x7bff, 0x4780, 65504, 65536},
		{65519.996, 0x7bff, 0x4780, 65504, 65536},
		{65520, 0x7c00, 0x4780, float32(math.Inf(1)), 65536},
		{0x1p-14, 0x0400, 0x3880, 0x1p-14, 0x1p-14},
		{0x1.ffep-15, 0x0400, 0x3880, 0x1p-14, 0x1p-14},
		{0x1p-24, 0x0001, 0x3380, 0x1p-24, 0x1p-24},
		{0x1p-25, 0x0000, 0x3300, 0, 0x1p-25},
		{0x1.8p-25, 0x0001, 0x3340, 0x1p-24, 0x1.8p-25},
		{0x1p-133, 0x0000, 0x0001, 0, 0x1p-133},
		{0x1p-134, 0x0000, 0x0000, 0, 0},
		{0x1.fep127, 0x7c00, 0x7f7f, float32(math.Inf(1)), 0x1.fep127},
		{0x1.ffp127, 0x7c00, 0x7f80, float32(math.Inf(1)), float32(math.Inf(1))},
	} {
		name := fmt.Sprintf("%x", c.v)
		assert.Equal(t, c.half, Float16(c.v), name)
		assert.Equal(t, c.bfl, BFloat16(c.v), name)
		assert.Equal(t, c.back, FromFloat16(Float16(c.v)), name)
		assert.Equal(t, c.backB, FromBFloat16(BFloat16(c.v)), name)
	}
}
