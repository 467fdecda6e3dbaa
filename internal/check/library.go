package check

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/philox-go/rng/internal/known"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

// SharedBytes is the size of the fills that are to be shared among goroutines,
// at every level: a test of package philox compares it with the size from which
// they are.
const SharedBytes = 4<<20 + 1008

// blocksRow checks the block functions.
func (lib Library) blocksRow() Row {
	return Row{Name: "blocks", cells: [len(Columns)]func(*tally){
		lib.blockAnswers, lib.randomBlocks, lib.blockCarries,
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

// plainBlock is the case of one block of Philox4x32 against the reference.
func (lib Library) plainBlock(t *tally, rounds uint32, at place) {
	b := known.Block{Name: fmt.Sprintf("philox4x32 %d", rounds)}
	for _, w := range at.key {
		b.Key = append(b.Key, uint64(w))
	}
	for _, w := range at.ctr {
		b.Counter = append(b.Counter, uint64(w))
	}
	for _, w := range plain4x32(rounds, at.key, at.ctr) {
		b.Want = append(b.Want, uint64(w))
	}
	lib.block(t, b)
}

func (lib Library) randomBlocks(t *tally) {
	r := seeded(7)
	for range 1000 {
		at := randomPlace(r)
		lib.plainBlock(t, 10, at)
		lib.plainBlock(t, 7, at)
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
			lib.plainBlock(t, 10, from)
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
			lib.cpp26Stream(t)
		},
		func(t *tally) {
			lib.partsOfStreams(t)
			lib.extremesInStreams(t)
			lib.sharedFills(t)
		},
		lib.streamCarries,
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
			return compareCpp26(view[uint32](dst)[last-first])
		})
	}
}

// part is the case of the elements from i to j of what must be all.
func (lib Library) part(t *tally, s philox.Stream, k asm.Kind, offset int, all []byte, i, j int) {
	at := place{key: s.Key(), ctr: s.Counter(), first: uint64(i), of: k.String()}
	want := all[i*k.Size() : j*k.Size()]
	t.fill(k, at, offset, want, func(dst []byte) { lib.Stream(s, k, dst, at.first) })
}

// partsOfStreams makes parts that begin and end anywhere.
func (lib Library) partsOfStreams(t *tally) {
	r := seeded(9)
	for range 40 {
		at := randomPlace(r)
		s := philox.NewAt(at.key, at.ctr)
		w := words(at.key, at.ctr, 2*span)
		for _, k := range asm.Kinds() {
			all := elements(k, w)
			n := len(all) / k.Size()
			for range 10 {
				i := r.IntN(n + 1)
				lib.part(t, s, k, r.IntN(16), all, i, i+r.IntN(n+1-i))
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
			all := elements(k, w)
			for i := range uint64(places + 1) {
				lib.part(t, philox.NewAt(key, from.Skip(i)), k, 0, all[i*blockBytes:], 0, places*k.PerBlock())
			}
		}
	}
}

// sharedFills makes fills on one goroutine and on all of them, with a carry on
// the way.
func (lib Library) sharedFills(t *tally) {
	const blocks = SharedBytes/blockBytes + 1
	at := carryPlaces(philox.NewKey(seeded(10).Uint64()), blocks/3)[1]
	w := words(at.key, at.ctr, blocks)
	for _, k := range asm.Kinds() {
		all := elements(k, w)
		for _, goroutines := range []int{1, 0} {
			s := philox.NewAt(at.key, at.ctr).WithMaxGoroutines(goroutines)
			lib.part(t, s, k, 1, all, 1, len(all)/k.Size()-1)
		}
	}
}

// streamCarries begins at every lane of the blocks before a carry.
func (lib Library) streamCarries(t *tally) {
	const blocks = 40
	for _, at := range carryPlaces(philox.NewKey(seeded(11).Uint64()), blocks) {
		s := philox.NewAt(at.key, at.ctr)
		w := words(at.key, at.ctr, 3*blocks)
		for _, k := range asm.Kinds() {
			all := elements(k, w)
			for i := range (blocks + 1) * k.PerBlock() {
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

// sourceRow checks sequential sources: the same numbers, one after another.
func (lib Library) sourceRow() Row {
	return Row{Name: "source", cells: [len(Columns)]func(*tally){
		lib.goldenStates,
		func(t *tally) {
			r := seeded(12)
			for range 20 {
				lib.walk(t, randomPlace(r), r.Uint64())
			}
			lib.sharedRead(t)
		},
		func(t *tally) {
			r := seeded(13)
			for range 20 {
				for _, at := range carryPlaces(philox.NewKey(r.Uint64()), r.Uint64N(2*span)) {
					lib.walk(t, at, r.Uint64())
				}
			}
		},
	}}
}

// goldenStates saves the golden states, and restores them.
func (lib Library) goldenStates(t *tally) {
	for _, g := range known.States() {
		s := philox.NewAt(philox.NewKey(uint64(g.Seed)), philox.CounterFromOffsetHigh(g.Stream))
		t.attempt(g.Name, func() string {
			src := lib.Source(s)
			for range g.Units {
				src.Uint64()
			}
			src.Read(make([]byte, g.Bytes))
			return compareState(src, g.Want[:])
		})
		t.attempt(func() string { return g.Name() + ", restored" }, func() string {
			src := lib.Source(philox.New(0))
			if err := src.UnmarshalBinary(g.Want[:]); err != nil {
				return err.Error()
			}
			return compareState(src, g.Want[:])
		})
	}
}

func compareState(src Source, want []byte) string {
	got, err := src.MarshalBinary()
	switch {
	case err != nil:
		return err.Error()
	case !bytes.Equal(got, want):
		return fmt.Sprintf("the state is %x, must be %x", got, want)
	}
	return ""
}

// takes are the methods of a source that take a unit, and what they make of it, as
// bits.
var takes = []struct {
	name string
	get  func(Source) uint64
	of   func(unit uint64) uint64
}{
	{"Uint64", Source.Uint64, func(x uint64) uint64 { return x }},
	{"Uint32", func(s Source) uint64 { return uint64(s.Uint32()) }, func(x uint64) uint64 { return x % (1 << 32) }},
	{"Float64", func(s Source) uint64 { return math.Float64bits(s.Float64()) }, uniform64},
	{"Float32", func(s Source) uint64 { return uint64(math.Float32bits(s.Float32())) },
		func(x uint64) uint64 { return uint64(uniform32(uint32(x))) }},
}

func compareUnit(got, want uint64) string {
	if got != want {
		return fmt.Sprintf("it is 0x%016x, must be 0x%016x", got, want)
	}
	return ""
}

// walk takes a source through random calls and compares all that it gives. After
// a wrong answer the rest would be wrong too, and is left out.
func (lib Library) walk(t *tally, at place, seed uint64) {
	r := seeded(seed)
	all := elements(asm.Bytes, words(at.key, at.ctr, 20*span))
	src := lib.Source(philox.NewAt(at.key, at.ctr))
	for pos := 0; pos < len(all)-5000; {
		unit := (pos + 7) / 8 * 8 // where the next unit begins
		what, failed := "", t.Failed
		describe := func() string { return fmt.Sprintf("%v, at byte %d, %s", at, pos, what) }
		switch r.IntN(4) {
		case 0:
			take := takes[r.IntN(len(takes))]
			what = take.name
			t.attempt(describe, func() string {
				return compareUnit(take.get(src), take.of(binary.LittleEndian.Uint64(all[unit:])))
			})
			pos = unit + 8
		case 1:
			n := r.IntN(5000)
			if r.IntN(2) == 0 {
				n = r.IntN(20)
			}
			what = fmt.Sprintf("Read of %d bytes", n)
			t.attempt(describe, func() string {
				dst := t.mem.room(r.IntN(16), n)
				if got, err := src.Read(dst); got != n || err != nil {
					return fmt.Sprintf("it returned %d and %v", got, err)
				}
				return difference(1, dst, all[pos:pos+n])
			})
			pos += n
		case 2:
			n := 1 + r.IntN(300)
			what = fmt.Sprintf("Skip(%d) and Uint64", n)
			pos = unit + 8*n
			t.attempt(describe, func() string {
				src.Skip(uint64(n))
				return compareUnit(src.Uint64(), binary.LittleEndian.Uint64(all[pos:]))
			})
			pos += 8
		case 3:
			what = "saved and restored"
			t.attempt(describe, func() string {
				state, err := src.MarshalBinary()
				if err != nil {
					return err.Error()
				}
				src = lib.Source(philox.New(1))
				if err := src.UnmarshalBinary(state); err != nil {
					return err.Error()
				}
				return compareState(src, state)
			})
		}
		if t.Failed > failed {
			return
		}
	}
}

// sharedRead reads so much that all goroutines fill it.
func (lib Library) sharedRead(t *tally) {
	at := randomPlace(seeded(14))
	all := elements(asm.Bytes, words(at.key, at.ctr, SharedBytes/blockBytes))
	t.fill(asm.Bytes, at, 1, all, func(dst []byte) { lib.Source(philox.NewAt(at.key, at.ctr)).Read(dst) })
}
