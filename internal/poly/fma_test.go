package poly

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// exactBits hold every a*b + c of float32: products end at 2^-298 and begin below
// 2^256.
const exactBits = 600

// A bigFMA is the reference: it computes exactly and rounds once. Numbers are kept for
// the next call, since a million calls make many.
type bigFMA struct{ a, b, c, p, s big.Float }

func newBigFMA() *bigFMA {
	f := new(bigFMA)
	f.p.SetPrec(exactBits)
	f.s.SetPrec(exactBits)
	return f
}

// fma is for finite numbers. Big zeros have signs, by the rules of IEEE 754.
func (f *bigFMA) fma(a, b, c float32) float32 {
	f.a.SetFloat64(float64(a))
	f.b.SetFloat64(float64(b))
	f.c.SetFloat64(float64(c))
	f.p.Mul(&f.a, &f.b)
	f.s.Add(&f.p, &f.c)
	r, _ := f.s.Float32() // to nearest even, subnormal ones and infinity included
	return r
}

func isFinite(x float32) bool { return x-x == 0 }

// check compares FMA32 with the reference.
func (f *bigFMA) check(t *testing.T, a, b, c float32) {
	t.Helper()
	got := FMA32(a, b, c)
	if !isFinite(a) || !isFinite(b) || !isFinite(c) {
		// No product of float32 overflows float64, so infinities are those of a, b and c.
		want := float32(float64(a)*float64(b) + float64(c))
		if got != want && (got == got || want == want) {
			require.Failf(t, "differs", "%x * %x + %x = %x, want %x", a, b, c, got, want)
		}
		return
	}
	if want := f.fma(a, b, c); math.Float32bits(want) != math.Float32bits(got) {
		require.Failf(t, "differs", "%x * %x + %x = %x, want %x", a, b, c, got, want)
	}
}

// anyFloat32 returns a float32 of random bits.
func anyFloat32(rng *rand.Rand) float32 { return math.Float32frombits(rng.Uint32()) }

// ofExponent returns a random number of a magnitude from 2^e on, below 2^(e+1).
func ofExponent(rng *rand.Rand, e int) float32 {
	x := math.Ldexp(1+float64(rng.Uint32()&Mask32)*0x1p-23, e)
	if rng.Uint32()&1 != 0 {
		x = -x
	}
	return float32(x)
}

// nearTie returns a sum that is next to the middle between c and a neighbour, too
// close for float64 to tell: a*b is half of c's last place times 1 - i^2 * 2^-46.
func nearTie(rng *rand.Rand) (a, b, c float32) {
	e := rng.IntN(127+149) - 149
	if rng.IntN(4) == 0 {
		e = -149 + rng.IntN(24) // subnormal
	}
	c = ofExponent(rng, e)
	halfUlp := max(e-24, -150)
	i := float64(1 + rng.IntN(8))
	ea := halfUlp / 2
	a = float32(math.Ldexp(1+i*0x1p-23, ea))
	b = float32(math.Ldexp(1-i*0x1p-23, halfUlp-ea))
	if rng.Uint32()&1 != 0 {
		a = -a
	}
	return a, b, c
}

// inputs are the ways in which the random tests make a, b and c.
var inputs = []func(rng *rand.Rand) (a, b, c float32){
	func(rng *rand.Rand) (a, b, c float32) { return anyFloat32(rng), anyFloat32(rng), anyFloat32(rng) },
	nearTie,
	// The sum cancels, or all of it counts.
	func(rng *rand.Rand) (a, b, c float32) {
		ea, eb := rng.IntN(60)-30, rng.IntN(60)-30
		return ofExponent(rng, ea), ofExponent(rng, eb), ofExponent(rng, ea+eb+rng.IntN(60)-30)
	},
	// The sum is the error of a rounded product.
	func(rng *rand.Rand) (a, b, c float32) {
		a, b = ofExponent(rng, rng.IntN(100)-80), ofExponent(rng, rng.IntN(100)-80)
		return a, b, float32(-a * b)
	},
	// Subnormal sums of products that are far smaller than any float32.
	func(rng *rand.Rand) (a, b, c float32) {
		ea := rng.IntN(120) - 130
		c = math.Float32frombits(rng.Uint32() & 0x80ffffff)
		return ofExponent(rng, ea), ofExponent(rng, -150-ea+rng.IntN(30)-4), c
	},
	// Few significant bits, so that ties and exact sums are common.
	func(rng *rand.Rand) (a, b, c float32) {
		few := func() float32 { return float32(math.Ldexp(float64(rng.IntN(1<<13)-1<<12), rng.IntN(30)-15)) }
		return few(), few(), few()
	},
	// About the largest number.
	func(rng *rand.Rand) (a, b, c float32) {
		e := rng.IntN(100)
		c = math.Float32frombits(0x7f7fffff - uint32(rng.IntN(3)) | rng.Uint32()<<31)
		return ofExponent(rng, e), ofExponent(rng, 103-e+rng.IntN(5)-3), c
	},
}

func TestFMA32AgainstBig(t *testing.T) {
	n := 1_000_006 // a multiple of their number
	if raceEnabled || testing.Short() {
		n = 50_000
	}
	for k, input := range inputs {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			t.Parallel()
			rng, f := rand.New(rand.NewPCG(24, uint64(k))), newBigFMA()
			for range n / len(inputs) {
				a, b, c := input(rng)
				f.check(t, a, b, c)
			}
		})
	}
}

// Every triple of numbers at which something ends: zeros, the smallest, the largest,
// infinity, NaN.
func TestFMA32AtEnds(t *testing.T) {
	var ends []float32
	for _, bits := range []uint32{
		0, 1, 2, 3, 0x400000, 0x7fffff, 0x800000, 0x800001, 0xc00000, // to twice the smallest normal
		0x20000000, 0x20000001, 0x1fffffff, 0x33800000, 0x33800001, 0x3f7fffff, 0x3f800000, 0x3f800001,
		0x40490fdb, 0x4b7fffff, 0x4b800000, 0x5f7fffff, 0x5f800000, 0x5f800001, 0x7effffff, 0x7f000000, 0x7f7fffff, 0x7f800000, 0x7fc00000,
	} {
		ends = append(ends, math.Float32frombits(bits), math.Float32frombits(bits|Sign32))
	}
	f := newBigFMA()
	for i, a := range ends {
		for _, b := range ends[:i+1] { // a product knows no order
			for _, c := range ends {
				f.check(t, a, b, c)
			}
		}
	}
}

// The reference itself, and what the rules of IEEE 754 say of cases without one.
func TestFMA32Table(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	negative := float32(math.Copysign(0, -1))
	const largest, smallest = math.MaxFloat32, math.SmallestNonzeroFloat32
	for _, tt := range []struct{ a, b, c, want float32 }{
		{2, 3, 4, 10},
		{1, 1, -1, 0}, // what cancels is +0
		{negative, 1, 0, 0},
		{negative, 1, negative, negative},
		{0, 0, negative, 0},
		{-smallest, smallest, 0, negative}, // rounded to 0, with the sign
		{smallest, 0.5, 0, 0},              // a tie, to even
		{smallest, 0.5, smallest, 2 * smallest},
		{smallest, 1.5, smallest, 2 * smallest}, // 2.5 of it: a tie, to even
		{largest, 1, 0x1p103, inf},              // a tie, to the even one that does not exist
		{largest, 1, 0x1.fffffep102, largest},
		{largest, 2, -largest, largest},
		{-largest, largest, inf, inf},
		{inf, 0, 1, nan}, {0, inf, nan, nan}, {inf, 1, -inf, nan}, {inf, -1, -inf, -inf}, {nan, 1, 1, nan}, {1, 1, nan, nan},
		// The tie between 1 and its neighbour, less and more than float64 can say.
		{0x1.000002p-12, 0x1.fffffcp-13, 1, 1},
		{0x1.000002p-12, 0x1.fffffcp-13, 0x1.000002p0, 0x1.000002p0},
	} {
		got := FMA32(tt.a, tt.b, tt.c)
		if tt.want != tt.want {
			assert.True(t, got != got, "%x * %x + %x = %x", tt.a, tt.b, tt.c, got)
			continue
		}
		assert.Equal(t, math.Float32bits(tt.want), math.Float32bits(got), "%x * %x + %x = %x", tt.a, tt.b, tt.c, got)
	}
}

// Why FMA32 is not a conversion: that rounds twice, which half of these sums show.
func TestFMA32IsNoConversion(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	f := newBigFMA()
	const n = 2000
	var wrong, naive int
	for range n {
		a, b, c := nearTie(rng)
		want := f.fma(a, b, c)
		if FMA32(a, b, c) != want {
			wrong++
		}
		if float32(math.FMA(float64(a), float64(b), float64(c))) != want {
			naive++
		}
	}
	assert.Zero(t, wrong)
	assert.Greater(t, naive, n/4, "these sums do not test what they should")
	assert.NotEqual(t, FMA32(0x1.000002p-12, 0x1.fffffcp-13, 0x1.000002p0),
		float32(math.FMA(0x1.000002p-12, 0x1.fffffcp-13, 0x1.000002p0)))
}

func FuzzFMA32(f *testing.F) {
	rng := rand.New(rand.NewPCG(9, 9))
	for _, input := range inputs {
		a, b, c := input(rng)
		f.Add(math.Float32bits(a), math.Float32bits(b), math.Float32bits(c))
	}
	reference := newBigFMA()
	f.Fuzz(func(t *testing.T, a, b, c uint32) {
		reference.check(t, math.Float32frombits(a), math.Float32frombits(b), math.Float32frombits(c))
	})
}
