package philox_test

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

// An assembly loop cannot be interrupted, so a collection waits for the kernel
// call that is under way each time it stops the world. A call is a 4096th of this
// fill; collections must not wait for an eighth of it. They take what they take
// while portable Go runs instead, which can be interrupted anywhere. What else runs
// on the machine makes some collections slow, or all for a while, so it is a fast
// one of many that counts, and there are some attempts.
func TestCollectionsDoNotWaitForFills(t *testing.T) {
	if testing.Short() {
		t.Skip("fills 256 MiB many times; .ci/run also runs the tests without -short")
	}
	setProcs(t, 2)
	dst := make([]uint32, 256<<20/4)
	s := philox.New(1).WithMaxGoroutines(1)
	whole := time.Duration(1<<63 - 1)
	for range 4 { // the first one touches the memory
		start := time.Now()
		s.FillUint32(dst)
		whole = min(whole, time.Since(start))
	}
	work := func() {}
	begin, stopped := make(chan func()), make(chan struct{})
	go func() {
		defer close(stopped)
		for open := true; open; {
			select {
			case work, open = <-begin:
			default:
				work()
			}
		}
	}()
	defer func() {
		close(begin)
		<-stopped
	}()
	// collections returns what a fast collection takes, a quarter from the fastest.
	collections := func(during func()) time.Duration {
		begin <- during
		var took []time.Duration
		for range 20 {
			time.Sleep(whole / 7) // another place of the fill each time
			start := time.Now()
			runtime.GC()
			took = append(took, time.Since(start))
		}
		slices.Sort(took)
		return took[len(took)/4]
	}
	for range 10 {
		portable := collections(func() {
			asm.FillLevel(asm.Generic, asm.Uint32, dst[:1<<16], s.Key(), s.Counter())
		})
		fills := collections(func() { s.FillUint32(dst) })
		t.Logf("a fill takes %v, a collection %v during fills and %v during portable ones", whole, fills, portable)
		if fills < portable+whole/8 {
			return
		}
	}
	t.Error("collections wait for fills: a kernel call is too long")
}
