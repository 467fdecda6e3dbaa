//go:build unix

package check

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

// A kernel that writes to memory that is not there fails its cell, and the check
// goes on.
func TestMemoryFault(t *testing.T) {
	nowhere, err := syscall.Mmap(-1, 0, os.Getpagesize(), syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, syscall.Munmap(nowhere)) })
	all := cells(t, with(func(k asm.Kind, dst []byte, n int, key philox.Key, ctr philox.Counter) {
		if n == 333 {
			fillLevel(asm.Best(), k, nowhere[:len(dst)], key, ctr) // the real kernel
		}
	}), "avx512 float32")
	assert.Contains(t, failed(all), "avx512 float32, reference")
	assert.Regexp(t, `, n 333, at byte 0 of a cache line: panic: .*(fault address|invalid memory address)`,
		first(all["avx512 float32, reference"]))
}
