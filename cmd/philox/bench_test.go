package main

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/cuda"
	"github.com/philox-go/rng/internal/devicetest"
	"github.com/philox-go/rng/internal/measure"
)

// cells splits a table at two spaces or more, into its rows by their names.
func cells(t *testing.T, table string) (columns []string, rows map[string][]string) {
	t.Helper()
	_, table, found := strings.Cut(table, "\n\n")
	require.True(t, found, table)
	gap := regexp.MustCompile(`  +`)
	rows = map[string][]string{}
	for line := range strings.Lines(table) {
		fields := gap.Split(strings.TrimSpace(line), -1)
		if columns == nil {
			columns = fields
			continue
		}
		require.Len(t, fields, len(columns), line)
		rows[fields[0]] = fields[1:]
	}
	return columns, rows
}

func TestBench(t *testing.T) {
	for _, c := range []struct {
		large   string
		columns []string
	}{
		{"0", []string{"GB/s", "30 KiB", "cycles/64 B", "x PCG", "x ChaCha8"}},
		{"0x100000", []string{"GB/s", "30 KiB", "1 MiB", "all cores", "cycles/64 B", "x PCG", "x ChaCha8"}},
	} {
		columns, rows := cells(t, string(runs(t, "bench", "-rounds", "1", "-large", c.large)))
		assert.Equal(t, c.columns, columns)
		assert.Len(t, rows, len(benchDists)+3)
		for _, name := range benchDists {
			require.Contains(t, rows, name)
		}
		for name, values := range rows {
			for i, text := range values {
				if text == "-" {
					assert.Equal(t, "all cores", columns[1+i])
					assert.Contains(t, name, ".", "of a peer")
					continue
				}
				_, err := strconv.ParseFloat(text, 64)
				assert.NoError(t, err)
			}
		}
		last := len(c.columns) - 2
		assert.Equal(t, "1.00", rows[benchPCG][last-1], "PCG beside PCG")
		assert.Equal(t, "1.00", rows[benchChaCha][last], "ChaCha8 beside ChaCha8")
	}
}

// From made-up times: 30 KiB in 2 µs are 15.36 GB/s, and at 4 GHz 64 bytes take
// 16.7 cycles; PCG takes 4 times and ChaCha8 10 times as long.
func TestBenchTable(t *testing.T) {
	rows := benchRows(nil, benchSmall*64)
	report := measure.Report{GHz: 4}
	for _, r := range rows {
		for i, cell := range r.cells {
			if cell.Run == nil {
				continue
			}
			ns := []float64{2000, 64 * 4000, 64 * 1000}[i]
			switch r.name {
			case benchPCG:
				ns *= 4
			case benchChaCha:
				ns *= 10
			}
			report.Results = append(report.Results, measure.Result{Name: cell.Name, Bytes: cell.Bytes, Times: []float64{ns}})
		}
	}
	_, got := cells(t, benchTable(rows, report, benchSmall*64))
	assert.Equal(t, []string{"15.36", "7.68", "30.72", "16.7", "4.00", "10.00"}, got["u32"])
	assert.Equal(t, []string{"3.84", "1.92", "-", "66.7", "1.00", "2.50"}, got[benchPCG])
	assert.Equal(t, []string{"1.54", "0.77", "-", "166.7", "0.40", "1.00"}, got[benchChaCha])
}

// A row that writes less than it says would look fast.
func TestBenchRowsWriteTheirBuffer(t *testing.T) {
	const large = 1 << 20
	buf := make([]uint64, large/8+1)
	for _, r := range benchRows(buf, large) {
		for _, cell := range r.cells {
			if cell.Run == nil {
				continue
			}
			clear(buf)
			cell.Run(1)
			n := cell.Bytes / 8
			assert.Zero(t, buf[n], "%s: writes no further", cell.Name)
			slices.Sort(buf[:n])
			// A pair of float32 is two of 2^23 values each: hardly ever twice. Eight of
			// two values each are often the same, and have a row only for bool.
			if strings.HasPrefix(cell.Name, "bernoulli") {
				assert.LessOrEqual(t, len(slices.Compact(buf[:n])), 256, cell.Name)
				continue
			}
			assert.Greater(t, len(slices.Compact(buf[:n])), n-10, cell.Name)
		}
	}
}

func TestBenchRefuses(t *testing.T) {
	for _, c := range []struct{ flag, value string }{
		{"rounds", "0"}, {"rounds", "-1"}, {"rounds", "10001"}, {"rounds", "x"},
		{"large", "8"}, {"large", "30720"}, {"large", "65544"}, {"large", "1e10"}, {"large", "-16"}, {"large", ""},
	} {
		text := fails(t, 2, "bench", "-"+c.flag, c.value)
		assert.Contains(t, text, "-"+c.flag+" = "+strconv.Quote(c.value))
	}
	assert.Contains(t, fails(t, 2, "bench", "u32"), `"u32"`)
	for _, value := range []string{"0", "8", "100", "1e13", "x"} {
		assert.Contains(t, fails(t, 2, "bench", "-device", "cuda:0", "-large", value), "-large = "+strconv.Quote(value))
	}
}

func TestBenchOfADevice(t *testing.T) {
	devicetest.Use(t)
	text := string(runs(t, "bench", "-device", "cuda:0", "-rounds", "3", "-large", "0x10000"))
	assert.Regexp(t, `^cuda:0: .*\n64 KiB, go.*\n\n`, text)
	columns, rows := cells(t, text)
	assert.Equal(t, []string{"distribution", "GB/s", "x memset", "10^9 numbers/s"}, columns)
	assert.Len(t, rows, len(dists)+4)
	for _, d := range dists {
		assert.Contains(t, rows, d.name)
	}
	for name, values := range rows {
		for _, text := range values {
			_, err := strconv.ParseFloat(text, 64)
			assert.NoError(t, err, name)
		}
	}
	assert.Equal(t, "1.00", rows["memset"][1], "beside itself")
}

// From made-up times: a MiB in 1048.576 ns are 1000 GB/s.
func TestDeviceBenchTable(t *testing.T) {
	const large = 1 << 20
	rows := []deviceBenchRow{{name: "memset", bytes: large, elements: large}, {name: "u32", bytes: large, elements: large / 4}, {name: "mask", bytes: large / 8, elements: large}}
	var report measure.Report
	for i, r := range rows {
		report.Results = append(report.Results, measure.Result{Name: r.name, Bytes: r.bytes, Times: []float64{1048.576 * []float64{1, 2, 4}[i]}})
	}
	_, got := cells(t, deviceBenchTable(cuda.Info{}, rows, report, large))
	assert.Equal(t, map[string][]string{"memset": {"1000.0", "1.00", "1000.0"}, "u32": {"500.0", "0.50", "125.0"}, "mask": {"31.2", "0.03", "250.0"}}, got)
}

// A row that writes less than it says would look fast.
func TestDeviceBenchRowsWriteTheirMemory(t *testing.T) {
	const large = 1 << 16
	mem, err := cuda.Alloc[byte](devicetest.Open(t), large)
	require.NoError(t, err)
	rows, err := deviceBenchRows(mem)
	require.NoError(t, err)
	got := make([]byte, large)
	for _, r := range rows {
		// Bytes that are the same after other ones are those that are not written.
		unwritten := make([]bool, large)
		for i, b := range []byte{0, 0xff} {
			require.NoError(t, mem.SetBytes(b))
			require.NoError(t, r.queue())
			require.NoError(t, mem.CopyTo(got))
			for j := range got {
				unwritten[j] = got[j] == b && (i == 0 || unwritten[j])
			}
		}
		n := 0
		for _, not := range unwritten {
			if !not {
				n++
			}
		}
		assert.Equal(t, r.bytes, n, r.name)
	}
}

func TestBenchStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var stdout, stderr bytes.Buffer
	assert.Equal(t, 1, run(ctx, []string{"bench"}, &stdout, &stderr))
	assert.Empty(t, stdout.String())
	assert.Equal(t, "philox bench: stopped by a signal\n", stderr.String())
}
