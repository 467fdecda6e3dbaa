package torch

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Any part of what is drawn with replacement is that of the whole, be it of one row or of
// several.
func TestReplacementInParts(t *testing.T) {
	for _, rows := range []uint64{1, 3} {
		const k = 200
		g := NewGenerator(h200, 3)
		require.NoError(t, g.SetOffset(1<<34-4))
		f, err := Plan(g, "multinomial", "float32", rows*k, "200", "true", "1", "0", "2.5", ".1", "0")
		require.NoError(t, err)
		all := make([]byte, 8*rows*k)
		require.NoError(t, f.Fill(all, 0))
		for first := uint64(0); first < rows*k; first += 37 {
			n := min(190, rows*k-first)
			part := make([]byte, 8*n)
			require.NoError(t, f.Fill(part, first))
			require.Equal(t, all[8*first:8*(first+n)], part, "%d from %d on", n, first)
		}
		assert.Equal(t, uint64(1<<34), f.After())
	}
}

// A row is as long as one order of additions allows, and no longer; of two rows there is no
// end.
func TestReplacementLength(t *testing.T) {
	ones := func(n int) []float64 {
		w := make([]float64, n)
		for i := range w {
			w[i] = 1
		}
		return w
	}
	g, dst := NewGenerator(h200, 3), []int64{-7, -7}
	require.NoError(t, Multinomial(g, dst, ones(2688), 1, 2, true))
	assert.Equal(t, uint64(4), g.Offset())
	dst = []int64{-7, -7}
	err := Multinomial(g, dst, ones(2689), 1, 2, true)
	assert.EqualError(t, err, "torch: len(weights) = 2689: must be at most 2688 for several numbers of one row with replacement: "+
		"the running sums of more float64 depend on which of PyTorch's threads come first")
	assert.Equal(t, []int64{-7, -7}, dst)
	assert.Equal(t, uint64(4), g.Offset())
	require.NoError(t, Multinomial(g, dst, ones(2689), 1, 2, false))
	require.NoError(t, Multinomial(g, make([]int64, 4), ones(2*2689), 2, 2, true))
}

// With more rows than threads have blocks, a thread takes a block for each of its rows.
func TestReplacementOfManyRows(t *testing.T) {
	const rows = gridLimit + 2
	w := make([]float32, rows*2)
	for i := range w {
		w[i] = 1
	}
	g, dst := NewGenerator(h200, 3), make([]int64, rows*2)
	require.NoError(t, Multinomial(g, dst, w, rows, 2, true))
	assert.Equal(t, uint64(8), g.Offset())
	// Row gridLimit has the thread of row 0, one block on.
	u := make([]float32, 2)
	later := NewGenerator(GPU{"", 1, 256}, 3)
	require.NoError(t, later.SetOffset(4))
	require.NoError(t, Uniform(later, u, 0, 1))
	for j, x := range u {
		assert.Equal(t, int64(math.Ceil(2*float64(x)))-1, dst[2*gridLimit+j])
	}
}

// The logarithm of threads is computed without a sign, as PyTorch does.
func TestScanThreads(t *testing.T) {
	for _, c := range []struct {
		rows, columns int
		want          uint32
	}{{2, 1, 4}, {2, 5, 5}, {50, 7, 4}, {2, 5000, 9}, {600, 40, 4}, {1 << 15, 40, 4}, {1<<15 + 1, 40, 9}, {1 << 20, 1000, 9}} {
		assert.Equal(t, c.want, scanThreads(c.rows, c.columns), "%d rows of %d", c.rows, c.columns)
	}
}
