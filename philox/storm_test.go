package philox_test

import (
	"bytes"
	"io"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

// stormTime is how long fills go on under each kind of weather.
func stormTime() time.Duration {
	if testing.Short() {
		return 100 * time.Millisecond
	}
	return 400 * time.Millisecond
}

// fillUntilStopped fills over and over and compares with the portable code, in a
// few lengths: below a group, one kernel call, many calls, and parallel.
func fillUntilStopped(t *testing.T) {
	setProcs(t, 4)
	bytesMost := max(philox.ParallelBytes(asm.Uint32), philox.ParallelBytes(asm.OpenFloat32), 256<<10) + 100
	s := philox.NewAt(philox.NewKey(72), philox.Counter{ones32 - 3000, 5})
	want := make([]uint32, bytesMost/4)
	asm.FillLevel(asm.Generic, asm.Uint32, want, s.Key(), s.Counter())
	wantOpen := make([]float32, len(want))
	asm.FillLevel(asm.Generic, asm.OpenFloat32, wantOpen, s.Key(), s.Counter())

	var wg sync.WaitGroup
	deadline := time.Now().Add(stormTime())
	for range 2 {
		wg.Go(func() {
			got, gotOpen := make([]uint32, len(want)), make([]float32, len(want))
			for i := 0; i < 4 || time.Now().Before(deadline); i++ {
				n := []int{30, 16 << 10, 60 << 10, len(want)}[i%4]
				s.FillUint32(got[:n])
				s.FillOpenFloat32(gotOpen[:n])
				if !bytes.Equal(bytesOf(want[:n]), bytesOf(got[:n])) || !bytes.Equal(bytesOf(wantOpen[:n]), bytesOf(gotOpen[:n])) {
					t.Errorf("fill %d, of %d elements, differs", i, n)
					return
				}
				clear(got[:n])
				clear(gotOpen[:n])
			}
		})
	}
	wg.Wait()
}

// golang/go#35777, golang/go#49233: signals that spoilt the vector registers. Both
// the collector's and a signal's arrival interrupt kernels here.
func TestCase72Storm(t *testing.T) {
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	})
	wg.Go(func() { sendSignals(t, stop) })
	fillUntilStopped(t)
	close(stop)
	wg.Wait()
}

// mmcloughlin/avo#156, apache/arrow-go#150: kernels that spoilt the frame pointer,
// so that the tracer crashed when it walked the stack.
func TestCase69Trace(t *testing.T) {
	if trace.IsEnabled() {
		t.Skip("the program is being traced already, which tests the same")
	}
	require.NoError(t, trace.Start(io.Discard))
	defer trace.Stop()
	fillUntilStopped(t)
}

func TestCase69Profile(t *testing.T) {
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		t.Skip("the program is being profiled already, which tests the same: ", err)
	}
	defer pprof.StopCPUProfile()
	fillUntilStopped(t)
}
