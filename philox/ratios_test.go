package philox

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/philox-go/rng/philox/asm"
)

// reps is how often a contender's function is called for one time.
const reps = 32

// A contender is one thing that BenchmarkRatios times.
type contender struct {
	name  string
	call  int    // bytes of one call
	bytes int    // that run makes
	warm  func() // brings its memory into the nearest cache
	run   func()
	best  time.Duration
}

// BenchmarkRatios times everything in turn, many times, and compares the fastest
// times, so that a busy machine slows all of them alike:
//
//	go test ./philox -run '^$' -bench Ratios -v
//
// Cycles are counted by a chain of dependent operations in the same run.
func BenchmarkRatios(b *testing.B) {
	if asm.Best() == asm.Generic {
		b.Skip("no vector kernels to compare")
	}
	const inCache = 15360
	words := make([]uint32, inCache/4)
	floats := make([]float32, inCache/4)
	doubles := make([]float64, inCache/8)
	raw := make([]byte, inCache)
	large := make([]uint32, 256<<20/4)
	shared := make([]uint32, 1<<20/4)
	halves := [2][]uint32{make([]uint32, inCache/4), make([]uint32, inCache/4)}
	for i := range large {
		large[i] = 1
	}
	one := New(1).WithMaxGoroutines(1)
	key, ctr := one.key, one.start
	chacha := rand.NewChaCha8([32]byte{1})
	pcg := rand.NewPCG(1, 2)
	src := NewSource(1)
	var total uint64

	repeated := func(name string, bytes int, f func()) *contender {
		return &contender{name: name, call: bytes, bytes: reps * bytes, best: 1 << 62, warm: f, run: func() {
			for range reps {
				f()
			}
		}}
	}
	ref := repeated("uint32", inCache, func() { one.FillUint32(words) })
	list := []*contender{
		ref,
		repeated("float32", inCache, func() { one.FillFloat32(floats) }),
		repeated("float64", inCache, func() { one.FillFloat64(doubles) }),
		repeated("open float32", inCache, func() { one.FillOpenFloat32(floats) }),
		repeated("bytes", inCache, func() { one.FillBytes(raw) }),
		repeated("uint32 4 KiB", 4096, func() { one.FillUint32(words[:1024]) }),
		repeated("uint32 1 KiB", 1024, func() { one.FillUint32(words[:256]) }),
		repeated("uint32 4 words", 16, func() { one.FillUint32(words[:4]) }),
		repeated("uint32 1 MiB", 1<<20, func() { one.FillUint32(shared) }),
		repeated("ChaCha8.Read", inCache, func() { chacha.Read(raw) }),
		repeated("PCG.Uint64", inCache, func() {
			var x uint64
			for range inCache / 8 {
				x += pcg.Uint64()
			}
			total += x
		}),
		repeated("Source.Uint64", inCache, func() {
			var x uint64
			for range inCache / 8 {
				x += src.Uint64()
			}
			total += x
		}),
	}
	for _, l := range asm.Levels() {
		list = append(list, repeated("level "+l.String(), inCache, func() { asm.FillLevel(l, asm.Uint32, words, key, ctr) }))
		if l != asm.Generic {
			list = append(list,
				repeated("level "+l.String()+" float32", inCache, func() { asm.FillLevel(l, asm.Float32, floats, key, ctr) }),
				repeated("level "+l.String()+" open", inCache, func() { asm.FillLevel(l, asm.OpenFloat32, floats, key, ctr) }),
				repeated("level "+l.String()+" float64", inCache, func() { asm.FillLevel(l, asm.Float64, doubles, key, ctr) }))
		}
	}
	// Once a time, because they are long.
	memory := func(name string, s Stream, n int) *contender {
		return &contender{name: name, call: 4 * n, bytes: 4 * n, best: 1 << 62, run: func() { s.FillUint32(large[:n]) }}
	}
	long := []*contender{
		memory("uint32 256 MiB", one, len(large)),
		memory("uint32 256 MiB, all cores", New(1), len(large)),
		memory("uint32 16 MiB", one, 16<<20/4),
		memory("uint32 16 MiB, all cores", New(1), 16<<20/4),
	}
	cycle := time.Duration(1 << 62) // of 2^16 cycles
	var pairs []pair

	for b.Loop() {
		for range 60 {
			cycle = min(cycle, timeOf(func() { total += chain(1 << 16) }))
			for _, c := range list {
				c.warm()
				c.best = min(c.best, timeOf(c.run))
			}
			pairs = append(pairs, newPair(halves, one))
		}
		for range 5 {
			for _, c := range long {
				c.best = min(c.best, timeOf(c.run))
			}
		}
	}
	ghz := float64(1<<16) / float64(cycle)
	b.Logf("%.2f GHz, %v", ghz, asm.Active())
	perByte := func(c *contender) float64 { return float64(c.best) / float64(c.bytes) }
	for _, c := range append(list, long...) {
		b.Logf("%-26s %7.2f cycles/64 B %6.2f GB/s %12.1f ns a call  %.3f of uint32", c.name,
			64*perByte(c)*ghz, 1/perByte(c), perByte(c)*float64(c.call), perByte(ref)/perByte(c))
	}
	speedup(b, pairs)
	benchTotal = total
}

var benchTotal uint64

func timeOf(f func()) time.Duration {
	t := time.Now()
	f()
	return time.Since(t)
}

// chain takes n cycles: every operation needs the result of the one before.
// Additions alternate with XORs because the compiler joins additions.
func chain(n int) uint64 {
	x, y, z := uint64(n), uint64(n)|1, uint64(n)|2
	for range n / 16 {
		x = (x + y) ^ z
		x = (x + y) ^ z
		x = (x + y) ^ z
		x = (x + y) ^ z
		x = (x + y) ^ z
		x = (x + y) ^ z
		x = (x + y) ^ z
		x = (x + y) ^ z
	}
	return x
}

// A pair is one goroutine that fills a buffer many times, and then two that do so
// at once, a buffer each.
type pair struct{ alone, wall, slower time.Duration }

const pairTimes = 4000 // fills: some milliseconds, long beside starting a thread

func newPair(bufs [2][]uint32, s Stream) (p pair) {
	many := func(b []uint32) time.Duration {
		return timeOf(func() {
			for range pairTimes {
				s.FillUint32(b)
			}
		})
	}
	p.alone = many(bufs[0])
	var took [2]time.Duration
	var ready, done sync.WaitGroup
	ready.Add(2)
	p.wall = timeOf(func() {
		for i := range bufs {
			done.Go(func() {
				ready.Done()
				ready.Wait()
				took[i] = many(bufs[i])
			})
		}
		done.Wait()
	})
	p.slower = max(took[0], took[1])
	return p
}

// speedup says how much more two make than one, in the runs in which both really
// ran: at once, and neither much slower than alone.
func speedup(b *testing.B, pairs []pair) {
	var ratios []float64
	for _, p := range pairs {
		if p.wall < p.slower*12/10 && p.slower < p.alone*12/10 {
			ratios = append(ratios, 2*float64(p.alone)/float64(p.slower))
		}
	}
	if len(ratios) == 0 {
		b.Logf("two cores, a buffer each: in none of %d runs did both run", len(pairs))
		return
	}
	slices.Sort(ratios)
	b.Logf("two cores, a buffer each: %.2f times one (median of the %d of %d runs in which both ran)", ratios[len(ratios)/2], len(ratios), len(pairs))
}
