package fill

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Share calls run with 0 to n-1, each once, on GOMAXPROCS goroutines or as many as there
// is work for, the caller's included, and returns when all calls have. What they write
// must not be on a stack.
func Share(n int, run func(i int)) {
	var next atomic.Int64
	work := func() {
		for {
			i := int(next.Add(1) - 1)
			if i >= n {
				return
			}
			run(i)
		}
	}
	var others sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
}
