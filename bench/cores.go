package bench

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"
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

// A Speedup says how much more of a row two cores make than one.
type Speedup struct {
	Name           string  // the row's
	Times          float64 // the median of the undisturbed rounds; 0 if there are none
	Counted, Tried int     // rounds
}

func (s Speedup) String() string {
	if s.Counted == 0 {
		return fmt.Sprintf("%s: all %d rounds were disturbed", s.Name, s.Tried)
	}
	return fmt.Sprintf("%s %.2f times as much as one (median of the %d undisturbed rounds of %d)", s.Name, s.Times, s.Counted, s.Tried)
}

// OnTwoCores returns the rows that TwoCores is for: fills of a stream.
func OnTwoCores() (rows []Row) {
	for _, r := range fillRows() {
		if r.Name == Reference || strings.HasPrefix(r.Name, "normal.") {
			rows = append(rows, r)
		}
	}
	return rows
}

// TwoCores measures how much more of a row two goroutines make than one, with a buffer
// of CacheSize each. The row must have no state that they would share.
func TwoCores(ctx context.Context, r Row, rounds int) (Speedup, error) {
	bufs := [2][]byte{Memory(CacheSize), Memory(CacheSize)}
	times := 1
	for took := time.Duration(0); took < pairTime; {
		from := time.Now()
		r.Run(bufs[0], times)
		if took = time.Since(from); took < pairTime {
			times *= 2
		}
	}
	pairs := make([]pair, rounds)
	for i := range pairs {
		if ctx.Err() != nil {
			return Speedup{}, context.Cause(ctx)
		}
		pairs[i] = newPair(r.Run, bufs, times)
	}
	return speedupOf(r.Name, pairs), nil
}

func speedupOf(name string, pairs []pair) Speedup {
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
	s := Speedup{Name: name, Counted: len(all), Tried: len(pairs)}
	if len(all) > 0 {
		slices.Sort(all)
		s.Times = all[len(all)/2]
	}
	return s
}

// pairTime is how long a pair's fills take at least: long beside starting a thread.
const pairTime = 3 * time.Millisecond

func newPair(fill Filler, bufs [2][]byte, times int) (p pair) {
	many := func(b []byte) time.Duration {
		from := time.Now()
		fill(b, times)
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
