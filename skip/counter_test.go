package skip_test

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/skip"
)

const (
	ones32 = ^uint32(0)
	ones64 = ^uint64(0)
)

var two128 = new(big.Int).Lsh(big.NewInt(1), 128)

// wrap is the oracle's mod 2^128; big.Int.Mod is Euclidean, so it suits negative
// numbers as well.
func wrap(x *big.Int) *big.Int { return new(big.Int).Mod(x, two128) }

func bigPair(hi, lo uint64) *big.Int {
	x := new(big.Int).SetUint64(hi)
	return x.Lsh(x, 64).Add(x, new(big.Int).SetUint64(lo))
}

// bigWords goes through the words one by one, so that the tests do not rest on
// Counter.Big.
func bigWords(c skip.Counter) *big.Int {
	x := new(big.Int)
	for i := 3; i >= 0; i-- {
		x.Lsh(x, 32).Add(x, new(big.Int).SetUint64(uint64(c[i])))
	}
	return x
}

// counterOf is bigWords' inverse, for 0 <= x < 2^128.
func counterOf(x *big.Int) (c skip.Counter) {
	for i := range c {
		w := new(big.Int).Rsh(x, uint(32*i))
		c[i] = uint32(w.And(w, new(big.Int).SetUint64(uint64(ones32))).Uint64())
	}
	return c
}

// starts are the places where carries begin, end or pass through.
var starts = []skip.Counter{
	{},
	{1, 0, 0, 0},
	{ones32, 0, 0, 0},
	{0, ones32, 0, 0},
	{ones32, ones32, 0, 0},
	{0, 0, 1, 0},
	{ones32, ones32, ones32, 0},
	{0, 0, ones32, ones32},
	{ones32, ones32, 0, ones32},
	{0, 0, 0, 0x80000000},
	{ones32, ones32, ones32, 0x7fffffff},
	{ones32 - 1, ones32, ones32, ones32},
	{ones32, ones32, ones32, ones32},
	{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
	{0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89},
}

// counters returns the starts and n more, the same ones in every run.
func counters(n int) []skip.Counter {
	r := rand.New(rand.NewPCG(1, 2))
	cs := slices.Clone(starts)
	for range n {
		var c skip.Counter
		for i := range c {
			// Half of the words are extreme, as plain random words hardly ever carry far.
			switch r.IntN(4) {
			case 0:
				c[i] = ones32
			case 1:
				c[i] = 0
			default:
				c[i] = r.Uint32()
			}
		}
		cs = append(cs, c)
	}
	return cs
}

func TestUint64sNamesEveryWord(t *testing.T) {
	c := skip.FromUint64s(0x4444444433333333, 0x2222222211111111)
	assert.Equal(t, skip.Counter{0x11111111, 0x22222222, 0x33333333, 0x44444444}, c)
	hi, lo := c.Uint64s()
	assert.Equal(t, uint64(0x4444444433333333), hi)
	assert.Equal(t, uint64(0x2222222211111111), lo)
	for _, c := range counters(200) {
		require.Equal(t, c, skip.FromUint64s(c.Uint64s()))
	}
}

func TestBig(t *testing.T) {
	for _, c := range counters(200) {
		x := c.Big()
		require.Zero(t, bigWords(c).Cmp(x), "%v", c)
		back, err := skip.FromBig(x)
		require.NoError(t, err)
		require.Equal(t, c, back)
	}
}

func TestBigSharesNothing(t *testing.T) {
	x := big.NewInt(7)
	c, err := skip.FromBig(x)
	require.NoError(t, err)
	x.SetInt64(8)
	assert.Equal(t, skip.Counter{7}, c)
	c.Big().SetInt64(9)
	assert.Zero(t, c.Big().Cmp(big.NewInt(7)))
}

func TestFromBigRange(t *testing.T) {
	c, err := skip.FromBig(new(big.Int).Sub(two128, big.NewInt(1)))
	require.NoError(t, err)
	assert.Equal(t, skip.Counter{ones32, ones32, ones32, ones32}, c)
	c, err = skip.FromBig(new(big.Int))
	require.NoError(t, err)
	assert.Equal(t, skip.Counter{}, c)

	huge := new(big.Int).Lsh(big.NewInt(1), 1<<20)
	for _, tt := range []struct {
		name string
		x    *big.Int
		want skip.ArgumentError
	}{
		{"nil", nil, skip.ArgumentError{Arg: "x", Value: "nil", Reason: "must be a number"}},
		{"-1", big.NewInt(-1), skip.ArgumentError{Arg: "x", Value: "-1", Reason: "must be at least 0"}},
		{"2^128", two128, skip.ArgumentError{Arg: "x", Value: "340282366920938463463374607431768211456", Reason: "must be less than 2^128"}},
		{"-2^128", new(big.Int).Neg(two128), skip.ArgumentError{Arg: "x", Value: "-340282366920938463463374607431768211456", Reason: "must be at least 0"}},
		{"2^2^20", huge, skip.ArgumentError{Arg: "x", Value: "a number of 1048577 bits", Reason: "must be less than 2^128"}},
		{"-2^2^20", new(big.Int).Neg(huge), skip.ArgumentError{Arg: "x", Value: "a negative number of 1048577 bits", Reason: "must be at least 0"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := skip.FromBig(tt.x)
			assert.Equal(t, skip.Counter{}, c)
			var arg *skip.ArgumentError
			require.True(t, errors.As(err, &arg), "%v", err)
			assert.Equal(t, tt.want, *arg)
			assert.EqualError(t, err, "skip: x = "+tt.want.Value+": "+tt.want.Reason)
		})
	}
}

// The carries that other libraries lost; the numbers are those of their reports.
func TestSkipKnownLostCarries(t *testing.T) {
	for _, tt := range []struct {
		name string
		from skip.Counter
		n    uint64
		want skip.Counter
	}{
		{"word 0 runs out", skip.Counter{ones32, 0, 0, 0}, 1, skip.Counter{0, 1, 0, 0}},
		{"the carry overflows the count's high half", skip.Counter{ones32, 0, 0, 0}, 0xffffffff00000001, skip.Counter{0, 0, 1, 0}},
		{"the same from 1", skip.Counter{1, 0, 0, 0}, ones64, skip.Counter{0, 0, 1, 0}},
		{"word 1 full, largest count", skip.Counter{ones32, ones32, 0, 0}, ones64, skip.Counter{ones32 - 1, ones32, 1, 0}},
		{"the carry runs through words 2 and 3", skip.Counter{1, 0, ones32, ones32}, ones64, skip.Counter{}},
		{"none", skip.Counter{ones32, ones32, ones32, ones32}, 0, skip.Counter{ones32, ones32, ones32, ones32}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, tt.from.Skip(tt.n), "Skip")
			assert.Equal(t, tt.want, tt.from.Skip128(0, tt.n), "Skip128")
			assert.Equal(t, tt.from, tt.want.Back(tt.n), "Back")
			assert.Equal(t, tt.from, tt.want.Back128(0, tt.n), "Back128")
		})
	}
}

// Each word overflows by itself: the words below it stay 0, so that no other
// carry hides a missing one.
func TestOverflowOfEachWord(t *testing.T) {
	for w := range 4 {
		t.Run(fmt.Sprint("word ", w), func(t *testing.T) {
			var from, step, want skip.Counter
			from[w], step[w] = ones32, 1
			if w < 3 {
				want[w+1] = 1
			}
			hi, lo := step.Uint64s()
			assert.Equal(t, want, from.Skip128(hi, lo))
			assert.Equal(t, from, want.Back128(hi, lo))
			if hi == 0 {
				assert.Equal(t, want, from.Skip(lo))
				assert.Equal(t, from, want.Back(lo))
			}
		})
	}
}

// One step out of words that are all full up to w must set each of them.
func TestCarryThroughWords(t *testing.T) {
	for _, tt := range []struct{ from, want skip.Counter }{
		{skip.Counter{ones32, 5, 6, 7}, skip.Counter{0, 6, 6, 7}},
		{skip.Counter{ones32, ones32, 6, 7}, skip.Counter{0, 0, 7, 7}},
		{skip.Counter{ones32, ones32, ones32, 7}, skip.Counter{0, 0, 0, 8}},
		{skip.Counter{ones32, ones32, ones32, ones32}, skip.Counter{}},
	} {
		assert.Equal(t, tt.want, tt.from.Skip(1))
		assert.Equal(t, tt.want, tt.from.Skip128(0, 1))
		assert.Equal(t, tt.from, tt.want.Back(1))
		assert.Equal(t, tt.from, tt.want.Back128(0, 1))
	}
}

// Moving from block 0 is the same as writing the counter down.
func TestSkipEqualsSettingTheCounter(t *testing.T) {
	for _, c := range counters(200) {
		hi, lo := c.Uint64s()
		require.Equal(t, c, skip.Counter{}.Skip128(hi, lo))
		require.Equal(t, skip.Counter{c[0], c[1], 0, 0}, skip.Counter{}.Skip(lo))
		require.Equal(t, c, skip.Counter{0, 0, c[2], c[3]}.Skip(lo))
	}
}

func TestOneBitSkips(t *testing.T) {
	for _, from := range starts {
		for bit := range 128 {
			n := new(big.Int).Lsh(big.NewInt(1), uint(bit))
			hi, lo := counterOf(n).Uint64s()
			ahead := counterOf(wrap(new(big.Int).Add(bigWords(from), n)))
			behind := counterOf(wrap(new(big.Int).Sub(bigWords(from), n)))

			require.Equal(t, ahead, from.Skip128(hi, lo), "%v + 2^%d", from, bit)
			require.Equal(t, behind, from.Back128(hi, lo), "%v - 2^%d", from, bit)
			if bit < 64 {
				require.Equal(t, ahead, from.Skip(lo), "%v + 2^%d", from, bit)
				require.Equal(t, behind, from.Back(lo), "%v - 2^%d", from, bit)
			}
		}
	}
}

func TestArithmeticAgainstBig(t *testing.T) {
	cs := counters(60)
	for _, c := range cs {
		for _, d := range cs {
			x, y := bigWords(c), bigWords(d)
			hi, lo := d.Uint64s()
			sum := counterOf(wrap(new(big.Int).Add(x, y)))
			require.Equal(t, sum, c.Skip128(hi, lo), "%v + %v", c, d)
			require.Equal(t, c, sum.Back128(hi, lo), "%v + %v", c, d)
			require.Equal(t, counterOf(wrap(new(big.Int).Sub(x, y))), c.Back128(hi, lo), "%v - %v", c, d)

			small := new(big.Int).SetUint64(lo)
			require.Equal(t, counterOf(wrap(new(big.Int).Add(x, small))), c.Skip(lo), "%v + %d", c, lo)
			require.Equal(t, counterOf(wrap(new(big.Int).Sub(x, small))), c.Back(lo), "%v - %d", c, lo)
			require.Equal(t, c, c.Skip(lo).Back(lo))

			dhi, dlo := c.Distance(d)
			require.Zero(t, wrap(new(big.Int).Sub(y, x)).Cmp(bigPair(dhi, dlo)), "%v to %v", c, d)
			require.Equal(t, d, c.Skip128(dhi, dlo))
			shi, slo := c.Distance(sum)
			require.Equal(t, [2]uint64{hi, lo}, [2]uint64{shi, slo}, "%v to %v", c, sum)
		}
	}
}

func TestWrap(t *testing.T) {
	last := skip.Counter{ones32, ones32, ones32, ones32}
	assert.Equal(t, last, skip.Counter{}.Back(1))
	assert.Equal(t, last, skip.Counter{}.Skip128(ones64, ones64))
	assert.Equal(t, skip.Counter{1}, skip.Counter{}.Back128(ones64, ones64))
	assert.Equal(t, skip.Counter{9, 0, 0, 0}, last.Skip(10))
	assert.Equal(t, skip.Counter{ones32 - 1, ones32, ones32, ones32}, last.Skip128(ones64, ones64))

	hi, lo := last.Distance(skip.Counter{})
	assert.Equal(t, [2]uint64{0, 1}, [2]uint64{hi, lo})
	hi, lo = skip.Counter{}.Distance(last)
	assert.Equal(t, [2]uint64{ones64, ones64}, [2]uint64{hi, lo})
	hi, lo = last.Distance(last)
	assert.Equal(t, [2]uint64{0, 0}, [2]uint64{hi, lo})
}

// A counter narrowed to 32 or 64 bits repeats itself here.
func TestFarBlocksDiffer(t *testing.T) {
	for _, from := range starts {
		seen := map[skip.Counter]string{}
		for name, c := range map[string]skip.Counter{
			"0":    from,
			"2^32": from.Skip(1 << 32),
			"2^64": from.Skip128(1, 0),
			"2^96": from.Skip128(1<<32, 0),
		} {
			require.Empty(t, seen[c], "%s from %v", name, from)
			seen[c] = name
		}
	}
}

func TestSkipWords(t *testing.T) {
	for _, tt := range []struct {
		name   string
		from   skip.Counter
		hi, lo uint64
		want   skip.Counter
		lane   int
	}{
		{"0", skip.Counter{}, 0, 0, skip.Counter{}, 0},
		{"3", skip.Counter{}, 0, 3, skip.Counter{}, 3},
		{"4", skip.Counter{}, 0, 4, skip.Counter{1}, 0},
		{"4 from the last block", skip.Counter{ones32, ones32, ones32, ones32}, 0, 5, skip.Counter{}, 1},
		{"2^34", skip.Counter{}, 0, 1 << 34, skip.Counter{0, 1, 0, 0}, 0},
		{"2^64", skip.Counter{}, 1, 0, skip.Counter{0, 0x40000000, 0, 0}, 0},
		{"2^65", skip.Counter{}, 2, 0, skip.Counter{0, 0x80000000, 0, 0}, 0},
		{"2^64 adds to word 1", skip.Counter{7, 0xc0000000, 0, 0}, 1, 2, skip.Counter{7, 0, 1, 0}, 2},
		{"2^66", skip.Counter{}, 4, 0, skip.Counter{0, 0, 1, 0}, 0},
		{"2^128-1", skip.Counter{}, ones64, ones64, skip.Counter{ones32, ones32, ones32, 0x3fffffff}, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, lane := tt.from.SkipWords(tt.hi, tt.lo)
			assert.Equal(t, tt.want, c)
			assert.Equal(t, tt.lane, lane)
		})
	}
}

func TestSkipWordsAgainstBig(t *testing.T) {
	check := func(from skip.Counter, n *big.Int) {
		hi, lo := counterOf(n).Uint64s()
		blocks, lane := new(big.Int).QuoRem(n, big.NewInt(4), new(big.Int))
		c, l := from.SkipWords(hi, lo)
		require.Equal(t, counterOf(wrap(blocks.Add(blocks, bigWords(from)))), c, "%v + %v words", from, n)
		require.Equal(t, lane.Int64(), int64(l), "%v + %v words", from, n)
	}
	for _, from := range starts {
		for bit := range 128 {
			check(from, new(big.Int).Lsh(big.NewInt(1), uint(bit)))
		}
		for _, n := range counters(60) {
			check(from, bigWords(n))
		}
	}
}

func TestCompare(t *testing.T) {
	cs := counters(60)
	for _, c := range cs {
		for _, d := range cs {
			want := bigWords(c).Cmp(bigWords(d))
			require.Equal(t, want, c.Compare(d), "%v, %v", c, d)
			require.Equal(t, want < 0, c.Less(d), "%v, %v", c, d)
		}
	}
}

func TestCompareSorts(t *testing.T) {
	cs := counters(200)
	slices.SortFunc(cs, skip.Counter.Compare)
	for i := range cs[1:] {
		require.LessOrEqual(t, bigWords(cs[i]).Cmp(bigWords(cs[i+1])), 0, "%v, %v", cs[i], cs[i+1])
	}
}

// Sinks keep the compiler from dropping the calls whose allocations are counted.
var (
	sinkCounter skip.Counter
	sinkUint64  uint64
	sinkInt     int
	sinkBool    bool
)

func TestCounterAllocatesNothing(t *testing.T) {
	c, d := starts[13], starts[14]
	for name, f := range map[string]func(){
		"Skip":      func() { sinkCounter = c.Skip(sinkUint64) },
		"Skip128":   func() { sinkCounter = c.Skip128(sinkUint64, ones64) },
		"Back":      func() { sinkCounter = c.Back(sinkUint64) },
		"Back128":   func() { sinkCounter = c.Back128(sinkUint64, ones64) },
		"SkipWords": func() { sinkCounter, sinkInt = c.SkipWords(sinkUint64, ones64) },
		"Distance":  func() { sinkUint64, _ = c.Distance(d) },
		"Compare":   func() { sinkInt = c.Compare(d) },
		"Less":      func() { sinkBool = c.Less(d) },
	} {
		assert.Zero(t, testing.AllocsPerRun(100, f), name)
	}
}
