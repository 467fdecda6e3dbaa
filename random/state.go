package random

import (
	"fmt"

	"github.com/philox-go/rng/internal/state"
	"github.com/philox-go/rng/philox"
)

// format is a Generator's saved state. Package state lays it out; what is a place in a
// block there is the kind of device here, and what is bytes read is bit 64 of the
// offset, which only an exhausted generator has.
var format = state.Format{
	Package: "random", Kind: 'G', Version: philox.SequenceVersion,
	Place: "device kind", MaxPlace: 1, Read: "exhausted", MaxRead: 1,
}

// ErrState is what errors.Is finds in every error of SetState and UnmarshalBinary.
var ErrState = state.Err

// A StateError says what is wrong with a saved state: what was looked at (Field), what
// was found there (Value), and what was expected (Want). Package is "random".
// errors.Is finds [ErrState] in it.
type StateError = state.Error

// kind returns what a state has for the device, which is not its index: a state may be
// continued on another device of the kind.
func (d Device) kind() uint8 {
	if d.cuda {
		return 1
	}
	return 0
}

// State returns 40 bytes that SetState takes: seed, stream, offset, whether the
// generator is exhausted, and whether its device is the CPU or a CUDA device. They are
// the same on every machine. SEQUENCE.md in the repository lays them out.
func (g *Generator) State() []byte {
	return g.append(make([]byte, 0, state.Bytes))
}

func (g *Generator) append(b []byte) []byte {
	s := g.state()
	at := s.load()
	saved := state.State{Seed: at.seed, Hi: at.stream, Lo: at.offset, Place: s.device.kind()}
	if at.exhausted {
		saved.Read = 1
	}
	return format.Append(b, saved)
}

// SetState sets the generator to a state from State, saved from a device of the same
// kind. Anything else is a [*StateError] and leaves the generator as it was.
func (g *Generator) SetState(b []byte) error {
	s := g.state()
	at, err := parse(b, s.device)
	if err != nil {
		return err
	}
	s.store(at)
	return nil
}

// parse returns the place in a state, if it is one for a device.
func parse(b []byte, device Device) (place, error) {
	saved, err := format.Parse(b)
	if err != nil {
		return place{}, err
	}
	if want := device.kind(); saved.Place != want {
		return place{}, &StateError{Package: format.Package, Field: format.Place, Value: kindName(saved.Place), Want: kindName(want)}
	}
	exhausted := saved.Read != 0
	if exhausted && saved.Lo != 0 {
		return place{}, &StateError{Package: format.Package, Field: "offset", Value: fmt.Sprintf("2^64 + %d", saved.Lo), Want: "at most 2^64"}
	}
	return place{seed: saved.Seed, stream: saved.Hi, offset: saved.Lo, exhausted: exhausted}, nil
}

func kindName(kind uint8) string {
	if kind == 0 {
		return "0 (cpu)"
	}
	return "1 (cuda)"
}

// AppendBinary appends the state to b. It implements encoding.BinaryAppender and never
// returns an error.
func (g *Generator) AppendBinary(b []byte) ([]byte, error) { return g.append(b), nil }

// MarshalBinary is State. It implements encoding.BinaryMarshaler and never returns an
// error.
func (g *Generator) MarshalBinary() ([]byte, error) { return g.State(), nil }

// UnmarshalBinary is SetState, but for a zero Generator, which becomes an independent
// generator of the CPU in the saved state. It implements encoding.BinaryUnmarshaler:
// what decodes several generators into zero values must not set the default generator
// with each of them. To decode the state of a CUDA device, start with a generator of
// that device.
//
// Since it changes the handle itself, nothing else may use a zero Generator meanwhile.
func (g *Generator) UnmarshalBinary(b []byte) error {
	if g == nil || g.shared != nil {
		return g.SetState(b)
	}
	at, err := parse(b, CPU())
	if err != nil {
		return err
	}
	*g = *newAt(CPU(), at)
	return nil
}
