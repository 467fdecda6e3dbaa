//go:build !race

package normal

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/philox-go/rng/philox"
)

// The arrays are on the stack: they must not escape, and nothing else be allocated.
func TestTruncatedDoesNotAllocate(t *testing.T) {
	s := philox.New(1)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		var x [3000]float32
		var y [3000]float64
		if FillTruncatedFloat32(s, x[:], 0, 1, -2, 2) != nil || FillTruncatedFloat64At(s, y[:], 1, 0, 1, 3, 4) != nil {
			panic("refused")
		}
	}))
}
