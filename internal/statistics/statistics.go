// Package statistics has what the statistical tests of the packages that make numbers
// have in common. A statistic is in standard errors or, where it is not normal, in what
// is as improbable, so that one limit serves for all.
package statistics

import (
	"math"
	"runtime/debug"
	"sync"
)

const (
	// Limit is what statistics of long streams must stay within.
	Limit = 5.0
	// kolmogorov is the limit of sqrt(n) times the distance of distributions that is
	// as improbable: 2 exp(-2 x^2) = erfc(5/sqrt 2).
	kolmogorov = 2.744
)

// Binomial says how improbable it is that count of n, each with probability p, are as
// many or as few: in standard errors of a normal. Where few are expected it is Poisson's.
func Binomial(count, n, p float64) float64 {
	mean := n * p
	if mean > 1000 {
		return (count - mean) / math.Sqrt(mean*(1-p))
	}
	step := 1.0
	if count < mean {
		step = -1
	}
	sum := 0.0
	for k := count; k >= 0; k += step {
		lg, _ := math.Lgamma(k + 1)
		term := math.Exp(k*math.Log(mean) - mean - lg)
		if sum += term; term < 1e-9*sum || term == 0 {
			break
		}
	}
	return step * math.Sqrt2 * math.Erfcinv(2*min(0.5, max(sum, 1e-300)))
}

// Distance is Kolmogorov and Smirnov's, at the edges of bins: below(i) is the
// probability of what is in the bins before bin i.
func Distance(counts []float64, n float64, below func(bin int) float64) float64 {
	worst, count := 0.0, 0.0
	for i := 1; i < len(counts); i++ {
		count += counts[i-1]
		worst = max(worst, math.Abs(count/n-below(i)))
	}
	return worst * math.Sqrt(n) * Limit / kolmogorov
}

// ChiSquare compares counts of n in all with the probabilities of their bins. It is
// negative where they agree better than chance would have it.
func ChiSquare(counts []float64, n float64, probability func(bin int) float64) float64 {
	square := 0.0
	for i, count := range counts {
		want := n * probability(i)
		d := count - want
		square += d * d / want
	}
	// Wilson and Hilferty: the cube root is nearly normal.
	freedom := float64(len(counts) - 1)
	v := 2 / (9 * freedom)
	return (math.Cbrt(square/freedom) - (1 - v)) / math.Sqrt(v)
}

// Order numbers the orders of the integers from 0 on, from 0 for the ascending one to n!-1.
func Order[T ~uint8 | ~uint32](x []T) (number int) {
	for i, v := range x {
		smaller := 0
		for _, w := range x[i:] {
			if w < v {
				smaller++
			}
		}
		number = number*(len(x)-i) + smaller
	}
	return number
}

// RaceDetector reports whether the program was built with the race detector.
var RaceDetector = sync.OnceValue(func() bool {
	info, _ := debug.ReadBuildInfo()
	for _, s := range info.Settings {
		if s.Key == "-race" {
			return s.Value == "true"
		}
	}
	return false
})
