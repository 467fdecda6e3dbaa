// Package state reads and writes the saved states of sources and generators: 40
// bytes, little-endian, for every kind of them.
//
//	 0  6 bytes   "philox"
//	 6  1 byte    the kind of source
//	 7  1 byte    the version of its sequence
//	 8  8 bytes   seed
//	16 16 bytes   block of the next number, or of the number read in part
//	32  1 byte    the number's place in the block; a generator's device
//	33  1 byte    bytes of it that were read; whether a generator is exhausted
//	34  2 bytes   zero
//	36  4 bytes   CRC-32C of bytes 0 to 35
package state

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// Bytes is the size of a saved state.
const Bytes = 40

const (
	magic   = "philox"
	checkAt = Bytes - 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A State is what is saved of a source.
type State struct {
	Seed   uint64
	Hi, Lo uint64 // the block, hi*2^64 + lo
	Place  uint8  // of the number in the block; what else a Format makes of it
	Read   uint8  // bytes of the number that were read; what else a Format makes of it
}

// A Format is one kind of source.
type Format struct {
	Package  string // which errors begin with
	Kind     byte   // ends the magic
	Version  byte
	Place    string // what errors call the place in a block
	MaxPlace uint8
	Read     string // what errors call the bytes read; empty is "bytes read"
	MaxRead  uint8  // 0 where numbers are not read in part
}

// Err is what errors.Is finds in every error of Parse.
var Err = errors.New("not a saved state")

// An Error says what is wrong with a saved state.
type Error struct {
	Package string // of the source that was to be set
	Field   string // what was looked at
	Value   string // what was found there
	Want    string // what was expected
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: state: %s = %s: must be %s", e.Package, e.Field, e.Value, e.Want)
}

// Is reports that an Error is an Err.
func (e *Error) Is(target error) bool { return target == Err }

// Append appends a state to b. It allocates only where b lacks room.
func (f *Format) Append(b []byte, s State) []byte {
	from := len(b)
	b = append(b, magic...)
	b = append(b, f.Kind, f.Version)
	b = binary.LittleEndian.AppendUint64(b, s.Seed)
	b = binary.LittleEndian.AppendUint64(b, s.Lo)
	b = binary.LittleEndian.AppendUint64(b, s.Hi)
	b = append(b, s.Place, s.Read, 0, 0)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[from:], castagnoli))
}

// Parse returns the state that Append wrote. Anything else is an [*Error].
func (f *Format) Parse(b []byte) (State, error) {
	bad := func(field, want, format string, value any) (State, error) {
		return State{}, &Error{Package: f.Package, Field: field, Value: fmt.Sprintf(format, value), Want: want}
	}
	if len(b) != Bytes {
		return bad("length", fmt.Sprint(Bytes), "%d", len(b))
	}
	if got := b[:len(magic)+1]; string(got[:len(magic)]) != magic || got[len(magic)] != f.Kind {
		return bad("magic", fmt.Sprintf("%q", append([]byte(magic), f.Kind)), "%q", got)
	}
	if b[7] != f.Version {
		return bad("version", fmt.Sprint(f.Version), "%d", b[7])
	}
	sum := crc32.Checksum(b[:checkAt], castagnoli)
	if got := binary.LittleEndian.Uint32(b[checkAt:]); got != sum {
		return bad("check", fmt.Sprintf("%#08x, the CRC-32C of the rest", sum), "%#08x", got)
	}
	s := State{
		Seed:  binary.LittleEndian.Uint64(b[8:]),
		Lo:    binary.LittleEndian.Uint64(b[16:]),
		Hi:    binary.LittleEndian.Uint64(b[24:]),
		Place: b[32],
		Read:  b[33],
	}
	switch {
	case s.Place > f.MaxPlace:
		return bad(f.Place, upTo(f.MaxPlace), "%d", s.Place)
	case s.Read > f.MaxRead:
		return bad(cmp.Or(f.Read, "bytes read"), upTo(f.MaxRead), "%d", s.Read)
	case b[34] != 0 || b[35] != 0:
		return bad("reserved bytes", "0", "%v", b[34:36])
	}
	return s, nil
}

// upTo says which numbers are allowed.
func upTo(most uint8) string {
	switch most {
	case 0:
		return "0"
	case 1:
		return "0 or 1"
	}
	return fmt.Sprintf("at most %d", most)
}
