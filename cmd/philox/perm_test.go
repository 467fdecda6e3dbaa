package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/draw"
	"github.com/philox-go/rng/internal/stack"
	"github.com/philox-go/rng/random"
)

// permutations make what an output should have, by a generator of package random.
var permutations = map[string]func(t *testing.T, p place, n int) []byte{
	"int64": permutation[int64], "int32": permutation[int32], "int16": permutation[int16], "int8": permutation[int8],
	"uint64": permutation[uint64], "uint32": permutation[uint32], "uint16": permutation[uint16], "uint8": permutation[uint8],
}

func permutation[T random.Integer](t *testing.T, p place, n int) []byte {
	t.Helper()
	g := random.NewGenerator(random.CPU(), p.seed)
	if p.stream != 0 {
		var err error
		g, err = g.Substream(p.stream)
		require.NoError(t, err)
	}
	require.NoError(t, g.SetOffset(p.offset))
	v := make([]T, n)
	require.NoError(t, random.Perm(g, v))
	return serialise(t, v)
}

func TestPermEqualsTheLibrary(t *testing.T) {
	dir := t.TempDir()
	for _, e := range permTypes {
		for _, n := range []int{0, 1, 2, 128, 256, 1 << 15, 1 << 16, 1<<19 + 1} {
			if n > 0 && uint64(n-1) > e.most {
				break // the one before was all that the type has
			}
			if n > 1<<16 && e.name != "int32" {
				continue
			}
			for i, p := range []place{
				{42, 0, 0},
				{math.MaxUint64, 1, 5},
				{0xdecaf, 1<<48 - 1, -draw.PermutationBlocks(n)}, // the last blocks of the last stream
			} {
				name := fmt.Sprintf("%s-%d-%d", e.name, n, i)
				raw, npy := filepath.Join(dir, name+".bin"), filepath.Join(dir, name+".npy")
				args := []string{"perm", "-type", e.name, "-n", strconv.Itoa(n), "-seed", strconv.FormatUint(p.seed, 10),
					"-stream", strconv.FormatUint(p.stream, 10), "-offset", strconv.FormatUint(p.offset, 10), "-out"}
				want := permutations[e.name](t, p, n)
				same(t, want, runs(t, append(args, "-")...), name)
				if i > 0 {
					continue
				}
				assert.Empty(t, runs(t, append(args, raw)...), name)
				same(t, want, readFile(t, raw), name)
				assert.Empty(t, runs(t, append(args, npy)...), name)
				same(t, append(npyHeader(e.descr, uint64(n)), want...), readFile(t, npy), name)
			}
		}
	}
	for _, name := range files(t, dir) {
		assert.NotContains(t, name, "partial")
	}
	assert.Len(t, permutations, len(permTypes))
	same(t, permutation[int64](t, place{}, 10), runs(t, "perm", "-n", "1e1", "-out", "-"), "what flags are by default")
}

func TestPermDescriptions(t *testing.T) {
	var all []string
	for _, e := range permTypes {
		assert.True(t, strings.HasSuffix(e.descr, strconv.FormatUint(e.size, 10)), e.name)
		all = append(all, e.name+e.descr)
	}
	assert.Equal(t, "int64<i8 int32<i4 int16<i2 int8|i1 uint64<u8 uint32<u4 uint16<u2 uint8|u1", strings.Join(all, " "))
	// What the help says of blocks and of memory.
	once := uint64(0)
	if !stack.Known {
		once = 1
	}
	for _, c := range []struct{ n, blocks, memory uint64 }{
		{1 << 19, 1 << 17, 0}, {1<<19 + 1, 2 * (1<<17 + 1), once}, {1 << 26, 2 << 24, once}, {1<<26 + 1, 3 * (1<<24 + 1), once + 1},
		{1 << 37, 3 << 35, once + 1}, {1<<37 + 1, 4 * (1<<35 + 1), once + 1},
	} {
		if n := int(c.n); uint64(n) == c.n {
			assert.Equal(t, c.blocks, draw.PermutationBlocks(n), "%d", n)
			assert.Equal(t, c.memory*c.n, draw.PermutationMemory(n), "%d", n)
		}
	}
}

// What cannot be is told before there is a file, or memory for the numbers.
func TestPermBadInput(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("old.npy", []byte("old"), 0o666))
	for _, c := range []struct{ flags, flag, value, must string }{
		{"", "n", "-1", "must be a whole number from 0 to 9223372036854775807"},
		{"", "n", "1.5", "must be a whole number"},
		{"", "n", "9223372036854775808", "must be a whole number"},
		{"", "n", "9223372036854775807", "with -type int64, since all are held in memory"},
		{"-type uint64", "n", "1e18", "with -type uint64, since all are held in memory"},
		{"", "n", "1e15", "memory"}, // beyond an int, or refused by the system
		{"-type int8", "n", "129", "must be at most 128, the number of integers from 0 on that -type int8 has"},
		{"-type uint8", "n", "257", "must be at most 256, the"},
		{"-type int16", "n", "32769", "must be at most 32768, the"},
		{"-type uint16", "n", "65537", "must be at most 65536, the"},
		{"-type int32", "n", "2147483649", "must be at most 2147483648, the"},
		{"-type uint32", "n", "4294967297", "must be at most 4294967296, the"},
		{"", "type", "int", "must be one of int64, int32, int16, int8, uint64, uint32, uint16, uint8"},
		{"", "type", "", "must be one of"},
		{"", "seed", "1.5", "must be a whole number from -2^63 to 2^64-1"},
		{"", "stream", "-1", "must be a whole number from 0 to 18446744073709551615"},
		{"", "stream", "0x1_0000_0000_0000", "must be below 2^48"},
		{"-n 0", "stream", "18446744073709551615", "must be below 2^48"},
		{"", "offset", "1e20", "must be a whole number from 0 to 18446744073709551615"},
		{"", "offset", "18446744073709551614", "leaves 2 blocks of the stream, and the permutation takes 3"},
		{"-n 524289", "offset", "0xffff_ffff_ffff_0000", "leaves 65536 blocks of the stream, and the permutation takes 262146"},
		{"", "out", "x", "must end in .npy or .bin"},
		{"", "out", "", "must end in .npy or .bin"},
		{"", "out", "missing/x.npy", "cannot write this file"},
	} {
		args := append([]string{"perm", "-n", "10", "-out", "old.npy"}, strings.Fields(c.flags)...)
		said := fails(t, 2, append(args, "-"+c.flag, c.value)...)
		assert.True(t, strings.HasPrefix(said, fmt.Sprintf("philox perm: -%s = %q: ", c.flag, c.value)), said)
		assert.Contains(t, said, c.must, c)
		assert.Contains(t, said, "philox help perm")
	}
	for flags, says := range map[string]string{
		"":                           "-n is missing",
		"-n 3":                       "-out is missing",
		"-n 3 -out x.bin 4":          `unexpected argument "4"`,
		"-n 3 -out x.bin -dist u32":  "flag provided but not defined: -dist",
		"-n 3 -out x.bin -first 1":   "flag provided but not defined: -first",
		"-n 3 -out x.bin -shard 0/2": "flag provided but not defined: -shard",
		"-n 3 -out x.bin -threads 1": "flag provided but not defined: -threads",
	} {
		assert.Contains(t, fails(t, 2, append([]string{"perm"}, strings.Fields(flags)...)...), "philox perm: "+says)
	}
	assert.Equal(t, []string{"old.npy"}, files(t, "."))
	assert.Equal(t, "old", string(readFile(t, "old.npy")))
}

// A watchedFile says before each write how many bytes it has.
type watchedFile struct {
	file
	written int
	before  func(written int)
}

func (f *watchedFile) Write(p []byte) (int, error) {
	f.before(f.written)
	n, err := f.file.Write(p)
	f.written += n
	return n, err
}

const (
	permCount = 300_000
	permBytes = permCount * 8 // three pieces
)

// permInto writes a permutation to x.npy, which there is already, and returns the status
// and what was said.
func permInto(ctx context.Context, create func(name string) (file, error)) (code int, said string) {
	var stderr bytes.Buffer
	code = runIn(ctx, []string{"perm", "-n", strconv.Itoa(permCount), "-out", "x.npy"}, env{stderr: &stderr, create: create})
	return code, stderr.String()
}

func TestPermAppearsWhenComplete(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("x.npy", []byte("old"), 0o666))
	var places []int
	code, said := permInto(context.Background(), func(name string) (file, error) {
		f, err := createFile(name)
		return &watchedFile{file: f, before: func(written int) {
			places = append(places, written)
			assert.Equal(t, "old", string(readFile(t, "x.npy")))
			assert.Equal(t, []string{filepath.Base(name), "x.npy"}, files(t, "."))
		}}, err
	})
	assert.Zero(t, code)
	assert.Empty(t, said)
	assert.Equal(t, []int{0, 128, 128 + chunkBytes, 128 + 2*chunkBytes}, places)
	assert.Equal(t, []string{"x.npy"}, files(t, "."))
	assert.Len(t, readFile(t, "x.npy"), 128+permBytes)
}

func TestPermFailingFileLeavesNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("x.npy", []byte("old"), 0o666))
	for _, c := range []struct {
		faulty faultyFile
		after  string
	}{
		{faultyFile{left: math.MaxInt, failTruncate: true}, ""},
		{faultyFile{left: 127}, ""},
		{faultyFile{left: 128}, " after 0 of 2400000 bytes"},
		{faultyFile{left: 128 + chunkBytes + 77}, " after 1048653 of 2400000 bytes"},
		{faultyFile{left: 128 + permBytes, failClose: true}, " after 2400000 of 2400000 bytes"},
	} {
		code, said := permInto(context.Background(), func(name string) (file, error) {
			f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
			c.faulty.File = f
			return &c.faulty, err
		})
		assert.Equal(t, 1, code)
		assert.Equal(t, "philox perm: -out = \"x.npy\": the disk caught fire"+c.after+"; nothing was kept\n", said)
		assert.Equal(t, []string{"x.npy"}, files(t, "."))
		assert.Equal(t, "old", string(readFile(t, "x.npy")))
	}

	var stderr bytes.Buffer
	stdout := limitedWriter{left: chunkBytes + 3}
	assert.Equal(t, 1, run(context.Background(), []string{"perm", "-n", "300_000", "-out", "-"}, &stdout, &stderr))
	assert.Equal(t, "philox perm: standard output: the disk caught fire after 1048579 of 2400000 bytes\n", stderr.String())
	same(t, permutation[int64](t, place{}, permCount)[:chunkBytes+3], stdout.taken)
}

// A signal before the permutation is made, and between two pieces.
func TestPermStops(t *testing.T) {
	t.Chdir(t.TempDir())
	for at, after := range map[int]int{0: 0, 128: chunkBytes, 128 + chunkBytes: 2 * chunkBytes} {
		ctx, cancel := context.WithCancel(context.Background())
		code, said := permInto(ctx, func(name string) (file, error) {
			f, err := createFile(name)
			return &watchedFile{file: f, before: func(written int) {
				if written == at {
					cancel()
				}
			}}, err
		})
		assert.Equal(t, 1, code)
		assert.Equal(t, fmt.Sprintf("philox perm: stopped by a signal after %d of %d bytes; nothing was kept\n", after, permBytes), said)
		assert.Empty(t, files(t, "."))
	}
}
