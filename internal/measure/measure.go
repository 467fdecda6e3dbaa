// Package measure times things beside each other on a machine that others use
// too. A time alone says little there, since the next one may be twice as long. So
// everything is timed in turn, many times over, and what is compared was timed in
// the same round.
package measure

import (
	"context"
	"fmt"
	"time"
)

// A Contender is one thing to time.
type Contender struct {
	Name  string          // differs from the others'
	Bytes int             // that one call makes
	Run   func(times int) // calls it times times
}

// Options say how long to measure.
type Options struct {
	Rounds int // times of every contender
	// Slice is how long one timing lasts at least: calls are repeated to fill it. A
	// tenth of a millisecond is long beside looking at the clock, and short enough
	// that also on a busy machine most timings are not interrupted.
	Slice time.Duration
	// Progress, unless nil, is told after every step how many of all steps are
	// done.
	Progress func(done, total int)
}

// longCall is the time from which a call gets no untimed call before the timed
// one: what that brings into the caches, or wakes, is nothing beside it.
const longCall = 5 * time.Millisecond

// Interleave times the contenders: in every round each of them once, in their
// order, after an untimed call. Before, it finds how often each must be called to
// fill a slice. It stops with the context's cause if that is done.
func Interleave(ctx context.Context, cs []Contender, o Options) (Report, error) {
	start := time.Now()
	m := meter{
		now:   func() time.Duration { return time.Since(start) },
		chain: func(cycles int) { chained += chain(cycles) },
	}
	return m.interleave(ctx, cs, o)
}

// A meter is where time comes from.
type meter struct {
	now   func() time.Duration
	chain func(cycles int) // takes that long
}

func (m meter) interleave(ctx context.Context, cs []Contender, o Options) (Report, error) {
	if err := check(cs, o); err != nil {
		return Report{}, err
	}
	done := 0
	step := func() {
		if done++; o.Progress != nil {
			o.Progress(done, len(cs)*(1+o.Rounds))
		}
	}
	report := Report{Results: make([]Result, len(cs))}
	plans := make([]plan, len(cs))
	for i, c := range cs {
		if ctx.Err() != nil {
			return Report{}, context.Cause(ctx)
		}
		plans[i] = m.plan(c, o.Slice)
		report.Results[i] = Result{Name: c.Name, Bytes: c.Bytes, Times: make([]float64, 0, o.Rounds)}
		step()
	}
	frequencies := make([]float64, 0, o.Rounds)
	for range o.Rounds {
		frequencies = append(frequencies, m.frequency())
		for i, c := range cs {
			if ctx.Err() != nil {
				return Report{}, context.Cause(ctx)
			}
			r := &report.Results[i]
			r.Times = append(r.Times, m.nsPerCall(c, plans[i]))
			step()
		}
	}
	report.GHz = median(frequencies)
	return report, nil
}

func check(cs []Contender, o Options) error {
	switch {
	case len(cs) == 0:
		return fmt.Errorf("measure: contenders: there must be one at least")
	case o.Rounds < 1:
		return fmt.Errorf("measure: rounds = %d: must be at least 1", o.Rounds)
	case o.Slice <= 0:
		return fmt.Errorf("measure: slice = %v: must be positive", o.Slice)
	}
	seen := map[string]bool{}
	for i, c := range cs {
		switch {
		case c.Name == "":
			return fmt.Errorf("measure: contender %d: must have a name", i)
		case seen[c.Name]:
			return fmt.Errorf("measure: contender %q: must not be there twice", c.Name)
		case c.Bytes < 1:
			return fmt.Errorf("measure: contender %q: bytes = %d: must be positive", c.Name, c.Bytes)
		case c.Run == nil:
			return fmt.Errorf("measure: contender %q: Run must not be nil", c.Name)
		}
		seen[c.Name] = true
	}
	return nil
}

// A plan is how often a contender is called for one time, and before it.
type plan struct{ times, warm int }

// plan makes calls until they fill a slice. What counts is the faster of two runs:
// an interruption must not make a short call look long.
func (m meter) plan(c Contender, slice time.Duration) plan {
	times := 1
	for {
		took := min(m.time(c.Run, times), m.time(c.Run, times))
		if took >= slice {
			call := took / time.Duration(times)
			if call >= longCall {
				return plan{times: times}
			}
			return plan{times: times, warm: max(1, times/8)}
		}
		// A little more than what is missing, so that few steps are needed, and no
		// more than 100 times as much, because short runs are inexact.
		more := 100.0
		if took > 0 {
			more = min(more, 1.1*float64(slice)/float64(took))
		}
		times = max(times+1, int(float64(times)*more))
	}
}

func (m meter) time(run func(int), times int) time.Duration {
	from := m.now()
	run(times)
	return m.now() - from
}

func (m meter) nsPerCall(c Contender, p plan) float64 {
	if p.warm > 0 {
		c.Run(p.warm)
	}
	return float64(m.time(c.Run, p.times)) / float64(p.times)
}
