//go:build unix && !purego && !race

// Other builds would only repeat it: what is built here has neither the tag nor
// the detector.

package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/philox/asm"
)

// A flip is one change of a source file.
type flip struct {
	file     string
	function string // the assembly function it must be in, if any
	from, to string // the first place after that, which must be on one line
}

// apply returns text with the change made. That it cannot be made is a failure: a
// kernel that is written anew needs new flips.
func (f flip) apply(t *testing.T, text string) string {
	t.Helper()
	start, end := 0, len(text)
	if f.function != "" {
		head := "TEXT ·" + f.function + "(SB)"
		start = strings.Index(text, head)
		require.GreaterOrEqual(t, start, 0, "%s: no function %s", f.file, f.function)
		if next := strings.Index(text[start+len(head):], "\nTEXT "); next >= 0 {
			end = start + len(head) + next
		}
	}
	at := strings.Index(text[start:end], f.from)
	require.GreaterOrEqual(t, at, 0, "%s: %s has no %q", f.file, f.function, f.from)
	at += start
	return text[:at] + f.to + text[at+len(f.from):]
}

const (
	avx2File   = "philox/asm/kernels_avx2_amd64.s"
	avx512File = "philox/asm/kernels_avx512_amd64.s"
)

// normals are the kinds that are made of pairs, each by kernels that the others of
// its type have too.
func normals() []asm.Kind {
	return []asm.Kind{asm.Normal32, asm.Normal64, asm.Truncated32, asm.Truncated64}
}

// A kernelFault is flips in the kernels of each vector level, which the same kinds
// show, a flip for each kind or for several. Levels and kinds do not touch each other,
// so that one program can have all these faults.
type kernelFault struct {
	name         string
	avx2, avx512 []flip
	kinds        []asm.Kind
	also2        []asm.Kind // what shows it at AVX2 too, where more shares a constant
	hardOnly     bool       // shown by none but hard words
	draws        string     // what the first failed case of draws is of, if one flip is theirs
	// The shortest fills, in bytes, that show it.
	shortest2, shortest512 int
}

var kernelFaults = []kernelFault{
	{
		name:   "multiplier",
		avx2:   []flip{{avx2File, "", "/4, $0xd2511f53\n", "/4, $0xd2511f52\n"}},
		avx512: []flip{{avx512File, "", "/4, $0xd2511f53\n", "/4, $0xd2511f52\n"}},
		kinds:  asm.Kinds(),
	},
	{
		name: "mask of float32, and a bound", // the mask in the first lane only, where each lane has its own
		avx2: []flip{
			{avx2File, "", "/4, $0x007fffff\n", "/4, $0x007ffffe\n"},
			{avx2File, "outside64AVX2", "$0x06, Y14, Y6, Y6", "$0x0b, Y14, Y6, Y6"},
		},
		avx512: []flip{
			{avx512File, "", "/4, $0x007fffff\n", "/4, $0x003fffff\n"},
			{avx512File, "outside64AVX512", "KORW          K2, K6, K2", "KORW          K2, K2, K2"},
		},
		kinds: []asm.Kind{asm.Float32, asm.Truncated64}, also2: []asm.Kind{asm.Normal32, asm.Truncated32},
	},
	{
		name: "mask of float64, and a bound",
		avx2: []flip{
			{avx2File, "", "/8, $0x000fffffffffffff\n", "/8, $0x0007ffffffffffff\n"},
			{avx2File, "outside32AVX2", "$0x09, Y15, Y2, Y3", "$0x0b, Y15, Y2, Y3"},
		},
		avx512: []flip{
			{avx512File, "", "/8, $0x000fffffffffffff\n", "/8, $0x000ffffffffffffe\n"},
			{avx512File, "outside32AVX512", "$0x09, Z31, Z4, K3", "$0x0b, Z31, Z4, K3"},
		},
		kinds: []asm.Kind{asm.Float64, asm.Truncated32}, also2: []asm.Kind{asm.Normal64, asm.Truncated64},
	},
	{
		name: "one half of the open uniform, and a logarithm",
		avx2: []flip{
			{avx2File, "", "$(0.00000000011641532)", "$(0.00000000011641533)"},
			{avx2File, "", "$(0.08340803)", "$(0.08340804)"},
			{avx2File, "", "$(0.0833333333339921)", "$(0.0833333333339922)"},
		},
		avx512: []flip{
			{avx512File, "", "$(0.00000000011641532)", "$(0.0000000001164154)"},
			{avx512File, "", "$(-0.012809317)", "$(-0.012809319)"},
			{avx512File, "", "$(0.00045140518475340826)", "$(0.00045140518475340926)"},
		},
		kinds: append(normals(), asm.OpenFloat32),
	},
	{
		name: "most of the open uniform, which one word in 2^24 shows, and a sine",
		avx2: []flip{
			{avx2File, "", "$(0.99999994)", "$(1.0)"},
			{avx2File, "", "$(-0.6459635)", "$(-0.6459634)"},
			{avx2File, "", "$(0.00000000000000005602992072767421)", "$(0.00000000000000004602992072767421)"},
			{avx2File, "chosen8AVX2", "VPERMQ       $0xd8", "VPERMQ       $0xe4"},
		},
		avx512: []flip{
			{avx512File, "", "$(0.99999994)", "$(1.0)"},
			{avx512File, "", "$(1.5707964)", "$(1.5707963)"},
			{avx512File, "", "$(-0.6459640975062443)", "$(-0.6459640975062441)"},
			{avx512File, "chosen16AVX512", "KUNPCKWD        K2, K3, K2", "KUNPCKWD        K3, K2, K2"},
		},
		kinds: append(normals(), asm.OpenFloat32),
		draws: "^choice of (1|2) bytes ",
	},
	{
		name: "a cosine",
		avx2: []flip{
			{avx2File, "", "$(0.25366908)", "$(0.2536691)"},
			{avx2File, "", "$(-0.020863480763180973)", "$(-0.02086348076318099)"},
			{avx2File, "float16AVX2", "VPSLLD       $0x03", "VPSLLD       $0x02"},
		},
		avx512: []flip{
			{avx512File, "", "$(-1.2337005)", "$(-1.2337004)"},
			{avx512File, "", "$(0.2536695079010417)", "$(0.2536695079010421)"},
			{avx512File, "float16AVX512", "VPSLLD          $0x03", "VPSLLD          $0x02"},
		},
		kinds: normals(),
		draws: "^uniform float16, ",
	},
	{
		name: "rounding to a quadrant, which one word in 2^32 shows",
		avx2: []flip{
			{avx2File, "", "/4, $0x20000000\n", "/4, $0x20000001\n"},
			{avx2File, "", "/8, $0x2000000000000000\n", "/8, $0x2000000000000001\n"},
			{avx2File, "range32AVX2", "VMINPS       168(SI)", "VMINPS       136(SI)"},
		},
		avx512: []flip{
			{avx512File, "", "/4, $0x20000000\n", "/4, $0x1fffffff\n"},
			{avx512File, "", "/8, $0x2000000000000000\n", "/8, $0x2000000000000001\n"},
			{avx512File, "range64AVX512", "VMINPD.BCST      264(SI)", "VMINPD.BCST      232(SI)"},
		},
		kinds: []asm.Kind{asm.Normal32, asm.Normal64}, hardOnly: true,
		draws: "^uniform float(32|64) from -3 to 5, ",
	},
	{
		name: "a scale, and the list of what is outside the bounds",
		avx2: []flip{
			{avx2File, "scaledNormal32AVX2", "VFMADD213PS  (SI),", "VFMADD213PS  32(SI),"},
			{avx2File, "scaledNormal64AVX2", "VFMADD213PD  64(SI),", "VFMADD213PD  96(SI),"},
			{avx2File, "outside32AVX2", "SHLL      $0x10, CX", "SHLL      $0x11, CX"},
			{avx2File, "outside64AVX2", "ADDL $+16, R11", "ADDL $+15, R11"},
			{avx2File, "heldExponential32AVX2", "VMAXPS       32(SI)", "VMAXPS       64(SI)"},
		},
		avx512: []flip{
			{avx512File, "scaledNormal32AVX512", "VFMADD213PS.BCST  (SI),", "VFMADD213PS.BCST  32(SI),"},
			{avx512File, "scaledNormal64AVX512", "VBROADCASTSD      96(SI),", "VBROADCASTSD      64(SI),"},
			{avx512File, "outside32AVX512", "VPCOMPRESSD.Z Z29, K2, Z2", "VPCOMPRESSD.Z Z28, K2, Z2"},
			{avx512File, "outside64AVX512", "VPCOMPRESSD.Z Y29, K4, Y6", "VPCOMPRESSD.Z Y28, K4, Y6"},
			{avx512File, "scaledExponential64AVX512", "VDIVPD.BCST      96(SI)", "VDIVPD.BCST      128(SI)"},
		},
		kinds: normals(),
		draws: "^exponential float(32 of rate 2 from 0.25 to 1|64 of rate 0.3.*), ",
	},
	{
		name: "block of a listed element",
		avx2: []flip{
			{avx2File, "pairs32AVX2", "VPSRLQ     $0x02, Y4, Y4", "VPSRLQ     $0x03, Y4, Y4"},
			{avx2File, "pairs64AVX2", "VPERMQ     $0xd8, Y2, Y2", "VPERMQ     $0xd9, Y2, Y2"},
		},
		avx512: []flip{
			{avx512File, "pairs32AVX512", "VPSRLQ          $0x02, Z4, Z4", "VPSRLQ          $0x03, Z4, Z4"},
			{avx512File, "pairs64AVX512", "VPSRLQ          $0x01, Z4, Z4", "VPSRLQ          $0x02, Z4, Z4"},
		},
		kinds: []asm.Kind{asm.Truncated32, asm.Truncated64},
	},
	{
		name: "half of a listed element's block, or of its pair", // for AVX2 float64 that is Go
		avx2: []flip{
			{avx2File, "pairs32AVX2", "VPSLLQ     $0x3e,", "VPSLLQ     $0x3f,"},
			{avx2File, "pairs64AVX2", "VPSRLQ     $0x01,", "VPSRLQ     $0x02,"},
		},
		avx512: []flip{
			{avx512File, "pairs32AVX512", "VPTESTMQ.BCST ", "VPTESTNMQ.BCST"},
			{avx512File, "place64AVX512", "VPANDQ        Z28,", "VPANDQ        Z29,"},
		},
		kinds: []asm.Kind{asm.Truncated32, asm.Truncated64},
	},
	{
		name: "pairs of words taken apart, and a bound of a listed element",
		avx2: []flip{
			{avx2File, "unzip32AVX2", "VSHUFPS $0x88,", "VSHUFPS $0x89,"},
			{avx2File, "unzip64AVX2", "VUNPCKLPD", "VUNPCKHPD"},
			{avx2File, "integers64AVX2", "VPBLENDD  $0x55, Y3, Y4, Y4", "VPBLENDD  $0x54, Y3, Y4, Y4"},
		},
		avx512: []flip{{avx512File, "place32AVX512", "KORW          K1, K2, K1", "KORW          K1, K1, K1"}, {avx512File, "integers32AVX512", "VPCMPUD       $0x01", "VPCMPUD       $0x02"}},
		kinds:  []asm.Kind{asm.Truncated32}, also2: []asm.Kind{asm.Normal32, asm.Normal64},
		draws: "^3221225472 integers of 1 bytes, |^1099511627777 integers of 8 bytes, ",
	},
	{
		name: "instruction of the words kernels",
		avx2: []flip{
			{avx2File, "wordsAVX2", "VPSHUFD      $0xf5,", "VPSHUFD      $0xf4,"},
			{avx2File, "unzipped32AVX2", "VPSHUFD      $0x72, Y0, Y0", "VPSHUFD      $0x73, Y0, Y0"},
			{avx2File, "unzipped64AVX2", "VPSHUFD      $0xf5,", "VPSHUFD      $0xf4,"},
		},
		avx512: []flip{{avx512File, "wordsAVX512", "MOVL         $0x0000aaaa, AX", "MOVL         $0x0000aaa8, AX"}},
		kinds:  append(normals(), asm.Uint32, asm.Uint64, asm.Bytes),
	},
	{
		name:   "lane of the longest loop", // M0 times the distance in blocks
		avx2:   []flip{{avx2File, "", "$0x0000001d936867ac", "$0x0000001d936867ad"}},
		avx512: []flip{{avx512File, "", "$0x000000349447d4c0", "$0x000000349447d4c1"}},
		kinds:  asm.Kinds(),
		// Five and nine groups of 128 bytes.
		shortest2: 5 * 128, shortest512: 9 * 128,
	},
}

// A table is what check printed.
type table struct {
	text     string
	rows     map[string][]string // the cells by the row's name
	failures map[string]string   // what is said below of "row, column"
	verdict  string
}

func parseTable(t *testing.T, text string) table {
	t.Helper()
	tab := table{text: text, rows: map[string][]string{}, failures: map[string]string{}}
	head, rest, found := strings.Cut(text, "\n\n")
	require.True(t, found, text)
	for _, line := range strings.Split(head, "\n")[1:] {
		name, cells := strings.TrimSpace(line[:nameWidth]), line[nameWidth:]
		if strings.HasPrefix(cells, "not on this machine: ") {
			continue
		}
		require.Len(t, cells[2*cellWidth:], len(strings.TrimSpace(cells[2*cellWidth:])), text)
		tab.rows[name] = []string{cells[:cellWidth], cells[cellWidth : 2*cellWidth], cells[2*cellWidth:]}
	}
	if below, verdict, found := strings.Cut(rest, "\n\n"); found {
		rest = verdict
		cell := ""
		for _, line := range strings.Split(below, "\n") {
			if about, indented := strings.CutPrefix(line, "    "); indented {
				tab.failures[cell] = about + ": " + tab.failures[cell]
				continue
			}
			name, wrong, found := strings.Cut(line, ": ")
			require.True(t, found, line)
			cell = name
			tab.failures[cell] = wrong
		}
	}
	tab.verdict = strings.TrimSuffix(rest, "\n")
	return tab
}

// failed returns the names of the rows that have a FAIL.
func (tab table) failed() []string {
	names := []string{}
	for name, cells := range tab.rows {
		if strings.Contains(strings.Join(cells, ""), "FAIL") {
			names = append(names, name)
		}
	}
	return names
}

// noDeviceCheck is in place of the files of a device's check.
const noDeviceCheck = `package check

import "github.com/philox-go/rng/cuda"

type Device struct{ Device *cuda.Device }

var DeviceColumns [len(Columns)]string

func (Device) Rows() []Row { return nil }
`

// buildWith builds the program with the flips made in copies of its sources, and
// runs check.
func buildWith(t *testing.T, flips ...flip) table {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	texts, replace := map[string]string{}, map[string]string{}
	for _, f := range flips {
		if texts[f.file] == "" {
			texts[f.file] = string(readFile(t, filepath.Join(root, f.file)))
		}
		texts[f.file] = f.apply(t, texts[f.file])
	}
	for file, text := range texts {
		changed := filepath.Join(dir, strconv.Itoa(len(replace))+filepath.Ext(file))
		require.NoError(t, os.WriteFile(changed, []byte(text), 0o666))
		replace[filepath.Join(root, file)] = changed
	}
	// The check of devices, which is not asked for, takes longer to compile than all the rest.
	stub := filepath.Join(dir, "device.go")
	require.NoError(t, os.WriteFile(stub, []byte(noDeviceCheck), 0o666))
	for _, file := range []string{"batch.go", "dropout.go", "laws.go", "lengths.go", "work.go", "device.go"} {
		replace[filepath.Join(root, "internal/check", file)] = ""
	}
	replace[filepath.Join(root, "internal/check/device.go")] = stub
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o666))
	program := filepath.Join(dir, "philox")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-overlay", filepath.Join(dir, "overlay.json"), "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // linked sooner; the flips are in nothing of C
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))

	cmd, stderr := programCommand(t, program, "check")
	said, err := cmd.Output()
	if errors.Is(err, syscall.ENOEXEC) {
		t.Skip("an emulator runs this test, but not what it builds")
	}
	tab := parseTable(t, string(said))
	if len(tab.failed()) == 0 {
		assert.Zero(t, cmd.ProcessState.ExitCode(), tab.text)
		assert.Empty(t, stderr.String())
		assert.Regexp(t, `^all \d+ cases passed in \d+\.\d s$`, tab.verdict)
		return tab
	}
	assert.Equal(t, 1, cmd.ProcessState.ExitCode(), tab.text)
	assert.Equal(t, "philox check: a fault was found\n", stderr.String())
	// The verdict names the rows in the order of the table.
	for _, name := range tab.failed() {
		assert.Regexp(t, `^FAULT: (.*, )?`+name+`(, .*)?: \d+ of \d+ cases failed in \d+\.\d s$`, tab.verdict)
	}
	return tab
}

// TestCheckFindsOneFlippedConstant is the proof that check can fail: the real
// program, with one constant of its kernels changed, says which of them it is.
func TestCheckFindsOneFlippedConstant(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program many times")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command here; .ci/run also runs this test where there is one")
	}
	t.Run("nothing", func(t *testing.T) {
		t.Parallel()
		tab := buildWith(t)
		assert.Empty(t, tab.failed())
		assert.Len(t, tab.rows, 3+len(asm.Levels())*(len(asm.Kinds())+1))
	})
	for _, f := range kernelFaults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			tab := buildWith(t, slices.Concat(f.avx2, f.avx512)...)
			var others []string // the rows that are of no vector level
			for _, name := range tab.failed() {
				if !strings.HasPrefix(name, "avx") {
					others = append(others, name)
				}
			}
			assert.ElementsMatch(t, f.users(), others, tab.text)
			shortest := map[asm.Level]int{asm.AVX2: f.shortest2, asm.AVX512: f.shortest512}
			for _, l := range asm.Levels()[1:] { // a level that must be here is asked for in asm's tests
				t.Run(l.String(), func(t *testing.T) { f.inLevel(t, tab, l, shortest[l]) })
				if f.draws != "" {
					inDraws(t, tab, l, f.draws)
				}
			}
		})
	}
	for _, f := range drawFaults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			tab := buildWith(t, append(f.avx2, f.avx512...)...)
			for _, l := range asm.Levels()[1:] {
				inDraws(t, tab, l, f.first)
			}
			assert.Subset(t, []string{"avx2 draws", "avx512 draws"}, tab.failed(), tab.text)
		})
	}
	t.Run("portable", testPortableFaults)
	t.Run("library", testLibraryFaults)
}

// drawFaults are flips that the rows of draws show alone, one in each vector level, and
// what the first failed case is of.
var drawFaults = []struct {
	name, first  string
	avx2, avx512 []flip
}{
	{
		"flipped bits", "^bits below ",
		[]flip{{avx2File, "chosenBitsAVX2", "XORL         ", "ORL          "}},
		[]flip{{avx512File, "chosenBitsAVX512", "KXORD           K7", "KORD            K7"}},
	},
	{
		"moved integers", "^6 integers of (1|8) bytes, ",
		[]flip{{avx2File, "add8AVX2", "VPACKUSWB Y2, Y0, Y0", "VPACKUSWB Y0, Y0, Y0"}},
		[]flip{{avx512File, "widen64AVX512", "VPADDQ    Z31", "VPADDD    Z31"}},
	},
	{
		"rounding to 16 bits", "^(normal (float16|bfloat16)|uniform bfloat16 from -3 to 5), ",
		[]flip{{avx2File, "round16AVX2", "VPADDD", "VPSUBD"}},
		[]flip{{avx512File, "roundB16AVX512", "VPSRLD      $0x10, Z0, Z0", "VPSRLD      $0x11, Z0, Z0"}},
	},
}

// users returns the rows that the fault shows in since they use the chosen level.
func (f kernelFault) users() []string {
	switch {
	case asm.Active() == asm.Generic || f.hardOnly:
		return nil
	case slices.Contains(f.kinds, asm.Uint64):
		return []string{"stream", "source"}
	}
	return []string{"stream"}
}

// inDraws wants a level's draws to fail, first of all what a pattern names.
func inDraws(t *testing.T, tab table, l asm.Level, first string) {
	t.Helper()
	name := l.String() + " draws"
	assert.Contains(t, tab.rows[name][1], "FAIL", tab.text)
	assert.Regexp(t, first, tab.failures[name+", reference"])
}

var fillLength = regexp.MustCompile(`, n (\d+), at byte `)

// inLevel wants exactly the rows of the fault's kinds to fail.
func (f kernelFault) inLevel(t *testing.T, tab table, l asm.Level, shortest int) {
	for _, k := range asm.Kinds() {
		name := l.String() + " " + k.String()
		require.Contains(t, tab.rows, name)
		if !slices.Contains(f.kinds, k) && !(l == asm.AVX2 && slices.Contains(f.also2, k)) {
			assert.NotContains(t, tab.failed(), name, tab.text)
			continue
		}
		require.Contains(t, tab.failed(), name, tab.text)
		assert.Contains(t, tab.rows[name][1], "FAIL", tab.text)
		first := tab.failures[name+", reference"]
		assert.Regexp(t, `^(key \[[0-9a-f]{8} [0-9a-f]{8}\], counter \[.{35}\]|hard words from \d+ on, mean .*, std .*), n \d+, .*: element \d+ is 0x[0-9a-f]+, must be 0x[0-9a-f]+$`, first)
		if shortest > 0 {
			// Shorter fills come first, and were all right.
			n, err := strconv.Atoi(fillLength.FindStringSubmatch(first)[1])
			require.NoError(t, err)
			assert.GreaterOrEqual(t, n*k.Size(), shortest, first)
			assert.LessOrEqual(t, n*k.Size(), shortest+128, first) // a loop of the words may be longer
		}
	}
}

// testPortableFaults flips constants of the Go code. What vector levels fill with
// it (short fills, and with layout their parameters) fails as well.
func testPortableFaults(t *testing.T) {
	for _, c := range []struct {
		name  string
		flips []flip
		kinds []asm.Kind
		users []string
		// whether the vector levels' long fills are right, so that the first
		// wrong one is short
		short bool
	}{
		{"key increment", []flip{{"internal/layout/layout.go", "", "W1 = 0xBB67AE85\n", "W1 = 0xBB67AE84\n"}},
			asm.Kinds(), []string{"blocks", "stream", "source"}, false},
		{"schedule of ten rounds", []flip{{"philox/asm/block.go", "", "k1+9*w1&0xffffffff)", "k1+8*w1&0xffffffff)"}},
			asm.Kinds(), []string{"blocks", "stream", "source"}, true},
		{"mask of float32", []flip{{"internal/poly/uniform.go", "", "Mask32 = 1<<23 - 1\n", "Mask32 = 1<<23 - 2\n"}},
			[]asm.Kind{asm.Float32, asm.Normal32, asm.Truncated32}, []string{"stream", "source"}, true},
		{"a sine and 2 ln 2", []flip{
			{"internal/poly/normal32.go", "", "0x1.465e92p-4", "0x1.475e92p-4"},
			{"internal/poly/normal64.go", "", "TwoLn2For64 = 0x1.62e42fefa39efp+0", "TwoLn2For64 = 0x1.62e42fefa49efp+0"},
		}, normals(), []string{"stream"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tab := buildWith(t, c.flips...)
			want := slices.Clone(c.users)
			for _, l := range asm.Levels() {
				if l == asm.Generic || !c.short || slices.Contains(c.kinds, asm.Float32) { // also in short fills
					want = append(want, l.String()+" draws")
				}
				for _, k := range c.kinds {
					if pass := k == asm.Normal32 || k == asm.Normal64; pass && c.short && l != asm.Generic {
						continue // a pass makes the short ones too
					}
					name := l.String() + " " + k.String()
					want = append(want, name)
					if !c.short || l == asm.Generic {
						assert.Contains(t, tab.rows[name][0], "FAIL", "known answers of %s\n%s", name, tab.text)
					}
					first := tab.failures[name+", reference"]
					assert.NotEmpty(t, first, tab.text)
					// Portable code makes some of the elements of long truncated fills too.
					if c.short && l != asm.Generic && k != asm.Truncated32 && k != asm.Truncated64 {
						n, err := strconv.Atoi(fillLength.FindStringSubmatch(first)[1])
						require.NoError(t, err)
						assert.LessOrEqual(t, n*k.Size(), 64, first)
					}
				}
			}
			assert.ElementsMatch(t, want, tab.failed(), tab.text)
		})
	}
}

// testLibraryFaults changes what is built upon the kernels, and how they are called.
func testLibraryFaults(t *testing.T) {
	vectors := []string{}
	for _, l := range asm.Levels()[1:] {
		vectors = append(vectors, l.String()+" bytes", l.String()+" float32")
	}
	truncated, spans := []string{"blocks", "stream"}, []string{"blocks"}
	for _, l := range asm.Levels() {
		of := []string{l.String() + " truncated32", l.String() + " truncated64"}
		truncated = append(append(truncated, of...), l.String()+" draws")
		if l != asm.Generic {
			spans = append(spans, of...)
		}
	}
	if asm.Active() != asm.Generic {
		spans = append(spans, "stream")
	}
	// Faults that different rows show share a program.
	for _, c := range []struct {
		name  string
		flips []flip
		rows  []string
	}{
		{"seed of a new source, and uniforms between bounds", []flip{
			{"philox/source.go", "", "New(seed).Source()", "New(seed + 1).Source()"},
			{"philox/asm/truncated.go", "", "q = float64(d * (d/2 + t.alpha))", "q = float64(d * d)"},
		}, []string{"source", "stream"}},
		{"skip of 2^32 blocks, and exponentials", []flip{
			{"philox/source.go", "", "block.Skip(n/2|carry<<63)", "block.Skip(n/2%(1<<32)|carry<<63)"},
			{"philox/asm/truncated.go", "", "d := (e - 1) / t.lambda", "d := e / t.lambda"},
		}, []string{"source", "stream"}},
		{"open uniforms from the start", []flip{{"philox/stream.go", "",
			"s.fill(asm.OpenFloat32, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), 0)",
			"s.fill(asm.Float32, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), 0)"}}, []string{"stream"}},
		{"counter of a pair", []flip{{"philox/philox.go", "", "FromUint64s(subsequence, offset)", "FromUint64s(offset, subsequence)"}},
			[]string{"blocks", "stream"}},
		{"words past 2^64, and attempts", []flip{
			{"skip/counter.go", "", "hi<<62|lo>>2", "lo>>2"},
			{"philox/asm/truncated.go", "", "hi ^ 1<<63 ^ a<<48", "hi ^ 1<<63 ^ a<<47"},
		}, truncated},
		{"multiplier of a sibling, and spans", []flip{
			{"philox/philox.go", "", "0xCA5A826395121157", "0xCA5A826395121156"},
			{"philox/asm/truncated_amd64.go", "", "uint64(span / layout.BlockBytes)", "uint64(span / layout.GroupBytes)"},
		}, spans},
		{"groups in 16 bits", []flip{{"philox/asm/vector_amd64.go", "", "groups := piece / groupBytes", "groups := int(uint16(piece / groupBytes))"}}, vectors},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tab := buildWith(t, c.flips...)
			assert.ElementsMatch(t, c.rows, tab.failed(), tab.text)
			for _, row := range c.rows {
				assert.Contains(t, tab.rows[row][1], "FAIL", tab.text)
			}
		})
	}
}
