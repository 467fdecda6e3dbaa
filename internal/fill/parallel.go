package fill

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/philox-go/rng/internal/layout"
	"github.com/philox-go/rng/internal/stack"
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/skip"
)

// parallelBytes is the size from which a fill is shared among goroutines: about
// 0.1 ms of work, for kinds as fast as words. It is a compromise between the
// machines on which package philox's BenchmarkParallelThreshold was run, on 30
// November 2026. On a Xeon of 16 virtual cores 2 MiB with AVX-512 take half the time
// on all of them; on two virtual Zen 5 cores, which take 0.1 ms to wake, 2 MiB and 4
// MiB gain nothing (0.98 and 0.93 times the speed of one) and 8 MiB do (1.34).
var parallelBytes = map[asm.Level]int{
	asm.Generic: 128 << 10,
	asm.AVX2:    1 << 20,
	asm.AVX512:  2 << 20,
}[asm.Active()]

// slowdown says how many times as long as its words a kind takes: it is shared from a
// size that much smaller on. Kinds that are missing take as long as
// words. The others are as measured on Zen 5, truncated ones at two standard
// deviations.
var slowdown = func() map[asm.Kind]int {
	if asm.Active() == asm.Generic {
		return map[asm.Kind]int{
			asm.Normal32: 9, asm.Normal64: 3, asm.Truncated32: 12, asm.Truncated64: 6,
			asm.Exponential32: 6, asm.Exponential64: 2,
		}
	}
	return map[asm.Kind]int{
		asm.Normal32: 2, asm.Normal64: 3, asm.Truncated32: 4, asm.Truncated64: 4,
		asm.Exponential32: 2, asm.Exponential64: 3, asm.Int8: 2, asm.Int16: 2, asm.Int32: 2, asm.Int64: 2, asm.Wide64: 2,
	}
}()

// leastThreshold is that of numbers that are made one at a time: 16 KiB of them take
// from 0.06 to 0.25 ms (Zen 5).
const leastThreshold = maxPieceShare * unitBytes

// Slowdown returns how many times as long as its words a kind takes, at the active level.
func Slowdown(k asm.Kind) int { return max(slowdown[k], 1) }

// thresholds are the sizes of words in bytes from which fills are shared, by kind. It has
// a place for every value of a Kind, so that looking needs no check.
var thresholds = func() (sizes [256]int) {
	for k := range sizes {
		sizes[k] = thresholdOf(Slowdown(asm.Kind(k)))
	}
	return sizes
}()

// thresholdOf is that of numbers with a slowdown: whole units, and at least what makes
// pieces of one.
func thresholdOf(slowdown int) int {
	if slowdown == 0 {
		return leastThreshold
	}
	units := (parallelBytes/slowdown + unitBytes - 1) / unitBytes
	return max(units*unitBytes, leastThreshold)
}

// Threshold returns the size of its words in bytes from which fills of a kind are shared
// among goroutines, in builds that can share them, unless its numbers are made one at a
// time.
func Threshold(k asm.Kind) int { return thresholds[k] }

// SmallestPiece returns about the size in bytes of the words of the smallest pieces that
// fills of a kind are shared in.
func SmallestPiece(k asm.Kind) int { return smallestPiece(thresholds[k]) }

func smallestPiece(threshold int) int { return max(threshold/minPieceShare, unitBytes) }

// Goroutines take a fill in pieces, in turn. A piece is small, so that nobody
// waits long for a goroutine that started late or whose core was taken away, and
// large beside the cost of taking it. Pieces are made of units of 4 KiB, so that
// they keep the alignment of the whole.
const (
	pieceUnit     = 256 // blocks
	piecesOfEach  = 8   // for each goroutine, within the bounds that follow
	minPieceShare = 16  // of the threshold, but no less than a unit
	maxPieceShare = 4
	waitingYields = 200 // before a caller that has nothing left to do sleeps
	unitBytes     = pieceUnit * layout.BlockBytes
)

// A job is one fill, or calls of a function, that goroutines share. Jobs are reused, and
// the workers start from one func value, so that a large fill does not allocate either.
type job struct {
	call        func(from, to int) // or nil, and then the rest
	work        work
	dst         unsafe.Pointer
	n           int
	key, hi, lo uint64
	args        asm.Args

	plan skip.Plan      // of units into pieces
	next atomic.Uint64  // piece to take
	left atomic.Int64   // pieces that are not yet filled
	done sync.WaitGroup // one, until left is 0
	refs atomic.Int64   // goroutines that may still look at the job
	help func()
}

var jobs sync.Pool

func newJob() *job {
	if j, ok := jobs.Get().(*job); ok {
		return j
	}
	j := new(job)
	j.help = func() {
		j.run()
		j.release()
	}
	return j
}

// run takes pieces until there are none.
func (j *job) run() {
	for {
		i := j.next.Add(1) - 1
		if i >= j.plan.Shards() {
			return
		}
		piece := j.plan.Shard(i)
		if j.call != nil {
			j.call(int(piece.First), int(piece.First+piece.Blocks))
		} else {
			j.fill(piece)
		}
		if j.left.Add(-1) == 0 {
			j.done.Done()
		}
	}
}

// fill writes a piece, in units.
func (j *job) fill(piece skip.Range) {
	perUnit := j.work.elements(pieceUnit)
	first := int(piece.First) * perUnit
	n := min(int(piece.Blocks)*perUnit, j.n-first)
	hi, lo := Ahead(j.hi, j.lo, piece.First*pieceUnit)
	j.work.make(unsafe.Add(j.dst, first*j.work.size()), n, j.key, hi, lo, j.args)
}

// release gives the job up. The goroutine that does so last makes it reusable.
func (j *job) release() {
	if j.refs.Add(-1) == 0 {
		j.dst, j.work, j.call = nil, work{}, nil
		jobs.Put(j)
	}
}

// parallel fills n elements, of words of a size in bytes, from block hi*2^64 + lo on, on
// as many goroutines as a limit allows, in pieces that go with the size from which such
// fills are shared.
func parallel(w work, dst unsafe.Pointer, n, bytes int, key, hi, lo uint64, limit int, args asm.Args, threshold int) {
	workers := Goroutines(limit)
	// Large arrays can be on the stack: parameters and results are.
	if workers == 1 || stack.Holds(dst, uintptr(n*w.size())) {
		w.make(dst, n, key, hi, lo, args)
		return
	}
	size := min(max(bytes/(piecesOfEach*workers), smallestPiece(threshold)), threshold/maxPieceShare)
	j := newJob()
	j.work, j.n = w, n
	j.key, j.hi, j.lo, j.args = key, hi, lo, args
	j.dst = NoEscape(dst)
	j.share(workers, (bytes+unitBytes-1)/unitBytes, bytes/size)
}

// Goroutines returns how many goroutines may share work with a limit: GOMAXPROCS at the
// most, and if the limit is 0.
func Goroutines(limit int) int {
	if procs := runtime.GOMAXPROCS(0); limit == 0 || limit > procs {
		return procs
	}
	return limit
}

// Share calls a function for ranges of the numbers from 0 to n-1, which are all of these
// and each once. As many goroutines as a limit allows share the ranges; they are of at
// least so many numbers as are worth a goroutine's while, and fewer than twice as many are
// one range.
func Share(n, least, limit int, call func(from, to int)) {
	workers := Goroutines(limit)
	if workers == 1 || n/2 < least {
		call(0, n)
		return
	}
	j := newJob()
	j.call = call
	j.share(workers, n, n/max(n/(piecesOfEach*workers), least))
}

// share has goroutines run a job of some parts in pieces. The caller is one of them, and
// does not wait for others that come too late to take a piece.
func (j *job) share(workers, parts, pieces int) {
	plan, err := skip.NewPlan(uint64(parts), uint64(pieces))
	if err != nil {
		panic(err) // there is at least one piece
	}
	workers = min(workers, pieces)
	j.plan = plan
	j.next.Store(0)
	j.left.Store(int64(pieces))
	j.done.Add(1)
	j.refs.Store(int64(workers))
	for range workers - 1 {
		go j.help()
	}
	j.run()
	// The pieces that others are at take microseconds, being woken may take
	// longer.
	for i := 0; j.left.Load() > 0 && i < waitingYields; i++ {
		runtime.Gosched()
	}
	j.done.Wait()
	j.release()
}

// NoEscape hides p from the compiler's escape analysis. Without it every slice
// given to a fill, also the smallest one, would have to be on the heap, because
// the compiler cannot tell that only large ones are handed to other goroutines.
// That is sound for memory that does not move while they write, so never for the
// caller's stack: parallel looks first.
//
//go:nosplit
func NoEscape(p unsafe.Pointer) unsafe.Pointer {
	x := uintptr(p)
	return *(*unsafe.Pointer)(unsafe.Pointer(&x))
}
