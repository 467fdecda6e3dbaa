package statistics

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The bounds of rare events are those of Poisson's distribution.
func TestBinomial(t *testing.T) {
	for _, c := range []struct{ count, n, p, want float64 }{
		{0, 100, 0.2, -5.8844}, // e^-20
		{1, 1, 0.001, 3.0904},  // 1 - e^-0.001
		{1e6 + 5000, 2e6, 0.5, 5000 / math.Sqrt(5e5)},
	} {
		assert.InDelta(t, c.want, Binomial(c.count, c.n, c.p), 0.02, "%v", c)
	}
}

// The wanted numbers are of tables: the chi-square that so much of the probability is
// beyond.
func TestChiSquare(t *testing.T) {
	for _, c := range []struct{ bins, square, beyond float64 }{
		{2, 10.828, 0.001},
		{11, 29.588, 0.001},
		{101, 149.449, 0.001},
		{101, 100 * (1 - 2.0/900), 0.5},
		{101, 61.918, 0.999},
	} {
		// Two bins are off by as much, and all others are as expected.
		const n = 1e6
		counts := make([]float64, int(c.bins))
		for i := range counts {
			counts[i] = n / c.bins
		}
		off := math.Sqrt(c.square / 2 * n / c.bins)
		counts[0] += off
		counts[1] -= off
		got := ChiSquare(counts, n, func(int) float64 { return 1 / c.bins })
		assert.InDelta(t, math.Sqrt2*math.Erfcinv(2*c.beyond), got, 0.1, "%v", c)
	}
}

// A step of one of four bins, and the limit.
func TestDistance(t *testing.T) {
	got := Distance([]float64{30, 20, 25, 25}, 100, func(bin int) float64 { return float64(bin) / 4 })
	assert.InDelta(t, 0.05*10*5/2.744, got, 1e-9)
	assert.InEpsilon(t, math.Erfc(Limit/math.Sqrt2), 2*math.Exp(-2*kolmogorov*kolmogorov), 0.01)
}

func TestOrder(t *testing.T) {
	assert.Equal(t, 0, Order([]uint8{}))
	assert.Equal(t, 0, Order([]uint32{0}))
	for i, x := range [][]uint8{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		assert.Equal(t, i, Order(x))
	}
	assert.Equal(t, 23, Order([]uint32{3, 2, 1, 0}))
}
