package random_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/random"
)

// Halves are the float32 numbers, rounded, also behind a carry in the counter.
func TestLogNormalHalves(t *testing.T) {
	for _, offset := range []uint64{0, 1<<32 - 70, 1<<64 - 1000} {
		for _, n := range []int{0, 1, 255, 256, 257, 1000, 4000} {
			single, half := make([]float32, n), make([]uint16, n)
			require.NoError(t, random.LogNormal(at(t, 9, 0, offset), single, 1, 3))
			for _, f := range []random.Format{random.Float16, random.BFloat16} {
				require.NoError(t, random.LogNormalHalf(at(t, 9, 0, offset), half, f, 1, 3))
				for i, x := range single {
					if want := asm.Half(f).Round(x); want != half[i] {
						require.Equal(t, want, half[i], fmt.Sprintf("%v %d of %d from block %d", f, i, n, offset))
					}
				}
			}
		}
	}
}
