package check

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/philox/asm"
)

// The reference must be written before a new kind can be checked; elements says
// which is missing.
func TestEveryKindHasAReference(t *testing.T) {
	for _, k := range asm.Kinds() {
		assert.NotPanics(t, func() { assert.Len(t, elements(k, place{}, make([]uint32, 8)), 32, k) }, k)
	}
}

func TestFaultsInTransforms(t *testing.T) {
	for name, c := range map[string]struct {
		fault func(k asm.Kind, dst []byte, args asm.Args)
		first string
	}{
		"the least word": {
			func(k asm.Kind, dst []byte, _ asm.Args) {
				for i, z := range view.Of[float32](dst) {
					if z > 6.7636 {
						view.Of[float32](dst)[i] = 7
					}
				}
			},
			`^hard words from 0 on, mean 0, std 1, n \d+, at byte 0 of a cache line: element \d+ is 0x40e00000, must be 0x40d87`,
		},
		"a mean": {
			func(k asm.Kind, dst []byte, args asm.Args) {
				if args.Mean == 5 {
					dst[len(dst)/2] ^= 1
				}
			},
			`mean 5, std 0, n \d+, .*: element \d+ is 0x`,
		},
		"a lane": {
			func(k asm.Kind, dst []byte, _ asm.Args) {
				if len(dst)%128 == 120 {
					dst[len(dst)-9] ^= 1
				}
			},
			`, n \d+, .*: element \d+ is 0x`,
		},
		"a word without a second one": {
			func(k asm.Kind, dst []byte, _ asm.Args) {
				if len(dst)/k.Size()%2 == 1 {
					dst[len(dst)-1] ^= 1
				}
			},
			`: past the last pair: element 0 is 0x`,
		},
		"a write after the end": {
			func(k asm.Kind, dst []byte, _ asm.Args) { *beyond(dst, len(dst)) = 1 },
			`: 0 bytes after the last element 0x01 was written$`,
		},
		"a panic": {
			func(asm.Kind, []byte, asm.Args) { panic("no such kernel") },
			`: panic: no such kernel$`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			lib := twoLevels()
			transform := lib.Transform
			lib.Transform = func(l asm.Level, k asm.Kind, dst []byte, args asm.Args) {
				transform(l, k, dst, args)
				if l == asm.AVX512 && k == asm.Normal32 {
					c.fault(k, dst, args)
				}
			}
			for _, k := range []asm.Kind{asm.Normal32, asm.Normal64} {
				tally := &tally{ctx: t.Context()}
				kernelCheck{lib: lib, level: asm.AVX512, kind: k}.transforms(tally)
				require.NotZero(t, tally.Cases)
				assert.Equal(t, k == asm.Normal32, tally.Failed > 0, "%v", k)
				if k == asm.Normal32 {
					assert.Regexp(t, c.first, first(tally.Cell))
				}
			}
		})
	}
}

func TestHardWords(t *testing.T) {
	assert.Subset(t, hardWords(32), []uint64{0, 1, 0x7fffffff, 0x80000000, 0x1fffffff, 0xe0000000, 0xffffff80, 0xffffffff})
	assert.Subset(t, hardWords(64), []uint64{0, 1<<11 - 1, 1 << 11, 1<<63 - 1, 1 << 63, 7 << 61, math.MaxUint64 - 1<<11 + 1, math.MaxUint64})
	for _, k := range []asm.Kind{asm.Normal32, asm.Normal64} {
		words := pairedWords(k)
		assert.Greater(t, len(words)*k.Size(), 16<<10, "one pass of a kernel")
		assert.Greater(t, len(words)/2, 2*span+16, "every place of a group is left")
		for _, args := range scales {
			for _, z := range words {
				require.False(t, k == asm.Normal32 && z > math.MaxUint32)
			}
			assert.Equal(t, args.Mean, float64(float32(args.Mean)))
			assert.Equal(t, args.Std, float64(float32(args.Std)))
		}
	}
}

// The reference is Box and Muller's transformation, whatever its bits.
func TestReferenceNormals(t *testing.T) {
	r := seeded(0)
	check := func(name string, z0, z1, u1, less, u2, relative float64) {
		l := -2 * math.Log(u1)
		if less < 0.5 {
			l = -2 * math.Log1p(-less) // 1-u1 is exact
		}
		sin, cos := math.Sincos(2 * math.Pi * u2)
		size := math.Sqrt(l)
		assert.InDelta(t, size*cos, z0, relative*size, name)
		assert.InDelta(t, size*sin, z1, relative*size, name)
	}
	words32, words64 := hardWords(32), hardWords(64)
	for range 3000 {
		words32 = append(words32, uint64(r.Uint32()))
		words64 = append(words64, r.Uint64())
	}
	for i, x := range words32 {
		y := words32[(i*7+3)%len(words32)]
		z0, z1 := normal32(uint32(x), uint32(y))
		check("float32", float64(z0), float64(z1), (float64(x)+0.5)/(1<<32), (float64(1<<32-x)-0.5)/(1<<32), (float64(y)+0.5)/(1<<32), 3e-7)
		x, y = words64[i%len(words64)], words64[(i*7+3)%len(words64)]
		d0, d1 := normal64(x, y)
		check("float64", d0, d1, math.Ldexp(float64(2*(x>>11)+1), -54), math.Ldexp(float64(1<<54-(2*(x>>11)+1)), -54), math.Ldexp(float64(y>>11)+0.5, -53), 3e-15)
	}
}

// Its fused multiply-add rounds once, also on ties and beside them.
func TestFused(t *testing.T) {
	r := seeded(0)
	number := func() float32 {
		return float32(math.Ldexp(float64(int32(r.Uint32())>>8), r.IntN(60)-40))
	}
	for i := range 100_000 {
		a, b, c := number(), number(), number()
		if i%2 == 0 { // c + half of its last place, and a little: a*b is 2^-24 c (1 +- 2^-23)
			a, b = 1+float32(r.IntN(3)-1)*0x1p-23, float32(math.Ldexp(1, r.IntN(40)-40))*(1-0x1p-23*float32(r.IntN(2)))
			c = (1 + float32(r.IntN(1<<23))*0x1p-23) * 0x1p24 * b
			if r.IntN(2) == 0 {
				c = -c
			}
		}
		exact := new(big.Float).SetPrec(300).Mul(big.NewFloat(float64(a)), big.NewFloat(float64(b)))
		want, _ := exact.Add(exact, big.NewFloat(float64(c))).Float32()
		require.Equal(t, want, fused(a, b, c), "%x*%x + %x", a, b, c)
	}
}
