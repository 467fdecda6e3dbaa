// Package devicetest has tests of other packages than cuda use a CUDA device: one of a driver that runs the
// kernels on the processor, unless PHILOX_REQUIRE_CUDA=1 asks for a GPU or PHILOX_CUDA_LIB names another
// driver.
package devicetest

import (
	"errors"
	"os"
	"sync"
	"testing"

	"github.com/philox-go/rng/cuda"
	"github.com/philox-go/rng/internal/cudatest"
)

const library = "PHILOX_CUDA_LIB"

// errNoCUDA is the error of builds without package cuda's driver.
var errNoCUDA = errors.New("this build has no CUDA")

// given reports whether who runs the tests chose the driver.
var given = os.Getenv(library) != "" || os.Getenv("PHILOX_REQUIRE_CUDA") == "1"

// Prefer makes a device available to the process, and to those that it starts, if that can be. It must
// be called before package cuda is first used.
var Prefer = sync.OnceValue(func() error {
	if !builtWithDriver {
		return errNoCUDA
	}
	if given {
		return nil
	}
	path, err := cudatest.Emulated()
	if err == nil {
		err = os.Setenv(library, path)
	}
	return err
})

// Use is Prefer, and skips the test where that cannot be.
func Use(t testing.TB) {
	t.Helper()
	switch err := Prefer(); {
	case errors.Is(err, errNoCUDA), errors.Is(err, cudatest.ErrNoCompiler):
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
}

// Emulate is Use, and skips the test where the device may be a true one, which takes no orders
// from the environment.
func Emulate(t testing.TB) {
	t.Helper()
	Use(t)
	if given {
		t.Skip("this needs the driver that is taken where nothing asks for another one")
	}
}

// Open opens the first device, until the test ends.
func Open(t testing.TB) *cuda.Device {
	t.Helper()
	Use(t)
	dev, err := cuda.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := dev.Close(); err != nil {
			t.Error(err)
		}
	})
	return dev
}

// Run runs a package's tests, and removes what they had to be built.
func Run(m *testing.M) (code int) {
	defer cudatest.Remove()
	return m.Run()
}
