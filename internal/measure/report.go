package measure

import (
	"fmt"
	"math"
	"slices"
)

// A Report is what Interleave found.
type Report struct {
	GHz     float64  // the clock frequency in the median round
	Results []Result // in the contenders' order
}

// A Result has the times of one contender.
type Result struct {
	Name  string
	Bytes int
	Times []float64 // nanoseconds a call, one for each round
}

// Find returns the result of the contender called name.
func (r Report) Find(name string) (Result, bool) {
	i := slices.IndexFunc(r.Results, func(x Result) bool { return x.Name == name })
	if i < 0 {
		return Result{}, false
	}
	return r.Results[i], true
}

// Median returns the nanoseconds that a call takes in the median round.
func (x Result) Median() float64 { return median(x.Times) }

// GBps returns the throughput of the median round, in 10^9 bytes a second.
func (x Result) GBps() float64 { return float64(x.Bytes) / x.Median() }

// Cycles64 returns the cycles that 64 bytes of x take in the median round.
func (r Report) Cycles64(x Result) float64 {
	return 64 * r.GHz / x.GBps()
}

// Ratio says how many times as fast as b a makes its bytes: the median over the
// rounds of the ratio within a round. It panics unless both have the same rounds.
func Ratio(a, b Result) float64 {
	if len(a.Times) != len(b.Times) {
		panic(fmt.Sprintf("measure: Ratio: %q has %d rounds and %q has %d", a.Name, len(a.Times), b.Name, len(b.Times)))
	}
	ratios := make([]float64, len(a.Times))
	for i := range ratios {
		ratios[i] = b.Times[i] / float64(b.Bytes) / (a.Times[i] / float64(a.Bytes))
	}
	return median(ratios)
}

// median returns the middle of x, or the mean of the middle two.
func median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// SizeName returns a number of bytes as people write it, in the largest unit that
// divides it: 4 KiB.
func SizeName(bytes int) string {
	for _, unit := range []struct {
		name string
		size int
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if bytes >= unit.size && bytes%unit.size == 0 {
			return fmt.Sprint(bytes/unit.size, " ", unit.name)
		}
	}
	return fmt.Sprint(bytes, " B")
}
