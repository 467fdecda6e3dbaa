package asm

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"runtime"
	"sort"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fillArgs returns the memory of n elements, filled with arguments.
func fillArgs(l Level, k Kind, n int, key [2]uint32, ctr [4]uint32, args Args) []byte {
	b := aligned(n*k.Size() + 8)
	fill(l, k, unsafe.Pointer(&b[0]), n, join(key[0], key[1]), join(ctr[2], ctr[3]), join(ctr[0], ctr[1]), args)
	return b[:n*k.Size()]
}

// numbersOf returns filled memory as numbers.
func numbersOf(k Kind, b []byte) []float64 {
	v := make([]float64, len(b)/k.Size())
	for i := range v {
		if k.Size() == 4 {
			v[i] = float64(*(*float32)(unsafe.Pointer(&b[4*i])))
		} else {
			v[i] = *(*float64)(unsafe.Pointer(&b[8*i]))
		}
	}
	return v
}

func truncationOf(k Kind, a Args) (t truncation) {
	t.set(k, a)
	return t
}

var truncatedKinds = []Kind{Truncated32, Truncated64}

var inf = math.Inf(1)

// Intervals of each method; all numbers are float32 ones.
var intervals = []struct {
	args   Args
	method method
}{
	{Args{0, 1, -2, 2}, boxMuller},
	{Args{0, 1, -inf, inf}, boxMuller},
	{Args{3, 2, -1, 5}, boxMuller},
	{Args{0, 1, 0, inf}, boxMuller},
	{Args{0, 1, -inf, 0}, boxMuller},
	{Args{0, 1, 0.5, 1.5}, boxMuller}, // 24% are inside, the least
	{Args{0, 1, -1.5, -0.5}, boxMuller},
	{Args{0, 1, -0.5, 0.5}, boxMuller},
	{Args{100, 1, -inf, 99.5}, boxMuller},
	{Args{0, math.MaxFloat32, -inf, inf}, boxMuller}, // plain normals are infinite
	{Args{0, 1, -0.25, 0.5}, uniform},
	{Args{0, 1, 0, 0.99609375}, uniform},
	{Args{0, 1, -0.99609375, 0}, uniform},
	{Args{0, 1, 0.5, 1.25}, uniform},
	{Args{0, 1, 0.625, 1.25}, uniform},
	{Args{0, 1, 10, 10.0625}, uniform},
	{Args{5, 0.5, 5, 5}, uniform},
	{Args{5, 0.5, 7, 7}, uniform},
	{Args{0, 1, 1, 1 + 0x1p-23}, uniform},
	{Args{1, 1, 1, 1 + 0x1p-23}, uniform},
	{Args{0, 1, 0.625, inf}, exponential},
	{Args{0, 1, 0.625, 1.5}, exponential},
	{Args{0, 1, -inf, -0.625}, exponential},
	{Args{0, 1, 10, 11}, exponential},
	{Args{0, 1, -11, -10}, exponential},
	{Args{0, 1, 38, inf}, exponential},
	{Args{0, 1, 8, inf}, exponential},
	{Args{0x1p100, 1, -inf, 0x1p66}, exponential},
}

// Every level makes the portable code's bits.
func TestTruncatedLevels(t *testing.T) {
	key := [2]uint32{0x12345678, 0x9abcdef0}
	for _, k := range truncatedKinds {
		for i, tt := range intervals {
			tr := truncationOf(k, tt.args)
			if !(k == Truncated64 && tt.args.Std == math.MaxFloat32) {
				require.Equal(t, tt.method, tr.method, "%v %v", k, tt.args)
			}
			starts, step := uint32(2), 7
			if i < 3 && !testing.Short() && !raceEnabled {
				starts, step = 20, 1
			}
			if tr.method != boxMuller {
				starts, step = 1, 150 // no kernels
			}
			for _, ctr := range [][4]uint32{{}, {1, 2, 3, 4}, {-uint32(i + 3), 7, 8, 9}, {math.MaxUint32 - 40, math.MaxUint32, 8, 9}, {math.MaxUint32 - 9, math.MaxUint32, math.MaxUint32, 9}} {
				for start := range starts {
					ctr[0] += min(start, 1)
					want := fillArgs(Generic, k, 300, key, ctr, tt.args)
					for _, l := range vectorLevels(t) {
						for n := 0; n <= 300; n += step {
							if !bytes.Equal(want[:n*k.Size()], fillArgs(l, k, n, key, ctr, tt.args)) {
								t.Fatalf("%v %v %v: %d from %08x", l, k, tt.args, n, ctr)
							}
						}
					}
				}
			}
		}
	}
}

// Lengths of several spans, with a list that fills up, a carry in the middle and
// many rejected elements.
func TestLongTruncatedFills(t *testing.T) {
	if nothingToCompare(t) {
		return
	}
	for _, k := range truncatedKinds {
		for _, args := range []Args{{0, 1, -2, 2}, {0, 1, 0.5, 1.5}, {0, 1, -8, 8}, {1, 2, -inf, 3}} {
			for _, ctr := range [][4]uint32{{5, 6, 7, 8}, {math.MaxUint32 - 5000, math.MaxUint32, 7, 8}} {
				n := 150_001 / k.Size()
				want := fillArgs(Generic, k, n, [2]uint32{3, 4}, ctr, args)
				for _, l := range vectorLevels(t) {
					require.True(t, bytes.Equal(want, fillArgs(l, k, n, [2]uint32{3, 4}, ctr, args)), "%v %v %v", l, k, args)
				}
			}
		}
	}
}

func TestRandomTruncations(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	rounds := 2000
	if testing.Short() {
		rounds = 200
	}
	for range rounds {
		key, ctr := counters(r)
		k := truncatedKinds[r.IntN(2)]
		number := func(scale float64) float64 { return float64(float32(r.NormFloat64() * scale)) }
		args := Args{number(2), math.Abs(number(3)) + 0x1p-10, number(4), inf}
		if r.IntN(3) > 0 {
			args.B = args.A + math.Abs(number(1))
			args.B = float64(float32(args.B))
		}
		if r.IntN(2) > 0 {
			args.A, args.B = -args.B, -args.A
		}
		n := 1 + r.IntN(1000)
		want := fillArgs(Generic, k, n, key, ctr, args)
		for _, v := range numbersOf(k, want) {
			require.True(t, args.A <= v && v <= args.B && !math.IsInf(v, 0), "%v %v: %v", k, args, v)
		}
		for _, l := range vectorLevels(t) {
			require.True(t, bytes.Equal(want, fillArgs(l, k, n, key, ctr, args)), "%v %v %v: %d from %08x", l, k, args, n, ctr)
		}
	}
}

// A carry of any counter word at any distance, with rejected elements before and
// behind it.
func TestTruncatedCarries(t *testing.T) {
	if nothingToCompare(t) {
		return
	}
	for _, k := range truncatedKinds {
		for back := range uint32(70) {
			for _, ctr := range carries(back) {
				args := Args{0.5, 1, 0, inf}
				want := fillArgs(Generic, k, 300, [2]uint32{1, 2}, ctr, args)
				for _, l := range vectorLevels(t) {
					require.True(t, bytes.Equal(want, fillArgs(l, k, 300, [2]uint32{1, 2}, ctr, args)), "%v %v from %08x", l, k, ctr)
				}
			}
		}
	}
}

// The rule once more, for Box-Muller: at attempt a the element is the normal of its
// place at the block whose counter word 3 has the attempt in its upper half.
func TestTruncatedIsTheNormalOfAnAttempt(t *testing.T) {
	key, ctr, args := [2]uint32{7, 8}, [4]uint32{1000, 2, 3, 0x1234}, Args{0.5, 2, 1.5, 4}
	for i, k := range truncatedKinds {
		const n = 400
		got := numbersOf(k, fillArgs(Best(), k, n, key, ctr, args))
		normal := []Kind{Normal32, Normal64}[i]
		longest := uint32(0)
		for e := range got {
			for a := uint32(0); ; a++ {
				at := ctr
				if a > 0 {
					at[3] |= 0x80000000 | a<<16
				}
				v := numbersOf(normal, fillArgs(Generic, normal, n, key, at, args))[e]
				if args.A <= v && v <= args.B {
					require.Equal(t, v, got[e], "%v: element %d, attempt %d", k, e, a)
					longest = max(longest, a)
					break
				}
			}
			if testing.Short() && e > 40 {
				break
			}
		}
		assert.Greater(t, longest, uint32(3), "%v", k)
	}
}

// The rule for the others, on their own words.
func TestTruncatedProposals(t *testing.T) {
	key, ctr := [2]uint32{7, 8}, [4]uint32{1000, 2, 3, 0x1234}
	at := func(a uint32) [4]uint32 {
		c := ctr
		if a > 0 {
			c[3] |= 0x80000000 | a<<16
		}
		return c
	}
	const n = 300
	of := func(k Kind, a uint32) (u []float64) { // the uniforms of an attempt
		if k == Truncated32 {
			var x [n]uint32
			FillLevel(Generic, Uint32, x[:], key, at(a))
			for _, x := range x {
				u = append(u, (float64(x)+0.5)/(1<<32))
			}
		} else {
			var x [n]uint64
			FillLevel(Generic, Uint64, x[:], key, at(a))
			for _, x := range x {
				u = append(u, (float64(x>>11)+0.5)/(1<<53))
			}
		}
		return u
	}
	for _, k := range truncatedKinds {
		for _, args := range []Args{{0, 1, 0.25, 1}, {0.5, 2, 2, inf}, {0.5, 2, 2, 3}, {0.5, 2, 3, 6}} {
			tr := truncationOf(k, args)
			alpha, width := (args.A-args.Mean)/args.Std, (args.B-args.A)/args.Std
			lambda := (alpha + math.Sqrt(alpha*alpha+4)) / 2
			got := numbersOf(k, fillArgs(Best(), k, n, key, ctr, args))
			mirrored := numbersOf(k, fillArgs(Best(), k, n, key, ctr, Args{-args.Mean, args.Std, -args.B, -args.A}))
			var done [n]bool
			for a := uint32(0); a < 200; a += 2 {
				us, ws := of(k, a), of(k, a+1)
				for i, u := range us {
					s := alpha + width*u
					accept := (s-alpha)*(s+alpha) <= -2*math.Log(ws[i])
					if tr.method == exponential {
						s = alpha - math.Log(u)/lambda
						accept = s <= alpha+width && math.Pow(s-lambda, 2) <= -2*math.Log(ws[i])
					}
					if !done[i] && accept {
						done[i] = true
						require.InDelta(t, args.Mean+s*args.Std, got[i], 1e-6, "%v %v: element %d, attempt %d", k, args, i, a)
						require.Equal(t, -got[i], mirrored[i])
					}
				}
			}
			require.NotContains(t, done, false)
		}
	}
}

// Mirrored arguments give the negatives, where the mean is not inside.
func TestTruncatedMirrors(t *testing.T) {
	for _, k := range truncatedKinds {
		for _, args := range []Args{{0, 1, 10, 11}, {0, 1, 38, inf}, {0, 1, 0, 0.75}, {3, 0.125, 3.5, 3.515625}, {0, 1, 0.625, 1.25}, {0, 1e-40, 1, 2}} {
			m := Args{-args.Mean, args.Std, -args.B, -args.A}
			want := numbersOf(k, fillArgs(Best(), k, 1000, [2]uint32{1, 2}, [4]uint32{}, args))
			got := numbersOf(k, fillArgs(Best(), k, 1000, [2]uint32{1, 2}, [4]uint32{}, m))
			for i := range want {
				require.Equal(t, want[i], -got[i], "%v %v", k, args)
			}
		}
	}
}

// A density is that of a truncated normal on a grid.
type density struct {
	from, step     float64
	below          []float64 // the part that is below each point
	mean, variance float64   // of the number
}

// densityOf integrates by Simpson's rule, relative to the largest density.
func densityOf(a Args) density {
	alpha, beta := (a.A-a.Mean)/a.Std, (a.B-a.Mean)/a.Std
	peak := min(max(0, alpha), beta)
	reach := 9.0
	if peak != 0 {
		reach = min(reach, 45/math.Abs(peak))
	}
	alpha, beta = max(alpha, peak-reach), min(beta, peak+reach)
	const cells = 4000
	d := density{from: alpha, step: (beta - alpha) / cells, below: []float64{0}}
	f := func(s float64) float64 { return math.Exp(-(s - peak) * (s + peak) / 2) }
	var sum, first, second float64
	for i := range cells {
		l := alpha + float64(i)*d.step
		m, r := l+d.step/2, l+d.step
		simpson := func(g func(float64) float64) float64 { return d.step / 6 * (g(l) + 4*g(m) + g(r)) }
		sum += simpson(f)
		first += simpson(func(s float64) float64 { return (s - peak) * f(s) })
		second += simpson(func(s float64) float64 { return (s - peak) * (s - peak) * f(s) })
		d.below = append(d.below, sum)
	}
	for i := range d.below {
		d.below[i] /= sum
	}
	first, second = first/sum, second/sum
	d.mean = a.Mean + a.Std*(peak+first)
	d.variance = a.Std * a.Std * (second - first*first)
	return d
}

func (d density) cdf(s float64) float64 {
	at := min(max((s-d.from)/d.step, 0), float64(len(d.below)-1))
	i := min(int(at), len(d.below)-2)
	return d.below[i] + (at-float64(i))*(d.below[i+1]-d.below[i])
}

// check returns the distance of Kolmogorov and Smirnov times the root of n, and the
// errors of the mean and of the variance in their standard deviations.
func (d density) check(a Args, v []float64) (ks, mean, variance float64) {
	v = append([]float64(nil), v...)
	sort.Float64s(v)
	n := float64(len(v))
	var sum, sum2, sum4 float64
	for i, x := range v {
		p := d.cdf((x - a.Mean) / a.Std)
		ks = max(ks, p-float64(i)/n, float64(i+1)/n-p)
		e := (x - d.mean) * (x - d.mean)
		sum, sum2, sum4 = sum+x-d.mean, sum2+e, sum4+e*e
	}
	ofVariance := math.Sqrt((sum4/n - sum2/n*sum2/n) / n)
	return ks * math.Sqrt(n), math.Abs(sum/n) / math.Sqrt(d.variance/n), math.Abs(sum2/n-d.variance) / ofVariance
}

// Each method near the places where another one begins, and in the tails. A mutant
// takes candidates without the test of acceptance (of those that are inside the
// bounds), or for Box-Muller moves them to the bounds; where it differs by enough
// for so many numbers the test must see it.
func TestTruncatedDistribution(t *testing.T) {
	n := 40_000
	if raceEnabled || testing.Short() {
		n = 10_000
	}
	for _, k := range truncatedKinds {
		for _, tt := range []struct {
			args   Args
			mutant bool // is seen
		}{
			{Args{0, 1, -2, 2}, true},
			{Args{10, 3, 7, 10.5}, true},
			{Args{0, 1, 0.5, 1.5}, true},
			{Args{0, 1, 0.5, inf}, true},
			{Args{0, 1, -0.5, 0.5}, true},
			{Args{0, 1, -inf, 0}, true},
			{Args{0, 1, -0.25, 0.74}, true},
			{Args{0, 1, 0, 0.99}, true},
			{Args{0, 1, -0.99, 0}, true},
			{Args{0, 1, 0.375, 1.25}, true},
			{Args{0, 1, 0.51, 1.28}, true},
			{Args{0, 1, 0.51, 1.31}, true},
			{Args{0, 1, 0.51, inf}, true},
			{Args{-7, 2, -inf, -10}, true},
			{Args{0, 1, 2, 2.3}, true},
			{Args{0, 1, 2, 2.5}, false},
			{Args{0, 1, 10, 10.09}, true},
			{Args{0, 1, 10, 11}, false},
			{Args{0, 1, -11, -10}, false},
			{Args{0, 1, 38, inf}, false},
		} {
			if k == Truncated32 {
				tt.args.A, tt.args.B = float64(float32(tt.args.A)), float64(float32(tt.args.B))
			}
			d := densityOf(tt.args)
			v := numbersOf(k, fillArgs(Best(), k, n, [2]uint32{20, 26}, [4]uint32{}, tt.args))
			ks, mean, variance := d.check(tt.args, v)
			name := fmt.Sprintf("%v %v by %d: KS %.2f, mean off by %.2f, variance by %.2f", k, tt.args, truncationOf(k, tt.args).method, ks, mean, variance)
			assert.Less(t, ks, 1.95, name) // 0.1% of fair ones are above
			assert.Less(t, mean, 3.7, name)
			assert.Less(t, variance, 3.7, name)
			if tt.mutant {
				ks, mean, variance := d.check(tt.args, mutant(k, n, tt.args))
				assert.True(t, ks > 1.95 || mean > 3.7 || variance > 3.7, "%v %v: a mutant passes: %v, %v, %v", k, tt.args, ks, mean, variance)
			}
		}
	}
}

// mutant makes wrong numbers.
func mutant(k Kind, n int, args Args) (v []float64) {
	t := truncationOf(k, args)
	for i := range uint64(n) {
		block, lane := k.Locate(i)
		for a := uint64(0); ; a += t.step() {
			x, y := t.words(5, 0, block, a)
			c, _ := t.candidate(&x, &y, int(lane))
			if t.method == boxMuller {
				c = min(max(c, t.lo), t.hi)
			}
			if t.holds(c) {
				v = append(v, c)
				break
			}
		}
	}
	return v
}

// Known reports about other libraries: scipy 2477 and 10092, numpyro 1184.
func TestFarTails(t *testing.T) {
	for _, k := range truncatedKinds {
		mean := func(args Args) (m float64) {
			v := numbersOf(k, fillArgs(Best(), k, 20_000, [2]uint32{1, 2}, [4]uint32{}, args))
			for _, x := range v {
				require.True(t, args.A <= x && x <= args.B && !math.IsInf(x, 0), "%v %v: %v", k, args, x)
				m += x / float64(len(v))
			}
			return m
		}
		assert.InDelta(t, 10.0981, mean(Args{0, 1, 10, 11}), 0.003)
		assert.InDelta(t, -10.0981, mean(Args{0, 1, -11, -10}), 0.003)
		assert.InDelta(t, 38.0263, mean(Args{0, 1, 38, inf}), 0.001)
		assert.InDelta(t, 10, mean(Args{10, float64(float32(1e-4)), -5e6, inf}), 1e-5)
		assert.InDelta(t, 1e6, mean(Args{0, 1, 1e6, inf}), 0.001)
		assert.InDelta(t, 100, mean(Args{0, 0.125, 100, 1e9}), 0.001)
	}
}

// Nothing hangs, and what is outside the bounds or infinite never comes out: also
// where quotients overflow, intervals hold one number or two, and standard deviations
// are the smallest and the largest.
func TestAwkwardTruncations(t *testing.T) {
	for _, k := range truncatedKinds {
		largest, least, eps := math.MaxFloat64, math.SmallestNonzeroFloat64, 0x1p-52
		if k == Truncated32 {
			largest, least, eps = math.MaxFloat32, math.SmallestNonzeroFloat32, 0x1p-23
		}
		numbers := []float64{0, least, 3 * least, 1, 1 + eps, 2, 0x1p100, largest / 2, largest}
		for _, x := range numbers {
			numbers = append(numbers, -x)
		}
		bounds := append([]float64{-inf, inf}, numbers...)
		n := 40
		if testing.Short() || raceEnabled {
			n = 9
		}
		for _, mean := range numbers {
			for _, std := range []float64{least, 3 * least, eps, 1, largest / 2, largest} {
				for _, a := range bounds {
					for _, b := range bounds {
						if a > b || a == inf || b == -inf {
							continue
						}
						args := Args{mean, std, a, b}
						for _, v := range numbersOf(k, fillArgs(Best(), k, n, [2]uint32{1, 2}, [4]uint32{}, args)) {
							if !(a <= v && v <= b) || math.IsInf(v, 0) {
								t.Fatalf("%v %v: %v", k, args, v)
							}
						}
					}
				}
			}
		}
	}
}

// How many tries elements take, at worst: no interval may come near the last attempt,
// or fills would be slow and wrong.
func TestTruncatedTries(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	rounds := 20_000
	if testing.Short() || raceEnabled {
		rounds = 2000
	}
	exponent := func(span int) float64 { return math.Ldexp(r.Float64()*2-1, r.IntN(2*span)-span) }
	for _, k := range truncatedKinds {
		span, round := 1020, func(x float64) float64 { return x }
		if k == Truncated32 {
			span, round = 120, func(x float64) float64 { return float64(float32(x)) }
		}
		worst := 0.0
		for range rounds {
			args := Args{round(exponent(span)), round(math.Abs(exponent(span))), round(exponent(span)), inf}
			switch r.IntN(4) {
			case 0:
				args.A = round(args.Mean + args.Std*exponent(8))
				args.B = round(args.A + args.Std*math.Abs(exponent(8)))
			case 1:
				args.B = args.A
			case 2:
				args.B = round(args.A + math.Abs(exponent(span)))
			}
			tr := truncationOf(k, args)
			if args.Std == 0 || args.A > args.B || math.IsInf(args.A, 0) {
				continue
			}
			tries := 0.0
			const elements = 8
			for i := range uint64(elements) {
				ok := false
				for a := uint64(0); !ok && tries < 1000; a += tr.step() {
					x, y := tr.words(r.Uint64(), 0, i, a)
					_, ok = tr.candidate(&x, &y, 0)
					tries++
				}
			}
			require.Less(t, tries, 1000.0, "%v %v", k, args)
			worst = max(worst, tries/elements)
		}
		t.Logf("%v: at worst %.1f tries for each of a few elements", k, worst)
		assert.Less(t, worst, 25.0)
	}
}

// The places where another method begins, and numbers that overflow on the way to them.
func TestTruncationAtItsEdges(t *testing.T) {
	near := func(x float64) (around []float64) {
		for n := -3; n <= 3; n++ {
			around = append(around, math.Float64frombits(math.Float64bits(x)+uint64(n)))
		}
		return around
	}
	for _, alpha := range near(0.5) {
		want := boxMuller
		if alpha > 0.5 {
			want = exponential
		}
		tr := truncationOf(Truncated64, Args{Std: 1, A: alpha, B: alpha + 2})
		assert.Equal(t, want, tr.method, "alpha %v", alpha)
	}
	for _, width := range near(1) {
		want := uniform
		if width >= 1 {
			want = boxMuller
		}
		tr := truncationOf(Truncated64, Args{Std: 1, A: 0, B: width})
		assert.Equal(t, want, tr.method, "width %v", width)
	}
	seen := map[method]bool{}
	for _, alpha := range []float64{0.75, 1, 4, 8, 16} {
		lambda := (alpha + math.Sqrt(alpha*alpha+4)) / 2
		for _, b := range near(alpha + 1/lambda) {
			want := exponential
			if (b-alpha)*lambda < 1 {
				want = uniform
			}
			seen[want] = true
			tr := truncationOf(Truncated64, Args{Std: 1, A: alpha, B: b})
			assert.Equal(t, want, tr.method, "alpha %v, b %v", alpha, b)
			tr = truncationOf(Truncated64, Args{Std: 1, A: -b, B: -alpha})
			assert.Equal(t, want, tr.method, "mirrored, alpha %v, b %v", alpha, b)
		}
	}
	assert.Len(t, seen, 2)

	assert.Equal(t, 2., distance(1e308, -1e308, 1e308))
	assert.Equal(t, -2., distance(1e308, -1e308, -1e308))
	for _, alpha := range []float64{1 << 30, 1 << 40, 1e200, 1e300} {
		tr := truncationOf(Truncated64, Args{Std: 1, A: alpha, B: inf})
		assert.Equal(t, exponential, tr.method)
		assert.Equal(t, alpha, tr.lambda)
	}
	below := math.Nextafter(1<<30, 0)
	tr := truncationOf(Truncated64, Args{Std: 1, A: below, B: inf})
	assert.Equal(t, (below+math.Sqrt(math.FMA(below, below, 4)))/2, tr.lambda)
}

// The largest distances from the mean, where twice one would overflow: numbers vary,
// and come at once.
func TestLargestDistances(t *testing.T) {
	for _, args := range []Args{
		{1.7e305, 1e-3, 0, 1e-312}, {-1.7e305, 1e-3, -1e-312, 0}, {8.9e304, 1e-3, 0, 1e-312},
		{8.988465674311579e+307, 0.5302587711933637, -3.148784863373e-311, 1e-323},
	} {
		tr := truncationOf(Truncated64, args)
		require.Equal(t, uniform, tr.method)
		different := map[float64]bool{}
		for i := range uint64(200) {
			x, y := tr.words(1, 0, i, 0)
			v, ok := tr.candidate(&x, &y, 0)
			if ok {
				different[v] = true
			}
		}
		assert.Greater(t, len(different), 50, "%v", args)
	}
}

// What needs no logarithm is what the logarithm would say.
func TestAcceptsIsTheLogarithm(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for _, k := range truncatedKinds {
		tr := truncationOf(k, Args{Std: 1, A: 10, B: 11})
		rounds := 100_000
		if testing.Short() || raceEnabled {
			rounds = 10_000
		}
		for i := range rounds {
			y := [4]uint32{r.Uint32(), r.Uint32(), r.Uint32(), r.Uint32()}
			if i%2 > 0 { // u next to 1, where the bound is near
				y[0], y[1] = ^uint32(0)-y[0]>>(i%33), ^uint32(0)-y[1]>>(i%31)
			}
			l := tr.minusLog(&y, 0)
			for _, q := range []float64{l * (1 - 0x1p-20), l - 0x1p-43, l, l + 0x1p-43, l * (1 + 0x1p-20), 1 - tr.uniform(&y, 0)} {
				require.Equal(t, !(q > l), tr.accepts(q, &y, 0), "%v %x: %v, %v", k, y, q, l)
			}
			require.True(t, tr.accepts(math.NaN(), &y, 0))
		}
	}
}

// Fills at once share memory, one after the other: none may get another one's.
func TestTruncatedFillsAtOnce(t *testing.T) {
	fills, n := 400, 30_000
	switch {
	case testing.Short():
		fills = 10
	case raceEnabled:
		fills = 40
	}
	if Best() == Generic { // slow, and without that memory
		fills, n = 4, 3000
	}
	var want [8][]byte
	for g := range want {
		want[g] = fillArgs(Best(), Truncated32, n, [2]uint32{uint32(g), 1}, [4]uint32{}, Args{0, 1, 0.5, 1.5})
	}
	stop := make(chan struct{})
	var collector, fillers sync.WaitGroup
	collector.Go(func() { // stops the others where they are
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	})
	for g := range want {
		fillers.Go(func() {
			for range fills {
				got := fillArgs(Best(), Truncated32, n, [2]uint32{uint32(g), 1}, [4]uint32{}, Args{0, 1, 0.5, 1.5})
				if !bytes.Equal(want[g], got) {
					t.Errorf("goroutine %d: differs", g)
					return
				}
			}
		})
	}
	fillers.Wait()
	close(stop)
	collector.Wait()
}

// After the last attempt there is a number all the same.
func TestLastAttempt(t *testing.T) {
	for _, k := range truncatedKinds {
		for _, tt := range []struct {
			args Args
			want float64
		}{{Args{0, 1, -2, 2}, 0}, {Args{0, 1, 10, 11}, 10}, {Args{0, 1, -11, -10}, -10}, {Args{0, 1, 0.5, 1}, 0.5}} {
			tr := truncationOf(k, tt.args)
			assert.Equal(t, tt.want, tr.retry(1, 0, 0, attempts, 0))
			tr.lo, tr.hi = 1000, -1000 // nothing is accepted
			assert.Equal(t, tt.want, tr.retry(1, 0, 0, 1, 0))
		}
	}
}

func TestAttempts(t *testing.T) {
	assert.Equal(t, uint64(0x1234_89abcdef), attempt(0x1234_89abcdef, 0))
	assert.Equal(t, uint64(0x80011234_89abcdef), attempt(0x1234_89abcdef, 1))
	assert.Equal(t, uint64(0xffff1234_89abcdef), attempt(0x1234_89abcdef, attempts-1))
}

func TestTruncatedDoesNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates; .ci/run also runs the tests without it")
	}
	for _, l := range Levels() {
		assert.Zero(t, testing.AllocsPerRun(20, func() {
			var a [1000]float32
			FillLevel(l, Truncated32, a[:], [2]uint32{1, 2}, [4]uint32{})
			var b [1000]float64
			FillLevel(l, Truncated64, b[:], [2]uint32{1, 2}, [4]uint32{})
		}), "%v", l)
	}
}

// The bits are part of the sequence, on every machine.
func TestTruncatedIsFixed(t *testing.T) {
	for i, want := range []uint32{0xca44dbd0, 0x90836c75} {
		k := truncatedKinds[i]
		var buf []byte
		for _, tt := range intervals {
			for _, v := range numbersOf(k, fillArgs(Best(), k, 200, [2]uint32{0x6b657931, 0x6b657932}, [4]uint32{1, 2, 3, 4}, tt.args)) {
				buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(v))
			}
		}
		assert.Equal(t, want, crc32.Checksum(buf, crc32.MakeTable(crc32.Castagnoli)), "%v", k)
	}
	of := func(k Kind, args Args) float64 {
		return numbersOf(k, fillArgs(Generic, k, 1, [2]uint32{}, [4]uint32{}, args))[0]
	}
	for _, tt := range []struct {
		args     Args
		v32, v64 float64
	}{
		{Args{0, 1, -2, 2}, 0x1.fb7662p-01, -0x1.973628c131c04p-02},
		{Args{0, 1, 0.5, 1.5}, 0x1.fb7662p-01, 0x1.55d8ed297e0fdp+00},
		{Args{0, 1, -0.25, 0.5}, 0x1.93bdd4p-05, 0x1.69146f0f4c3ap-02},
		{Args{0, 1, 10, 10.0625}, 0x1.40cc5p+03, 0x1.40c2472bcbdecp+03},
		{Args{0, 1, 10, 11}, 0x1.42e934p+03, 0x1.4067370743f13p+03},
		{Args{0, 1, -11, -10}, -0x1.42e934p+03, -0x1.4067370743f13p+03},
	} {
		assert.Equal(t, [2]float64{tt.v32, tt.v64}, [2]float64{of(Truncated32, tt.args), of(Truncated64, tt.args)}, "%v: %x, %x", tt.args, of(Truncated32, tt.args), of(Truncated64, tt.args))
	}
}
