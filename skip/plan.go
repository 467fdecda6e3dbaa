package skip

import (
	"fmt"
	"iter"
)

// Range is one shard of a run of blocks: the Blocks blocks from First up to, not
// including, First+Blocks. In a Range that a [Plan] made that sum is at most the
// plan's number of blocks, so it never wraps.
type Range struct {
	First  uint64 // first block, counted from the start of the whole run
	Blocks uint64 // number of blocks; 0 for an empty shard
}

// From returns the counter at which the shard begins when the whole run begins at
// start: start + First mod 2^128.
func (r Range) From(start Counter) Counter {
	return start.Skip(r.First)
}

// Plan cuts a run of blocks into shards that follow each other without a gap or
// an overlap. Their sizes differ by at most one block, the longer ones first, so
// with more shards than blocks the last shards are empty. The cut depends on the
// two numbers alone: every machine that makes the same plan gets the same shards.
//
// A Plan is comparable with ==. The zero Plan has no blocks and no shards.
type Plan struct {
	blocks, shards uint64
}

// NewPlan returns the plan that cuts blocks blocks into shards shards. Every
// number of blocks and every number of shards from 1 is allowed; for 0 shards it
// returns the zero Plan and an [*ArgumentError].
func NewPlan(blocks, shards uint64) (Plan, error) {
	if shards == 0 {
		return Plan{}, &ArgumentError{Arg: "shards", Value: "0", Reason: "must be at least 1"}
	}
	return Plan{blocks: blocks, shards: shards}, nil
}

// Blocks returns the number of blocks that the plan cuts.
func (p Plan) Blocks() uint64 { return p.blocks }

// Shards returns the number of shards that the plan cuts into.
func (p Plan) Shards() uint64 { return p.shards }

// Shard returns shard i, 0 <= i < p.Shards(). Like indexing a slice, it panics
// when i is out of range. It takes constant time, so a worker needs only its own
// number and never the other shards.
func (p Plan) Shard(i uint64) Range {
	if i >= p.shards {
		panicShard(i, p.shards)
	}
	// The usual i*blocks/shards overflows. This cannot: i*size <= blocks, and the
	// sum is at most blocks too.
	size, longer := p.blocks/p.shards, p.blocks%p.shards
	r := Range{First: i*size + min(i, longer), Blocks: size}
	if i < longer {
		r.Blocks++
	}
	return r
}

// All returns an iterator over the shards and their numbers, in order. Together
// the shards are the blocks from 0 to p.Blocks()-1, each once.
func (p Plan) All() iter.Seq2[uint64, Range] {
	return func(yield func(uint64, Range) bool) {
		for i := range p.shards {
			if !yield(i, p.Shard(i)) {
				return
			}
		}
	}
}

// panicShard is apart so that formatting stays out of Shard.
func panicShard(i, shards uint64) {
	panic(fmt.Sprintf("skip: shard %d is out of range: the plan has %d shards", i, shards))
}
