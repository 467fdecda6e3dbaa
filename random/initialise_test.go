package random_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	mathbits "math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/statistics"
	"github.com/philox-go/rng/random"
)

// What torch/nn/init.py computes, evaluated by Python 3.11: fans, gain, standard
// deviations and bounds.
var kaimingOfPyTorch = []struct {
	shape        []int
	nonlinearity random.Nonlinearity
	slope        float64
	in, out      int
	gain         float64
	// With FanIn and with FanOut.
	stdIn, stdOut, boundIn, boundOut float64
}{
	{[]int{1, 1}, random.LeakyReLU, 0, 1, 1, 0x1.6a09e667f3bcdp+00, 0x1.6a09e667f3bcdp+00, 0x1.6a09e667f3bcdp+00, 0x1.3988e1409212fp+01, 0x1.3988e1409212fp+01},
	{[]int{3, 5}, random.LeakyReLU, 0, 5, 3, 0x1.6a09e667f3bcdp+00, 0x1.43d136248490fp-01, 0x1.a20bd700c2c3fp-01, 0x1.186f174f88472p+00, 0x1.6a09e667f3bcdp+00},
	{[]int{5, 3}, random.ReLU, 0, 3, 5, 0x1.6a09e667f3bcdp+00, 0x1.a20bd700c2c3fp-01, 0x1.43d136248490fp-01, 0x1.6a09e667f3bcdp+00, 0x1.186f174f88472p+00},
	{[]int{64, 128}, random.LeakyReLU, 2.23606797749979, 128, 64, 0x1.279a74590331cp-01, 0x1.a20bd700c2c3dp-05, 0x1.279a74590331cp-04, 0x1.6a09e667f3bcbp-04, 0x1.fffffffffffffp-04},
	{[]int{16, 7}, random.Tanh, 0, 7, 16, 0x1.aaaaaaaaaaaabp+00, 0x1.42879958bf94p-01, 0x1.aaaaaaaaaaaabp-02, 0x1.1751a365d41a3p+00, 0x1.7181116f43fe3p-01},
	{[]int{8, 3, 3, 3}, random.Linear, 0, 27, 72, 0x1p+00, 0x1.8a2345cc04426p-03, 0x1.e2b7dddfefa67p-04, 0x1.5555555555555p-02, 0x1.a20bd700c2c3ep-03},
	{[]int{6, 16, 3}, random.Conv, 0, 48, 18, 0x1p+00, 0x1.279a74590331dp-03, 0x1.e2b7dddfefa67p-03, 0x1p-02, 0x1.a20bd700c2c3ep-02},
	{[]int{4, 1, 3, 3}, random.SELU, 0, 9, 36, 0x1.8p-01, 0x1p-02, 0x1p-03, 0x1.bb67ae8584caap-02, 0x1.bb67ae8584caap-03},
	{[]int{2, 3, 2, 3, 5}, random.Sigmoid, 0, 90, 60, 0x1p+00, 0x1.afc19d8606169p-04, 0x1.08654a2d4f6dap-03, 0x1.75e9746a0b098p-03, 0x1.c9f25c5bfedd8p-03},
	{[]int{10, 11}, random.LeakyReLU, 0.01, 11, 10, 0x1.6a05442aad7e4p+00, 0x1.b49cfd194692ap-02, 0x1.c9ec7fdf40542p-02, 0x1.7a1e3f657f2e3p-01, 0x1.8c92dbce2dba8p-01},
	{[]int{3, 7}, random.LeakyReLU, -0.3, 7, 3, 0x1.5ac528f636b3ap+00, 0x1.06223387013e2p-01, 0x1.906a6a6846947p-01, 0x1.c60759a1513bap-01, 0x1.5ac528f636b3ap+00},
	{[]int{2, 9}, random.LeakyReLU, 1000, 9, 2, 0x1.72ba37da1094dp-10, 0x1.ee4d9fcd6b711p-12, 0x1.0624d4981517cp-10, 0x1.ac1442df2af5ep-11, 0x1.c60be76a774cep-10},
	{[]int{5, 1, 7}, random.Tanh, 1, 7, 35, 0x1.aaaaaaaaaaaabp+00, 0x1.42879958bf94p-01, 0x1.207ab4a58326cp-02, 0x1.1751a365d41a3p+00, 0x1.f3a92ca2f4b7cp-02},
}

// The same of Xavier's initialisers.
var xavierOfPyTorch = []struct {
	shape            []int
	gain, std, bound float64
}{
	{[]int{1, 1}, 1, 0x1p+00, 0x1.bb67ae8584caap+00},
	{[]int{3, 5}, 1, 0x1p-01, 0x1.bb67ae8584caap-01},
	{[]int{64, 128}, 1, 0x1.a20bd700c2c3ep-04, 0x1.6a09e667f3bccp-03},
	{[]int{16, 7}, 1.6666666666666667, 0x1.f744bf473f508p-02, 0x1.b3d7e5603b013p-01},
	{[]int{8, 3, 3, 3}, 1.4142135623730951, 0x1.9ba9da6c73589p-03, 0x1.6482d37a5a3d2p-02},
	{[]int{4, 1, 3, 3}, 0.1, 0x1.5967b13804deep-06, 0x1.2b2129ee6f3adp-05},
	{[]int{2, 3, 2, 3, 5}, 0.75, 0x1.62b9586ad0a22p-04, 0x1.3333333333333p-03},
	{[]int{6, 16, 3}, 0.001, 0x1.6d113adb7f387p-13, 0x1.3c2855d45064cp-12},
	{[]int{5, 1, 7}, 37.5, 0x1.05dc892f76d89p+03, 0x1.c58eafa4cd681p+03},
}

var nonlinearities = []random.Nonlinearity{
	random.LeakyReLU, random.ReLU, random.Linear, random.Conv, random.Sigmoid, random.Tanh, random.SELU,
}

// weightsOf are the initialisers of elements of a type with what they must be: uniforms
// and normals of a bound and a standard deviation.
type weightsOf[T any] struct {
	name                          string
	kaimingUniform, kaimingNormal func(g *random.Generator, dst []T, shape []int, k random.Kaiming) error
	xavierUniform, xavierNormal   func(g *random.Generator, dst []T, shape []int, gain float64, groups int) error
	uniform                       func(bound float64) fill[T]
	normal                        func(std float64) fill[T]
}

func floatWeights[T random.Float](name string) weightsOf[T] {
	return weightsOf[T]{
		name,
		random.KaimingUniform[T], random.KaimingNormal[T], random.XavierUniform[T], random.XavierNormal[T],
		func(bound float64) fill[T] { return with(random.Uniform[T], T(-bound), T(bound)) },
		func(std float64) fill[T] { return with(random.Normal[T], 0, T(std)) },
	}
}

func halfWeights(f random.Format) weightsOf[uint16] {
	type kaiming = func(g *random.Generator, dst []uint16, format random.Format, shape []int, k random.Kaiming) error
	type xavier = func(g *random.Generator, dst []uint16, format random.Format, shape []int, gain float64, groups int) error
	withKaiming := func(init kaiming) func(g *random.Generator, dst []uint16, shape []int, k random.Kaiming) error {
		return func(g *random.Generator, dst []uint16, shape []int, k random.Kaiming) error {
			return init(g, dst, f, shape, k)
		}
	}
	withXavier := func(init xavier) func(g *random.Generator, dst []uint16, shape []int, gain float64, groups int) error {
		return func(g *random.Generator, dst []uint16, shape []int, gain float64, groups int) error {
			return init(g, dst, f, shape, gain, groups)
		}
	}
	return weightsOf[uint16]{
		f.String(),
		withKaiming(random.KaimingUniformHalf[uint16]), withKaiming(random.KaimingNormalHalf[uint16]),
		withXavier(random.XavierUniformHalf[uint16]), withXavier(random.XavierNormalHalf[uint16]),
		func(bound float64) fill[uint16] {
			return withHalf(random.UniformHalf[uint16], f, float32(-bound), float32(bound))
		},
		func(std float64) fill[uint16] { return withHalf(random.NormalHalf[uint16], f, 0, float32(std)) },
	}
}

func lengthOf(shape []int) int {
	n := 1
	for _, length := range shape {
		n *= length
	}
	return n
}

// requireKaiming requires of the initialisers the numbers of a bound and a standard
// deviation, and their blocks.
func (w weightsOf[T]) requireKaiming(t *testing.T, shape []int, k random.Kaiming, bound, std float64) {
	t.Helper()
	text := fmt.Sprintf("%s, %v, %+v", w.name, shape, k)
	requireSame(t, lengthOf(shape), w.uniform(bound), func(g *random.Generator, dst []T) error { return w.kaimingUniform(g, dst, shape, k) }, text)
	requireSame(t, lengthOf(shape), w.normal(std), func(g *random.Generator, dst []T) error { return w.kaimingNormal(g, dst, shape, k) }, text)
}

func (w weightsOf[T]) requireXavier(t *testing.T, shape []int, gain float64, groups int, bound, std float64) {
	t.Helper()
	text := fmt.Sprintf("%s, %v, gain %v, %d groups", w.name, shape, gain, groups)
	requireSame(t, lengthOf(shape), w.uniform(bound), func(g *random.Generator, dst []T) error { return w.xavierUniform(g, dst, shape, gain, groups) }, text)
	requireSame(t, lengthOf(shape), w.normal(std), func(g *random.Generator, dst []T) error { return w.xavierNormal(g, dst, shape, gain, groups) }, text)
}

// requireSame requires of two fills the same elements, after the same blocks.
func requireSame[T any](t *testing.T, n int, want, got fill[T], text string) {
	t.Helper()
	a, b := at(t, 78, 3, 1<<32-2), at(t, 78, 3, 1<<32-2)
	require.Equal(t, filled(t, a, n, want), filled(t, b, n, got), text)
	require.Equal(t, a.State(), b.State(), text)
}

func requireKaiming(t *testing.T, shape []int, k random.Kaiming, bound, std float64) {
	t.Helper()
	floatWeights[float32]("float32").requireKaiming(t, shape, k, bound, std)
	floatWeights[float64]("float64").requireKaiming(t, shape, k, bound, std)
	floatWeights[celsius]("celsius").requireKaiming(t, shape, k, bound, std)
	for _, f := range formats {
		halfWeights(f).requireKaiming(t, shape, k, bound, std)
	}
}

func requireXavier(t *testing.T, shape []int, gain float64, groups int, bound, std float64) {
	t.Helper()
	floatWeights[float32]("float32").requireXavier(t, shape, gain, groups, bound, std)
	floatWeights[float64]("float64").requireXavier(t, shape, gain, groups, bound, std)
	floatWeights[celsius]("celsius").requireXavier(t, shape, gain, groups, bound, std)
	for _, f := range formats {
		halfWeights(f).requireXavier(t, shape, gain, groups, bound, std)
	}
}

func TestInitialisersArePyTorchs(t *testing.T) {
	for _, tt := range kaimingOfPyTorch {
		in, out, err := random.Fans(tt.shape, 0)
		require.NoError(t, err)
		assert.Equal(t, [2]int{tt.in, tt.out}, [2]int{in, out}, "%v", tt.shape)
		gain, err := random.Gain(tt.nonlinearity, tt.slope)
		require.NoError(t, err)
		assert.Equal(t, tt.gain, gain, "%v, slope %v", tt.nonlinearity, tt.slope)
		for groups := range 2 {
			k := random.Kaiming{Nonlinearity: tt.nonlinearity, Slope: tt.slope, Groups: groups}
			requireKaiming(t, tt.shape, k, tt.boundIn, tt.stdIn)
			k.Mode = random.FanOut
			requireKaiming(t, tt.shape, k, tt.boundOut, tt.stdOut)
		}
	}
	for _, tt := range xavierOfPyTorch {
		for groups := range 2 {
			requireXavier(t, tt.shape, tt.gain, groups, tt.bound, tt.std)
		}
	}
}

// PyTorch's defaults: the bound of a row of 5 is sqrt(6/5).
func TestZeroKaiming(t *testing.T) {
	requireKaiming(t, []int{3, 5}, random.Kaiming{}, 0x1.186f174f88472p+00, 0x1.43d136248490fp-01)
	requireKaiming(t, []int{3, 5}, random.Kaiming{Mode: random.FanIn, Nonlinearity: random.ReLU, Groups: 1}, 0x1.186f174f88472p+00, 0x1.43d136248490fp-01)
}

// rounding is float64 arithmetic in which every operation rounds once.
type rounding struct{ *big.Float }

func float(x float64) rounding { return rounding{big.NewFloat(x)} } // 53 bits

func (x rounding) times(y rounding) rounding { return rounding{new(big.Float).Mul(x.Float, y.Float)} }
func (x rounding) over(y rounding) rounding  { return rounding{new(big.Float).Quo(x.Float, y.Float)} }
func (x rounding) plus(y rounding) rounding  { return rounding{new(big.Float).Add(x.Float, y.Float)} }
func (x rounding) root() rounding            { return rounding{new(big.Float).SetPrec(53).Sqrt(x.Float)} }

func (x rounding) float64() float64 {
	v, _ := x.Float64()
	return v
}

func gainOf(f random.Nonlinearity, slope float64) rounding {
	switch f {
	case random.Tanh:
		return float(5).over(float(3))
	case random.ReLU:
		return float(2).root()
	case random.LeakyReLU:
		return float(2).over(float(1).plus(float(slope).times(float(slope)))).root()
	case random.SELU:
		return float(3).over(float(4))
	}
	return float(1)
}

// PyTorch's formulas, also with groups, where fan_out counts the outputs of an input.
func TestInitialisersWithGroups(t *testing.T) {
	for _, tt := range []struct {
		shape           []int
		groups, in, out int
	}{
		{[]int{2, 1}, 2, 1, 1}, {[]int{6, 5}, 2, 5, 3}, {[]int{6, 5}, 3, 5, 2}, {[]int{6, 5}, 6, 5, 1},
		{[]int{12, 16, 3}, 4, 48, 9}, {[]int{4, 1, 3, 3}, 4, 9, 9}, {[]int{8, 1, 3, 3}, 4, 9, 18}, {[]int{6, 2, 2, 1, 3}, 3, 12, 12},
	} {
		in, out, err := random.Fans(tt.shape, tt.groups)
		require.NoError(t, err)
		assert.Equal(t, [2]int{tt.in, tt.out}, [2]int{in, out}, "%v in %d groups", tt.shape, tt.groups)
		for _, f := range nonlinearities {
			for _, slope := range []float64{0, 0.01, 0.2, -1.7, 1e6} {
				gain := gainOf(f, slope)
				got, err := random.Gain(f, slope)
				require.NoError(t, err)
				require.Equal(t, gain.float64(), got, "%v, slope %v", f, slope)
				if f != random.LeakyReLU && slope != 0.01 {
					continue
				}
				for mode, fan := range map[random.FanMode]int{random.FanIn: tt.in, random.FanOut: tt.out} {
					std := gain.over(float(float64(fan)).root())
					k := random.Kaiming{Mode: mode, Nonlinearity: f, Slope: slope, Groups: tt.groups}
					requireKaiming(t, tt.shape, k, float(3).root().times(std).float64(), std.float64())
				}
				std := gain.times(float(2).over(float(float64(tt.in + tt.out))).root())
				requireXavier(t, tt.shape, gain.float64(), tt.groups, float(3).root().times(std).float64(), std.float64())
			}
		}
	}
}

// Fans up to the largest int.
func TestLargestFans(t *testing.T) {
	const most = math.MaxInt
	for _, tt := range []struct {
		shape           []int
		groups, in, out int
	}{
		{[]int{1, most}, 0, most, 1}, {[]int{most, 1}, 1, 1, most}, {[]int{most, most}, 0, most, most}, {[]int{1, 1, most}, 1, most, most},
		{[]int{4, 1, most / 2}, 4, most / 2, most / 2},
	} {
		in, out, err := random.Fans(tt.shape, tt.groups)
		assert.NoError(t, err)
		assert.Equal(t, [2]int{tt.in, tt.out}, [2]int{in, out}, "%v", tt.shape)
	}
}

// Only LeakyReLU has a slope.
func TestGainWithoutSlope(t *testing.T) {
	for _, f := range nonlinearities[1:] {
		for _, slope := range append(notFinite[float64](), 1e200) {
			gain, err := random.Gain(f, slope)
			require.NoError(t, err)
			assert.Equal(t, gainOf(f, 0).float64(), gain, "%v", f)
			k := random.Kaiming{Nonlinearity: f, Slope: slope}
			requireKaiming(t, []int{1, 3}, k, float(3).root().times(gainOf(f, 0).over(float(3).root())).float64(), gainOf(f, 0).over(float(3).root()).float64())
		}
	}
}

// Without elements nothing is drawn, as in PyTorch.
func TestInitialisersOfNothing(t *testing.T) {
	const most = math.MaxInt
	for _, shape := range [][]int{{0, 3}, {3, 0}, {0, 0}, {2, 2, 0}, {2, 0, 2, 2}, {0, most, most}, {most, most, most, 0}} {
		for _, g := range []*random.Generator{at(t, 78, 0, 5), exhausted(t, 78, 0)} {
			before := g.State()
			for _, k := range []random.Kaiming{{}, {Mode: random.FanOut}, {Slope: 1e100}} {
				assert.NoError(t, random.KaimingUniform(g, []float32{}, shape, k))
				assert.NoError(t, random.KaimingNormal[float64](g, nil, shape, k))
				for _, f := range formats {
					assert.NoError(t, random.KaimingUniformHalf(g, []uint16{}, f, shape, k))
					assert.NoError(t, random.KaimingNormalHalf[uint16](g, nil, f, shape, k))
				}
			}
			for _, gain := range []float64{1, 1e-300, 1e300} {
				assert.NoError(t, random.XavierUniform(g, []float32{}, shape, gain, 0))
				assert.NoError(t, random.XavierNormal[float64](g, nil, shape, gain, 0))
				for _, f := range formats {
					assert.NoError(t, random.XavierUniformHalf(g, []uint16{}, f, shape, gain, 0))
					assert.NoError(t, random.XavierNormalHalf[uint16](g, nil, f, shape, gain, 0))
				}
			}
			assert.Equal(t, before, g.State(), "%v", shape)
		}
	}
	for _, tt := range []struct{ shape, want []int }{{[]int{0, 3}, []int{3, 0}}, {[]int{3, 0}, []int{0, 3}}, {[]int{2, 2, 0}, []int{0, 0}}} {
		in, out, err := random.Fans(tt.shape, 0)
		require.NoError(t, err)
		assert.Equal(t, tt.want, []int{in, out}, "%v", tt.shape)
	}
	cuda := random.NewGenerator(random.CUDA(0), 1)
	var device *random.DeviceError
	assert.ErrorAs(t, random.KaimingUniform(cuda, []float32{}, []int{0, 3}, random.Kaiming{}), &device)
	assert.ErrorAs(t, random.XavierNormal(cuda, []float32{0, 0}, []int{1, 2}, 1, 1), &device)
}

// The variance of weights is what their layer needs, in standard errors.
func TestVarianceOfWeights(t *testing.T) {
	shape := []int{32, 16, 5, 5} // fans 400 and 800, and 200 in 4 groups
	n := lengthOf(shape)
	type weights = func(g *random.Generator, dst []float64) error
	half := func(f random.Format, draw fill[uint16]) weights {
		return func(g *random.Generator, dst []float64) error {
			h := make([]uint16, len(dst))
			err := draw(g, h)
			for i, bits := range h {
				dst[i] = toFloat(f, bits)
			}
			return err
		}
	}
	for name, tt := range map[string]struct {
		draw               weights
		variance, kurtosis float64
	}{
		"uniform": {func(g *random.Generator, dst []float64) error {
			return random.KaimingUniform(g, dst, shape, random.Kaiming{})
		}, 2. / 400, 1.8},
		"normal back through 4 groups": {func(g *random.Generator, dst []float64) error {
			return random.KaimingNormal(g, dst, shape, random.Kaiming{Mode: random.FanOut, Nonlinearity: random.Conv, Groups: 4})
		}, 1. / 200, 3},
		"bfloat16": {half(random.BFloat16, func(g *random.Generator, dst []uint16) error {
			return random.KaimingNormalHalf(g, dst, random.BFloat16, shape, random.Kaiming{Slope: 0.5})
		}), 2. / 1.25 / 400, 3},
		"Xavier": {func(g *random.Generator, dst []float64) error {
			return random.XavierUniform(g, dst, shape, 5./3, 1)
		}, 25. / 9 * 2 / 1200, 1.8},
		"Xavier, float16, 4 groups": {half(random.Float16, func(g *random.Generator, dst []uint16) error {
			return random.XavierNormalHalf(g, dst, random.Float16, shape, 1, 4)
		}), 2. / 600, 3},
	} {
		var squares float64
		for _, x := range filled(t, at(t, 780, 0, 0), n, tt.draw) {
			squares += x * x
		}
		deviation := (squares/float64(n)/tt.variance - 1) / math.Sqrt((tt.kurtosis-1)/float64(n))
		assert.InDelta(t, 0, deviation, statistics.Limit, "%s: variance %v, want %v", name, squares/float64(n), tt.variance)
	}
}

func TestNamesOfChoices(t *testing.T) {
	for i, want := range []string{"leaky_relu", "relu", "linear", "conv", "sigmoid", "tanh", "selu", "Nonlinearity(7)"} {
		assert.Equal(t, want, random.Nonlinearity(i).String())
	}
	for i, want := range []string{"fan_in", "fan_out", "FanMode(2)"} {
		assert.Equal(t, want, random.FanMode(i).String())
	}
}

// An initialisation is an initialiser with all but the shape and what it has of its own.
type initialisation[T any] struct {
	name    string
	kaiming func(g *random.Generator, dst []T, shape []int, k random.Kaiming) error
	xavier  func(g *random.Generator, dst []T, shape []int, gain float64, groups int) error
}

// draw draws with defaults for the rest.
func (i initialisation[T]) draw(g *random.Generator, dst []T, shape []int, groups int) error {
	if i.kaiming != nil {
		return i.kaiming(g, dst, shape, random.Kaiming{Groups: groups})
	}
	return i.xavier(g, dst, shape, 1, groups)
}

func (w weightsOf[T]) all() []initialisation[T] {
	return []initialisation[T]{
		{"KaimingUniform", w.kaimingUniform, nil}, {"KaimingNormal", w.kaimingNormal, nil},
		{"XavierUniform", nil, w.xavierUniform}, {"XavierNormal", nil, w.xavierNormal},
	}
}

// badInitialWeights are the arguments that are bad whatever the type. A slope of tooFlat and
// gains beyond least and most are so in the type.
func badInitialWeights[T any](w weightsOf[T], tooFlat, least, most []float64) (all []badCall) {
	const root = 1 << (mathbits.UintSize / 2)
	wraps := []int{root + 1, root - 1, root + 1, root - 1, 5} // to 5
	for _, i := range w.all() {
		add := func(arg string, value any, f func(g *random.Generator, dst []T) error) {
			all = append(all, bad(i.name+" of "+w.name, arg, value, f))
		}
		for _, tt := range []struct {
			shape  []int
			groups int
			arg    string
			value  any
		}{
			{nil, 0, "shape", "[]"}, {[]int{5}, 0, "shape", "[5]"}, {[]int{-1}, 0, "shape", "[-1]"},
			{[]int{-1, -5}, 0, "shape[0]", -1}, {[]int{5, -1}, 0, "shape[1]", -1}, {[]int{0, 1, -7}, 0, "shape[2]", -7},
			{[]int{5, math.MinInt}, 0, "shape[1]", math.MinInt},
			{[]int{2, 2}, 0, "len(dst)", 5}, {[]int{2, 3}, 0, "len(dst)", 5}, {[]int{5, 0}, 0, "len(dst)", 5}, {[]int{5, 1, 2}, 0, "len(dst)", 5},
			{[]int{math.MaxInt, 1}, 0, "len(dst)", 5},
			{[]int{math.MaxInt, 2}, 0, "shape", []int{math.MaxInt, 2}},
			{[]int{math.MaxInt/2 + 1, 2}, 0, "shape", []int{math.MaxInt/2 + 1, 2}},
			{wraps, 0, "shape", wraps},
			{[]int{math.MaxInt, math.MaxInt, 5}, 0, "shape", []int{math.MaxInt, math.MaxInt, 5}},
			{[]int{5, 1}, -1, "groups", -1}, {[]int{5, 1}, math.MinInt, "groups", math.MinInt},
			{[]int{5, 1}, 2, "groups", 2}, {[]int{1, 5}, 5, "groups", 5}, {[]int{5, 1}, 10, "groups", 10},
		} {
			add(tt.arg, tt.value, func(g *random.Generator, dst []T) error { return i.draw(g, five(dst), tt.shape, tt.groups) })
		}
		if i.kaiming != nil {
			choice := func(arg string, value any, k random.Kaiming) {
				add(arg, value, func(g *random.Generator, dst []T) error { return i.kaiming(g, five(dst), []int{1, 5}, k) })
				add(arg, value, func(g *random.Generator, _ []T) error { return i.kaiming(g, []T{}, []int{0, 5}, k) })
			}
			choice("mode", "FanMode(2)", random.Kaiming{Mode: 2})
			choice("mode", "FanMode(255)", random.Kaiming{Mode: 255})
			choice("nonlinearity", "Nonlinearity(7)", random.Kaiming{Nonlinearity: 7})
			choice("nonlinearity", "Nonlinearity(255)", random.Kaiming{Nonlinearity: 255})
			for _, slope := range append(notFinite[float64](), 1e160, -1e160) {
				choice("slope", slope, random.Kaiming{Slope: slope})
			}
			for _, slope := range tooFlat {
				add("slope", slope, func(g *random.Generator, dst []T) error {
					return i.kaiming(g, five(dst), []int{1, 5}, random.Kaiming{Slope: slope})
				})
			}
			continue
		}
		for _, gain := range notPositive[float64]() {
			add("gain", gain, func(g *random.Generator, dst []T) error { return i.xavier(g, five(dst), []int{5, 1}, gain, 1) })
			add("gain", gain, func(g *random.Generator, _ []T) error { return i.xavier(g, []T{}, []int{5, 0}, gain, 1) })
		}
		beyond := slices.Concat(least, most)
		if i.name == "XavierNormal" { // whose largest number is not twice a bound
			beyond = least
		}
		for _, gain := range beyond {
			// Fans of 9 and 1 make the deviation less than half of the gain.
			add("gain", gain, func(g *random.Generator, _ []T) error { return i.xavier(g, make([]T, 9), []int{1, 9}, gain, 1) })
		}
	}
	return all
}

func badInitialisers() []badCall {
	all := slices.Concat(
		badInitialWeights(floatWeights[float32]("float32"), []float64{1e60, -1e60}, []float64{1e-60, 1e-46}, []float64{4e38, 1e200}),
		badInitialWeights(floatWeights[float64]("float64"), nil, []float64{math.SmallestNonzeroFloat64}, []float64{math.MaxFloat64}),
		badInitialWeights(floatWeights[metres]("metres"), nil, []float64{math.SmallestNonzeroFloat64}, []float64{math.MaxFloat64}),
		badInitialWeights(halfWeights(random.Float16), []float64{1e60}, []float64{1e-60}, []float64{2e5, 1e39}),
		badInitialWeights(halfWeights(random.BFloat16), []float64{1e60}, []float64{1e-60}, []float64{4e38, 1e39}),
	)
	for _, f := range []random.Format{2, 255} {
		for _, i := range halfWeights(f).all() {
			for _, shape := range [][]int{{1, 5}, {0, 5}} {
				all = append(all, bad(i.name, "format", fmt.Sprintf("Half(%d)", uint8(f)), func(g *random.Generator, _ []uint16) error {
					return i.draw(g, make([]uint16, lengthOf(shape)), shape, 0)
				}))
			}
		}
	}
	// What a float16 has not, and a float32 has.
	for _, gain := range []float64{1e-9, 2e5} {
		all = append(all, bad("XavierUniformHalf", "gain", gain, func(g *random.Generator, dst []uint16) error {
			return random.XavierUniformHalf(g, five(dst), random.Float16, []int{5, 1}, gain, 1)
		}))
	}
	// An infinite deviation.
	return append(all, bad("XavierNormal", "gain", 1e39, func(g *random.Generator, _ []float32) error {
		return random.XavierNormal(g, make([]float32, 1), []int{1, 1}, 1e39, 1)
	}))
}

func TestFansAndGainErrors(t *testing.T) {
	for _, tt := range []struct {
		shape  []int
		groups int
		want   string
	}{
		{nil, 0, "random: shape = []: must have at least two dimensions"},
		{[]int{5}, 1, "random: shape = [5]: must have at least two dimensions"},
		{[]int{5, -2}, 0, "random: shape[1] = -2: must be at least 0"},
		{[]int{6, 5}, -1, "random: groups = -1: must be at least 0"},
		{[]int{6, 5}, 4, "random: groups = 4: must divide shape[0], 6"},
		{[]int{1, 1 << 30, 1 << 30, 1 << 30}, 0, "random: shape = [1 1073741824 1073741824 1073741824]: has a fan that is more than an int counts"},
		{[]int{1 << 30, 1, 1 << 30, 1 << 30}, 2, "random: shape = [1073741824 1 1073741824 1073741824]: has a fan that is more than an int counts"},
	} {
		in, out, err := random.Fans(tt.shape, tt.groups)
		assert.EqualError(t, err, tt.want)
		assert.Equal(t, [2]int{}, [2]int{in, out})
	}
	for _, tt := range []struct {
		f     random.Nonlinearity
		slope float64
		want  string
	}{
		{7, 0, "random: nonlinearity = Nonlinearity(7): must be one of the constants of its type"},
		{random.LeakyReLU, math.NaN(), "random: slope = NaN: must be a finite number"},
		{random.LeakyReLU, math.Inf(-1), "random: slope = -Inf: must be a finite number"},
		{random.LeakyReLU, 1e160, "random: slope = 1e+160: is so large that its square is infinite"},
	} {
		gain, err := random.Gain(tt.f, tt.slope)
		assert.EqualError(t, err, tt.want)
		assert.Zero(t, gain)
	}
}

// The errors of initialisers as they are read.
func TestInitialiserErrors(t *testing.T) {
	g := random.NewGenerator(random.CPU(), 1)
	x, h, shape := make([]float32, 6), make([]uint16, 6), []int{2, 3}
	for _, tt := range []struct {
		err  error
		want string
	}{
		{random.KaimingUniform(g, x, []int{2, 4}, random.Kaiming{}), "random: len(dst) = 6: must be 8, the product of the shape [2 4]"},
		{random.KaimingNormal(g, x, []int{math.MaxInt32, math.MaxInt32, 3}, random.Kaiming{}), "random: shape = [2147483647 2147483647 3]: has more elements than an int counts"},
		{random.KaimingUniform(g, x, shape, random.Kaiming{Mode: 2}), "random: mode = FanMode(2): must be FanIn or FanOut"},
		{random.KaimingNormal(g, x, shape, random.Kaiming{Slope: 1e60}), "random: slope = 1e+60: leads to std = 0, which must be above 0"},
		{random.XavierUniform(g, x, shape, 0, 1), "random: gain = 0: must be a finite number above 0"},
		{random.XavierUniform(g, x, shape, 1e-60, 1), "random: gain = 1e-60: leads to lo = -0, which must be less than hi, 0"},
		{random.XavierUniform(g, x, shape, 1e60, 1), "random: gain = 1e+60: leads to lo = -Inf, which must be a finite number"},
		{random.XavierUniformHalf(g, h, random.Float16, []int{1, 6}, 1e6, 1), "random: gain = 1e+06: leads to lo = -925820.1, which is too large for a float16"},
		{random.XavierNormal(g, x, shape, 1e60, 1), "random: gain = 1e+60: leads to std = +Inf, which must be a finite number of at least 0"},
		{random.XavierNormalHalf(g, h, 2, shape, 1, 1), "random: format = Half(2): must be Float16 or BFloat16"},
	} {
		assert.EqualError(t, tt.err, tt.want)
	}
}

// goldenInitialisers are a linear layer's weights with the defaults of PyTorch, and those
// of a convolution without.
var goldenInitialisers = slices.Concat(
	goldenWeights(floatWeights[float32]("float32")), goldenWeights(floatWeights[float64]("float64")),
	goldenWeights(halfWeights(random.Float16)), goldenWeights(halfWeights(random.BFloat16)),
)

func goldenWeights[T any](w weightsOf[T]) (all []goldenCase) {
	add := func(text string, shape []int, draw fill[T]) {
		all = append(all, goldenCase{text + " seed 42", 2 * binary.Size(*new(T)), func(t *testing.T) []byte {
			b, err := binary.Append(nil, binary.LittleEndian, filled(t, at(t, 42, 0, 0), lengthOf(shape), draw))
			require.NoError(t, err)
			return b
		}})
	}
	linear, convolution := []int{17, 59}, []int{12, 4, 3, 7}
	choices := random.Kaiming{Mode: random.FanOut, Nonlinearity: random.LeakyReLU, Slope: 0.2, Groups: 4}
	for _, i := range w.all() {
		name := fmt.Sprintf("%s[%s]", i.name, w.name)
		add(name+" shape 17 59", linear, func(g *random.Generator, dst []T) error { return i.draw(g, dst, linear, 0) })
		if i.kaiming != nil {
			add(name+" shape 12 4 3 7 fan_out leaky_relu 0.2 groups 4", convolution, func(g *random.Generator, dst []T) error {
				return i.kaiming(g, dst, convolution, choices)
			})
			continue
		}
		add(name+" shape 12 4 3 7 gain 1.5 groups 4", convolution, func(g *random.Generator, dst []T) error {
			return i.xavier(g, dst, convolution, 1.5, 4)
		})
	}
	return all
}
