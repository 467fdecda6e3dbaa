package measure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A fake is a clock that only work moves on, at 2 GHz, and the calls that were
// made.
type fake struct {
	clock time.Duration
	calls []string
}

func (f *fake) meter() meter {
	return meter{
		now: func() time.Duration { return f.clock },
		chain: func(cycles int) {
			f.calls = append(f.calls, "chain")
			f.clock += time.Duration(cycles) / 2
		},
	}
}

// contender returns one whose calls take what cost says, after the calls before.
func (f *fake) contender(name string, bytes int, cost func(call int) time.Duration) Contender {
	call := 0
	return Contender{Name: name, Bytes: bytes, Run: func(times int) {
		f.calls = append(f.calls, fmt.Sprint(name, " ", times))
		for range times {
			f.clock += cost(call)
			call++
		}
	}}
}

func always(d time.Duration) func(int) time.Duration {
	return func(int) time.Duration { return d }
}

func TestInterleaveOrder(t *testing.T) {
	var f fake
	cs := []Contender{
		f.contender("short", 100, always(3*time.Microsecond)),
		f.contender("medium", 100, always(2*time.Millisecond)),
		f.contender("long", 100, always(longCall)),
	}
	var steps []int
	got, err := f.meter().interleave(t.Context(), cs, Options{Rounds: 2, Slice: time.Millisecond, Progress: func(done, total int) {
		assert.Equal(t, 9, total)
		steps = append(steps, done)
	}})
	require.NoError(t, err)
	assert.Equal(t, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}, steps)
	plans := []string{"short 1", "short 1", "short 100", "short 100", "short 366", "short 366", "medium 1", "medium 1", "long 1", "long 1"}
	round := []string{"chain", "chain", "chain", "short 45", "short 366", "medium 1", "medium 1", "long 1"}
	assert.Equal(t, append(append(plans, round...), round...), f.calls)
	assert.Equal(t, Report{GHz: 2, Results: []Result{
		{Name: "short", Bytes: 100, Times: []float64{3e3, 3e3}},
		{Name: "medium", Bytes: 100, Times: []float64{2e6, 2e6}},
		{Name: "long", Bytes: 100, Times: []float64{5e6, 5e6}},
	}}, got)
}

// An interruption while calls are planned must not make a slice of one short call.
func TestPlanOutlivesInterruption(t *testing.T) {
	for interrupted := range 4 {
		var f fake
		p := f.meter().plan(f.contender("x", 1, func(call int) time.Duration {
			if call == interrupted {
				return time.Second
			}
			return time.Microsecond
		}), time.Millisecond)
		assert.GreaterOrEqual(t, p.times, 1000, "call %d", interrupted)
		assert.LessOrEqual(t, p.times, 2000, "call %d", interrupted)
	}
}

// Calls a little shorter than a slice must not keep the plan at one call for ever.
func TestPlanGrows(t *testing.T) {
	var f fake
	assert.Equal(t, plan{times: 2, warm: 1}, f.meter().plan(f.contender("x", 1, always(999*time.Microsecond)), time.Millisecond))
}

// A clock that does not move between two looks must not stop the plan.
func TestPlanOfUnmeasurablyShortCalls(t *testing.T) {
	clock, calls := time.Duration(0), 0
	m := meter{now: func() time.Duration { return clock }}
	p := m.plan(Contender{Name: "x", Bytes: 1, Run: func(times int) {
		calls += times
		clock = time.Duration(calls/1000) * time.Microsecond
	}}, time.Millisecond)
	assert.GreaterOrEqual(t, p.times, 990_000)
}

func TestFrequencyIsOfTheFastestChain(t *testing.T) {
	var clock time.Duration
	took := []time.Duration{5 * chainCycles, chainCycles / 4, 2 * chainCycles}
	m := meter{
		now:   func() time.Duration { return clock },
		chain: func(int) { clock, took = clock+took[0], took[1:] },
	}
	assert.Equal(t, 4.0, m.frequency())
}

func TestInterleaveErrors(t *testing.T) {
	run := func(int) { assert.Fail(t, "nothing may run") }
	good := Contender{"x", 1, run}
	second := Options{Rounds: 1, Slice: time.Second}
	for want, tt := range map[string]struct {
		cs []Contender
		o  Options
	}{
		"measure: contenders: there must be one at least":      {nil, second},
		"measure: rounds = 0: must be at least 1":              {[]Contender{good}, Options{Slice: time.Second}},
		"measure: rounds = -3: must be at least 1":             {[]Contender{good}, Options{Rounds: -3, Slice: time.Second}},
		"measure: slice = 0s: must be positive":                {[]Contender{good}, Options{Rounds: 1}},
		"measure: slice = -1ns: must be positive":              {[]Contender{good}, Options{Rounds: 1, Slice: -1}},
		"measure: contender 1: must have a name":               {[]Contender{good, {"", 1, run}}, second},
		`measure: contender "x": must not be there twice`:      {[]Contender{good, good}, second},
		`measure: contender "y": bytes = 0: must be positive`:  {[]Contender{good, {"y", 0, run}}, second},
		`measure: contender "y": bytes = -8: must be positive`: {[]Contender{good, {"y", -8, run}}, second},
		`measure: contender "y": Run must not be nil`:          {[]Contender{good, {"y", 1, nil}}, second},
	} {
		got, err := Interleave(t.Context(), tt.cs, tt.o)
		assert.EqualError(t, err, want)
		assert.Zero(t, got)
	}
}

func TestInterleaveStops(t *testing.T) {
	stopped := errors.New("enough")
	for _, last := range []int{0, 1, 2, 5} { // steps: two of planning, then rounds
		ctx, cancel := context.WithCancelCause(t.Context())
		if last == 0 {
			cancel(stopped)
		}
		steps := 0
		var f fake
		cs := []Contender{f.contender("x", 1, always(time.Second)), f.contender("y", 1, always(time.Second))}
		got, err := f.meter().interleave(ctx, cs, Options{Rounds: 9, Slice: 1, Progress: func(done, total int) {
			if steps = done; done == last {
				cancel(stopped)
			}
		}})
		assert.ErrorIs(t, err, stopped)
		assert.Zero(t, got)
		assert.Equal(t, last, steps)
	}
}

func TestResult(t *testing.T) {
	x := Result{Name: "x", Bytes: 100, Times: []float64{50, 10, 20, 400, 25}}
	assert.Equal(t, 25.0, x.Median())
	assert.Equal(t, 4.0, x.GBps())
	assert.Equal(t, []float64{50, 10, 20, 400, 25}, x.Times, "rounds must stay in order")
	assert.Equal(t, 30.0, Result{Times: []float64{40, 1, 20, 90}}.Median())
	assert.True(t, math.IsNaN(Result{}.Median()))
}

func TestReport(t *testing.T) {
	r := Report{GHz: 3, Results: []Result{{Name: "x", Bytes: 32, Times: []float64{8}}, {Name: "y", Bytes: 1, Times: []float64{1}}}}
	y, ok := r.Find("y")
	assert.True(t, ok)
	assert.Equal(t, r.Results[1], y)
	_, ok = r.Find("z")
	assert.False(t, ok)
	assert.Equal(t, 48.0, r.Cycles64(r.Results[0])) // 16 ns for 64 bytes
}

// Rounds differ by far more than the contenders do.
func TestRatioIsPaired(t *testing.T) {
	a := Result{Name: "a", Bytes: 2, Times: []float64{10, 1000, 30, 20, 70}}
	b := Result{Name: "b", Bytes: 1, Times: []float64{20, 2000, 60, 999, 1}}
	assert.InDelta(t, 4, Ratio(a, b), 1e-12)
	assert.InDelta(t, 0.25, Ratio(b, a), 1e-12)
	assert.PanicsWithValue(t, `measure: Ratio: "a" has 5 rounds and "b" has 2`, func() { Ratio(a, Result{Name: "b", Times: b.Times[:2]}) })
}

// Work of a known relation and a known number of cycles, on the real clock.
func TestInterleaveOnThisMachine(t *testing.T) {
	var sink uint64
	work := func(name string, cycles, bytes int) Contender {
		return Contender{Name: name, Bytes: bytes, Run: func(times int) {
			for range times {
				sink += chain(cycles)
			}
		}}
	}
	const slice = 100 * time.Microsecond
	eventually(t, func(t require.TestingT) {
		r, err := Interleave(context.Background(), []Contender{work("one", 1600, 64), work("three", 4800, 64), work("half", 1600, 32)},
			Options{Rounds: 21, Slice: slice})
		require.NoError(t, err)
		one, three, half := r.Results[0], r.Results[1], r.Results[2]
		require.InEpsilon(t, 3, Ratio(one, three), 0.1)
		require.InEpsilon(t, 2, Ratio(one, half), 0.1)
		require.InEpsilon(t, 1600, r.Cycles64(one), 0.2)
		require.InEpsilon(t, 4800, r.Cycles64(three), 0.2)
		require.Greater(t, r.GHz, 0.3)
		require.Less(t, r.GHz, 10.0)
	})
	assert.NotZero(t, sink)
}

// eventually measures again until the figures are right: a machine with other
// work disturbs one measurement or another, and nothing makes wrong code right.
func eventually(t *testing.T, attempt func(require.TestingT)) {
	t.Helper()
	require.EventuallyWithT(t, func(c *assert.CollectT) { attempt(c) }, time.Minute, time.Millisecond)
}

func TestSizeName(t *testing.T) {
	for n, want := range map[int]string{
		0: "0 B", 16: "16 B", 1000: "1000 B", 1 << 10: "1 KiB", 30 << 10: "30 KiB", 1 << 20: "1 MiB", 1<<20 + 1<<10: "1025 KiB", 1 << 30: "1 GiB",
	} {
		assert.Equal(t, want, SizeName(n))
	}
}
