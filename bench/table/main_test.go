package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/philox-go/rng/bench"
	"github.com/philox-go/rng/bench/internal/console"
	"github.com/philox-go/rng/internal/measure"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var testRows = []bench.Row{
	{Name: bench.Reference, All: func([]byte, int) {}},
	{Name: bench.Random123 + " (clang 19)"},
	{Name: "slow"},
}

// testTable has FillUint32 at 20 GB/s, Random123 at 8 and slow at 0.5, in every
// size, and everything on all cores at 30.
func testTable(s schedule) table {
	t := table{schedule: s, sizes: []int{4 << 10, bench.CacheSize, 256 << 10, bench.LargeSize}, rows: testRows, cores: []bench.Speedup{{Name: bench.Reference, Times: 1.9, Counted: 7, Tried: 8}, {Name: "slow", Tried: 8}}}
	t.inCache.GHz = 4
	result := func(name string, n int, gbps float64) measure.Result {
		return measure.Result{Name: name, Bytes: n, Times: []float64{float64(n) / gbps}}
	}
	for i, gbps := range []float64{20, 8, 0.5} {
		for _, n := range t.sizes {
			report := &t.inCache
			if n == bench.LargeSize {
				report = &t.large
			}
			report.Results = append(report.Results, result(cell(testRows[i], n), n, gbps))
		}
	}
	t.large.Results = append(t.large.Results, result(allCores(testRows[0], bench.LargeSize), bench.LargeSize, 30))
	for i, name := range []string{bench.FourWords, bench.OneKiB, bench.SourceUint64, bench.PCGUint64} {
		t.inCache.Results = append(t.inCache.Results, measure.Result{Name: name, Bytes: 8, Times: []float64{float64(10*i) + 1.25}})
	}
	t.tasks.Results = []measure.Result{
		{Name: "a of 10", Bytes: 80, Times: []float64{2000, 5000, 3000}}, {Name: "b of 10", Bytes: 80, Times: []float64{10_000, 20_000, 15_000}},
		{Name: "c", Bytes: 8, Times: []float64{4e6}}, {Name: "d", Bytes: 8, Times: []float64{2e6}},
	}
	return t
}

// A trial is a run of the program with the figures of testTable.
type trial struct {
	status         int
	stdout, stderr string
	schedules      []schedule // that were measured
}

func try(t *testing.T, rows []bench.Row, args ...string) (got trial) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	got.status = run(t.Context(), args, world{rows, func(_ context.Context, rs []bench.Row, mem []byte, s schedule, p console.Progress) (table, error) {
		assert.Len(t, rs, len(rows))
		assert.Len(t, mem, bench.LargeSize)
		assert.Nil(t, p, "no terminal")
		got.schedules = append(got.schedules, s)
		return testTable(s), nil
	}, &stdout, &stderr})
	got.stdout, got.stderr = stdout.String(), stderr.String()
	return got
}

func TestMarkdown(t *testing.T) {
	got := testTable(schedule{100, 20, time.Second}).markdown(bench.Host{CPU: "Chip 7", Cores: 2, Level: "avx512", Go: "go1.26", Date: "30 November 2026"})
	assert.Equal(t, `Chip 7, 2 cores at 4.00 GHz, avx512, go1.26, 30 November 2026: GB/s (10^9 bytes a second) on one core,
medians of 100 rounds (of 20 at 64 MiB).

| filled by | 4 KiB | 30 KiB | 256 KiB | 64 MiB | 64 MiB, all cores | cycles per 64 bytes (30 KiB) | FillUint32 / this (30 KiB) |
|---|--:|--:|--:|--:|--:|--:|--:|
| FillUint32 | 20.0 | 20.0 | 20.0 | 20.0 | 30.0 | 12.8 | 1.00 |
| Random123 in C (clang 19) | 8.00 | 8.00 | 8.00 | 8.00 | – | 32.0 | 2.50 |
| slow | 0.50 | 0.50 | 0.50 | 0.50 | – | 512 | 40.0 |

FillUint32 of 4 words takes 1.25 ns and FillUint32 of 1 KiB 11.2 ns. In a sum, Source.Uint64 takes 21.2 ns a call and PCG.Uint64 31.2 ns.
Two cores with a buffer of 30 KiB each make of

- FillUint32 1.90 times as much as one (median of the 7 undisturbed rounds of 8)
- slow: all 8 rounds were disturbed

On all cores

- a of 10 takes 3.00 µs and b of 10 15.0 µs, 5.00 times as long
- c takes 4.00 ms and d 2.00 ms, 0.50 times as long
`, got)
}

func TestSchedules(t *testing.T) {
	for args, want := range map[string]schedule{
		"":            {500, 50, 100 * time.Microsecond},
		"-rounds 1":   {1, 1, 100 * time.Microsecond},
		"-rounds 200": {200, 20, 100 * time.Microsecond},
		"-quick":      {100, 1, 100 * time.Microsecond},
	} {
		got := try(t, testRows, strings.Fields(args)...)
		assert.Equal(t, []schedule{want}, got.schedules, "%q", args)
		assert.Zero(t, got.status)
		assert.Contains(t, got.stdout, "| slow | 0.50 |")
		assert.Empty(t, got.stderr)
	}
}

func TestRequire(t *testing.T) {
	for require, status := range map[string]int{"0.1": 0, "2.49": 0, "2.51": 1, "1e9": 1} {
		got := try(t, testRows, "-require", require)
		assert.Equal(t, status, got.status, "%s: %s", require, got.stderr)
		assert.Contains(t, got.stdout, "| slow |", "the table is printed in any case")
	}
	assert.Equal(t, "table: -require = 3: FillUint32 is 2.50 times as fast as Random123 in C (clang 19)\n", try(t, testRows, "-require", "3").stderr)
}

func TestMistakes(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing.md")
	unmarked := filepath.Join(t.TempDir(), "unmarked.md")
	require.NoError(t, os.WriteFile(unmarked, []byte("text"), 0o666))
	for _, tt := range []struct {
		args   []string
		rows   []bench.Row
		status int
		want   string
	}{
		{[]string{"-rounds", "0"}, testRows, 2, "-rounds = 0: must be at least 1"},
		{[]string{"-rounds", "-5"}, testRows, 2, "-rounds = -5: must be at least 1"},
		{[]string{"-rounds", "many"}, testRows, 2, `invalid value "many" for flag -rounds`},
		{[]string{"-rounds", "3", "-quick"}, testRows, 2, "-rounds and -quick exclude each other"},
		{[]string{"-quick", "-readme", "x.md"}, testRows, 2, "-quick and -readme exclude each other"},
		{[]string{"-require", "0"}, testRows, 2, "-require = 0: must be positive"},
		{[]string{"-require", "-1"}, testRows, 2, "-require = -1: must be positive"},
		{[]string{"-require", "NaN"}, testRows, 2, "-require = NaN: must be positive"},
		{[]string{"-require", "+Inf"}, testRows, 2, "-require = +Inf: must be positive"},
		{[]string{"-require", "2"}, testRows[2:], 2, "-require = 2: this program was built without Random123: it needs -tags random123 and cgo"},
		{[]string{"quick"}, testRows, 2, `unexpected argument "quick"`},
		{[]string{"-fast"}, testRows, 2, "flag provided but not defined: -fast"},
		{[]string{"-readme", missing}, testRows, 1, missing},
		{[]string{"-readme", unmarked}, testRows, 1, "-readme: " + unmarked + ": marker " + beginMarker + " is there 0 times, must be once"},
	} {
		got := try(t, tt.rows, tt.args...)
		assert.Equal(t, tt.status, got.status, "%q", tt.args)
		assert.Contains(t, got.stderr, tt.want)
		assert.Equal(t, 1, strings.Count(got.stderr, "\n"), "%q", got.stderr)
		assert.Empty(t, got.schedules, "%q: nothing may be measured", tt.args)
		assert.Empty(t, got.stdout)
	}
}

func TestHelp(t *testing.T) {
	got := try(t, testRows, "-help")
	assert.Zero(t, got.status)
	for _, name := range []string{"-rounds", "-require", "-readme", "-quick"} {
		assert.Contains(t, got.stdout, name)
	}
	assert.Empty(t, got.schedules)
}

func TestMeasureFails(t *testing.T) {
	var stdout, stderr bytes.Buffer
	status := run(t.Context(), nil, world{testRows, func(context.Context, []bench.Row, []byte, schedule, console.Progress) (table, error) {
		return table{}, errors.New("no clock")
	}, &stdout, &stderr})
	assert.Equal(t, 1, status)
	assert.Equal(t, "table: no clock\n", stderr.String())
	assert.Empty(t, stdout.String())
}

type fullPipe struct{}

func (fullPipe) Write([]byte) (int, error) { return 0, errors.New("pipe is full") }

func TestOutputFails(t *testing.T) {
	var stderr bytes.Buffer
	status := run(t.Context(), nil, world{testRows, func(_ context.Context, _ []bench.Row, _ []byte, s schedule, _ console.Progress) (table, error) {
		return testTable(s), nil
	}, fullPipe{}, &stderr})
	assert.Equal(t, 1, status)
	assert.Equal(t, "table: pipe is full\n", stderr.String())
}
