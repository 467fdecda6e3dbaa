package philox_test

import (
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/known"
	"github.com/philox-go/rng/normal"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

var update = flag.Bool("update", false, "add the golden values that are missing")

const goldenFile = "../internal/known/golden.txt"

// A goldenCase is a name, which says all about it, and what makes the value.
type goldenCase struct {
	name  string
	value func(t *testing.T) string
}

// goldenCases are few and short enough for slow emulators, and yet go through
// every kind, the carries, and lengths that no kernel divides.
func goldenCases() []goldenCase {
	at := func(seed int64, c philox.Counter) philox.Stream {
		return philox.NewAt(philox.NewKey(uint64(seed)), c)
	}
	places := []struct {
		s     philox.Stream
		first uint64
		n     int
	}{
		{at(0, philox.Counter{}), 0, 1},
		{at(0, philox.Counter{}), 0, 1000},
		{at(42, philox.Counter{}), 0, 100_003},
		{at(42, philox.Counter{}), 5, 70},
		{at(-1, philox.Counter{}), 0, 257},
		{at(255, philox.Counter{}), 0, 257},
		{at(-1<<63, philox.CounterAt(7, 0)), 1, 129},
		{at(1<<40+1, philox.CounterAt(1<<40, 1<<33)), 3, 600},
		{at(-42, philox.CounterFromOffsetHigh(12345)), 2, 333},
		{at(1, philox.Counter{ones32 - 30, 5, 6, 7}), 0, 1100},
		{at(2, philox.Counter{ones32 - 3, ones32, 6, 7}), 1, 500},
		{at(3, philox.Counter{ones32 - 11, ones32, ones32, 7}), 2, 500},
		{at(4, philox.Counter{ones32 - 20, ones32, ones32, ones32}), 3, 500},
		{at(5, philox.Counter{}), 1<<34 - 100, 300},
		{at(6, philox.Counter{}), ones64 - 100, 300},
	}
	var cases []goldenCase
	fill := func(k kind, s philox.Stream, first uint64, n int) {
		cases = append(cases, goldenCase{
			name: known.Fill{Kind: k.name, Seed: int64(s.Key().Seed()), Counter: s.Counter(), First: first, N: n}.Name(),
			value: func(t *testing.T) string {
				b := k.littleEndian(k.get(t, s, first, n))
				return fmt.Sprintf("%x %x", b[:min(2*k.size, len(b))], sha256.Sum256(b))
			},
		})
	}
	for _, k := range kinds {
		for _, p := range places {
			fill(k, p.s, p.first, p.n)
		}
	}
	for _, k := range truncatedKinds {
		for _, p := range places {
			c := p.s.Counter()
			if c[3] >= 1<<16 { // the last carry into word 3 that is not refused
				c[3] = 1<<16 - 2
			}
			fill(k, philox.NewAt(p.s.Key(), c), p.first, p.n)
		}
	}
	// Most of these numbers are rounded by the scaling.
	for _, scale := range []struct{ mean, std float64 }{{0.1, 0.7}, {-1000.3, 0.0026}} {
		for _, p := range []struct {
			s     philox.Stream
			first uint64
			n     int
		}{{at(42, philox.Counter{}), 0, 100_003}, {at(3, philox.Counter{ones32 - 11, ones32, ones32, 7}), 3, 500}} {
			add := func(kind string, value func(t *testing.T) any) {
				fill := known.Fill{Kind: kind, Seed: int64(p.s.Key().Seed()), Counter: p.s.Counter(), First: p.first, N: p.n}
				cases = append(cases, goldenCase{
					name: known.ScaledFill{Mean: scale.mean, Std: scale.std, Fill: fill}.Name(),
					value: func(t *testing.T) string {
						z := value(t)
						b, err := binary.Append(nil, binary.LittleEndian, z)
						require.NoError(t, err)
						return fmt.Sprintf("%x %x", b[:2*binary.Size(z)/p.n], sha256.Sum256(b))
					},
				})
			}
			add("normal32", func(t *testing.T) any {
				dst := make([]float32, p.n)
				require.NoError(t, normal.FillScaledFloat32At(p.s, dst, p.first, float32(scale.mean), float32(scale.std)))
				return dst
			})
			add("normal64", func(t *testing.T) any {
				dst := make([]float64, p.n)
				require.NoError(t, normal.FillScaledFloat64At(p.s, dst, p.first, scale.mean, scale.std))
				return dst
			})
		}
	}
	for _, units := range []int{0, 1, 255, 1001} {
		for _, part := range []int{0, 3} {
			cases = append(cases, goldenCase{
				name: known.State{Seed: -42, Stream: 9, Units: units, Bytes: part}.Name(),
				value: func(t *testing.T) string {
					src := at(-42, philox.CounterFromOffsetHigh(9)).Source()
					for range units {
						src.Uint64()
					}
					read(t, src, part)
					return fmt.Sprintf("%x", save(t, src))
				},
			})
		}
	}
	return cases
}

// truncatedKinds are normals between -2 and 2.
var truncatedKinds = []kind{
	newKind("truncated32", asm.Truncated32, nil, twoSigma(normal.FillTruncatedFloat32At), nil),
	newKind("truncated64", asm.Truncated64, nil, twoSigma(normal.FillTruncatedFloat64At), nil),
}

func twoSigma[T float32 | float64](fillAt func(s philox.Stream, dst []T, first uint64, mean, std, a, b T) error) func(philox.Stream, []T, uint64) {
	return func(s philox.Stream, dst []T, first uint64) {
		if err := fillAt(s, dst, first, 0, 1, -2, 2); err != nil {
			panic(err)
		}
	}
}

// Golden values never change: -update adds those that are missing and leaves the
// others, right or wrong. Begin the file anew only with a new SequenceVersion.
func TestGolden(t *testing.T) {
	golden := known.Golden()
	cases := goldenCases()
	text := known.GoldenText()
	for _, c := range cases {
		got := c.value(t)
		if _, ok := golden[c.name]; !ok && *update {
			text += c.name + ": " + got + "\n"
			golden[c.name] = got
		}
		assert.Equal(t, golden[c.name], got, "%s", c.name)
	}
	assert.Len(t, golden, len(cases), "values without a case")
	if *update && text != known.GoldenText() {
		require.NoError(t, os.WriteFile(goldenFile, []byte(text), 0o644))
	}
}
