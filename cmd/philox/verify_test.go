package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// verifies calls verify and returns what it printed and its exit status.
func verifies(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(context.Background(), append([]string{"verify"}, args...), &out, &errs)
	return out.String(), errs.String(), code
}

// recorded writes files of cuRAND's words, as fill makes them: a test of the comparison is in
// package verify.
func recorded(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, args := range map[string]string{
		"device_curand_seed3_sub7_off5.bin":      "-like curand:device -dist u32 -stream 7 -offset 5 -n 64",
		"host_u32_n6_seed3_call0.bin":            "-like curand -dist u32 -n 6",
		"host_normal_n6_seed3_call0.bin":         "-like curand:legacy -dist normal -n 6",
		"dynamic_u32_seed3_off8_n100_call0.bin":  "-like curand:dynamic:h200 -dist u32 -offset 8 -n 100",
		"host_u32_order103_seed3_off9_call0.bin": "-like curand:best -dist u32 -offset 9 -n 300",
	} {
		runs(t, append(strings.Fields("fill -seed 3 "+args), "-out", filepath.Join(dir, name))...)
	}
	return dir
}

func TestVerify(t *testing.T) {
	dir := recorded(t)
	out, errs, code := verifies(t, dir)
	assert.Zero(t, code, errs)
	assert.Empty(t, errs)
	lines := strings.Split(out, "\n")
	assert.Equal(t, []string{
		"system  operator                    arrays exact within unknown wrong unreadable",
		"curand  device_curand                    1     1      -       -     -          -",
		"curand  dynamic_u32                      1     1      -       -     -          -",
		"curand  host_normal                      1     1      -       -     -          -",
		"curand  host_u32                         2     2      -       -     -          -",
		"",
	}, lines[:6])
	assert.Regexp(t, `^5 of 5 arrays are exact in \d+\.\d s$`, lines[6])

	out, _, code = verifies(t, "-v", dir)
	assert.Zero(t, code)
	assert.Contains(t, out, "exact      host_u32_n6_seed3_call0.bin: curand host_u32\n")
	assert.Equal(t, 5, strings.Count(out, "\nexact ")+1)

	// Numbers that are no longer right.
	name := filepath.Join(dir, "host_normal_n6_seed3_call0.bin")
	b := readFile(t, name)
	b[0]++
	require.NoError(t, os.WriteFile(name, b, 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "other.npy"), b, 0o666))
	out, errs, code = verifies(t, dir)
	assert.Equal(t, 1, code)
	assert.Equal(t, "philox verify: not everything is as it should be\n", errs)
	assert.Contains(t, out, "within     host_normal_n6_seed3_call0.bin: curand host_normal: 1 of 6 kept values, by at most 1 ulp: [0] is ")
	assert.Contains(t, out, `unknown    other.npy: ? other: system ""`)
	assert.Regexp(t, `\n4 of 6 arrays are exact, 1 within 1 ulp, 1 unknown in \d+\.\d s\nFAULT: 1 arrays are not as they should be\n$`, out)

	b[3] ^= 0x80
	require.NoError(t, os.WriteFile(name, b, 0o666))
	out, _, code = verifies(t, dir)
	assert.Equal(t, 1, code)
	assert.Contains(t, out, "wrong      host_normal_n6_seed3_call0.bin: curand host_normal: 1 of 6 kept values: [0] is ")

	require.NoError(t, os.WriteFile(name, b[:5], 0o666))
	out, _, code = verifies(t, dir)
	assert.Equal(t, 1, code)
	assert.Contains(t, out, "unreadable host_normal_n6_seed3_call0.bin: curand host_normal: has 5 bytes of values and should have 24\n")
}

// Unknown arrays are no fault, but a check of nothing is.
func TestVerifyOfNothing(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x.npy"), nil, 0o666))
	out, _, code := verifies(t, dir)
	assert.Equal(t, 1, code)
	assert.Contains(t, out, "FAULT: nothing could be compared\n")
	out, errs, code := verifies(t, t.TempDir())
	assert.Equal(t, 1, code)
	assert.Empty(t, out)
	assert.Contains(t, errs, "there is no index.json in it")
}

func TestVerifyBadCommandLines(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{nil, 2, "the folder is missing"},
		{[]string{dir, "-v"}, 2, `unexpected argument "-v": flags stand before the folder`},
		{[]string{dir, dir}, 2, "unexpected argument"},
		{[]string{"-v=x", dir}, 2, "-v"},
		{[]string{"-gpu", "potato", dir}, 2, `-gpu = "potato": `},
		{[]string{"-gpu", "0x0", dir}, 2, `-gpu = "0x0": `},
		{[]string{filepath.Join(dir, "missing")}, 1, "no such file"},
	} {
		said := fails(t, c.code, append([]string{"verify"}, c.args...)...)
		assert.Contains(t, said, c.says)
	}
}

func TestVerifyThatCannotBeWritten(t *testing.T) {
	dir := recorded(t)
	for _, left := range []int{0, 50, 200} {
		var stderr bytes.Buffer
		assert.Equal(t, 1, run(context.Background(), []string{"verify", "-v", dir}, &limitedWriter{left: left}, &stderr))
		assert.Contains(t, stderr.String(), errInjected.Error())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var stderr bytes.Buffer
	assert.Equal(t, 1, run(ctx, []string{"verify", dir}, &bytes.Buffer{}, &stderr))
	assert.Contains(t, stderr.String(), "philox verify: stopped by a signal")
}

func TestSystems(t *testing.T) {
	out := string(runs(t, "systems"))
	for _, line := range []string{
		"torch: PyTorch", "h200 (132x2048)", "curand: cuRAND", "orders    best, default, legacy, dynamic",
	} {
		assert.Contains(t, out, line)
	}
	assert.Regexp(t, `\n    uniform +from=0 to=1 +float32 float64 float16 bfloat16\n`, out)
	assert.Regexp(t, `\n    curand_uniform2_double +float64 +exact\n`, out)
	for line := range strings.Lines(out) {
		assert.LessOrEqual(t, len(line), 81, line)
	}
	assert.Contains(t, fails(t, 2, "systems", "torch"), `unexpected argument "torch"`)
}

// A folder's texts neither move the cursor nor make lines of their own.
func TestVerifyPrintsNoControls(t *testing.T) {
	dir := recorded(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "index.json"),
		[]byte(`[{"system": "\u001b[31m\nfake exact", "name": "a\rb", "file": "x\ny.npy", "n": 1, "dtype": "float32", "seed": "1"}]`), 0o666))
	out, errs, _ := verifies(t, dir)
	assert.Contains(t, out+errs, `fake exact`)
	for _, text := range []string{out, errs} {
		assert.NotContains(t, text, "\x1b")
		assert.NotContains(t, text, "\r")
		assert.NotContains(t, text, "\nfake")
	}
}
