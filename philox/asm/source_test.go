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
	vexOrEvex      = regexp.MustCompile(`^(V|KMOV)`)
	framePointer   = regexp.MustCompile(`\bBP\b`)
	writesDst      = regexp.MustCompile(`^VMOVDQU(64)?\s+[YZ]\d+, (\d+)?\(DI\)$`)
	readsList      = regexp.MustCompile(`^VPMOVZXDQ\s+(\d+)?\(R10\), [YZ]\d+$`)
)

// What some kernels may do with the memory at DI, and with the list at R10.
var (
	ownDst = compiled(map[string]string{
		"normal":      `^(VMOVUPS\s+([YZ]\d+, (\d+)?\(DI\)|(\d+)?\(DI\), [YZ]\d+)|VPOR\s+(\d+)?\(DI\), Y\d+, Y\d+)$`,
		"unzip":       `^VMOVUPS\s+(Y\d+, (\d+)?\(DI\)|(\d+)?\(DI\), Y\d+)$`,
		"outside":     `^VMOVUPS\s+(\d+)?\(DI\), [YZ]\d+$`,
		"place":       `^(VMOVUPS\s+(Z\d+, \(DI\)|\(DI\), Z\d+)|VPERMT2P[SD]\s+64\(DI\), Z\d+, Z\d+|MOV[LQ]\s+(\d+)?\(DI\), CX)$`,
		"exponential": `^VMOVUPS\s+([YZ]\d+, (\d+)?\(DI\)|(\d+)?\(DI\), [YZ]\d+)$`,
		"integers":    `^VMOVDQU(64)?\s+([YZ]\d+, (\d+)?\(DI\)|(\d+)?\(DI\), [YZ]\d+)$`,
		"dropout":     `^VMOVUP[SD]\s+[YZ]\d+, (\d+)?\(DI\)$`,
		"chosen8":     `^(VMOVDQU8\s+Y\d+|VMOVDQU\s+X\d+), (\d+)?\(DI\)$`,
		"chosenbits":  `^(KMOVD\s+K2|MOVW\s+AX), (\d+)?\(DI\)$`,
		"add":         `^(VPMOVD[BW]\s+Z\d+|VMOVDQU(64)?\s+[YZ]\d+), (\d+)?\(DI\)$`,
		"lanes":       `^VMOVDQU(64)?\s+[YZ]\d+, (\d+)?\(DI\)(\(R1[012]\*1\))?$`,
		"roundb":      `^(VPMOVDW\s+Z\d+|VMOVDQU\s+Y\d+), (\d+)?\(DI\)$`,
	})
	ownList = compiled(map[string]string{
		"outside":  `^(VMOVDQU32\s+[YZ]\d+|MOVL\s+CX), \(R10\)$`,
		"place":    `^(VMOVDQU32\s+\(R10\), Z\d+|VPMOVZXDQ\s+\(R10\), Z\d+|MOVL\s+(\d+)?\(R10\), AX)$`,
		"integers": `^(VMOVDQU32\s+Z\d+|MOVL\s+R13), \(R10\)$`,
	})
)

func compiled(rules map[string]string) map[string]*regexp.Regexp {
	all := map[string]*regexp.Regexp{}
	for name, rule := range rules {
		all[name] = regexp.MustCompile(rule)
	}
	return all
}

// ofKernel returns the entry of a kernel whose name contains its key, but for the
// instruction set and capitals, or what holds for others.
func ofKernel(name string, entries map[string]*regexp.Regexp, others *regexp.Regexp) *regexp.Regexp {
	for key, entry := range entries {
		if strings.Contains(strings.ToLower(name), key) && !strings.Contains(name, "unzipped") {
			return entry
		}
	}
	return others
}

// Dirty upper halves slow down or corrupt the SSE code that follows, and one
// legacy instruction among VEX ones costs a state transition on some machines.
func TestAssemblyRules(t *testing.T) {
	if testing.Short() {
		t.Skip("the same text everywhere; .ci/run also runs the tests without -short")
	}
	for file, wide := range map[string]bool{"kernels_avx512_amd64.s": true, "kernels_avx2_amd64.s": false} {
		all := routines(t, file)
		require.Len(t, all, map[bool]int{true: 44, false: 45}[wide], file)
		for name, lines := range all {
			usesWide := false
			for i, line := range lines {
				op := strings.Fields(line)[0]
				if op == "RET" {
					assert.Equal(t, "VZEROUPPER", lines[i-1], "%s: before RET", name)
				}
				if vectorRegister.MatchString(line) {
					assert.Regexp(t, vexOrEvex, op, "%s: not a VEX or EVEX instruction: %s", name, line)
				}
				usesWide = usesWide || wideRegister.MatchString(line)
				// Neither slices nor the list are aligned. Most kernels only write the former
				// and read the latter.
				if strings.Contains(line, "(DI)") {
					assert.Regexp(t, ofKernel(name, ownDst, writesDst), line, name)
				}
				if strings.Contains(line, "(R10)") && op != "LEAQ" {
					assert.Regexp(t, ofKernel(name, ownList, readsList), line, name)
				}
				assert.NotRegexp(t, framePointer, line, "%s: tracers follow the frame pointer", name)
			}
			assert.Equal(t, wide, usesWide, "%s: wide registers", name)
			assert.Equal(t, "RET", lines[len(lines)-1], name)
		}
	}
}
