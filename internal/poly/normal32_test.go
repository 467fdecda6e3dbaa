package poly

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The polynomials are as good as their comments say: the error of the coefficients,
// evaluated in float64, over the whole range. A quarter less must not hold, so that a
// test that looks in the wrong place would show.
func TestErrorsOfTheFloat32Polynomials(t *testing.T) {
	value := func(p []float32, x float64) (v float64) {
		for i := len(p) - 1; i >= 0; i-- {
			v = v*x + float64(p[i])
		}
		return v
	}
	const n = 100_000
	var log, sin, cos float64
	for i := 1; i <= n; i++ {
		g := float64(i) / n
		exact := -2 * math.Log1p(-g/2)
		log = max(log, math.Abs((g+g*g*value(LogPoly32[:], g))/exact-1))
		x := g / 2
		s, c := math.Sincos(math.Pi / 2 * x)
		sin = max(sin, math.Abs((x*SinLead32+x*value(SinPoly32[:], x*x))/s-1))
		cos = max(cos, math.Abs(value(CosPoly32[:], x*x)/c-1))
	}
	for _, e := range []struct {
		name        string
		got, states float64
	}{{"log", log, 2.7e-8}, {"sin", sin, 8.5e-9}, {"cos", cos, 2.1e-9}} {
		assert.LessOrEqual(t, e.got, e.states, e.name)
		assert.Greater(t, e.got, 0.75*e.states, e.name)
	}
	const twoLn2 = 2 * math.Ln2
	assert.InDelta(t, 2.8e-9, math.Abs(TwoLn2For32/twoLn2-1), 1e-10)
}
