package cuda

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// childVariable has the test binary be another program, as these tests start it.
const childVariable = "PHILOX_CUDA_TEST_CHILD"

// faked reports whether the driver is the one of cudatest. It is, unless PHILOX_REQUIRE_CUDA=1 asks for a
// GPU or PHILOX_CUDA_LIB names another driver.
var faked bool

func TestMain(m *testing.M) {
	if child := os.Getenv(childVariable); child != "" {
		os.Exit(runChild(child))
	}
	done := func() {}
	if os.Getenv("PHILOX_REQUIRE_CUDA") != "1" && os.Getenv(libraryVariable) == "" {
		var err error
		if faked, done, err = fakeDriver(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	code := m.Run()
	done()
	os.Exit(code)
}

// OpenForTest opens device 0 for a test, which is skipped if there is none, but fails
// if PHILOX_REQUIRE_CUDA=1.
func OpenForTest(t testing.TB) *Device {
	t.Helper()
	d, err := Open(0)
	if err != nil && !faked && os.Getenv("PHILOX_REQUIRE_CUDA") != "1" {
		t.Skip(err)
	}
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}
