package draw

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

// Lognormal halves are the float32 ones, rounded, across chunks and into the next stream.
func TestLogNormalHalvesAreTheRounded(t *testing.T) {
	s := philox.NewAt(philox.NewKey(3), philox.CounterAt(1, math.MaxUint64-100))
	single, err := LogNormal[float32](0.5, 1.5)
	require.NoError(t, err)
	for _, h := range []asm.Half{asm.F16, asm.B16} {
		half, err := LogNormalHalf(h, 0.5, 1.5)
		require.NoError(t, err)
		for _, n := range []int{1, 7, chunk, chunk + 1, 5*chunk + 3} {
			for first := range uint64(4) {
				want, got := make([]float32, n), make([]uint16, n)
				require.NoError(t, single.Fill(s, unsafe.Pointer(&want[0]), n, first))
				require.NoError(t, half.Fill(s, unsafe.Pointer(&got[0]), n, first))
				for i, x := range want {
					require.Equal(t, h.Round(x), got[i], "%v: element %d of %d from %d on", h, i, n, first)
				}
			}
		}
	}
}

// Bounds whose difference is infinite only once they are rounded make no numbers.
func TestUniformHalfOfAnInfiniteInterval(t *testing.T) {
	x := math.Nextafter32(0x1p127, 0) // bfloat16 rounds it up
	_, err := UniformHalf(asm.B16, -x, x)
	assert.ErrorContains(t, err, "the difference is infinite when both are rounded to bfloat16")
	_, err = UniformHalf(asm.B16, -x, 0x1p126)
	assert.NoError(t, err)
}
