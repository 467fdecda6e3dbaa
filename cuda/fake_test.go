//go:build linux && cgo

package cuda

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/cudatest"
	"github.com/philox-go/rng/philox"
)

// fakeDriver has this process take the driver of cudatest, if it can be built.
func fakeDriver() (ok bool, done func(), err error) {
	path, err := cudatest.Emulated()
	if errors.Is(err, cudatest.ErrNoCompiler) {
		return false, cudatest.Remove, nil
	}
	if err != nil {
		cudatest.Remove()
		return false, nil, err
	}
	return true, cudatest.Remove, os.Setenv(libraryVariable, path)
}

// needFake skips tests that need the fake driver where there is another, or no compiler.
func needFake(t testing.TB) {
	t.Helper()
	if !faked {
		t.Skip("this needs the fake driver, which is taken where there is a compiler and nothing asks for another driver")
	}
}

// fails has calls of the fake driver fail for as long as f runs: "cuMemAlloc_v2=2", say. os.Setenv also sets
// the variable for C.
func fails(t testing.TB, plan string, f func()) {
	t.Helper()
	require.NoError(t, os.Setenv("FAKE_CUDA_FAIL", plan))
	defer os.Unsetenv("FAKE_CUDA_FAIL")
	f()
}

// trace returns the calls of the driver that f makes.
func trace(t testing.TB, f func()) []string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "trace")
	require.NoError(t, os.Setenv("FAKE_CUDA_TRACE", file))
	defer os.Unsetenv("FAKE_CUDA_TRACE")
	f()
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	return strings.Fields(string(text))
}

// breakVariable is what FAKE_CUDA_FAIL becomes in a child, once that has begun.
const breakVariable = "PHILOX_CUDA_TEST_BREAK"

// runChild is what the test binary does as a child.
func runChild(what string) int {
	switch what {
	case "report":
		infos, err := Devices()
		_, again := Devices()
		_, open := Open(0)
		var driver *Error
		fmt.Printf("%d devices; %v; unavailable: %v; an Error: %v; kept: %v\n", len(infos), err,
			errors.Is(err, ErrUnavailable), errors.As(err, &driver), fmt.Sprint(err, err) == fmt.Sprint(again, open))
		if len(infos) > 0 {
			fmt.Println(infos[0].Name)
		}
	case "illegal":
		d, err := Open(0)
		if err != nil {
			fmt.Println(err)
			return 0
		}
		before, err := Alloc[uint32](d, 1000)
		fmt.Println("alloc:", err)
		if plan := os.Getenv(breakVariable); plan != "" {
			os.Setenv("FAKE_CUDA_FAIL", plan)
		}
		nowhere, err := Wrap[uint32](d, 0x1000, 1000)
		fmt.Println("wrap:", err)
		fmt.Println("fill:", Uint32s().Fill(nowhere, philox.New(1), 0))
		fmt.Println("sync:", d.Sync())
		fmt.Println("fill again:", Uint32s().Fill(before, philox.New(1), 0))
		_, err = Alloc[uint32](d, 1000)
		fmt.Println("alloc again:", err)
		fmt.Println("copy:", before.CopyTo(make([]uint32, 1000)))
		fmt.Println("free:", before.Free())
		fmt.Println("close:", d.Close())
	case "overrun", "stray":
		d, err := Open(0)
		if err != nil {
			fmt.Println(err)
			return 0
		}
		const words = 1001
		for range 2 { // one ends where a page does, and one begins there
			b, err := Alloc[uint32](d, words)
			if err != nil {
				fmt.Println(err)
				return 0
			}
			more := words + 1
			if what == "overrun" {
				more = 4 * words
			}
			b.n = more
			if err := Uint32s().Fill(b, philox.New(1), 0); err != nil {
				fmt.Println(err)
			}
			b.Free()
		}
		fmt.Println("nothing happened")
	}
	return 0
}

// child runs the test binary as one, without this process's variables for the driver.
func child(t testing.TB, what string, env ...string) (string, error) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, libraryVariable+"=") && !strings.HasPrefix(v, "FAKE_CUDA_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	// With the race detector a process stays for a second once it is done.
	cmd.Env = append(append(cmd.Env, childVariable+"="+what, "GORACE=atexit_sleep_ms=0"), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestUnavailable(t *testing.T) {
	needFake(t)
	plain, err := cudatest.Plain()
	require.NoError(t, err)
	text := filepath.Join(t.TempDir(), "text.so")
	require.NoError(t, os.WriteFile(text, []byte("not a library"), 0o600))
	lib := libraryVariable + "="
	for _, test := range []struct {
		name string
		env  []string
		want string
	}{
		{"no such library", []string{lib + "/nowhere/libcuda.so"}, "unavailable: /nowhere/libcuda.so: cannot open shared object file"},
		{"no library", []string{lib + text}, "unavailable: " + text + ": "},
		{"no device", []string{lib + plain, "FAKE_CUDA_DEVICES=0"}, "unavailable: cuInit: CUDA_ERROR_NO_DEVICE (100): no CUDA-capable device is detected; "},
		{"unknown error", []string{lib + plain, "FAKE_CUDA_FAIL=cuInit=12345"}, "unavailable: cuInit: error 12345; "},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, err := child(t, "report", test.env...)
			require.NoError(t, err, out)
			assert.Contains(t, out, "0 devices; cuda: "+test.want)
			assert.Contains(t, out, "unavailable: true")
			assert.Contains(t, out, fmt.Sprintf("an Error: %v", strings.Contains(test.want, "cuInit")))
			assert.Contains(t, out, "kept: true")
		})
	}
	for _, function := range []string{"cuInit", "cuMemAlloc_v2", "cuLaunchKernel", "cuGraphLaunch"} {
		t.Run("no "+function, func(t *testing.T) {
			old, err := cudatest.Plain(function)
			require.NoError(t, err)
			out, err := child(t, "report", lib+old)
			require.NoError(t, err, out)
			assert.Contains(t, out, "0 devices; cuda: unavailable: "+old+" has no function "+function+"; unavailable: true; an Error: false; kept: true")
		})
	}
}

// The system's library, under both its names.
func TestLibraryNames(t *testing.T) {
	needFake(t)
	out, err := child(t, "report")
	require.NoError(t, err, out)
	missing := "libcuda.so.1: cannot open shared object file"
	system := !strings.Contains(out, missing) // which has a driver of its own
	if !system {
		assert.Contains(t, out, "; "+strings.Replace(missing, ".1", "", 1))
	}
	plain, err := cudatest.Plain()
	require.NoError(t, err)
	old, err := cudatest.Plain("cuGraphLaunch")
	require.NoError(t, err)
	for _, test := range []struct {
		one, other string // libcuda.so.1, libcuda.so
		want       string
	}{
		{plain, old, "2 devices; <nil>"},
		{"", plain, "2 devices; <nil>"}, // the system's would be found first
		{old, plain, "0 devices; cuda: unavailable: libcuda.so.1 has no function cuGraphLaunch; unavailable"},
	} {
		if test.one == "" && system {
			continue
		}
		dir := t.TempDir()
		for name, target := range map[string]string{"libcuda.so.1": test.one, "libcuda.so": test.other} {
			if target != "" {
				require.NoError(t, os.Symlink(target, filepath.Join(dir, name)))
			}
		}
		out, err := child(t, "report", "LD_LIBRARY_PATH="+dir)
		require.NoError(t, err, out)
		assert.Contains(t, out, test.want)
	}
}

// What the fake driver is for: a kernel that writes beyond its memory does not go unseen.
func TestFakeFindsStrayWrites(t *testing.T) {
	needFake(t)
	emulated := libraryVariable + "=" + os.Getenv(libraryVariable)
	out, err := child(t, "stray", emulated)
	assert.Error(t, err, out)
	assert.Contains(t, out, "fake driver: memory was written after an allocation")
	out, err = child(t, "overrun", emulated)
	assert.Error(t, err, out)
	assert.NotContains(t, out, "nothing happened")
}
