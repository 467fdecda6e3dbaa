package philox

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/philox-go/rng/internal/stack"
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/skip"
)

const (
	// parallelBytes is the size from which a fill is shared among goroutines:
	// where waking a second one pays (measured on Zen 5 by
	// BenchmarkParallelThreshold).
	parallelBytes = 256 << 10
	// These bound the pieces that goroutines take in turn: small, so that a
	// goroutine whose core is taken away holds the others up for a short time
	// only, and large beside the cost of taking one.
	minPieceBytes = 64 << 10
	maxPieceBytes = 1 << 20
	// pieceUnit is what pieces are made of, in blocks: 4 KiB, so that they keep
	// the alignment of the whole.
	pieceUnit = 256
)

// A job is one fill that goroutines share. Jobs are reused, and the workers start
// from one func value, so that a large fill does not allocate either.
type job struct {
	kind  asm.Kind
	dst   unsafe.Pointer
	n     int
	key   Key
	start Counter

	plan skip.Plan
	next atomic.Uint64
	wg   sync.WaitGroup
	work func()
}

var jobs = sync.Pool{New: func() any {
	j := new(job)
	j.work = func() {
		j.run()
		j.wg.Done()
	}
	return j
}}

// run takes pieces until there are none left.
func (j *job) run() {
	perUnit := pieceUnit * j.kind.PerBlock()
	for {
		i := j.next.Add(1) - 1
		if i >= j.plan.Shards() {
			return
		}
		piece := j.plan.Shard(i) // in units
		first := int(piece.First) * perUnit
		n := min(int(piece.Blocks)*perUnit, j.n-first)
		p := unsafe.Add(j.dst, first*j.kind.Size())
		fillPointer(j.kind, p, n, j.key, j.start.Skip(piece.First*pieceUnit))
	}
}

// fillPointer fills n elements at p in the calling goroutine.
func fillPointer(k asm.Kind, p unsafe.Pointer, n int, key Key, start Counter) {
	switch k.Size() {
	case 1:
		asm.Fill(k, unsafe.Slice((*uint8)(p), n), key, start)
	case 4:
		asm.Fill(k, unsafe.Slice((*uint32)(p), n), key, start)
	case 8:
		asm.Fill(k, unsafe.Slice((*uint64)(p), n), key, start)
	}
}

// fillParallel fills n elements at dst, from block start on, on limit goroutines
// or GOMAXPROCS if limit is 0. The caller is one of them.
func fillParallel(k asm.Kind, dst unsafe.Pointer, n int, key Key, start Counter, limit int) {
	workers := limit
	if procs := runtime.GOMAXPROCS(0); workers == 0 || workers > procs {
		workers = procs
	}
	// Large arrays can be on the stack too: parameters and results are.
	if workers == 1 || stack.Holds(uintptr(dst), uintptr(n*k.Size())) {
		fillPointer(k, dst, n, key, start)
		return
	}
	perUnit := pieceUnit * k.PerBlock()
	bytes := n * k.Size()
	size := min(max(bytes/(4*workers), minPieceBytes), maxPieceBytes)
	plan, err := skip.NewPlan(uint64((n+perUnit-1)/perUnit), uint64(bytes/size))
	if err != nil {
		panic(err) // there is at least one piece
	}
	workers = int(min(uint64(workers), plan.Shards()))
	j := jobs.Get().(*job)
	j.kind, j.n, j.key, j.start, j.plan = k, n, key, start, plan
	j.dst = noescape(dst)
	j.next.Store(0)
	j.wg.Add(workers - 1)
	for range workers - 1 {
		go j.work()
	}
	j.run()
	j.wg.Wait()
	j.dst = nil
	jobs.Put(j)
}

// noescape hides p from the compiler's escape analysis. Without it every slice
// given to a fill, also the smallest one, would have to be on the heap, because
// the compiler cannot tell that only large ones are handed to other goroutines.
// That is sound for memory that does not move while they write, so never for the
// caller's stack: fillParallel looks first.
//
//go:nosplit
func noescape(p unsafe.Pointer) unsafe.Pointer {
	x := uintptr(p)
	return *(*unsafe.Pointer)(unsafe.Pointer(&x))
}
