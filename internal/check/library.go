package check

import (
	"fmt"
	"math/rand/v2"
	"runtime"

	"github.com/philox-go/rng/internal/known"
	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

// SharedBytes is the size of the fills that are to be shared among goroutines,
// at every level: a test of package philox compares it, and what [SharedSize] makes
// of it, with the size from which they are.
const SharedBytes = 4<<20 + 1008

// SharedSize is that size for fills of a kind. Portable code shares much smaller
// fills too, and so do all levels those of truncated normals, which saves time where
// numbers are slow.
func SharedSize(k asm.Kind) int {
	switch {
	case slow(k) && asm.Active() == asm.Generic:
		return SharedBytes / 16
	case k == asm.Truncated32 || k == asm.Truncated64:
		return SharedBytes / 4
	}
	return SharedBytes
}

// every is the step of a loop over cases of the chosen level's code.
func every(k asm.Kind, n int) int { return kernelCheck{level: asm.Active(), kind: k}.every(n) }

// blocksRow checks the block functions and the arithmetic of their counters.
func (lib Library) blocksRow() Row {
	return Row{Name: "blocks", cells: [len(Columns)]func(*tally){
		lib.blockAnswers,
		func(t *tally) {
			lib.randomBlocks(t)
			lib.randomMoves(t, counterMoves)
		},
		func(t *tally) {
			lib.blockCarries(t)
			lib.wrappedBlocks(t)
			lib.extremeMoves(t, counterMoves)
		},
	}}
}

func (lib Library) blockAnswers(t *tally) {
	for _, b := range known.Blocks() {
		lib.block(t, b)
	}
	// The 10000th word is the last one of its block.
	key, block := known.Cpp26.Key, known.Cpp26.Index/4
	t.attempt(func() string { return fmt.Sprintf("C++26, philox4x32 10, key %08x, counter %d", key, block) }, func() string {
		got := lib.Blocks["philox4x32 10"]([]uint64{block, 0, 0, 0}, []uint64{uint64(key[0]), uint64(key[1])})
		return compareCpp26(uint32(got[3]))
	})
}

// block is the case of one block.
func (lib Library) block(t *tally, b known.Block) {
	describe := func() string { return fmt.Sprintf("%s, key %x, counter %x", b.Name, b.Key, b.Counter) }
	t.attempt(describe, func() string {
		got := lib.Blocks[b.Name](b.Counter, b.Key)
		for i := range b.Want {
			if got[i] != b.Want[i] {
				return fmt.Sprintf("word %d is 0x%x, must be 0x%x", i, got[i], b.Want[i])
			}
		}
		return ""
	})
}

// plainBlocks are the cases of one counter, by both numbers of rounds, against the
// reference.
func (lib Library) plainBlocks(t *tally, f family, key, counter []uint64) {
	for _, rounds := range []int{7, 10} {
		b := known.Block{Name: fmt.Sprintf("%s %d", f.name, rounds), Key: key, Counter: counter}
		b.Want = f.plain(rounds)(counter, key)
		lib.block(t, b)
	}
}

// randomBlocks has random words among which are extreme ones.
func (lib Library) randomBlocks(t *tally) {
	r := seeded(7)
	for _, f := range families {
		for range 1000 {
			lib.plainBlocks(t, f, f.random(r, f.words/2), f.random(r, f.words))
		}
	}
}

// random returns n words. A quarter of them are extreme.
func (f family) random(r *rand.Rand, n int) []uint64 {
	all := make([]uint64, n)
	for i := range all {
		all[i] = r.Uint64() & f.ones()
		if r.IntN(4) == 0 {
			all[i] = []uint64{0, 1, f.ones() / 2, f.ones()/2 + 1, f.ones() - 1, f.ones()}[r.IntN(6)]
		}
	}
	return all
}

// wrappedBlocks has the counters on both sides of the wrap of each of the words.
func (lib Library) wrappedBlocks(t *tally) {
	r := seeded(16)
	for _, f := range families {
		for last := range f.words {
			for i := range uint64(20) {
				key, before, after := f.random(r, f.words/2), f.random(r, f.words), f.random(r, f.words)
				for w := range last + 1 {
					before[w], after[w] = f.ones(), 0
				}
				before[0] -= i
				after[0] += i
				lib.plainBlocks(t, f, key, before)
				lib.plainBlocks(t, f, key, after)
			}
		}
	}
}

// blockCarries compares the library's arithmetic of counters with the reference's,
// block by block.
func (lib Library) blockCarries(t *tally) {
	for _, at := range carryPlaces(philox.NewKey(seeded(8).Uint64()), span) {
		ctr := [4]uint32(at.ctr)
		for i := range uint64(2 * span) {
			from := place{key: at.key, ctr: at.ctr.Skip(i)}
			t.attempt(func() string { return fmt.Sprintf("counter %08x and %d", at.ctr, i) }, func() string {
				if from.ctr != ctr {
					return fmt.Sprintf("it is %08x, must be %08x", from.ctr, ctr)
				}
				return ""
			})
			lib.plainBlocks(t, philox4x32, known.Widen(at.key[:]), known.Widen(ctr[:]))
			ctr = next(ctr)
		}
	}
}

// streamRow checks the fills of a stream, which use the chosen level and, where
// they are large, all goroutines.
func (lib Library) streamRow() Row {
	return Row{Name: "stream", cells: [len(Columns)]func(*tally){
		func(t *tally) {
			lib.goldenStreams(t)
			lib.goldenScaled(t)
			lib.cpp26Stream(t)
		},
		func(t *tally) {
			lib.partsOfStreams(t)
			lib.extremesInStreams(t)
			lib.sharedFills(t)
			lib.truncatedStreams(t)
			lib.randomMoves(t, streamMoves)
		},
		func(t *tally) {
			lib.streamCarries(t)
			lib.extremeMoves(t, streamMoves)
		},
	}}
}

func (lib Library) goldenStreams(t *tally) {
	for _, f := range known.Fills() {
		k := kindOf(f)
		s := philox.NewAt(philox.NewKey(uint64(f.Seed)), f.Counter)
		t.attempt(f.Name, func() string {
			dst := t.mem.room(0, f.N*k.Size())
			lib.Stream(s, k, dst, f.First)
			return compareGolden(f, dst)
		})
		if f.First > 0 {
			continue
		}
		t.attempt(func() string { return f.Name() + ", from the start" }, func() string {
			dst := t.mem.room(0, f.N*k.Size())
			lib.Start(s, k, dst)
			return compareGolden(f, dst)
		})
	}
}

func (lib Library) goldenScaled(t *tally) {
	for _, f := range known.ScaledFills() {
		k := kindOf(f.Fill)
		if f.N > manyScaled && every(k, 2) > 1 {
			continue
		}
		s := philox.NewAt(philox.NewKey(uint64(f.Seed)), f.Counter)
		t.attempt(f.Name, func() string {
			dst := t.mem.room(0, f.N*k.Size())
			if err := lib.Scaled(s, k, dst, f.First, f.Mean, f.Std); err != nil {
				return err.Error()
			}
			return compareGolden(f.Fill, dst)
		})
	}
}

func (lib Library) cpp26Stream(t *tally) {
	s := philox.NewAt(known.Cpp26.Key, philox.Counter{})
	last := known.Cpp26.Index
	for first := range last + 1 {
		if first > 20 && first < last-20 {
			continue
		}
		describe := func() string { return fmt.Sprintf("uint32, first %d, C++26's element %d", first, last) }
		t.attempt(describe, func() string {
			dst := t.mem.room(0, 4*int(last-first+1))
			lib.Stream(s, asm.Uint32, dst, first)
			return compareCpp26(view.Of[uint32](dst)[last-first])
		})
	}
}

// part is the case of the elements from i to j of what must be all.
func (lib Library) part(t *tally, s philox.Stream, k asm.Kind, offset int, all []byte, i, j int) {
	at := place{key: s.Key(), ctr: s.Counter(), first: uint64(i), of: k.String()}
	want := all[i*k.Size() : j*k.Size()]
	t.fill(k, at, offset, want, func(dst []byte) { lib.Stream(s, k, dst, at.first) })
}

// start is the case of the first elements of what must be all, by the methods that
// take no number of the first.
func (lib Library) start(t *tally, s philox.Stream, k asm.Kind, offset int, all []byte, n int) {
	at := place{key: s.Key(), ctr: s.Counter(), of: k.String() + " from the start"}
	t.fill(k, at, offset, all[:n*k.Size()], func(dst []byte) { lib.Start(s, k, dst) })
}

// partsOfStreams makes parts that begin and end anywhere.
func (lib Library) partsOfStreams(t *tally) {
	r := seeded(9)
	for round := range 40 {
		at := randomPlace(r)
		s := philox.NewAt(at.key, at.ctr)
		w := words(at.key, at.ctr, 2*span)
		for _, k := range asm.Kinds() {
			if round%every(k, 5) != 0 {
				continue
			}
			all := elements(k, at, w)
			n := len(all) / k.Size()
			for range 10 {
				i := r.IntN(n + 1)
				lib.part(t, s, k, r.IntN(16), all, i, i+r.IntN(n+1-i))
			}
			for range 3 {
				lib.start(t, s, k, r.IntN(16), all, r.IntN(n+1))
			}
		}
	}
}

// extremesInStreams has extreme words at many places of a fill.
func (lib Library) extremesInStreams(t *tally) {
	const places = 40
	key := philox.NewKey(seeded(15).Uint64())
	for _, block := range extremes {
		from := philox.Counter(counterOf(key, block)).Back(places)
		w := words(key, from, 2*places)
		for _, k := range asm.Kinds() {
			all := elements(k, place{key: key, ctr: from}, w)
			for i := uint64(0); i <= places; i += uint64(every(k, 3)) {
				lib.part(t, philox.NewAt(key, from.Skip(i)), k, 0, all[i*blockBytes:], 0, places*k.PerBlock())
			}
		}
	}
}

// sharing lets Go use several threads, also on one core, where fills would not be
// shared at all. It returns what puts that back.
func sharing() (restore func()) {
	const enough = 4
	procs := runtime.GOMAXPROCS(0)
	if procs >= enough {
		return func() {}
	}
	runtime.GOMAXPROCS(enough)
	return func() { runtime.GOMAXPROCS(procs) }
}

// sharedFills makes fills on one goroutine and on all of them, with a carry on
// the way.
func (lib Library) sharedFills(t *tally) {
	defer sharing()()
	const blocks = SharedBytes/blockBytes + 1
	at := carryPlaces(philox.NewKey(seeded(10).Uint64()), blocks/30)[1]
	w := words(at.key, at.ctr, blocks)
	for _, k := range asm.Kinds() {
		all := elements(k, at, w[:4*(SharedSize(k)/blockBytes+1)])
		for _, goroutines := range []int{1, 0} {
			s := philox.NewAt(at.key, at.ctr).WithMaxGoroutines(goroutines)
			lib.part(t, s, k, 1, all, 1, len(all)/k.Size()-1)
		}
		lib.start(t, philox.NewAt(at.key, at.ctr), k, 1, all, len(all)/k.Size()-1)
	}
}

// streamCarries begins at every lane of the blocks before a carry.
func (lib Library) streamCarries(t *tally) {
	const blocks = 40
	for _, at := range carryPlaces(philox.NewKey(seeded(11).Uint64()), blocks) {
		s := philox.NewAt(at.key, at.ctr)
		w := words(at.key, at.ctr, 3*blocks)
		for _, k := range asm.Kinds() {
			all := elements(k, at, w)
			for i := 0; i < (blocks+1)*k.PerBlock(); i += every(k, 5) {
				lib.part(t, s, k, i%16, all, i, len(all)/k.Size())
				// The same elements, counted from another block.
				back := uint64(i) + 1
				moved := s.Back(back)
				from := place{key: at.key, ctr: moved.Counter(), first: uint64(i) + back*uint64(k.PerBlock()), of: k.String()}
				t.fill(k, from, 0, all[i*k.Size():], func(dst []byte) { lib.Stream(moved, k, dst, from.first) })
			}
		}
	}
}
