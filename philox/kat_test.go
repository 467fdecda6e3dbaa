package philox_test

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/philox"
)

//go:embed testdata/kat.txt
var katText string

// katFunctions holds, by the name and rounds of a known answer, how many words
// the counter and the key have, and the function.
var katFunctions = map[string]struct {
	bits, counter, key int
	block              func(c, k []uint64) []uint64
}{
	"philox2x32 7":  {32, 2, 1, kat2x32(philox.Block2x32R7)},
	"philox2x32 10": {32, 2, 1, kat2x32(philox.Block2x32)},
	"philox4x32 7":  {32, 4, 2, kat4x32(philox.Block4x32R7)},
	"philox4x32 10": {32, 4, 2, kat4x32(philox.Block)},
	"philox2x64 7":  {64, 2, 1, kat2x64(philox.Block2x64R7)},
	"philox2x64 10": {64, 2, 1, kat2x64(philox.Block2x64)},
	"philox4x64 7":  {64, 4, 2, kat4x64(philox.Block4x64R7)},
	"philox4x64 10": {64, 4, 2, kat4x64(philox.Block4x64)},
}

func kat2x32(f func(uint32, [2]uint32) [2]uint32) func(c, k []uint64) []uint64 {
	return func(c, k []uint64) []uint64 {
		r := f(uint32(k[0]), [2]uint32(narrow(c)))
		return widen(r[:])
	}
}

func kat4x32(f func(philox.Key, philox.Counter) [4]uint32) func(c, k []uint64) []uint64 {
	return func(c, k []uint64) []uint64 {
		r := f(philox.Key(narrow(k)), philox.Counter(narrow(c)))
		return widen(r[:])
	}
}

func kat2x64(f func(uint64, [2]uint64) [2]uint64) func(c, k []uint64) []uint64 {
	return func(c, k []uint64) []uint64 {
		r := f(k[0], [2]uint64(c))
		return r[:]
	}
}

func kat4x64(f func([2]uint64, [4]uint64) [4]uint64) func(c, k []uint64) []uint64 {
	return func(c, k []uint64) []uint64 {
		r := f([2]uint64(k), [4]uint64(c))
		return r[:]
	}
}

func narrow(x []uint64) []uint32 {
	out := make([]uint32, len(x))
	for i, w := range x {
		out[i] = uint32(w)
	}
	return out
}

func widen(x []uint32) []uint64 {
	out := make([]uint64, len(x))
	for i, w := range x {
		out[i] = uint64(w)
	}
	return out
}

func TestKATRandom123(t *testing.T) {
	ran := map[string]int{}
	for line := range strings.Lines(katText) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Fields(line)
		name := fields[0] + " " + fields[1]
		f, ok := katFunctions[name]
		require.True(t, ok, "no function for %q", line)
		t.Run(fmt.Sprint(name, " ", ran[name]), func(t *testing.T) {
			words := make([]uint64, 0, len(fields))
			for _, w := range fields[2:] {
				require.Len(t, w, f.bits/4)
				x, err := strconv.ParseUint(w, 16, f.bits)
				require.NoError(t, err)
				words = append(words, x)
			}
			require.Len(t, words, f.counter+f.key+f.counter)
			c, k, want := words[:f.counter], words[f.counter:f.counter+f.key], words[f.counter+f.key:]
			assert.Equal(t, want, f.block(c, k))
		})
		ran[name]++
	}
	total := 0
	for name := range katFunctions {
		assert.Equal(t, 3, ran[name], "%s", name)
		total += ran[name]
	}
	assert.Equal(t, 24, total)
}

// C++26, [rand.predef]: the 10000th value of a default-constructed philox4x32,
// whose key is (20111115, 0).
func TestKATCpp26(t *testing.T) {
	const want = 1955073260
	key := philox.Key{20111115, 0}
	assert.EqualValues(t, want, philox.Block(key, philox.Counter{2499})[3])

	words := make([]uint32, 10000)
	philox.NewAt(key, philox.Counter{}).FillUint32(words)
	assert.EqualValues(t, want, words[9999])

	var one [1]uint32
	philox.New(key.Seed()).FillUint32At(one[:], 9999)
	assert.EqualValues(t, want, one[0])
}
