//go:build !purego

package asm

import (
	"testing"

	"github.com/philox-go/rng/internal/layout"
	"github.com/stretchr/testify/assert"
)

// A collection waits for at most one call; see also the test of package philox
// that measures it.
func TestKernelCallsAreShort(t *testing.T) {
	assert.LessOrEqual(t, callGroups*layout.GroupBytes, 64<<10)
}
