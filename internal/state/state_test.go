package state

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Package philox tests what a state of its Source is, byte for byte, and what is
// refused. Here it is what formats have of their own.

var four = &Format{Package: "four", Kind: 'F', Version: 9, Place: "lane", MaxPlace: 3}

// withCheck returns a state with one byte changed and the check put right.
func withCheck(good []byte, i int, x byte) []byte {
	b := bytes.Clone(good[:36])
	b[i] = x
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
}

func TestRoundTrip(t *testing.T) {
	for place := range uint8(4) {
		s := State{Seed: 0x0123456789abcdef, Hi: 1<<64 - 2, Lo: 1<<63 + 5, Place: place}
		b := four.Append([]byte("x"), s)
		require.Len(t, b, 1+Bytes)
		assert.Equal(t, "xphiloxF\x09", string(b[:9]))
		got, err := four.Parse(b[1:])
		require.NoError(t, err)
		assert.Equal(t, s, got)
	}
}

func TestErrors(t *testing.T) {
	good := four.Append(nil, State{Seed: 1, Lo: 2})
	two := *four
	two.Package, two.MaxPlace = "two", 1
	named := *four
	named.Read, named.MaxRead = "end", 1
	for _, tt := range []struct {
		format  *Format
		state   []byte
		message string
	}{
		{four, good[:39], "four: state: length = 39: must be 40"},
		{four, nil, "four: state: length = 0: must be 40"},
		{four, withCheck(good, 6, 'S'), `four: state: magic = "philoxS": must be "philoxF"`},
		{four, withCheck(good, 0, 'P'), `four: state: magic = "PhiloxF": must be "philoxF"`},
		{four, withCheck(good, 7, 1), "four: state: version = 1: must be 9"},
		{four, withCheck(good, 32, 4), "four: state: lane = 4: must be at most 3"},
		{&two, withCheck(good, 32, 2), "two: state: lane = 2: must be 0 or 1"},
		{four, withCheck(good, 33, 1), "four: state: bytes read = 1: must be 0"},
		{&named, withCheck(good, 33, 2), "four: state: end = 2: must be 0 or 1"},
		{four, withCheck(good, 35, 1), "four: state: reserved bytes = [0 1]: must be 0"},
	} {
		got, err := tt.format.Parse(tt.state)
		require.EqualError(t, err, tt.message)
		require.ErrorIs(t, err, Err)
		var bad *Error
		require.ErrorAs(t, err, &bad)
		require.Equal(t, tt.format.Package, bad.Package)
		require.Zero(t, got)
	}
	flipped := bytes.Clone(good)
	flipped[20] ^= 1
	_, err := four.Parse(flipped)
	require.ErrorContains(t, err, "four: state: check = 0x")
}

func TestAllocatesNothing(t *testing.T) {
	room := make([]byte, 0, Bytes)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		s, err := four.Parse(four.Append(room, State{Place: 3}))
		if err != nil || s.Place != 3 {
			t.Error(s, err)
		}
	}))
}
