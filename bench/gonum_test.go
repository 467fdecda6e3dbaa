package bench

import (
	"testing"

	"github.com/philox-go/rng/philox"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A philox.Source drives gonum's distributions, and two of the same seed give the
// same draws.
func TestSourceDrivesGonum(t *testing.T) {
	draw := func(seed uint64) []float64 {
		src := philox.NewSource(seed)
		normal := distuv.Normal{Mu: 3, Sigma: 2, Src: src}
		gamma := distuv.Gamma{Alpha: 2, Beta: 0.5, Src: src}
		x := make([]float64, 0, 200_000)
		for range cap(x) / 2 {
			x = append(x, normal.Rand(), gamma.Rand())
		}
		return x
	}
	x := draw(1)
	require.Equal(t, x, draw(1))
	assert.NotEqual(t, x, draw(2))
	var normals, gammas []float64
	for i := 0; i < len(x); i += 2 {
		normals, gammas = append(normals, x[i]), append(gammas, x[i+1])
	}
	// 100,000 draws: five standard errors of the mean are 0.032 and 0.045.
	mean, std := stat.MeanStdDev(normals, nil)
	assert.InDelta(t, 3, mean, 0.032)
	assert.InDelta(t, 2, std, 0.03)
	mean, std = stat.MeanStdDev(gammas, nil)
	assert.InDelta(t, 4, mean, 0.045)
	assert.InDelta(t, 8, std*std, 0.4)
}
