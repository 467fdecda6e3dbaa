//go:build linux && cgo

package cuda

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/random"
	"github.com/philox-go/rng/skip"
)

// badArgument asserts that an error is of an argument.
func badArgument(t testing.TB, err error, text string) {
	t.Helper()
	var arg *skip.ArgumentError
	require.ErrorAs(t, err, &arg)
	assert.EqualError(t, err, text)
}

// alloc allocates a buffer for a test.
func alloc[T Element](t testing.TB, d *Device, n int) Buffer[T] {
	t.Helper()
	b, err := Alloc[T](d, n)
	require.NoError(t, err)
	return b
}

// contents copies a buffer.
func contents[T Element](t testing.TB, b Buffer[T]) []T {
	t.Helper()
	s := make([]T, b.Len())
	require.NoError(t, b.CopyTo(s))
	return s
}

func newStream(t testing.TB, d *Device) *Stream {
	t.Helper()
	s, err := d.NewStream()
	require.NoError(t, err)
	return s
}

func TestDevices(t *testing.T) {
	needFake(t)
	infos, err := Devices()
	require.NoError(t, err)
	want := []Info{
		{Index: 0, Name: "Fake 0", Major: 9, Memory: 64 << 30, Multiprocessors: 4, DriverVersion: 12040},
		{Index: 1, Name: "Fake 1", Major: 9, Memory: 64 << 30, Multiprocessors: 4, DriverVersion: 12040},
	}
	assert.Equal(t, want, infos)
	for i := range infos {
		d, err := Open(i)
		require.NoError(t, err)
		assert.Equal(t, want[i], d.Info())
		assert.Equal(t, fmt.Sprintf("cuda:%d", i), d.String())
		require.NoError(t, d.Close())
		assert.Equal(t, want[i], d.Info())
	}
	for _, index := range []int{-1, 2, math.MaxInt, math.MinInt} {
		d, err := Open(index)
		assert.Nil(t, d)
		badArgument(t, err, fmt.Sprintf("cuda: index = %d: must be at least 0 and below 2, the number of devices", index))
	}
	t.Setenv("FAKE_CUDA_DEVICES", "0") // as it were lost after the driver was started
	_, err = Devices()
	assert.ErrorIs(t, err, ErrUnavailable)
	assert.EqualError(t, err, "cuda: unavailable: the driver has no device")
	_, err = Open(0)
	assert.ErrorIs(t, err, ErrUnavailable)
}

func TestDevicesFail(t *testing.T) {
	needFake(t)
	for _, call := range []string{"cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName", "cuDeviceTotalMem_v2", "cuDeviceGetAttribute", "cuDriverGetVersion"} {
		fails(t, call+"=999", func() {
			infos, err := Devices()
			assert.Empty(t, infos)
			assertDriver(t, err, call, 999)
			_, err = Open(0)
			assertDriver(t, err, call, 999)
		})
	}
	fails(t, "cuDevicePrimaryCtxRetain=2", func() {
		_, err := Open(0)
		assertDriver(t, err, "cuDevicePrimaryCtxRetain", 2)
		assert.ErrorIs(t, err, ErrOutOfMemory)
	})
	d := OpenForTest(t)
	fails(t, "cuDevicePrimaryCtxRelease_v2=201", func() { assertDriver(t, d.Close(), "cuDevicePrimaryCtxRelease_v2", 201) })
	require.NoError(t, driverRelease(0)) // what that did not do
}

// assertDriver asserts that a call of the driver has failed.
func assertDriver(t testing.TB, err error, call string, code int) {
	t.Helper()
	var driver *Error
	if assert.ErrorAs(t, err, &driver) {
		if n := len(call) - len("_v2"); call[n:] == "_v2" {
			call = call[:n]
		}
		assert.Equal(t, call, driver.Call)
		assert.Equal(t, code, driver.Code)
	}
}

// ptx is enough of a module for the fake driver.
var ptx = []byte(".version 7.8\n.target sm_70\n.visible .entry philox_uint32_x4_16(\n.visible .entry absent(\n")

// Every call of the driver may fail. An error says so, and the context that was current before is current
// again.
func TestCallsFail(t *testing.T) {
	needFake(t)
	var (
		d      = OpenForTest(t)
		s      = newStream(t, d)
		b      = alloc[uint32](t, d, 100).On(s)
		data   = make([]uint32, 100)
		e, err = s.Record()
		only   = func(_ any, err error) error { return err }
	)
	require.NoError(t, err)
	g, err := s.Capture(func() error { return b.SetBytes(1) })
	require.NoError(t, err)
	f, err := d.function(ptx, "philox_uint32_x4_16")
	require.NoError(t, err)
	other := 0
	var fill fillParams
	var args kernelArgs
	for _, test := range []struct {
		operation string
		do        func() error
		calls     []string
	}{
		{"Memory", func() error { _, _, err := d.Memory(); return err }, []string{"cuMemGetInfo_v2"}},
		{"Sync", d.Sync, []string{"cuCtxSynchronize"}},
		{"NewStream", func() error { return only(d.NewStream()) }, []string{"cuStreamCreate"}},
		{"Stream.Sync", s.Sync, []string{"cuStreamSynchronize"}},
		{"Stream.Capturing", func() error { return only(s.Capturing()) }, []string{"cuStreamIsCapturing"}},
		{"Stream.Record", func() error { return only(s.Record()) }, []string{"cuEventCreate", "cuEventRecord"}},
		{"Stream.Wait", func() error { return s.Wait(e) }, []string{"cuStreamWaitEvent"}},
		{"Event.Sync", e.Sync, []string{"cuEventSynchronize"}},
		{"Event.Done", func() error { return only(e.Done()) }, []string{"cuEventQuery"}},
		{"Event.Since", func() error { return only(e.Since(e)) }, []string{"cuEventElapsedTime"}},
		{"Graph.Launch", func() error { return g.Launch(s) }, []string{"cuGraphLaunch"}},
		{"Alloc", func() error { return only(Alloc[byte](d, 100)) }, []string{"cuMemAlloc_v2"}},
		{"CopyFrom", func() error { return b.CopyFrom(data) }, []string{"cuStreamIsCapturing", "cuMemcpyHtoDAsync_v2", "cuStreamSynchronize"}},
		{"CopyTo", func() error { return b.CopyTo(data) }, []string{"cuStreamIsCapturing", "cuMemcpyDtoHAsync_v2", "cuStreamSynchronize"}},
		{"SetBytes", func() error { return b.SetBytes(1) }, []string{"cuMemsetD8Async"}},
		{"launch", func() error { return d.launch(f, 1, 1, 0, unsafe.Pointer(&fill), unsafe.Pointer(&args)) }, []string{"cuLaunchKernel"}},
		{"module", func() error {
			return only(d.function(append([]byte(nil), ptx...), fmt.Sprint("absent", other)))
		}, []string{"cuModuleLoadDataEx"}},
		{"function", func() error { return only(d.function(ptx, "philox_uint64_x4_16")) }, []string{"cuModuleGetFunction"}},
	} {
		t.Run(test.operation, func(t *testing.T) {
			for _, call := range test.calls {
				for _, code := range []int{2, 700, 12345} {
					fails(t, call+"="+fmt.Sprint(code), func() {
						var err error
						calls := trace(t, func() { err = test.do() })
						assertDriver(t, err, call, code)
						assert.Equal(t, code == 2, errors.Is(err, ErrOutOfMemory))
						require.GreaterOrEqual(t, len(calls), 3)
						assert.Equal(t, "cuCtxPushCurrent_v2", calls[0])
						assert.Equal(t, "cuCtxPopCurrent_v2", calls[len(calls)-1])
						for _, c := range calls[1 : len(calls)-1] {
							assert.NotContains(t, c, "Current")
						}
					})
				}
			}
			// A context that another library has destroyed.
			fails(t, "cuCtxPushCurrent_v2=709", func() {
				assert.EqualError(t, test.do(), "cuda: cuCtxPushCurrent: CUDA_ERROR_CONTEXT_IS_DESTROYED (709): context is destroyed")
			})
			if test.operation != "function" && test.operation != "module" {
				fails(t, "cuCtxPopCurrent_v2=201", func() { assertDriver(t, test.do(), "cuCtxPopCurrent_v2", 201) })
				assert.NoError(t, test.do())
			}
		})
	}
	fails(t, "cuLaunchKernel=709", func() {
		err := d.launch(f, 1, 1, 0, unsafe.Pointer(&fill), unsafe.Pointer(&args))
		assert.EqualError(t, err, "cuda: cuLaunchKernel: CUDA_ERROR_CONTEXT_IS_DESTROYED (709): context is destroyed")
	})
	fails(t, "cuEventQuery=600", func() {
		done, err := e.Done()
		assert.NoError(t, err)
		assert.False(t, done)
	})

	// What is given back is so even if that fails: a second time would be worse.
	fails(t, "cuStreamDestroy_v2=1,cuEventDestroy_v2=2,cuGraphExecDestroy=3,cuMemFree_v2=700", func() {
		assertDriver(t, s.Close(), "cuStreamDestroy_v2", 1)
		assert.NoError(t, s.Close())
		assertDriver(t, e.Close(), "cuEventDestroy_v2", 2)
		assert.NoError(t, e.Close())
		assertDriver(t, g.Close(), "cuGraphExecDestroy", 3)
		assert.NoError(t, g.Close())
		assertDriver(t, b.Free(), "cuMemFree_v2", 700)
		assert.ErrorIs(t, b.Free(), ErrClosed)
	})
}

func TestModuleFails(t *testing.T) {
	needFake(t)
	d := OpenForTest(t)
	_, err := d.function([]byte("no PTX"), "absent")
	assert.EqualError(t, err, "cuda: cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX (218): a PTX JIT compilation failed: ptxas fatal   : Missing .version directive at start of file")
	_, err = d.function(ptx, "absent")
	assert.EqualError(t, err, "cuda: cuModuleGetFunction: CUDA_ERROR_NOT_FOUND (500): named symbol not found")

	// One load for an image, one look for a name.
	var f, again function
	calls := trace(t, func() {
		f, err = d.function(ptx, "philox_uint32_x4_16")
		require.NoError(t, err)
		again, err = d.function(ptx, "philox_uint32_x4_16")
		require.NoError(t, err)
	})
	assert.Equal(t, f, again)
	assert.Equal(t, []string{"cuCtxPushCurrent_v2", "cuModuleGetFunction", "cuCtxPopCurrent_v2"}, calls)
}

func TestOutOfMemory(t *testing.T) {
	needFake(t)
	d := OpenForTest(t)
	_, err := Alloc[byte](d, 1<<40)
	assert.ErrorIs(t, err, ErrOutOfMemory)
	assert.EqualError(t, err, "cuda: cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2): out of memory")
	alloc[byte](t, d, 1)
}

func TestAllocArguments(t *testing.T) {
	d := OpenForTest(t)
	_, err := Alloc[byte](d, -1)
	badArgument(t, err, fmt.Sprintf("cuda: n = -1: must be from 0 to %d", math.MaxInt))
	_, err = Alloc[float64](d, math.MaxInt/8+1)
	badArgument(t, err, fmt.Sprintf("cuda: n = %d: must be from 0 to %d", math.MaxInt/8+1, math.MaxInt/8))
	_, err = Wrap[float32](d, 16, -1)
	badArgument(t, err, fmt.Sprintf("cuda: n = -1: must be from 0 to %d", math.MaxInt/4))
	for _, test := range []struct {
		pointer uintptr
		n       int
		want    string
	}{
		{0, 1, "cuda: pointer = 0x0: must be an address of memory of the device"},
		{0x1001, 1, "cuda: pointer = 0x1001: must be a multiple of 4, an element's size"},
		{0x1002, 0, "cuda: pointer = 0x1002: must be a multiple of 4, an element's size"},
		{math.MaxUint - 3, 2, fmt.Sprintf("cuda: pointer = %#x: must leave room for 2 elements", uint(math.MaxUint-3))},
	} {
		_, err := Wrap[float32](d, test.pointer, test.n)
		badArgument(t, err, test.want)
	}
	none, err := Wrap[float32](d, 0, 0)
	require.NoError(t, err)
	assert.NoError(t, none.CopyTo(nil))
}

func TestCopies(t *testing.T) {
	d := OpenForTest(t)
	for _, stream := range []*Stream{d.StreamAt(0), newStream(t, d)} {
		for _, n := range []int{0, 1, 2, 3, 1000, 100_003} {
			b := alloc[uint64](t, d, n).On(stream)
			assert.Equal(t, n, b.Len())
			assert.Same(t, d, b.Device())
			assert.Same(t, stream, b.Stream())
			want := make([]uint64, n)
			for i := range want {
				want[i] = uint64(i) * 0x9e3779b97f4a7c15
			}
			require.NoError(t, b.CopyFrom(want))
			require.Equal(t, want, contents(t, b))
			if n > 2 {
				part := b.Slice(1, n-1).Slice(0, n-2)
				assert.Equal(t, b.Pointer()+8, part.Pointer())
				require.Equal(t, want[1:n-1], contents(t, part))
				require.NoError(t, part.Slice(0, 1).SetBytes(0xab))
				want[1] = 0xabababababababab
				require.NoError(t, b.Slice(n-1, n).CopyFrom([]uint64{7}))
				want[n-1] = 7
				require.Equal(t, want, contents(t, b))
			}
			require.NoError(t, b.Slice(n, n).SetBytes(1))
			badArgument(t, b.CopyFrom(make([]uint64, n+1)), fmt.Sprintf("cuda: src = %d elements: must be %d, as the buffer has", n+1, n))
			badArgument(t, b.CopyTo(make([]uint64, n+1)), fmt.Sprintf("cuda: dst = %d elements: must be %d, as the buffer has", n+1, n))
			require.NoError(t, b.Free())
		}
	}
	// A slice that is a part of something with pointers, which cgo would not let through.
	holder := &struct {
		next  *int
		words [4]uint32
	}{new(int), [4]uint32{1, 2, 3, 4}}
	b := alloc[uint32](t, d, 4)
	require.NoError(t, b.CopyFrom(holder.words[:]))
	holder.words = [4]uint32{}
	require.NoError(t, b.CopyTo(holder.words[:]))
	assert.Equal(t, [4]uint32{1, 2, 3, 4}, holder.words)
}

func TestSliceBounds(t *testing.T) {
	d := OpenForTest(t)
	b := alloc[int16](t, d, 10)
	for _, bounds := range [][2]int{{-1, 0}, {0, 11}, {3, 2}, {11, 11}, {0, -1}, {math.MinInt, math.MaxInt}} {
		assert.PanicsWithValue(t, fmt.Sprintf("cuda: Slice: bounds out of range [%d:%d] with length 10", bounds[0], bounds[1]), func() { b.Slice(bounds[0], bounds[1]) })
	}
	assert.Panics(t, func() { b.Slice(0, 5).Slice(0, 6) }, "there is no capacity")
	assert.Panics(t, func() { Buffer[int16]{}.Slice(0, 1) })
}

func TestFree(t *testing.T) {
	d := OpenForTest(t)
	for _, n := range []int{0, 10} {
		b := alloc[float32](t, d, n)
		view := b.Slice(n/2, n)
		require.NoError(t, view.Free()) // all of it
		for _, b := range []Buffer[float32]{b, view, b.On(newStream(t, d))} {
			dst := make([]float32, b.Len())
			for _, err := range []error{b.CopyFrom(dst), b.CopyTo(dst), b.SetBytes(0), b.Free(), b.target().use(func(uintptr) error { panic("not called") })} {
				assert.ErrorIs(t, err, ErrClosed)
				assert.EqualError(t, err, "cuda: the buffer is closed or freed")
			}
		}
	}
}

func TestWrap(t *testing.T) {
	d := OpenForTest(t)
	b := alloc[byte](t, d, 64)
	require.NoError(t, b.SetBytes(0))
	for _, offset := range []uintptr{0, 4, 8, 12} {
		w, err := Wrap[uint32](d, b.Pointer()+offset, 3)
		require.NoError(t, err)
		assert.Equal(t, 3, w.Len())
		require.NoError(t, w.CopyFrom([]uint32{1, 2, 3}))
		assert.Equal(t, []byte{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0}, contents(t, b.Slice(int(offset), int(offset)+12)))
		require.NoError(t, w.Free())
		assert.ErrorIs(t, w.SetBytes(0), ErrClosed)
		assert.ErrorIs(t, w.Free(), ErrClosed)
	}
	require.NoError(t, b.SetBytes(0), "the memory is its owner's")
	if faked {
		w, err := Wrap[byte](d, b.Pointer()+60, 5)
		require.NoError(t, err)
		assertDriver(t, w.SetBytes(1), "cuMemsetD8Async", 1) // the fake driver is that strict
	}
}

func TestOtherDevicesStream(t *testing.T) {
	needFake(t)
	d, twin := OpenForTest(t), OpenForTest(t)
	other, err := Open(1)
	require.NoError(t, err)
	defer other.Close()
	b := alloc[uint32](t, d, 4)
	mine, theirs, twins := newStream(t, d), newStream(t, other), newStream(t, twin)
	assert.Same(t, other, theirs.Device())
	for s, value := range map[*Stream]string{
		theirs:            "a stream of cuda:1",
		other.StreamAt(0): "a stream of cuda:1",
		twins:             "a stream of cuda:0 as opened another time",
	} {
		want := "cuda: s = " + value + ": must be a stream of this cuda:0"
		b := b.On(s)
		badArgument(t, b.SetBytes(0), want)
		badArgument(t, b.CopyTo(make([]uint32, 4)), want)
		badArgument(t, b.CopyFrom(make([]uint32, 4)), want)
		g, err := mine.Capture(func() error { return nil })
		require.NoError(t, err)
		badArgument(t, g.Launch(s), want)
	}
	// Events are for all.
	e, err := theirs.Record()
	require.NoError(t, err)
	require.NoError(t, mine.Wait(e))
	require.NoError(t, b.Free())
}

func TestStreams(t *testing.T) {
	d := OpenForTest(t)
	s := newStream(t, d)
	same := d.StreamAt(s.Handle())
	assert.Equal(t, s.Handle(), same.Handle())
	assert.NotZero(t, s.Handle())
	b := alloc[byte](t, d, 100)
	require.NoError(t, b.On(same).SetBytes(3))
	require.NoError(t, same.Close())
	require.NoError(t, same.Sync(), "a caller's stream stays open")
	require.NoError(t, b.Stream().Close())
	require.NoError(t, b.SetBytes(2), "so does the default stream")
	require.NoError(t, s.Sync())
	require.NoError(t, s.Close())
	require.NoError(t, s.Close())
	for _, err := range []error{s.Sync(), b.On(s).SetBytes(1), b.On(s).CopyTo(make([]byte, 100))} {
		assert.ErrorIs(t, err, ErrClosed)
		assert.EqualError(t, err, "cuda: the stream is closed or freed")
	}
	_, err := s.Record()
	assert.ErrorIs(t, err, ErrClosed)
	if faked {
		assertDriver(t, same.Sync(), "cuStreamSynchronize", 400)
	}
}

func TestEvents(t *testing.T) {
	d := OpenForTest(t)
	s, after := newStream(t, d), newStream(t, d)
	b := alloc[byte](t, d, 1<<20)
	first, err := s.Record()
	require.NoError(t, err)
	require.NoError(t, b.On(s).SetBytes(1))
	second, err := s.Record()
	require.NoError(t, err)
	require.NoError(t, after.Wait(second))
	require.NoError(t, b.On(after).SetBytes(2))
	require.NoError(t, second.Sync())
	done, err := second.Done()
	require.NoError(t, err)
	assert.True(t, done)
	took, err := second.Since(first)
	require.NoError(t, err)
	assert.GreaterOrEqual(t, took, time.Duration(0))
	assert.Less(t, took, time.Minute)
	require.NoError(t, first.Close())
	require.NoError(t, first.Close())
	_, err = second.Since(first)
	assert.EqualError(t, err, "cuda: the event is closed or freed")
	_, err = first.Since(second)
	assert.ErrorIs(t, err, ErrClosed)
	assert.ErrorIs(t, s.Wait(first), ErrClosed)
	assert.ErrorIs(t, first.Sync(), ErrClosed)
	require.NoError(t, after.Sync())
	assert.EqualValues(t, 2, contents(t, b)[1<<20-1])
}

func TestCapture(t *testing.T) {
	d := OpenForTest(t)
	s, other := newStream(t, d), newStream(t, d)
	b := alloc[byte](t, d, 100)
	require.NoError(t, b.On(s).SetBytes(9))
	require.NoError(t, s.Sync())
	capturing := func() bool {
		is, err := s.Capturing()
		require.NoError(t, err)
		return is
	}
	g, err := s.Capture(func() error {
		assert.True(t, capturing())
		// Copies are refused without harm to what is captured.
		assertDriver(t, b.On(s).CopyTo(make([]byte, 100)), "cuStreamSynchronize", 900)
		assertDriver(t, b.On(s).CopyFrom(make([]byte, 100)), "cuStreamSynchronize", 900)
		_, err := s.Capture(func() error { panic("not called") })
		assert.Error(t, err)
		if err := b.On(s).SetBytes(1); err != nil {
			return err
		}
		return b.Slice(50, 100).On(s).SetBytes(2)
	})
	require.NoError(t, err)
	assert.False(t, capturing())
	assert.EqualValues(t, 9, contents(t, b.On(s))[0], "nothing has run")
	for range 2 {
		require.NoError(t, b.On(other).SetBytes(0))
		require.NoError(t, g.Launch(other))
		got := contents(t, b.On(other))
		assert.EqualValues(t, []byte{1, 1, 2, 2}, []byte{got[0], got[49], got[50], got[99]})
	}
	require.NoError(t, s.Close())
	assert.ErrorIs(t, g.Launch(s), ErrClosed)
	require.NoError(t, g.Launch(other))
	require.NoError(t, other.Sync())
	require.NoError(t, g.Close())
	require.NoError(t, g.Close())
	assert.EqualError(t, g.Launch(other), "cuda: the graph is closed or freed")
}

func TestCaptureFails(t *testing.T) {
	d := OpenForTest(t)
	s := newStream(t, d)
	b := alloc[byte](t, d, 100).On(s)
	own := errors.New("queue's own")
	usable := func() {
		t.Helper()
		is, err := s.Capturing()
		require.NoError(t, err)
		require.False(t, is)
		require.NoError(t, b.SetBytes(5))
		require.NoError(t, s.Sync())
	}
	g, err := s.Capture(func() error {
		require.NoError(t, b.SetBytes(1))
		return own
	})
	assert.Same(t, own, err)
	assert.Nil(t, g)
	usable()

	assert.PanicsWithValue(t, "queue's panic", func() { s.Capture(func() error { panic("queue's panic") }) })
	usable()

	g, err = s.Capture(func() error { // to wait is no part of a graph
		err := s.Sync()
		assertDriver(t, err, "cuStreamSynchronize", 900)
		return err
	})
	assertDriver(t, err, "cuStreamSynchronize", 900)
	assert.Nil(t, g)
	usable()

	g, err = s.Capture(func() error {
		s.Sync()
		return nil
	})
	assertDriver(t, err, "cuStreamEndCapture", 901)
	assert.Nil(t, g)
	usable()

	_, err = d.StreamAt(0).Capture(func() error { panic("not called") })
	assertDriver(t, err, "cuStreamBeginCapture", 900)

	if !faked {
		return
	}
	for _, call := range []string{"cuStreamBeginCapture_v2", "cuGraphInstantiateWithFlags"} {
		fails(t, call+"=2", func() {
			g, err := s.Capture(func() error { return b.SetBytes(1) })
			assertDriver(t, err, call, 2)
			assert.Nil(t, g)
		})
		usable()
	}
	calls := trace(t, func() {
		fails(t, "cuGraphInstantiateWithFlags=2", func() { s.Capture(func() error { return nil }) })
	})
	assert.Contains(t, calls, "cuGraphDestroy")
}

// A capture may begin on one thread, go on on others and end on yet another.
func TestCaptureOnManyThreads(t *testing.T) {
	d := OpenForTest(t)
	s := newStream(t, d)
	b := alloc[byte](t, d, 100).On(s)
	onThread := func(f func() error) error {
		result := make(chan error)
		go func() {
			runtime.LockOSThread() // and with the goroutine the thread ends
			result <- f()
		}()
		return <-result
	}
	require.NoError(t, onThread(s.captureBegin))
	require.NoError(t, onThread(func() error { return b.SetBytes(1) }))
	var g *Graph
	require.NoError(t, onThread(func() (err error) {
		g, err = s.captureEnd(true)
		return err
	}))
	require.NoError(t, onThread(func() error { return g.Launch(s) }))
	assert.EqualValues(t, 1, contents(t, b)[99])
}

func TestClose(t *testing.T) {
	d, err := Open(0)
	if err != nil {
		d = OpenForTest(t) // skips
	}
	watch := OpenForTest(t)
	before, total, err := watch.Memory()
	require.NoError(t, err)
	s := newStream(t, d)
	e, err := s.Record()
	require.NoError(t, err)
	b := alloc[byte](t, d, 1<<20)
	wrapped, err := Wrap[byte](d, b.Pointer(), 10)
	require.NoError(t, err)
	g, err := s.Capture(func() error { return b.On(s).SetBytes(1) })
	require.NoError(t, err)
	_, err = d.function(find("uint32").image, find("uint32").name)
	require.NoError(t, err)
	if faked {
		free, _, err := watch.Memory()
		require.NoError(t, err)
		assert.Equal(t, before-1<<20, free)
	}
	calls := trace(t, func() { require.NoError(t, d.Close()) })
	if faked {
		for _, call := range []string{"cuCtxSynchronize", "cuStreamDestroy_v2", "cuEventDestroy_v2", "cuGraphExecDestroy", "cuMemFree_v2", "cuModuleUnload", "cuDevicePrimaryCtxRelease_v2"} {
			assert.Contains(t, calls, call)
		}
		free, all, err := watch.Memory()
		require.NoError(t, err)
		assert.Equal(t, []uint64{before, total}, []uint64{free, all})
	}
	require.NoError(t, d.Close())
	for _, err := range []error{d.Sync(), s.Sync(), e.Sync(), g.Launch(s), b.SetBytes(0), b.On(s).SetBytes(1), b.Free(), wrapped.SetBytes(0), wrapped.Free()} {
		assert.EqualError(t, err, "cuda: the device is closed or freed")
		assert.ErrorIs(t, err, ErrClosed)
	}
	_, err = d.NewStream()
	assert.ErrorIs(t, err, ErrClosed)
	_, err = Alloc[byte](d, 0)
	assert.ErrorIs(t, err, ErrClosed)
	assert.ErrorIs(t, Uint32s().Load(d), ErrClosed)
	for _, c := range []interface{ Close() error }{s, e, g} {
		assert.NoError(t, c.Close())
	}
}

// Close does all it can, and says what went wrong first.
func TestCloseFails(t *testing.T) {
	needFake(t)
	d, err := Open(0)
	require.NoError(t, err)
	alloc[byte](t, d, 10)
	newStream(t, d)
	var calls []string
	fails(t, "cuCtxSynchronize=700,cuMemFree_v2=700", func() {
		calls = trace(t, func() { assertDriver(t, d.Close(), "cuCtxSynchronize", 700) })
	})
	for _, call := range []string{"cuMemFree_v2", "cuStreamDestroy_v2", "cuDevicePrimaryCtxRelease_v2"} {
		assert.Contains(t, calls, call)
	}
	assert.NoError(t, d.Close())
}

// Memory that nobody has freed and nobody can free any more is told to tests, and left alone.
func TestLeaks(t *testing.T) {
	needFake(t)
	d := OpenForTest(t)
	type leak struct {
		pointer uintptr
		bytes   int
	}
	leaks := make(chan leak, 10)
	d.leaked = func(pointer uintptr, bytes int) { leaks <- leak{pointer, bytes} }
	freed := alloc[byte](t, d, 100)
	require.NoError(t, freed.Free())
	lost := func() uintptr { return alloc[uint32](t, d, 10).Slice(5, 10).Pointer() }()
	kept := alloc[byte](t, d, 1000)
	deadline := time.After(time.Minute)
	for found := false; !found; {
		runtime.GC()
		select {
		case l := <-leaks:
			assert.Equal(t, leak{lost - 20, 40}, l)
			found = true
		case <-time.After(time.Millisecond):
		case <-deadline:
			t.Fatal("nothing was told")
		}
	}
	runtime.GC()
	assert.Empty(t, leaks)
	free, total, err := d.Memory()
	require.NoError(t, err)
	assert.EqualValues(t, 1040, total-free, "what leaked is still there: work may be queued on it")
	require.NoError(t, kept.Free())
}

// Whoever uses what another frees or closes gets it before or an error after.
func TestConcurrentFreeAndUse(t *testing.T) {
	d := OpenForTest(t)
	for round := range 50 {
		var (
			s     = newStream(t, d)
			b     = alloc[uint32](t, d, 1000).On(s)
			users sync.WaitGroup
			used  atomic.Int64
			start = make(chan struct{})
		)
		for i := range 6 {
			users.Go(func() {
				<-start
				data := make([]uint32, b.Len())
				for range 1000 {
					var err error
					switch i % 3 {
					case 0:
						err = b.CopyTo(data)
					case 1:
						err = b.SetBytes(byte(i))
					default:
						err = b.CopyFrom(data)
					}
					if err != nil {
						assert.ErrorIs(t, err, ErrClosed)
						return
					}
					used.Add(1)
				}
			})
		}
		var frees atomic.Int64
		for range 2 {
			users.Go(func() {
				<-start
				for used.Load() < int64(round) {
					runtime.Gosched()
				}
				if round%2 == 0 {
					assert.NoError(t, s.Close())
				}
				if err := b.Free(); err == nil {
					frees.Add(1)
				} else {
					assert.ErrorIs(t, err, ErrClosed)
				}
			})
		}
		close(start)
		users.Wait()
		assert.EqualValues(t, 1, frees.Load())
		assert.NoError(t, s.Close())
	}
}

func TestConcurrentClose(t *testing.T) {
	needFake(t)
	for range 20 {
		d, err := Open(0)
		require.NoError(t, err)
		var users sync.WaitGroup
		var made atomic.Int64
		for range 4 {
			users.Go(func() {
				for {
					b, err := Alloc[byte](d, 1000)
					if err == nil {
						err = b.SetBytes(1)
					}
					if err == nil {
						err = b.Free()
					}
					var s *Stream
					if err == nil {
						s, err = d.NewStream()
					}
					if err == nil {
						_, err = s.Record()
					}
					if err != nil {
						assert.ErrorIs(t, err, ErrClosed)
						return
					}
					made.Add(1)
				}
			})
		}
		for made.Load() < 10 {
			runtime.Gosched()
		}
		users.Go(func() { assert.NoError(t, d.Close()) })
		assert.NoError(t, d.Close())
		users.Wait()
	}
}

// Uses may be nested while somebody waits to close the device.
func TestNestedUse(t *testing.T) {
	d, err := Open(0)
	if err != nil {
		d = OpenForTest(t) // skips
	}
	a, b := alloc[byte](t, d, 10), alloc[byte](t, d, 10)
	closed := make(chan error, 1)
	err = a.target().use(func(uintptr) error {
		go func() { closed <- d.Close() }()
		for {
			err := b.target().use(func(uintptr) error { return nil })
			if err != nil {
				return err
			}
			runtime.Gosched()
		}
	})
	assert.ErrorIs(t, err, ErrClosed)
	require.NoError(t, <-closed)
}

// The driver runs the kernels of the source, and replays those of a graph.
func TestFakeRunsKernels(t *testing.T) {
	needFake(t)
	d := OpenForTest(t)
	s := newStream(t, d)
	b := alloc[uint32](t, d, 1<<20+3).On(s)
	from := philox.New(5).Skip(math.MaxUint32 - 7) // a carry in it
	want := make([]uint32, b.Len())
	from.FillUint32(want)
	begin := time.Now()
	require.NoError(t, Uint32s().Fill(b, from, 0))
	t.Logf("2^20 words in %v", time.Since(begin))
	require.Equal(t, want, contents(t, b))

	state, err := NewState(d, from)
	require.NoError(t, err)
	g, err := s.Capture(func() error { return Uint32s().FillFrom(b, state) })
	require.NoError(t, err)
	at := from
	for range 2 {
		require.NoError(t, g.Launch(s))
		at.FillUint32(want)
		require.Equal(t, want, contents(t, b))
		at = at.Skip(Uint32s().Blocks(b.Len()))
	}
	now, err := state.Get(s)
	require.NoError(t, err)
	assert.Equal(t, at, now)
}

// The environment of C is that of Go, which the tests above hang on.
func TestSetenvReachesTheDriver(t *testing.T) {
	needFake(t)
	require.NotEmpty(t, os.Getenv(libraryVariable))
	d := OpenForTest(t)
	fails(t, "cuCtxSynchronize=4", func() { assertDriver(t, d.Sync(), "cuCtxSynchronize", 4) })
	require.NoError(t, d.Sync())
}

// Work on memory that is not there breaks the context for good: all that follows must fail with
// the driver's error, and nothing must panic or hang. The fake driver only plays that.
func TestIllegalAddress(t *testing.T) {
	var env []string
	if faked {
		var broken []string
		for _, call := range []string{"cuLaunchKernel", "cuCtxSynchronize", "cuMemAlloc_v2", "cuMemFree_v2", "cuMemcpyDtoHAsync_v2"} {
			broken = append(broken, call+"=700")
		}
		env = append(env, libraryVariable+"="+os.Getenv(libraryVariable), breakVariable+"="+strings.Join(broken, ","))
	} else {
		OpenForTest(t)
	}
	out, err := child(t, "illegal", env...)
	require.NoError(t, err, out)
	for _, what := range []string{"sync", "fill again", "alloc again", "copy", "free"} {
		assert.Regexp(t, `(?m)^`+what+`: cuda: \w+: CUDA_ERROR_ILLEGAL_ADDRESS \(700\): `, out)
	}
	assert.NotContains(t, out, "panic")
	assert.Contains(t, out, "\nclose: ")
}

// More memory than any device has, which also the driver of a real one must refuse.
func TestAllocTooMuch(t *testing.T) {
	d := OpenForTest(t)
	_, err := Alloc[uint64](d, 1<<43)
	require.ErrorIs(t, err, ErrOutOfMemory)
	b, err := Alloc[uint64](d, 1000)
	require.NoError(t, err)
	require.NoError(t, b.Free())
}

// What philox.ptx does not suit is no device.
func TestTooOld(t *testing.T) {
	good := Info{Index: 1, Name: "GPU", Major: 7, DriverVersion: 11080}
	assert.NoError(t, good.check())
	driver, device := good, good
	driver.DriverVersion = 11070
	device.Major, device.Minor = 6, 1
	for want, i := range map[string]Info{
		"cuda: unavailable: the driver is of CUDA 11.7, and 11.8 or later is needed":             driver,
		"cuda: unavailable: cuda:1, GPU, has compute capability 6.1, and 7.0 or later is needed": device,
	} {
		assert.EqualError(t, i.check(), want)
		assert.ErrorIs(t, i.check(), ErrUnavailable)
	}
}

// Blocks must not be lost where the kernel cannot be loaded, and the default stream of a thread is
// refused, since it would be another for every call.
func TestNothingIsTaken(t *testing.T) {
	d := OpenForTest(t)
	g := random.NewGenerator(d.Random(), 1)
	x := alloc[float32](t, d, 100)
	if faked {
		fails(t, "cuModuleLoadDataEx=222", func() {
			require.Error(t, Gumbel(g, x, 0, 1))
			require.Error(t, DropoutMask(g, alloc[byte](t, d, 16), 100, 0.5))
		})
	}
	badArgument(t, Normal(g, x.On(d.StreamAt(2)), 0, 1), "cuda: handle = 2: must not be the default stream of a thread")
	badArgument(t, d.StreamAt(2).Sync(), "cuda: handle = 2: must not be the default stream of a thread")
	assert.Zero(t, g.Offset())
}

// Free beside Next or Dropout: either the numbers come and their blocks are taken, or neither.
func TestFreeBesideNext(t *testing.T) {
	d := OpenForTest(t)
	g := random.NewGenerator(d.Random(), 1)
	mask := alloc[byte](t, d, 16)
	for i := range 2000 {
		x, err := Alloc[float32](d, 100)
		require.NoError(t, err)
		before, freed := g.Offset(), make(chan error)
		go func() { freed <- x.Free() }()
		if i%2 == 0 {
			err = Uniform(g, x, 0, 1)
		} else {
			err = Dropout(g, x, mask, x, 0.5, true)
		}
		require.NoError(t, <-freed)
		if err == nil {
			before += 25
		} else {
			require.ErrorIs(t, err, ErrClosed)
		}
		require.Equal(t, before, g.Offset())
	}
}
