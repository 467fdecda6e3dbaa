package fuzz_test

import (
	"math"
	"testing"

	"github.com/philox-go/rng/random"
)

const untouched = 0x5a

// drawn fills n elements by two calls of an operator, one from the generator and a
// longer one from a copy, and returns the first one's. It is false if both were refused,
// which must leave generator and elements alone.
func drawn[T comparable](t *testing.T, g *random.Generator, n int, canary T, fill func(g *random.Generator, dst []T) error) ([]T, bool) {
	dst, longer := make([]T, n), make([]T, n+7)
	for i := range longer {
		longer[i] = canary
	}
	copy(dst, longer)
	other := g.Clone()
	before := g.Offset()
	err, errLonger := fill(g, dst), fill(other, longer)
	if (err == nil) != (errLonger == nil) {
		t.Fatalf("%d elements: %v; %d: %v", n, err, n+7, errLonger)
	}
	if err != nil {
		for i := range dst {
			if dst[i] != canary {
				t.Fatalf("%v, but element %d was written", err, i)
			}
		}
		if g.Offset() != before {
			t.Fatalf("%v, but blocks were taken", err)
		}
		return nil, false
	}
	for i := range dst {
		if dst[i] != longer[i] && dst[i] == dst[i] {
			t.Fatalf("element %d of %d is %v, and of %d %v", i, n, dst[i], n+7, longer[i])
		}
	}
	return dst, true
}

// Numbers stay in their ranges for any arguments that are not refused.
func FuzzDraws(f *testing.F) {
	f.Add(uint64(1), uint64(2), 0.0, 1.0, int64(-3), int64(4), uint8(20))
	f.Add(uint64(9), uint64(1<<32-2), -65504.0, 65504.0, int64(math.MinInt64), int64(math.MaxInt64), uint8(77))
	f.Add(uint64(3), uint64(0), 1e-45, 1e-44, int64(0), int64(3<<30), uint8(200))
	f.Add(uint64(4), uint64(5), 0.3, math.Inf(1), int64(7), int64(7), uint8(3))
	f.Add(uint64(5), uint64(6), 1e300, -1e300, int64(1), int64(0), uint8(0))
	f.Fuzz(func(t *testing.T, seed, offset uint64, a, b float64, lo, last int64, size uint8) {
		g := random.NewGenerator(random.CPU(), seed)
		if err := g.SetOffset(offset >> 1); err != nil {
			t.Fatal(err)
		}
		n := int(size)
		a32, b32 := float32(a), float32(b)

		if x, ok := drawn(t, g, n, untouched, func(g *random.Generator, dst []float64) error { return random.Uniform(g, dst, a, b) }); ok {
			for _, v := range x {
				if !(a <= v && v < b) {
					t.Fatalf("uniform in [%v, %v): %v", a, b, v)
				}
			}
		}
		if x, ok := drawn(t, g, n, untouched, func(g *random.Generator, dst []float32) error { return random.Uniform(g, dst, a32, b32) }); ok {
			for _, v := range x {
				if !(a32 <= v && v < b32) {
					t.Fatalf("uniform in [%v, %v): %v", a32, b32, v)
				}
			}
		}
		if x, ok := drawn(t, g, n, untouched, func(g *random.Generator, dst []float32) error {
			return random.TruncatedNormal(g, dst, 0, 1, a32, b32)
		}); ok {
			for _, v := range x {
				if !(a32 <= v && v <= b32) {
					t.Fatalf("truncated to [%v, %v]: %v", a32, b32, v)
				}
			}
		}
		if x, ok := drawn(t, g, n, untouched, func(g *random.Generator, dst []float64) error { return random.Exponential(g, dst, a) }); ok {
			for _, v := range x {
				if !(v > 0 && v <= math.MaxFloat64) {
					t.Fatalf("exponential of rate %v: %v", a, v)
				}
			}
		}
		if x, ok := drawn(t, g, n, untouched, func(g *random.Generator, dst []float32) error { return random.Exponential(g, dst, b32) }); ok {
			for _, v := range x {
				if !(v > 0 && v <= math.MaxFloat32) {
					t.Fatalf("exponential of rate %v: %v", b32, v)
				}
			}
		}
		for _, format := range []random.Format{random.Float16, random.BFloat16} {
			infinity := map[random.Format]uint16{random.Float16: 0x7c00, random.BFloat16: 0x7f80}[format]
			if x, ok := drawn(t, g, n, untouched, func(g *random.Generator, dst []uint16) error {
				return random.ExponentialHalf(g, dst, format, a32)
			}); ok {
				for _, v := range x {
					if v == 0 || v >= infinity {
						t.Fatalf("exponential %v of rate %v: %#04x", format, a32, v)
					}
				}
			}
			drawn(t, g, n, untouched, func(g *random.Generator, dst []uint16) error {
				return random.UniformHalf(g, dst, format, a32, b32)
			})
			drawn(t, g, n, untouched, func(g *random.Generator, dst []uint16) error {
				return random.TruncatedNormalHalf(g, dst, format, 0, 1, a32, b32)
			})
		}
		if x, ok := drawn(t, g, n, untouched, func(g *random.Generator, dst []int64) error { return random.IntRange(g, dst, lo, last) }); ok {
			for _, v := range x {
				if v < lo || v > last {
					t.Fatalf("from %d to %d: %d", lo, last, v)
				}
			}
		}
		if x, ok := drawn(t, g, n, untouched, func(g *random.Generator, dst []int8) error {
			return random.IntN(g, dst, int8(lo), int8(last))
		}); ok {
			for _, v := range x {
				if v < int8(lo) || v >= int8(last) {
					t.Fatalf("from %d to below %d: %d", int8(lo), int8(last), v)
				}
			}
		}
		if x, ok := drawn(t, g, n, untouched, func(g *random.Generator, dst []uint32) error { return random.Geometric(g, dst, a) }); ok {
			for _, v := range x {
				if v == 0 {
					t.Fatalf("geometric of p %v: 0", a)
				}
			}
		}
		drawn(t, g, n, untouched, func(g *random.Generator, dst []uint8) error { return random.Bernoulli(g, dst, a) })
	})
}
