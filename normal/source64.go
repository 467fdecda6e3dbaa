package normal

import (
	"github.com/philox-go/rng/internal/state"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

// log64 is the base-2 logarithm of the float64 numbers that a block makes.
const log64 = 1

// format64 is a Source64's saved state.
var format64 = state.Format{Package: "normal", Kind: 'D', Version: philox.SequenceVersion, Place: "place", MaxPlace: 1<<log64 - 1}

// A Source64 gives the standard normals of a [philox.Stream] one at a time: number i
// is element i of [FillFloat64]. It makes them 256 at a time.
//
// The zero value is the source of seed 0. A Source64 must not be used by several
// goroutines at once; a copy is an independent source at the same position.
type Source64 struct {
	buf [buffered]float64
	// pos is, mod 256, the number in buf to take next; 0 means that buf must be made.
	// A byte would take several cycles more to read after it was written.
	pos uint
	at  cursor
}

// NewSource64 returns a source whose number 0 is element 0 of FillFloat64(s, ...).
func NewSource64(s philox.Stream) *Source64 {
	return &Source64{at: cursor{s.Key(), s.Counter()}}
}

// Seed sets the source to the first number of a seed: NewSource64(philox.New(seed)).
// Nothing is left of the numbers made before.
func (s *Source64) Seed(seed uint64) {
	s.moveTo(philox.NewKey(seed), philox.Counter{}, 0)
}

// moveTo sets the position to a place in a block.
func (s *Source64) moveTo(key philox.Key, block philox.Counter, place uint8) {
	s.at, s.pos = cursor{key, block}, 0
	if place != 0 {
		s.refill()
		s.pos = uint(place)
	}
}

// refill makes the next numbers and takes the first. It is apart so that NormFloat64
// inlines.
//
//go:noinline
func (s *Source64) refill() float64 {
	asm.Fill(asm.Normal64, s.buf[:], s.at.key, s.at.next)
	s.at.next = s.at.next.Skip(buffered >> log64)
	s.pos = 1
	return s.buf[0]
}

// NormFloat64 returns the next standard normal.
func (s *Source64) NormFloat64() float64 {
	i := uint8(s.pos)
	s.pos++
	if i == 0 {
		return s.refill()
	}
	return s.buf[i]
}

// Key returns the source's key.
func (s *Source64) Key() philox.Key { return s.at.key }

// Position returns the block that the next number is in, and its place there, 0 or
// 1: s.NormFloat64() is element place of a fill of philox.NewAt(s.Key(), block).
func (s *Source64) Position() (block philox.Counter, place int) {
	block, p := s.at.position(uint8(s.pos), log64)
	return block, int(p)
}

// Skip moves the source n numbers ahead, as n calls of NormFloat64 would.
func (s *Source64) Skip(n uint64) {
	if n <= left(uint8(s.pos)) {
		s.pos += uint(n)
		return
	}
	block, place := s.at.ahead(uint8(s.pos), n, log64)
	s.moveTo(s.at.key, block, place)
}

// AppendBinary appends the state to b. It implements encoding.BinaryAppender and
// never returns an error.
func (s *Source64) AppendBinary(b []byte) ([]byte, error) {
	return s.at.append(b, uint8(s.pos), &format64, log64), nil
}

// MarshalBinary returns the state: key and position. It implements
// encoding.BinaryMarshaler and never returns an error.
func (s *Source64) MarshalBinary() ([]byte, error) {
	return s.AppendBinary(make([]byte, 0, state.Bytes))
}

// UnmarshalBinary sets the source to a state from MarshalBinary. Anything else, the
// state of a [Source32] included, is a [*philox.StateError] and leaves the source as
// it was.
func (s *Source64) UnmarshalBinary(b []byte) error {
	key, block, place, err := parse(b, &format64)
	if err != nil {
		return err
	}
	s.moveTo(key, block, place)
	return nil
}
