package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/klauspost/cpuid/v2"

	"github.com/philox-go/rng/internal/measure"
	"github.com/philox-go/rng/internal/stack"
	"github.com/philox-go/rng/philox/asm"
)

var infoCommand = command{
	name:    "info",
	summary: "print what this machine has and which kernels were chosen",
	details: func() string {
		return `It prints the versions, the processor, the vector levels with the reason why
each one is used or not, how many goroutines share a large fill, and the NVIDIA
GPUs that -device may name, or why there are none. None of this changes a
number; "philox check" checks them.
`
	},
	run: runInfo,
}

func runInfo(ctx context.Context, c call) error {
	if err := c.noArguments(); err != nil {
		return err
	}
	// The three lines of version, and what a fault's report should have too.
	var version bytes.Buffer
	if err := runVersion(ctx, call{env: env{stdout: &version}}); err != nil {
		return err
	}
	sections := []section{
		{"program", nonEmptyLines(version.Bytes())},
		{"processor", processor(cpuid.CPU)},
		{"levels", levels(asm.Active(), asm.Best(), asm.Missing, os.Getenv(asm.EnvISA), asm.EnvError())},
		{"goroutines", []string{goroutines(runtime.GOMAXPROCS(0), stack.Known)}},
		{"gpu", gpus()},
	}
	if ctx.Err() != nil {
		return signalError(ctx)
	}
	return c.print(join(sections))
}

func nonEmptyLines(text []byte) []string {
	var lines []string
	for line := range bytes.Lines(text) {
		if line := strings.TrimSpace(string(line)); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// A section is some lines under one heading, which stands left of them.
type section struct {
	heading string
	lines   []string
}

func join(sections []section) string {
	var b strings.Builder
	for _, s := range sections {
		heading := s.heading
		for _, line := range s.lines {
			fmt.Fprintf(&b, "%-11s %s\n", heading, line)
			heading = ""
		}
	}
	return b.String()
}

// processorName is what the processor calls itself: most but amd64 ones do not.
func processorName(cpu cpuid.CPUInfo) string {
	if name := strings.TrimSpace(cpu.BrandName); name != "" {
		return name
	}
	return "a processor of the architecture " + runtime.GOARCH
}

// processor describes the processor as far as it tells about itself. Of cores it
// shows those that the program may use, since a virtual machine's processor claims
// any number.
func processor(cpu cpuid.CPUInfo) []string {
	lines := []string{processorName(cpu), fmt.Sprintf("%d cores usable, GOMAXPROCS %d", runtime.NumCPU(), runtime.GOMAXPROCS(0))}
	var caches []string
	for _, c := range []struct {
		name string
		size int
	}{{"L1", cpu.Cache.L1D}, {"L2", cpu.Cache.L2}, {"L3", cpu.Cache.L3}} {
		if c.size > 0 {
			caches = append(caches, c.name+" "+measure.SizeName(c.size))
		}
	}
	if len(caches) > 0 {
		lines = append(lines, "data caches "+strings.Join(caches, ", "))
	}
	return lines
}

// levels has a line for each level: whether it is used, and why or why not. The
// environment asked for what env says, and badEnv is what is wrong with that.
func levels(active, best asm.Level, missing func(asm.Level) []string, env string, badEnv error) []string {
	var lines []string
	for _, l := range asm.AllLevels() {
		status := "available"
		switch {
		case len(missing(l)) > 0:
			status = "not available: " + strings.Join(missing(l), ", ")
		case l == active && active < best:
			status = fmt.Sprintf("active, because %s=%s lowers the choice", asm.EnvISA, env)
		case l == active:
			status = "active, the best one here"
		}
		lines = append(lines, fmt.Sprintf("%-8s %s", l, status))
	}
	switch {
	case badEnv != nil:
		lines = append(lines, badEnv.Error()+" (the library ignores it; fill, check and bench refuse it)")
	case env != "" && env != active.String():
		lines = append(lines, fmt.Sprintf("%s=%s asks for a level that is not available, which changes nothing", asm.EnvISA, env))
	}
	return lines
}

// goroutines says how many of them one fill uses.
func goroutines(procs int, shares bool) string {
	switch {
	case !shares:
		return "1 for every fill: this build cannot tell whether memory is on a stack"
	case procs == 1:
		return "1 for every fill: GOMAXPROCS is 1"
	}
	return fmt.Sprintf("up to %d for a fill that takes 0.1 ms or more, 1 for others", procs)
}
