package poly

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// SEQUENCE.md holds the coefficients for people without this code, so it must not
// drift from them.
func TestSequenceHasTheCoefficients(t *testing.T) {
	text, err := os.ReadFile("../../SEQUENCE.md")
	if err != nil {
		t.Skip("no sources here; .ci/run also runs this test where they are")
	}
	for name, p := range map[string][]float32{"R": LogPoly32[:], "P": SinPoly32[:], "Q": CosPoly32[:]} {
		assert.Contains(t, string(text), "| float32 "+name+" | `"+hexes(p, 32)+"` |", name)
	}
	for name, p := range map[string][]float64{"R": LogPoly64[:], "P": SinPoly64[:], "Q": CosPoly64[:], "X": ExpPoly64[:], "A": AtanhPoly64[:]} {
		assert.Contains(t, string(text), "| float64 "+name+" | `"+hexes(p, 64)+"` |", name)
	}
	assert.Contains(t, string(text), "| float32 2 ln 2, pi/2 | `"+hexes([]float32{TwoLn2For32, SinLead32}, 32)+"` |")
	assert.Contains(t, string(text), "| float64 2 ln 2, pi/2 | `"+hexes([]float64{TwoLn2For64, SinLead64}, 64)+"` |")
}

func hexes[T float32 | float64](p []T, bits int) string {
	var all []string
	for _, v := range p {
		all = append(all, strconv.FormatFloat(float64(v), 'x', -1, bits))
	}
	return strings.Join(all, " ")
}
