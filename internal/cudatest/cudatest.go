// Package cudatest builds a driver of CUDA that needs no device, for tests: libraries for
// PHILOX_CUDA_LIB. fake/driver.c says what it takes from the environment.
package cudatest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/cpuid/v2"
)

// ErrNoCompiler is the error where there is no compiler, or no source.
var ErrNoCompiler = errors.New("nothing to build the fake driver with")

// Plain returns the path of a driver that has every kernel, but those whose names begin with
// "absent", and runs none. It lacks some functions. It is built once for the same ones.
func Plain(lacks ...string) (string, error) {
	flags := []string{"-DWITHOUT_KERNELS"}
	for _, function := range lacks {
		flags = append(flags, "-D"+function+"=lacking_"+function)
	}
	slices.Sort(flags)
	return once(strings.Join(flags, " "), func(dir string) (string, error) {
		return link(dir, flags, nil)
	})
}

// Emulated returns the path of a driver that runs the kernels of cuda/philox.cu on the processor. It is built
// once.
func Emulated() (string, error) {
	return once("emulated", func(dir string) (string, error) {
		root, err := moduleRoot()
		if err != nil {
			return "", err
		}
		compiler := findCompiler("clang++-19", "clang-19", "clang++", "clang", "g++", "c++")
		if compiler == "" {
			return "", fmt.Errorf("%w: no C++ compiler", ErrNoCompiler)
		}
		object := filepath.Join(dir, "kernels.o")
		flags := []string{"-x", "c++", "-std=c++17", "-nostdinc++", "-fno-exceptions", "-fno-rtti", "-fno-strict-aliasing", "-fno-math-errno",
			"-O2", "-ffp-contract=off", "-fPIC", "-pthread", "-fvisibility=hidden", "-I" + filepath.Join(root, sources), "-I" + filepath.Join(root, "cuda"), "-c", "-o", object}
		if runtime.GOARCH == "amd64" && cpuid.CPU.Supports(cpuid.FMA3) {
			flags = append(flags, "-mfma") // the same numbers sooner
		}
		if err := compile(compiler, append(flags, filepath.Join(root, sources, "kernels.cc"))...); err != nil {
			return "", err
		}
		return link(dir, nil, []string{object})
	})
}

// Remove removes all that was built. It is for the end of TestMain.
func Remove() {
	mu.Lock()
	defer mu.Unlock()
	for _, b := range built {
		os.RemoveAll(b.dir)
	}
	clear(built)
}

// sources is where in the module the driver's are.
const sources = "internal/cudatest/fake"

// A build is what a variant of the driver came to.
type build struct {
	dir, path string
	err       error
}

var (
	mu    sync.Mutex // of built
	built = map[string]build{}
)

// once builds a variant in a folder of its own, or returns what that came to before.
func once(variant string, make func(dir string) (string, error)) (string, error) {
	mu.Lock()
	defer mu.Unlock()
	b, ok := built[variant]
	if !ok {
		if b.dir, b.err = os.MkdirTemp("", "philox-cuda-"); b.err == nil {
			b.path, b.err = make(b.dir)
		}
		built[variant] = b
	}
	return b.path, b.err
}

// link compiles the driver and makes a library of it and other objects.
func link(dir string, flags, objects []string) (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	compiler := findCompiler("cc", "gcc", "clang-19", "clang")
	if compiler == "" {
		return "", fmt.Errorf("%w: no C compiler", ErrNoCompiler)
	}
	path := filepath.Join(dir, "libcuda.so")
	args := slices.Concat([]string{"-std=gnu11", "-fPIC", "-pthread", "-fvisibility=hidden", "-shared", "-o", path},
		flags, []string{filepath.Join(root, sources, "driver.c")}, objects, []string{"-lm"})
	return path, compile(compiler, args...)
}

func findCompiler(names ...string) string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

func compile(compiler string, args ...string) error {
	out, err := exec.Command(compiler, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", compiler, err, out)
	}
	return nil
}

// moduleRoot returns the folder of the module: tests run in a folder of their package.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, sources)); err == nil {
			return dir, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("%w: no folder above this one has %s", ErrNoCompiler, sources)
		}
		dir = parent
	}
}
