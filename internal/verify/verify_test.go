package verify

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/rosetta/curand"
	"github.com/philox-go/rng/rosetta/torch"
)

// h200 is the GPU that recordings of these tests are of, where they say nothing else.
func h200(t *testing.T) Options {
	t.Helper()
	gpu, err := torch.Card("132x2048")
	require.NoError(t, err)
	return Options{GPU: gpu}
}

// results checks a folder.
func results(t *testing.T, dir string) []Result {
	t.Helper()
	var all []Result
	require.NoError(t, Check(context.Background(), dir, h200(t), func(r Result) error {
		all = append(all, r)
		return nil
	}))
	return all
}

// result checks a folder of one recording.
func result(t *testing.T, dir string) Result {
	t.Helper()
	all := results(t, dir)
	require.Len(t, all, 1)
	return all[0]
}

// words returns what PyTorch's random_() gives in int32 on a GPU of 132 multiprocessors, worked
// out block by block.
func words(seed, offset uint64, n int) []int32 {
	threads := 256 * min((n+255)/256, 132*8)
	x := make([]int32, n)
	for i := range x {
		thread, row := i%threads, i/threads
		block := philox.Block(philox.NewKey(seed), philox.CounterAt(uint64(thread), offset/4+uint64(row/4)))
		x[i] = int32(block[row%4] & math.MaxInt32)
	}
	return x
}

func bytesOf(t *testing.T, values any) []byte {
	t.Helper()
	b, err := binary.Append(nil, binary.LittleEndian, values)
	require.NoError(t, err)
	return b
}

func shaOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func npy(descr string, n int, values []byte) []byte {
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }\n", descr, n)
	return append(binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(dict))), append([]byte(dict), values...)...)
}

func write(t *testing.T, name string, b []byte) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
	require.NoError(t, os.WriteFile(name, b, 0o666))
}

// fields are an index's entry.
type fields map[string]any

func (f fields) with(more fields) fields {
	all := fields{}
	for _, m := range []fields{f, more} {
		for k, v := range m {
			if all[k] = v; v == nil {
				delete(all, k)
			}
		}
	}
	return all
}

func writeIndex(t *testing.T, dir string, entries ...fields) {
	t.Helper()
	b, err := json.Marshal(entries)
	require.NoError(t, err)
	write(t, filepath.Join(dir, indexName), b)
}

const recordedN = 2000

// good is the entry of a recording with both ends, and its file.
func good(t *testing.T) (entry fields, file []byte) {
	x := words(42, 8, recordedN)
	ends := append(x[:300:300], x[recordedN-200:]...)
	return fields{
		"system": "torch", "name": "random_int32", "n": recordedN, "dtype": "int32", "seed": "42", "offset": "8", "offset_after": 12,
		"gpu": "NVIDIA H200", "sms": 132, "max_threads_per_sm": 2048, "torch": "2.11.0",
		"kept": "first 300 and last 200", "file": "x.npy", "sha256": shaOf(bytesOf(t, x)),
	}, npy("<i4", len(ends), bytesOf(t, ends))
}

// unzipped is the folder of the recordings that come with the package.
func unzipped(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	z, err := zip.OpenReader("testdata/recorded.zip")
	require.NoError(t, err)
	defer z.Close()
	require.NoError(t, os.CopyFS(dir, z))
	return dir
}

func TestRecorded(t *testing.T) {
	operators := map[string]int{}
	for _, r := range results(t, unzipped(t)) {
		assert.Equal(t, Exact, r.Outcome, "%s: %s", r.File, r.Detail)
		// Of the host API's Poisson numbers one in 100,000 may differ.
		table := strings.Contains(r.Operator, "_poisson") && !strings.HasPrefix(r.Operator, "device_")
		assert.Equal(t, !table, r.Claimed, r.File)
		operators[r.System+" "+r.Operator]++
	}
	for claim, types := range exact {
		for dtype := range strings.FieldsSeq(types) {
			switch system, operator, _ := strings.Cut(claim, " "); system {
			case torchSystem:
				assert.NotZero(t, operators[claim+" "+dtype], "no recording of %s %s", claim, dtype)
			case curandSystem: // package curand has recordings of all of them
				_, err := curand.FindOp(operator)
				assert.NoError(t, err)
			}
		}
	}
	for _, operator := range []string{"device_poisson", "device_normal2_double", "host_log_normal", "dynamic_u32", "dynamic_uniform_double"} {
		assert.NotZero(t, operators[curandSystem+" "+operator], "no recording of %s", operator)
	}
}

// PHILOX_VECTORS names a folder with more recordings, which may be of other systems too.
func TestAllRecorded(t *testing.T) {
	dir := os.Getenv("PHILOX_VECTORS")
	if dir == "" {
		dir = unzipped(t)
	}
	n := 0
	for _, r := range results(t, dir) {
		if r.System != torchSystem && r.System != curandSystem {
			assert.Equal(t, Unknown, r.Outcome, "%s: %s", r.File, r.Detail)
			continue
		}
		n++
		assert.Equal(t, Exact, r.Outcome, "%s: %s", r.File, r.Detail)
	}
	assert.NotZero(t, n)
}

// Names of operators, and lengths, that nothing should be made of. There is no file for any.
func TestHostileNames(t *testing.T) {
	dir := t.TempDir()
	var entries []fields
	for _, name := range []string{
		"uniform_float32", "normal_nan_inf_float32", "normal_1e400_1_float64", "randint_0_0_int8", "randint_5_1_uint8", "randint_full_int8", "randint_0_2p99_int64",
		"randperm", "randperm_uint8", "multinomial_k0_repTrue", "multinomial_k99999999999999999999_repTrue", "multinomial_k1_repTrue", "multinomial_k1_repFalse",
		"kaiming_uniform_4294967296x4294967296", "kaiming_uniform_0x3", "kaiming_uniform_-1x-1", "kaiming_normal_", "xavier_uniform_99999999999999999999x1",
		"uniform_view_8x10_step2", "uniform_transposed_8x10", "trunc_normal_init", "trunc_normal_0_0_1_2_float32", "state_bytes", "dropout_nan_mask_float32",
		"dropout_0.5_linspacenan_inf_float64", "bernoulli_tensor_-1_2_float32", "geometric_0_float32", "exponential_1e-320_float32", "random_from_300_uint8",
		"__", "_2nd", "_", "float32", "_float32", "uniform_float32_2nd_2nd", "uniform_a_b_float32", "uniform__float32", "", "uniform_\x00_float32",
	} {
		for _, n := range []uint64{0, 1, 80, 1 << 25, 1<<31 + 1, 1 << 37, math.MaxUint64} {
			for _, weights := range []string{"", "[1]x4294967295", "[1,2]x1", "[]", "[1]", "[9e999,nan]x2", strings.Repeat("1", 1000)} {
				if weights == "" || strings.HasPrefix(name, "multinomial") {
					entries = append(entries, fields{"system": "torch", "name": name, "n": n, "seed": "1", "offset": "18446744073709551612", "sms": 65535, "max_threads_per_sm": 65536, "file": "x.npy", "weights": weights})
				}
			}
		}
	}
	writeIndex(t, dir, entries...)
	all := results(t, dir)
	require.Len(t, all, len(entries))
	for _, r := range all {
		assert.Contains(t, []Outcome{Unknown, Unreadable}, r.Outcome)
		assert.NotEmpty(t, r.Detail)
	}
}

func TestEntries(t *testing.T) {
	entry, file := good(t)
	all := words(42, 8, recordedN)
	changed := bytes.Clone(file)
	changed[len(changed)-1]++
	whole := npy("<i4", recordedN, bytesOf(t, all))
	for name, c := range map[string]struct {
		change  fields
		file    []byte // nil is the right one
		outcome Outcome
		detail  string
	}{
		"right":            {nil, nil, Exact, ""},
		"numbers as text":  {fields{"n": "2000", "sms": "132", "seed": 42, "offset": 8, "offset_after": "12"}, nil, Exact, ""},
		"no hash":          {fields{"sha256": nil}, nil, Exact, ""},
		"hash in capitals": {fields{"sha256": strings.ToUpper(entry["sha256"].(string))}, nil, Exact, ""},
		"no type":          {fields{"dtype": nil}, nil, Exact, ""},
		"no offset after":  {fields{"offset_after": nil}, nil, Exact, ""},
		"GPU by its name":  {fields{"sms": nil, "max_threads_per_sm": nil}, nil, Exact, ""},
		"no GPU":           {fields{"gpu": nil, "sms": nil, "max_threads_per_sm": nil}, nil, Exact, ""},
		"all of it":        {fields{"kept": nil}, whole, Exact, ""},
		"spans":            {fields{"kept": [][]int{{0, 300}, {1800, 2000}}}, nil, Exact, ""},
		"with a length":    {fields{"name": "random_int32_2p31+1000"}, nil, Exact, ""},

		"another seed":         {fields{"seed": 43}, nil, Wrong, "500 of 500 kept values: [0] is "},
		"a seed below 0":       {fields{"seed": "-1"}, nil, Wrong, "500 of 500 kept values: [0] is "},
		"another offset":       {fields{"offset": 4, "offset_after": nil}, nil, Wrong, "500 of 500 kept values"},
		"another offset after": {fields{"offset_after": 16}, nil, Wrong, "offset_after is 16 and should be 12"},
		"another value":        {nil, changed, Wrong, "1 of 500 kept values: [1999] is "},
		"another GPU":          {fields{"sms": 1, "max_threads_per_sm": 512}, nil, Wrong, "kept values: ["},
		"another hash":         {fields{"sha256": shaOf(nil)}, nil, Wrong, "the 500 kept values are equal, but not the SHA-256 of all 2000"},
		"a second call":        {fields{"name": "random_int32_2nd", "offset_after": nil}, nil, Wrong, "500 of 500 kept values"},

		"system":           {fields{"system": "jax"}, nil, Unknown, `system "jax": none that is made here, which are torch, curand`},
		"no system":        {fields{"system": nil}, nil, Unknown, `system ""`},
		"operator":         {fields{"name": "frob_float32"}, nil, Unknown, "frob"},
		"no operator":      {fields{"name": ""}, nil, Unknown, "x"},
		"huge permutation": {fields{"name": "randperm", "n": int64(1) << 36, "dtype": "int64"}, nil, Unknown, "of randperm up to 33554432 are checked"},

		"no n":                       {fields{"n": nil, "kept": nil}, nil, Unreadable, "n is not recorded"},
		"kept without n":             {fields{"n": nil}, nil, Unreadable, "kept is of no use without n"},
		"offset of no PyTorch":       {fields{"offset": 3}, nil, Unreadable, "multiple of 4"},
		"type":                       {fields{"dtype": "int64"}, nil, Unreadable, `dtype is "int64" and should be int32 or <i4`},
		"hash of few digits":         {fields{"sha256": "abc"}, nil, Unreadable, `sha256 "abc": must be 64 hexadecimal digits`},
		"fewer values":               {fields{"kept": "first 300 and last 201"}, nil, Unreadable, "has 500 values and should have 501"},
		"kept beyond n":              {fields{"kept": "first 2000 and last 1"}, nil, Unreadable, "kept"},
		"kept beyond 2^64":           {fields{"kept": "first 99999999999999999999 and last 1"}, nil, Unreadable, "kept"},
		"kept in words":              {fields{"kept": "most of it"}, nil, Unreadable, `kept "most of it": must be such as`},
		"kept backwards":             {fields{"kept": [][]int{{300, 0}}}, nil, Unreadable, "kept"},
		"kept twice":                 {fields{"kept": [][]int{{0, 300}, {200, 400}}}, nil, Unreadable, "kept"},
		"kept nothing":               {fields{"kept": []int{}}, nil, Unreadable, "kept"},
		"n beyond reason":            {fields{"n": uint64(1) << 60}, nil, Unreadable, "more than 137438953472 bytes are not checked"},
		"n of half the bytes":        {fields{"n": uint64(math.MaxUint64)}, nil, Unreadable, "more than 137438953472 bytes are not checked"},
		"multiprocessors":            {fields{"sms": uint64(math.MaxUint64)}, nil, Unreadable, "sms and max_threads_per_sm"},
		"no file":                    {fields{"file": "y.npy"}, nil, Unreadable, "there is no such file"},
		"no .npy file":               {nil, []byte("PK\x03\x04 and so on"), Unreadable, "is no .npy file"},
		"an empty file":              {nil, []byte{}, Unreadable, "is no .npy file"},
		"half a file":                {nil, file[:len(file)-1], Unreadable, "bytes of values and should have 2000"},
		"another type of file":       {nil, npy("<f4", 500, make([]byte, 2000)), Unreadable, `has elements of type "<f4" and should have int32 or <i4`},
		"a file of the other's hash": {fields{"kept": nil, "sha256": shaOf(nil)}, whole, Unreadable, "the file's values have another SHA-256 than its index says"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if c.file == nil {
				c.file = file
			}
			write(t, filepath.Join(dir, "x.npy"), c.file)
			writeIndex(t, dir, entry.with(c.change))
			for _, r := range results(t, dir) {
				if r.File == "x.npy" && name == "no file" {
					continue // the one that no index names
				}
				assert.Equal(t, c.outcome, r.Outcome, r.Detail)
				assert.Contains(t, r.Detail, c.detail)
				assert.Equal(t, c.outcome == Exact, r.Detail == "")
				assert.Equal(t, c.outcome == Wrong || c.outcome == Unreadable, r.Fault())
			}
		})
	}
}

func TestSecondCall(t *testing.T) {
	dir := t.TempDir()
	entry, _ := good(t)
	x := words(42, 12, recordedN)
	write(t, filepath.Join(dir, "below", "x.npy"), npy("<i4", recordedN, bytesOf(t, x)))
	writeIndex(t, dir, entry.with(fields{"name": "random_int32_2nd", "file": "below/x.npy", "kept": nil, "offset_after": nil, "sha256": nil}))
	r := result(t, dir)
	assert.Equal(t, Exact, r.Outcome, r.Detail)
	assert.Equal(t, Result{File: "below/x.npy", System: "torch", Operator: "random int32", N: recordedN, Claimed: true}, r)
}

// No file outside of the folder is read.
func TestNamesThatLeadAway(t *testing.T) {
	outside := t.TempDir()
	entry, file := good(t)
	write(t, filepath.Join(outside, "x.npy"), file)
	for _, name := range []string{"../x.npy", "a/../../x.npy", filepath.ToSlash(outside) + "/x.npy", "/etc/passwd", "", ".", "a//x.npy", "./x.npy"} {
		dir := filepath.Join(outside, "dir")
		writeIndex(t, dir, entry.with(fields{"file": name}))
		r := result(t, dir)
		assert.Equal(t, Unreadable, r.Outcome)
		assert.Equal(t, "index.json", r.File)
		assert.Equal(t, fmt.Sprintf("entry 0: file %q: must be the name of a file below the index", name), r.Detail)
	}
	dir := filepath.Join(outside, "links")
	writeIndex(t, dir, entry)
	if err := os.Symlink(filepath.Join(outside, "x.npy"), filepath.Join(dir, "x.npy")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	r := result(t, dir)
	assert.Equal(t, Unreadable, r.Outcome)
	assert.Contains(t, r.Detail, "escapes")
}

func TestBrokenIndexes(t *testing.T) {
	for _, c := range []struct{ text, detail string }{
		{"", "is no JSON list of objects"},
		{"{}", "is no JSON list of objects"},
		{"[", "is no JSON list of objects"},
		{"[1]", "entry 0: "},
		{`[{"file": "x.npy", "n": -1.5}]`, "entry 0: -1.5: must be a whole number below 2^64"},
		{`[{"file": "x.npy", "n": 1e400}]`, "entry 0: "},
		{`[{"file": "x.npy", "seed": 18446744073709551616}]`, "entry 0: 18446744073709551616: must be a whole number below 2^64"},
		{`[{"file": 7}]`, "entry 0: "},
		{`[{"n": 7}]`, `entry 0: file ""`},
		{strings.Repeat("[", 1_000_000), "is no JSON list of objects"},
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, indexName), []byte(c.text))
		r := result(t, dir)
		assert.Equal(t, Unreadable, r.Outcome, c.text)
		assert.Contains(t, r.Detail, c.detail)
		assert.Equal(t, indexName, r.File)
	}
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, indexName), 0o777))
	assert.ErrorContains(t, Check(context.Background(), dir, Options{}, nil), "there is no index.json in it")
	assert.Error(t, Check(context.Background(), filepath.Join(dir, "missing"), Options{}, nil))
	write(t, filepath.Join(dir, "file"), nil)
	assert.Error(t, Check(context.Background(), filepath.Join(dir, "file"), Options{}, nil))
}

// Raw files need no index.
func TestRawFiles(t *testing.T) {
	block := func(thread, at uint64) []byte {
		w := philox.Block(philox.NewKey(5), philox.CounterAt(thread, at))
		return bytesOf(t, w[:])
	}
	var device, host []byte
	for i := range uint64(16) {
		device = append(device, block(7, i)...)
		host = append(host, block(i, 0)...)
	}
	next := append(block(0, 0)[8:], block(1, 0)...)
	for name, c := range map[string]struct {
		file    []byte
		outcome Outcome
		detail  string
	}{
		"device_curand_seed5_sub7_off0.bin":              {device, Exact, ""},
		"device_curand_seed5_sub7_off4.bin":              {device[16:], Exact, ""},
		"device_curand_seed5_sub8_off0.bin":              {device, Wrong, "64 of 64 kept values"},
		"device_curand_seed6_sub7_off0.bin":              {device[:63], Unreadable, "has 63 bytes of values and should have 60"},
		"host_u32_order100_seed5_off0_call0.bin":         {host, Exact, ""},
		"host_u32_order103_seed5_off0_call0.bin":         {host[:30], Unreadable, "has 30 bytes of values and should have 28"},
		"host_u32_order101_seed5_off4_call0.bin":         {host[16:], Exact, ""},
		"host_u32_order104_seed5_off0_call0.bin":         {host, Exact, ""},
		"host_u32_n64_seed5_call0.bin":                   {host, Exact, ""},
		"host_u32_n6_seed5_call1.bin":                    {append(block(1, 0)[8:], block(2, 0)...), Exact, ""},
		"host_u32_n6_seed6_call1.bin":                    {next, Wrong, "6 of 6 kept values"},
		"host_u32_n65_seed5_call0.bin":                   {host, Unreadable, "has 256 bytes of values and should have 260"},
		"dynamic_u32_seed5_off0_n64_call0.bin":           {host, Exact, ""},
		"host_u32_n6_seed5_call99999999999.bin":          {host, Unknown, "only calls below 10^6 are checked"},
		"host_u32_n99999999999999_seed5_call0.bin":       {host, Unreadable, "bytes are not checked"},
		"host_frob_n5_seed5_call0.bin":                   {host, Unknown, "frob"},
		"host_u32_n5_seed99999999999999999999_call0.bin": {host, Unknown, "64 bits"},
		"other.bin": {host, Unknown, `system ""`},
		"other.npy": {host, Unknown, `system ""`},
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, name), c.file)
		write(t, filepath.Join(dir, "notes.txt"), nil)
		r := result(t, dir)
		assert.Equal(t, c.outcome, r.Outcome, "%s: %s", name, r.Detail)
		assert.Contains(t, r.Detail, c.detail, name)
	}
}

// An index may say more of raw files, such as the GPU of the dynamic order, and their hash.
func TestRawFilesWithAnIndex(t *testing.T) {
	const n = 600_000 // more than the threads of either have at first
	for _, sms := range []int{132, 60} {
		var x []uint32
		for i := range uint64(n / 4) {
			threads := 512 * uint64(sms)
			w := philox.Block(philox.NewKey(5), philox.CounterAt(i%threads, i/threads))
			x = append(x, w[:]...)
		}
		dir := t.TempDir()
		name := fmt.Sprintf("dynamic_u32_seed5_off0_n%d_call0.bin", n)
		write(t, filepath.Join(dir, name), bytesOf(t, x[n-100:]))
		writeIndex(t, dir, fields{"file": name, "n": n, "dtype": "<u4", "sha256": shaOf(bytesOf(t, x)), "kept": [][]int{{n - 100, n}}, "sms": sms, "max_threads_per_sm": 1024})
		r := result(t, dir)
		assert.Equal(t, Exact, r.Outcome, r.Detail)
	}
}

// What is made in pieces is compared across their borders.
func TestPieces(t *testing.T) {
	const (
		n     = pieceBytes/4 + 12_345
		edge  = pieceBytes / 4
		extra = 3
	)
	x := words(1, 0, n)
	kept := append(append([]int32{}, x[5:6]...), x[edge-5000:edge+extra]...)
	entry := fields{
		"system": "torch", "name": "random_int32", "n": n, "seed": 1, "sms": 132, "max_threads_per_sm": 2048, "file": "x.bin",
		"sha256": shaOf(bytesOf(t, x)), "kept": [][]int{{5, 6}, {edge - 5000, edge + extra}},
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "x.bin"), bytesOf(t, kept))
	writeIndex(t, dir, entry)
	r := result(t, dir)
	assert.Equal(t, Exact, r.Outcome, r.Detail)

	kept[len(kept)-1]++
	write(t, filepath.Join(dir, "x.bin"), bytesOf(t, kept))
	r = result(t, dir)
	assert.Equal(t, Wrong, r.Outcome)
	assert.Contains(t, r.Detail, fmt.Sprintf("1 of 5004 kept values: [%d] is", edge+extra-1))
}

// Values that are close are told from those that are not.
func TestWithin(t *testing.T) {
	dir := t.TempDir()
	entry := fields{"system": "torch", "name": "normal_float32", "n": 100, "seed": 3, "sms": 132, "max_threads_per_sm": 2048, "file": "x.bin"}
	gpu, err := torch.Card("h200")
	require.NoError(t, err)
	f, err := torch.Named(torch.NewGenerator(gpu, 3), "normal_float32", 100)
	require.NoError(t, err)
	b := make([]byte, 400)
	require.NoError(t, f.Fill(b, 0))
	for _, c := range []struct {
		by      uint32
		outcome Outcome
		detail  string
	}{
		{0, Exact, ""},
		{1, Within, "1 of 100 kept values, by at most 1 ulp: [7] is "},
		{MostULP, Within, "by at most 64 ulp"},
		{MostULP + 1, Wrong, "1 of 100 kept values: [7] is "},
	} {
		changed := bytes.Clone(b)
		binary.LittleEndian.PutUint32(changed[28:], binary.LittleEndian.Uint32(b[28:])+c.by)
		write(t, filepath.Join(dir, "x.bin"), changed)
		writeIndex(t, dir, entry)
		r := result(t, dir)
		assert.Equal(t, c.outcome, r.Outcome)
		assert.Contains(t, r.Detail, c.detail)
		assert.Equal(t, c.by != 0, r.Fault())
	}
}

func TestStopped(t *testing.T) {
	dir := t.TempDir()
	entry, file := good(t)
	write(t, filepath.Join(dir, "x.npy"), file)
	writeIndex(t, dir, entry, entry, entry)
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	err := Check(ctx, dir, h200(t), func(Result) error {
		n++
		cancel()
		return nil
	})
	assert.ErrorIs(t, err, context.Canceled)
	assert.Less(t, n, 3)
	assert.ErrorIs(t, Check(ctx, dir, h200(t), nil), context.Canceled)

	full := errors.New("the disk is full")
	assert.Equal(t, full, Check(context.Background(), dir, h200(t), func(Result) error { return full }))
}

func TestULPs(t *testing.T) {
	for _, c := range []struct {
		dtype string
		a, b  any
		want  uint64
	}{
		{"float32", float32(1), float32(1), 0},
		{"float32", float32(1), math.Nextafter32(1, 0), 1},
		{"float32", math.Nextafter32(0, 1), -math.Nextafter32(0, 1), 2},
		{"float32", float32(0), float32(math.Copysign(0, -1)), 0},
		{"float32", float32(math.NaN()), float32(1), math.MaxUint64},
		{"float64", 1.0, math.Nextafter(1, 2), 1},
		{"float64", -math.MaxFloat64, math.MaxFloat64, 2 * 0x7fefffffffffffff},
		{"float16", uint16(0x3c00), uint16(0x3c02), 2},
		{"float16", uint16(0x8001), uint16(0x0001), 2},
		{"bfloat16", uint16(0x3f80), uint16(0x3f7f), 1},
	} {
		assert.Equal(t, c.want, ulps(c.dtype, bytesOf(t, c.a), bytesOf(t, c.b)), c)
		assert.Equal(t, c.want, ulps(c.dtype, bytesOf(t, c.b), bytesOf(t, c.a)), c)
	}
}

func TestTextOf(t *testing.T) {
	for _, c := range []struct {
		dtype string
		value any
		want  string
	}{
		{"float32", float32(0.1), "0.1 (0x3dcccccd)"},
		{"float64", 0.1, "0.1 (0x3fb999999999999a)"},
		{"float16", uint16(0x3c00), "1 (0x3c00)"},
		{"bfloat16", uint16(0xbf80), "-1 (0xbf80)"},
		{"bool", true, "1"},
		{"uint8", uint8(200), "200"},
		{"int8", int8(-56), "-56"},
		{"int64", int64(math.MinInt64), "-9223372036854775808"},
		{"uint32", uint32(math.MaxUint32), "4294967295"},
	} {
		assert.Equal(t, c.want, textOf(c.dtype, bytesOf(t, c.value)))
	}
}

// Numbers that each part makes from the first on are checked up to a length that takes seconds.
func TestLongPoisson(t *testing.T) {
	for _, op := range []string{"poisson", "discrete", "poisson4"} {
		r := &recording{path: "device_" + op + "_seed1_sub0_off0.bin", n: 1 << 34, hasN: true}
		m, err := curandNumbers(r, Options{})
		require.NoError(t, err)
		assert.Contains(t, m.unknown, "one after the other", op)
	}
}
