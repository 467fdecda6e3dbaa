package poly

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bigL returns -2 ln u1.
func bigL(x uint64) *big.Float {
	u := whole(int64(x>>11<<1 | 1))
	return product(num(-2), bigLog(u.SetMantExp(u, -54)))
}

// nearest returns the quadrant nearest to 4*u2 and the rest of 4*u2, exactly.
func nearest(y uint64) (q int64, t *big.Float) {
	n := int64(y>>11<<1 | 1) // 2^54 * u2
	q = (n + 1<<51) >> 52
	t = whole(n - q<<52)
	return q % 4, t.SetMantExp(t, -52)
}

// words64 returns words at which something changes, and n random ones, of which
// half are near 0, 2^64, a half and the quadrants.
func words64(rng *rand.Rand, n int) []uint64 {
	var words []uint64
	for q := range uint64(9) { // the eighths of a turn; 4 is u1 = 1/2, 8 wraps to 0
		for _, d := range []uint64{0, 1, 1<<10 - 1, 1 << 10, 1<<11 - 1, 1 << 11, 1<<11 + 1, 1 << 12, 3 << 11, 1 << 13} {
			words = append(words, q<<61+d, q<<61-d)
		}
	}
	for i := range 64 { // both sides of every power of two of u1, and of 1-u1
		words = append(words, 1<<i, 1<<i-1, ^(1 << i), -(1 << i))
	}
	for i := range n {
		w := rng.Uint64()
		if i%2 == 1 {
			w = w>>61<<61 + uint64(int64(rng.Uint64())>>rng.IntN(64))
		}
		words = append(words, w)
	}
	return words
}

// In 4*10^7 pairs the largest errors were 1.19 ulp for L, 1.20 for its root, 0.73 for
// the sine, 0.89 for the cosine and 2.71 for z; on average 0.27, 0.28, 0.25, 0.24 and
// 0.43. Here few words make many pairs, since the error of a pair is that of its words
// and of one product.
func TestNormal64Accuracy(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	xs, ys := words64(rng, 1500), words64(rng, 1500)
	var ofL, ofR, ofSin, ofCos, ofZ float64
	roots := make([]*big.Float, len(xs))
	for i, x := range xs {
		exact, got := bigL(x), MinusTwoLog64(x)
		roots[i] = num(0).Sqrt(exact)
		ofL = max(ofL, ulps(got, exact))
		ofR = max(ofR, ulps(math.Sqrt(got), roots[i]))
	}
	type point struct{ cos, sin *big.Float }
	points := make([]point, len(ys))
	for i, y := range ys {
		q, rest := nearest(y)
		sin, cos := bigTurn(rest)
		gotSin, gotCos := turn64(y)
		ofSin = max(ofSin, ulps(gotSin, sin))
		ofCos = max(ofCos, ulps(gotCos, cos))
		p := point{cos, sin}
		for range q {
			p = point{num(0).Neg(p.sin), p.cos}
		}
		points[i] = p
	}
	pair := func(i, j int) {
		z0, z1 := Normal64(xs[i], ys[j])
		e := max(ulps(z0, product(roots[i], points[j].cos)), ulps(z1, product(roots[i], points[j].sin)))
		// A wrong sign or quadrant is far above it, as an infinity is; NaN panics.
		if e > 2.75 {
			require.LessOrEqual(t, e, 2.75, "%#x, %#x: %v, %v", xs[i], ys[j], z0, z1)
		}
		ofZ = max(ofZ, e)
	}
	for range 210_000 {
		pair(rng.IntN(len(xs)), rng.IntN(len(ys)))
	}
	for i := range len(xs) { // each word once at least
		pair(i, i)
	}
	t.Logf("largest errors in ulp: L %.3f, r %.3f, sin %.3f, cos %.3f, z %.3f", ofL, ofR, ofSin, ofCos, ofZ)
	assert.Less(t, ofL, 1.25)
	assert.Less(t, ofR, 1.25)
	assert.Less(t, ofSin, 0.75)
	assert.Less(t, ofCos, 0.95)
}

func TestNormal64Signs(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, y := range words64(rng, 10_000) {
		x := rng.Uint64() >> rng.IntN(64)
		z0, z1 := Normal64(x, y)
		quarter := y >> 62
		require.Equal(t, quarter == 0 || quarter == 3, z0 > 0, "%#x, %#x", x, y)
		require.Equal(t, quarter < 2, z1 > 0, "%#x, %#x", x, y)
		require.NotZero(t, z0*z1, "%#x, %#x", x, y)
	}
}

// The ends of the range, and which bits count.
func TestNormal64Ends(t *testing.T) {
	largest := math.Sqrt(108 * math.Ln2)
	for q, axis := range [][2]float64{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
		for _, y := range []uint64{uint64(q) << 62, uint64(q)<<62 - 1} {
			z0, z1 := Normal64(0, y)
			assert.InDelta(t, axis[0]*largest, z0, 4e-15)
			assert.InDelta(t, axis[1]*largest, z1, 4e-15)
		}
	}
	assert.Equal(t, 0x1p-53, MinusTwoLog64(math.MaxUint64))
	assert.InDelta(t, 2*math.Ln2, MinusTwoLog64(1<<63), 3e-16)

	rng := rand.New(rand.NewPCG(5, 6))
	last, all := math.Inf(1), words64(rng, 1000)
	for _, x := range all {
		require.LessOrEqual(t, MinusTwoLog64(x), MinusTwoLog64(0))
		require.Equal(t, MinusTwoLog64(x), MinusTwoLog64(x^(1<<11-1)))
		a, b := Normal64(all[0], x)
		c, d := Normal64(all[0]|0x555, x^(1<<11-1))
		require.Equal(t, [2]float64{a, b}, [2]float64{c, d})
	}
	for x := uint64(0); x < 100<<11; x += 1 << 11 { // L falls as u1 rises
		require.Less(t, MinusTwoLog64(x), last)
		last = MinusTwoLog64(x)
	}
}

// The errors of the polynomials themselves, with exact arithmetic, at the points
// i/n of their ranges.
func TestPolynomials64(t *testing.T) {
	const n = 1000
	relative := func(approx, exact *big.Float) float64 {
		e, _ := quotient(minus(approx, exact), exact).Float64()
		return math.Abs(e)
	}
	var ofLog, ofSin, ofCos float64
	for i := range int64(n) {
		g := quotient(whole(i+1), whole(n))
		l := product(num(-2), bigLog(minus(num(1), product(num(0.5), g))))
		ofLog = max(ofLog, relative(plus(product(bigPoly(LogPoly64[:], g), product(g, g)), g), l))

		angle := quotient(whole(i+1), whole(2*n))
		square := product(angle, angle)
		sin, cos := bigTurn(angle)
		s := product(angle, plus(num(SinLead64), bigPoly(SinPoly64[:], square)))
		ofSin = max(ofSin, relative(s, sin))
		ofCos = max(ofCos, relative(bigPoly(CosPoly64[:], square), cos))
	}
	t.Logf("log2 of the largest relative errors: log %.3f, sin %.3f, cos %.3f",
		math.Log2(ofLog), math.Log2(ofSin), math.Log2(ofCos))
	assert.Less(t, math.Log2(ofLog), -56.98)
	assert.Less(t, math.Log2(ofSin), -58.04)
	assert.Less(t, math.Log2(ofCos), -61.46)

	twoLn2, _ := product(num(2), bigLn2).Float64()
	assert.Equal(t, twoLn2, TwoLn2For64)
	halfPi, _ := bigHalfPi.Float64()
	assert.Equal(t, halfPi, SinLead64)
}

// Not every digit of a small coefficient shows in the error of its polynomial, but
// all are part of the sequence.
func TestNormal64IsFixed(t *testing.T) {
	var buf []byte
	add := func(v ...float64) {
		for _, f := range v {
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(f))
		}
	}
	crc := func() uint32 { return crc32.Checksum(buf, crc32.MakeTable(crc32.Castagnoli)) }
	add(LogPoly64[:]...)
	add(SinPoly64[:]...)
	add(CosPoly64[:]...)
	add(TwoLn2For64, SinLead64)
	assert.Equal(t, uint32(0xf00a6e6c), crc(), "coefficients")

	buf = nil
	rng := rand.New(rand.NewPCG(7, 8))
	words := words64(rng, 20_000)
	for i, x := range words {
		z0, z1 := Normal64(x, words[len(words)-1-i])
		add(z0, z1)
	}
	assert.Equal(t, uint32(0x18b3e9ea), crc(), "numbers")

	for _, c := range []struct {
		x, y   uint64
		z0, z1 float64
	}{
		{0, 0, 0x1.14de816a6d788p+03, 0x1.b2e7b235f0a91p-49},
		{math.MaxUint64, math.MaxUint64, 0x1.6a09e667f3bcdp-27, -0x1.1c5831add62e4p-78},
		{1 << 63, 1 << 61, 0x1.aa4499161cd44p-01, 0x1.aa4499161cd4ap-01},
		{1<<63 - 1, 1<<63 - 1, -0x1.2d6abe44afc43p+00, 0x1.d976f421bde0ap-52},
		{0x0123456789abcdef, 0xfedcba9876543210, 0x1.a51d018acbacdp+01, -0x1.786886fd8373ep-04},
		{0xc0ffee1234567890, 0x5eed5eed5eed5eed, -0x1.08de261785754p-01, 0x1.1732367494a05p-01},
	} {
		z0, z1 := Normal64(c.x, c.y)
		assert.Equal(t, [2]float64{c.z0, c.z1}, [2]float64{z0, z1}, "%#x, %#x: %x, %x", c.x, c.y, z0, z1)
	}
}
