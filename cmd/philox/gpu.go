package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// gpuPatience is how long the driver's tool may take. It takes a second or two
// where it has to wake the devices.
const gpuPatience = 5 * time.Second

// gpus describes the graphics processors, one a line, or says why there are none.
// It asks the driver's own tool, since nothing else of the program needs the
// driver.
func gpus(ctx context.Context, patience time.Duration) []string {
	const tool = "nvidia-smi"
	path, err := exec.LookPath(tool)
	if err != nil {
		return []string{"none found: no " + tool + " in PATH"}
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--query-gpu=index,name,driver_version,memory.total", "--format=csv,noheader")
	cmd.WaitDelay = patience / 10 // what it started may hold its output open
	out, err := cmd.Output()
	lines := nonEmptyLines(out)
	if err == nil && len(lines) > 0 {
		for i, line := range lines {
			lines[i] = gpuLine(line)
		}
		return lines
	}
	return []string{"none found: " + tool + " " + toolFault(ctx, patience, err, lines)}
}

// gpuLine puts words to what the tool lists.
func gpuLine(line string) string {
	fields := strings.Split(line, ", ")
	if len(fields) != 4 {
		return line
	}
	return fmt.Sprintf("%s: %s, driver %s, memory %s", fields[0], fields[1], fields[2], fields[3])
}

// toolFault says in a few words how the tool failed; what it wrote says it best.
func toolFault(ctx context.Context, patience time.Duration, err error, lines []string) string {
	exit := (*exec.ExitError)(nil)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Sprintf("gave no answer in %v", patience)
	case err == nil:
		return "lists none"
	case errors.As(err, &exit):
		// It writes some of its errors to standard output.
		if said := append(nonEmptyLines(exit.Stderr), lines...); len(said) > 0 {
			return fmt.Sprintf("failed (%v): %s", err, said[0])
		}
	}
	return fmt.Sprintf("failed (%v)", err)
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
