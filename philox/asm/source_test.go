package asm

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// routines returns the lines of each function of an assembly file, without
// comments and labels.
func routines(t *testing.T, file string) map[string][]string {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Skip("no sources here; .ci/run also runs this test where they are")
	}
	found := map[string][]string{}
	var name string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "TEXT"):
			name = strings.TrimPrefix(strings.Split(line, "(SB)")[0], "TEXT ·")
		case strings.HasPrefix(line, "DATA"), strings.HasPrefix(line, "GLOBL"):
			name = ""
		case name != "" && line != "" && !strings.HasPrefix(line, "//") && !strings.HasSuffix(line, ":"):
			found[name] = append(found[name], line)
		}
	}
	return found
}

var (
	vectorRegister = regexp.MustCompile(`\b[XYZ]\d+\b`)
	wideRegister   = regexp.MustCompile(`\bZ\d+\b|\b[XY](1[6-9]|2\d|3[01])\b|\bK[0-7]\b`)
)

// Dirty upper halves slow down or corrupt the SSE code that follows, and one
// legacy instruction among VEX ones costs a state transition on some machines.
func TestAssemblyRules(t *testing.T) {
	for file, wide := range map[string]bool{"kernels_avx512_amd64.s": true, "kernels_avx2_amd64.s": false} {
		all := routines(t, file)
		require.Len(t, all, 12, file)
		for name, lines := range all {
			usesWide := false
			for i, line := range lines {
				op := strings.Fields(line)[0]
				if op == "RET" {
					assert.Equal(t, "VZEROUPPER", lines[i-1], "%s: before RET", name)
				}
				if vectorRegister.MatchString(line) {
					assert.Regexp(t, "^(V|KMOV)", op, "%s: not a VEX or EVEX instruction: %s", name, line)
				}
				usesWide = usesWide || wideRegister.MatchString(line)
				// Slices need not be aligned, and only a pass and what looks for elements
				// outside the bounds read their memory; the latter does not write it.
				if strings.Contains(line, "(DI)") {
					access := `^VMOVDQU(64)?\s+[YZ]\d+, (\d+)?\(DI\)$`
					switch {
					case strings.Contains(strings.ToLower(name), "normal"):
						access = `^VMOVUPS\s+([YZ]\d+, (\d+)?\(DI\)|(\d+)?\(DI\), [YZ]\d+)$`
					case strings.HasPrefix(name, "outside"):
						access = `^VMOVUPS\s+(\d+)?\(DI\), [YZ]\d+$`
					}
					assert.Regexp(t, access, line, name)
				}
				// Nor is the list aligned. What looks writes it, and what makes words
				// reads it; the other instructions move on in it.
				if strings.Contains(line, "(R10)") && op != "LEAQ" {
					access := `^VPMOVZXDQ\s+(\d+)?\(R10\), [YZ]\d+$`
					if strings.HasPrefix(name, "outside") {
						access = `^(VMOVDQU32\s+[YZ]\d+|MOVL\s+CX), \(R10\)$`
					}
					assert.Regexp(t, access, line, name)
				}
				assert.NotRegexp(t, `\bBP\b`, line, "%s: tracers follow the frame pointer", name)
			}
			assert.Equal(t, wide, usesWide, "%s: wide registers", name)
			assert.Equal(t, "RET", lines[len(lines)-1], name)
		}
	}
}
