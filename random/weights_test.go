package random_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/stack"
	"github.com/philox-go/rng/internal/started"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/random"
	"github.com/philox-go/rng/skip"
)

// sumsOf are the sums of weights up to each of them.
func sumsOf(weights []float64) []float64 {
	sums := make([]float64, len(weights))
	c := 0.0
	for i, w := range weights {
		c += w
		sums[i] = c
	}
	return sums
}

// indexOf is the rule of an index, word for word.
func indexOf(sums []float64, coin float64) int {
	total := sums[len(sums)-1]
	t := math.Min(coin*total, math.Nextafter(total, 0))
	for i, c := range sums {
		if c > t {
			return i
		}
	}
	return -1
}

// takenOf is the rule of an index without replacement, of a tree that is made for it alone.
func takenOf(weights []float64, coin float64) int {
	levels := [][]float64{weights}
	for len(levels[0]) > 1 {
		below := levels[0]
		var sums []float64
		for i := 0; i < len(below); i += 2 {
			if i+1 == len(below) {
				sums = append(sums, below[i])
			} else {
				sums = append(sums, below[i]+below[i+1])
			}
		}
		levels = append([][]float64{sums}, levels...)
	}
	t := coin * levels[0][0]
	i := 0
	for _, level := range levels[1:] {
		i *= 2
		a, b := level[i], 0.0
		if i+1 < len(level) {
			b = level[i+1]
		}
		if !(a > 0 && (t < a || b == 0)) {
			t -= a
			i++
		}
	}
	return i
}

// units64 are the coins of a place on.
func units64(t testing.TB, p placeOf, n int) []float64 {
	coins := make([]float64, n)
	require.NoError(t, random.Uniform(at(t, p.seed, p.stream, p.offset), coins, 0, 1))
	return coins
}

// multinomialOf is the matrix that a multinomial must give.
func multinomialOf(t testing.TB, p placeOf, weights []float64, rows, k int, replacement bool) []int {
	coins := units64(t, p, rows*k)
	var all []int
	for r := range rows {
		cols := len(weights) / rows
		row := slices.Clone(weights[r*cols:][:cols])
		sums := sumsOf(row)
		for _, coin := range coins[r*k:][:k] {
			i := 0
			if replacement {
				i = indexOf(sums, coin)
			} else {
				i = takenOf(row, coin)
				row[i] = 0
			}
			all = append(all, i)
		}
	}
	return all
}

// weightSets are weights of many kinds, n of each.
var weightSets = []struct {
	name string
	at   func(r *rand.Rand, i, n int) float64
}{
	{"equal", func(_ *rand.Rand, i, n int) float64 { return 1 }},
	{"zipf", func(_ *rand.Rand, i, n int) float64 { return 1 / float64(i+1) }},
	{"zipf, backwards", func(_ *rand.Rand, i, n int) float64 { return 1 / float64(n-i) }},
	{"random", func(r *rand.Rand, i, n int) float64 { return r.Float64() }},
	{"over many scales", func(r *rand.Rand, i, n int) float64 { return math.Exp(30 * r.NormFloat64()) }},
	{"mostly 0", func(r *rand.Rand, i, n int) float64 {
		if i == n/2 || r.IntN(10) == 0 {
			return r.Float64()
		}
		return 0
	}},
	{"-0", func(r *rand.Rand, i, n int) float64 {
		if i%2 == 0 && i != n-1 {
			return math.Copysign(0, -1)
		}
		return 3
	}},
	{"zeros at the beginning", func(r *rand.Rand, i, n int) float64 {
		if i < n-1-n/8 {
			return 0
		}
		return 1 + r.Float64()
	}},
	{"zeros at the end", func(r *rand.Rand, i, n int) float64 {
		if i > n/8 {
			return 0
		}
		return 1 + r.Float64()
	}},
	{"lost in the first", func(_ *rand.Rand, i, n int) float64 { return map[bool]float64{true: 1, false: 0x1p-54}[i == 0] }},
	{"lost but together", func(_ *rand.Rand, i, n int) float64 { return map[bool]float64{true: 1, false: 0x1p-53}[i == n-1] }},
	{"half a unit", func(_ *rand.Rand, i, n int) float64 {
		return map[bool]float64{true: 1 + 0x1p-52, false: 0x1p-53}[i%3 == 0]
	}},
	{"the smallest", func(_ *rand.Rand, i, n int) float64 { return math.SmallestNonzeroFloat64 }},
	{"subnormal", func(r *rand.Rand, i, n int) float64 {
		return float64(r.IntN(5)+(i+1)/n) * math.SmallestNonzeroFloat64
	}},
	{"subnormal to normal", func(r *rand.Rand, i, n int) float64 { return math.Ldexp(r.Float64(), -1000-r.IntN(70)) }},
	{"the largest", func(_ *rand.Rand, i, n int) float64 { return math.MaxFloat64 / float64(n) * (1 - 0x1p-30) }},
}

func weightSet(set int, n int) []float64 {
	w := make([]float64, n)
	r := rand.New(rand.NewPCG(uint64(set), uint64(n)))
	for i := range w {
		w[i] = weightSets[set].at(r, i, n)
	}
	return w
}

// A sum is rounded once for each weight, and the product of a coin once: what the rule
// says, in numbers that a computer's own arithmetic does not round.
func TestCategoricalAtRoundsAsTheRuleSays(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rounded := func() *big.Float { return new(big.Float).SetPrec(53) } // to nearest, ties to even
	for range reduced(3000) {
		w := make([]float64, 1+r.IntN(12))
		sums := make([]*big.Float, len(w))
		c := rounded()
		for i := range w {
			w[i] = math.Ldexp(r.Float64(), r.IntN(60)) * float64(r.IntN(4)+(i+1)/len(w))
			c.Add(c, exact(w[i]))
			sums[i] = new(big.Float).Copy(c)
		}
		for range 20 {
			coin := r.Float64()
			if r.IntN(2) == 0 { // on a sum, or nearly
				f, _ := sums[r.IntN(len(sums))].Float64()
				total, _ := c.Float64()
				if coin = min(f/total, 1-0x1p-53); r.IntN(2) == 0 {
					coin = math.Nextafter(coin, float64(r.IntN(2)))
				}
			}
			if coin == 1 {
				continue
			}
			cut := rounded().Mul(exact(coin), c)
			if cut.Cmp(c) >= 0 {
				total, _ := c.Float64()
				cut = exact(math.Nextafter(total, 0))
			}
			want := slices.IndexFunc(sums, func(c *big.Float) bool { return c.Cmp(cut) > 0 })
			got, err := random.CategoricalAt(w, coin)
			require.NoError(t, err)
			require.Equal(t, want, got, "%v, %v", w, coin)
		}
	}
}

// Coins on the sums, beside them and at the ends, by every way to an index.
func TestCategoricalAtEdges(t *testing.T) {
	for set := range weightSets {
		for _, n := range []int{1, 2, 3, 8, 29} {
			w := weightSet(set, n)
			sums := sumsOf(w)
			made, err := random.NewWeights(w)
			require.NoError(t, err, "%s, %d", weightSets[set].name, n)
			require.Equal(t, n, made.Len())
			coins := []float64{0, math.Copysign(0, -1), math.SmallestNonzeroFloat64, 0x1p-52, 0x1p-53, 0.5, 1 - 0x1p-52, 1 - 0x1p-53}
			for _, c := range sums {
				edge := c / sums[n-1]
				coins = append(coins, edge, math.Nextafter(edge, 0), math.Nextafter(edge, 1))
			}
			for _, coin := range coins {
				if coin == 1 {
					continue
				}
				got, err := random.CategoricalAt(w, coin)
				require.NoError(t, err)
				require.Equal(t, indexOf(sums, coin), got, "%v, %v", w, coin)
				require.Greater(t, w[got], 0.)
				got, err = made.At(coin)
				require.NoError(t, err)
				require.Equal(t, indexOf(sums, coin), got, "%v, %v", w, coin)
			}
		}
	}
}

// Categorical is uniforms and CategoricalAt, with a guide to the weights and without, be
// there few weights or many.
func TestCategoricalIsUniformsAndCategoricalAt(t *testing.T) {
	p := placeOf{42, 1<<40 + 7, 1<<32 - 20}
	for set := 0; set < len(weightSets); set += reducedStep(5) {
		for _, n := range []int{1, 2, 3, 4, 5, 8, 9, 16, 17, 63, 64, 65, 128, 1000, 16 * 301} {
			w := weightSet(set, n)
			sums := sumsOf(w)
			made, err := random.NewWeights(w)
			require.NoError(t, err)
			coins := units64(t, p, 700)
			for _, draws := range []int{0, 1, 2, 3, n / 16, n/16 + 1, 300, 301, 302, 700} {
				draws = min(draws, 700)
				got, from := make([]int32, draws), make([]uint16, draws)
				require.NoError(t, random.Categorical(at(t, p.seed, p.stream, p.offset), got, w))
				require.NoError(t, random.CategoricalFrom(at(t, p.seed, p.stream, p.offset), from, made))
				for i, x := range got {
					want := indexOf(sums, coins[i])
					if int(x) != want || int(from[i]) != want {
						t.Fatalf("%s, %d: element %d of %d is %d, and from the table %d, want %d", weightSets[set].name, n, i, draws, x, from[i], want)
					}
				}
				if draws <= 3 {
					for i, x := range got {
						want, err := random.CategoricalAt(w, coins[i])
						require.NoError(t, err)
						require.Equal(t, want, int(x))
					}
				}
			}
		}
	}
}

// A vocabulary's worth of weights, in float32.
func TestCategoricalOfManyWeights(t *testing.T) {
	const n = 50_257
	w := weightSet(3, n)
	single := make([]float32, n)
	for i := range w {
		single[i] = float32(w[i])
		w[i] = float64(single[i])
	}
	sums := sumsOf(w)
	p := placeOf{7, 0, 0}
	draws := reduced(20_000)
	coins := units64(t, p, draws)
	for _, draws := range []int{1000, draws} {
		got := make([]uint16, draws)
		require.NoError(t, random.Categorical(at(t, p.seed, p.stream, p.offset), got, single))
		for i, x := range got {
			want, _ := slices.BinarySearch(sums, math.Nextafter(coins[i]*sums[n-1], math.Inf(1)))
			if int(x) != want {
				t.Fatalf("element %d is %d, want %d", i, x, want)
			}
		}
	}
}

// The most indexes that types have.
func testIndexesOf[I random.Integer](t *testing.T, most int) {
	w := make([]float32, most+2)
	w[most] = 1
	got := make([]I, 3)
	require.NoError(t, random.Categorical(at(t, 1, 0, 0), got, w[:most+1]))
	assert.Equal(t, []I{I(most), I(most), I(most)}, got)
	made, err := random.NewWeights(w)
	require.NoError(t, err)
	name := fmt.Sprintf("must be at most %d, the number of integers from 0 on that %T has", most+1, I(0))
	for arg, err := range map[string]error{
		"len(weights)":      random.Categorical(at(t, 1, 0, 0), got, w),
		"w.Len()":           random.CategoricalFrom(at(t, 1, 0, 0), got, made),
		"len(weights)/rows": random.Multinomial(at(t, 1, 0, 0), got, w, 1, 3, true),
	} {
		assert.Equal(t, &skip.ArgumentError{Package: "random", Arg: arg, Value: fmt.Sprint(most + 2), Reason: name}, err)
	}
}

func TestIndexesOfATypeAreEnough(t *testing.T) {
	testIndexesOf[int8](t, math.MaxInt8)
	testIndexesOf[uint8](t, math.MaxUint8)
	testIndexesOf[int16](t, math.MaxInt16)
	testIndexesOf[uint16](t, math.MaxUint16)
}

// Many goroutines draw from the same weights.
func TestWeightsOfManyGoroutines(t *testing.T) {
	w := weightSet(3, 300)
	made, err := random.NewWeights(w)
	require.NoError(t, err)
	clear(w) // they are not kept
	g := random.NewGenerator(random.CPU(), 9)
	want := make([]int32, 1000)
	require.NoError(t, random.CategoricalFrom(g.Clone(), want, made))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got := make([]int32, len(want))
			assert.NoError(t, random.CategoricalFrom(g.Clone(), got, made))
			assert.Equal(t, want, got)
			i, err := made.At(0.5)
			assert.NoError(t, err)
			assert.Less(t, i, 300)
		})
	}
	wg.Wait()
}

// Multinomials of all kinds of weights against their rule.
func TestMultinomialAgainstItsRule(t *testing.T) {
	places := []placeOf{{42, 0, 0}, {1<<64 - 42, ones64, 1<<32 - 3}}
	for _, words := range [][4]uint32{{0, 0, ones32, ones32}, {ones32, ones32, 0, 0}} { // coins of 0 and of almost 1
		hi, lo := unblock(philox.NewKey(7), words).Uint64s()
		places = append(places, placeOf{7, hi, lo})
	}
	for set := 0; set < len(weightSets); set += reducedStep(3) {
		for _, size := range []struct{ rows, cols int }{{1, 1}, {1, 2}, {1, 3}, {1, 4}, {2, 5}, {3, 7}, {3, 8}, {4, 9}, {1, 33}, {1, 130}} {
			var w []float64
			least := size.cols // weights above 0 in a row
			for r := range size.rows {
				row := weightSet(set, size.cols)
				for i := range row {
					row[i] *= math.Ldexp(1, -r) // may become 0
				}
				if sumsOf(row)[size.cols-1] == 0 {
					row[0] = 1
				}
				above := 0
				for _, x := range row {
					if x > 0 {
						above++
					}
				}
				least = min(least, above)
				w = append(w, row...)
			}
			for _, replacement := range []bool{true, false} {
				for _, k := range []int{0, 1, 2, 3, least, 40, 300} {
					if !replacement && k > least {
						continue
					}
					for _, p := range places {
						g := at(t, p.seed, p.stream, p.offset)
						got := make([]int, size.rows*k)
						require.NoError(t, random.Multinomial(g, got, w, size.rows, k, replacement))
						require.Equal(t, p.offset+uint64(len(got)+1)/2, g.Offset())
						if want := multinomialOf(t, p, w, size.rows, k, replacement); !slices.Equal(want, got) {
							t.Fatalf("%s, %v, k = %d, %v: %v, want %v", weightSets[set].name, size, k, replacement, got, want)
						}
						for i, x := range got {
							if row := i / k; w[row*size.cols+x] == 0 || !replacement && slices.Contains(got[row*k:i], x) {
								t.Fatalf("%s, %v, k = %d, %v: %v: %d has no weight or was drawn", weightSets[set].name, size, k, replacement, got, x)
							}
						}
					}
				}
			}
		}
	}
}

// A row may have a sum in one order of additions and none in another. What counts is the
// order of the draw.
func TestMultinomialOfTheLargestSums(t *testing.T) {
	const most, unit = math.MaxFloat64, 0x1p971
	half := unit / 2 * (1 + 0x1p-52)
	for _, tt := range []struct {
		weights       []float64
		with, without bool // there is a sum
	}{
		{[]float64{most, unit / 4, unit / 4, unit / 4}, true, false},
		{[]float64{most - unit, 0, half, half}, false, true},
		{[]float64{most, unit / 4, 0, 0}, true, true},
		{[]float64{most / 2, most / 2, 0, 0}, true, true},
		{[]float64{1e308, 1e308, 0, 0}, false, false},
	} {
		for _, replacement := range []bool{true, false} {
			sum := tt.without
			if replacement {
				sum = tt.with
			}
			got := make([]int, 2)
			p := placeOf{1, 2, 3}
			err := random.Multinomial(at(t, 1, 2, 3), got, tt.weights, 1, 2, replacement)
			if !sum {
				require.EqualError(t, err, "random: sum(weights) = +Inf: must be a finite number above 0", "%v, %v", tt.weights, replacement)
				continue
			}
			require.NoError(t, err, "%v, %v", tt.weights, replacement)
			require.Equal(t, multinomialOf(t, p, tt.weights, 1, 2, replacement), got)
		}
	}
}

// A longer draw from one row begins with the shorter one.
func TestMultinomialPrefix(t *testing.T) {
	w := weightSet(3, 600)
	for _, replacement := range []bool{true, false} {
		all := make([]int16, 600)
		require.NoError(t, random.Multinomial(at(t, 4, 5, 6), all, w, 1, len(all), replacement))
		for _, k := range []int{1, 2, 15, 255, 256, 257, 599} {
			got := make([]int16, k)
			require.NoError(t, random.Multinomial(at(t, 4, 5, 6), got, w, 1, k, replacement))
			require.Equal(t, all[:k], got)
		}
	}
}

// Matrices that goroutines share by rows, or a row of which they share.
func TestMultinomialGoroutines(t *testing.T) {
	p := placeOf{52, 4, 1<<32 - 300}
	for _, tt := range []struct {
		rows, cols, k int
		replacement   bool
	}{
		{2001, 10, 7, true}, {2001, 10, 7, false}, {40, 3000, 1, true}, {40, 3000, 1, false}, {3, 50, 30_001, true}, {1, 50, 300_001, true},
	} {
		if tt.rows < 10 && (raceEnabled || testing.Short()) {
			continue // TestCase52 has a shared row
		}
		w := weightSet(3, tt.rows*tt.cols)
		var want []int32
		for _, procs := range []int{1, 2, 7} {
			setProcs(t, procs)
			g := at(t, p.seed, p.stream, p.offset)
			got := make([]int32, tt.rows*tt.k)
			before := started.Goroutines(t)
			require.NoError(t, random.Multinomial(g, got, w, tt.rows, tt.k, tt.replacement))
			if procs > 1 && runtime.GOMAXPROCS(0) == procs && stack.Known {
				assert.NotEqual(t, before, started.Goroutines(t), "%v was not shared", tt)
			}
			require.Equal(t, p.offset+uint64(len(got)+1)/2, g.Offset())
			if want == nil {
				want = got
				r := tt.rows - 1 // its coins begin where they begin for the whole
				sums, coins := sumsOf(w[r*tt.cols:]), units64(t, p, len(got))[r*tt.k:]
				for i, x := range got[r*tt.k:] {
					if tt.replacement && i%97 == 0 {
						require.Equal(t, indexOf(sums, coins[i]), int(x))
					}
				}
			}
			require.True(t, slices.Equal(want, got), "%v differs on %d", tt, procs)
		}
	}
}

func TestMultinomialOfNothing(t *testing.T) {
	for _, replacement := range []bool{true, false} {
		g := at(t, 1, 2, 3)
		require.NoError(t, random.Multinomial(g, []int{}, []float32{}, 0, 5, replacement))
		require.NoError(t, random.Multinomial(g, []int{}, []float32{}, 0, math.MaxInt, replacement))
		require.NoError(t, random.Multinomial(g, []int{}, []float32{0, 1}, 1, 0, replacement))
		require.Equal(t, uint64(3), g.Offset())
	}
}

// The end of a stream, and another device.
func TestMultinomialTakesAllOrNothing(t *testing.T) {
	w := []float64{1, 2, 3}
	for _, replacement := range []bool{true, false} {
		got := []int8{canary - 256, canary - 256, canary - 256}
		untouched := slices.Clone(got)
		g := at(t, 1, 2, ones64)
		var end *random.ExhaustedError
		require.ErrorAs(t, random.Multinomial(g, got, w, 1, 3, replacement), &end)
		require.Equal(t, random.ExhaustedError{Offset: ones64, Left: 1, Blocks: 2}, *end)
		require.Equal(t, uint64(ones64), g.Offset())
		require.Equal(t, untouched, got)
		for _, n := range []int{0, 3} {
			require.ErrorIs(t, random.Multinomial(random.NewGenerator(random.CUDA(0), 1), got[:n], w, 1, n, replacement), random.ErrDevice)
			require.Equal(t, untouched, got)
		}
		require.NoError(t, random.Multinomial(at(t, 1, 2, ones64-1), got, w, 1, 3, replacement))
	}
}

// badWeights are calls with bad weights, or bad sizes.
func badWeights[F random.Float](largest F) (all []badCall) {
	add := func(arg string, value any, w ...F) {
		all = append(all, bad("Categorical", arg, value, func(g *random.Generator, dst []int8) error {
			return random.Categorical(g, dst, w)
		}))
		for _, replacement := range []bool{true, false} {
			if len(w) > 0 {
				all = append(all, bad("Multinomial", arg, value, func(g *random.Generator, dst []int8) error {
					return random.Multinomial(g, dst, w, 1, len(dst), replacement)
				}))
			}
		}
	}
	for _, x := range append(notFinite[F](), -1, -math.SmallestNonzeroFloat32) {
		add("weights[0]", x, x)
		add("weights[3]", x, 1, 2, 3, x, -5)
		add("weights[1]", x, 0, x)
	}
	add("len(weights)", 0)
	add("sum(weights)", 0, 0)
	add("sum(weights)", 0, 0, F(math.Copysign(0, -1)), 0)
	if float64(largest) == math.MaxFloat64 { // the sum of other types' weights is finite
		add("sum(weights)", "+Inf", largest, largest)
		add("sum(weights)", "+Inf", largest/2, 0, largest, 1)
	}
	return all
}

func badMultinomials() (all []badCall) {
	add := func(arg string, value any, w []float32, n, rows, k int, replacements ...bool) {
		w = slices.Clone(w) // which is changed for the next one
		for _, replacement := range replacements {
			all = append(all, bad("Multinomial", arg, value, func(g *random.Generator, dst []int8) error {
				if len(dst) != n {
					dst = make([]int8, n)
				}
				return random.Multinomial(g, dst, w, rows, k, replacement)
			}))
		}
	}
	ones := func(n int) []float32 { return slices.Repeat([]float32{1}, n) }
	add("rows", -1, nil, 0, -1, 0, true, false)
	add("rows", math.MinInt, ones(4), 0, math.MinInt, -2, true, false)
	add("k", -1, ones(4), 0, 2, -1, true, false)
	add("len(weights)", 1, ones(1), 0, 0, 3, true, false)
	add("len(weights)", 5, ones(5), 5, 3, 1, true, false)
	add("len(weights)", 2, ones(2), 5, 5, 1, true, false)
	add("len(weights)", 0, nil, 5, 5, 1, true, false)
	add("len(weights)", 0, nil, 0, 2, 0, true, false)
	add("len(dst)", 5, ones(4), 5, 2, 2, true, false)
	add("len(dst)", 5, ones(6), 5, 2, 3, true, false)
	add("len(dst)", 0, ones(6), 0, 2, 1, true, false)
	add("len(dst)", 5, ones(1), 5, 1, 0, true, false)
	add("len(dst)", 0, ones(4), 0, 4, math.MaxInt/2+1, true, false) // 2 times 2^64, or 2^32
	add("len(dst)", 5, ones(3), 5, 3, math.MaxInt, true, false)
	add("len(weights)/rows", 129, ones(2*129), 10, 2, 5, true, false)
	for _, k := range []int{1, 0} {
		w := ones(6)
		w[4] = -2
		add("weights[4]", -2, w, 3*k, 3, k, true, false)
		w[4], w[5] = 0, 0
		add("sum(weights[4:6])", 0, w, 3*k, 3, k, true, false)
		w[1] = -3 // the first one is named
		add("weights[1]", -3, w, 3*k, 3, k, true, false)
	}
	add("k", 5, append(ones(5), 0, 0, 1, 1, 1), 10, 2, 5, false)
	add("k", 5, append(ones(5), 0, 1, 1, 1, 1), 10, 2, 5, false)
	add("k", 2, ones(1), 2, 1, 2, false)
	return all
}

func TestArgumentErrorsOfWeights(t *testing.T) {
	g := random.NewGenerator(random.CPU(), 1)
	made, err := random.NewWeights([]float32{1, 2})
	require.NoError(t, err)
	for _, coin := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1, 2, -0.1, -math.SmallestNonzeroFloat64} {
		want := fmt.Sprintf("random: coin = %v: must be a number from 0 to below 1", coin)
		_, err := random.CategoricalAt([]float32{1, 2}, coin)
		assert.EqualError(t, err, want)
		_, err = made.At(coin)
		assert.EqualError(t, err, want)
	}
	for _, tt := range []struct {
		weights []float32
		want    string
	}{
		{nil, "random: len(weights) = 0: must be at least 1"},
		{[]float32{0, 1, -0.1}, "random: weights[2] = -0.1: must be a finite number of at least 0"},
		{[]float32{0, 0}, "random: sum(weights) = 0: must be a finite number above 0"},
	} {
		_, err := random.CategoricalAt(tt.weights, 0.5)
		assert.EqualError(t, err, tt.want)
		w, err := random.NewWeights(tt.weights)
		assert.EqualError(t, err, tt.want)
		assert.Nil(t, w)
	}
	for _, w := range []*random.Weights{nil, {}} {
		const want = "random: w.Len() = 0: must be at least 1: NewWeights makes weights"
		assert.Zero(t, w.Len())
		_, err := w.At(0.5)
		assert.EqualError(t, err, want)
		assert.EqualError(t, random.CategoricalFrom(g, []int{0}, w), want)
	}
	for _, tt := range []struct {
		err  error
		want string
	}{
		{random.Multinomial(g, make([]int, 4), []float64{1, 1, 0, 1}, 2, 2, false), "random: k = 2: must be at most 1, the number of weights[2:4] that are above 0"},
		{random.Multinomial(g, make([]int, 3), []float64{1, 1, 0, 1}, 2, 2, true), "random: len(dst) = 3: must be rows*k, 2 times 2"},
		{random.Multinomial(g, make([]int, 3), []float64{1, 1, 0, 1}, 3, 1, true), "random: len(weights) = 4: must be a multiple of rows, 3, and not 0"},
	} {
		assert.EqualError(t, tt.err, tt.want)
	}
}

// categoricals are operators whose elements are indexes of weights.
func categoricals[I random.Integer, F random.Float](name string, weights []F) (all []*operator) {
	wide := make([]float64, len(weights))
	for i, w := range weights {
		wide[i] = float64(w)
	}
	sums := sumsOf(wide)
	want := same(func(e element) I { return I(indexOf(sums, uniform64(e.wide(0), 0, 1))) })
	made, err := random.NewWeights(weights)
	if err != nil {
		panic(err)
	}
	args := fmt.Sprintf("%s %d weights %T", name, len(weights), weights[0])
	return []*operator{
		define("Categorical", args, 2, func(g *random.Generator, dst []I) error { return random.Categorical(g, dst, weights) }, want),
		define("CategoricalFrom", args, 2, func(g *random.Generator, dst []I) error { return random.CategoricalFrom(g, dst, made) }, want),
		define("Multinomial", args+" 1 row with replacement", 2, func(g *random.Generator, dst []I) error {
			return random.Multinomial(g, dst, weights, 1, len(dst), true)
		}, want),
	}
}

// zipf are weights 1, 1/2, 1/3, and so on.
func zipf[F random.Float](n int) []F {
	w := make([]F, n)
	for i := range w {
		w[i] = 1 / F(i+1)
	}
	return w
}

// multinomialGolden are matrices of several rows, and draws without replacement.
var multinomialGolden = func() (all []goldenCase) {
	for _, c := range []struct {
		rows, cols, k int
		replacement   bool
	}{{7, 11, 13, true}, {7, 11, 5, false}, {1, 1000, 1000, false}, {3, 20_000, 1, false}, {5, 3, 1, true}} {
		all = append(all, goldenCase{
			name: fmt.Sprintf("Multinomial[int32] zipf weights float64 rows %d cols %d k %d replacement %v seed -42 stream 7 offset 4294967290", c.rows, c.cols, c.k, c.replacement), shown: 8,
			bytes: func(t *testing.T) []byte {
				minus := int64(-42)
				got := make([]int32, c.rows*c.k)
				require.NoError(t, random.Multinomial(at(t, uint64(minus), 7, 1<<32-6), got, zipf[float64](c.rows*c.cols), c.rows, c.k, c.replacement))
				b, err := binary.Append(nil, binary.LittleEndian, got)
				require.NoError(t, err)
				return b
			},
		})
	}
	return all
}()

// Many goroutines have tables of their own, whose memory goes from one to another.
func TestCategoricalOfManyGoroutines(t *testing.T) {
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			w := make([]float64, 50+i)
			w[7*i] = 1 // the only index
			dst := make([]int, 100)
			for range reduced(300) {
				if !assert.NoError(t, random.Categorical(at(t, uint64(i), 0, 0), dst, w)) {
					return
				}
				for _, x := range dst {
					if x != 7*i {
						assert.Equal(t, 7*i, x)
						return
					}
				}
			}
		})
	}
	wait.Wait()
}
