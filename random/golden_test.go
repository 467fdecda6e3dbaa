package random_test

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "add the golden values that are missing")

const goldenFile = "testdata/golden.txt"

// A goldenCase is what an operator gives that is not in operators: little-endian bytes,
// the first few of which are shown.
type goldenCase struct {
	name  string
	shown int
	bytes func(t *testing.T) []byte
}

var goldenCases = [][]goldenCase{
	goldenInitialisers, goldenPermutations, goldenChoices, multinomialGolden,
}

// Golden values never change: -update adds those that are missing and leaves the others,
// right or wrong. Begin the file anew only with a new SequenceVersion.
func TestGolden(t *testing.T) {
	text, err := os.ReadFile(goldenFile)
	require.NoError(t, err)
	golden := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		require.True(t, ok, "%q", line)
		require.NotContains(t, golden, name, "twice")
		golden[name] = value
	}
	var added strings.Builder
	cases := map[string]bool{}
	compare := func(name string, shown int, b []byte) {
		require.False(t, cases[name], "%s: a case that is there twice", name)
		got := fmt.Sprintf("%x %x", b[:shown], sha256.Sum256(b))
		if golden[name] == "" && *update {
			fmt.Fprintf(&added, "%s: %s\n", name, got)
			golden[name] = got
		}
		assert.Equal(t, golden[name], got, "%s", name)
		cases[name] = true
	}
	for _, c := range slices.Concat(goldenCases...) {
		compare(c.name, c.shown, c.bytes(t))
	}
	seen := map[string]bool{}
	for _, o := range operators {
		if o.named { // the same numbers as of the type beneath
			continue
		}
		minus := int64(-42)
		from := []placeOf{{uint64(minus), 1<<40 + 7, 1<<32 - 100}}
		if !seen[o.of()] {
			seen[o.of()] = true
			from = append(from, placeOf{42, 0, 0})
		}
		for _, p := range from {
			const n = 1003
			b := o.littleEndian(o.get(t, at(t, p.seed, p.stream, p.offset), n))
			name := fmt.Sprintf("%s seed %d stream %d offset %d n %d", o.name, int64(p.seed), p.stream, p.offset, n)
			compare(name, 2*len(b)/n, b)
		}
	}
	for name := range golden {
		assert.True(t, cases[name], "%s: a value without a case", name)
	}
	if added.Len() > 0 {
		require.NoError(t, os.WriteFile(goldenFile, append(text, added.String()...), 0o644))
	}
}
