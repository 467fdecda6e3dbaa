package normal_test

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/fill"
	"github.com/philox-go/rng/internal/stack"
	"github.com/philox-go/rng/internal/started"
	"github.com/philox-go/rng/normal"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/skip"
)

// firsts are elements at which a fill may begin: in every place of a block, and where
// the index is about to leave 32, 62, 63 and 64 bits.
var firsts = []uint64{0, 1, 2, 3, 5, 1<<32 - 1, 1 << 32, 1<<62 - 2, 1 << 62, 1<<63 - 3, ones64 - 7, ones64 - 2, ones64}

func testFills[T float](t *testing.T, w *width[T]) {
	const longest = 300
	step := 1
	if raceEnabled || testing.Short() {
		step = 7
	}
	canary := T(math.Inf(1))
	mem := make([]T, longest+2)
	for _, s := range starts {
		for _, first := range firsts {
			all := w.want(s, longest, first)
			for n := 0; n <= longest; n += step {
				dst := mem[1 : n+1]
				mem[0], mem[n+1] = canary, canary
				w.at(s, dst, first)
				sameBits(t, all[:n], dst, "%v, n = %d, first = %d", s.Counter(), n, first)
				require.True(t, mem[0] == canary && mem[n+1] == canary, "n = %d, first = %d: beside", n, first)
				if first == 0 {
					clear(dst)
					w.fill(s, dst)
					sameBits(t, all[:n], dst, "%v, n = %d", s.Counter(), n)
				}
			}
		}
	}
}

func TestFillsOfEveryLength(t *testing.T) { both(t, testFills, testFills) }

func testScaled[T float](t *testing.T, w *width[T], largest T) {
	negative := T(math.Copysign(0, -1))
	for _, a := range []struct{ mean, std T }{
		{0, 1}, {0, 0}, {3, 0}, {negative, 0}, {0, negative}, {-2.5, 1.25}, {1e-30, 1e-38}, {170, 7.5}, {1, 1e-9},
		{0, largest / 16}, {largest, 1}, {-largest, largest},
	} {
		for _, s := range starts[:2] {
			for _, first := range []uint64{0, 1, 7, 1<<32 - 3, ones64 - 20} {
				for _, n := range []int{0, 1, 2, 3, 8, 15, 16, 17, 31, 64, 127, 300} {
					want := w.scale(w.want(s, n, first), a.mean, a.std)
					got := make([]T, n)
					require.NoError(t, w.scaledAt(s, got, first, a.mean, a.std))
					sameBits(t, want, got, "mean %v, std %v, n = %d, first = %d", a.mean, a.std, n, first)
					if first == 0 {
						clear(got)
						require.NoError(t, w.scaled(s, got, a.mean, a.std))
						sameBits(t, want, got, "mean %v, std %v, n = %d", a.mean, a.std, n)
					}
				}
			}
		}
	}
	// Below the largest number nothing overflows.
	x := make([]T, reduced(100_000))
	require.NoError(t, w.scaled(starts[0], x, largest/2, largest/20))
	for _, v := range x {
		require.False(t, math.IsInf(float64(v), 0))
	}
}

func TestScaled(t *testing.T) {
	both(t,
		func(t *testing.T, w *width[float32]) { testScaled(t, w, math.MaxFloat32) },
		func(t *testing.T, w *width[float64]) { testScaled(t, w, math.MaxFloat64) })
}

func testArguments[T float](t *testing.T, w *width[T]) {
	nan, inf := T(math.NaN()), T(math.Inf(1))
	const mean, std = "must be a finite number", "must be a finite number of at least 0"
	for _, tt := range []struct {
		mean, std T
		want      skip.ArgumentError
	}{
		{nan, 1, skip.ArgumentError{Package: "normal", Arg: "mean", Value: "NaN", Reason: mean}},
		{inf, 1, skip.ArgumentError{Package: "normal", Arg: "mean", Value: "+Inf", Reason: mean}},
		{-inf, 1, skip.ArgumentError{Package: "normal", Arg: "mean", Value: "-Inf", Reason: mean}},
		{inf, -1, skip.ArgumentError{Package: "normal", Arg: "mean", Value: "+Inf", Reason: mean}},
		{0, nan, skip.ArgumentError{Package: "normal", Arg: "std", Value: "NaN", Reason: std}},
		{0, inf, skip.ArgumentError{Package: "normal", Arg: "std", Value: "+Inf", Reason: std}},
		{0, -inf, skip.ArgumentError{Package: "normal", Arg: "std", Value: "-Inf", Reason: std}},
		{0, -0.1, skip.ArgumentError{Package: "normal", Arg: "std", Value: "-0.1", Reason: std}},
	} {
		for _, n := range []int{0, 1, 100} {
			x := make([]T, n)
			for _, err := range []error{w.scaled(starts[0], x, tt.mean, tt.std), w.scaledAt(starts[0], x, 3, tt.mean, tt.std)} {
				var arg *skip.ArgumentError
				require.True(t, errors.As(err, &arg), "mean %v, std %v: %v", tt.mean, tt.std, err)
				assert.Equal(t, tt.want, *arg)
			}
			assert.Equal(t, make([]T, n), x, "something was written")
		}
	}
}

func TestArguments(t *testing.T) { both(t, testArguments, testArguments) }

func testGoroutines[T float](t *testing.T, w *width[T]) {
	n := fill.Threshold(w.kind)/w.kind.Size() + 1003
	s := philox.NewAt(philox.NewKey(52), philox.Counter{ones32 - 20_000, ones32, ones32, 4})
	want := w.want(s, n, 1)
	scaled := w.scale(want, 3, 2)
	got := make([]T, n)
	for _, procs := range []int{1, 2, 7} {
		t.Run(fmt.Sprint(procs), func(t *testing.T) {
			setProcs(t, procs)
			for _, limit := range []int{0, 1, 2, 5} {
				clear(got)
				w.at(s.WithMaxGoroutines(limit), got, 1)
				sameBits(t, want, got, "GOMAXPROCS = %d, limit %d", procs, limit)
			}
			require.NoError(t, w.scaledAt(s, got, 1, 3, 2))
			sameBits(t, scaled, got, "GOMAXPROCS = %d", procs)
		})
	}
}

func TestGoroutines(t *testing.T) { both(t, testGoroutines, testGoroutines) }

// A fill in the caller's goroutine alone starts no other.
func testMaxGoroutines[T float](t *testing.T, w *width[T]) {
	setProcs(t, 3)
	runtime.GC() // the collector starts its workers once
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	x := make([]T, fill.Threshold(w.kind)/w.kind.Size())
	for _, tt := range []struct{ limit, others int }{{0, 2}, {1, 0}, {2, 1}} {
		if !stack.Known { // then no fill is shared
			tt.others = 0
		}
		before := started.Goroutines(t)
		w.fill(starts[0].WithMaxGoroutines(tt.limit), x)
		assert.EqualValues(t, tt.others, started.Goroutines(t)-before, "limit %d", tt.limit)
	}
}

func TestMaxGoroutines(t *testing.T) { both(t, testMaxGoroutines, testMaxGoroutines) }

var sink float64

// The slices are of arrays on the stack, so the fills may not let them escape either.
// Each call is written out: through a func value any slice escapes.
func TestFillsDoNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates for its own ends; the same test runs without it")
	}
	s := philox.New(1)
	for name, f := range map[string]func(){
		"FillFloat32": func() {
			var x [1000]float32
			normal.FillFloat32(s, x[:])
			normal.FillFloat32At(s, x[:], 7)
			sink += float64(x[9])
		},
		"FillScaledFloat32": func() {
			var x [1000]float32
			_ = normal.FillScaledFloat32(s, x[:], 1, 2)
			_ = normal.FillScaledFloat32At(s, x[:], 7, 1, 2)
			sink += float64(x[9])
		},
		"FillFloat64": func() {
			var x [1000]float64
			normal.FillFloat64(s, x[:])
			normal.FillFloat64At(s, x[:], 7)
			sink += x[9]
		},
		"FillScaledFloat64": func() {
			var x [1000]float64
			_ = normal.FillScaledFloat64(s, x[:], 1, 2)
			_ = normal.FillScaledFloat64At(s, x[:], 7, 1, 2)
			sink += x[9]
		},
		"FillTruncatedFloat32": func() {
			var x [3000]float32
			_ = normal.FillTruncatedFloat32(s, x[:], 0, 1, -2, 2)
			_ = normal.FillTruncatedFloat32At(s, x[:], 7, 0, 1, 3, 4)
			sink += float64(x[9])
		},
		"FillTruncatedFloat64": func() {
			var x [3000]float64
			_ = normal.FillTruncatedFloat64(s, x[:], 0, 1, -2, 2)
			_ = normal.FillTruncatedFloat64At(s, x[:], 7, 0, 1, 3, 4)
			sink += x[9]
		},
	} {
		assert.Zero(t, testing.AllocsPerRun(100, f), "%s", name)
	}
}
