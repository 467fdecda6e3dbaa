package curand

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Tables that cuRAND made: lambda, first value, cells and place in the file, where the float64
// ends of all cells' own parts are followed by the numbers of the other cells.
func TestTables(t *testing.T) {
	bin := readZipped(t, "testdata/tables.bin.gz")
	txt, err := os.ReadFile("testdata/tables.txt")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(txt)), "\n")
	require.Len(t, lines, 5)
	for _, line := range lines {
		var lambda float64
		var first uint32
		var n, at int
		_, err := fmt.Sscan(line, &lambda, &first, &n, &at)
		require.NoError(t, err)
		got := newTable(lambda)
		require.Equal(t, first, got.first, line)
		require.Len(t, got.cells, n, line)
		var off float64
		for j, c := range got.cells {
			until := math.Float64frombits(binary.LittleEndian.Uint64(bin[at+8*j:]))
			other := binary.LittleEndian.Uint32(bin[at+8*n+4*j:])
			require.Equal(t, first+uint32(j), c.own, line)
			require.Equal(t, first+other, c.other, "%s: cell %d", line, j)
			off += math.Abs(until - c.until)
		}
		// How many of all words fall between cuRAND's ends and these. Go's logarithms and
		// exponentials differ in last places from those of the C library.
		assert.Less(t, off*0x1p32, 1e-3, line)
	}
}

func TestTableEnds(t *testing.T) {
	for _, lambda := range []float64{math.SmallestNonzeroFloat64, 1e-300, 1e-5, 0.5, 700, 746, 1999.9} {
		table := newTable(lambda)
		sum := make([]float64, len(table.cells))
		width := 1 / float64(len(table.cells))
		for j, c := range table.cells {
			from := float64(j) * width
			require.True(t, from <= c.until && c.until <= from+width*(1+1e-9), "lambda = %v, cell %d: %v", lambda, j, c.until)
			sum[j] += c.until - from
			sum[c.other-table.first] += from + width - c.until
		}
		var mean float64
		for j, p := range sum {
			mean += p * float64(table.first+uint32(j))
		}
		assert.InEpsilon(t, lambda+1, mean+1, 1e-9, "lambda = %v: mean", lambda)
		for word, c := range map[uint32]cell{0: table.cells[0], math.MaxUint32: table.cells[len(table.cells)-1]} {
			assert.Contains(t, []uint32{c.own, c.other}, table.at(word), "lambda = %v: word %d", lambda, word)
		}
	}
}

func TestNewPoissonRefuses(t *testing.T) {
	for _, lambda := range []float64{0, -1, 400001, math.Inf(1), math.NaN()} {
		_, err := NewPoisson(lambda)
		assert.EqualError(t, err, fmt.Sprintf("curand: lambda = %v: must be above 0 and at most 400000", lambda))
		assert.Equal(t, err, NewGenerator().GeneratePoisson(make([]uint32, 3), lambda))
	}
}
