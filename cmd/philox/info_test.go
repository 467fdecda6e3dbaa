package main

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/cpuid/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/cuda"
	"github.com/philox-go/rng/internal/devicetest"
	"github.com/philox-go/rng/philox/asm"
)

func TestInfo(t *testing.T) {
	devicetest.Prefer()
	text := string(runs(t, "info"))
	for i, line := range nonEmptyLines(runs(t, "version")) {
		if i == 0 {
			assert.Contains(t, text, "program     "+line+"\n")
			continue
		}
		assert.Contains(t, text, "\n            "+line+"\n")
	}
	for _, heading := range []string{"program", "processor", "levels", "goroutines", "gpu"} {
		assert.Regexp(t, `(?m)^`+heading+` +\S`, text)
	}
	for _, l := range asm.AllLevels() {
		assert.Regexp(t, `(?m) `+l.String()+` +(active|available|not available: )`, text)
	}
	assert.Equal(t, 1, strings.Count(text, " active, "))
}

func TestProcessor(t *testing.T) {
	var cpu cpuid.CPUInfo
	cpu.BrandName = "  Some Processor 9000  "
	cpu.Cache.L1I, cpu.Cache.L1D, cpu.Cache.L2, cpu.Cache.L3 = 1, 48<<10, 1<<20, 96<<20
	lines := processor(cpu)
	assert.Equal(t, "Some Processor 9000", lines[0])
	assert.Regexp(t, `^\d+ cores usable, GOMAXPROCS \d+$`, lines[1])
	assert.Equal(t, []string{"data caches L1 48 KiB, L2 1 MiB, L3 96 MiB"}, lines[2:])

	cpu = cpuid.CPUInfo{}
	cpu.Cache.L1D, cpu.Cache.L2, cpu.Cache.L3 = -1, 0, -1 // what is not known
	lines = processor(cpu)
	assert.Len(t, lines, 2)
	assert.Contains(t, lines[0], runtime.GOARCH)
}

func TestLevels(t *testing.T) {
	lacks := func(best asm.Level, why ...string) func(asm.Level) []string {
		return func(l asm.Level) []string {
			if l > best {
				return why
			}
			return nil
		}
	}
	all := lacks(asm.AVX512)
	bad := &asm.ISAError{Value: "avx3"}
	for name, c := range map[string]struct {
		got, want []string
	}{
		"all": {levels(asm.AVX512, asm.AVX512, all, "", nil), []string{
			"generic  available", "avx2     available", "avx512   active, the best one here"}},
		"the best one asked for": {levels(asm.AVX512, asm.AVX512, all, "avx512", nil), []string{
			"generic  available", "avx2     available", "avx512   active, the best one here"}},
		"lowered": {levels(asm.AVX2, asm.AVX512, all, "avx2", nil), []string{
			"generic  available", "avx2     active, because PHILOX_ISA=avx2 lowers the choice", "avx512   available"}},
		"none": {levels(asm.Generic, asm.Generic, lacks(asm.Generic, "not an amd64 processor"), "", nil), []string{
			"generic  active, the best one here", "avx2     not available: not an amd64 processor", "avx512   not available: not an amd64 processor"}},
		"too much asked for": {levels(asm.AVX2, asm.AVX2, lacks(asm.AVX2, "no AVX-512 F", "no AVX-512 VL"), "avx512", nil), []string{
			"generic  available", "avx2     active, the best one here", "avx512   not available: no AVX-512 F, no AVX-512 VL",
			"PHILOX_ISA=avx512 asks for a level that is not available, which changes nothing"}},
		"unknown": {levels(asm.AVX512, asm.AVX512, all, "avx3", bad), []string{
			"generic  available", "avx2     available", "avx512   active, the best one here",
			`PHILOX_ISA = "avx3": must be generic, avx2 or avx512 (the library ignores it; fill, check and bench refuse it)`}},
	} {
		assert.Equal(t, c.want, c.got, name)
	}
}

func TestGoroutines(t *testing.T) {
	assert.Equal(t, "up to 16 for a fill that takes 0.1 ms or more, 1 for others", goroutines(16, true))
	assert.Contains(t, goroutines(1, true), "1 for every fill: GOMAXPROCS is 1")
	assert.Contains(t, goroutines(16, false), "1 for every fill: ")
}

func TestInfoThatCannotBeWritten(t *testing.T) {
	devicetest.Prefer()
	var stderr bytes.Buffer
	assert.Equal(t, 1, run(context.Background(), []string{"info"}, &limitedWriter{left: 5}, &stderr))
	assert.Equal(t, "philox info: standard output: "+errInjected.Error()+"\n", stderr.String())
}

func TestInfoOfDevices(t *testing.T) {
	devicetest.Use(t)
	lines := gpus()
	require.NotEmpty(t, lines)
	for i, line := range lines {
		assert.Regexp(t, fmt.Sprintf(`^cuda:%d: \S.*, compute capability \d+\.\d, memory \d+\.\d GiB, driver for CUDA \d+\.\d+$`, i), line)
	}
	assert.Contains(t, string(runs(t, "info")), "gpu         "+strings.Join(lines, "\n            ")+"\n")
}

func TestDeviceText(t *testing.T) {
	assert.Equal(t, "cuda:3: NVIDIA Thing, compute capability 9.0, memory 139.8 GiB, driver for CUDA 12.4", deviceText(cuda.Info{
		Index: 3, Name: "NVIDIA Thing", Major: 9, Memory: 150_109_880_320, Multiprocessors: 132, DriverVersion: 12040,
	}))
}
