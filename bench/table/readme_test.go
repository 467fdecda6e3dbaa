package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/philox-go/rng/bench"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// README's table must have the rows of today's program, as it is on a machine with
// every level and with Random123.
func TestREADMEHasTheseRows(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, inside, _, err := between(string(readme))
	require.NoError(t, err)
	want := bench.RowNames()
	rows := tableRows(t, inside)
	for i := range rows {
		name := rows[i][0]
		if strings.HasPrefix(name, bench.Random123) {
			name = bench.Random123
		}
		if assert.Less(t, i, len(want), "README has the row %q too much", name) {
			assert.Equal(t, want[i], name, "row %d; write it with -readme", i)
		}
	}
	assert.Len(t, rows, len(want), "write README's table with -readme")
	head := "| filled by | " + strings.Join(testTable(schedule{}).titles(), " | ") + " |"
	assert.Contains(t, inside, head)
}

func TestREADMEIsReplaced(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.md")
	const before, after = "# Title\n\n" + beginMarker, endMarker + "\n\nmore\n"
	require.NoError(t, os.WriteFile(name, []byte(before+"old\nlines"+after), 0o640))
	for range 2 { // the second time it finds what the first one wrote
		got := try(t, testRows, "-readme", name)
		require.Zero(t, got.status, got.stderr)
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, before+"\n"+got.stdout+after, string(text))
	}
	if runtime.GOOS != "windows" {
		info, err := os.Stat(name)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o640), info.Mode().Perm())
	}
}

func TestMarkers(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.md")
	for text, want := range map[string]string{
		"":          "marker " + beginMarker + " is there 0 times, must be once",
		beginMarker: "marker " + endMarker + " is there 0 times, must be once",
		endMarker:   "marker " + beginMarker + " is there 0 times, must be once",
		beginMarker + "\n" + beginMarker + endMarker: "marker " + beginMarker + " is there 2 times, must be once",
		beginMarker + endMarker + endMarker:          "marker " + endMarker + " is there 2 times, must be once",
		endMarker + beginMarker:                      "marker " + beginMarker + " must come before " + endMarker,
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
		got := try(t, testRows, "-readme", name)
		assert.Equal(t, 1, got.status)
		assert.Equal(t, "table: -readme: "+name+": "+want+"\n", got.stderr)
		assert.Empty(t, got.schedules, "nothing may be measured")
		left, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, text, string(left))
	}
}
