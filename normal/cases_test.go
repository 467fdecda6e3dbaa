package normal_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/poly"
	"github.com/philox-go/rng/normal"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

// Faults that others' users reported.

// pytorch/pytorch#80202: the first numbers depended on how many there were.
func testPrefixes[T float](t *testing.T, w *width[T]) {
	s := philox.New(80202)
	want := w.want(s, 15, 0)
	for _, n := range []int{15, 16, 17, 33, 1000, reduced(1_000_000)} {
		x := make([]T, n)
		w.fill(s, x)
		sameBits(t, want, x[:15], "n = %d", n)
	}
}

func TestPrefixes(t *testing.T) { both(t, testPrefixes, testPrefixes) }

// pytorch/pytorch#91944: the numbers of neighbouring seeds were alike.
func testSeeds[T float](t *testing.T, w *width[T]) {
	const seeds = 1000
	seen := map[T]bool{}
	var sum, squares float64
	for seed := range uint64(seeds) {
		var x [10]T
		w.fill(philox.New(seed+1), x[:])
		z := x[9]
		assert.False(t, seen[z], "seed %d: %v again", seed+1, z)
		seen[z] = true
		sum += float64(z)
		squares += float64(z) * float64(z)
	}
	mean := sum / seeds
	assert.InDelta(t, 0, mean, 4*math.Sqrt(1./seeds))
	assert.InDelta(t, 1, squares/seeds-mean*mean, 4*math.Sqrt(2./seeds))
}

func TestNeighbouringSeeds(t *testing.T) { both(t, testSeeds, testSeeds) }

// JuliaGPU/CUDA.jl#1464: word 0 gave an infinite number.
func TestWordZero(t *testing.T) {
	for _, l := range asm.Levels() {
		x := make([]uint32, 64)
		asm.Transform(l, asm.Normal32, x, asm.Standard())
		y := make([]uint64, 64)
		asm.Transform(l, asm.Normal64, y, asm.Standard())
		for i := 0; i < 64; i += 2 {
			assert.InDelta(t, 6.7637, math.Float32frombits(x[i]), 1e-4, "%v", l)
			assert.InDelta(t, 8.6522, math.Float64frombits(y[i]), 1e-4, "%v", l)
		}
	}
	assert.InDelta(t, 6.7637, width32.max, 1e-4)
	assert.InDelta(t, 8.6522, width64.max, 1e-4)
}

// A place is a number in units of 2^-54 between 0 and 1, never one of them: where u1
// and u2 are, exactly.
type place uint64

func place32(x uint32) place { return place(2*uint64(x)+1) << 21 }

func place64(x uint64) place { return place(x>>11<<1 | 1) }

// radius returns sqrt(-2 ln u1). The difference from 1 is exact where u1 itself would
// be rounded.
func (p place) radius() float64 {
	if p < 1<<53 {
		return math.Sqrt(-2 * math.Log(math.Ldexp(float64(p), -54)))
	}
	return math.Sqrt(-2 * math.Log1p(-math.Ldexp(float64(1<<54-p), -54)))
}

// turn returns cosine and sine of 2 pi u2. Each is of an angle of at most pi/4, so that
// the small ones are good as well.
func (p place) turn() (cos, sin float64) {
	const quarter = 1 << 52
	rest := p % quarter
	if rest <= quarter/2 {
		sin, cos = math.Sincos(math.Pi / 2 * math.Ldexp(float64(rest), -52))
	} else {
		cos, sin = math.Sincos(math.Pi / 2 * math.Ldexp(float64(quarter-rest), -52))
	}
	for range p / quarter {
		cos, sin = -sin, cos
	}
	return cos, sin
}

// requirePair looks at a pair as float64 functions see it: with the same signs, so in
// the same quadrant, and as large.
func requirePair(t *testing.T, u1, u2 place, z0, z1, most, precision float64) {
	t.Helper()
	cos, sin := u2.turn()
	for _, c := range []struct{ want, got float64 }{{u1.radius() * cos, z0}, {u1.radius() * sin, z1}} {
		ok := math.Signbit(c.want) == math.Signbit(c.got) && c.got != 0 && // finite too: not NaN or Inf
			math.Abs(c.got-c.want) <= precision*math.Abs(c.want) && math.Abs(c.got) <= most*(1+precision)
		if !ok {
			require.Failf(t, "wrong", "%#x, %#x: %v, want about %v", uint64(u1), uint64(u2), c.got, c.want)
		}
	}
}

// testExtremes has every pair of extreme words in every place of a vector and of what
// is left over, among other words, at every level.
func testExtremes[W uint32 | uint64](t *testing.T, k asm.Kind, words []W, pair func(x, y W) (z0, z1 W), check func(x, y, z0, z1 W)) {
	rng := newRand(3)
	pairs := 50
	if raceEnabled || testing.Short() {
		pairs = 20
	}
	others := make([]W, 2*pairs)
	for i := range others {
		others[i] = W(rng.Uint64())
	}
	got := make([]W, len(others))
	for _, x := range words {
		for _, y := range words {
			z0, z1 := pair(x, y)
			check(x, y, z0, z1)
			for _, l := range asm.Levels() {
				for at := 0; at < len(got); at += 2 {
					copy(got, others)
					got[at], got[at+1] = x, y
					asm.Transform(l, k, got, asm.Standard())
					for i := 0; i < len(got); i += 2 {
						want0, want1 := z0, z1
						if i != at {
							want0, want1 = pair(others[i], others[i+1])
						}
						if got[i] != want0 || got[i+1] != want1 {
							require.Failf(t, "differs", "%v: %#x, %#x at %d: elements %d: %#x, %#x, want %#x, %#x",
								l, x, y, at, i, got[i], got[i+1], want0, want1)
						}
					}
				}
			}
		}
	}
}

func TestExtremeWords32(t *testing.T) {
	words := []uint32{0, 1, 0x7fffffff, 0x80000000, 0xffffff80, 0xffffffff}
	testExtremes(t, asm.Normal32, words, func(x, y uint32) (uint32, uint32) {
		z0, z1 := poly.Normal32(x, y)
		return math.Float32bits(z0), math.Float32bits(z1)
	}, func(x, y, z0, z1 uint32) {
		requirePair(t, place32(x), place32(y), float64(math.Float32frombits(z0)), float64(math.Float32frombits(z1)), width32.max, 4e-7)
	})
}

func TestExtremeWords64(t *testing.T) {
	words := []uint64{0, 1, 1 << 11, 1<<63 - 1, 1 << 63, 1<<64 - 1<<40, 1<<64 - 1<<11, ones64}
	testExtremes(t, asm.Normal64, words, func(x, y uint64) (uint64, uint64) {
		z0, z1 := poly.Normal64(x, y)
		return math.Float64bits(z0), math.Float64bits(z1)
	}, func(x, y, z0, z1 uint64) {
		requirePair(t, place64(x), place64(y), math.Float64frombits(z0), math.Float64frombits(z1), width64.max, 2e-15)
	})
}

// The same look at what fills make of ordinary words.
func TestFillsAgainstFloat64(t *testing.T) {
	n := reduced(100_000) &^ 1
	x := make([]float32, n)
	normal.FillFloat32(starts[0], x)
	words := width32.words(starts[0], n)
	for i := 0; i < n; i += 2 {
		requirePair(t, place32(uint32(words[i])), place32(uint32(words[i+1])), float64(x[i]), float64(x[i+1]), width32.max, 4e-7)
	}
	y := make([]float64, n)
	normal.FillFloat64(starts[0], y)
	words = width64.words(starts[0], n)
	for i := 0; i < n; i += 2 {
		requirePair(t, place64(words[i]), place64(words[i+1]), y[i], y[i+1], width64.max, 2e-15)
	}
}

// scipy/scipy#2477 and #10092: infinite between 10 and 11, where the mirrored interval
// worked, and beyond 38.
func testTails[T float](t *testing.T, w *width[T]) {
	const n = 20_000
	inf := T(math.Inf(1))
	fill := func(a, b T) (x []T, mean float64) {
		x = make([]T, n)
		require.NoError(t, w.truncated(starts[0], x, 0, 1, a, b))
		for _, v := range x {
			require.True(t, a <= v && v <= b && v-v == 0, "%v in [%v, %v]", v, a, b)
			mean += float64(v) / n
		}
		return x, mean
	}
	x, mean := fill(10, 11)
	assert.InDelta(t, 10.0981, mean, 0.003)
	y, mean := fill(-11, -10)
	assert.InDelta(t, -10.0981, mean, 0.003)
	for i := range x {
		require.Equal(t, x[i], -y[i])
	}
	_, mean = fill(38, inf)
	assert.InDelta(t, 38.0263, mean, 0.001)
	_, mean = fill(-inf, -38)
	assert.InDelta(t, -38.0263, mean, 0.001)
}

func TestTails(t *testing.T) { both(t, testTails, testTails) }

// pyro-ppl/numpyro#1184: infinite at times between loose bounds.
func testLooseBounds[T float](t *testing.T, w *width[T]) {
	x := make([]T, reduced(10_000_000))
	require.NoError(t, w.truncated(starts[0], x, 10, 1e-4, -5e6, T(math.Inf(1))))
	for _, v := range x {
		if !(9.999 < v && v < 10.001) {
			t.Fatalf("%v", v)
		}
	}
}

func TestLooseBounds(t *testing.T) { both(t, testLooseBounds, testLooseBounds) }
