package philox_test

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/philox-go/rng/philox"
)

// An assembly loop cannot be interrupted, so a collection waits for the kernel
// call that is under way. If a call covered a whole fill, collections would wait
// for most of a fill each time it stops the world; they must not wait for a small
// part of one. What else runs on the machine makes some collections slow, so it is
// a fast one of many that counts, beside the fill of the same run.
func TestCollectionsDoNotWaitForFills(t *testing.T) {
	if testing.Short() {
		t.Skip("fills 256 MiB many times; .ci/run also runs the tests without -short")
	}
	setProcs(t, 2)
	dst := make([]uint32, 256<<20/4)
	s := philox.New(1).WithMaxGoroutines(1)
	s.FillUint32(dst) // touches the memory
	start := time.Now()
	s.FillUint32(dst)
	whole := time.Since(start)

	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				s.FillUint32(dst)
			}
		}
	}()
	var pauses []time.Duration
	for range 40 {
		time.Sleep(whole / 7) // another place of the fill each time
		start := time.Now()
		runtime.GC()
		pauses = append(pauses, time.Since(start))
	}
	close(stop)
	<-stopped
	slices.Sort(pauses)
	fast, median := pauses[len(pauses)/8], pauses[len(pauses)/2]
	t.Logf("a fill takes %v, a collection %v (fastest eighth), %v (median), %v (longest)", whole, fast, median, pauses[len(pauses)-1])
	if fast > whole {
		t.Errorf("collections take %v and more while fills of %v run: a kernel call is too long", fast, whole)
	}
}
