package philox_test

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/philox"
)

// save is MarshalBinary, which never fails.
func save(t testing.TB, src *philox.Source) []byte {
	t.Helper()
	b, err := src.MarshalBinary()
	require.NoError(t, err)
	return b
}

// restored is a new source in a saved state. It has a past, which must not show.
func restored(t testing.TB, state []byte) *philox.Source {
	t.Helper()
	src := philox.NewSource(99)
	src.Skip(77)
	read(t, src, 5)
	require.NoError(t, src.UnmarshalBinary(state))
	return src
}

// stateBytes lays a state out as its documentation does.
func stateBytes(version byte, seed uint64, block philox.Counter, unit, part byte) []byte {
	b := append([]byte("philoxS"), version)
	b = binary.LittleEndian.AppendUint64(b, seed)
	for _, w := range block {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return withCheck(append(b, unit, part, 0, 0))
}

// withCheck appends the check to the rest of a state.
func withCheck(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
}

func TestStateRoundTrip(t *testing.T) {
	positions := 601
	if testing.Short() {
		positions = 300
	}
	for _, skipped := range []int{0, 1, 200} { // buffers begin elsewhere after a Skip
		src := sourceStream.Source()
		src.Skip(uint64(skipped))
		for units := skipped; units < positions; units++ {
			for part := range 8 {
				at := *src
				read(t, &at, part)
				state := save(t, &at)
				require.Equal(t, state, save(t, &at), "saving changes nothing")

				back := restored(t, state)
				require.Equal(t, state, save(t, back))
				from := 8*units + part
				require.Equal(t, sourceBytes[from:from+50], read(t, back, 50), "Read at unit %d, byte %d", units, part)

				back = restored(t, state)
				next := (from + 7) / 8
				require.Equal(t, sourceUnits[next], back.Uint64(), "Uint64 at unit %d, byte %d", units, part)
				back.Skip(300)
				require.Equal(t, sourceUnits[next+301], back.Uint64(), "Skip at unit %d, byte %d", units, part)
			}
			require.Equal(t, sourceUnits[units], src.Uint64())
		}
	}
}

func TestStateLayout(t *testing.T) {
	const seed = 0x0123456789abcdef
	c := philox.Counter{0x11111111, 0x22222222, 0x33333333, 0x44444444}
	src := philox.NewAt(philox.NewKey(seed), c).Source()
	assert.Equal(t, stateBytes(1, seed, c, 0, 0), save(t, src), "at the start")
	src.Uint64()
	assert.Equal(t, stateBytes(1, seed, c, 1, 0), save(t, src), "after a unit")
	read(t, src, 3)
	assert.Equal(t, stateBytes(1, seed, c, 1, 3), save(t, src), "within the second unit")
	read(t, src, 5)
	assert.Equal(t, stateBytes(1, seed, next(c), 0, 0), save(t, src), "after the second")
	read(t, src, 7)
	assert.Equal(t, stateBytes(1, seed, next(c), 0, 7), save(t, src), "within the third")
	src.Skip(1)
	assert.Equal(t, stateBytes(1, seed, next(next(c)), 0, 0), save(t, src), "after a Skip")

	wrapping := philox.NewAt(philox.NewKey(seed), full).Source()
	wrapping.Skip(2)
	assert.Equal(t, stateBytes(1, seed, philox.Counter{}, 0, 0), save(t, wrapping), "past the last counter")
	read(t, wrapping, 2)
	assert.Equal(t, stateBytes(1, seed, philox.Counter{}, 0, 2), save(t, wrapping))

	var zero philox.Source
	assert.Equal(t, stateBytes(1, 0, philox.Counter{}, 0, 0), save(t, &zero))
}

func TestStateAppends(t *testing.T) {
	src := sourceStream.Source()
	src.Skip(5)
	want := save(t, src)
	assert.Len(t, want, philox.StateBytes)
	for _, prefix := range []string{"", "x", "a prefix that is longer than a state has bytes"} {
		got, err := src.AppendBinary([]byte(prefix))
		require.NoError(t, err)
		assert.Equal(t, append([]byte(prefix), want...), got)
	}
	// Room enough: the same memory.
	room := make([]byte, 2, 100)
	got, err := src.AppendBinary(room)
	require.NoError(t, err)
	assert.Same(t, &room[0], &got[0])
}

// refused checks that src refuses a state and is, bit for bit and in what comes
// next, as if it had not seen it. field is the error's, or "" for any.
func refused(t testing.TB, state []byte, field string) {
	t.Helper()
	src := sourceStream.Source()
	src.Skip(5)
	read(t, src, 3)
	before := *src

	err := src.UnmarshalBinary(state)
	require.Error(t, err, "%x", state)
	require.ErrorIs(t, err, philox.ErrState)
	var bad *philox.StateError
	require.True(t, errors.As(err, &bad))
	require.NotEmpty(t, bad.Value)
	require.Equal(t, fmt.Sprintf("philox: state: %s = %s: must be %s", bad.Field, bad.Value, bad.Want), err.Error())
	if field != "" {
		require.Equal(t, field, bad.Field, "%v", err)
	}

	require.True(t, before == *src, "%x changed the source", state)
	require.Equal(t, sourceBytes[43:43+20], read(t, src, 20))
}

// golang/go#81488: a panic, and a decode that failed halfway and left its mark.
func TestStateCase63(t *testing.T) {
	good := save(t, sourceStream.Source())
	r := newRand(63)
	for n := range 65 {
		if n == len(good) {
			continue
		}
		b := make([]byte, n)
		copy(b, good)
		refused(t, b, "length")
		for range 20 {
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			refused(t, b, "length")
		}
	}
	for range 200 {
		b := make([]byte, len(good))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		refused(t, b, "magic")
		refused(t, append([]byte("philoxS\x01"), b[8:]...), "check")
	}
	refused(t, append(good, good...), "length")
	refused(t, append(good, 0), "length")
	refused(t, make([]byte, 1<<20), "length")
	refused(t, nil, "length")
}

func TestStateBitFlips(t *testing.T) {
	src := sourceStream.Source()
	src.Skip(300)
	read(t, src, 3)
	good := save(t, src)
	for bit := range 8 * len(good) {
		b := bytes.Clone(good)
		b[bit/8] ^= 1 << (bit % 8)
		field := "check"
		switch {
		case bit < 7*8:
			field = "magic"
		case bit < 8*8:
			field = "version"
		}
		refused(t, b, field)
	}
}

// States with a good check and something else that is wrong.
func TestStateFields(t *testing.T) {
	good := stateBytes(1, 2, philox.Counter{3, 4, 5, 6}, 1, 7)
	restored(t, good)
	set := func(i int, x byte) []byte {
		b := bytes.Clone(good[:36])
		b[i] = x
		return withCheck(b)
	}
	for _, tt := range []struct {
		name    string
		state   []byte
		field   string
		message string
	}{
		{"magic", set(6, 'G'), "magic", `philox: state: magic = "philoxG": must be "philoxS"`},
		{"version 0", set(7, 0), "version", "philox: state: version = 0: must be 1"},
		{"version 2", set(7, 2), "version", "philox: state: version = 2: must be 1"},
		{"unit", set(32, 2), "unit", "philox: state: unit = 2: must be 0 or 1"},
		{"part", set(33, 8), "bytes read", "philox: state: bytes read = 8: must be at most 7"},
		{"part 255", set(33, 255), "bytes read", "philox: state: bytes read = 255: must be at most 7"},
		{"reserved", set(34, 1), "reserved bytes", "philox: state: reserved bytes = [1 0]: must be 0"},
		{"reserved too", set(35, 128), "reserved bytes", "philox: state: reserved bytes = [0 128]: must be 0"},
		{"length", good[:39], "length", "philox: state: length = 39: must be 40"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			refused(t, tt.state, tt.field)
			assert.EqualError(t, new(philox.Source).UnmarshalBinary(tt.state), tt.message)
		})
	}

	// A check is written with all its digits, as the right one beside it is.
	zeros := bytes.Clone(good)
	clear(zeros[36:])
	sum := binary.LittleEndian.Uint32(good[36:])
	assert.EqualError(t, new(philox.Source).UnmarshalBinary(zeros),
		fmt.Sprintf("philox: state: check = 0x00000000: must be 0x%08x, the CRC-32C of the rest", sum))
}

func TestStateKeepsNothing(t *testing.T) {
	state := save(t, sourceStream.Source())
	src := restored(t, state)
	clear(state)
	assert.Equal(t, sourceUnits[0], src.Uint64())
}

func TestStateByGob(t *testing.T) {
	type model struct {
		Name   string
		Source *philox.Source
	}
	src := sourceStream.Source()
	src.Skip(257)
	read(t, src, 6)
	var b bytes.Buffer
	require.NoError(t, gob.NewEncoder(&b).Encode(model{"m", src}))
	var back model
	require.NoError(t, gob.NewDecoder(&b).Decode(&back))
	assert.Equal(t, "m", back.Name)
	assert.Equal(t, sourceBytes[8*257+6:8*257+106], read(t, back.Source, 100))
}
