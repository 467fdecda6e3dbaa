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
			lib.seeds(t)
			lib.farSkips(t)
		},
		func(t *tally) {
			r := seeded(13)
			for range 20 {
				for _, at := range carryPlaces(philox.NewKey(r.Uint64()), r.Uint64N(2*span)) {
					lib.walk(t, at, r.Uint64())
				}
			}
			lib.farCarries(t)
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
	all := elements(asm.Bytes, at, words(at.key, at.ctr, 20*span))
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
	defer sharing()()
	at := randomPlace(seeded(14))
	all := elements(asm.Bytes, at, words(at.key, at.ctr, SharedBytes/blockBytes))
	t.fill(asm.Bytes, at, 1, all, func(dst []byte) { lib.Source(philox.NewAt(at.key, at.ctr)).Read(dst) })
}

// seeds makes sources of seeds, new ones and used ones.
func (lib Library) seeds(t *tally) {
	r := seeded(17)
	seeds := []uint64{0, 1, 1<<32 - 1, 1 << 32, 1 << 63, math.MaxUint64}
	for range 10 {
		seeds = append(seeds, r.Uint64())
	}
	for _, seed := range seeds {
		key := [2]uint32{uint32(seed), uint32(seed >> 32)}
		all := elements(asm.Bytes, place{key: key}, words(key, [4]uint32{}, span))
		t.attempt(func() string { return fmt.Sprintf("NewSource(%d)", seed) }, func() string {
			return compareUnits(lib.NewSource(seed), all)
		})
		at, taken, part := randomPlace(r), r.IntN(600), r.IntN(8)
		describe := func() string { return fmt.Sprintf("%v, Seed(%d)", used(at, taken, part), seed) }
		t.attempt(describe, func() string {
			src := lib.usedSource(at, taken, part)
			src.Seed(seed)
			return compareUnits(src, all)
		})
	}
}

// usedSource is a source of which some units were taken, and then some bytes read.
func (lib Library) usedSource(at place, taken, part int) Source {
	src := lib.Source(philox.NewAt(at.key, at.ctr))
	for range taken {
		src.Uint64()
	}
	src.Read(make([]byte, part))
	return src
}

func used(at place, taken, part int) string {
	return fmt.Sprintf("%v, %d units taken, %d bytes read", at, taken, part)
}

// compareUnits takes all units.
func compareUnits(src Source, all []byte) string {
	for i := 0; i < len(all); i += 8 {
		if wrong := compareUnit(src.Uint64(), binary.LittleEndian.Uint64(all[i:])); wrong != "" {
			return fmt.Sprintf("unit %d: %s", i/8, wrong)
		}
	}
	return ""
}

// distances are skips of nothing, within a buffer, past it, past what a walk makes,
// and of numbers of units and blocks about what 16, 32, 63 and 64 bits hold.
var distances = []uint64{
	0, 1, 2, 254, 255, 256, 257, 511, 512, 1000, 1001, 4097,
	1<<16 - 1, 1 << 16, 1<<17 + 1, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<32 + 1,
	1<<33 - 1, 1 << 33, 1<<33 + 1, 1<<34 + 7, 1<<48 + 3,
	1<<63 - 1, 1 << 63, 1<<63 + 1, math.MaxUint64 - 1, math.MaxUint64,
}

// farSkips makes every distance from several places of the buffer, also after a
// unit that was read in part.
func (lib Library) farSkips(t *tally) {
	r := seeded(18)
	for _, n := range distances {
		for _, taken := range []int{0, 1, 2, 255, 256} {
			lib.farSkip(t, randomPlace(r), taken, 0, n)
			lib.farSkip(t, randomPlace(r), taken, 1+r.IntN(7), n)
		}
	}
}

// farCarries makes every distance across the wraps.
func (lib Library) farCarries(t *tally) {
	r := seeded(19)
	for _, n := range distances {
		for _, at := range carryPlaces(philox.NewKey(r.Uint64()), n/2+1) {
			for taken := range 4 {
				lib.farSkip(t, at, taken, 0, n)
			}
		}
	}
}

// farSkip is the case of one skip: where the source then says that it is, and what
// it gives there.
func (lib Library) farSkip(t *tally, at place, taken, part int, n uint64) {
	describe := func() string { return fmt.Sprintf("%s, Skip(%d)", used(at, taken, part), n) }
	t.attempt(describe, func() string {
		src := lib.usedSource(at, taken, part)
		src.Skip(n)
		to := add(wide(uint64(taken)+uint64(part+7)/8), wide(n)) // in units
		block, unit := add(at.ctr, shifted(to, 1)), int(to[0]%2)
		if b, u := src.Position(); b != block || u != unit {
			return fmt.Sprintf("it is at block %08x, unit %d, must be at %08x, %d", b, u, block, unit)
		}
		// The bytes from the block before on: the unit that was read in part may be
		// there.
		all := elements(asm.Bytes, at, words(at.key, add(block, negative(wide(1))), 5))
		from := blockBytes + 8*unit
		if n == 0 && part > 0 {
			from += part - 8 // what is left of it is not dropped
		}
		var got [20]byte
		src.Read(got[:])
		if wrong := difference(1, got[:], all[from:from+len(got)]); wrong != "" {
			return wrong
		}
		next := (from + len(got) + 7) / 8 * 8
		return compareUnit(src.Uint64(), binary.LittleEndian.Uint64(all[next:]))
	})
}
