//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fakeTool puts a script in the place of the driver's tool.
func fakeTool(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "nvidia-smi"), []byte("#!/bin/sh\n"+script+"\n"), 0o777))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
}

func TestGPUs(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		want   []string
	}{
		"two": {
			`[ "$1 $2" = "--query-gpu=index,name,driver_version,memory.total --format=csv,noheader" ] || exit 3
			echo "0, NVIDIA A, 570.1, 143771 MiB"; echo "1, NVIDIA B, 570.1, 10 MiB"; echo`,
			[]string{"0: NVIDIA A, driver 570.1, memory 143771 MiB", "1: NVIDIA B, driver 570.1, memory 10 MiB"},
		},
		"none": {"exit 0", []string{"none found: nvidia-smi lists none"}},
		"an error on standard output": {
			`echo "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."; exit 9`,
			[]string{"none found: nvidia-smi failed (exit status 9): NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."},
		},
		"an error on standard error": {
			`echo; echo "no library" >&2; exit 12`,
			[]string{"none found: nvidia-smi failed (exit status 12): no library"},
		},
		"an error without a word": {"exit 1", []string{"none found: nvidia-smi failed (exit status 1)"}},
		"a signal":                {"kill -9 $$", []string{"none found: nvidia-smi failed (signal: killed)"}},
	} {
		t.Run(name, func(t *testing.T) {
			fakeTool(t, c.script)
			assert.Equal(t, c.want, gpus(t.Context(), gpuPatience))
		})
	}
}

// The tool hangs, and so does a child that holds its output open.
func TestGPUToolThatHangs(t *testing.T) {
	fakeTool(t, "sleep 60 & sleep 60")
	start := time.Now()
	assert.Equal(t, []string{"none found: nvidia-smi gave no answer in 300ms"}, gpus(t.Context(), 300*time.Millisecond))
	assert.Less(t, time.Since(start), gpuPatience)
}

func TestInfoStopsWhileTheToolHangs(t *testing.T) {
	fakeTool(t, "sleep 60")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	var stdout, stderr limitedWriter
	stdout.left, stderr.left = 1000, 1000
	start := time.Now()
	assert.Equal(t, 1, run(ctx, []string{"info"}, &stdout, &stderr))
	assert.Less(t, time.Since(start), gpuPatience)
}
