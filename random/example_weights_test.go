package random_test

import (
	"fmt"
	"math"
	"strings"

	"github.com/philox-go/rng/random"
)

// softmax turns logits into weights at a temperature. Their sum need not be 1.
func softmax(logits []float64, temperature float64) []float64 {
	most := math.Inf(-1)
	for _, l := range logits {
		most = max(most, l)
	}
	weights := make([]float64, len(logits))
	for i, l := range logits {
		weights[i] = math.Exp((l - most) / temperature) // at most 1
	}
	return weights
}

// Text is sampled one token at a time, from weights that depend on the token before. From
// a saved state the same text comes again, or goes on where it was.
func ExampleCategorical_text() {
	vocabulary := []string{"the", "cat", "dog", "sat", "ran", "."}
	logits := map[string][]float64{ // of what follows a token
		"the": {-9, 2, 1.5, -3, -3, -9},
		"cat": {-9, -9, -9, 2, 1, -1},
		"dog": {-9, -9, -9, 1, 2, -1},
		"sat": {-1, -9, -9, -9, -9, 2},
		"ran": {-1, -9, -9, -9, -9, 2},
		".":   {3, -9, -9, -9, -9, -9},
	}
	text := func(g *random.Generator, tokens int) (string, error) {
		var all []string
		last := "."
		for range tokens {
			next := make([]int, 1)
			if err := random.Categorical(g, next, softmax(logits[last], 0.8)); err != nil {
				return "", err
			}
			last = vocabulary[next[0]]
			all = append(all, last)
		}
		return strings.Join(all, " "), nil
	}

	g := random.NewGenerator(random.CPU(), 42)
	for range 2 {
		saved := g.State()
		fmt.Println(text(g, 12))
		if err := g.SetState(saved); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(text(g, 12))
	}
	// Output:
	// the dog ran . the cat ran . the cat sat . <nil>
	// the dog ran . the cat ran . the cat sat . <nil>
	// the dog sat . the cat sat . the cat sat . <nil>
	// the dog sat . the cat sat . the cat sat . <nil>
}

// The coins may come from anywhere.
func ExampleCategoricalAt() {
	weights := []float32{1, 0, 2, 1}
	for _, coin := range []float64{0, 0.25, 0.74, 0.75, 0.999} {
		i, err := random.CategoricalAt(weights, coin)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Print(i, " ")
	}
	_, err := random.CategoricalAt(weights, 1)
	fmt.Println(err)
	// Output:
	// 0 2 2 3 3 random: coin = 1: must be a number from 0 to below 1
}

// Weights that are drawn from often are made ready once.
func ExampleCategoricalFrom() {
	loaded, err := random.NewWeights([]float64{1, 1, 1, 1, 1, 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	g := random.NewGenerator(random.CPU(), 42)
	dice := make([]uint8, 10)
	for range 2 {
		if err := random.CategoricalFrom(g, dice, loaded); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(dice, g.Offset())
	}
	// Output:
	// [3 1 5 5 4 5 5 5 5 5] 5
	// [0 3 5 5 5 5 3 2 1 2] 10
}

// Two of four from each row, in the order in which they are drawn.
func ExampleMultinomial() {
	weights := []float64{
		1, 2, 3, 4,
		0, 8, 1, 1,
	}
	const rows, k = 2, 2
	g := random.NewGenerator(random.CPU(), 42)
	dst := make([]int, rows*k)
	if err := random.Multinomial(g, dst, weights, rows, k, false); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(dst[:k], dst[k:])
	fmt.Println(random.Multinomial(g, make([]int, 8), weights, rows, 4, false))
	// Output:
	// [2 1] [1 3]
	// random: k = 4: must be at most 3, the number of weights[4:8] that are above 0
}
