package fill

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/started"
)

// Each number is in one range, and ranges are as long as they must be.
func TestShare(t *testing.T) {
	for _, procs := range []int{1, 2, 7} {
		setProcs(t, procs)
		for _, least := range []int{1, 3, 100} {
			for _, n := range []int{0, 1, 2, 3, 5, 6, 7, 199, 200, 201, 1000} {
				for _, limit := range []int{0, 1, 3} {
					calls, times := atomic.Int64{}, make([]atomic.Int64, n)
					Share(n, least, limit, func(from, to int) {
						calls.Add(1)
						if to-from < min(least, n) {
							t.Errorf("%d to %d, at least %d", from, to, least)
						}
						for i := from; i < to; i++ {
							times[i].Add(1)
						}
					})
					for i := range times {
						if times[i].Load() != 1 {
							t.Fatalf("%d of %d: %d times", i, n, times[i].Load())
						}
					}
					shared := Goroutines(limit) > 1 && n >= 2*least
					require.Equal(t, shared, calls.Load() > 1, "n = %d, least %d, limit %d", n, least, limit)
				}
			}
		}
	}
}

// As many goroutines as may share have the ranges between them.
func TestShareStartsGoroutines(t *testing.T) {
	setProcs(t, 3)
	if runtime.GOMAXPROCS(0) != 3 {
		t.Skip("this system has one processor; .ci/run also runs this test where it has more")
	}
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for limit, others := range []uint64{2, 0, 1, 2, 2} {
		before := started.Goroutines(t)
		Share(100, 1, limit, func(from, to int) {})
		assert.Equal(t, others, started.Goroutines(t)-before, "limit %d", limit)
	}
}
