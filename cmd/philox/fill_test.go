package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/normal"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/skip"
)

// runs calls the program and wants it to succeed without a word on standard
// error; it returns what went to standard output.
func runs(t *testing.T, args ...string) []byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), args, &stdout, &stderr)
	require.Empty(t, stderr.String(), args)
	require.Zero(t, code, args)
	return stdout.Bytes()
}

// fails calls the program and returns what it said.
func fails(t *testing.T, wantCode int, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), args, &stdout, &stderr)
	assert.Equal(t, wantCode, code, args)
	assert.Empty(t, stdout.String(), args)
	return stderr.String()
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	require.NoError(t, err)
	return b
}

// files lists a folder.
func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func same(t *testing.T, want, got []byte, what ...any) {
	t.Helper()
	if !bytes.Equal(want, got) { // testify would print megabytes
		assert.Fail(t, fmt.Sprintf("%d and %d bytes that differ", len(want), len(got)), what...)
	}
}

func serialise(t *testing.T, values any) []byte {
	t.Helper()
	b, err := binary.Append(nil, binary.LittleEndian, values)
	require.NoError(t, err)
	return b
}

// expected is what the library fills, as a file should have it.
func expected(t *testing.T, dist string, s philox.Stream, n int, first uint64) []byte {
	t.Helper()
	switch dist {
	case "u32":
		v := make([]uint32, n)
		s.FillUint32At(v, first)
		return serialise(t, v)
	case "u64":
		v := make([]uint64, n)
		s.FillUint64At(v, first)
		return serialise(t, v)
	case "uniform":
		v := make([]float32, n)
		s.FillFloat32At(v, first)
		return serialise(t, v)
	case "uniform64":
		v := make([]float64, n)
		s.FillFloat64At(v, first)
		return serialise(t, v)
	case "open":
		v := make([]float32, n)
		s.FillOpenFloat32At(v, first)
		return serialise(t, v)
	case "normal":
		v := make([]float32, n)
		normal.FillFloat32At(s, v, first)
		return serialise(t, v)
	case "normal64":
		v := make([]float64, n)
		normal.FillFloat64At(s, v, first)
		return serialise(t, v)
	case "truncnormal":
		v := make([]float32, n)
		require.NoError(t, normal.FillTruncatedFloat32At(s, v, first, 0, 1, -2, 2))
		return serialise(t, v)
	case "truncnormal64":
		v := make([]float64, n)
		require.NoError(t, normal.FillTruncatedFloat64At(s, v, first, 0, 1, -2, 2))
		return serialise(t, v)
	}
	reference := references[dist]
	require.NotNil(t, reference, "a distribution without a reference: %s", dist)
	return reference(t, s, n, first)
}

func TestFillEqualsTheLibrary(t *testing.T) {
	dir := t.TempDir()
	s := philox.NewAt(philox.NewKey(42), philox.CounterAt(0, 0))
	for _, d := range dists {
		chunk := int(chunkBytes / d.size)
		lengths := []int{0, 1, 3, 1001}
		if isModel(d) {
			lengths = append(lengths, chunk-1, chunk, chunk+1, 3*chunk+5)
		}
		for _, n := range lengths {
			name := fmt.Sprintf("%s-%d", d.name, n)
			raw, npy := filepath.Join(dir, name+".bin"), filepath.Join(dir, name+".npy")
			args := append(fillOf(d), "-n", strconv.Itoa(n), "-seed", "42", "-out")
			want := expected(t, d.name, s, n, 0)
			assert.Empty(t, runs(t, append(args, raw)...), name)
			same(t, want, readFile(t, raw), name)
			assert.Empty(t, runs(t, append(args, npy)...), name)
			same(t, append(npyHeader(d.descr, uint64(n)), want...), readFile(t, npy), name)
			same(t, want, runs(t, append(args, "-")...), name)
		}
	}
	for _, name := range files(t, dir) {
		assert.NotContains(t, name, "partial")
	}
}

// The published known answers of Philox4x32-10 with key 0.
func TestFillKnownAnswers(t *testing.T) {
	for _, c := range []struct {
		at   []string
		want []uint32
	}{
		{nil, []uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{[]string{"-first", "2"}, []uint32{0xbc57ac4c, 0x9b00dbd8}},
		{[]string{"-offset", "4294967296"}, []uint32{0x6ad0c5ec, 0xea236249, 0x73a459f5, 0x074944b3}},
		{[]string{"-first", "0x4_0000_0000"}, []uint32{0x6ad0c5ec, 0xea236249, 0x73a459f5, 0x074944b3}},
		{[]string{"-stream", "1"}, []uint32{0x844515e1, 0xf08d6eaa, 0x0f19c053, 0x83f875f0}},
		// C++26: key (20111115, 0), block 2499, lane 3.
		{[]string{"-seed", "20111115", "-first", "9999"}, []uint32{1955073260}},
	} {
		args := append([]string{"fill", "-dist", "u32", "-out", "-", "-n", strconv.Itoa(len(c.want))}, c.at...)
		assert.Equal(t, serialise(t, c.want), runs(t, args...), args)
	}
}

// Where an output starts, checked element by element against arithmetic on
// numbers of any length.
func TestFillPlaces(t *testing.T) {
	const n = chunkBytes/4 + 30 // two chunks even of the smaller type
	for _, c := range []struct{ stream, offset, first uint64 }{
		{0, 0, 1},
		{0, 0, 5},
		{0, 7, 2},
		{3, 0, 0},
		{3, 1<<32 - 1, 3},
		{0, 0, math.MaxUint64},
		{0, 0, math.MaxUint64 - 6},
		{5, math.MaxUint64, 0},
		{5, math.MaxUint64, math.MaxUint64},
		{1<<32 - 1, math.MaxUint64 - 1, 6},
		{math.MaxUint64, math.MaxUint64, 1},
	} {
		for _, d := range []struct {
			name     string
			perBlock int64
			lanes    int
		}{{"u32", 4, 1}, {"u64", 2, 2}} {
			args := []string{"fill", "-dist", d.name, "-n", strconv.Itoa(n), "-seed", "-0x8000000000000000", "-out", "-",
				"-stream", strconv.FormatUint(c.stream, 10), "-offset", strconv.FormatUint(c.offset, 10), "-first", strconv.FormatUint(c.first, 10)}
			got := runs(t, args...)
			require.Len(t, got, n*4*d.lanes)
			start := new(big.Int).Lsh(new(big.Int).SetUint64(c.stream), 64)
			start.Add(start, new(big.Int).SetUint64(c.offset))
			// Both ends, and what lies about the borders of chunks.
			for i := range n {
				if i > 20 && i < n-20 && (i+10)%(chunkBytes/8) > 20 {
					continue
				}
				element := new(big.Int).SetUint64(c.first)
				element.Add(element, big.NewInt(int64(i)))
				block, lane := new(big.Int).DivMod(element, big.NewInt(d.perBlock), new(big.Int))
				block.Add(block, start)
				at, err := skip.FromBig(block.SetBit(block, 128, 0))
				require.NoError(t, err)
				words := philox.Block(philox.NewKey(1<<63), at)
				from := int(lane.Int64()) * d.lanes
				want := serialise(t, words[from:from+d.lanes])
				require.Equal(t, want, got[i*len(want):(i+1)*len(want)], "element %d of %v", i, args)
			}
		}
	}
}

// The other distributions start where the words do.
func TestFillPlacesOfEveryDistribution(t *testing.T) {
	for _, d := range dists {
		n := 1001
		if isModel(d) {
			n = 300_001
		}
		for first := range uint64(6) {
			s := philox.NewAt(philox.NewKey(9), philox.CounterAt(2, math.MaxUint64))
			args := append(fillOf(d), "-n", strconv.Itoa(n), "-seed", "9", "-stream", "2", "-offset", "18446744073709551615", "-out", "-", "-first")
			same(t, expected(t, d.name, s, n, first), runs(t, append(args, strconv.FormatUint(first, 10))...), d.name, first)
		}
	}
}

func TestFillThreadsDoNotMatter(t *testing.T) {
	dir := t.TempDir()
	names, counts := []string{"uniform", "truncnormal"}, []string{"0", "1", "7"} // plain and drawn again
	if !testing.Short() {
		names = append(names, "u64", "truncnormal64", "uniform16", "uint8", "int") // the other sizes, and 32 bytes of a block
		counts = append(counts, "2", "64")
	}
	for _, name := range names {
		d, err := findDist(name)
		require.NoError(t, err)
		n := int(9*chunkBytes/d.size) + 3
		want := expected(t, d.name, philox.NewAt(philox.NewKey(1), philox.CounterAt(0, 0)), n, 1)
		for _, threads := range counts {
			args := append(fillOf(d), "-n", strconv.Itoa(n), "-seed", "1", "-first", "1", "-threads", threads, "-out")
			name := filepath.Join(dir, d.name+threads+".bin")
			runs(t, append(args, name)...)
			same(t, want, readFile(t, name), d.name, threads)
			same(t, want, runs(t, append(args, "-")...), d.name, threads)
		}
	}
}

func TestReverseEach(t *testing.T) {
	b := []byte{1, 2, 3, 4, 5, 6, 7, 8}
	reverseEach(b, 4)
	assert.Equal(t, []byte{4, 3, 2, 1, 8, 7, 6, 5}, b)
	reverseEach(b, 8)
	assert.Equal(t, []byte{5, 6, 7, 8, 1, 2, 3, 4}, b)
	reverseEach(b, 2)
	assert.Equal(t, []byte{6, 5, 8, 7, 2, 1, 4, 3}, b)
	reverseEach(b, 1)
	assert.Equal(t, []byte{6, 5, 8, 7, 2, 1, 4, 3}, b)
}

func TestChunksAreWholeBlocks(t *testing.T) {
	for _, d := range dists {
		assert.Zero(t, chunkBytes%d.size, d.name)
		for _, perBlock := range []uint64{2, 4} {
			assert.Zero(t, chunkBytes/d.size%perBlock, d.name)
		}
		_, f := parsed(t, fillOf(d)...)
		assert.Contains(t, []uint64{2, 4}, f.perBlock(), d.name)
	}
}

// Memory stays at a few megabytes on machines with many cores too.
func TestFewBuffersOnManyCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1000))
	assert.LessOrEqual(t, job{}.workers()*chunkBytes, 8<<20)
	assert.Equal(t, 1000, job{threads: 1000}.workers(), "who asks for more gets more")
}

func TestBadInput(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("folder.bin", 0o777))
	require.NoError(t, os.WriteFile("plain", nil, 0o666))
	before := files(t, ".")

	type bad struct{ flag, value string }
	cases := []bad{
		{"n", "2305843009213693951"}, {"n", "4e18"}, // as bytes beyond an int64
		{"threads", "1025"}, {"threads", "1e18"},
		{"seed", "-9223372036854775809"}, {"seed", "18446744073709551616"}, {"seed", "--1"},
		{"dist", ""}, {"dist", "Uniform"}, {"dist", "normal32"}, {"dist", "u32 "},
		{"out", ""}, {"out", "x"}, {"out", "x.npz"}, {"out", "x.NPY"}, {"out", "x.bin/"}, {"out", "npy"}, {"out", "--"},
		{"out", "missing/x.bin"}, {"out", "plain/x.npy"}, {"out", "folder.bin"}, {"out", "nul\x00.bin"},
	}
	for _, value := range notWhole {
		cases = append(cases, bad{"seed", value})
	}
	for _, flag := range []string{"n", "stream", "offset", "first", "threads"} {
		for _, value := range append(notWhole, "-1", "-5") {
			cases = append(cases, bad{flag, value})
		}
	}
	for _, c := range cases {
		flags := map[string]string{"n": "10", "out": "x.bin"}
		flags[c.flag] = c.value
		args := []string{"fill"}
		for name, value := range flags {
			args = append(args, "-"+name, value)
		}
		said := fails(t, 2, args...)
		assert.Contains(t, said, fmt.Sprintf("philox fill: -%s = %q: ", c.flag, c.value))
		assert.Contains(t, said, "philox help fill")
		assert.Equal(t, before, files(t, "."), args)
	}
	assert.Contains(t, fails(t, 2, "fill", "-n", "1.5", "-out", "x.bin"), "must be a whole number")
}

func TestBadCommandLines(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ args, says string }{
		{"fil -n 3", `philox: unknown command "fil"`},
		{"-frob", `philox: unknown command "-frob"`},
		{"fill -out x.bin", "philox fill: -n is missing"},
		{"fill -n 3", "philox fill: -out is missing"},
		{"fill", "philox fill: -n is missing"},
		{"fill -n 3 -out x.bin 4", `philox fill: unexpected argument "4"`},
		{"fill n=3 -out x.bin -n 3", "philox fill: -n is missing"},
		{"fill -n 3 -out x.bin -frob 4", "-frob"},
		{"fill -n 3 -out", "-out"},
		{"help frob", `philox help: unknown command "frob"`},
		{"help fill frob", `philox help: unexpected argument "frob"`},
		{"version frob", `philox version: unexpected argument "frob"`},
		{"version -frob", "-frob"},
	} {
		said := fails(t, 2, strings.Fields(c.args)...)
		assert.Contains(t, said, c.says)
		assert.Empty(t, files(t, "."))
	}
}

func TestOutReplacesAFileOnlyWhenComplete(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("x.bin", []byte("old"), 0o666))
	fails(t, 2, "fill", "-n", "x", "-out", "x.bin")
	assert.Equal(t, "old", string(readFile(t, "x.bin")))
	runs(t, "fill", "-n", "1000", "-out", "x.bin")
	assert.Len(t, readFile(t, "x.bin"), 4000)
	assert.Equal(t, []string{"x.bin"}, files(t, "."))

	require.NoError(t, os.WriteFile("other", nil, 0o666))
	want, err := os.Stat("other")
	require.NoError(t, err)
	got, err := os.Stat("x.bin")
	require.NoError(t, err)
	assert.Equal(t, want.Mode(), got.Mode(), "the umask alone decides the mode")
}

// link makes a symbolic link or skips the test where there are none.
func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
}

func TestOutFollowsLinks(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("far", 0o777))
	require.NoError(t, os.WriteFile("far/real.bin", []byte("old"), 0o666))
	link(t, "far/real.bin", "x.bin")
	runs(t, "fill", "-n", "10", "-out", "x.bin")
	info, err := os.Lstat("x.bin")
	require.NoError(t, err)
	assert.Equal(t, fs.ModeSymlink, info.Mode().Type())
	assert.Len(t, readFile(t, "far/real.bin"), 40)
	assert.Equal(t, []string{"real.bin"}, files(t, "far"))

	link(t, "nowhere", "dangling.bin")
	assert.Contains(t, fails(t, 2, "fill", "-n", "10", "-out", "dangling.bin"), `-out = "dangling.bin": `)
	link(t, os.DevNull, "device.bin")
	assert.Contains(t, fails(t, 2, "fill", "-n", "10", "-out", "device.bin"), "not a regular file")
	assert.Equal(t, []string{"dangling.bin", "device.bin", "far", "x.bin"}, files(t, "."))
}

func TestOutRespectsWriteProtection(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("x.bin", []byte("old"), 0o444))
	if f, err := os.OpenFile("x.bin", os.O_WRONLY, 0); err == nil {
		f.Close()
		require.Empty(t, os.Getenv("PHILOX_REQUIRE_UNPRIVILEGED"), "this user may write everything")
		t.Skip("this user may write everything; .ci/run also runs this test as another")
	}
	assert.Contains(t, fails(t, 2, "fill", "-n", "10", "-out", "x.bin"), `-out = "x.bin": cannot write this file: `)
	assert.Equal(t, "old", string(readFile(t, "x.bin")))
}

var errInjected = errors.New("the disk caught fire")

// A faultyFile fails once it has taken left bytes, or when it is closed or
// truncated.
type faultyFile struct {
	*os.File
	left                    int
	failTruncate, failClose bool
}

func (f *faultyFile) Write(p []byte) (int, error) {
	n, err := f.File.Write(p[:min(len(p), f.left)])
	f.left -= n
	if err == nil && n < len(p) {
		err = &fs.PathError{Op: "write", Path: f.Name(), Err: errInjected}
	}
	return n, err
}

func (f *faultyFile) Truncate(size int64) error {
	if f.failTruncate {
		return errInjected
	}
	return f.File.Truncate(size)
}

func (f *faultyFile) Close() error {
	if err := f.File.Close(); err != nil {
		return err
	}
	if f.failClose {
		return errInjected
	}
	return nil
}

func TestFailingFileLeavesNothing(t *testing.T) {
	const total = 128 + 10*chunkBytes
	for name, f := range map[string]faultyFile{
		"truncate":   {left: math.MaxInt, failTruncate: true},
		"close":      {left: math.MaxInt, failClose: true},
		"byte 0":     {left: 0},
		"header":     {left: 127},
		"data":       {left: 128},
		"chunk":      {left: 128 + chunkBytes},
		"mid chunk":  {left: 128 + 3*chunkBytes + 77},
		"last byte":  {left: total - 1},
		"never fail": {left: total},
	} {
		for _, threads := range []string{"0", "1", "7"} {
			for _, existing := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s,%s,%v", name, threads, existing), func(t *testing.T) {
					t.Chdir(t.TempDir())
					if existing {
						require.NoError(t, os.WriteFile("x.npy", []byte("old"), 0o666))
					}
					var stderr bytes.Buffer
					e := env{stderr: &stderr, create: func(name string) (file, error) {
						made, err := createFile(name)
						if err != nil {
							return nil, err
						}
						faulty := f
						faulty.File = made.(*os.File)
						return &faulty, nil
					}}
					args := []string{"fill", "-dist", "u32", "-n", strconv.Itoa(10 * chunkBytes / 4), "-threads", threads, "-out", "x.npy"}
					code := runIn(context.Background(), args, e)
					if name == "never fail" {
						assert.Zero(t, code, stderr.String())
						assert.Len(t, readFile(t, "x.npy"), total)
						return
					}
					assert.Equal(t, 1, code)
					assert.Contains(t, stderr.String(), `philox fill: -out = "x.npy": the disk caught fire`)
					assert.Contains(t, stderr.String(), "nothing was kept")
					assert.NotContains(t, stderr.String(), "partial")
					if name == "mid chunk" {
						assert.Contains(t, stderr.String(), fmt.Sprintf(" after %d of %d bytes", 3*chunkBytes+77, 10*chunkBytes))
					}
					if existing {
						assert.Equal(t, []string{"x.npy"}, files(t, "."))
						assert.Equal(t, "old", string(readFile(t, "x.npy")))
					} else {
						assert.Empty(t, files(t, "."))
					}
				})
			}
		}
	}
}

// A limitedWriter takes left bytes and then fails.
type limitedWriter struct {
	taken []byte
	left  int
}

func (w *limitedWriter) Write(p []byte) (int, error) {
	n := min(len(p), w.left)
	w.left -= n
	w.taken = append(w.taken, p[:n]...)
	if n < len(p) {
		return n, errInjected
	}
	return n, nil
}

func TestFailingStandardOutput(t *testing.T) {
	for _, left := range []int{0, 1, chunkBytes, 5*chunkBytes + 3} {
		for _, threads := range []string{"0", "1", "7"} {
			var stderr bytes.Buffer
			stdout := limitedWriter{left: left}
			args := []string{"fill", "-dist", "u32", "-n", strconv.Itoa(10 * chunkBytes / 4), "-threads", threads, "-out", "-"}
			assert.Equal(t, 1, run(context.Background(), args, &stdout, &stderr))
			assert.Contains(t, stderr.String(), fmt.Sprintf("philox fill: standard output: the disk caught fire after %d of %d bytes\n", left, 10*chunkBytes))
			same(t, expected(t, "u32", philox.NewAt(philox.NewKey(0), philox.CounterAt(0, 0)), left/4, 0), stdout.taken[:left&^3])
		}
	}
}

func TestStoppedFillLeavesNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, n := range []string{"0", "1", "1e7"} {
		var stderr bytes.Buffer
		assert.Equal(t, 1, run(ctx, []string{"fill", "-n", n, "-out", "x.npy"}, nil, &stderr))
		assert.Contains(t, stderr.String(), "philox fill: stopped by a signal")
		assert.Contains(t, stderr.String(), "nothing was kept")
		assert.Empty(t, files(t, "."))
	}
}

// Numbers of a normal distribution reach the library as float32 or float64.
func TestFillScales(t *testing.T) {
	s := philox.New(5).Skip(2)
	for _, first := range []uint64{0, 1, 3} {
		args := []string{"-n", "5001", "-seed", "5", "-offset", "2", "-first", strconv.FormatUint(first, 10), "-out", "-"}
		narrow := make([]float32, 5001)
		require.NoError(t, normal.FillScaledFloat32At(s, narrow, first, 0.1, 2.5e-3))
		got := runs(t, append([]string{"fill", "-dist", "normal", "-mean", "0.1", "-std", "2.5e-3"}, args...)...)
		same(t, serialise(t, narrow), got, "normal", first)
		wide := make([]float64, 5001)
		require.NoError(t, normal.FillScaledFloat64At(s, wide, first, -1e300, 0))
		got = runs(t, append([]string{"fill", "-dist", "normal64", "-mean", "-1e300", "-std", "0"}, args...)...)
		same(t, serialise(t, wide), got, "normal64", first)
	}
}

// What a distribution cannot take is refused before there is a file.
func TestBadNumbersOfADistribution(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ dist, flag, value, must string }{
		{"normal", "std", "-1", "must be a finite number of at least 0"},
		{"normal", "std", "-0x1p-149", "must be a finite number of at least 0"},
		{"normal", "std", "nan", "must be a finite number of at least 0"},
		{"normal", "std", "inf", "must be a finite number of at least 0"},
		{"normal64", "std", "-inf", "must be a finite number"},
		{"normal64", "mean", "nan", "must be a finite number"},
		{"normal64", "mean", "+Inf", "must be a finite number"},
		{"normal", "std", "1e39", "too large"},
		{"normal", "mean", "-1e39", "too large"},
		{"normal64", "mean", "1e309", "is beyond the largest float64"},
		{"normal", "mean", "", "must be a number"},
		{"normal", "std", "1,5", "must be a number"},
		{"uniform", "lo", "nan", "must be a finite number"},
		{"uniform64", "hi", "inf", "must be a finite number"},
		{"uniform16", "lo", "-Inf", "must be a finite number"},
		{"uniform", "hi", "1e39", "is too large for the distribution's float32"},
		{"uniformbf16", "lo", "-1e39", "is too large for the distribution's float32"},
		{"uniform16", "hi", "65520", "is too large for the distribution's float16"},
		{"uniform16", "lo", "-7e4", "is too large for the distribution's float16"},
		{"uniform64", "hi", "1e309", "is beyond the largest float64"},
		{"uniform", "lo", "1", `must be less than -hi = "1"`},
		{"uniform64", "lo", "0x1p0", `must be less than -hi = "1"`},
		{"uniform", "lo", "0.99999999", `must be less than -hi = "1" as a float32 too`},
		{"uniform16", "lo", "0.9999", `must be less than -hi = "1" as a float16 too`},
		{"uniformbf16", "lo", "0.9990", `must be less than -hi = "1" as a bfloat16 too`},
		{"normal16", "std", "-1", "must be a finite number of at least 0"},
		{"lognormal", "std", "nan", "must be a finite number of at least 0"},
		{"lognormal64", "mean", "inf", "must be a finite number"},
		{"lognormalbf16", "mean", "1e39", "too large"},
		{"exponential", "rate", "0", "must be a finite number above 0"},
		{"exponential64", "rate", "-1", "must be a finite number above 0"},
		{"exponential16", "rate", "inf", "must be a finite number above 0"},
		{"exponential", "rate", "nan", "must be a finite number above 0"},
		{"exponential", "rate", "1e-50", "is too small for the distribution's float32: it would be 0"},
		{"exponential", "rate", "1e39", "is too large for the distribution's float32"},
		{"exponential", "rate", "", "must be a number"},
		{"cauchy", "loc", "inf", "must be a finite number"},
		{"laplace64", "loc", "nan", "must be a finite number"},
		{"gumbelbf16", "loc", "1e39", "is too large for the distribution's float32"},
		{"cauchy16", "scale", "0", "must be a finite number above 0"},
		{"laplace", "scale", "-0.0", "must be a finite number above 0"},
		{"gumbel64", "scale", "inf", "must be a finite number above 0"},
		{"gumbel", "scale", "1e-46", "is too small for the distribution's float32: it would be 0"},
		{"bernoulli", "p", "1.5", "must be a number from 0 to 1"},
		{"bernoulli", "p", "-1e-300", "must be a number from 0 to 1"},
		{"bernoulli", "p", "nan", "must be a number from 0 to 1"},
		{"bernoulli", "p", "50%", "must be a number"},
		{"geometric", "p", "0", "must be a number above 0 and at most 1"},
		{"geometric", "p", "1.0001", "must be a number above 0 and at most 1"},
		{"geometric", "p", "NaN", "must be a number above 0 and at most 1"},
		{"geometric", "p", "1e-18", "beyond the largest int64"},
		{"int", "hi", "0", `-lo = "0": must be less than -hi = "0"`},
		{"int", "hi", "-0", `-lo = "0": must be less than -hi = "-0"`},
		{"int", "hi", "1.5", "must be a whole number from -9223372036854775807 to 9223372036854775808"},
		{"int", "hi", "9223372036854775809", "must be a whole number from -9223372036854775807 to 9223372036854775808"},
		{"int", "hi", "-9223372036854775808", "must be a whole number from -9223372036854775807 to 9223372036854775808"},
		{"int32", "hi", "2147483649", "must be a whole number from -2147483647 to 2147483648"},
		{"uint8", "hi", "257", "must be a whole number from 1 to 256"},
		{"int", "hi", "", "must be a whole number"},
		{"int", "hi", "inf", "must be a whole number"},
		{"bernoulli", "rate", "1", "does not take it"},
		{"int", "p", "1", "does not take it"},
		{"normal", "hi", "1", "does not take it"},
		{"uniform", "std", "1", "does not take it"},
		{"u64", "mean", "0", "does not take it"},
	} {
		for _, out := range []string{"x.npy", "x.bin", "-"} {
			said := fails(t, 2, "fill", "-dist", c.dist, "-"+c.flag, c.value, "-n", "10", "-out", out)
			assert.Contains(t, said, c.must)
			assert.Contains(t, said, c.value, "as it was typed")
			if !strings.HasPrefix(c.must, "-") { // the error of another flag
				assert.True(t, strings.HasPrefix(said, fmt.Sprintf("philox fill: -%s = %q: ", c.flag, c.value)), said)
			}
		}
		fails(t, 2, "fill", "-dist", c.dist, "-"+c.flag, c.value, "-n", "0", "-shard", "1/2", "-out", "x.bin")
	}
	assert.Empty(t, files(t, "."))
}
