//go:build random123 && cgo

package bench

import (
	"math"
	"testing"

	"github.com/philox-go/rng/philox"
	"github.com/stretchr/testify/assert"
)

func TestRandom123IsTheSameGenerator(t *testing.T) {
	for _, first := range []uint64{0, 1, math.MaxUint32 - 40, math.MaxUint32, 1 << 32, 5<<32 - 64, 5<<32 - 63, 1<<63 + 3<<32 - 7} {
		for _, n := range []int{16, 64, 1000 * 16, 1<<20 + 16} {
			want := make([]uint32, n/4)
			philox.New(seed).Skip(first).FillUint32(want)
			got := filled(t, func(mem []byte, times int) { fillRandom123(mem, first, times) }, n, 1)
			assert.Equal(t, bytesOf(want), got, "first = %#x, %d bytes", first, n)
		}
	}
}

func TestRandom123NamesTheCompiler(t *testing.T) {
	rows := random123Rows()
	assert.Len(t, rows, 1)
	assert.Regexp(t, `^Random123 in C \((clang|gcc) \d+\)$`, rows[0].Name)
}
