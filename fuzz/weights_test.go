package fuzz_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/philox-go/rng/random"
)

// An index is there, has a weight, and is the rule's, whatever the weights are; or they are
// refused.
func FuzzCategorical(f *testing.F) {
	add := func(seed uint64, coin float64, w ...float64) {
		var raw []byte
		for _, x := range w {
			raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(x))
		}
		f.Add(seed, coin, raw, uint8(len(w)))
	}
	add(1, 0.33, 0.33, 0.34, 0, 0.33)
	add(2, 1-0x1p-53, 1, 2, 3)
	add(3, 1-0x1p-53, math.SmallestNonzeroFloat64, 0, math.SmallestNonzeroFloat64)
	add(4, 0.999, 1e308, 1e308)
	add(5, 0.5, math.MaxFloat64, 0x1p969, 0x1p969, 0x1p969)
	add(6, 0, 0, 0, math.Copysign(0, -1), 1)
	add(7, 1, 1)
	add(11, math.Copysign(0, -1), 0, 1)
	add(8, 0.3, -1, math.NaN(), math.Inf(1))
	add(9, 0.1)
	add(10, 1-0x1p-52, 1+0x1p-52, 0x1p-53, 0x1p-53, 0x1p-54, 0)
	f.Fuzz(func(t *testing.T, seed uint64, coin float64, raw []byte, size uint8) {
		w := make([]float64, 0, 8)
		for ; len(raw) >= 8 && len(w) < 64; raw = raw[8:] {
			w = append(w, math.Float64frombits(binary.LittleEndian.Uint64(raw)))
		}
		good, total := len(w) > 0, 0.0
		sums := make([]float64, len(w))
		above := 0
		for i, x := range w {
			good = good && x >= 0
			total += x
			sums[i] = total
			if x > 0 {
				above++
			}
		}
		good = good && total > 0 && !math.IsInf(total, 1)
		want := func(coin float64) int {
			cut := min(coin*total, math.Nextafter(total, 0))
			return slices.IndexFunc(sums, func(c float64) bool { return c > cut })
		}

		i, err := random.CategoricalAt(w, coin)
		if (err == nil) != (good && coin >= 0 && coin < 1) {
			t.Fatalf("%v, coin %v: %v", w, coin, err)
		}
		if err == nil && (i != want(coin) || w[i] == 0) {
			t.Fatalf("%v, coin %v: %d, want %d", w, coin, i, want(coin))
		}
		made, errMade := random.NewWeights(w)
		if (errMade == nil) != good {
			t.Fatalf("%v: %v", w, errMade)
		}
		if err == nil {
			if j, err := made.At(coin); err != nil || j != i {
				t.Fatalf("%v, coin %v: %d, and made ready %d, %v", w, coin, i, j, err)
			}
		}

		g := random.NewGenerator(random.CPU(), seed)
		n := int(size)
		coins := make([]float64, n)
		if err := random.Uniform(g.Clone(), coins, 0, 1); err != nil {
			t.Fatal(err)
		}
		x, ok := drawn(t, g.Clone(), n, -1, func(g *random.Generator, dst []int8) error { return random.Categorical(g, dst, w) })
		if ok != good {
			t.Fatalf("%v: drawn: %v", w, ok)
		}
		for i, x := range x {
			if int(x) != want(coins[i]) {
				t.Fatalf("%v: element %d is %d, want %d", w, i, x, want(coins[i]))
			}
		}
		if good {
			from, ok := drawn(t, g.Clone(), n, -1, func(g *random.Generator, dst []int8) error { return random.CategoricalFrom(g, dst, made) })
			if !ok || !slices.Equal(x, from) {
				t.Fatalf("%v: %v, from a table %v", w, x, from)
			}
		}

		// Without replacement all that have a weight are drawn, each once.
		all := make([]uint16, above)
		if random.Multinomial(g, all, w, 1, above, false) == nil {
			seen := make([]bool, len(w))
			for _, x := range all {
				if w[x] == 0 || seen[x] {
					t.Fatalf("%v: %v", w, all)
				}
				seen[x] = true
			}
			if above < len(w) && random.Multinomial(g, make([]uint16, above+1), w, 1, above+1, false) == nil {
				t.Fatalf("%v: more than have a weight", w)
			}
		} else if good && total < math.MaxFloat64/2 {
			t.Fatalf("%v: not drawn without replacement", w)
		}
	})
}
