package draw

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/poly"
)

// guideWeights are weights whose sums lie on the edges of cells, or next to them, and such
// as rounding changes most.
func guideWeights(r *rand.Rand, family int) []float64 {
	w := make([]float64, 1+r.IntN(60))
	exponent := r.IntN(2000) - 1050
	for i := range w {
		switch family {
		case 0:
			w[i] = r.Float64()
		case 1: // cells of equal size
			w[i] = 0x1p-8
		case 2:
			w[i] = math.Ldexp(1, -r.IntN(60))
		case 3:
			w[i] = math.Ldexp(float64(1+r.IntN(4)), -8)
		case 4:
			w[i] = math.Ldexp(1+float64(r.IntN(3))*0x1p-52, r.IntN(3)-53*r.IntN(2))
		case 5:
			w[i] = math.Ldexp(float64(r.IntN(8)), -1074+r.IntN(4))
		case 6:
			w[i] = math.Ldexp(r.Float64(), exponent-r.IntN(60))
		case 7:
			w[i] = math.MaxFloat64 / float64(len(w)) * r.Float64()
		}
		if r.IntN(6) == 0 {
			w[i] = 0
		}
	}
	return w
}

const guideFamilies = 8

// The guide has no say in what is drawn, also by the coins at the edges of its cells and
// of the weights.
func TestGuide(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rounds := 400
	if testing.Short() {
		rounds = 40
	}
	for i := range rounds * guideFamilies {
		w := guideWeights(r, i%guideFamilies)
		table, err := NewTable(w)
		if err != nil {
			continue // their sum is 0
		}
		total := table.sums[len(w)-1]
		var words []uint64
		near := func(x uint64) {
			for d := range uint64(5) {
				words = append(words, (x+d-2)&poly.Mask64)
			}
		}
		for cell := range table.guide {
			near(uint64(cell) << table.shift)
		}
		for _, c := range table.sums {
			edge := new(big.Float).SetPrec(200).Quo(big.NewFloat(c), big.NewFloat(total))
			x, _ := edge.SetMantExp(edge, coinBits).Uint64()
			near(x)
		}
		got := slices.Clone(words)
		table.indexes(got)
		for i, x := range words {
			coin := float64(x) * 0x1p-52
			limit := min(float64(coin*total), math.Nextafter(total, 0))
			want := slices.IndexFunc(table.sums, func(c float64) bool { return c > limit })
			if want != int(got[i]) {
				require.Equal(t, want, int(got[i]), "coin %v of %v", coin, w)
			}
		}
	}
}
