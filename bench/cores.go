package bench

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/philox"
)

// A pair is one goroutine that fills a buffer many times, and then two that do so
// at once, a buffer each.
type pair struct{ alone, wall, slower time.Duration }

// undisturbed reports whether two really ran at once, and no run was much slower
// than the fastest of one alone: nothing of that is so where another program has
// one of the cores.
func (p pair) undisturbed(fastest time.Duration) bool {
	return p.wall < p.slower*12/10 && max(p.alone, p.slower) < fastest/10*12
}

func (p pair) speedup() float64 { return 2 * float64(p.alone) / float64(p.slower) }

// A Speedup says how much more two cores make than one.
type Speedup struct {
	Times          float64 // the median of the undisturbed rounds; 0 if there are none
	Counted, Tried int     // rounds
}

func (s Speedup) String() string {
	if s.Counted == 0 {
		return fmt.Sprintf("all %d rounds were disturbed", s.Tried)
	}
	return fmt.Sprintf("%.2f times as much as one (median of the %d undisturbed rounds of %d)", s.Times, s.Counted, s.Tried)
}

// TwoCores measures how much more two goroutines fill than one, with a buffer of
// CacheSize each.
func TwoCores(ctx context.Context, rounds int) (Speedup, error) {
	bufs := [2][]uint32{view.Of[uint32](Memory(CacheSize)), view.Of[uint32](Memory(CacheSize))}
	pairs := make([]pair, rounds)
	for i := range pairs {
		if ctx.Err() != nil {
			return Speedup{}, context.Cause(ctx)
		}
		pairs[i] = newPair(bufs)
	}
	return speedupOf(pairs), nil
}

func speedupOf(pairs []pair) Speedup {
	fastest := time.Duration(math.MaxInt64)
	for _, p := range pairs {
		fastest = min(fastest, p.alone)
	}
	var all []float64
	for _, p := range pairs {
		if p.undisturbed(fastest) {
			all = append(all, p.speedup())
		}
	}
	s := Speedup{Counted: len(all), Tried: len(pairs)}
	if len(all) > 0 {
		slices.Sort(all)
		s.Times = all[len(all)/2]
	}
	return s
}

// pairFills take some milliseconds: long beside starting a thread.
const pairFills = 4000

func newPair(bufs [2][]uint32) (p pair) {
	s := philox.New(seed).WithMaxGoroutines(1)
	many := func(b []uint32) time.Duration {
		from := time.Now()
		for range pairFills {
			s.FillUint32(b)
		}
		return time.Since(from)
	}
	p.alone = many(bufs[0])
	var took [2]time.Duration
	var ready, done sync.WaitGroup
	ready.Add(2)
	from := time.Now()
	for i := range bufs {
		done.Go(func() {
			ready.Done()
			ready.Wait()
			took[i] = many(bufs[i])
		})
	}
	done.Wait()
	p.wall = time.Since(from)
	p.slower = max(took[0], took[1])
	return p
}
