package philox_test

import (
	"crypto/sha256"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/philox"
)

var update = flag.Bool("update", false, "add the golden values that are missing")

const goldenFile = "testdata/golden.txt"

// The file is part of the test program, which so runs anywhere, also in an
// emulator or a browser.
//
//go:embed testdata/golden.txt
var goldenText string

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
	for _, k := range kinds {
		for _, p := range places {
			cases = append(cases, goldenCase{
				name: fmt.Sprintf("%s seed %d counter %08x first %d n %d", k.name, int64(p.s.Key().Seed()), p.s.Counter(), p.first, p.n),
				value: func(t *testing.T) string {
					b := k.littleEndian(k.get(t, p.s, p.first, p.n))
					return fmt.Sprintf("%x %x", b[:min(2*k.size, len(b))], sha256.Sum256(b))
				},
			})
		}
	}
	for _, units := range []int{0, 1, 255, 1001} {
		for _, part := range []int{0, 3} {
			cases = append(cases, goldenCase{
				name: fmt.Sprintf("state seed -42 stream 9 after %d units and %d bytes", units, part),
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

// Golden values never change: -update adds those that are missing and leaves the
// others, right or wrong. Begin the file anew only with a new SequenceVersion.
func TestGolden(t *testing.T) {
	golden := map[string]string{}
	for line := range strings.Lines(goldenText) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		require.True(t, ok, "%q", line)
		require.NotContains(t, golden, name)
		golden[name] = value
	}
	cases := goldenCases()
	text := goldenText
	for _, c := range cases {
		got := c.value(t)
		if _, ok := golden[c.name]; !ok && *update {
			text += c.name + ": " + got + "\n"
			golden[c.name] = got
		}
		assert.Equal(t, golden[c.name], got, "%s", c.name)
	}
	assert.Len(t, golden, len(cases), "values without a case")
	if *update && text != goldenText {
		require.NoError(t, os.WriteFile(goldenFile, []byte(text), 0o644))
	}
}
