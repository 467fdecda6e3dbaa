//go:build unix

package verify

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A pipe that nobody writes to would be waited for.
func TestPipe(t *testing.T) {
	entry, _ := good(t)
	for _, name := range []string{"x.npy", indexName} {
		dir := t.TempDir()
		require.NoError(t, syscall.Mkfifo(filepath.Join(dir, name), 0o666))
		if name != indexName {
			writeIndex(t, dir, entry)
		}
		r := result(t, dir)
		assert.Equal(t, Unreadable, r.Outcome)
		assert.Equal(t, "is not a regular file", r.Detail)
	}
}
