package random_test

import (
	"fmt"
	"math"
	"math/big"
	"sort"
	"testing"
	"unsafe"

	"github.com/philox-go/rng/normal"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/random"
)

// The rules of the operators once more, for one element and from the words of its block
// alone. Where a rounding counts, numbers are exact before it; where a polynomial does,
// the standard library's functions say about what must come.

// reduced returns n, or less of it where everything takes long: under the race
// detector and in emulators, for which .ci/run passes -short.
func reduced(n int) int {
	if raceEnabled || testing.Short() {
		return max(n/10, 1)
	}
	return n
}

// reducedStep returns 1, or n where everything takes long.
func reducedStep(n int) int {
	if raceEnabled || testing.Short() {
		return n
	}
	return 1
}

// An element is a place in a block.
type element struct {
	key     philox.Key
	counter philox.Counter
	lane    int // in elements
	index   int // in the fill
}

// words are those of the block, or of its attempt a.
func (e element) words(a uint32) [4]uint32 {
	c := e.counter
	if a > 0 {
		c[3] |= 0x80000000 | a<<16
	}
	return philox.Block(e.key, c)
}

func (e element) word(a uint32) uint32 { return e.words(a)[e.lane] }

func (e element) wide(a uint32) uint64 {
	w := e.words(a)
	return uint64(w[2*e.lane]) | uint64(w[2*e.lane+1])<<32
}

// stream is one that begins with the block.
func (e element) stream() philox.Stream { return philox.NewAt(e.key, e.counter) }

// exact returns a big.Float that does not round what happens to it here.
func exact(x float64) *big.Float { return new(big.Float).SetPrec(2400).SetFloat64(x) }

// fma returns u*span + lo before it is rounded.
func fma(u, span, lo float64) *big.Float {
	p := new(big.Float).SetPrec(2400).Mul(exact(u), exact(span))
	return p.Add(p, exact(lo))
}

func uniform32(w uint32, lo, hi float32) float32 {
	v, _ := fma(float64(w&(1<<23-1))*0x1p-23, float64(hi-lo), float64(lo)).Float32()
	if below := math.Nextafter32(hi, float32(math.Inf(-1))); v >= below {
		return below
	}
	return v
}

func uniform64(w uint64, lo, hi float64) float64 {
	v, _ := fma(float64(w&(1<<52-1))*0x1p-52, hi-lo, lo).Float64()
	if below := math.Nextafter(hi, math.Inf(-1)); v >= below {
		return below
	}
	return v
}

// halfParts says how a format lays out its bits.
func halfParts(f random.Format) (significand, bias int) {
	if f == random.BFloat16 {
		return 7, 127
	}
	return 10, 15
}

// halfInf returns the bits of infinity.
func halfInf(f random.Format) uint16 {
	if f == random.BFloat16 {
		return 0x7f80
	}
	return 0x7c00
}

// halfValue returns the number that bits stand for, and for infinity what would come
// next if exponents went on.
func halfValue(f random.Format, b uint16) float64 {
	significand, bias := halfParts(f)
	m, e := int(b)&(1<<significand-1), int(b&0x7fff)>>significand
	if e > 0 {
		m += 1 << significand
	} else {
		e = 1
	}
	v := math.Ldexp(float64(m), e-bias-significand)
	if b>>15 == 1 {
		return -v
	}
	return v
}

// roundHalf looks for the nearest number among all of them, and among two the even one.
func roundHalf(f random.Format, x float32) uint16 {
	inf := int(halfInf(f))
	sign := uint16(math.Float32bits(x) >> 16 & 0x8000)
	v := math.Abs(float64(x))
	// The first number above v.
	above := sort.Search(inf, func(i int) bool { return halfValue(f, uint16(i)) > v })
	if above == inf && v >= halfValue(f, uint16(inf)) {
		return sign | uint16(inf)
	}
	below := above - 1
	d := (v - halfValue(f, uint16(below))) - (halfValue(f, uint16(above)) - v)
	if d > 0 || d == 0 && below%2 == 1 {
		return sign | uint16(above)
	}
	return sign | uint16(below)
}

// belowHalf returns the bits of the number before the one of bits b.
func belowHalf(b uint16) uint16 {
	switch {
	case b&0x7fff == 0:
		return 0x8001
	case b < 0x8000:
		return b - 1
	}
	return b + 1
}

func halfOf(f random.Format, w uint32, lo, hi float32) uint16 {
	significand, _ := halfParts(f)
	a, b := roundHalf(f, lo), roundHalf(f, hi)
	u := math.Ldexp(float64(w&(1<<significand-1)), -significand)
	span := float32(halfValue(f, b)) - float32(halfValue(f, a))
	single, _ := fma(u, float64(span), halfValue(f, a)).Float32()
	v := roundHalf(f, single)
	if below := belowHalf(b); halfValue(f, v) >= halfValue(f, below) {
		return below
	}
	return v
}

// cover returns the least and the greatest float32 that round to a finite number of the
// format from a to b.
func cover(f random.Format, a, b float32) (lo, hi float32) {
	good := func(x float32) bool {
		h := roundHalf(f, x)
		v := halfValue(f, h)
		return h&0x7fff < halfInf(f) && float64(a) <= v && v <= float64(b)
	}
	// The numbers of the format in there, and half of the gap beyond, all of it in
	// float64.
	inf := float32(math.Inf(1))
	var all []float64
	for i := range halfInf(f) {
		for _, v := range []float64{halfValue(f, i), halfValue(f, i|0x8000)} {
			if float64(a) <= v && v <= float64(b) {
				all = append(all, v)
			}
		}
	}
	sort.Float64s(all)
	gap := func(v, towards float64) float64 {
		h := roundHalf(f, float32(v))
		next := halfValue(f, belowHalf(h))
		if towards > 0 {
			next = -halfValue(f, belowHalf(h^0x8000))
		}
		return v + (next-v)/2
	}
	lo, hi = float32(gap(all[0], -1)), float32(gap(all[len(all)-1], 1))
	for !good(lo) {
		lo = math.Nextafter32(lo, inf)
	}
	for !good(hi) {
		hi = math.Nextafter32(hi, -inf)
	}
	if good(math.Nextafter32(lo, -inf)) || good(math.Nextafter32(hi, inf)) {
		panic(fmt.Sprintf("%v, %v are not the ends of what rounds to [%v, %v]", lo, hi, a, b))
	}
	return lo, hi
}

// threshold returns floor(p*2^32 + 1/2).
func threshold(p float64) uint64 {
	v := new(big.Rat).SetFloat64(p)
	v.Mul(v, new(big.Rat).SetInt64(1<<32)).Add(v, big.NewRat(1, 2))
	return new(big.Int).Div(v.Num(), v.Denom()).Uint64()
}

func chosen(w uint32, p float64) bool { return uint64(w) < threshold(p) }

type integer = random.Integer

func bigOf[T integer](x T) *big.Int {
	if x < 0 {
		return big.NewInt(int64(x))
	}
	return new(big.Int).SetUint64(uint64(x))
}

// integerOf returns the integer of an element between lo and last.
func integerOf[T integer](e element, lo, last T) T {
	from := bigOf(lo)
	n := new(big.Int).Sub(bigOf(last), from)
	n.Add(n, big.NewInt(1))
	bits := uint(32)
	if n.Cmp(big.NewInt(1<<32)) > 0 {
		bits = 64
	}
	end := new(big.Int).Lsh(big.NewInt(1), bits)
	least := new(big.Int).Mod(end, n)
	for a := uint32(0); a < 1<<15; a++ {
		x := new(big.Int)
		if bits == 32 {
			x.SetUint64(uint64(e.word(a)))
		} else {
			x.SetUint64(e.wide(a))
		}
		x.Mul(x, n)
		high, low := new(big.Int).DivMod(x, end, new(big.Int))
		if low.Cmp(least) < 0 {
			continue
		}
		high.Add(high, from)
		if high.Sign() < 0 {
			return T(high.Int64())
		}
		return T(high.Uint64())
	}
	panic("no attempt left")
}

// wordsOfInteger is how many words such an integer takes.
func wordsOfInteger[T integer](lo, last T) int {
	n := new(big.Int).Sub(bigOf(last), bigOf(lo))
	if n.Cmp(big.NewInt(1<<32)) >= 0 {
		return 2
	}
	return 1
}

// A unit is a number between 0 and 1 in units of 2^-54: an open uniform, exactly.
type unit uint64

func unit32(x uint32) unit { return unit(2*uint64(x)+1) << 21 }

func unit64(x uint64) unit { return unit(x>>11<<1 | 1) }

// minusLog returns -ln u. The difference from 1 is exact where u itself would be
// rounded.
func (u unit) minusLog() float64 {
	if u < 1<<53 {
		return -math.Log(math.Ldexp(float64(u), -54))
	}
	return -math.Log1p(-math.Ldexp(float64(1<<54-u), -54))
}

func (u unit) cauchy() float64 {
	d := float64(int64(u) - 1<<53) // exact, as all of these
	if math.Abs(d) <= 1<<52 {
		return tan(math.Pi * d * 0x1p-54)
	}
	rest := float64(u)
	if u > 1<<53 {
		rest = float64(1<<54 - u)
	}
	return math.Copysign(1/tan(math.Pi*rest*0x1p-54), d)
}

// tan is not math.Tan, which is x where x*x is below 1e-14 and so 13 last places off.
func tan(x float64) float64 {
	sin, cos := math.Sincos(x)
	return sin / cos
}

func (u unit) laplace() float64 {
	if u > 1<<53 {
		return -(1<<54 - u).laplace()
	}
	if u > 1<<52 {
		return math.Log1p(-float64(1<<53-u) * 0x1p-53)
	}
	return math.Log(float64(u) * 0x1p-53)
}

func (u unit) gumbel() float64 { return -math.Log(u.minusLog()) }

// normal32 and normal64 return the normals of an element, as package normal makes them
// of its block.
func normal32(e element, mean, std float32) float32 {
	var x [4]float32
	if err := normal.FillScaledFloat32(e.stream(), x[:], mean, std); err != nil {
		panic(err)
	}
	return x[e.lane]
}

func normal64(e element, mean, std float64) float64 {
	var x [2]float64
	if err := normal.FillScaledFloat64(e.stream(), x[:], mean, std); err != nil {
		panic(err)
	}
	return x[e.lane]
}

func truncated32(e element, mean, std, a, b float32) float32 {
	var x [4]float32
	if err := normal.FillTruncatedFloat32(e.stream(), x[:], mean, std, a, b); err != nil {
		panic(err)
	}
	return x[e.lane]
}

func truncated64(e element, mean, std, a, b float64) float64 {
	var x [2]float64
	if err := normal.FillTruncatedFloat64(e.stream(), x[:], mean, std, a, b); err != nil {
		panic(err)
	}
	return x[e.lane]
}

// near reports whether got is want, a float64 that is wrong by at most slack, after a
// rounding to T by at most ulps halves of a last place.
func near[T random.Float](got T, want, slack, ulps float64) bool {
	half, largest, smallest := 0x1p-53, math.MaxFloat64, math.SmallestNonzeroFloat64
	if unsafe.Sizeof(got) == 4 {
		half, largest, smallest = 0x1p-24, math.MaxFloat32, math.SmallestNonzeroFloat32
	}
	g := float64(got)
	room := slack + 1.001*ulps*half*math.Abs(want) + smallest*ulps/2
	if math.IsInf(g, 0) {
		return want*g > 0 && math.Abs(want)+room >= largest
	}
	if math.Abs(want) >= largest {
		return want*g > 0 && math.Abs(g) >= largest*(1-1e-6)
	}
	return math.Abs(g-want) <= room
}

// trialsOf returns floor(ln u / ln(1-p)) + 1, and whether the quotient is so near to a
// whole number that one more or less is as good.
func trialsOf(u unit, p float64) (n float64, doubtful bool) {
	q := u.minusLog() / -math.Log1p(-p) // 0 for p = 1
	if p == 1 {
		q = 0
	}
	return math.Floor(q) + 1, math.Abs(q-math.Round(q)) < 1e-12*max(q, 1) && p < 1
}
