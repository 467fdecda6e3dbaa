package philox

import (
	"encoding/binary"
	"math/bits"

	"github.com/philox-go/rng/internal/poly"
	"github.com/philox-go/rng/internal/state"
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/skip"
)

// sourceUnits is the number of 64-bit units that a Source makes at a time. It is
// the number of values of a uint8, which so needs no bounds check as an index and
// keeps Uint64 simple enough to inline.
const sourceUnits = 256

// A Source is a sequential generator: a cursor over the 64-bit units of a
// [Stream], where unit i is element i of [Stream.FillUint64]. It implements
// math/rand/v2's Source (and so works with rand.New and with gonum's
// distributions) and io.Reader.
//
//   - Uint64 and Float64 take a unit.
//   - Uint32 and Float32 take a unit and use its low half.
//   - Read takes the bytes of units, little-endian, and keeps what is left of a
//     unit for the next Read; any other call takes the next unit.
//
// The zero value is the source of seed 0. A Source must not be used by several
// goroutines at once; a copy is an independent source at the same position.
type Source struct {
	buf  [sourceUnits]uint64
	pos  uint // mod 256, the unit in buf to take next; 0 means that buf must be made
	key  Key
	next Counter // block after buf
	max  int     // goroutines for a large Read; see Stream.WithMaxGoroutines

	// Of the unit taken last, part bytes were read, if nothing was taken since:
	// partPos is what pos was then. Taking a unit need not look at either, because
	// it changes pos, and refilling clears part.
	part    uint8
	partPos uint
}

// NewSource returns the source of a seed, at its first unit.
func NewSource(seed uint64) *Source {
	return New(seed).Source()
}

// Source returns a source whose unit 0 is element 0 of s.FillUint64. Large reads
// from it keep the limit of [Stream.WithMaxGoroutines].
func (s Stream) Source() *Source {
	return &Source{key: s.key, next: s.start, max: s.max}
}

// Seed sets the source to the first unit of a seed, as NewSource does.
func (s *Source) Seed(seed uint64) {
	s.moveTo(NewKey(seed), Counter{}, 0)
}

// moveTo sets the position to a unit, 0 or 1, of a block.
func (s *Source) moveTo(key Key, block Counter, unit uint) {
	s.key, s.next, s.pos, s.part = key, block, 0, 0
	if unit == 1 {
		s.refill()
	}
}

// left returns the number of units in buf that are yet to be taken.
func (s *Source) left() uint64 { return uint64(-uint8(s.pos)) }

// position returns the block and the unit in it that the next call takes.
func (s *Source) position() (Counter, uint) {
	return s.next.Back((s.left() + 1) / 2), s.pos % 2
}

// refill makes the next units and takes the first. It is apart so that Uint64
// inlines.
//
//go:noinline
func (s *Source) refill() uint64 {
	asm.Fill(asm.Uint64, s.buf[:], s.key, s.next)
	s.next = s.next.Skip(sourceUnits / 2)
	s.pos, s.part = 1, 0
	return s.buf[0]
}

// Uint64 returns the next unit.
func (s *Source) Uint64() uint64 {
	i := uint8(s.pos)
	s.pos++
	if i == 0 {
		return s.refill()
	}
	return s.buf[i]
}

// Uint32 returns the low half of the next unit.
func (s *Source) Uint32() uint32 { return uint32(s.Uint64()) }

// Float64 returns a uniform in [0,1) from the next unit: its low 52 bits times
// 2^-52.
func (s *Source) Float64() float64 { return poly.Uniform64(s.Uint64()) }

// Float32 returns a uniform in [0,1) from the next unit: its low 23 bits times
// 2^-23.
func (s *Source) Float32() float32 { return poly.Uniform32(s.Uint32()) }

// Key returns the source's key.
func (s *Source) Key() Key { return s.key }

// Position returns the block that the next unit is in, and its place there, 0 or
// 1: s.Uint64() is element unit of NewAt(s.Key(), block).FillUint64.
func (s *Source) Position() (block Counter, unit int) {
	block, u := s.position()
	return block, int(u)
}

// Skip moves the source n units ahead, as n calls of Uint64 would. What is left
// of a unit that was read in part is dropped, unless n is 0.
func (s *Source) Skip(n uint64) {
	if n <= s.left() {
		s.pos += uint(n)
		return
	}
	block, unit := s.position()
	// The sum of unit and n may be 2^64.
	n, carry := bits.Add64(n, uint64(unit), 0)
	s.moveTo(s.key, block.Skip(n/2|carry<<63), uint(n%2))
}

// Read fills p with the bytes of the next units, least significant byte first. It
// always returns len(p) and no error. The bytes do not depend on how calls of
// Read cut them.
func (s *Source) Read(p []byte) (int, error) {
	total := len(p)
	if s.inUnit() {
		last := leBytes(s.buf[uint8(s.pos-1)])
		n := copy(p, last[s.part:])
		p = p[n:]
		s.part = (s.part + uint8(n)) % 8
	}
	if len(p) == 0 {
		return total, nil
	}
	// Units past the buffer go straight to p.
	if whole := uint64(len(p) / 8); whole > s.left() {
		block, unit := s.position()
		n := 8 * whole
		Stream{key: s.key, start: block, max: s.max}.FillBytesAt(p[:n], uint64(8*unit))
		s.Skip(whole)
		p = p[n:]
	}
	for ; len(p) >= 8; p = p[8:] {
		binary.LittleEndian.PutUint64(p, s.Uint64())
	}
	if len(p) > 0 {
		b := leBytes(s.Uint64())
		s.part, s.partPos = uint8(copy(p, b[:])), s.pos
	}
	return total, nil
}

// inUnit reports whether the last call read a unit in part.
func (s *Source) inUnit() bool { return s.part != 0 && s.partPos == s.pos }

func leBytes(x uint64) (b [8]byte) {
	binary.LittleEndian.PutUint64(b[:], x)
	return b
}

// stateFormat is a Source's saved state: the kind 'S', whose place in a block is
// that of a unit. Package state lays it out.
var stateFormat = state.Format{Package: "philox", Kind: 'S', Version: SequenceVersion, Place: "unit", MaxPlace: 1, MaxRead: 7}

// ErrState is what errors.Is finds in every error of UnmarshalBinary.
var ErrState = state.Err

// A StateError says what is wrong with a saved state: what was looked at (Field),
// what was found there (Value), and what was expected (Want). Package is "philox".
// errors.Is finds [ErrState] in it.
type StateError = state.Error

// AppendBinary appends the state to b. It implements encoding.BinaryAppender and
// never returns an error.
func (s *Source) AppendBinary(b []byte) ([]byte, error) {
	block, unit := s.position()
	var part uint8
	if s.inUnit() {
		part = s.part
		// The unit that was read in part is the one before.
		if unit == 0 {
			block = block.Back(1)
		}
		unit ^= 1
	}
	hi, lo := block.Uint64s()
	return stateFormat.Append(b, state.State{Seed: s.key.Seed(), Hi: hi, Lo: lo, Place: uint8(unit), Read: part}), nil
}

// MarshalBinary returns the state: key, position, and what was read of a unit.
// It implements encoding.BinaryMarshaler and never returns an error.
func (s *Source) MarshalBinary() ([]byte, error) {
	return s.AppendBinary(make([]byte, 0, state.Bytes))
}

// UnmarshalBinary sets the source to a state from MarshalBinary. Anything else is
// a [*StateError] and leaves the source as it was.
func (s *Source) UnmarshalBinary(b []byte) error {
	saved, err := stateFormat.Parse(b)
	if err != nil {
		return err
	}
	s.moveTo(NewKey(saved.Seed), skip.FromUint64s(saved.Hi, saved.Lo), uint(saved.Place))
	if saved.Read != 0 {
		s.Uint64()
		s.part, s.partPos = saved.Read, s.pos
	}
	return nil
}
