package random_test

import (
	"fmt"
	"math"
	mathbits "math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/random"
)

// with returns the fill of an operator with arguments, and withHalf that of a half type.
func with[T, A any](f func(g *random.Generator, dst []T, a, b A) error, a, b A) fill[T] {
	return func(g *random.Generator, dst []T) error { return f(g, dst, a, b) }
}

func withHalf[A any](f func(g *random.Generator, dst []uint16, format random.Format, a, b A) error, format random.Format, a, b A) fill[uint16] {
	return func(g *random.Generator, dst []uint16) error { return f(g, dst, format, a, b) }
}

func with1[T, A any](f func(g *random.Generator, dst []T, a A) error, a A) fill[T] {
	return func(g *random.Generator, dst []T) error { return f(g, dst, a) }
}

func with1Half[A any](f func(g *random.Generator, dst []uint16, format random.Format, a A) error, format random.Format, a A) fill[uint16] {
	return func(g *random.Generator, dst []uint16) error { return f(g, dst, format, a) }
}

// from makes each element from some of another fill.
func from[T, S any](per int, f fill[S], make1 func(s []S) T) fill[T] {
	s := make([]S, per*chunk)
	return func(g *random.Generator, dst []T) error {
		if err := f(g, s[:per*len(dst)]); err != nil {
			return err
		}
		for i := range dst {
			dst[i] = make1(s[i*per:][:per])
		}
		return nil
	}
}

// mapped makes each element from one.
func mapped[T, S any](f fill[S], g func(s S) T) fill[T] {
	return from(1, f, func(s []S) T { return g(s[0]) })
}

func words(g *random.Generator, dst []uint32) error {
	s, err := g.ReserveStream(uint64(len(dst)+3) / 4)
	s.FillUint32(dst)
	return err
}

func words64(g *random.Generator, dst []uint64) error {
	s, err := g.ReserveStream(uint64(len(dst)+1) / 2)
	s.FillUint64(dst)
	return err
}

// units are uniforms in [0, 1), for what is nearly an operator.
func units(g *random.Generator, dst []float64) error { return random.Uniform(g, dst, 0, 1) }

func rounded(format random.Format) func(x float32) uint16 { return asm.Half(format).Round }

// entry is a subject of the tests, of any type of elements.
type entry struct {
	name  string
	check func(t *testing.T, seed uint64)
}

func one[T any](name string, l *law[T], f fill[T], bugs ...bug[T]) entry {
	s := &subject[T]{law: l, fill: f, bugs: bugs}
	return entry{name, s.check}
}

func run(t *testing.T, entries ...entry) {
	for i, e := range entries {
		t.Run(e.name, func(t *testing.T) { e.check(t, uint64(i)*2+0x57a7) })
	}
}

var formats = []random.Format{random.Float16, random.BFloat16}

func TestStatisticsOfUniform(t *testing.T) {
	entries := []entry{
		one("float32", floats[float32](uniformShape(0, 1)), with(random.Uniform[float32], 0, 1),
			bug[float32]{"hi too low", with(random.Uniform[float32], 0, 0.998)},
			bug[float32]{"hi is given", mapped(words, func(w uint32) float32 { return float32(w>>14) / (1<<18 - 1) })}),
		one("float32 from -3 to 5", floats[float32](uniformShape(-3, 5)), with(random.Uniform[float32], -3, 5),
			bug[float32]{"lo too high", with(random.Uniform[float32], -2.988, 5)},
			bug[float32]{"the sum of two where a word is not used up", from(2, with(random.Uniform[float32], -3, 5), func(s []float32) float32 {
				if s[1] > 4.94 {
					return (s[0] + s[1]) / 2
				}
				return s[0]
			})}),
		one("float64", floats[float64](uniformShape(0, 1)), with(random.Uniform[float64], 0, 1),
			bug[float64]{"a power", mapped(units, func(x float64) float64 { return math.Pow(x, 1.008) })}),
		one("float64 from 1e-3 to 2.5", floats[float64](uniformShape(1e-3, 2.5)), with(random.Uniform[float64], 1e-3, 2.5),
			bug[float64]{"hi-lo times lo", with(random.Uniform[float64], 1e-3, 2.49)}),
		// The bits that a float32 has below what bins tell apart.
		one("low bits of float32", equals[uint8](0, 256), mapped(with(random.Uniform[float32], 0, 1), func(x float32) uint8 { return uint8(uint32(x * (1 << 23))) }),
			bug[uint8]{"a bit stuck in 1 of 64", mapped(words, func(w uint32) uint8 {
				if w>>26 == 0 {
					w |= 4
				}
				return uint8(w)
			})}),
		one("low bits of float64", equals[uint8](0, 256), mapped(units, func(x float64) uint8 { return uint8(uint64(x * (1 << 52))) }),
			bug[uint8]{"rounded from 53 bits", mapped(words64, func(w uint64) uint8 {
				return uint8(uint64(float64(w>>11)/(1<<53)*(1<<45)) << 3)
			})}),
	}
	for _, f := range formats {
		for _, p := range [][2]float32{{0, 1}, {-1, 3}, {0.1, 0.7}} {
			lo, hi := toFloat(f, rounded(f)(p[0])), toFloat(f, rounded(f)(p[1]))
			bugs := []bug[uint16]{{"the last bit stuck in 1 of 51", withHalf(random.UniformHalf[uint16], f, p[0], p[1]).each(51, func(x uint16) uint16 {
				k := math.Round((toFloat(f, x) - lo) / (hi - lo) * float64(halfSteps(f)))
				return uniformHalf(f, lo, hi, int(k)|1)
			})}}
			if p[0] == 0 {
				bugs = append(bugs, bug[uint16]{"rounded from float32", mapped(with(random.Uniform[float32], 0, 1), rounded(f))})
			}
			entries = append(entries, one(fmt.Sprintf("%v from %v to %v", f, p[0], p[1]), uniformHalves(f, lo, hi), withHalf(random.UniformHalf[uint16], f, p[0], p[1]), bugs...))
		}
	}
	run(t, entries...)
}

func TestStatisticsOfNormal(t *testing.T) {
	entries := []entry{
		one("float32", floats[float32](normalShape(0, 1)), with(random.Normal[float32], 0, 1),
			bug[float32]{"the sum of 12 uniforms", from(12, with(random.Uniform[float32], 0, 1), func(s []float32) float32 {
				sum := float32(-6)
				for _, x := range s {
					sum += x
				}
				return sum
			})},
			bug[float32]{"cut beyond 3.7", with4(random.TruncatedNormal[float32], 0, 1, -3.7, 3.7)},
			bug[float32]{"0 in 1 of 800", with(random.Normal[float32], 0, 1).each(801, func(float32) float32 { return 0 })}),
		one("float32 of mean 3", floats[float32](normalShape(3, 2)), with(random.Normal[float32], 3, 2),
			bug[float32]{"a larger deviation", with(random.Normal[float32], 3, 2.01)},
			bug[float32]{"a larger mean", with(random.Normal[float32], 3.014, 2)}),
		one("float64", floats[float64](normalShape(-1, 0.5)), with(random.Normal[float64], -1, 0.5),
			bug[float64]{"a larger deviation", with(random.Normal[float64], -1, 0.5025)},
			bug[float64]{"a logistic number in 1 of 20", from(2, units, func(s []float64) float64 {
				if s[1] < 1.0/20 {
					return -1 + 0.5*math.Log(s[0]/(1-s[0]))*math.Sqrt(3)/math.Pi
				}
				return -1 - 0.5*math.Sqrt2*math.Erfinv(1-2*s[0])
			})}),
	}
	for _, f := range formats {
		for _, p := range [][2]float32{{0, 1}, {100, 20}} {
			entries = append(entries, one(fmt.Sprintf("%v of mean %v", f, p[0]), halves(f, normalShape(float64(p[0]), float64(p[1]))), withHalf(random.NormalHalf[uint16], f, p[0], p[1]),
				roundedDown(f, with(random.Normal[float32], p[0], p[1]), bug[uint16]{"a larger deviation", withHalf(random.NormalHalf[uint16], f, p[0], p[1]*1.005)})))
		}
	}
	run(t, entries...)
}

// each changes 1 of so many elements.
func (f fill[T]) each(n int, change func(x T) T) fill[T] {
	return func(g *random.Generator, dst []T) error {
		err := f(g, dst)
		for i := n / 2; i < len(dst); i += every(1 / float64(n)) {
			dst[i] = change(dst[i])
		}
		return err
	}
}

// roundedDown is numbers rounded towards 0, which can be seen in a bfloat16, and another
// bug of a float16.
func roundedDown(f random.Format, single fill[float32], other bug[uint16]) bug[uint16] {
	if f == random.Float16 {
		return other
	}
	return bug[uint16]{"rounded towards 0", mapped(single, func(x float32) uint16 { return uint16(math.Float32bits(x) >> 16) })}
}

func with4[T any](f func(g *random.Generator, dst []T, mean, std, a, b T) error, mean, std, a, b T) fill[T] {
	return func(g *random.Generator, dst []T) error { return f(g, dst, mean, std, a, b) }
}

func TestStatisticsOfTruncatedNormal(t *testing.T) {
	inf := math.Inf(1)
	var entries []entry
	// Plain normals again, uniform and exponential candidates.
	for _, p := range [][5]float64{
		{0, 1, -2, 2, 0.001},
		{1, 2, 0, inf, 0.0004},
		{0, 1, 0.25, 0.75, 0.00005},
		{0, 1, 3, 4, 0.00003},
		{0, 1, -inf, -5, 0.00002},
	} {
		a, b := p[2]+p[4], p[3] // a bound off by a ten thousandth of the numbers
		if math.IsInf(a, -1) {
			b -= p[4]
		}
		name := fmt.Sprintf("%v %v from %v to %v", p[0], p[1], p[2], p[3])
		entries = append(entries,
			one("float32 "+name, floats[float32](truncatedShape(p[0], p[1], p[2], p[3])), with4(random.TruncatedNormal[float32], float32(p[0]), float32(p[1]), float32(p[2]), float32(p[3])),
				bug[float32]{"a bound off", with4(random.TruncatedNormal[float32], float32(p[0]), float32(p[1]), float32(a), float32(b))}))
		if p[2] == 0.25 || p[2] == 3 || p[3] == 2 {
			entries = append(entries,
				one("float64 "+name, floats[float64](truncatedShape(p[0], p[1], p[2], p[3])), with4(random.TruncatedNormal[float64], p[0], p[1], p[2], p[3]),
					bug[float64]{"a larger deviation", with4(random.TruncatedNormal[float64], p[0], p[1]*1.05, p[2], p[3])}))
		}
	}
	entries = append(entries, one("float32, drawn again", floats[float32](truncatedShape(0, 1, -2, 2)), with4(random.TruncatedNormal[float32], 0, 1, -2, 2),
		bug[float32]{"clamped after 2 attempts", from(2, with(random.Normal[float32], 0, 1), func(s []float32) float32 {
			if s[0] < -2 || s[0] > 2 {
				return max(-2, min(2, s[1]))
			}
			return s[0]
		})}))
	for _, f := range formats {
		for _, p := range [][4]float32{{0, 1, -2, 2}, {5, 2, 6, 24}} {
			entries = append(entries, one(fmt.Sprintf("%v %v from %v to %v", f, p[:2], p[2], p[3]), truncatedHalves(f, float64(p[0]), float64(p[1]), float64(p[2]), float64(p[3])),
				func(g *random.Generator, dst []uint16) error {
					return random.TruncatedNormalHalf(g, dst, f, p[0], p[1], p[2], p[3])
				},
				bug[uint16]{"bounds before rounding", mapped(with4(random.TruncatedNormal[float32], p[0], p[1], p[2], p[3]), rounded(f))}))
		}
	}
	run(t, entries...)
}

func TestStatisticsOfExponential(t *testing.T) {
	entries := []entry{
		one("float32", floats[float32](exponentialShape(1)), with1(random.Exponential[float32], 1),
			bug[float32]{"rate", with1(random.Exponential[float32], 1.007)},
			bug[float32]{"of 12 bits", mapped(words, func(w uint32) float32 { return float32(-math.Log((float64(w>>20) + 0.5) / (1 << 12))) })}),
		one("float32 of rate 1/4", floats[float32](exponentialShape(0.25)), with1(random.Exponential[float32], 0.25),
			bug[float32]{"a little added", mapped(with1(random.Exponential[float32], 0.25), func(x float32) float32 { return x + 0.004 })}),
		one("float64", floats[float64](exponentialShape(3)), with1(random.Exponential[float64], 3),
			bug[float64]{"u is not open", mapped(words, func(w uint32) float64 { return -math.Log(float64(w>>14)/(1<<18)) / 3 })}),
	}
	for _, f := range formats {
		for _, rate := range []float32{1, 0.1} {
			entries = append(entries, one(fmt.Sprintf("%v of rate %v", f, rate), halves(f, exponentialShape(float64(rate))), with1Half(random.ExponentialHalf[uint16], f, rate),
				roundedDown(f, with1(random.Exponential[float32], rate), bug[uint16]{"rate", with1Half(random.ExponentialHalf[uint16], f, rate*1.007)})))
		}
	}
	run(t, entries...)
}

// family tests an operator of location and scale.
func family(t *testing.T, shapeOf func(a, b float64) shape, single func(g *random.Generator, dst []float32, a, b float32) error, double func(g *random.Generator, dst []float64, a, b float64) error,
	half func(g *random.Generator, dst []uint16, format random.Format, a, b float32) error, a, b float32, wider, shift float32, bugs ...bug[float64],
) {
	entries := []entry{
		one("float32", floats[float32](shapeOf(0, float64(b))), with(single, 0, b),
			bug[float32]{"a larger scale", with(single, 0, b*wider)}),
		one("float64", floats[float64](shapeOf(float64(a), float64(b))), with(double, float64(a), float64(b)), append(bugs,
			bug[float64]{"moved", with(double, float64(a)+float64(shift*b), float64(b))})...),
		one("float16", halves(random.Float16, shapeOf(float64(a), float64(b))), withHalf(half, random.Float16, a, b),
			bug[uint16]{"a larger scale", withHalf(half, random.Float16, a, b*wider)}),
		one("bfloat16", halves(random.BFloat16, shapeOf(float64(a), float64(b))), withHalf(half, random.BFloat16, a, b),
			bug[uint16]{"moved", withHalf(half, random.BFloat16, a+shift*b, b)}),
	}
	run(t, entries...)
}

func TestStatisticsOfLogNormal(t *testing.T) {
	family(t, logNormalShape, random.LogNormal[float32], random.LogNormal[float64], random.LogNormalHalf[uint16], 1, 0.5, 1.012, 0.007,
		bug[float64]{"powers of 2.73", mapped(with(random.Normal[float64], 1, 0.5), func(z float64) float64 { return math.Exp(z * math.Log(2.73)) })})
}

func TestStatisticsOfCauchy(t *testing.T) {
	family(t, cauchyShape, random.Cauchy[float32], random.Cauchy[float64], random.CauchyHalf[uint16], 2, 0.5, 1.025, 0.014,
		bug[float64]{"3.141 for pi", mapped(units, func(u float64) float64 { return 2 + 0.5*math.Tan(3.141*(u-0.5)) })})
}

func TestStatisticsOfLaplace(t *testing.T) {
	family(t, laplaceShape, random.Laplace[float32], random.Laplace[float64], random.LaplaceHalf[uint16], -1, 2, 1.007, 0.01,
		bug[float64]{"above the mean in 1 of 100", from(2, with(random.Laplace[float64], 0, 2), func(s []float64) float64 {
			if s[1] > 7.82 {
				return math.Abs(s[0]) - 1
			}
			return s[0] - 1
		})})
}

func TestStatisticsOfGumbel(t *testing.T) {
	family(t, gumbelShape, random.Gumbel[float32], random.Gumbel[float64], random.GumbelHalf[uint16], 1, 2, 1.007, 0.009,
		bug[float64]{"1 of 512 of minima", from(2, with(random.Gumbel[float64], 0, 2), func(s []float64) float64 {
			if s[1] > 2*6.238 {
				return 1 - s[0]
			}
			return 1 + s[0]
		})})
}

func TestStatisticsOfGeometric(t *testing.T) {
	entries := []entry{
		one("int32", geometric[int32](0.3), with1(random.Geometric[int32], 0.3),
			bug[int32]{"p", with1(random.Geometric[int32], 0.302)},
			bug[int32]{"rounded up from a coarse u", mapped(words, func(w uint32) int32 {
				return int32(math.Ceil(math.Log((float64(w>>23)+0.5)/(1<<9)) / math.Log(0.7)))
			})}),
		one("uint8", geometric[uint8](0.2), with1(random.Geometric[uint8], 0.2),
			bug[uint8]{"p", with1(random.Geometric[uint8], 0.2014)}),
		one("int8", geometric[int8](1.0/3), with1(random.Geometric[int8], 1.0/3), bug[int8]{"p", with1(random.Geometric[int8], 0.3355)}),
		one("uint16", geometric[uint16](0.9), with1(random.Geometric[uint16], 0.9), bug[uint16]{"p", with1(random.Geometric[uint16], 0.8982)}),
		one("int64", geometric[int64](0.01), with1(random.Geometric[int64], 0.01),
			bug[int64]{"p", with1(random.Geometric[int64], 0.01007)},
			bug[int64]{"rounded", mapped(units, func(u float64) int64 { return int64(math.Round(math.Log(1-u)/math.Log(0.99))) + 1 })}),
		one("float32", geometric[float32](0.5), with1(random.Geometric[float32], 0.5), bug[float32]{"p", with1(random.Geometric[float32], 0.503)}),
		one("float64", geometric[float64](0.125), with1(random.Geometric[float64], 0.125), bug[float64]{"p", with1(random.Geometric[float64], 0.1259)}),
	}
	for _, f := range formats {
		for _, p := range []float64{0.4, 0.01} {
			if f == random.BFloat16 || p > 0.1 {
				entries = append(entries, one(fmt.Sprintf("%v %v", f, p), geometricHalves(f, p), with1Half(random.GeometricHalf[uint16], f, p),
					bug[uint16]{"p", with1Half(random.GeometricHalf[uint16], f, p*1.008)}))
			}
		}
	}
	run(t, entries...)
}

func TestStatisticsOfBernoulli(t *testing.T) {
	entries := []entry{
		one("bool", trialOf(0.3, true), with1(random.Bernoulli[bool], 0.3), bug[bool]{"p", with1(random.Bernoulli[bool], 0.3025)}),
		one("uint8", trial[uint8](0.5), with1(random.Bernoulli[uint8], 0.5), bug[uint8]{"p", with1(random.Bernoulli[uint8], 0.503)},
			bug[uint8]{"bytes below 129", mapped(words, func(w uint32) uint8 {
				if uint8(w) < 129 {
					return 1
				}
				return 0
			})}),
		one("int", trial[int](1.0/3), with1(random.Bernoulli[int], 1.0/3), bug[int]{"p", with1(random.Bernoulli[int], 0.336)}),
		one("int16", trial[int16](0.95), with1(random.Bernoulli[int16], 0.95), bug[int16]{"p", with1(random.Bernoulli[int16], 0.9515)}),
		one("float32", trial[float32](0.05), with1(random.Bernoulli[float32], 0.05), bug[float32]{"p", with1(random.Bernoulli[float32], 0.0515)}),
		one("float64", trial[float64](0.9), with1(random.Bernoulli[float64], 0.9), bug[float64]{"p", with1(random.Bernoulli[float64], 0.898)}),
	}
	for _, f := range formats {
		entries = append(entries, one(f.String(), trialOf(0.25, rounded(f)(1)), with1Half(random.BernoulliHalf[uint16], f, 0.25),
			bug[uint16]{"p", with1Half(random.BernoulliHalf[uint16], f, 0.2525)}))
	}
	// Each p has its place among 3, so that it meets all places in blocks.
	all := []float64{0.1, 0.5, 0.94}
	p, wrong, p32 := make([]float64, len(all)*chunk), make([]float64, len(all)*chunk), make([]float32, len(all)*chunk)
	for i := range p {
		p[i] = all[i%len(all)]
		wrong[i] = p[i] - 0.007*math.Sqrt(p[i]*(1-p[i]))
		p32[i] = float32(p[i])
	}
	for i, q := range all {
		place := func(s []bool) bool { return s[i] }
		entries = append(entries,
			one(fmt.Sprintf("each, bool, %v", q), trialOf(q, true), from(len(all), with1(random.BernoulliEach[bool, float64], p), place),
				bug[bool]{"p", from(len(all), with1(random.BernoulliEach[bool, float64], wrong), place)}))
	}
	entries = append(entries,
		one("each, float32 by float32", trial[float32](all[0]), from(len(all), with1(random.BernoulliEach[float32, float32], p32), func(s []float32) float32 { return s[0] })),
		one("each, bfloat16", trialOf(all[1], rounded(random.BFloat16)(1)), from(len(all), with1Half(random.BernoulliEachHalf[uint16, float64], random.BFloat16, p), func(s []uint16) uint16 { return s[1] })))
	run(t, entries...)
}

// integers are the integers from lo to last.
func integers[T random.Integer](name string, lo, last T, bugs ...bug[T]) entry {
	n := uint64(last) - uint64(lo) + 1
	l := span(lo, n)
	if n-1 < 1<<12 {
		l = equals(lo, int(n))
	}
	return one(name, l, with(random.IntRange[T], lo, last), bugs...)
}

// lowBits are the residues of many integers.
func lowBits[T random.Integer](name string, lo, last T, bugs ...bug[T]) entry {
	var mutants []bug[uint8]
	for _, b := range bugs {
		mutants = append(mutants, bug[uint8]{b.name, mapped(b.fill, residue(lo))})
	}
	return one("residues of "+name, residues(uint64(last)-uint64(lo)+1), mapped(with(random.IntRange[T], lo, last), residue(lo)), mutants...)
}

// A public bug report has words modulo n as integers below n = 3 * 2^30: a third of them
// has twice the probability of the others.
const report = 3 << 30

func TestStatisticsOfIntegers(t *testing.T) {
	entries := []entry{
		integers("dice", 1, 6,
			bug[int]{"modulo of 9 bits", mapped(words, func(w uint32) int { return 1 + int(w>>23%6) })},
			bug[int]{"rounded", mapped(words, func(w uint32) int { return 1 + int(math.Round(5.02*float64(w)/(1<<32))) })}),
		integers[uint8]("all uint8", 0, 255,
			bug[uint8]{"a bit stuck in 1 of 64", mapped(words, func(w uint32) uint8 {
				if w>>26 == 0 {
					w &^= 0x10
				}
				return uint8(w)
			})},
			bug[uint8]{"not the last one", with(random.IntN[uint8], 0, 255)}),
		integers[uint8]("uint8 below 100", 0, 99,
			bug[uint8]{"bytes modulo 100", mapped(words, func(w uint32) uint8 { return uint8(w) % 100 })},
			bug[uint8]{"11 bits modulo 100", mapped(words, func(w uint32) uint8 { return uint8(w & 0x7ff % 100) })}),
		integers[int8]("int8 from -5 to 5", -5, 5,
			bug[int8]{"modulo of 10 bits", mapped(words, func(w uint32) int8 { return int8(w>>22%11) - 5 })}),
		integers[int16]("all int16", math.MinInt16, math.MaxInt16),
		lowBits[int16]("all int16", math.MinInt16, math.MaxInt16,
			bug[int16]{"of a float16", mapped(words, func(w uint32) int16 {
				return int16(min(math.MaxInt16, toFloat(random.Float16, rounded(random.Float16)(float32(w>>16)-32768))))
			})}),
		integers[int32]("int32 from -1000 to 999", -1000, 999,
			bug[int32]{"both ends", with(random.IntRange[int32], -1000, 1000)},
			bug[int32]{"modulo of 16 bits", mapped(words, func(w uint32) int32 { return int32(w>>16%2000) - 1000 })}),
		integers[uint32]("3*2^30", 0, report-1,
			bug[uint32]{"modulo", mapped(words, func(w uint32) uint32 { return w % report })}),
		lowBits[uint32]("3*2^30", 0, report-1,
			bug[uint32]{"not drawn again", mapped(words, func(w uint32) uint32 { return uint32(uint64(w) * report >> 32) })}),
		integers[uint32]("2^31+1", 0, 1<<31),
		lowBits[uint32]("2^31+1", 0, 1<<31,
			bug[uint32]{"a float32 times n", mapped(words, func(w uint32) uint32 { return uint32(float64(w>>8) / (1 << 24) * (1<<31 + 1)) })}),
		integers[int32]("int32 from -2^30 to 2^31-1", -1<<30, math.MaxInt32),
		lowBits[int32]("int32 from -2^30 to 2^31-1", -1<<30, math.MaxInt32),
		integers[uint32]("all uint32", 0, math.MaxUint32),
		lowBits[uint32]("all uint32", 0, math.MaxUint32),
		integers[uint64]("2^32", 0, 1<<32-1),
		lowBits[uint64]("2^32", 0, 1<<32-1),
		integers[uint64]("3*2^31", 0, 3<<31-1),
		lowBits[uint64]("3*2^31", 0, 3<<31-1,
			bug[uint64]{"of a word", mapped(words, func(w uint32) uint64 { return uint64(float64(w) / (1 << 32) * (3 << 31)) })}),
		integers[uint64]("3*2^62", 0, 3<<62-1,
			bug[uint64]{"modulo", mapped(words64, func(w uint64) uint64 { return w % (3 << 62) })}),
		lowBits[uint64]("3*2^62", 0, 3<<62-1,
			bug[uint64]{"a float64 times n", mapped(units, func(u float64) uint64 { return uint64(u * (3 << 62)) })}),
		integers[int64]("int64 from -2^62 to 2^61", -1<<62, 1<<61,
			bug[int64]{"1 of 64 without a sign", mapped(with(random.IntRange[int64], -1<<62, 1<<61), func(x int64) int64 {
				if x&0x3f == 0 && x < 0 && x > -1<<61 {
					return -x
				}
				return x
			})}),
		lowBits[int64]("int64 from -2^62 to 2^61", -1<<62, 1<<61),
		integers[uint64]("all uint64", 0, math.MaxUint64),
		lowBits[uint64]("all uint64", 0, math.MaxUint64),
	}
	// The probability of the report.
	entries = append(entries, one("a third of 3*2^30", trialOf(1.0/3, true), mapped(with(random.IntN[uint32], 0, report), func(x uint32) bool { return x < 1<<30 }),
		bug[bool]{"modulo", mapped(words, func(w uint32) bool { return w%report < 1<<30 })},
		bug[bool]{"modulo in 1 of 64", from(3, words, func(w []uint32) bool {
			if w[0] < 1<<26 {
				return w[1]%report < 1<<30
			}
			return w[2] < 1431655765
		})}))
	run(t, entries...)
}

// bits are the elements of a mask.
func bits(p float64) fill[bool] {
	return func(g *random.Generator, dst []bool) error {
		mask := make([]byte, random.MaskBytes(len(dst)))
		err := random.DropoutMask(g, mask, len(dst), p)
		for i := range dst {
			dst[i] = mask[i/8]>>(i%8)&1 != 0
		}
		return err
	}
}

// maskBytes are the bytes of a mask.
func maskBytes(p float64) fill[uint8] {
	return func(g *random.Generator, dst []uint8) error { return random.DropoutMask(g, dst, 8*len(dst), p) }
}

// patterns is the law of n bits that are 1 with probability p.
func patterns(n int, p float64) *law[uint8] {
	cells := make([]cell, 1<<n)
	for i := range cells {
		ones := float64(mathbits.OnesCount(uint(i)))
		cells[i] = cell{float64(i), math.Pow(p, ones) * math.Pow(1-p, float64(n)-ones)}
	}
	l := discrete(cells, 0, func(x uint8) int { return int(x) })
	l.unordered = true
	return l
}

func pattern(bits []bool) (x uint8) {
	for i, b := range bits {
		if b {
			x |= 1 << i
		}
	}
	return x
}

func TestStatisticsOfDropoutMask(t *testing.T) {
	var entries []entry
	for _, p := range []float64{0.1, 0.5, 0.75} {
		entries = append(entries,
			one(fmt.Sprintf("bits, %v", p), trialOf(1-p, true), bits(p),
				bug[bool]{"p", bits(p + 0.006*math.Sqrt(p*(1-p)))}),
			one(fmt.Sprintf("pairs of bits, %v", p), patterns(2, 1-p), from(2, bits(p), pattern),
				bug[uint8]{"the same twice in 1 of 128", from(2, bits(p), pattern).each(128, func(x uint8) uint8 { return x & 1 * 3 })}),
			// Positions, and what they have to do with each other.
			one(fmt.Sprintf("bytes, %v", p), patterns(8, 1-p), maskBytes(p),
				bug[uint8]{"bit 5 kept now and then", maskBytes(p).each(int(76*math.Sqrt(p/(1-p))), func(x uint8) uint8 { return x | 1<<5 })},
				bug[uint8]{"bit 7 of bit 0 in 1 of 70", maskBytes(p).each(70, func(x uint8) uint8 { return x&0x7f | x<<7 })}))
	}
	run(t, entries...)
}

// What is dropped and what the rest grows by keep the mean: the sum of what was added to
// random numbers, of both signs, is within its standard error.
func TestStatisticsOfDropout(t *testing.T) {
	n := elements()
	src := make([]float32, n)
	require.NoError(t, random.Normal(at(t, 1, 1, 0), src, 3, 2))
	for _, p := range []float64{0.1, 0.5, 0.75} {
		total, squares := 0.0, 0.0
		for _, x := range src {
			total += float64(x)
			squares += float64(x) * float64(x)
		}
		of := func(name string, at func(i int) float64) {
			sum := 0.0
			for i := range n {
				sum += at(i)
			}
			sigmas := func(scale float64) float64 { return (sum*scale - total) / math.Sqrt(squares*p/(1-p)) }
			off := bias * math.Sqrt(squares*p/(1-p)) / total // of what kept elements are multiplied by
			fair, biased := sigmas(1), sigmas(1+off)
			t.Logf("%v, %s: %.2f, of a mutant by %.4f %.2f", p, name, fair, off, biased)
			assert.LessOrEqual(t, math.Abs(fair), limit, "%v, %s", p, name)
			assert.Greater(t, math.Abs(biased), limit, "%v, %s: a mutant of %g passes", p, name, off)
		}
		mask := make([]byte, random.MaskBytes(n))
		dst := make([]float32, n)
		require.NoError(t, random.Dropout(at(t, 2, 0, 0), dst, mask, src, p, true))
		of("float32", func(i int) float64 { return float64(dst[i]) })
		wide, src64 := make([]float64, n), make([]float64, n)
		for i, x := range src {
			src64[i] = float64(x)
		}
		require.NoError(t, random.Dropout(at(t, 3, 0, 0), wide, mask, src64, p, true))
		of("float64", func(i int) float64 { return wide[i] })
		for _, f := range formats {
			half := make([]uint16, n)
			for i, x := range src {
				half[i] = rounded(f)(x)
			}
			require.NoError(t, random.DropoutHalf(at(t, 4, 0, 0), half, f, mask, half, p, true))
			of(f.String(), func(i int) float64 { return toFloat(f, half[i]) })
		}
	}
}
