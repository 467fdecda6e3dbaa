package check

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/skip"
)

func TestEveryMoveIsChecked(t *testing.T) {
	var names []string
	for _, m := range slices.Concat(counterMoves, streamMoves) {
		names = append(names, m.name)
	}
	var there []string
	for name := range moves() {
		there = append(there, name)
	}
	assert.ElementsMatch(t, there, names)
}

func TestFaultsInMoves(t *testing.T) {
	counter := func(name string, f func(c philox.Counter, hi, lo uint64) philox.Counter) (string, Move) {
		return name, ofCounter(f)
	}
	stream := func(name string, f func(s philox.Stream, hi, lo uint64) philox.Stream) (string, Move) {
		return name, ofStream(f)
	}
	// Each has the row's name and its columns, the first of which has the pattern.
	plant := func(name string, move Move) func(t *testing.T, row, wrong string, columns ...string) {
		return func(t *testing.T, row, wrong string, columns ...string) {
			t.Helper()
			lib := This()
			lib.Moves[name] = move
			var want []string
			for _, column := range columns {
				want = append(want, row+", "+column)
			}
			all := cells(t, lib, "blocks", "stream")
			assert.ElementsMatch(t, want, failed(all), name)
			assert.Regexp(t, `^`+name+`, key \[.*\], counter \[.*\], hi 0x[0-9a-f]{16}, lo 0x[0-9a-f]{16}: `+wrong, first(all[want[0]]))
		}
	}
	const otherCounter = `the counter is \[.*\], must be \[.*\]$`

	plant(counter("CounterAt", func(_ philox.Counter, hi, lo uint64) philox.Counter {
		return philox.CounterAt(lo, hi)
	}))(t, "blocks", otherCounter, "reference", "carries")
	plant(counter("CounterFromOffsetHigh", func(_ philox.Counter, _, lo uint64) philox.Counter {
		return philox.CounterAt(0, lo)
	}))(t, "blocks", otherCounter, "reference", "carries")
	plant(counter("Counter.Skip", func(c philox.Counter, _, lo uint64) philox.Counter {
		to := c.Skip(lo)
		return philox.Counter{to[0], to[1], c[2], c[3]} // the carry is lost
	}))(t, "blocks", otherCounter, "reference", "carries")
	plant(counter("Counter.Skip", func(c philox.Counter, _, lo uint64) philox.Counter {
		// As others added: a carry that makes the upper half wrap is lost.
		upper := uint32(lo >> 32)
		if c[0] += uint32(lo); c[0] < uint32(lo) {
			upper++
		}
		if c[1] += upper; c[1] >= upper {
			return c
		}
		hi, _ := c.Uint64s()
		hi++
		return philox.Counter{c[0], c[1], uint32(hi), uint32(hi >> 32)}
	}))(t, "blocks", otherCounter, "carries")
	plant(counter("Counter.Skip128", func(c philox.Counter, hi, lo uint64) philox.Counter {
		to := c.Skip128(hi, lo)
		if c[2]+uint32(hi) == 1<<32-1 && to[2] == 0 {
			to[3]-- // the carry out of word 2
		}
		return to
	}))(t, "blocks", otherCounter, "carries")
	plant(counter("Counter.Back", func(c philox.Counter, _, lo uint64) philox.Counter {
		return c.Back128(0, lo+1)
	}))(t, "blocks", otherCounter, "reference", "carries")
	plant(counter("Counter.Back128", func(c philox.Counter, hi, lo uint64) philox.Counter {
		return c.Back128(lo, hi)
	}))(t, "blocks", otherCounter, "reference", "carries")
	plant(counter("Counter.Distance", func(c philox.Counter, hi, lo uint64) philox.Counter {
		return skip.FromUint64s(skip.FromUint64s(hi, lo).Distance(c))
	}))(t, "blocks", otherCounter, "reference", "carries")
	plant("Counter.SkipWords", func(key philox.Key, c philox.Counter, hi, lo uint64) (philox.Key, philox.Counter, int) {
		return key, c.Skip128(hi>>2, lo>>2), int(lo % 4)
	})(t, "blocks", otherCounter, "reference", "carries")
	plant("Counter.SkipWords", func(key philox.Key, c philox.Counter, hi, lo uint64) (philox.Key, philox.Counter, int) {
		to, lane := c.SkipWords(hi, lo)
		return key, to, lane ^ 3
	})(t, "blocks", `the lane is \d, must be \d$`, "reference", "carries")
	plant("NewKey", func(key philox.Key, c philox.Counter, _, _ uint64) (philox.Key, philox.Counter, int) {
		return philox.Key{key[1], key[0]}, c, 0
	})(t, "blocks", `the key is \[.*\]$`, "reference", "carries")

	plant("New", func(key philox.Key, _ philox.Counter, _, _ uint64) (philox.Key, philox.Counter, int) {
		return key, philox.Counter{1}, 0
	})(t, "stream", otherCounter, "reference", "carries")
	plant(stream("NewAt", func(s philox.Stream, _, _ uint64) philox.Stream {
		return philox.NewAt(philox.Key{}, s.Counter())
	}))(t, "stream", `the key is \[00000000 00000000\]$`, "reference", "carries")
	plant(stream("Stream.Skip", func(s philox.Stream, _, lo uint64) philox.Stream {
		return s.Skip(lo % (1 << 32))
	}))(t, "stream", otherCounter, "reference", "carries")
	plant(stream("Stream.Skip128", func(s philox.Stream, hi, lo uint64) philox.Stream {
		return s.Skip128(lo, hi)
	}))(t, "stream", otherCounter, "reference", "carries")
	plant(stream("Stream.Back", func(s philox.Stream, _, lo uint64) philox.Stream {
		return s.Skip(-lo)
	}))(t, "stream", otherCounter, "reference", "carries")
	plant(stream("Stream.Back128", func(s philox.Stream, hi, lo uint64) philox.Stream {
		return s.Back128(hi, 0).Skip(-lo)
	}))(t, "stream", otherCounter, "reference", "carries")
	plant(stream("Stream.Substream", func(s philox.Stream, _, lo uint64) philox.Stream {
		return philox.NewAt(s.Key(), philox.CounterAt(lo, 1))
	}))(t, "stream", otherCounter, "reference", "carries")
}
