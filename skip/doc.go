// Package skip says where a random number lies: it holds the 128-bit Philox
// counter, its arithmetic, and the planner that cuts a run of blocks into shards.
//
// A Philox generator has no state to step through. Block n of a sequence that
// starts at [Counter] c is a pure function of the key and of c + n mod 2^128, so
// moving ahead by any distance is one addition, and a sequence may be cut among
// goroutines, machines or GPU threads without changing one bit of it.
//
// # Units
//
// A block is one value of the counter and yields four 32-bit words. Distances and
// shards are counted in blocks; only [Counter.SkipWords] counts words.
//
// # Conventions
//
// Numbers of 128 bits travel as a pair (hi, lo) of uint64, as in math/bits. All
// counter arithmetic is unsigned and wraps mod 2^128, without an error: a counter
// is a place on a circle. All types here are plain values. No method changes its
// receiver, so everything is safe for concurrent use.
//
// Bad data is answered with an [*ArgumentError]. The only panic is
// [Plan.Shard]'s, on an index that is out of range.
package skip
