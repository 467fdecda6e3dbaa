package main

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/check"
	"github.com/philox-go/rng/internal/devicetest"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

func TestCheck(t *testing.T) {
	text := string(runs(t, "check"))
	assert.Regexp(t, `^ {21}known answers {6}reference {10}carries\n`, text)
	assert.Regexp(t, `\nblocks {15}ok \d+ +ok \d+ +ok \d+\n`, text)
	for _, l := range asm.AllLevels() {
		if why := asm.Missing(l); len(why) > 0 {
			assert.Contains(t, text, "\n"+l.String())
			assert.Contains(t, text, " not on this machine: "+why[0])
			continue
		}
		for _, k := range asm.Kinds() {
			assert.Regexp(t, `\n`+l.String()+` `+k.String()+` +ok \d+ +ok \d+ +ok \d+\n`, text)
		}
	}
	assert.Regexp(t, `\nstream +ok .*\nsource +ok .*\n\nall \d{6} cases passed in \d+\.\d s\n$`, text)
	assert.NotContains(t, text, "FAIL")
}

// portableLibrary is quicker to check.
func portableLibrary() check.Library {
	lib := check.This()
	lib.Levels = []asm.Level{asm.Generic}
	return lib
}

func TestCheckReportsFaults(t *testing.T) {
	lib := portableLibrary()
	fill := lib.Fill
	lib.Fill = func(l asm.Level, k asm.Kind, dst []byte, key philox.Key, ctr philox.Counter) {
		fill(l, k, dst, key, ctr)
		if k == asm.OpenFloat32 && len(dst) == 4*123 {
			dst[4*122] ^= 0x10
		}
		if k == asm.Bytes && len(dst) == 17 {
			panic("out of luck")
		}
	}
	var out bytes.Buffer
	err := checkLibrary(t.Context(), &out, lib)
	assert.EqualError(t, err, "a fault was found")
	text := out.String()
	assert.Regexp(t, `\ngeneric float32      ok \d+ +ok \d+ +ok \d+\n`, text)
	assert.Regexp(t, `\ngeneric bytes        ok \d+ +FAIL \d+/\d+ +ok \d+\n`, text)
	assert.Regexp(t, `\ngeneric open float32 ok \d+ +FAIL \d+/\d+ +ok \d+\n`, text)
	assert.Regexp(t, `\n
generic bytes, reference: panic: out of luck
    key \[.{17}\], counter \[.{35}\], n 17, at byte 0 of a cache line
generic open float32, reference: element 122 is 0x[0-9a-f]{8}, must be 0x[0-9a-f]{8}
    key \[.{17}\], counter \[.{35}\], n 123, at byte 0 of a cache line

FAULT: generic bytes, generic open float32: \d+ of \d+ cases failed in \d+\.\d s
$`, text)
}

func TestCheckThatCannotBeWritten(t *testing.T) {
	for left := range 3 {
		err := checkLibrary(t.Context(), &limitedWriter{left: left * 100}, portableLibrary())
		assert.ErrorIs(t, err, errInjected)
	}
	var stderr bytes.Buffer
	assert.Equal(t, 1, run(t.Context(), []string{"check"}, &limitedWriter{left: 100}, &stderr))
	assert.Equal(t, "philox check: standard output: "+errInjected.Error()+"\n", stderr.String())
}

// A fault is not forgotten over a full disk.
func TestCheckFaultThatCannotBeWritten(t *testing.T) {
	var whole bytes.Buffer
	lib := portableLibrary()
	lib.Levels = nil
	lib.Blocks["philox2x32 7"] = func(_, _ []uint64) []uint64 { return make([]uint64, 2) }
	require.ErrorIs(t, checkLibrary(t.Context(), &whole, lib), errFault)
	err := checkLibrary(t.Context(), &limitedWriter{left: whole.Len() - 5}, lib)
	assert.ErrorIs(t, err, errFault)
	assert.ErrorIs(t, err, errInjected)
}

func TestCheckOfADevice(t *testing.T) {
	d := check.Device{Device: devicetest.Open(t), Short: true}
	var out bytes.Buffer
	require.NoError(t, checkDevice(t.Context(), &out, d), out.String())
	assert.Regexp(t, `^cuda:0: .*, compute capability .*, driver for CUDA \d+\.\d+\n\n {21}reference {10}carries {12}states\n`, out.String())
	for _, row := range d.Rows() {
		if row.Name != "roots" {
			assert.Regexp(t, `\n`+row.Name+` +ok \d+ +ok \d+ +ok \d+\n`, out.String())
		}
	}
	assert.Regexp(t, `\nroots {16}ok 1 {15}- {18}-\n\nall \d+ cases passed in \d+\.\d s\n$`, out.String())

	d.Copied = func(mem []byte) { mem[0] ^= 1 }
	out.Reset()
	assert.ErrorIs(t, checkDevice(t.Context(), &out, d), errFault)
	assert.Regexp(t, `\nFAULT: words, uniform, .*, dropout: \d+ of \d+ cases failed in \d+\.\d s\n$`, out.String())
}

func TestCheckOfADeviceStops(t *testing.T) {
	devicetest.Use(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	assert.Equal(t, 1, run(ctx, []string{"check", "-device", "cuda:0"}, &stdout, &stderr))
	assert.Regexp(t, `^cuda:0: .*\n\n.*\nwords +\n$`, stdout.String())
	assert.Equal(t, "philox check: stopped by a signal\n", stderr.String())
}

func TestCheckStops(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	lib := portableLibrary()
	lib.Fill = func(asm.Level, asm.Kind, []byte, philox.Key, philox.Counter) {
		cancel(errors.New("interrupt signal received"))
	}
	var out bytes.Buffer
	err := checkLibrary(ctx, &out, lib)
	assert.EqualError(t, err, "stopped by a signal (interrupt)")
	assert.Regexp(t, `\ngeneric uint32 +\n$`, out.String())

	var stdout, stderr bytes.Buffer
	assert.Equal(t, 1, run(ctx, []string{"check"}, &stdout, &stderr))
	assert.Equal(t, "philox check: stopped by a signal (interrupt)\n", stderr.String())
}

func TestCheckFitsATerminal(t *testing.T) {
	widest := check.Cell{Cases: 999_999, Failed: 999_999}
	assert.Less(t, len(cellText(widest)), cellWidth)
	for _, row := range append(check.This().Rows(), check.Device{}.Rows()...) {
		assert.Less(t, len(row.Name), nameWidth)
	}
	assert.LessOrEqual(t, nameWidth+2*cellWidth+len(cellText(widest)), 80)
}

func TestCheckAndInfoTakeNoArguments(t *testing.T) {
	for _, name := range []string{"check", "info"} {
		assert.Contains(t, fails(t, 2, name, "frob"), `philox `+name+`: unexpected argument "frob"`)
		assert.Contains(t, fails(t, 2, name, "-frob"), "-frob")
	}
}
