package main

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/philox-go/rng/bench"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tasks are those that take a short time.
func tasks() []bench.Task { return bench.Tasks()[:2] }

// Every row of this build, for real, with smaller memory than large.
func TestMeasureAll(t *testing.T) {
	rows := bench.Rows()
	var said []string
	got, err := measureAll(t.Context(), rows, tasks(), bench.Memory(1<<20), schedule{3, 1, 10 * time.Microsecond}, func(s string) { said = append(said, s) })
	require.NoError(t, err)
	text := got.markdown(bench.ThisHost())
	assert.NotContains(t, text, "NaN")
	lines := tableRows(t, text)
	require.Len(t, lines, len(rows))
	for i, r := range rows {
		assert.Equal(t, r.Name, lines[i][0])
		assert.Len(t, lines[i], 1+len(got.titles()))
		assert.Equal(t, r.All == nil, lines[i][5] == none, "%s", r.Name)
	}
	assert.Equal(t, []string{"4 KiB", "30 KiB", "256 KiB", "1 MiB", "1 MiB, all cores"}, got.titles()[:5])
	assert.Equal(t, "1.00", lines[0][7])
	assert.Contains(t, said, "in the caches: 100%")
	assert.Contains(t, said, "two cores")
	assert.Contains(t, text, "\n- random.Perm of 10^4 int takes ")
	assert.Equal(t, "1 MiB: 100%", said[len(said)-1])
	assert.LessOrEqual(t, len(said), 303, "a terminal takes time too")
}

// A row on all cores must be the row's All, into all of the memory.
func TestMeasureAllCores(t *testing.T) {
	run, all := map[int]int{}, map[int]int{} // calls by bytes
	count := func(calls map[int]int) bench.Filler {
		return func(mem []byte, times int) {
			calls[len(mem)] += times
			time.Sleep(time.Microsecond)
		}
	}
	_, err := measureAll(t.Context(), []bench.Row{{Name: "x", Run: count(run), All: count(all)}}, tasks(), bench.Memory(1<<20), schedule{1, 1, time.Microsecond}, nil)
	require.NoError(t, err)
	assert.Len(t, run, 4)
	for _, n := range []int{4 << 10, bench.CacheSize, 256 << 10, 1 << 20} {
		assert.NotZero(t, run[n], "%d", n)
	}
	assert.Len(t, all, 1)
	assert.NotZero(t, all[1<<20])
}

func TestMeasureAllStops(t *testing.T) {
	for _, at := range []string{"in the caches: ", "two cores", "1 MiB: "} {
		ctx, cancel := context.WithCancelCause(t.Context())
		stopped := errors.New("stopped")
		_, err := measureAll(ctx, bench.Rows()[:1], tasks(), bench.Memory(1<<20), schedule{2, 2, time.Microsecond}, func(s string) {
			if strings.HasPrefix(s, at) {
				cancel(stopped)
			}
		})
		assert.Equal(t, stopped, err, "%q", at)
	}
}

// tableRows returns the cells of the table's body.
func tableRows(t *testing.T, text string) [][]string {
	t.Helper()
	var rows [][]string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "|") {
			cells := strings.Split(strings.Trim(line, "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			rows = append(rows, cells)
		}
	}
	require.Greater(t, len(rows), 2)
	require.Regexp(t, `^-+$`, rows[1][0])
	return rows[2:]
}

func TestFigure(t *testing.T) {
	for x, want := range map[float64]string{0.004: "0.00", 1.005001: "1.01", 9.994: "9.99", 9.996: "10.0", 12.34: "12.3", 99.94: "99.9", 99.96: "100", 1234.5: "1234"} {
		assert.Equal(t, want, figure(x))
	}
}
