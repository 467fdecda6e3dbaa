//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/philox-go/rng/internal/devicetest"
)

// TestProgram runs the built program, for what only a process shows: signals,
// pipes, limits, memory.
func TestProgram(t *testing.T) {
	program := filepath.Join(t.TempDir(), "philox")
	out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput()
	require.NoError(t, err, string(out))
	if err := exec.Command(program, "version").Run(); errors.Is(err, syscall.ENOEXEC) {
		t.Skip("an emulator runs this test, but not what it builds")
	}
	for name, test := range map[string]func(*testing.T, string){
		"ClosedPipe":      testClosedPipe,
		"FullDevice":      testFullDevice,
		"Signals":         testSignals,
		"SignalInAStall":  testSignalInAStall,
		"IgnoredHangup":   testIgnoredHangup,
		"FileSizeLimit":   testFileSizeLimit,
		"Memory":          testMemory,
		"InstructionSets": testInstructionSets,
		"Terminal":        testTerminal,
		"KilledShard":     testKilledShard,
		"Examples":        testExamples,
		"NoDevice":        testNoDevice,
		"CheckOfADevice":  testCheckOfADevice,
	} {
		t.Run(name, func(t *testing.T) { test(t, program) })
	}
}

// programCommand is the program with its standard error caught, killed if it hangs.
func programCommand(t *testing.T, program string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = t.TempDir()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	return cmd, &stderr
}

// pipe starts cmd and returns the end of its standard output that is read.
func pipe(t *testing.T, cmd *exec.Cmd) io.ReadCloser {
	t.Helper()
	r, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill() })
	return r
}

func testClosedPipe(t *testing.T, program string) {
	cmd, stderr := programCommand(t, program, "fill", "-n", "1e9", "-out", "-")
	r := pipe(t, cmd)
	_, err := io.ReadFull(r, make([]byte, 1000))
	require.NoError(t, err)
	require.NoError(t, r.Close())
	cmd.Wait()
	assert.Equal(t, 1, cmd.ProcessState.ExitCode())
	assert.Regexp(t, `^philox fill: standard output was closed by its reader after \d+ of 4000000000 bytes\n$`, stderr.String())
}

func testFullDevice(t *testing.T, program string) {
	if runtime.GOOS != "linux" {
		t.Skip("/dev/full is Linux's")
	}
	cmd, stderr := programCommand(t, program, "fill", "-n", "1e6", "-out", "-")
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer full.Close()
	cmd.Stdout = full
	cmd.Run()
	assert.Equal(t, 1, cmd.ProcessState.ExitCode())
	assert.Equal(t, "philox fill: standard output: no space left on device after 0 of 4000000 bytes\n", stderr.String())
}

// deliverable skips the test if the signal would be ignored, as it is where the
// tests run under nohup or in the background of a script.
func deliverable(t *testing.T, s syscall.Signal) {
	t.Helper()
	if signal.Ignored(s) {
		t.Skip(s, " is ignored here")
	}
}

func testSignals(t *testing.T, program string) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		t.Run(s.String(), func(t *testing.T) {
			deliverable(t, s)
			cmd, stderr := programCommand(t, program, "fill", "-n", "1.2e9", "-out", "x.npy")
			require.NoError(t, os.WriteFile(filepath.Join(cmd.Dir, "x.npy"), []byte("old"), 0o666))
			require.NoError(t, cmd.Start())
			require.Eventually(t, func() bool {
				return len(files(t, cmd.Dir)) == 2
			}, time.Minute, time.Millisecond, "a partial file appears")
			partial := files(t, cmd.Dir)[0]
			assert.Regexp(t, `^\..+\.partial$`, partial)
			// Some send it twice: a shell to the whole group, timeout to its child and
			// then to the group. The file must be removed all the same.
			for range 5 {
				require.NoError(t, cmd.Process.Signal(s))
				time.Sleep(200 * time.Microsecond)
			}
			cmd.Wait()
			assert.Equal(t, 1, cmd.ProcessState.ExitCode())
			assert.Regexp(t, `^philox fill: stopped by a signal.* after \d+ of 4800000000 bytes; nothing was kept\n$`, stderr.String())
			assert.Equal(t, []string{"x.npy"}, files(t, cmd.Dir))
			assert.Equal(t, "old", string(readFile(t, filepath.Join(cmd.Dir, "x.npy"))))
		})
	}
}

// stall waits until the program has begun to write and then filled a pipe that
// nobody reads.
func stall(t *testing.T, r io.Reader) {
	t.Helper()
	_, err := io.ReadFull(r, make([]byte, 1))
	require.NoError(t, err)
	time.Sleep(200 * time.Millisecond)
}

func testSignalInAStall(t *testing.T, program string) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(s.String(), func(t *testing.T) {
			deliverable(t, s)
			cmd, stderr := programCommand(t, program, "fill", "-n", "1e9", "-out", "-")
			r := pipe(t, cmd)
			stall(t, r)
			start := time.Now()
			require.NoError(t, cmd.Process.Signal(s))
			state, err := cmd.Process.Wait() // cmd.Wait would close the pipe, and so end the stall
			require.NoError(t, err)
			assert.Less(t, time.Since(start), 10*time.Second)
			assert.Equal(t, 1, state.ExitCode())
			cmd.Wait()
			assert.Regexp(t, `^philox fill: stopped by a signal.* after \d+ of 4000000000 bytes\n$`, stderr.String())
		})
	}
}

// nohup starts programs with SIGHUP ignored, and means it.
func testIgnoredHangup(t *testing.T, program string) {
	cmd, stderr := programCommand(t, "sh", "-c", `trap "" HUP; exec "$0" fill -n 1e8 -out -`, program)
	r := pipe(t, cmd)
	stall(t, r)
	require.NoError(t, cmd.Process.Signal(syscall.SIGHUP))
	n, err := io.Copy(io.Discard, r)
	require.NoError(t, err)
	require.NoError(t, cmd.Wait(), stderr.String())
	assert.EqualValues(t, 4e8-1, n)
}

func testFileSizeLimit(t *testing.T, program string) {
	cmd, stderr := programCommand(t, "sh", "-c", `ulimit -f 100; exec "$0" fill -n 1e9 -out x.bin`, program)
	cmd.Run()
	assert.Equal(t, 1, cmd.ProcessState.ExitCode())
	assert.Equal(t, "philox fill: -out = \"x.bin\": file too large; nothing was kept\n", stderr.String())
	assert.Empty(t, files(t, cmd.Dir))

	cmd, stderr = programCommand(t, "sh", "-c", `ulimit -f 1; exec "$0" fill -n 1e9 -out - >x.raw`, program)
	cmd.Run()
	assert.Equal(t, 1, cmd.ProcessState.ExitCode())
	assert.Regexp(t, `^philox fill: standard output: file too large after \d+ of 4000000000 bytes\n$`, stderr.String())
}

func testMemory(t *testing.T, program string) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	const (
		total = 2_000_000_000
		rest  = 2 << 20 // more than pipe and program hold, so that it cannot have ended
	)
	cmd, stderr := programCommand(t, program, "fill", "-dist", "u32", "-n", strconv.Itoa(total/4), "-out", "-")
	r := pipe(t, cmd)
	_, err := io.CopyN(io.Discard, r, total-rest)
	require.NoError(t, err)
	status, err := os.ReadFile("/proc/" + strconv.Itoa(cmd.Process.Pid) + "/status")
	require.NoError(t, err)
	n, err := io.Copy(io.Discard, r)
	require.NoError(t, err)
	assert.EqualValues(t, rest, n)
	require.NoError(t, cmd.Wait())
	assert.Empty(t, stderr.String(), "no progress bar where there is no terminal")

	_, peak, found := strings.Cut(string(status), "VmHWM:")
	require.True(t, found, string(status))
	kB, err := strconv.Atoi(strings.Fields(peak)[0])
	require.NoError(t, err)
	t.Logf("peak memory %d kB", kB)
	assert.Greater(t, kB, 256)
	assert.Less(t, kB, 64<<10)
}

func testInstructionSets(t *testing.T, program string) {
	args := []string{"fill", "-n", "100_000", "-seed", "5", "-out", "-"}
	want := runs(t, args...)
	for _, isa := range []string{"generic", "avx2", "avx512", ""} {
		cmd, stderr := programCommand(t, program, args...)
		cmd.Env = append(os.Environ(), "PHILOX_ISA="+isa)
		got, err := cmd.Output()
		require.NoError(t, err, stderr.String())
		same(t, want, got, isa)
	}
	for _, tt := range []struct {
		args []string
		exit int
	}{{args, 2}, {[]string{"check"}, 2}, {[]string{"info"}, 0}, {[]string{"help"}, 0}, {[]string{"fill", "-h"}, 0}, {[]string{"version"}, 0}} {
		cmd, stderr := programCommand(t, program, tt.args...)
		cmd.Env = append(os.Environ(), "PHILOX_ISA=avx3")
		got, _ := cmd.Output()
		assert.Equal(t, tt.exit, cmd.ProcessState.ExitCode(), tt.args)
		if tt.exit == 0 {
			assert.NotEmpty(t, got, tt.args)
			continue
		}
		assert.Empty(t, got)
		assert.Contains(t, stderr.String(), "PHILOX_ISA")
		assert.Contains(t, stderr.String(), `"avx3"`)
	}
}

// Where there is no driver everything that asks for a device says why, before there is a file.
func testNoDevice(t *testing.T, program string) {
	for _, tt := range []struct {
		library, reason string
		args            []string
	}{
		{"/no/such/libcuda.so", "unavailable: .*", []string{"fill", "-n", "10", "-device", "cuda:0", "-out", "x.npy"}},
		{"/no/such/libcuda.so", "unavailable: .*", []string{"check", "-device", "cuda:0"}},
		{"/no/such/libcuda.so", "unavailable: .*", []string{"bench", "-device", "cuda:1"}},
	} {
		cmd, stderr := programCommand(t, program, tt.args...)
		cmd.Env = append(os.Environ(), "PHILOX_CUDA_LIB="+tt.library)
		got, _ := cmd.Output()
		assert.Equal(t, 1, cmd.ProcessState.ExitCode(), tt.args)
		assert.Empty(t, got)
		assert.Regexp(t, `^philox `+tt.args[0]+`: cuda: `+tt.reason+`\n$`, stderr.String())
		assert.Empty(t, files(t, cmd.Dir))
	}
	cmd, stderr := programCommand(t, program, "info")
	cmd.Env = append(os.Environ(), "PHILOX_CUDA_LIB=/no/such/libcuda.so")
	got, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	assert.Regexp(t, `\ngpu         none found: \S.*\n$`, string(got))
}

func testCheckOfADevice(t *testing.T, program string) {
	devicetest.Use(t)
	cmd, stderr := programCommand(t, program, "check", "-device", "cuda:0")
	got, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	assert.Regexp(t, `\n\nall \d{6} cases passed in \d+\.\d s\n$`, string(got))
}

// Of three processes one is killed at work. What the others write does not change,
// and that one, run again alone, writes what is missing.
func testKilledShard(t *testing.T, program string) {
	const n = "6e7"
	dir := t.TempDir()
	start := func(rank int) *exec.Cmd {
		cmd, _ := programCommand(t, program, "fill", "-dist", "u32", "-n", n, "-seed", "3", "-shard", "auto", "-out", "x-%d.bin")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "WORLD_SIZE=3", "RANK="+strconv.Itoa(rank))
		require.NoError(t, cmd.Start())
		return cmd
	}
	x1 := filepath.Join(dir, "x-1.bin")
	killed := func() bool {
		victim := start(1)
		require.Eventually(t, func() bool { return len(files(t, dir)) > 0 }, time.Minute, 100*time.Microsecond)
		require.NoError(t, victim.Process.Kill())
		victim.Wait()
		_, err := os.Stat(x1)
		return errors.Is(err, fs.ErrNotExist)
	}
	for !killed() { // it was too fast
		require.NoError(t, os.Remove(x1))
	}
	first, last := start(0), start(2)
	require.NoError(t, first.Wait())
	require.NoError(t, last.Wait())
	require.NoError(t, start(1).Wait())

	whole := runs(t, "fill", "-dist", "u32", "-n", n, "-seed", "3", "-out", "-")
	for i := range 3 {
		part := readFile(t, filepath.Join(dir, fmt.Sprintf("x-%d.bin", i)))
		require.Len(t, part, len(whole)/(3-i))
		same(t, whole[:len(part)], part, "shard", i)
		whole = whole[len(part):]
	}
	assert.Empty(t, whole)
}

// What examples/shards shows to users, in the environments that they say. The
// script for mpirun is run by .ci/run.
func testExamples(t *testing.T, program string) {
	const shards, count = 7, "100_003"
	examples, err := filepath.Abs("../../examples/shards")
	require.NoError(t, err)
	whole := runs(t, "fill", "-dist", "uniform", "-n", count, "-seed", "42", "-out", "-")

	joined := func(t *testing.T, run func(i int) (dir string)) {
		var got []byte
		for i := range shards {
			got = append(got, readFile(t, filepath.Join(run(i), fmt.Sprintf("x-%d.bin", i)))...)
		}
		same(t, whole, got)
	}
	start := func(t *testing.T, cmd *exec.Cmd, stderr *bytes.Buffer, variables ...string) {
		path := filepath.Dir(program) + string(os.PathListSeparator) + os.Getenv("PATH")
		cmd.Env = append(append(os.Environ(), "PATH="+path, "COUNT="+count), variables...)
		require.NoError(t, cmd.Run(), stderr)
	}

	t.Run("slurm-array.sh", func(t *testing.T) {
		script := filepath.Join(examples, "slurm-array.sh")
		require.Contains(t, string(readFile(t, script)), fmt.Sprintf("\n#SBATCH --array=0-%d\n", shards-1))
		for _, array := range []string{"SLURM_ARRAY_TASK_COUNT=7", "SLURM_ARRAY_TASK_COUNT=1"} { // all, and one again
			joined(t, func(i int) string {
				cmd, stderr := programCommand(t, "sh", script)
				start(t, cmd, stderr, "SLURM_PROCID=0", "SLURM_ARRAY_TASK_ID="+strconv.Itoa(i), array)
				return cmd.Dir
			})
		}
	})
	t.Run("kubernetes-job.yaml", func(t *testing.T) {
		var manifest struct {
			Spec struct {
				CompletionMode string `yaml:"completionMode"`
				Completions    int
				Template       struct {
					Spec struct {
						Containers []struct{ Command, Args []string }
					}
				}
			}
		}
		require.NoError(t, yaml.Unmarshal(readFile(t, filepath.Join(examples, "kubernetes-job.yaml")), &manifest))
		assert.Equal(t, "Indexed", manifest.Spec.CompletionMode)
		assert.Equal(t, shards, manifest.Spec.Completions)
		require.Len(t, manifest.Spec.Template.Spec.Containers, 1)
		container := manifest.Spec.Template.Spec.Containers[0]
		assert.Equal(t, []string{"go", "run", "github.com/philox-go/rng/cmd/philox@latest"}, container.Command)
		args := container.Args
		for i, arg := range args {
			args[i] = strings.Replace(strings.Replace(arg, "1e9", count, 1), "/data/", "", 1)
		}
		joined(t, func(i int) string {
			cmd, stderr := programCommand(t, program, args...)
			start(t, cmd, stderr, "JOB_COMPLETION_INDEX="+strconv.Itoa(i))
			return cmd.Dir
		})
	})
}
