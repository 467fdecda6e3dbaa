package draw

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/skip"
)

// What the numbers are is tested where they are for everybody, in package random. Here it
// is that elements of any index are those, and what only the inside shows.

const canary = 0xa5

func (d Draw) size() int {
	if d.maker != nil {
		return d.maker.Size
	}
	return d.kind.Size()
}

// draws has one of each distribution and of each number of bytes and words.
func draws(t *testing.T) map[string]Draw {
	all := map[string]Draw{}
	add := func(name string) func(d Draw, err error) {
		return func(d Draw, err error) {
			require.NoError(t, err, "%s", name)
			all[name] = d
		}
	}
	add("Uniform32")(Uniform[float32](-1, 2))
	add("Uniform64")(Uniform(-1., 2))
	add("unit uniform32")(Uniform[float32](0, 1))
	add("unit uniform64")(Uniform(0., 1))
	add("Normal32")(Normal[float32](1, 2))
	add("Normal64")(Normal(1., 2))
	add("TruncatedNormal32")(TruncatedNormal[float32](0, 1, -1, 1))
	add("TruncatedNormal64")(TruncatedNormal(0., 1, 2, 3))
	add("Exponential32")(Exponential[float32](2))
	add("Exponential64")(Exponential(2.))
	add("LogNormal32")(LogNormal[float32](0, 1))
	add("LogNormal64")(LogNormal(0., 1))
	add("Cauchy32")(Cauchy[float32](0, 1))
	add("Laplace64")(Laplace(0., 1))
	add("Gumbel32")(Gumbel[float32](0, 1))
	add("Bool")(Bernoulli[bool](0.3))
	add("Bernoulli16")(Bernoulli[int16](0.3))
	add("Bernoulli32")(Bernoulli[float32](0.3))
	add("Bernoulli64")(Bernoulli[float64](0.3))
	add("Int8")(Integers[int8](-3, 100))
	add("Int16")(Integers[uint16](3, 100))
	add("Int32")(Integers[uint32](0, 3<<30))
	add("Int64")(Integers[int64](-3, 100))
	add("wide")(IntegersBelow[uint64](0, 3<<62))
	add("Geometric8")(Geometric[int8](0.3))
	add("Geometric64")(Geometric[int64](0.3))
	add("Geometric")(Geometric[int](0.3))
	for _, n := range []int{5, 300 * drawsShare} {
		table, err := TableFor(slices.Repeat([]float32{1, 0, 3}, n), 300) // the second one has no guide
		require.NoError(t, err)
		add(fmt.Sprintf("Categorical16, %d", n))(Categorical[int16](table, ""))
		add(fmt.Sprintf("Categorical64, %d", n))(Categorical[uint64](table, ""))
	}
	for _, h := range []asm.Half{asm.F16, asm.B16} {
		add("Uniform" + h.String())(UniformHalf(h, 1, 3))
		add("Normal" + h.String())(NormalHalf(h, 0, 1))
		add("TruncatedNormal" + h.String())(TruncatedNormalHalf(h, 0, 1, -1, 2))
		add("Exponential" + h.String())(ExponentialHalf(h, 2))
		add("LogNormal" + h.String())(LogNormalHalf(h, 0, 1))
		add("Cauchy" + h.String())(CauchyHalf(h, 0, 1))
		add("Laplace" + h.String())(LaplaceHalf(h, 0, 1))
		add("Gumbel" + h.String())(GumbelHalf(h, 0, 1))
		add("Bernoulli" + h.String())(BernoulliHalf(h, 0.3))
		add("Geometric" + h.String())(GeometricHalf(h, 0.3))
	}
	return all
}

// get fills n elements from first on, and nothing beside them.
func (d Draw) get(t *testing.T, s philox.Stream, n int, first uint64) []byte {
	t.Helper()
	words := make([]uint64, 2+(n*d.size()+7)/8+2)
	mem := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 8*len(words))
	for i := range mem {
		mem[i] = canary
	}
	require.NoError(t, d.Fill(s, unsafe.Pointer(&words[2]), n, first))
	end := 16 + n*d.size()
	require.Equal(t, bytes.Repeat([]byte{canary}, 16), mem[:16])
	require.Equal(t, bytes.Repeat([]byte{canary}, len(mem)-end), mem[end:])
	return mem[16:end]
}

// Elements from any of them on, also where a block begins before them and where the index
// or the counter carries.
func TestFillFromAnElement(t *testing.T) {
	for name, d := range draws(t) {
		per := uint64(d.PerBlock())
		for _, start := range []philox.Counter{{}, {1<<32 - 3, 1<<32 - 1, 1<<32 - 1, 1<<16 - 2}} {
			s := philox.NewAt(philox.NewKey(1), start)
			for _, from := range []uint64{0, 1 << 33, ^uint64(0) - 23} { // beginnings of blocks
				var all []byte // one block at a time
				for b := range uint64(160) {
					all = append(all, d.get(t, s.Skip(from/per).Skip(b), int(per), 0)...)
				}
				for first := range uint64(9) {
					for _, n := range []int{0, 1, 2, 3, 4, 5, 9, 30, 310} {
						if from+first < from {
							continue
						}
						want := all[int(first)*d.size():][:n*d.size()]
						require.Equal(t, want, d.get(t, s, n, from+first), "%s: %v: first = %d, n = %d", name, start, from+first, n)
					}
				}
			}
		}
	}
}

// Each distribution that draws again needs counters for it, in all of its blocks.
func TestFillsThatRetry(t *testing.T) {
	const end = 1 << 16
	for name, d := range draws(t) {
		per := uint64(d.PerBlock())
		x := make([]uint64, 8)
		for _, tt := range []struct {
			start philox.Counter
			n     int
			first uint64
			arg   string
		}{
			{philox.Counter{0, 0, 0, end - 1}, 5, 0, ""},
			{philox.Counter{0, 0, 0, end}, 5, 0, "s"},
			{philox.Counter{0, 0, 0, end}, 0, 0, "s"},
			{philox.Counter{1<<32 - 1, 1<<32 - 1, 1<<32 - 1, 1<<32 - 1}, 1, per, "s"},
			{philox.Counter{1<<32 - 1, 1<<32 - 1, 1<<32 - 1, end - 1}, int(per), 0, ""},
			{philox.Counter{1<<32 - 1, 1<<32 - 1, 1<<32 - 1, end - 1}, int(per) + 1, 0, "first"},
			{philox.Counter{1<<32 - 1, 1<<32 - 1, 1<<32 - 1, end - 1}, 1, per, "first"},
			{philox.Counter{1<<32 - 1, 1<<32 - 1, 1<<32 - 1, end - 1}, 1, per - 1, ""},
			{philox.Counter{1<<32 - 1, 1<<32 - 1, 1<<32 - 1, end - 1}, 0, per, ""},
			{philox.Counter{0, 0, 1<<32 - 1, end - 1}, 5, ^uint64(0), ""},
			{philox.Counter{1, 1<<31 + 1<<29, 1<<32 - 1, end - 1}, 8, ^uint64(0), map[uint64]string{2: "first"}[per]},
		} {
			clear(x)
			s := philox.NewAt(philox.NewKey(1), tt.start)
			err := d.Fill(s, unsafe.Pointer(&x[0]), tt.n, tt.first)
			require.Equal(t, err, d.Check(s, tt.n, tt.first))
			if tt.arg == "" || !d.Retries() {
				require.NoError(t, err, "%s: %v", name, tt)
				continue
			}
			var arg *skip.ArgumentError
			require.ErrorAs(t, err, &arg, "%s: %v", name, tt)
			require.Equal(t, "random", arg.Package)
			require.Equal(t, tt.arg, arg.Arg, "%s: %v", name, tt)
			require.Equal(t, make([]uint64, 8), x)
		}
	}
}

func TestBlocks(t *testing.T) {
	for name, d := range draws(t) {
		per := d.PerBlock()
		require.Contains(t, []int{2, 4}, per)
		for _, n := range []int{0, 1, 2, 3, 4, 5, 8, 9, math.MaxInt - 1, math.MaxInt} {
			want := new(big.Int).Div(big.NewInt(int64(n)+int64(per)-1), big.NewInt(int64(per))).Uint64()
			if n >= math.MaxInt-1 {
				sum := new(big.Int).Add(big.NewInt(int64(n)), big.NewInt(int64(per)-1))
				want = sum.Div(sum, big.NewInt(int64(per))).Uint64()
			}
			assert.Equal(t, want, d.Blocks(n), "%s: %d", name, n)
		}
	}
}

// Thresholds where p*2^32 is near a whole number or the middle of two, against exact
// arithmetic.
func TestThreshold(t *testing.T) {
	check := func(p float64) {
		if !(p >= 0 && p <= 1) {
			return
		}
		want := new(big.Rat).SetFloat64(p)
		want.Mul(want, big.NewRat(1<<32, 1)).Add(want, big.NewRat(1, 2))
		got, err := Threshold(p)
		require.NoError(t, err)
		require.Equal(t, new(big.Int).Div(want.Num(), want.Denom()).Uint64(), got, "p = %v", p)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, k := range []float64{0, 1, 2, 3, 1 << 20, 1<<21 - 1, 1<<22 + 1, 1<<31 - 1, 1 << 31, 1<<32 - 2, 1<<32 - 1, 1 << 32, float64(r.Uint32()), float64(r.Uint32())} {
		for _, d := range []float64{-0.5, 0, 0.5} {
			p := (k + d) * 0x1p-32
			check(p)
			check(math.Nextafter(p, -1))
			check(math.Nextafter(p, 2))
		}
	}
	for range 2000 {
		check(r.Float64())
		check(math.Ldexp(r.Float64(), -r.IntN(60)))
	}
	check(math.SmallestNonzeroFloat64)
	check(math.Copysign(0, -1))
	for _, p := range []float64{math.NaN(), -1, math.Nextafter(1, 2), math.Inf(1), -math.SmallestNonzeroFloat64} {
		_, err := Threshold(p)
		require.EqualError(t, err, fmt.Sprintf("random: p = %v: must be a number from 0 to 1", p))
	}
}

func TestOneAndFromBits(t *testing.T) {
	type coin bool
	type metres float64
	assert.Equal(t, true, FromBits[bool](One[bool]()))
	assert.Equal(t, coin(true), FromBits[coin](One[coin]()))
	assert.Equal(t, int8(1), FromBits[int8](One[int8]()))
	assert.Equal(t, uint16(1), FromBits[uint16](One[uint16]()))
	assert.Equal(t, int32(1), FromBits[int32](One[int32]()))
	assert.Equal(t, uint64(1), FromBits[uint64](One[uint64]()))
	assert.Equal(t, 1, FromBits[int](One[int]()))
	assert.Equal(t, float32(1), FromBits[float32](One[float32]()))
	assert.Equal(t, metres(1), FromBits[metres](One[metres]()))
	assert.Equal(t, int64(-1), FromBits[int64](^uint64(0)))
}

// Masks that are all of one kind, and what they are padded with.
func TestConstantMask(t *testing.T) {
	for n := range 300 {
		for _, keep := range []bool{false, true} {
			mask := bytes.Repeat([]byte{canary}, MaskBytes(n)+3)
			ConstantMask(mask, n, keep)
			for i := range 8 * MaskBytes(n) {
				require.Equal(t, keep && i < n, mask[i/8]>>(i%8)&1 == 1, "n = %d: bit %d", n, i)
			}
			require.Equal(t, []byte{canary, canary, canary}, mask[MaskBytes(n):])
		}
	}
}
