package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/devicetest"
)

func TestMain(m *testing.M) { os.Exit(devicetest.Run(m)) }

// A device's files are those of the CPU, whatever is asked for.
func TestFillOnADevice(t *testing.T) {
	devicetest.Use(t)
	t.Chdir(t.TempDir())
	onBoth := func(args ...string) {
		t.Helper()
		want := runs(t, append(args, "-out", "-")...)
		same(t, want, runs(t, append(args, "-device", "cuda:0", "-out", "-")...), args)
	}
	for _, d := range dists {
		chunk := int(chunkBytes / d.size)
		lengths := []int{0, 1, 1001}
		if isModel(d) {
			lengths = append(lengths, chunk, chunk+1, 3*chunk+5)
		}
		for _, n := range lengths {
			onBoth(append(fillOf(d), "-n", strconv.Itoa(n), "-seed", "42", "-first", strconv.Itoa(n%5))...)
		}
		// The counter's words wrap on the way.
		onBoth(append(fillOf(d), "-n", "1001", "-seed", "-3", "-stream", "7", "-offset", "4294967200", "-first", "3")...)
		onBoth(append(fillOf(d), "-n", "1001", "-stream", "281474976710654", "-offset", strconv.FormatUint(math.MaxUint64, 10), "-first", "2")...)
	}
	for _, shard := range []string{"0/3", "1/3", "2/3"} {
		onBoth("fill", "-dist", "normal", "-n", "1e6", "-first", "18446744073709551000", "-shard", shard, "-threads", "3")
	}
	onBoth("fill", "-dist", "uniform", "-lo", "-1", "-hi", "0", "-n", "1e6", "-threads", "1")
	onBoth("fill", "-dist", "truncnormal64", "-a", "5", "-b", "inf", "-n", "1000")

	for _, name := range []string{"x.npy", "x.bin"} {
		assert.Empty(t, runs(t, "fill", "-n", "1e6", "-seed", "5", "-out", name))
		want := readFile(t, name)
		assert.Empty(t, runs(t, "fill", "-n", "1e6", "-seed", "5", "-device", "cuda:0", "-out", name))
		same(t, want, readFile(t, name), name)
		assert.Empty(t, runs(t, "fill", "-n", "1e6", "-seed", "5", "-device", "cpu", "-out", name))
		same(t, want, readFile(t, name), name)
	}
	assert.Equal(t, []string{"x.bin", "x.npy"}, files(t, "."))
}

func TestBadDevices(t *testing.T) {
	t.Chdir(t.TempDir())
	commands := [][]string{{"fill", "-n", "3", "-out", "x.npy"}, {"check"}, {"bench"}}
	refuses := func(value, says string) {
		for _, args := range commands {
			said := fails(t, 2, append(args, "-device", value)...)
			assert.Contains(t, said, fmt.Sprintf("philox %s: -device = %q: %s", args[0], value, says))
		}
	}
	for _, value := range []string{"", "gpu", "CPU", "cpu:0", "cuda", "cuda:", "cuda:-1", "cuda:+1", "cuda:01", "cuda:1.0", "cuda: 0", "cuda:99999999999999999999"} {
		refuses(value, "must be cpu, or cuda:0, cuda:1 and so on\n")
	}
	assert.Contains(t, fails(t, 2, "perm", "-n", "3", "-out", "x.npy", "-device", "cuda:0"), "-device")
	assert.Empty(t, files(t, "."))

	devicetest.Use(t)
	refuses("cuda:1000", "the index must be at least 0 and below ")
	// All other flags are looked at first.
	assert.Contains(t, fails(t, 2, "fill", "-n", "x", "-device", "cuda:1000", "-out", "x.npy"), "-n = ")
	assert.Contains(t, fails(t, 2, "fill", "-n", "3", "-dist", "truncnormal", "-stream", "0xffffffffffff0000", "-device", "cuda:0", "-out", "x.npy"), "-stream = ")
	assert.Empty(t, files(t, "."))
}

// failsLater is an output that has the driver fail once some has been written.
type failsLater struct {
	bytes.Buffer
	writes atomic.Int32
	fail   func()
}

func (f *failsLater) Write(p []byte) (int, error) {
	if f.writes.Add(1) == 3 {
		f.fail()
	}
	return f.Buffer.Write(p)
}

func (f *failsLater) Truncate(int64) error { return nil }
func (f *failsLater) Close() error         { return nil }

// A device that fails on the way leaves nothing.
func TestDeviceFails(t *testing.T) {
	devicetest.Emulate(t)
	const orders = "FAKE_CUDA_FAIL"
	for _, c := range []struct{ call, name string }{
		{"cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRetain"},
		{"cuStreamCreate", "cuStreamCreate"},
		{"cuMemAlloc_v2", "cuMemAlloc"},
		{"cuLaunchKernel", "cuLaunchKernel"},
		{"cuMemcpyDtoHAsync_v2", "cuMemcpyDtoHAsync"},
		{"cuStreamSynchronize", "cuStreamSynchronize"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			require.NoError(t, os.WriteFile("x.npy", []byte("old"), 0o666))
			t.Setenv(orders, c.call+"=700")
			said := fails(t, 1, "fill", "-n", "1e7", "-device", "cuda:0", "-out", "x.npy")
			assert.Contains(t, said, "philox fill: cuda: "+c.name+": CUDA_ERROR_ILLEGAL_ADDRESS (700): ")
			if strings.Contains(said, " bytes") { // there was a hidden file
				assert.Regexp(t, ` after 0 of 40000000 bytes; nothing was kept\n$`, said)
			}
			assert.Equal(t, []string{"x.npy"}, files(t, "."))
			assert.Equal(t, "old", string(readFile(t, "x.npy")))
		})
	}
	for _, call := range []string{"cuMemAlloc_v2", "cuMemsetD8Async", "cuLaunchKernel", "cuEventRecord", "cuEventSynchronize", "cuEventElapsedTime"} {
		t.Run("bench, "+call, func(t *testing.T) {
			t.Setenv(orders, call+"=700")
			said := fails(t, 1, "bench", "-rounds", "1", "-large", "4096", "-device", "cuda:0")
			assert.Regexp(t, `^philox bench: (4096 bytes for -large: )?cuda: `+strings.TrimSuffix(call, "_v2")+`: CUDA_ERROR_ILLEGAL_ADDRESS \(700\): `, said)
		})
	}
	t.Run("later", func(t *testing.T) {
		t.Chdir(t.TempDir())
		t.Setenv(orders, "")
		var stdout, stderr bytes.Buffer
		e := env{stdout: &stdout, stderr: &stderr, lookup: os.LookupEnv, create: func(name string) (file, error) {
			return &failsLater{fail: func() { os.Setenv(orders, "cuMemcpyDtoHAsync_v2=700") }}, os.WriteFile(name, nil, 0o666)
		}}
		args := []string{"fill", "-n", "1e8", "-device", "cuda:0", "-out", "x.npy", "-threads", "2"}
		assert.Equal(t, 1, runIn(t.Context(), args, e))
		assert.Regexp(t, `^philox fill: cuda: cuMemcpyDtoHAsync: .* after \d+ of 400000000 bytes; nothing was kept\n$`, stderr.String())
		assert.NotContains(t, stderr.String(), " after 0 of")
		assert.Empty(t, files(t, "."))
	})
}
