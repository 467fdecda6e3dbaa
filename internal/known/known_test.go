package known

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBlocks(t *testing.T) {
	blocks := Blocks()
	require.Len(t, blocks, 24)
	assert.Equal(t, Block{
		Name:    "philox2x32 7",
		Counter: []uint64{0x243f6a88, 0x85a308d3}, Key: []uint64{0x13198a2e}, Want: []uint64{0xbedbbe6b, 0xe4c770b3},
	}, blocks[2])
	count := map[string]int{}
	for _, b := range blocks {
		count[b.Name]++
	}
	assert.Len(t, count, 8)
	for name, n := range count {
		assert.Equal(t, 3, n, name)
	}
}

// Every line is a fill or a state, and what was read of it says the same.
func TestGoldenLines(t *testing.T) {
	golden := Golden()
	fills, states := Fills(), States()
	scaled := ScaledFills()
	assert.Len(t, golden, len(fills)+len(scaled)+len(states))
	assert.Len(t, fills, 150)
	assert.Len(t, states, 8)
	assert.Len(t, scaled, 8)
	for _, f := range scaled {
		assert.Equal(t, golden[f.Name()], fmt.Sprintf("%x %x", f.Head, f.Sum), "%s", f.Name())
	}
	for _, f := range fills {
		assert.Equal(t, golden[f.Name()], fmt.Sprintf("%x %x", f.Head, f.Sum), "%s", f.Name())
	}
	for _, s := range states {
		assert.Equal(t, golden[s.Name()], fmt.Sprintf("%x", s.Want), "%s", s.Name())
	}
	for line := range strings.Lines(GoldenText()) {
		if name, _, ok := strings.Cut(line, ": "); ok && line[0] != '#' {
			assert.Contains(t, golden, name)
		}
	}
}

func TestBadLines(t *testing.T) {
	sum := strings.Repeat("00", 32)
	for _, line := range []string{
		"", "philox4x32", "philox 10 00000000",
		"philox2x32 7 00000000 00000000 00000000   257a3673",
		"philox2x32 7 00000000 00000000 00000000   257a3673 cd26be2a 00000000",
		"philox2x32 7 00000000 00000000 00000000   257a3673 cd26be2",
		"philox2x32 7 00000000 00000000 00000000   257a3673 cd26be2g",
	} {
		_, err := parseBlock(line)
		assert.Error(t, err, line)
	}
	const name = "bytes seed 0 counter [00000000 00000000 00000000 00000000] first 0 n 1"
	_, err := parseFill(name + ": 00 " + sum)
	require.NoError(t, err)
	for _, line := range []string{
		"", name, name + ": 00", name + ": 00 " + sum[2:], name + ": 0 " + sum, name + ": 00 " + sum[:63] + "g",
		strings.Replace(name, "n 1", "n 1 ", 1) + ": 00 " + sum,
		strings.Replace(name, "[0", "[", 1) + ": 00 " + sum,
		strings.Replace(name, "first", "from", 1) + ": 00 " + sum,
	} {
		_, err := parseFill(line)
		assert.Error(t, err, line)
	}
	_, err = parseScaledFill("mean 1 std 2 " + name + ": 00 " + sum)
	require.NoError(t, err)
	for _, line := range []string{
		"", "mean 1", "mean 1 std 2", "mean x std 2 " + name + ": 00 " + sum, "mean 1.0 std 2 " + name + ": 00 " + sum,
		"mean 1 std 2  " + name + ": 00 " + sum, "std 1 mean 2 " + name + ": 00 " + sum,
	} {
		_, err := parseScaledFill(line)
		assert.Error(t, err, line)
	}
	const state = "state seed 1 stream 2 after 3 units and 4 bytes"
	_, err = parseState(state + ": " + strings.Repeat("00", 40))
	require.NoError(t, err)
	for _, line := range []string{"state", state, state + ": " + sum, "state seed 01" + state[len("state seed 1"):] + ": " + strings.Repeat("00", 40)} {
		_, err := parseState(line)
		assert.Error(t, err, line)
	}
}

func TestABadFileIsNoticed(t *testing.T) {
	assert.PanicsWithValue(t, `known: "x": no name`, func() {
		lines("# comment\nx\n", func(line string) error {
			_, err := parseBlock(line)
			return err
		})
	})
}

// The words of a counter and of a key keep their order on their way to a function.
func TestBlockFuncs(t *testing.T) {
	counter, key := []uint64{1, 2, 3, 4}, []uint64{5, 6}
	assert.Equal(t, []uint64{1, 2 + 5}, Of2x32(func(k uint32, c [2]uint32) [2]uint32 { return [2]uint32{c[0], c[1] + k} })(counter[:2], key[:1]))
	assert.Equal(t, []uint64{1, 2, 3 + 5, 4 + 6}, Of4x32(func(k [2]uint32, c [4]uint32) [4]uint32 { return [4]uint32{c[0], c[1], c[2] + k[0], c[3] + k[1]} })(counter, key))
	assert.Equal(t, []uint64{1, 2 + 5}, Of2x64(func(k uint64, c [2]uint64) [2]uint64 { return [2]uint64{c[0], c[1] + k} })(counter[:2], key[:1]))
	assert.Equal(t, []uint64{1, 2, 3 + 5, 4 + 6}, Of4x64(func(k [2]uint64, c [4]uint64) [4]uint64 { return [4]uint64{c[0], c[1], c[2] + k[0], c[3] + k[1]} })(counter, key))
}
