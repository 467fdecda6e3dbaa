package check

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

// The reference has the distribution that the arguments ask for, whatever its bits.
func TestReferenceTruncations(t *testing.T) {
	for _, tr := range truncations {
		lo, hi := max(tr.args.A, tr.args.Mean-10*tr.args.Std), min(tr.args.B, tr.args.Mean+10*tr.args.Std)
		if lo > tr.args.Mean+5*tr.args.Std || hi < tr.args.Mean-5*tr.args.Std {
			lo, hi = tr.args.A, tr.args.B
		}
		mean, variance := moments(tr.args, lo, hi)
		for _, k := range []asm.Kind{asm.Truncated32, asm.Truncated64} {
			at := randomPlace(seeded(0))
			sum, n := 0.0, 0
			for range 3000 {
				for _, v := range tr.block(k, at.key, at.ctr) {
					require.GreaterOrEqual(t, v, tr.args.A)
					require.LessOrEqual(t, v, tr.args.B)
					if k == asm.Truncated32 {
						require.Equal(t, v, float64(float32(v)))
					}
					sum += v
					n++
				}
				at.ctr = next(at.ctr)
			}
			assert.InDelta(t, mean, sum/float64(n), 4*math.Sqrt(variance/float64(n)), "%v %+v", k, tr.args)
		}
	}
}

// moments integrates the density from lo to hi.
func moments(args asm.Args, lo, hi float64) (mean, variance float64) {
	const steps = 100_000
	nearest := (min(max(args.Mean, lo), hi) - args.Mean) / args.Std
	var of [3]float64
	for i := range steps {
		v := lo + (hi-lo)*(float64(i)+0.5)/steps
		z := (v - args.Mean) / args.Std
		density := math.Exp((nearest*nearest - z*z) / 2)
		for power := range of {
			of[power] += density * math.Pow(v, float64(power))
		}
	}
	mean = of[1] / of[0]
	return mean, of[2]/of[0] - mean*mean
}

// Elements that are tried again take the words of their own place in a block of
// another counter, and the others stay as normals.
func TestTruncatedElements(t *testing.T) {
	at := place{key: philox.NewKey(11), ctr: philox.Counter{0, 5, 6, 7}}
	const blocks = 200
	w := words(at.key, at.ctr, blocks)
	plain := view.Of[float32](elements(asm.Normal32, at, w))
	got := view.Of[float32](elements(asm.Truncated32, at, w))
	require.Len(t, got, len(plain))
	again := 0
	for i, v := range plain {
		for attempt := uint32(1); v < -2 || v > 2; attempt++ {
			again++
			c := [4]uint32{uint32(i / 4), 5, 6, 0x80000000 | attempt<<16 | 7}
			v = view.Of[float32](elements(asm.Normal32, place{}, words(at.key, c, 1)))[i%4]
		}
		assert.Equal(t, v, got[i])
	}
	assert.Greater(t, again, 10)
}

// Every attempt of every block has a counter of its own, also beyond those that
// callers may have.
func TestAttempted(t *testing.T) {
	for _, word := range []uint32{0, 7, 0xffff, 0x10000, 0x80010007, math.MaxUint32} {
		seen := map[uint32]bool{}
		for attempt := range uint32(1 << 15) {
			c := attempted([4]uint32{1, 2, 3, word}, attempt)
			assert.False(t, seen[c[3]])
			seen[c[3]] = true
			require.Equal(t, [3]uint32{1, 2, 3}, [3]uint32(c[:3]))
			require.Equal(t, word%(1<<16), c[3]%(1<<16))
		}
	}
}

func TestFaultsInTruncations(t *testing.T) {
	for name, c := range map[string]struct {
		fault func(k asm.Kind, dst []byte, args asm.Args) error
		first string
	}{
		"uniforms": {
			func(k asm.Kind, dst []byte, args asm.Args) error {
				if args.A == -0.25 {
					dst[len(dst)-1] ^= 1
				}
				return nil
			},
			`^truncated32, mean 0, std 1, from -0\.25 to 0\.5, key .*: element \d+ is 0x`,
		},
		"exponentials of float64": {
			func(k asm.Kind, dst []byte, args asm.Args) error {
				if k == asm.Truncated64 && args.B == -10 {
					dst[len(dst)-1] ^= 1
				}
				return nil
			},
			`^truncated64, mean 0, std 1, from -11 to -10, key .*: element \d+ is 0x`,
		},
		"an error": {
			func(_ asm.Kind, _ []byte, args asm.Args) error {
				if math.IsInf(args.A, -1) {
					return errors.New("no infinite bounds")
				}
				return nil
			},
			`^truncated32, mean 0\.1\d*, std 0\.\d+, from -Inf to -3, key .*: panic: no infinite bounds$`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			lib := This()
			lib.Truncated = func(s philox.Stream, k asm.Kind, dst []byte, first uint64, args asm.Args) error {
				if err := fillTruncated(s, k, dst, first, args); err != nil {
					return err
				}
				return c.fault(k, dst, args)
			}
			tally := &tally{ctx: t.Context()}
			lib.truncatedStreams(tally)
			require.Equal(t, 2*10*len(truncations), tally.Cases)
			assert.Positive(t, tally.Failed)
			assert.LessOrEqual(t, tally.Failed, 20)
			assert.Regexp(t, c.first, first(tally.Cell))
		})
	}
}
