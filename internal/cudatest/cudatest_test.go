package cudatest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBuilds(t *testing.T) {
	if findCompiler("cc", "gcc", "clang-19", "clang") == "" {
		t.Skip("no C compiler")
	}
	defer Remove()
	plain, err := Plain()
	require.NoError(t, err)
	again, err := Plain()
	require.NoError(t, err)
	assert.Equal(t, plain, again, "built once")
	one, err := Plain("cuInit", "cuGraphLaunch")
	require.NoError(t, err)
	assert.NotEqual(t, plain, one)
	again, err = Plain("cuGraphLaunch", "cuInit")
	require.NoError(t, err)
	assert.Equal(t, one, again)

	for path, want := range map[string]string{plain: " T cuInit\n", one: " T lacking_cuInit\n"} {
		nm, err := exec.LookPath("nm")
		if err != nil {
			break
		}
		out, err := exec.Command(nm, "-D", path).Output()
		require.NoError(t, err)
		assert.Contains(t, string(out), want)
	}

	Remove()
	assert.NoDirExists(t, filepath.Dir(plain))
	assert.NoDirExists(t, filepath.Dir(one))
}

// Where there is nothing to build with, tests are told so.
func TestNothingToBuildWith(t *testing.T) {
	defer Remove()
	root, err := moduleRoot()
	require.NoError(t, err)
	assert.FileExists(t, filepath.Join(root, "go.mod"))

	t.Setenv("PATH", "")
	for _, build := range []func() (string, error){func() (string, error) { return Plain("cuGraphLaunch") }, Emulated} {
		_, err := build()
		assert.ErrorIs(t, err, ErrNoCompiler)
		_, again := build()
		assert.Equal(t, err, again)
	}

	Remove()
	t.Chdir(os.TempDir())
	_, err = Plain()
	assert.ErrorIs(t, err, ErrNoCompiler)
}
