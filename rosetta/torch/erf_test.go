package torch

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Values of Python's math.erf, and those of Go where it is not assembly, to a last place.
func TestErf(t *testing.T) {
	for x, want := range map[float64]float64{
		0: 0, 1: 0x1.af767a741088bp-1, -1: -0x1.af767a741088bp-1, 0.5: 0x1.0a7ef5c18edd2p-1, 2: 0x1.fd9ae142795e3p-1, 5.9: 0x1.fffffffffffffp-1, 7: 1, -9: -1,
	} {
		assert.Equal(t, want, erf(x), "%v", x)
	}
	assert.True(t, math.IsNaN(erf(math.NaN())))
	for x := -6.5; x < 6.5; x += 0.01171875 {
		assert.InDelta(t, math.Erf(x), erf(x), 0x1p-52, "%v", x)
	}
	for _, x := range []float64{1e-300, 1e-20, -0x1p-31, 0x1.1p-30, 1e-5} {
		assert.InEpsilon(t, math.Erf(x), erf(x), 0x1p-51, "%v", x)
	}
}
