package check

import (
	"fmt"
	"math/rand/v2"

	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/skip"
)

// A Move is a function of the library that moves a counter by hi*2^64 + lo, or
// makes a counter, a key or a stream of what it is given. It returns a key and a
// counter, and a lane where the function has one.
type Move func(key philox.Key, ctr philox.Counter, hi, lo uint64) (philox.Key, philox.Counter, int)

// moves returns the library's, by the names in counterMoves and streamMoves.
func moves() map[string]Move {
	return map[string]Move{
		"CounterAt":             ofCounter(func(_ philox.Counter, hi, lo uint64) philox.Counter { return philox.CounterAt(hi, lo) }),
		"CounterFromOffsetHigh": ofCounter(func(_ philox.Counter, _, lo uint64) philox.Counter { return philox.CounterFromOffsetHigh(lo) }),
		"FromUint64s":           ofCounter(func(_ philox.Counter, hi, lo uint64) philox.Counter { return skip.FromUint64s(hi, lo) }),
		"Counter.Uint64s":       ofCounter(func(c philox.Counter, _, _ uint64) philox.Counter { return skip.FromUint64s(c.Uint64s()) }),
		"Counter.Skip":          ofCounter(func(c philox.Counter, _, lo uint64) philox.Counter { return c.Skip(lo) }),
		"Counter.Skip128":       ofCounter(philox.Counter.Skip128),
		"Counter.Back":          ofCounter(func(c philox.Counter, _, lo uint64) philox.Counter { return c.Back(lo) }),
		"Counter.Back128":       ofCounter(philox.Counter.Back128),
		"Counter.Distance": ofCounter(func(c philox.Counter, hi, lo uint64) philox.Counter {
			return skip.FromUint64s(c.Distance(skip.FromUint64s(hi, lo)))
		}),
		"Counter.SkipWords": func(key philox.Key, c philox.Counter, hi, lo uint64) (philox.Key, philox.Counter, int) {
			to, lane := c.SkipWords(hi, lo)
			return key, to, lane
		},
		"NewKey": func(key philox.Key, c philox.Counter, _, _ uint64) (philox.Key, philox.Counter, int) {
			return philox.NewKey(uint64(key[1])<<32 | uint64(key[0])), c, 0
		},
		"Key.Seed": func(key philox.Key, c philox.Counter, _, _ uint64) (philox.Key, philox.Counter, int) {
			seed := key.Seed()
			return philox.Key{uint32(seed), uint32(seed >> 32)}, c, 0
		},

		"New": func(key philox.Key, _ philox.Counter, _, _ uint64) (philox.Key, philox.Counter, int) {
			s := philox.New(uint64(key[1])<<32 | uint64(key[0]))
			return s.Key(), s.Counter(), 0
		},
		"NewAt":            ofStream(func(s philox.Stream, _, _ uint64) philox.Stream { return s }),
		"Stream.Skip":      ofStream(func(s philox.Stream, _, lo uint64) philox.Stream { return s.Skip(lo) }),
		"Stream.Skip128":   ofStream(philox.Stream.Skip128),
		"Stream.Back":      ofStream(func(s philox.Stream, _, lo uint64) philox.Stream { return s.Back(lo) }),
		"Stream.Back128":   ofStream(philox.Stream.Back128),
		"Stream.Substream": ofStream(func(s philox.Stream, _, lo uint64) philox.Stream { return s.Substream(lo) }),
	}
}

func ofCounter(f func(c philox.Counter, hi, lo uint64) philox.Counter) Move {
	return func(key philox.Key, c philox.Counter, hi, lo uint64) (philox.Key, philox.Counter, int) {
		return key, f(c, hi, lo), 0
	}
}

func ofStream(f func(s philox.Stream, hi, lo uint64) philox.Stream) Move {
	return func(key philox.Key, c philox.Counter, hi, lo uint64) (philox.Key, philox.Counter, int) {
		s := f(philox.NewAt(key, c), hi, lo)
		return s.Key(), s.Counter(), 0
	}
}

// A wantedMove is what a function must make of a counter and a number, of which
// some use the lower half only. The key must stay as it is.
type wantedMove struct {
	name string
	to   func(c, n [4]uint32) [4]uint32
	lane func(n [4]uint32) int
}

var counterMoves = []wantedMove{
	{name: "CounterAt", to: func(_, n [4]uint32) [4]uint32 { return n }},
	{name: "CounterFromOffsetHigh", to: asHigh},
	{name: "FromUint64s", to: func(_, n [4]uint32) [4]uint32 { return n }},
	{name: "Counter.Uint64s", to: stay},
	{name: "Counter.Skip", to: addLow},
	{name: "Counter.Skip128", to: add},
	{name: "Counter.Back", to: subtractLow},
	{name: "Counter.Back128", to: subtract},
	{name: "Counter.Distance", to: func(c, n [4]uint32) [4]uint32 { return subtract(n, c) }},
	{
		name: "Counter.SkipWords",
		to:   func(c, n [4]uint32) [4]uint32 { return add(c, shifted(n, 2)) },
		lane: func(n [4]uint32) int { return int(n[0] % 4) },
	},
	{name: "NewKey", to: stay},
	{name: "Key.Seed", to: stay},
}

var streamMoves = []wantedMove{
	{name: "New", to: func(_, _ [4]uint32) [4]uint32 { return [4]uint32{} }},
	{name: "NewAt", to: stay},
	{name: "Stream.Skip", to: addLow},
	{name: "Stream.Skip128", to: add},
	{name: "Stream.Back", to: subtractLow},
	{name: "Stream.Back128", to: subtract},
	{name: "Stream.Substream", to: asHigh},
}

func stay(c, _ [4]uint32) [4]uint32        { return c }
func asHigh(_, n [4]uint32) [4]uint32      { return [4]uint32{0, 0, n[0], n[1]} }
func low(n [4]uint32) [4]uint32            { return [4]uint32{n[0], n[1]} }
func addLow(c, n [4]uint32) [4]uint32      { return add(c, low(n)) }
func subtract(c, n [4]uint32) [4]uint32    { return add(c, negative(n)) }
func subtractLow(c, n [4]uint32) [4]uint32 { return subtract(c, low(n)) }

// move is the case of each of the functions for one counter and one number.
func (lib Library) move(t *tally, wanted []wantedMove, key philox.Key, c, n [4]uint32) {
	hi, lo := halves(n)
	for _, m := range wanted {
		describe := func() string {
			return fmt.Sprintf("%s, key %08x, counter %08x, hi 0x%016x, lo 0x%016x", m.name, key, c, hi, lo)
		}
		t.attempt(describe, func() string {
			gotKey, got, lane := lib.Moves[m.name](key, c, hi, lo)
			want, wantLane := m.to(c, n), 0
			if m.lane != nil {
				wantLane = m.lane(n)
			}
			switch {
			case gotKey != key:
				return fmt.Sprintf("the key is %08x", gotKey)
			case got != want:
				return fmt.Sprintf("the counter is %08x, must be %08x", got, want)
			case lane != wantLane:
				return fmt.Sprintf("the lane is %d, must be %d", lane, wantLane)
			}
			return ""
		})
	}
}

func (lib Library) randomMoves(t *tally, wanted []wantedMove) {
	r := seeded(20)
	for range 200 {
		from, by := randomPlace(r), randomPlace(r)
		lib.move(t, wanted, from.key, from.ctr, by.ctr)
	}
}

// extremeMoves has words from which and into which carries go.
func (lib Library) extremeMoves(t *tally, wanted []wantedMove) {
	r := seeded(21)
	for range 400 {
		lib.move(t, wanted, randomPlace(r).key, carryWords(r), carryWords(r))
	}
}

// carryWords has few words that are not extreme, as others hardly ever carry far.
func carryWords(r *rand.Rand) (c [4]uint32) {
	for i := range c {
		c[i] = []uint32{0, 0, 1, 3, 1<<31 - 1, 1 << 31, 1<<32 - 2, 1<<32 - 1, 1<<32 - 1, r.Uint32()}[r.IntN(10)]
	}
	return c
}
