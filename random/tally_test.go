package random_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/statistics"
	"github.com/philox-go/rng/random"
)

const (
	// limit is what the statistics of an operator must stay within, in standard errors:
	// it is exceeded once in 16000 times. What is biased must exceed it.
	limit = 4.0
	// bias is how far off mutants are made for one statistic.
	bias = 8.0
	// manyElements is how many of each operator are looked at.
	manyElements = 1 << 20
	// fewestMutants is how few of them mutants are made of, or all if these are fewer.
	fewestMutants = 1 << 16
	// tailElements is how many of these are expected in a tail.
	tailElements = 32
	// chunk is how many are made at a time.
	chunk = 1 << 12
	lags  = 4
)

// elements is manyElements, or a part of it where each takes longer.
func elements() int {
	switch {
	case testing.Short(): // an emulator
		return manyElements / 64
	case statistics.RaceDetector():
		return manyElements / 16
	}
	return manyElements
}

// mutantElements is how many of them mutants are made of.
func mutantElements() int { return min(elements(), max(elements()/4, fewestMutants)) }

// A law is an exact distribution, in bins. The first and the last one are tails.
type law[T any] struct {
	bins      []float64 // their probabilities
	see       func(x T) seen
	kurtosis  float64 // the fourth moment of seen.value, or NaN if that has no variance
	unordered bool    // values have no order that matters
}

// seen is what the statistics need of an element.
type seen struct {
	bin   int     // or less than 0 if it is none that there may be
	score float64 // standardised rank: mean 0, variance 1
	value float64 // standardised value: mean 0, variance 1
}

// A tally is what the statistics need of a sample.
type tally struct {
	n            float64
	outside      int
	counts       []float64
	sum, squares float64
	products     [lags + 1]float64 // of scores, by lag
	pairs        [lags + 1]float64
}

func (t *tally) add(s []seen) {
	t.addCounts(s)
	t.addMoments(s)
	t.n += float64(len(s))
}

func (t *tally) addCounts(s []seen) {
	for i := range s {
		if bin := s[i].bin; bin >= 0 {
			t.counts[bin]++
		} else {
			t.outside++
		}
	}
}

func (t *tally) addMoments(s []seen) {
	var sum, squares float64
	for i := range s {
		v := s[i].value
		sum += v
		squares += v * v
	}
	t.sum += sum
	t.squares += squares
}

// addFor adds what one statistic needs.
func (t *tally) addFor(of statistic, s []seen) {
	switch {
	case of > neighbours:
		t.addProducts(int(of-neighbours), s)
	case of == mean || of == variance:
		t.addMoments(s)
	default:
		t.addCounts(s)
	}
	t.n += float64(len(s))
}

func (t *tally) addProducts(lag int, s []seen) {
	sum := 0.0
	for i := lag; i < len(s); i++ {
		sum += s[i].score * s[i-lag].score
	}
	t.products[lag] += sum
	t.pairs[lag] += float64(len(s) - lag)
}

// addAllProducts is addProducts of all lags.
func (t *tally) addAllProducts(s []seen) {
	var a, b, c, d float64 // the scores before
	var sums [lags]float64
	for i := range s {
		x := s[i].score
		sums[0] += x * a
		sums[1] += x * b
		sums[2] += x * c
		sums[3] += x * d
		a, b, c, d = x, a, b, c
	}
	for i, sum := range sums {
		t.products[i+1] += sum
		t.pairs[i+1] += float64(len(s) - i - 1)
	}
}

// A statistic is how far off a sample is, in standard errors.
type statistic int

const (
	distribution statistic = iota // chi-square
	distance                      // Kolmogorov and Smirnov's
	mean
	variance
	lowTail
	highTail
	neighbours     // the correlation of ranks at a lag is neighbours+lag
	statisticCount = neighbours + lags + 1
	impossible     = statistic(-1) // elements that there may not be
)

func (s statistic) String() string {
	switch {
	case s == impossible:
		return "impossible"
	case s > neighbours:
		return fmt.Sprintf("neighbours %d apart", s-neighbours)
	}
	return [...]string{"distribution", "distance", "mean", "variance", "low tail", "high tail"}[s]
}

// has reports whether a law has a statistic.
func (l *law[T]) has(s statistic) bool {
	switch s {
	case distance:
		return !l.unordered && l.spread() > 0.1
	case mean:
		return !math.IsNaN(l.kurtosis)
	case variance: // that of two values follows from their mean
		return !math.IsNaN(l.kurtosis) && len(l.bins) > 2
	case neighbours:
		return false
	}
	return true
}

// below is the probability of the bins before one.
func (l *law[T]) below() []float64 {
	sums := make([]float64, len(l.bins))
	for i, p := range l.bins[:len(l.bins)-1] {
		sums[i+1] = sums[i] + p
	}
	return sums
}

// spread is the largest p(1-p) of the probability below a bin.
func (l *law[T]) spread() (most float64) {
	for _, p := range l.below() {
		most = max(most, p*(1-p))
	}
	return most
}

// sigmas is what a statistic is of a tally.
func (l *law[T]) sigmas(s statistic, t *tally) float64 {
	last := len(l.bins) - 1
	switch s {
	case distribution:
		return statistics.ChiSquare(t.counts, t.n, func(bin int) float64 { return l.bins[bin] })
	case distance:
		below := l.below()
		return statistics.Distance(t.counts, t.n, func(bin int) float64 { return below[bin] })
	case mean:
		return t.sum / math.Sqrt(t.n)
	case variance:
		return (t.squares - t.n) / math.Sqrt(t.n*(l.kurtosis-1))
	case lowTail:
		return statistics.Binomial(t.counts[0], t.n, l.bins[0])
	case highTail:
		return statistics.Binomial(t.counts[last], t.n, l.bins[last])
	}
	return t.products[s-neighbours] / math.Sqrt(t.pairs[s-neighbours])
}

// A fill is a call of an operator, or of what is nearly one.
type fill[T any] func(g *random.Generator, dst []T) error

// A bug is an operator with a mistake that might be made. Some statistic must find it.
type bug[T any] struct {
	name string
	fill fill[T]
}

// A subject is an operator with arguments.
type subject[T any] struct {
	law  *law[T]
	fill fill[T]
	bugs []bug[T]
}

// A mutant biases what is seen of a chunk of the operator's elements, for one statistic
// to find. Each is of the size that the statistic finds with some bias standard errors.
type mutant struct {
	of   statistic
	name string
	make func(to, from []seen)
}

// every is how often a mutant changes an element to change a share of them: an odd
// number, so that all places in blocks are changed.
func every(share float64) int { return int(1/share) | 1 }

// mutants are those of a law. sample is a first look at its elements.
func (l *law[T]) mutants(n float64, sample []seen) (all []mutant) {
	add := func(of statistic, share float64, change func(to, from []seen, i int)) {
		if !l.has(of) {
			return
		}
		step := every(share)
		all = append(all, mutant{of, fmt.Sprintf("1 of %d", step), func(to, from []seen) {
			copy(to, from)
			for i := step / 2; i < len(to); i += step {
				change(to, from, i)
			}
		}})
	}
	root := math.Sqrt(n)

	// Some elements are all the same.
	stuck := sample[0]
	p := l.bins[stuck.bin]
	off := bias*math.Sqrt(2*float64(len(l.bins)-1)) + bias*bias/2
	add(distribution, math.Sqrt(off*p/(1-p)/n), func(to, _ []seen, i int) { to[i] = stuck })

	// Some are the lesser one of two, or the middle one of three.
	lesser := func(to, from []seen, i int) {
		if next := from[(i+1)%len(from)]; next.score < to[i].score {
			to[i] = next
		}
	}
	middle := func(to, from []seen, i int) {
		a, b, c := from[i], from[(i+1)%len(from)], from[(i+2)%len(from)]
		if a.score > b.score {
			a, b = b, a
		}
		switch {
		case c.score < a.score:
			b = a
		case c.score < b.score:
			b = c
		}
		to[i] = b
	}
	add(distance, bias*2.744/statistics.Limit/l.spread()/root, lesser)
	var lessMean, lessVariance float64
	if l.has(mean) {
		changed := make([]seen, len(sample))
		for i := range sample {
			copy(changed[i:i+1], sample[i:])
			lesser(changed, sample, i)
			lessMean += (sample[i].value - changed[i].value) / float64(len(sample))
			middle(changed, sample, i)
			lessVariance += (sample[i].value*sample[i].value - changed[i].value*changed[i].value) / float64(len(sample))
		}
	}
	add(mean, bias/lessMean/root, lesser)
	add(variance, bias*math.Sqrt(l.kurtosis-1)/lessVariance/root, middle)

	// Tails lose elements to the rest, perhaps all that they have.
	for of := lowTail; of <= highTail; of++ {
		end, inner := 0, 1
		if of == highTail {
			end = len(l.bins) - 1
			inner = end - 1
		}
		p := l.bins[end]
		step := max(1, int(n*p/(bias*math.Sqrt(n*p*(1-p)))))
		met := 0
		all = append(all, mutant{of, fmt.Sprintf("without 1 of %d", step), func(to, from []seen) {
			other := seen{bin: inner}
			for i, s := range from {
				if s.bin != end {
					other = s
				} else if met++; met%step == 0 {
					s = other
				}
				to[i] = s
			}
		}})
	}

	// Some are copies of earlier ones.
	for lag := 1; lag <= lags; lag++ {
		add(neighbours+statistic(lag), bias/root, func(to, from []seen, i int) { to[i] = from[max(0, i-lag)] })
	}
	return all
}

func (l *law[T]) tally() *tally { return &tally{counts: make([]float64, len(l.bins))} }

// look makes the elements of a fill, chunk by chunk.
func (l *law[T]) look(t testing.TB, g *random.Generator, n int, fill fill[T], see func(s []seen)) {
	dst, s := make([]T, chunk), make([]seen, chunk)
	for range n / chunk {
		require.NoError(t, fill(g, dst))
		for i, x := range dst {
			s[i] = l.see(x)
		}
		see(s)
	}
}

// check checks an operator, that each statistic finds its mutant, and that bugs are
// found. The seeds are fixed, and so are all results.
func (s *subject[T]) check(t *testing.T, seed uint64) {
	t.Parallel()
	n, l := elements(), s.law
	total := 0.0
	for _, p := range l.bins {
		total += p
	}
	require.InDelta(t, 1, total, 1e-9, "probabilities")

	fair := l.tally()
	var mutants []mutant
	var tallies []*tally
	changed := make([]seen, chunk)
	l.look(t, at(t, seed, 0, 0), n, s.fill, func(s []seen) {
		if fair.n == 0 {
			if s[0].bin < 0 {
				fair.outside++
				return
			}
			mutants = l.mutants(float64(mutantElements()), s)
			for range mutants {
				tallies = append(tallies, l.tally())
			}
		}
		fair.add(s)
		fair.addAllProducts(s)
		if fair.n > float64(mutantElements()) {
			return
		}
		for i, m := range mutants {
			m.make(changed, s)
			tallies[i].addFor(m.of, changed)
		}
	})
	require.Zero(t, fair.outside, "elements that there may not be")
	for of := range statisticCount {
		if l.has(of) {
			got := l.sigmas(of, fair)
			t.Logf("%-18v %6.2f", of, got)
			assert.LessOrEqual(t, math.Abs(got), limit, "%v", of)
		}
	}
	for i, m := range mutants {
		got := l.sigmas(m.of, tallies[i])
		t.Logf("%-18v %6.2f of a mutant, %s", m.of, got, m.name)
		assert.Greater(t, math.Abs(got), limit, "%v of a mutant, %s, passes", m.of, m.name)
	}
	if n < manyElements { // the bugs are as small as that
		return
	}
	for _, b := range s.bugs {
		got, by := l.worst(t, at(t, seed+1, 0, 0), n, b.fill)
		t.Logf("%-18v %6.2f of a bug, %s", by, got, b.name)
		assert.Greater(t, got, limit, "a bug passes: %s", b.name)
	}
}

// worst is how far off n elements are, or already a quarter of them, and by which
// statistic. Those that there may not be are infinitely so.
func (l *law[T]) worst(t testing.TB, g *random.Generator, n int, fill fill[T]) (worst float64, by statistic) {
	biased := l.tally()
	for _, part := range []int{n / 4, n - n/4} {
		l.look(t, g, part, fill, biased.add)
		if biased.outside > 0 {
			return math.Inf(1), impossible
		}
		worst = 0
		for of := range neighbours {
			if l.has(of) {
				if got := math.Abs(l.sigmas(of, biased)); got > worst {
					worst, by = got, of
				}
			}
		}
		if worst > limit {
			break
		}
	}
	return worst, by
}
