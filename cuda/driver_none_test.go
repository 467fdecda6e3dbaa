//go:build !linux || !cgo

package cuda

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
)

func fakeDriver() (bool, func(), error) { return false, func() {}, nil }

func runChild(string) int { return 1 }

func TestNoDriver(t *testing.T) {
	want := "cuda: unavailable: the program was built without cgo"
	if runtime.GOOS != "linux" {
		want = "cuda: unavailable: this package has no driver for " + runtime.GOOS + ", only for linux"
	}
	infos, err := Devices()
	assert.Empty(t, infos)
	assert.EqualError(t, err, want)
	assert.ErrorIs(t, err, ErrUnavailable)
	for _, index := range []int{-1, 0, 1} {
		d, err := Open(index)
		assert.Nil(t, d)
		assert.EqualError(t, err, want)
	}
}
