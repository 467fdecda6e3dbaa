package normal

import (
	"github.com/philox-go/rng/internal/state"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

// log32 is the base-2 logarithm of the float32 numbers that a block makes.
const log32 = 2

// format32 is a Source32's saved state.
var format32 = state.Format{Package: "normal", Kind: 'N', Version: philox.SequenceVersion, Place: "place", MaxPlace: 1<<log32 - 1}

// A Source32 gives the standard normals of a [philox.Stream] one at a time: number i
// is element i of [FillFloat32]. It makes them 256 at a time.
//
// The zero value is the source of seed 0. A Source32 must not be used by several
// goroutines at once; a copy is an independent source at the same position.
type Source32 struct {
	buf [buffered]float32
	// pos is, mod 256, the number in buf to take next; 0 means that buf must be made.
	// A byte would take several cycles more to read after it was written.
	pos uint
	at  cursor
}

// NewSource32 returns a source whose number 0 is element 0 of FillFloat32(s, ...).
func NewSource32(s philox.Stream) *Source32 {
	return &Source32{at: cursor{s.Key(), s.Counter()}}
}

// Seed sets the source to the first number of a seed: NewSource32(philox.New(seed)).
// Nothing is left of the numbers made before.
func (s *Source32) Seed(seed uint64) {
	s.moveTo(philox.NewKey(seed), philox.Counter{}, 0)
}

// moveTo sets the position to a place in a block.
func (s *Source32) moveTo(key philox.Key, block philox.Counter, place uint8) {
	s.at, s.pos = cursor{key, block}, 0
	if place != 0 {
		s.refill()
		s.pos = uint(place)
	}
}

// refill makes the next numbers and takes the first. It is apart so that NormFloat32
// inlines.
//
//go:noinline
func (s *Source32) refill() float32 {
	asm.Fill(asm.Normal32, s.buf[:], s.at.key, s.at.next)
	s.at.next = s.at.next.Skip(buffered >> log32)
	s.pos = 1
	return s.buf[0]
}

// NormFloat32 returns the next standard normal.
func (s *Source32) NormFloat32() float32 {
	i := uint8(s.pos)
	s.pos++
	if i == 0 {
		return s.refill()
	}
	return s.buf[i]
}

// Key returns the source's key.
func (s *Source32) Key() philox.Key { return s.at.key }

// Position returns the block that the next number is in, and its place there, 0 to
// 3: s.NormFloat32() is element place of a fill of philox.NewAt(s.Key(), block).
func (s *Source32) Position() (block philox.Counter, place int) {
	block, p := s.at.position(uint8(s.pos), log32)
	return block, int(p)
}

// Skip moves the source n numbers ahead, as n calls of NormFloat32 would.
func (s *Source32) Skip(n uint64) {
	if n <= left(uint8(s.pos)) {
		s.pos += uint(n)
		return
	}
	block, place := s.at.ahead(uint8(s.pos), n, log32)
	s.moveTo(s.at.key, block, place)
}

// AppendBinary appends the state to b. It implements encoding.BinaryAppender and
// never returns an error.
func (s *Source32) AppendBinary(b []byte) ([]byte, error) {
	return s.at.append(b, uint8(s.pos), &format32, log32), nil
}

// MarshalBinary returns the state: key and position. It implements
// encoding.BinaryMarshaler and never returns an error.
func (s *Source32) MarshalBinary() ([]byte, error) {
	return s.AppendBinary(make([]byte, 0, state.Bytes))
}

// UnmarshalBinary sets the source to a state from MarshalBinary. Anything else, the
// state of a [Source64] included, is a [*philox.StateError] and leaves the source as
// it was.
func (s *Source32) UnmarshalBinary(b []byte) error {
	key, block, place, err := parse(b, &format32)
	if err != nil {
		return err
	}
	s.moveTo(key, block, place)
	return nil
}
