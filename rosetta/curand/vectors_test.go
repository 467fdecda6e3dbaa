package curand

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A part is what is kept of a recorded array: elements from to to-1.
type part [2]uint64

// recorded is an array that cuRAND made.
type recorded struct {
	File   string
	N      uint64
	SHA256 string
	Kept   []part
}

// vectors calls f with every file of cuRAND's outputs below folder, with what index.json says
// of it, and returns how many of which folder there were.
func vectors(t *testing.T, folder string, f func(dir string, r recorded)) map[string]int {
	found := map[string]int{}
	indexes := map[string]map[string]recorded{}
	require.NoError(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		dir, name := filepath.Split(path)
		if _, _, err := ParseVector(name); err != nil {
			return nil
		}
		if indexes[dir] == nil {
			indexes[dir] = map[string]recorded{}
			if b, err := os.ReadFile(dir + "index.json"); err == nil {
				var all []recorded
				require.NoError(t, json.Unmarshal(b, &all))
				for _, r := range all {
					indexes[dir][r.File] = r
				}
			}
		}
		r := indexes[dir][name]
		r.File = name
		f(dir, r)
		found[filepath.Base(dir)]++
		return nil
	}))
	return found
}

// requireRecorded compares an array with what this package makes, in full where its sum is
// known.
func requireRecorded(t *testing.T, dir string, r recorded) {
	o, n, err := ParseVector(r.File)
	require.NoError(t, err, r.File)
	op, err := FindOp(o.Op)
	require.NoError(t, err)
	want, err := os.ReadFile(filepath.Join(dir, r.File))
	require.NoError(t, err)
	if r.Kept == nil {
		r.Kept = []part{{0, uint64(len(want) / op.Size)}}
	}
	if r.SHA256 != "" {
		require.Equal(t, r.N, n, r.File)
		all, err := o.Bytes(0, n, n)
		require.NoError(t, err, r.File)
		sum := sha256.Sum256(all)
		assert.Equal(t, r.SHA256, hex.EncodeToString(sum[:]), r.File)
	}
	for _, p := range r.Kept {
		got, err := o.Bytes(p[0], p[1]-p[0], n)
		require.NoError(t, err, r.File)
		require.GreaterOrEqual(t, len(want), len(got), r.File)
		assert.True(t, bytes.Equal(want[:len(got)], got), "%s: elements %d to %d", r.File, p[0], p[1])
		want = want[len(got):]
	}
	assert.Empty(t, want, r.File)
}

// All outputs that were recorded, where PHILOX_VECTORS is the folder with the unpacked archives.
func TestAllRecorded(t *testing.T) {
	folder := os.Getenv("PHILOX_VECTORS")
	if folder == "" {
		folder = "testdata"
	}
	found := vectors(t, folder, func(dir string, r recorded) { requireRecorded(t, dir, r) })
	if folder != "testdata" {
		assert.Equal(t, 36, found["dynamic"], "dynamic: files")
		assert.Equal(t, 252+432, found["curand"], "public/curand: files")
		assert.Equal(t, 162, found["public"], "more_public: files")
	}
	t.Log(fmt.Sprint(found))
}
