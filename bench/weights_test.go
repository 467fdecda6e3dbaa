package bench

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/random"
	"gonum.org/v1/gonum/stat/distuv"
)

// A million indexes of the weights of a vocabulary, beside gonum's in the same loop: the
// best times of each. That to make a table of the weights counts for Categorical, and that
// to make a distribution of them does not count for gonum. With -cpu 1 both have one core.
func BenchmarkCategorical(b *testing.B) {
	const n, draws, others = 50_257, 1_000_000, 50_000
	r := rand.New(rand.NewPCG(1, 2))
	zipf, shuffled, uniform, single := make([]float64, n), make([]float64, n), make([]float64, n), make([]float32, n)
	for i := range n {
		zipf[i] = 1 / float64(i+1)
		shuffled[i] = zipf[i]
		uniform[i] = r.Float64()
		single[i] = float32(uniform[i])
	}
	r.Shuffle(n, func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	made, err := random.NewWeights(zipf)
	if err != nil {
		b.Fatal(err)
	}
	dst := make([]int32, draws)
	g := random.NewGenerator(random.CPU(), 1)
	for _, c := range []struct {
		name    string
		weights []float64
		draw    func() error
	}{
		{"zipf", zipf, func() error { return random.Categorical(g, dst, zipf) }},
		{"zipf, made", zipf, func() error { return random.CategoricalFrom(g, dst, made) }},
		{"zipf, shuffled", shuffled, func() error { return random.Categorical(g, dst, shuffled) }},
		{"uniform", uniform, func() error { return random.Categorical(g, dst, uniform) }},
		{"uniform, float32", uniform, func() error { return random.Categorical(g, dst, single) }},
	} {
		for _, s := range []struct {
			name string
			src  rand.Source
		}{{"PCG", rand.NewPCG(1, 2)}, {"philox", philox.NewSource(1)}} {
			b.Run(subName(c.name)+"/gonum on "+s.name, func(b *testing.B) {
				other := distuv.NewCategorical(c.weights, s.src)
				best, bestOther := time.Hour, time.Hour
				for b.Loop() {
					start := time.Now()
					if err := c.draw(); err != nil {
						b.Fatal(err)
					}
					best = min(best, time.Since(start))
					start = time.Now()
					for i := range dst[:others] {
						dst[i] = int32(other.Rand())
					}
					bestOther = min(bestOther, time.Since(start))
				}
				each, eachOther := float64(best)/draws, float64(bestOther)/others
				b.ReportMetric(each, "ns/draw")
				b.ReportMetric(eachOther, "gonum-ns/draw")
				b.ReportMetric(eachOther/each, "times")
			})
		}
	}
}
