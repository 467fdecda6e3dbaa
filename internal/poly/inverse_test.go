package poly

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// words32 is words64 for words of 32 bits.
func words32(rng *rand.Rand, n int) []uint32 {
	var words []uint32
	for q := range uint32(8) {
		for d := range uint32(4) {
			words = append(words, q<<29+d, q<<29-d)
		}
	}
	for i := range 32 {
		words = append(words, 1<<i, 1<<i-1, ^(1 << i), -(1 << i))
	}
	for i := range n {
		w := rng.Uint32()
		if i%2 == 1 {
			w = w>>29<<29 + uint32(int32(rng.Uint32())>>rng.IntN(32))
		}
		words = append(words, w)
	}
	return words
}

// A draw is a function of a word. The tests know it by the odd number n = u * 2^(bits+1).
type draw struct {
	name  string
	exact func(n int64, bits int) *big.Float
	of32  func(uint32) float64
	of64  func(uint64) float64
	// The largest error, in last places of numbers of 2^least and above.
	bound float64
	least int
	// Opposite words have opposite numbers.
	odd bool
}

// open returns n * 2^-(bits+1).
func open(n int64, bits int) *big.Float {
	u := whole(n)
	return u.SetMantExp(u, -bits-1)
}

func bigLaplace(n int64, bits int) *big.Float {
	if half := int64(1) << bits; n > half {
		return num(0).Neg(bigLog(open(4*half-2*n, bits)))
	}
	return bigLog(open(2*n, bits))
}

func bigGumbel(n int64, bits int) *big.Float {
	e := bigLog(open(n, bits))
	e = bigLog(e.Neg(e))
	return e.Neg(e)
}

func bigCauchy(n int64, bits int) *big.Float {
	n -= 1 << bits // 2u - 1, by 2^-bits
	t := whole(n)
	sin, cos := bigTurn(t.SetMantExp(t, -bits))
	return quotient(sin, cos)
}

var draws = []draw{
	{"Laplace", bigLaplace, Laplace32, Laplace64, 1.3, math.MinInt, true},
	{"Gumbel", bigGumbel, Gumbel32, Gumbel64, 1.4, 0, false},
	{"Cauchy", bigCauchy, Cauchy32, Cauchy64, 2.4, math.MinInt, true},
}

// size is n, or a tenth of it where time counts.
func size(n int) int {
	if testing.Short() || raceEnabled {
		return n / 10
	}
	return n
}

// In 2*10^6 words each, measured with 200 bits, the largest errors were 1.05 and 1.28 ulp
// for Laplace of 32 and of 64 bits, and 2.26 and 2.30 for Cauchy; on average 0.29, 0.29,
// 0.40 and 0.38. Gumbel was within 1.36 and 1.38 ulp from 1 on, 0.29 on average, and
// within 2.27 * 2^-53 below 1, where its zero is.
func TestDrawsAccuracy(t *testing.T) {
	for _, d := range draws {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(31, 32))
			var largest float64
			check := func(got float64, n int64, bits int) {
				e := ulpsAbove(got, d.exact(n, bits), d.least)
				if !(e <= d.bound) {
					require.LessOrEqual(t, e, d.bound, "%#x of %d bits: %v", n>>1, bits, got)
				}
				largest = max(largest, e)
			}
			for _, x := range words32(rng, size(2000)) {
				check(d.of32(x), int64(x)<<1|1, 32)
			}
			for _, x := range words64(rng, size(2000)) {
				check(d.of64(x), int64(x>>11<<1|1), 53)
			}
			t.Logf("largest error: %.3f ulp", largest)
		})
	}
}

// No draw is infinite, NaN or, if it has a sign, zero; draws of both signs are opposite
// at opposite words; only the upper 53 bits count; and draws rise with the word.
func TestDrawsSymmetryAndOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	for _, d := range draws {
		ofHalf32, ofHalf64 := d.of32(1<<31), d.of64(1<<63)
		xs := words32(rng, size(20_000))
		slices.Sort(xs)
		last := math.Inf(-1)
		for i, x := range xs {
			v := d.of32(x)
			ok := v-v == 0 && v >= last && (i == 0 || v > last || x == xs[i-1])
			if d.odd {
				ok = ok && v == -d.of32(^x) && v != 0 && v > 0 == (x >= 1<<31)
			}
			require.True(t, ok && v >= ofHalf32 == (x >= 1<<31), "%s of %#x: %v after %v", d.name, x, v, last)
			last = v
		}
		for _, x := range words64(rng, size(20_000)) {
			v := d.of64(x)
			ok := v-v == 0 && v == d.of64(x^(1<<11-1))
			if d.odd {
				ok = ok && v == -d.of64(^x) && v != 0 && v > 0 == (x >= 1<<63)
			}
			require.True(t, ok && v >= ofHalf64 == (x >= 1<<63), "%s of %#x: %v", d.name, x, v)
		}
		var ys []uint64 // far enough from each other to be in order in spite of errors
		for range size(10_000) {
			ys = append(ys, rng.Uint64())
		}
		slices.Sort(ys)
		last = math.Inf(-1)
		for _, y := range ys {
			v := d.of64(y)
			require.True(t, v > last, "%s of %#x: %v after %v", d.name, y, v, last)
			last = v
		}
	}
}

// The ends of the ranges.
func TestDrawsEnds(t *testing.T) {
	for _, c := range []struct{ want, got float64 }{
		{32 * math.Ln2, Laplace32(math.MaxUint32)},
		{0x1p-32 + 0x1p-65, Laplace32(1 << 31)},
		{-0x1p-32 - 0x1p-65, Laplace32(1<<31 - 1)},
		{53 * math.Ln2, Laplace64(math.MaxUint64)},
		{0x1p-53, Laplace64(1 << 63)},
		{33*math.Ln2 - 0x1p-34, Gumbel32(math.MaxUint32)},
		{-math.Log(33 * math.Ln2), Gumbel32(0)},
		{54 * math.Ln2, Gumbel64(math.MaxUint64)},
		{-math.Log(54 * math.Ln2), Gumbel64(0)},
		{0x1p33 / math.Pi, Cauchy32(math.MaxUint32)},
		{math.Pi * 0x1p-33, Cauchy32(1 << 31)},
		{0x1p54 / math.Pi, Cauchy64(math.MaxUint64)},
		{math.Pi * 0x1p-54, Cauchy64(1 << 63)},
		// About pi/4, where the sine and the cosine change places.
		{1 - math.Pi*0x1p-32, Cauchy32(3<<30 - 1)},
		{1 + math.Pi*0x1p-32, Cauchy32(3 << 30)},
		{1, Cauchy64(3<<62 - 1)},
		{1, Cauchy64(3 << 62)},
	} {
		assert.InEpsilon(t, c.want, c.got, 1e-15, "%x, %x", c.want, c.got)
	}
}

// In 2*10^6 arguments, measured with 200 bits, the largest error of Exp was 0.99 ulp, 0.25
// on average, and 0.72 of the last place there is where the result is subnormal.
func TestExp(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 36))
	var largest float64
	check := func(v float64) {
		e := ulpsAbove(Exp(v), bigExp(num(v)), -1022)
		require.LessOrEqual(t, e, 1.0, "%x: %x", v, Exp(v))
		largest = max(largest, e)
	}
	for _, v := range []float64{
		0, math.Copysign(0, -1), 1, -1, 0x1p-1074, -0x1p-1074, 0x1p-53, -0x1p-53, 0x1p-54, -0x1p-54,
		math.Ln2 / 2, -math.Ln2 / 2, math.Ln2 * 1.5, 512.5 * math.Ln2, // between two exponents
		0x1.62e42fefa39efp+9,                         // the largest with a finite result
		-0x1.6232bdd7abcd2p+9, -0x1.6232bdd7abcd3p+9, // about the smallest normal result
		-0x1.74910d52d3051p+9, // the smallest with a positive one
	} {
		check(v)
	}
	for range size(1500) {
		check(rng.Float64()*1454 - 745)
		check(rng.NormFloat64())
		check((rng.Float64() - 0.5) * math.Ldexp(1, -rng.IntN(60)))
	}
	t.Logf("largest error: %.3f ulp", largest)

	assert.Equal(t, 1.0, Exp(0))
	assert.Equal(t, 0x1p-1074, Exp(-0x1.74910d52d3051p+9))
	for _, v := range []float64{-0x1.74910d52d3052p+9, -746, -1e9, -math.MaxFloat64, math.Inf(-1)} {
		assert.Zero(t, Exp(v), v)
	}
	for _, v := range []float64{0x1.62e42fefa39fp+9, 710, 1e9, math.MaxFloat64, math.Inf(1)} {
		assert.Equal(t, math.Inf(1), Exp(v), v)
	}
	last := 0.0
	for v := -745.2; v < 709.8; v += rng.Float64() / 4 {
		require.GreaterOrEqual(t, Exp(v), last, v)
		last = Exp(v)
	}
}

// In 2*10^6 arguments, measured with 200 bits, the largest error of Log was 0.75 ulp, about
// 1 too, and 0.26 on average; of LogOneMinus 0.75 and 0.23.
func TestLog(t *testing.T) {
	rng := rand.New(rand.NewPCG(37, 38))
	var ofLog, ofOneMinus float64
	check := func(v float64) {
		e := ulps(Log(v), bigLog(num(v)))
		require.LessOrEqual(t, e, 0.8, "%x: %x", v, Log(v))
		ofLog = max(ofLog, e)
	}
	oneMinus := func(p float64) {
		// num(1) less num(p) has 128 bits, and the series goes on where it ends.
		exact := num(0).Neg(num(p))
		if p > 0x1p-64 {
			exact = bigLog(minus(num(1), num(p)))
		}
		e := ulps(LogOneMinus(p), exact)
		require.LessOrEqual(t, e, 0.8, "%x: %x", p, LogOneMinus(p))
		ofOneMinus = max(ofOneMinus, e)
	}
	root := math.Float64frombits(RootHalf64)
	for _, v := range []float64{
		2, 0.5, math.E, 1 + 0x1p-52, 1 - 0x1p-53, 0x1p-1022, 0x1p-1074, math.Nextafter(0x1p-1022, 0), 3 * 0x1p-1074, math.MaxFloat64,
		root, math.Nextafter(root, 0), 2 * root, math.Nextafter(2*root, 0),
	} {
		check(v)
	}
	for _, p := range []float64{
		0.5, math.Nextafter(0.5, 0), math.Nextafter(0.5, 1), 0.25, 0x1p-1074, 0x1p-1022, 0x1p-53, 0x1p-54, 0x1.8p-54, 0x1.8p-53,
		math.Nextafter(0x1p-54, 1), 0x1p-52, 0x1.fffffffffffffp-53, 1 - 0x1p-53, 1 - root, math.Nextafter(1-root, 1),
	} {
		oneMinus(p)
	}
	for range size(1000) {
		check(math.Ldexp(1+rng.Float64(), rng.IntN(2045)-1022))
		check(0.5 + 1.5*rng.Float64())
		check(1 + (rng.Float64()-0.5)*math.Ldexp(1, -rng.IntN(50)))
		check(math.Float64frombits(1 + rng.Uint64N(1<<52)>>rng.IntN(52)))
		oneMinus(math.Ldexp(1+rng.Float64(), -1-rng.IntN(63)))
		oneMinus(1 - math.Ldexp(1+rng.Float64(), -1-rng.IntN(52)))
	}
	t.Logf("largest errors: %.3f ulp, %.3f of 1-p", ofLog, ofOneMinus)

	assert.Equal(t, uint64(0), math.Float64bits(Log(1)))
	assert.Zero(t, LogOneMinus(0))
	assert.Equal(t, math.Inf(-1), LogOneMinus(1))
	last := math.Inf(-1)
	for v := 0x1p-1074; v < math.MaxFloat64; v *= 1 + rng.Float64() {
		require.GreaterOrEqual(t, Log(v), last, v)
		last = Log(v)
	}
}

// Wherever ln u / ln(1-p) is no whole number as far as float64 can say, its floor is right.
func TestGeometric(t *testing.T) {
	rng := rand.New(rand.NewPCG(39, 40))
	var unclear int
	check := func(got float64, n int64, bits int, p float64) {
		e, q := bigLog(open(n, bits)), bigLog(minus(num(1), num(p)))
		ratio := quotient(e, q)
		exact, _ := ratio.Float64()
		i, _ := ratio.Int(nil)
		floor, _ := new(big.Float).SetInt(i).Float64()
		slack := math.Ldexp(exact, -50)
		if exact-floor < slack || floor+1-exact < slack || exact > 0x1p48 {
			unclear++
			require.InDelta(t, exact+1, got, 1+slack, "%#x of %d bits, %v", n>>1, bits, p)
			require.Equal(t, math.Floor(got), got)
			return
		}
		require.Equal(t, floor+1, got, "%#x of %d bits, %v", n>>1, bits, p)
	}
	xs, ys := words32(rng, size(1000)), words64(rng, size(1000))
	for i, y := range ys {
		p := 1 - rng.Float64()
		if i%2 == 0 {
			p = math.Ldexp(p, -rng.IntN(50))
		}
		if p == 1 {
			p = 0.5
		}
		q := LogOneMinus(p)
		check(Geometric64(y, q), int64(y>>11<<1|1), 53, p)
		x := xs[i%len(xs)]
		check(Geometric32(x, q), int64(x)<<1|1, 32, p)
	}
	assert.Less(t, unclear, len(ys)/4)

	sure, half, rare := LogOneMinus(1), LogOneMinus(0.5), LogOneMinus(0x1p-1018)
	for _, x := range xs {
		require.Equal(t, 1.0, Geometric32(x, sure))
		require.Less(t, Geometric32(x, rare), math.Inf(1))
	}
	for _, y := range ys {
		require.Equal(t, 1.0, Geometric64(y, sure))
		require.Less(t, Geometric64(y, rare), math.Inf(1))
		require.GreaterOrEqual(t, Geometric64(y, half), 1.0)
	}
	// With p = 1/2 it is one more than the zeros that u begins with.
	for i := range 32 {
		require.Equal(t, float64(i+1), Geometric32(1<<31>>i, half))
		require.Equal(t, float64(i+1), Geometric32(1<<(32-i)-1, half))
	}
	assert.Equal(t, 34.0, Geometric32(0, half)) // u = 2^-33 is the only power of 1/2
	assert.Equal(t, 55.0, Geometric64(0, half))
	assert.Equal(t, 1.0, Geometric64(math.MaxUint64, half))
}

// The errors of the polynomials themselves.
func TestInversePolynomials(t *testing.T) {
	const n = 500
	var ofExp, ofLog float64
	limit := quotient(minus(num(0).Sqrt(num(2)), num(1)), plus(num(0).Sqrt(num(2)), num(1)))
	for i := range int64(2*n + 1) {
		if i == n {
			continue
		}
		at := quotient(whole(i-n), whole(n))
		r := product(at, product(bigLn2, num(0.5)))
		exact := bigExp(r)
		approx := plus(num(1), plus(r, product(product(r, r), bigPoly(ExpPoly64[:], r))))
		e, _ := quotient(minus(approx, exact), exact).Float64()
		ofExp = max(ofExp, math.Abs(e))
		if i < n {
			continue
		}
		s := product(at, limit)
		z := product(s, s)
		exact = product(num(2), arctangent(s, 1))
		approx = product(s, plus(num(2), product(z, bigPoly(AtanhPoly64[:], z))))
		e, _ = quotient(minus(approx, exact), exact).Float64()
		ofLog = max(ofLog, math.Abs(e))
	}
	t.Logf("log2 of the largest relative errors: exp %.3f, log %.3f", math.Log2(ofExp), math.Log2(ofLog))
	assert.Less(t, math.Log2(ofExp), -67.0)
	assert.Less(t, math.Log2(ofLog), -59.4)

	ln2, _ := bigLn2.Float64()
	rest, _ := minus(bigLn2, num(ln2)).Float64()
	per, _ := quotient(num(1), bigLn2).Float64()
	root, _ := num(0).Sqrt(num(0.5)).Float64()
	assert.Equal(t, []float64{ln2, rest, per}, []float64{Ln2For64, Ln2Rest64, PerLn2For64})
	assert.Equal(t, uint64(RootHalf64), math.Float64bits(root))
}

// All digits are part of the sequence.
func TestInverseIsFixed(t *testing.T) {
	var buf []byte
	add := func(v ...float64) {
		for _, f := range v {
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(f))
		}
	}
	crc := func() (c uint32) {
		c = crc32.Checksum(buf, crc32.MakeTable(crc32.Castagnoli))
		buf = buf[:0]
		return c
	}
	add(ExpPoly64[:]...)
	add(AtanhPoly64[:]...)
	add(Ln2For64, Ln2Rest64, PerLn2For64)
	assert.Equal(t, uint32(0xc0b85308), crc(), "coefficients")

	rng := rand.New(rand.NewPCG(41, 42))
	xs, ys := words32(rng, 10_000), words64(rng, 10_000)
	for i, want := range []uint32{0xee171fc8, 0x99c2bfd7, 0xd1c5385c} {
		for _, x := range xs {
			add(draws[i].of32(x))
		}
		for _, y := range ys {
			add(draws[i].of64(y))
		}
		assert.Equal(t, want, crc(), draws[i].name)
	}
	for i, y := range ys {
		p := float64(ys[len(ys)-1-i]>>11|1) * 0x1p-53
		q := LogOneMinus(p)
		add(q, Geometric32(uint32(y>>32), q), Geometric64(y, q))
	}
	assert.Equal(t, uint32(0x472896be), crc(), "Geometric")
	for _, y := range ys {
		v := float64(int64(y)>>11) * 0x1p-42 // to 1024
		add(Exp(v), Exp(v*0x1p-10), Log(math.Float64frombits(max(1, y>>1)&^(1<<62))))
	}
	assert.Equal(t, uint32(0xf38ad067), crc(), "Exp and Log")

	for _, c := range []struct {
		x                       uint64
		laplace, gumbel, cauchy float64
	}{
		{0, -0x1.25e4f7b2737fap+05, -0x1.cfad224466598p+01, -0x1.45f306dc9c883p+52},
		{math.MaxUint64, 0x1.25e4f7b2737fap+05, 0x1.2b708872320e2p+05, 0x1.45f306dc9c883p+52},
		{1 << 63, 0x1p-53, 0x1.774f29bdd6ba2p-02, 0x1.921fb54442d18p-53},
		{3 << 62, 0x1.62e42fefa39f1p-01, 0x1.3ef342116e5dp+00, 0x1.0000000000001p+00},
		{0x0123456789abcdef, -0x1.2e44dd96e00e8p+02, -0x1.b07af34a60484p+00, -0x1.1e75d4f100634p+06},
		{0xc0ffee1234567890, 0x1.6af3c966cff25p-01, 0x1.439d2903ec8ebp+00, 0x1.065c1c8eb617ap+00},
	} {
		got := [3]float64{Laplace64(c.x), Gumbel64(c.x), Cauchy64(c.x)}
		assert.Equal(t, [3]float64{c.laplace, c.gumbel, c.cauchy}, got, "%#x: %x", c.x, got)
	}
}
