package random_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	shared "github.com/philox-go/rng/internal/fill"
	"github.com/philox-go/rng/internal/stack"
	"github.com/philox-go/rng/internal/started"
	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/random"
	"github.com/philox-go/rng/skip"
)

// An operator is a function of the package with its arguments, for elements of one type.
type operator struct {
	name     string // "Uniform[float32] lo -1.5 hi 2.25"
	kind     reflect.Kind
	size     int  // of an element
	perBlock int  // elements
	single   bool // made one at a time, and so shared among goroutines sooner
	retries  bool
	named    bool // elements have a type of these tests
	indexed  bool // an element depends on its place in the fill
	fixed    bool // takes no blocks

	// into fills n elements at dst.
	into func(g *random.Generator, dst unsafe.Pointer, n int) error
	// check returns what should be there instead of the element at got, or "".
	check func(e element, got unsafe.Pointer) string
}

// of is the operator's function, type and format.
func (o *operator) of() string {
	words := strings.Split(o.name, " ")
	if strings.HasSuffix(words[1], "float16") {
		return words[0] + words[1]
	}
	return words[0]
}

const (
	canary = 0xa5
	beside = 64
)

// run is into in memory of its own, of which it returns the elements. Nothing else may
// change, and with an error nothing at all.
func (o *operator) run(t testing.TB, g *random.Generator, n int) ([]byte, error) {
	t.Helper()
	words := slices.Repeat([]uint64{canary * 0x0101010101010101}, (beside+n*o.size+beside+7)/8)
	mem := view.Of[byte](words)
	quiet := bytes.Repeat([]byte{canary}, 2*beside)
	err := o.into(g, unsafe.Pointer(&mem[beside]), n)
	end := beside + n*o.size
	require.True(t, bytes.Equal(quiet[:beside], mem[:beside]), "%s: n = %d: written before", o.name, n)
	require.True(t, bytes.Equal(quiet[:len(mem)-end], mem[end:]), "%s: n = %d: written behind", o.name, n)
	if err != nil {
		require.Equal(t, bytes.Repeat(quiet[:1], end-beside), mem[beside:end], "%s: n = %d: written with %v", o.name, n, err)
	}
	return mem[beside:][:n*o.size], err
}

// get is run without an error.
func (o *operator) get(t testing.TB, g *random.Generator, n int) []byte {
	t.Helper()
	b, err := o.run(t, g, n)
	require.NoError(t, err, "%s", o.name)
	return b
}

// blocks is how many n elements must take.
func (o *operator) blocks(n int) uint64 {
	if o.fixed {
		return 0
	}
	return uint64((n + o.perBlock - 1) / o.perBlock)
}

// shared returns a number of elements that goroutines share.
func (o *operator) shared() int {
	bytes := shared.Threshold(asm.Uint32)
	if o.single {
		bytes = 16 << 10
	}
	return bytes/16*o.perBlock*5/4 + 1003
}

// requireElements looks at elements first, first+step, ... of a fill.
func (o *operator) requireElements(t testing.TB, seed, stream, offset uint64, got []byte, first, step int) {
	t.Helper()
	for i := first; i < len(got)/o.size; i += step {
		e := element{philox.NewKey(seed), philox.CounterAt(stream, offset+uint64(i/o.perBlock)), i % o.perBlock, i}
		if fault := o.check(e, unsafe.Pointer(&got[i*o.size])); fault != "" {
			require.Failf(t, "differs", "%s: seed %d stream %d offset %d: element %d: %s", o.name, seed, stream, offset, i, fault)
		}
	}
}

// littleEndian returns elements as golden values have them, int and uint with 64 bits.
func (o *operator) littleEndian(b []byte) []byte {
	b = bytes.Clone(b)
	var wide []byte
	for i := 0; i < len(b); i += o.size {
		e := b[i : i+o.size]
		if native := binary.NativeEndian.Uint16([]byte{1, 0}); native != 1 {
			slices.Reverse(e)
		}
		wide = append(wide, e...)
		if o.size == 4 && (o.kind == reflect.Int || o.kind == reflect.Uint) {
			var sign byte
			if o.kind == reflect.Int && e[3] >= 0x80 {
				sign = 0xff
			}
			wide = append(wide, sign, sign, sign, sign)
		}
	}
	return wide
}

// define makes an operator of elements that a check likes.
func define[T any](name, args string, perBlock int, into func(g *random.Generator, dst []T) error, check func(e element, got T) string) *operator {
	return &operator{
		name: fmt.Sprintf("%s[%s] %s", name, reflect.TypeFor[T]().Name(), args),
		kind: reflect.TypeFor[T]().Kind(), named: reflect.TypeFor[T]().PkgPath() != "", size: int(unsafe.Sizeof(*new(T))), perBlock: perBlock,
		into: func(g *random.Generator, dst unsafe.Pointer, n int) error {
			return into(g, unsafe.Slice((*T)(dst), n))
		},
		check: func(e element, got unsafe.Pointer) string { return check(e, *(*T)(got)) },
	}
}

// same makes a check of what elements must be, bit for bit.
func same[T any](want func(e element) T) func(e element, got T) string {
	return func(e element, got T) string {
		w := want(e)
		if !bytes.Equal(bytesOf(&w), bytesOf(&got)) {
			return fmt.Sprintf("%v (%x), want %v (%x)", got, bytesOf(&got), w, bytesOf(&w))
		}
		return ""
	}
}

func bytesOf[T any](x *T) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(x)), unsafe.Sizeof(*x)) }

// about makes a check of numbers that are near to others.
func about[T random.Float](ulps float64, want func(e element) (v, slack float64)) func(e element, got T) string {
	return func(e element, got T) string {
		if v, slack := want(e); !near(got, v, slack, ulps) {
			return fmt.Sprintf("%v, want about %v", got, v)
		}
		return ""
	}
}

// perBlock is the number of elements that take one word, or two.
func perBlock(wide bool) int {
	if wide {
		return 2
	}
	return 4
}

func isWide[T any]() bool { return unsafe.Sizeof(*new(T)) == 8 }

// unitOf is the open uniform of an element of float32 or float64.
func unitOf(wide bool, e element) unit {
	if wide {
		return unit64(e.wide(0))
	}
	return unit32(e.word(0))
}

// Types of others' packages.
type (
	celsius float32
	metres  float64
	bits16  uint16
	coin    bool
	weekday int8
	handle  uint64
)

func uniforms[T random.Float](bounds ...[2]T) (all []*operator) {
	for _, b := range bounds {
		all = append(all, define("Uniform", fmt.Sprintf("lo %v hi %v", b[0], b[1]), perBlock(isWide[T]()),
			func(g *random.Generator, dst []T) error { return random.Uniform(g, dst, b[0], b[1]) },
			same(func(e element) T {
				if isWide[T]() {
					return T(uniform64(e.wide(0), float64(b[0]), float64(b[1])))
				}
				return T(uniform32(e.word(0), float32(b[0]), float32(b[1])))
			})))
	}
	return all
}

func normals[T random.Float](args ...[2]T) (all []*operator) {
	for _, a := range args {
		text := fmt.Sprintf("mean %v std %v", a[0], a[1])
		all = append(all, define("Normal", text, perBlock(isWide[T]()),
			func(g *random.Generator, dst []T) error { return random.Normal(g, dst, a[0], a[1]) },
			same(func(e element) T {
				if isWide[T]() {
					return T(normal64(e, float64(a[0]), float64(a[1])))
				}
				return T(normal32(e, float32(a[0]), float32(a[1])))
			})))
		o := define("LogNormal", text, perBlock(isWide[T]()),
			func(g *random.Generator, dst []T) error { return random.LogNormal(g, dst, a[0], a[1]) },
			about[T](2, func(e element) (v, slack float64) {
				if isWide[T]() {
					v = math.Exp(normal64(e, float64(a[0]), float64(a[1])))
				} else {
					v = math.Exp(float64(normal32(e, float32(a[0]), float32(a[1]))))
				}
				return v, v * 0x1p-52
			}))
		o.single = true
		all = append(all, o)
	}
	return all
}

func truncated[T random.Float](args ...[4]T) (all []*operator) {
	for _, a := range args {
		o := define("TruncatedNormal", fmt.Sprintf("mean %v std %v a %v b %v", a[0], a[1], a[2], a[3]), perBlock(isWide[T]()),
			func(g *random.Generator, dst []T) error {
				return random.TruncatedNormal(g, dst, a[0], a[1], a[2], a[3])
			},
			same(func(e element) T {
				if isWide[T]() {
					return T(truncated64(e, float64(a[0]), float64(a[1]), float64(a[2]), float64(a[3])))
				}
				return T(truncated32(e, float32(a[0]), float32(a[1]), float32(a[2]), float32(a[3])))
			}))
		o.retries = true
		all = append(all, o)
	}
	return all
}

func exponentials[T random.Float](rates ...T) (all []*operator) {
	for _, rate := range rates {
		all = append(all, define("Exponential", fmt.Sprintf("rate %v", rate), perBlock(isWide[T]()),
			func(g *random.Generator, dst []T) error { return random.Exponential(g, dst, rate) },
			func(e element, got T) string {
				want := unitOf(isWide[T](), e).minusLog() / float64(rate)
				if math.IsInf(float64(got), 0) || got <= 0 {
					return fmt.Sprintf("%v: must be finite and above 0", got)
				}
				return about[T](8, func(element) (float64, float64) { return want, 0 })(e, got)
			}))
	}
	return all
}

// located are the distributions of a location and a scale.
func located[T random.Float](args ...[2]T) (all []*operator) {
	for _, d := range []struct {
		name, location string
		fill           func(*random.Generator, []T, T, T) error
		standard       func(unit) float64
	}{
		{"Cauchy", "median", random.Cauchy[T], unit.cauchy},
		{"Laplace", "mean", random.Laplace[T], unit.laplace},
		{"Gumbel", "mode", random.Gumbel[T], unit.gumbel},
	} {
		for _, a := range args {
			o := define(d.name, fmt.Sprintf("%s %v scale %v", d.location, a[0], a[1]), perBlock(isWide[T]()),
				func(g *random.Generator, dst []T) error { return d.fill(g, dst, a[0], a[1]) },
				about[T](1, func(e element) (v, slack float64) {
					s := d.standard(unitOf(isWide[T](), e))
					v = math.FMA(s, float64(a[1]), float64(a[0]))
					// The standard number, of which Gumbel's has a logarithm near 1.
					return v, 0x1p-50 * (math.Abs(s) + 1) * float64(a[1])
				}))
			o.single = true
			all = append(all, o)
		}
	}
	return all
}

// halfOperators are the operators of a format. Those that round float32 numbers are compared
// with the numbers that the operator for float32 gives.
func halfOperators[H random.Half](f random.Format) (all []*operator) {
	add := func(name, args string, into func(g *random.Generator, dst []H) error, want func(e element) uint16) *operator {
		o := define(name, fmt.Sprintf("%v %s", f, args), 4, into, same(func(e element) H { return H(want(e)) }))
		all = append(all, o)
		return o
	}
	rounded := func(name, args string, into func(g *random.Generator, dst []H) error, single func(g *random.Generator, dst []float32) error) *operator {
		return add(name, args, into, func(e element) uint16 { return roundHalf(f, single4(e, single)) })
	}
	// Between the last pair a number below 0 may be rounded to -0, and what is below the
	// end is 0.
	small := map[random.Format]float32{random.Float16: 0x1p-24, random.BFloat16: 0x1p-133}[f]
	for _, b := range [][2]float32{{0, 1}, {-1.5, 2.25}, {0.1, 0.3}, {1, 1.01}, {-65504, 65504}, {-1e-7, 0}, {-3, -1e-5}, {-3 * small, small}} {
		add("UniformHalf", fmt.Sprintf("lo %v hi %v", b[0], b[1]),
			func(g *random.Generator, dst []H) error { return random.UniformHalf(g, dst, f, b[0], b[1]) },
			func(e element) uint16 { return halfOf(f, e.word(0), b[0], b[1]) })
	}
	for _, a := range [][2]float32{{0, 1}, {3, 0.5}, {-7, 0}, {0, 30000}, {0, 1e-7}} {
		text := fmt.Sprintf("mean %v std %v", a[0], a[1])
		rounded("NormalHalf", text,
			func(g *random.Generator, dst []H) error { return random.NormalHalf(g, dst, f, a[0], a[1]) },
			func(g *random.Generator, dst []float32) error { return random.Normal(g, dst, a[0], a[1]) })
		rounded("LogNormalHalf", text,
			func(g *random.Generator, dst []H) error { return random.LogNormalHalf(g, dst, f, a[0], a[1]) },
			func(g *random.Generator, dst []float32) error { return random.LogNormal(g, dst, a[0], a[1]) }).single = true
	}
	inf := float32(math.Inf(1))
	for _, a := range [][4]float32{{0, 1, -2, 2}, {0, 1, 2, 2.5}, {0, 1, -inf, inf}, {0, 1, 0.1, 0.3}, {0, 60000, -inf, inf}, {1, 2, 1, 1}} {
		lo, hi := cover(f, a[2], a[3])
		rounded("TruncatedNormalHalf", fmt.Sprintf("mean %v std %v a %v b %v", a[0], a[1], a[2], a[3]),
			func(g *random.Generator, dst []H) error {
				return random.TruncatedNormalHalf(g, dst, f, a[0], a[1], a[2], a[3])
			},
			func(g *random.Generator, dst []float32) error {
				return random.TruncatedNormal(g, dst, a[0], a[1], lo, hi)
			}).retries = true
	}
	for _, rate := range []float32{1, 3e-4, 2e7, 1e38, 1e-38} {
		add("ExponentialHalf", fmt.Sprintf("rate %v", rate),
			func(g *random.Generator, dst []H) error { return random.ExponentialHalf(g, dst, f, rate) },
			func(e element) uint16 {
				b := roundHalf(f, single4(e, func(g *random.Generator, dst []float32) error { return random.Exponential(g, dst, rate) }))
				return min(max(b, 1), halfInf(f)-1)
			})
	}
	for _, a := range [][2]float32{{0, 1}, {-3, 0.01}, {1, 20000}} {
		for _, d := range []struct {
			name   string
			half   func(*random.Generator, []H, random.Format, float32, float32) error
			single func(*random.Generator, []float32, float32, float32) error
		}{
			{"CauchyHalf", random.CauchyHalf[H], random.Cauchy[float32]},
			{"LaplaceHalf", random.LaplaceHalf[H], random.Laplace[float32]},
			{"GumbelHalf", random.GumbelHalf[H], random.Gumbel[float32]},
		} {
			rounded(d.name, fmt.Sprintf("location %v scale %v", a[0], a[1]),
				func(g *random.Generator, dst []H) error { return d.half(g, dst, f, a[0], a[1]) },
				func(g *random.Generator, dst []float32) error { return d.single(g, dst, a[0], a[1]) }).single = true
		}
	}
	one := roundHalf(f, 1)
	for _, p := range []float64{0.3, 0, 1} {
		add("BernoulliHalf", fmt.Sprintf("p %v", p),
			func(g *random.Generator, dst []H) error { return random.BernoulliHalf(g, dst, f, p) },
			func(e element) uint16 { return one * uint16(oneIf(chosen(e.word(0), p))) })
	}
	o := add("BernoulliEachHalf", "p by index",
		func(g *random.Generator, dst []H) error {
			return random.BernoulliEachHalf(g, dst, f, probabilities[float64](len(dst)))
		},
		func(e element) uint16 { return one * uint16(oneIf(chosen(e.word(0), probability[float64](e.index)))) })
	o.indexed = true
	for _, p := range []float64{0.01, 0.5, 1} {
		rounded("GeometricHalf", fmt.Sprintf("p %v", p),
			func(g *random.Generator, dst []H) error { return random.GeometricHalf(g, dst, f, p) },
			func(g *random.Generator, dst []float32) error { return random.Geometric(g, dst, p) }).single = true
	}
	for _, p := range []float64{0.3, 0, 1} {
		scale := float32(1 / (1 - p))
		o := add("DropoutHalf", fmt.Sprintf("p %v", p),
			func(g *random.Generator, dst []H) error {
				src := make([]H, len(dst))
				for i := range src {
					src[i] = H(source16(f, i))
				}
				return random.DropoutHalf(g, dst, f, make([]byte, random.MaskBytes(len(dst))), src, p, true)
			},
			func(e element) uint16 {
				if chosen(e.word(0), p) {
					return 0
				}
				if p == 0 {
					return source16(f, e.index)
				}
				return roundHalf(f, float32(float32(halfValue(f, source16(f, e.index)))*scale))
			})
		o.indexed, o.fixed = true, p == 0 || p == 1
	}
	return all
}

// source16 is what half dropouts take: finite numbers of all kinds.
func source16(f random.Format, i int) uint16 {
	return uint16(i) * 40503 &^ (halfInf(f) &^ (halfInf(f) << 1))
}

// single4 returns the float32 of an element, which its block makes.
func single4(e element, fill func(g *random.Generator, dst []float32) error) float32 {
	hi, lo := e.counter.Uint64s()
	g := random.NewGenerator(random.CPU(), e.key.Seed())
	if hi != 0 {
		var err error
		if g, err = g.Substream(hi); err != nil {
			panic(err)
		}
	}
	if err := g.SetOffset(lo); err != nil {
		panic(err)
	}
	var x [4]float32
	if err := fill(g, x[:]); err != nil {
		panic(err)
	}
	return x[e.lane]
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// probability is that of an element where each has its own.
func probability[P random.Float](i int) P { return P(i*5%13) / 12 }

func probabilities[P random.Float](n int) []P {
	p := make([]P, n)
	for i := range p {
		p[i] = probability[P](i)
	}
	return p
}

func integerOperators[T integer](ranges ...[2]T) (all []*operator) {
	for _, r := range ranges {
		words := wordsOfInteger(r[0], r[1])
		o := define("IntRange", fmt.Sprintf("lo %v last %v", r[0], r[1]), 4/words,
			func(g *random.Generator, dst []T) error { return random.IntRange(g, dst, r[0], r[1]) },
			same(func(e element) T { return integerOf(e, r[0], r[1]) }))
		o.retries = true
		all = append(all, o)
		if r[1]+1 > r[1] {
			below := define("IntN", fmt.Sprintf("lo %v hi %v", r[0], r[1]+1), 4/words,
				func(g *random.Generator, dst []T) error { return random.IntN(g, dst, r[0], r[1]+1) },
				same(func(e element) T { return integerOf(e, r[0], r[1]) }))
			below.retries = true
			all = append(all, below)
		}
	}
	return all
}

func bernoullis[T ~bool | random.Integer | random.Float](one T, ps ...float64) (all []*operator) {
	pick := func(success bool) (e T) {
		if success {
			e = one
		}
		return e
	}
	for _, p := range ps {
		all = append(all, define("Bernoulli", fmt.Sprintf("p %v", p), 4,
			func(g *random.Generator, dst []T) error { return random.Bernoulli(g, dst, p) },
			same(func(e element) T { return pick(chosen(e.word(0), p)) })),
			define("BernoulliEach", fmt.Sprintf("p %v", p), 4,
				func(g *random.Generator, dst []T) error {
					return random.BernoulliEach(g, dst, slices.Repeat([]float64{p}, len(dst)))
				},
				same(func(e element) T { return pick(chosen(e.word(0), p)) })))
	}
	o := define("BernoulliEach", "p by index", 4,
		func(g *random.Generator, dst []T) error {
			return random.BernoulliEach(g, dst, probabilities[float32](len(dst)))
		},
		same(func(e element) T { return pick(chosen(e.word(0), float64(probability[float32](e.index)))) }))
	o.indexed = true
	return append(all, o)
}

func geometrics[T random.Integer | random.Float](wide bool, ps ...float64) (all []*operator) {
	for _, p := range ps {
		o := define("Geometric", fmt.Sprintf("p %v", p), perBlock(wide),
			func(g *random.Generator, dst []T) error { return random.Geometric(g, dst, p) },
			func(e element, got T) string {
				n, doubtful := trialsOf(unitOf(wide, e), p)
				if got == T(n) || doubtful && math.Abs(float64(got)-n) <= 1+0x1p-50*n {
					return ""
				}
				return fmt.Sprintf("%v, want %v", got, n)
			})
		o.single = true
		all = append(all, o)
	}
	return all
}

// dropouts are masks, a byte for every bit, and dropouts of numbers.
func dropouts(ps ...float64) (all []*operator) {
	for _, p := range ps {
		o := define("DropoutMask", fmt.Sprintf("p %v", p), 4,
			func(g *random.Generator, dst []uint8) error {
				mask := make([]byte, random.MaskBytes(len(dst)))
				if err := random.DropoutMask(g, mask, len(dst), p); err != nil {
					return err
				}
				for i := range dst {
					dst[i] = mask[i/8] >> (i % 8) & 1
				}
				return nil
			},
			same(func(e element) uint8 { return uint8(oneIf(!chosen(e.word(0), p))) }))
		o.fixed = p == 0 || p == 1
		all = append(all, o, dropout[float32](p), dropout[float64](p))
	}
	return all
}

func dropout[T random.Float](p float64) *operator {
	source := func(i int) T { return T(i%1000)/7 - 50 }
	o := define("Dropout", fmt.Sprintf("p %v", p), 4,
		func(g *random.Generator, dst []T) error {
			src := make([]T, len(dst))
			for i := range src {
				src[i] = source(i)
			}
			return random.Dropout(g, dst, make([]byte, random.MaskBytes(len(dst))), src, p, true)
		},
		same(func(e element) T {
			if chosen(e.word(0), p) {
				return 0
			}
			return T(source(e.index) * T(float32(1/(1-p))))
		}))
	o.indexed, o.fixed = true, p == 0 || p == 1
	return o
}

// operators are all of them.
var operators = func() []*operator {
	const small = math.SmallestNonzeroFloat32
	zero := float32(math.Copysign(0, -1))
	inf32, inf64 := float32(math.Inf(1)), math.Inf(1)
	return slices.Concat(
		uniforms([][2]float32{{0, 1}, {-1.5, 2.25}, {0.1, 0.3}, {1, 1 + 0x1p-23}, {-math.MaxFloat32 / 2, math.MaxFloat32 / 2}, {zero, small}, {-small, zero}, {0x1p-130, 0x1p-128}, {-1, 0}}...),
		uniforms([][2]float64{{0, 1}, {-1.5, 2.25}, {0.1, 0.3}, {1, 1 + 0x1p-52}, {-math.MaxFloat64 / 2, math.MaxFloat64 / 2}, {0, math.SmallestNonzeroFloat64}, {-1, 0}}...),
		uniforms([2]celsius{-20, 40}), uniforms([2]metres{-20, 40}),
		normals([][2]float32{{0, 1}, {3, 0.5}, {-7, 0}, {0, 60}, {-100, 1}}...),
		normals([][2]float64{{0, 1}, {3, 0.5}, {-7, 0}, {0, 400}, {-740, 1}}...),
		normals([2]celsius{20, 10}), normals([2]metres{20, 10}),
		truncated([][4]float32{{0, 1, -2, 2}, {0, 1, 2, inf32}, {0, 1, -0.25, 0.5}, {3, 2, 1, 1.5}}...),
		truncated([][4]float64{{0, 1, -2, 2}, {0, 1, 2, inf64}, {0, 1, -0.25, 0.5}, {3, 2, 1, 1.5}}...),
		truncated([4]celsius{20, 10, 0, 40}),
		exponentials[float32](1, 2.5, 1e-38, 3e38, small), exponentials(1, 2.5, 1e-308, 1.7e308, math.SmallestNonzeroFloat64),
		exponentials[celsius](0.5), exponentials[metres](0.5),
		located([][2]float32{{0, 1}, {-3, 0.25}, {1e6, 1e-3}, {1, 1e36}, {0, 1e-44}}...),
		located([][2]float64{{0, 1}, {-3, 0.25}, {1e6, 1e-3}, {1, 1e300}}...),
		located([2]celsius{1, 2}), located([2]metres{1, 2}),
		halfOperators[uint16](random.Float16), halfOperators[uint16](random.BFloat16), halfOperators[bits16](random.Float16),
		integerOperators([][2]int8{{-3, 3}, {-128, 127}, {5, 5}}...), integerOperators([][2]uint8{{0, 5}, {0, 255}}...),
		integerOperators([][2]int16{{-300, 300}, {-32768, 32767}}...), integerOperators([][2]uint16{{0, 5}, {0, 65535}}...),
		integerOperators([][2]int32{{-3, 3}, {math.MinInt32, math.MaxInt32}, {-1 << 30, 1<<31 - 1}}...),
		integerOperators([][2]uint32{{0, 5}, {0, math.MaxUint32}, {0, 3<<30 - 1}, {0, 1 << 31}}...),
		integerOperators([][2]int64{
			{-3, 3}, {0, math.MaxUint32}, {-1 << 31, 1 << 31}, {math.MinInt64, math.MaxInt64}, {math.MinInt64, 1 << 62},
			{1 << 24, 1<<24 + 3}, {math.MaxInt64 - 2, math.MaxInt64}, {-1, 1 << 62},
		}...),
		integerOperators([][2]uint64{{0, 5}, {0, math.MaxUint64}, {1, math.MaxUint64}, {0, 3<<62 - 1}, {1 << 63, 1<<63 + 1<<32}}...),
		integerOperators([][2]int{{-3, 3}, {-1 << 31, 1<<31 - 2}}...), integerOperators([][2]uint{{0, 5}, {0, math.MaxUint32 - 1}}...),
		integerOperators([2]weekday{1, 7}), integerOperators([2]handle{100, 1 << 40}),
		bernoullis(true, 0.3, 0, 1, 0x1p-33, 0x1p-34, 1-0x1p-40, 0.75, 5e-324), bernoullis[coin](true, 0.5),
		bernoullis[int8](1, 0.3), bernoullis[uint8](1, 0.5), bernoullis[int16](1, 0.3), bernoullis[uint16](1, 0.3),
		bernoullis[int32](1, 0.3), bernoullis[uint32](1, 0.3), bernoullis[int64](1, 0.3), bernoullis[uint64](1, 0.3),
		bernoullis(1, 0.3), bernoullis[uint](1, 0.3), bernoullis[float32](1, 0.3, 1, 0), bernoullis(1., 0.3), bernoullis[celsius](1, 0.3), bernoullis[metres](1, 0.3),
		geometrics[int8](false, 0.3), geometrics[uint8](false, 0.3), geometrics[int16](false, 0.3), geometrics[uint16](false, 0.01),
		geometrics[int32](false, 0.3, 1e-6), geometrics[uint32](false, 0.3, 1), geometrics[int64](true, 0.3, 1e-10, 1), geometrics[uint64](true, 0.3, 1e-15, 1-0x1p-53),
		geometrics[int](true, 0.3, 1e-6), geometrics[uint](true, 0.3), geometrics[float32](false, 0.3, 1e-6, 1), geometrics[float64](true, 0.3, 1e-15, 0x1p-54),
		geometrics[weekday](false, 0.3), geometrics[handle](true, 0.3), geometrics[celsius](false, 0.3),
		dropouts(0.3, 0, 1, 0.999999, 1e-300),
		categoricals[int32]("zipf", zipf[float64](1000)), categoricals[int32]("zipf", zipf[float32](20_000)), categoricals[int64]("3 of 4", []float64{0.5, 0, 3, 1}),
		categoricals[int8]("zipf", zipf[float64](128)), categoricals[uint8]("zipf", zipf[float64](256)), categoricals[int16]("zipf", zipf[float64](129)),
		categoricals[uint16]("zipf", zipf[float32](129)), categoricals[uint32]("zipf", zipf[float64](129)), categoricals[uint64]("zipf", zipf[float64](129)),
		categoricals[int]("zipf", zipf[float64](129)), categoricals[uint]("zipf", zipf[float64](129)), categoricals[weekday]("week", zipf[celsius](7)), categoricals[handle]("zipf", zipf[metres](300)), categoricals[int]("one", []float32{3}),
	)
}()

// firstOfEach are an operator of each function, type and format.
func firstOfEach() (all []*operator) {
	seen := map[string]bool{}
	for _, o := range operators {
		if !seen[o.of()] {
			seen[o.of()] = true
			all = append(all, o)
		}
	}
	return all
}

// placeOf is where a generator stands.
type placeOf struct{ seed, stream, offset uint64 }

var places = []placeOf{
	{42, 0, 0},
	{1<<64 - 42, 1<<47 + 1<<32 + 9, 1<<32 - 3},
	{0x0123456789abcdef, 1<<48 - 1, ones64 - 1003}, // the end of the stream is near
}

// Every operator against its rule, one element at a time.
func TestOperatorsAgainstTheirRules(t *testing.T) {
	for _, o := range operators {
		for i, p := range places {
			n := 1000
			if i > 0 {
				n = 300
			}
			n = reduced(n)
			long := o.get(t, at(t, p.seed, p.stream, p.offset), n)
			o.requireElements(t, p.seed, p.stream, p.offset, long, 0, 1)
			for _, n := range []int{0, 1, 3, 4, 5, 17, 30} {
				g := at(t, p.seed, p.stream, p.offset)
				require.Equal(t, long[:n*o.size], o.get(t, g, n), "%s: n = %d", o.name, n)
				require.Equal(t, p.offset+o.blocks(n), g.Offset(), "%s: n = %d", o.name, n)
			}
		}
	}
}

// Words that are rare, at the places where they come, and others placed by going through
// a block backwards: the ends and the middles of all of the words' ranges.
func TestOperatorsAtExtremeWords(t *testing.T) {
	blocks := []placeOf{{0, 0, extremes["G0"].block}, {0, 0, extremes["G1"].block}, {0, 0, extremes["G2"].block}, {0, 0, extremes["G3"].block}}
	for _, words := range [][4]uint32{
		{0, 0, ones32, ones32}, {0x7fffffff, 0x80000000, 0x80000000, 0x7fffffff}, {1, 0, ones32 - 1, ones32},
		{ones32, 0x7fffffff, 0, 0x80000000}, {0xfff, 0, 0x800, 0}, {0x3fffffff, 0x40000000, 0xc0000000, 0xbfffffff},
		{0x7f, 0x3ff, 0x7fffff, 0x800000}, {0x017db87d, 0x55555555, 0xaaaaaaab, 0xffffff80}, {0, 0x100000, ones32, 0xfffff},
	} {
		c := unblock(philox.NewKey(7), words)
		require.Equal(t, words, philox.Block(philox.NewKey(7), c))
		hi, lo := c.Uint64s()
		blocks = append(blocks, placeOf{7, hi, lo})
	}
	for _, o := range operators {
		for _, p := range blocks {
			if o.retries && p.stream >= 1<<48 {
				continue
			}
			for _, n := range []int{o.perBlock, 40 * o.perBlock} { // by portable code and by kernels
				got := o.get(t, at(t, p.seed, p.stream, p.offset), n)
				o.requireElements(t, p.seed, p.stream, p.offset, got[:o.perBlock*o.size], 0, 1)
			}
		}
	}
}

// What is on a generator after a call, and that calls follow each other.
func TestOperatorsTakeBlocks(t *testing.T) {
	const seed, stream, offset = 5, 6, 1<<32 - 5
	for _, o := range operators {
		for n := range 10 {
			g := at(t, seed, stream, offset)
			first := o.get(t, g, n)
			require.Equal(t, o.blocks(n), g.Offset()-offset, "%s: n = %d", o.name, n)
			next := g.Offset()
			second := o.get(t, g, 9)
			require.Equal(t, next+o.blocks(9), g.Offset(), "%s: n = %d", o.name, n)
			require.Equal(t, o.get(t, at(t, seed, stream, next), 9), second, "%s: after %d", o.name, n)
			require.Equal(t, o.get(t, at(t, seed, stream, offset), 10)[:n*o.size], first, "%s: %d of 10", o.name, n)
		}
	}
}

// Streams up to the last one are good where no element is drawn again, and only the
// first 2^48 are elsewhere.
func TestOperatorsOfAllStreams(t *testing.T) {
	for _, o := range operators {
		for _, stream := range []uint64{1<<48 - 1, 1 << 48, 1 << 63, ones64} {
			g := at(t, 1, stream, 7)
			before := g.State()
			got, err := o.run(t, g, 9)
			if o.retries && stream >= 1<<48 {
				var arg *skip.ArgumentError
				require.ErrorAs(t, err, &arg, "%s", o.name)
				assert.Equal(t, skip.ArgumentError{Package: "random", Arg: "stream", Value: fmt.Sprint(stream), Reason: arg.Reason}, *arg)
				require.Equal(t, before, g.State(), "%s", o.name)
				continue
			}
			require.NoError(t, err, "%s", o.name)
			o.requireElements(t, 1, stream, 7, got, 0, 1)
		}
	}
}

// The end of a stream: its last block is good, and a fill that needs one more writes and
// takes nothing.
func TestOperatorsAtTheEndOfAStream(t *testing.T) {
	for _, o := range operators {
		if o.fixed {
			g := exhausted(t, 1, 2)
			o.get(t, g, 100)
			continue
		}
		n := 2*o.perBlock + 1
		for blocks := range uint64(3) {
			g := at(t, 1, 2, ones64)
			left := blocks
			if blocks == 0 {
				g = exhausted(t, 1, 2)
			} else {
				require.NoError(t, g.SetOffset(-blocks))
			}
			before := g.State()
			_, err := o.run(t, g, n)
			var end *random.ExhaustedError
			require.ErrorAs(t, err, &end, "%s", o.name)
			require.ErrorIs(t, err, random.ErrExhausted)
			require.Equal(t, random.ExhaustedError{Offset: g.Offset(), Left: left, Blocks: 3}, *end, "%s", o.name)
			require.Equal(t, before, g.State(), "%s", o.name)
			o.get(t, g, 0)
			require.Equal(t, before, g.State(), "%s", o.name)
		}
		g := at(t, 1, 2, ones64-2)
		o.requireElements(t, 1, 2, ones64-2, o.get(t, g, n), 0, 1)
		require.True(t, g.Exhausted(), "%s", o.name)
	}
}

// A generator of a GPU is for no memory of the CPU.
func TestOperatorsOfAnotherDevice(t *testing.T) {
	for _, o := range operators {
		for _, n := range []int{0, 5} {
			g := random.NewGenerator(random.CUDA(1), 1)
			before := g.State()
			_, err := o.run(t, g, n)
			var bad *random.DeviceError
			require.ErrorAs(t, err, &bad, "%s", o.name)
			require.ErrorIs(t, err, random.ErrDevice)
			require.Equal(t, random.DeviceError{Want: random.CPU(), Got: random.CUDA(1)}, *bad, "%s", o.name)
			require.Equal(t, before, g.State(), "%s", o.name)
		}
	}
}

// Nil and zero are the CPU's default generator.
func TestOperatorsOfTheDefaultGenerator(t *testing.T) {
	forget(t)
	for _, o := range operators {
		random.ManualSeed(11)
		want := random.NewGenerator(random.CPU(), 11)
		for _, g := range []*random.Generator{nil, {}, random.Default(random.CPU())} {
			require.Equal(t, o.get(t, want, 33), o.get(t, g, 33), "%s", o.name)
		}
		equal(t, want, random.Default(random.CPU()))
	}
}

func setProcs(t testing.TB, n int) {
	before := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// inParts fills n elements by calls that are too short to be shared.
func (o *operator) inParts(t testing.TB, g *random.Generator, n int) []byte {
	var all []byte
	for n > 0 {
		part := min(n, 4000)
		all = append(all, o.get(t, g, part)...)
		n -= part
	}
	return all
}

// NatLabRockies/PRAS#3, opencv/opencv#8293: results that vary with threads.
func TestCase52Goroutines(t *testing.T) {
	procs := []int{1, 2, 7, 64}
	if raceEnabled || testing.Short() {
		procs = []int{7}
	}
	seen := map[string]bool{}
	for _, o := range firstOfEach() {
		// The types of one size have the same code behind them, and an indexed operator's
		// parts would have other arguments: TestLongDropouts has those.
		function, _, _ := strings.Cut(o.name, "[")
		code := fmt.Sprint(function, o.size, o.perBlock, strings.Contains(o.name, "bfloat16"))
		if raceEnabled || testing.Short() {
			code = function
		}
		if o.indexed || seen[code] {
			continue
		}
		seen[code] = true
		n := o.shared()
		if function == "BernoulliEach" {
			n = 3000 // is not shared
		}
		g := at(t, 52, 4, 1<<32-300)
		want := o.inParts(t, g, n)
		next := g.Offset()
		o.requireElements(t, 52, 4, 1<<32-300, want, 5, 1+n/50)
		for _, p := range procs {
			t.Run(fmt.Sprintf("%s/%d", o.of(), p), func(t *testing.T) {
				setProcs(t, p)
				g := at(t, 52, 4, 1<<32-300)
				before := started.Goroutines(t)
				got := o.get(t, g, n)
				// Apart, since printing megabytes takes long.
				require.True(t, bytes.Equal(want, got), "differs")
				require.Equal(t, next, g.Offset())
				if p == 7 && runtime.GOMAXPROCS(0) == p && stack.Known && function != "BernoulliEach" {
					require.NotEqual(t, before, started.Goroutines(t), "was not shared")
				}
			})
		}
	}
}

// Expensify/Bedrock#2783, cilium/cilium#10988: shared generators that gave two callers
// the same numbers. All operators at once: what each call got is what its blocks give
// alone, and the calls' blocks are those of the stream, each once.
//
// Where a call's blocks begin, its numbers say: they are looked up among those of the
// whole stream.
func TestCase65ManyGoroutines(t *testing.T) {
	var mixed []*operator
	for _, o := range firstOfEach() {
		if !o.indexed && !o.fixed {
			mixed = append(mixed, o)
		}
	}
	const goroutines, seed, stream, offset = 16, 65, 3, 1<<32 - 1000
	calls := max(reduced(16), 3)
	type call struct {
		o      *operator
		n      int
		got    []byte
		blocks uint64
	}
	g := at(t, seed, stream, offset)
	all := make([][]call, goroutines)
	var wg sync.WaitGroup
	for i := range all {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(65, uint64(i)))
			for range calls {
				o := mixed[r.IntN(len(mixed))]
				n := 150 + r.IntN(200)
				if o.single && r.IntN(10) == 0 {
					n = o.shared()
				}
				got, err := o.run(t, g, n)
				if err != nil {
					t.Error(err)
				}
				all[i] = append(all[i], call{o, n, got, o.blocks(n)})
			}
		})
	}
	wg.Wait()
	total := g.Offset() - offset
	whole := map[*operator][]byte{}
	taken := make([]bool, total)
	for _, c := range slices.Concat(all...) {
		if whole[c.o] == nil {
			whole[c.o] = c.o.get(t, at(t, seed, stream, offset), int(total)*c.o.perBlock)
		}
		block := c.o.perBlock * c.o.size
		var starts []int
		for from := 0; from < len(whole[c.o]); from += block {
			if bytes.HasPrefix(whole[c.o][from:], c.got) {
				starts = append(starts, from/block)
			}
		}
		require.Len(t, starts, 1, "%s: n = %d: where it is in the stream", c.o.name, c.n)
		for b := range int(c.blocks) {
			require.False(t, taken[starts[0]+b], "%s: block %d was taken twice", c.o.name, starts[0]+b)
			taken[starts[0]+b] = true
		}
	}
	require.NotContains(t, taken, false, "no call has it")
}
