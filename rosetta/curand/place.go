package curand

import (
	"fmt"
	"math"
	"slices"

	"github.com/philox-go/rng/rosetta/internal/engine"
)

// A place is where a host generator stands. It deals its values by fours to as many threads
// as the ordering has: four to thread 0, four to thread 1 and so on, and after the last thread
// to thread 0 again. Every thread has a subsequence and stands at a block of it. Four values
// of a word each take a block, four of two or four words take two.
type place struct {
	threads uint64
	thread  uint64 // that the next value comes from, but for shift
	lane    uint64 // of its four values
	shift   uint64 // see start
	runs    []run  // in order, the first one from thread 0 on
}

// A run is threads from one on that stand at the same block.
type run struct{ from, block uint64 }

// start returns the place at an offset in words, where threads stand as if that many words had
// been made. The four words of an offset that is no multiple of four are those of all kinds:
// a generator of float64 then begins with the second, third or fourth of four values.
func start(offset, threads uint64) place {
	q := offset / 4
	p := place{threads: threads, thread: q % threads, lane: offset % 4, runs: []run{{0, q / threads}}}
	if p.thread > 0 {
		p.runs = []run{{0, q/threads + 1}, {p.thread, q / threads}}
	}
	return p
}

// startDynamic is start for the first call of a generator in dynamic ordering. A thread works
// out its first value from its number less the offset, modulo the threads, in 64 bits without a
// sign. From an offset of two rounds on the difference is below zero: 2^64 more than it ought to be,
// and that is no multiple of the threads, unless they are a power of two.
//
// Between one round and two some of the threads are off and others are not. Then there are
// values which two threads write, and others that none does; good is how many values are neither.
func startDynamic(offset, threads uint64) (p place, good uint64) {
	p = start(offset, threads)
	wrap := (math.MaxUint64%threads + 1) % threads // 2^64 modulo threads
	switch q := offset / 4; {
	case q >= 2*threads:
		p.shift = threads - wrap
	case q > threads && wrap > 0:
		if x := q - threads; x < wrap {
			good = (wrap-x)*4 - p.lane
		}
		return p, good
	}
	return p, math.MaxUint64
}

// clone returns a place of its own.
func (p *place) clone() place {
	c := *p
	c.runs = slices.Clone(p.runs)
	return c
}

// skip moves on by n values of so many blocks for each four.
func (p *place) skip(n, depth uint64) {
	round := 4 * p.threads
	for i := range p.runs {
		p.runs[i].block += n / round * depth
	}
	p.take(n%round, depth, func(thread, block, lane, n uint64) {})
}

// take moves on by n values and calls f for each part of them: n values, beginning with one of
// four, from threads that stand at the same block.
func (p *place) take(n, depth uint64, f func(thread, block, lane, n uint64)) {
	for n > 0 {
		thread := (p.thread + p.shift) % p.threads
		i, found := slices.BinarySearchFunc(p.runs, thread, func(r run, t uint64) int {
			switch {
			case r.from < t:
				return -1
			case r.from > t:
				return 1
			}
			return 0
		})
		if !found {
			i--
		}
		end := p.threads
		if i+1 < len(p.runs) {
			end = p.runs[i+1].from
		}
		part := min(n, (end-thread)*4-p.lane)
		f(thread, p.runs[i].block, p.lane, part)
		n -= part
		p.lane += part
		p.advance(i, thread, p.lane/4, depth)
		p.thread = (p.thread + p.lane/4) % p.threads
		p.lane %= 4
	}
}

// advance moves count threads of run i on by depth blocks.
func (p *place) advance(i int, thread, count, depth uint64) {
	if count == 0 {
		return
	}
	r := p.runs[i]
	end := p.threads
	if i+1 < len(p.runs) {
		end = p.runs[i+1].from
	}
	parts := []run{{r.from, r.block}, {thread, r.block + depth}, {thread + count, r.block}}
	if thread+count == end {
		parts = parts[:2]
	}
	if thread == r.from {
		parts = parts[1:]
	}
	p.runs = slices.Replace(p.runs, i, i+1, parts...)
	p.runs = slices.CompactFunc(p.runs, func(a, b run) bool { return a.block == b.block })
}

// fillFrom writes the values at a place, and moves it on.
func fillFrom[T any](p *place, seed, depth uint64, c *engine.Convert[T], dst []T) {
	p.take(uint64(len(dst)), depth, func(thread, block, lane, n uint64) {
		l := engine.Layout{Key: seed, Block: block, Thread: thread, Threads: p.threads, Depth: int(depth)}
		engine.Fill(&l, c, dst[:n], lane)
		dst = dst[n:]
	})
}

// badFirst is the error of a first call in dynamic ordering that cuRAND leaves to chance.
func badFirst(offset, threads, good uint64) error {
	return bad("offset", offset, fmt.Sprintf("must be at most %d or at least %d for a first call of more than %d values in dynamic ordering on such a GPU: "+
		"cuRAND leaves some values unwritten and others to chance", 4*threads+3, 8*threads, good))
}
