package cuda

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestErrors(t *testing.T) {
	sentinels := []error{ErrUnavailable, ErrOutOfMemory, ErrClosed}
	none := &Error{Call: "cuInit", Code: 100, Name: "CUDA_ERROR_NO_DEVICE", Text: "no device"}
	for _, test := range []struct {
		err  error
		text string
		is   error
	}{
		{&Error{Call: "cuMemAlloc", Code: 2, Name: "CUDA_ERROR_OUT_OF_MEMORY", Text: "out of memory"}, "cuda: cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2): out of memory", ErrOutOfMemory},
		{&Error{Call: "cuMemAlloc", Code: 700, Name: "SOME"}, "cuda: cuMemAlloc: SOME (700)", nil},
		{&Error{Call: "cuMemAlloc", Code: 12345}, "cuda: cuMemAlloc: error 12345", nil},
		{&UnavailableError{Reason: "no driver"}, "cuda: unavailable: no driver", ErrUnavailable},
		{&UnavailableError{Reason: "it says", Err: none}, "cuda: unavailable: it says", ErrUnavailable},
		{&ClosedError{What: "the stream"}, "cuda: the stream is closed or freed", ErrClosed},
	} {
		assert.EqualError(t, test.err, test.text)
		for _, s := range sentinels {
			assert.Equal(t, s == test.is, errors.Is(test.err, s), "%v is %v", test.err, s)
		}
	}
	var driver *Error
	require.ErrorAs(t, error(&UnavailableError{Err: none}), &driver)
	assert.Same(t, none, driver)
}

// Zero values and nil are of nothing: no call fails otherwise than by its error.
func TestZeroValues(t *testing.T) {
	var d *Device
	for _, d := range []*Device{d, {}} {
		_, _, err := d.Memory()
		assert.ErrorIs(t, err, ErrClosed)
		assert.ErrorIs(t, d.Sync(), ErrClosed)
		_, err = d.NewStream()
		assert.ErrorIs(t, err, ErrClosed)
		_, err = Alloc[uint32](d, 1)
		assert.ErrorIs(t, err, ErrClosed)
		_, err = Wrap[uint32](d, 16, 1)
		assert.ErrorIs(t, err, ErrClosed)
		assert.ErrorIs(t, Uint32s().Load(d), ErrClosed)
		assert.NoError(t, d.Close())
	}
	for _, s := range []*Stream{nil, {}} {
		assert.ErrorIs(t, s.Sync(), ErrClosed)
		_, err := s.Record()
		assert.ErrorIs(t, err, ErrClosed)
		_, err = s.Capturing()
		assert.ErrorIs(t, err, ErrClosed)
		_, err = s.Capture(func() error { panic("not called") })
		assert.ErrorIs(t, err, ErrClosed)
		assert.ErrorIs(t, s.Wait(nil), ErrClosed)
		assert.NoError(t, s.Close())
	}
	for _, e := range []*Event{nil, {}} {
		assert.ErrorIs(t, e.Sync(), ErrClosed)
		_, err := e.Done()
		assert.ErrorIs(t, err, ErrClosed)
		_, err = e.Since(e)
		assert.ErrorIs(t, err, ErrClosed)
		assert.NoError(t, e.Close())
	}
	for _, g := range []*Graph{nil, {}} {
		assert.ErrorIs(t, g.Launch(nil), ErrClosed)
		assert.NoError(t, g.Close())
	}
	var b Buffer[float32]
	assert.Nil(t, b.Device())
	assert.Nil(t, b.Stream())
	assert.Zero(t, b.Len())
	assert.Zero(t, b.Pointer())
	for _, b := range []Buffer[float32]{b, b.Slice(0, 0), b.On(nil), b.On(&Stream{})} {
		assert.ErrorIs(t, b.CopyFrom(nil), ErrClosed)
		assert.ErrorIs(t, b.CopyTo(nil), ErrClosed)
		assert.ErrorIs(t, b.SetBytes(0), ErrClosed)
		assert.ErrorIs(t, b.Free(), ErrClosed)
	}
}
