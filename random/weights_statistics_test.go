package random_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/random"
)

// weighted is the law of indexes of weights. Those of weight 0 there may not be.
func weighted[I random.Integer](weights []float64) *law[I] {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	var cells []cell
	places := make([]int, len(weights))
	for i, w := range weights {
		places[i] = -1
		if w > 0 {
			places[i] = len(cells)
			cells = append(cells, cell{float64(i), w / total})
		}
	}
	return discrete(cells, 0, func(i I) int {
		if i < 0 || int(i) >= len(places) {
			return -1
		}
		return places[i]
	})
}

// categorical is the fill of an operator with weights.
func categorical[I random.Integer, F random.Float](weights []F) fill[I] {
	return func(g *random.Generator, dst []I) error { return random.Categorical(g, dst, weights) }
}

// byCoin are indexes by other coins, or other cuts.
func byCoin(weights []float64, change func(u float64) float64) fill[int32] {
	return mapped(units, func(u float64) int32 {
		i, err := random.CategoricalAt(weights, change(u))
		if err != nil {
			panic(err)
		}
		return int32(i)
	})
}

func TestStatisticsOfCategorical(t *testing.T) {
	few := []float64{2, 0, 1, 0, 5, 0.5}
	many := zipf[float64](200)
	made, err := random.NewWeights(many)
	require.NoError(t, err)
	single := make([]float32, len(few))
	for i, w := range few {
		single[i] = float32(w)
	}
	run(t,
		one("few", weighted[int32](few), categorical[int32](few),
			bug[int32]{"a weight", categorical[int32]([]float64{2, 0, 1.02, 0, 5, 0.5})},
			bug[int32]{"a coin of 8 bits", byCoin(few, func(u float64) float64 { return math.Floor(u*(1<<8)) / (1 << 8) })},
			bug[int32]{"the first sum that is not below the cut, in 1 of 32", from(2, units, func(u []float64) int32 {
				if u[1] >= 1.0/32 {
					i, _ := random.CategoricalAt(few, u[0])
					return int32(i)
				}
				cut, i := math.Floor(u[0]*17)/2, int32(0) // on the sums
				for c := few[0]; c < cut; c += few[i] {
					i++
				}
				return i
			})},
			bug[int32]{"a weight of 0 now and then", from(2, units, func(u []float64) int32 {
				i, _ := random.CategoricalAt(few, u[0])
				if u[1] < 1e-4 {
					i = 1
				}
				return int32(i)
			})}),
		one("few, float32", weighted[uint8](few), categorical[uint8](single)),
		one("many", weighted[int32](many), func(g *random.Generator, dst []int32) error { return random.CategoricalFrom(g, dst, made) },
			bug[int32]{"the first of a cell", byCoin(many, func(u float64) float64 { return math.Floor(u*(1<<9)) / (1 << 9) })},
			bug[int32]{"a coin to the power 1.008", byCoin(many, func(u float64) float64 { return math.Pow(u, 1.008) })}),
	)
}

// rowsOf is a multinomial of as many rows of the same weights as there are elements of
// draws that become one.
func rowsOf[T any](weights []float64, k int, replacement bool, join func(drawn []uint8) T) fill[T] {
	all := make([]float64, 0, chunk*len(weights))
	for range chunk {
		all = append(all, weights...)
	}
	drawn := make([]uint8, chunk*k)
	return func(g *random.Generator, dst []T) error {
		err := random.Multinomial(g, drawn[:len(dst)*k], all[:len(dst)*len(weights)], len(dst), k, replacement)
		for i := range dst {
			dst[i] = join(drawn[i*k:][:k])
		}
		return err
	}
}

// ordered is the law of the first two indexes that are drawn without replacement.
func ordered(weights []float64) *law[uint8] {
	n := len(weights)
	total := 0.0
	for _, w := range weights {
		total += w
	}
	var cells []cell
	places := make([]int, n*n)
	for i, w := range weights {
		for j, v := range weights {
			places[i*n+j] = -1
			if i != j {
				places[i*n+j] = len(cells)
				cells = append(cells, cell{float64(len(cells)), w / total * v / (total - w)})
			}
		}
	}
	l := discrete(cells, 0, func(x uint8) int { return places[x] })
	l.unordered = true
	return l
}

func TestStatisticsOfMultinomial(t *testing.T) {
	weights := []float64{0.1, 0.4, 0.3, 0.2}
	n := len(weights)
	element := func(i int) func(drawn []uint8) uint8 { return func(drawn []uint8) uint8 { return drawn[i] } }
	pair := func(drawn []uint8) uint8 { return drawn[0]*uint8(n) + drawn[1] }
	// two draws, the second by a rule.
	two := func(rule func(first int, u []float64) int) fill[uint8] {
		return from(n+1, units, func(u []float64) uint8 {
			first, _ := random.CategoricalAt(weights, u[n])
			return uint8(first*n + rule(first, u))
		})
	}
	run(t,
		one("with replacement, the second of 2", weighted[uint8](weights), rowsOf(weights, 2, true, element(1)),
			bug[uint8]{"a weight", rowsOf([]float64{0.1, 0.4, 0.3, 0.204}, 2, true, element(1))}),
		one("without replacement, the first of 2", weighted[uint8](weights), rowsOf(weights, 2, false, element(0)),
			bug[uint8]{"a weight", rowsOf([]float64{0.1, 0.4, 0.3, 0.204}, 2, false, element(0))},
			bug[uint8]{"the second", rowsOf(weights, 2, false, element(1))}),
		one("without replacement, 2 of 4", ordered(weights), rowsOf(weights, 2, false, pair),
			bug[uint8]{"a weight", rowsOf([]float64{0.1, 0.4, 0.3, 0.202}, 2, false, pair)},
			bug[uint8]{"with replacement", rowsOf(weights, 2, true, pair)},
			bug[uint8]{"the largest products of a weight and a uniform", from(n, units, func(u []float64) uint8 {
				var drawn [2]int
				for i := range drawn {
					most := -1.0
					for j, w := range weights {
						if w*u[j] > most && (i == 0 || j != drawn[0]) {
							most, drawn[i] = w*u[j], j
						}
					}
				}
				return uint8(drawn[0]*n + drawn[1])
			})},
			bug[uint8]{"the next one if it comes twice", two(func(first int, u []float64) int {
				second, _ := random.CategoricalAt(weights, u[0])
				if second == first {
					second = (second + 1) % n
				}
				return second
			})},
			bug[uint8]{"the second by a sum with a hundredth of the first", two(func(first int, u []float64) int {
				left := append([]float64{}, weights...)
				left[first] = 0
				total := 1 - weights[first]*0.99
				for i, c := 0, 0.0; i < n; i++ {
					if c += left[i]; c > u[0]*total {
						return i
					}
				}
				return (first + 3) % n
			})}),
	)
}
