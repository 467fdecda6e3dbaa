package random_test

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"encoding/gob"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/random"
)

var (
	_ encoding.BinaryAppender    = (*random.Generator)(nil)
	_ encoding.BinaryMarshaler   = (*random.Generator)(nil)
	_ encoding.BinaryUnmarshaler = (*random.Generator)(nil)
)

// stateBytes lays a state out as its documentation does.
func stateBytes(version byte, seed, offset, stream uint64, kind, exhausted byte) []byte {
	b := append([]byte("philoxG"), version)
	for _, x := range []uint64{seed, offset, stream} {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	return withCheck(append(b, kind, exhausted, 0, 0))
}

// withCheck appends the check to the rest of a state.
func withCheck(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
}

func TestStateRoundTrip(t *testing.T) {
	r := newRand(1)
	edges := []uint64{0, 1, 1<<32 - 1, 1 << 32, 1 << 63, ones64}
	for _, seed := range edges {
		for _, stream := range edges {
			for _, offset := range append(edges, r.Uint64()) {
				for _, full := range []bool{false, true} {
					g := at(t, seed, stream, offset)
					want := stateBytes(1, seed, offset, stream, 0, 0)
					if full {
						g = exhausted(t, seed, stream)
						want = stateBytes(1, seed, 0, stream, 0, 1)
					}
					require.Equal(t, want, g.State())
					require.Equal(t, want, g.State(), "saving changes nothing")

					// Whatever it was before.
					for _, back := range []*random.Generator{at(t, 9, 8, 7), exhausted(t, 9, 8)} {
						require.NoError(t, back.SetState(want))
						require.Equal(t, want, back.State())
						require.Equal(t, seed, back.Seed())
						require.Equal(t, stream, back.Stream())
						require.Equal(t, g.Offset(), back.Offset())
						require.Equal(t, full, back.Exhausted())
					}
				}
			}
		}
	}
}

// What is frozen, and the same on a big-endian machine. The bytes were not made by
// this package.
func TestStateGolden(t *testing.T) {
	cuda := random.NewGenerator(random.CUDA(3), ones64)
	require.NoError(t, cuda.SetOffset(1))
	for _, tt := range []struct {
		g    *random.Generator
		want string
	}{
		{at(t, 0x0123456789abcdef, 0x1112131415161718, 0x2122232425262728), "7068696c6f784701efcdab89674523012827262524232221181716151413121100000000fafe4214"},
		{exhausted(t, 42, 7), "7068696c6f7847012a000000000000000000000000000000070000000000000000010000da80eeb7"},
		{cuda, "7068696c6f784701ffffffffffffffff0100000000000000000000000000000001000000ee0e3f55"},
	} {
		assert.Equal(t, tt.want, hex.EncodeToString(tt.g.State()))
	}
}

func TestStateOfDevices(t *testing.T) {
	cpu, zero, one := at(t, 1, 2, 3), random.NewGenerator(random.CUDA(0), 1), random.NewGenerator(random.CUDA(1), 5)
	require.NoError(t, one.SetState(zero.State()), "of one kind")
	assert.Equal(t, random.CUDA(1), one.Device())
	assert.Equal(t, uint64(1), one.Seed())

	refused(t, cpu, zero.State(), "device kind", "random: state: device kind = 1 (cuda): must be 0 (cpu)")
	refused(t, one, cpu.State(), "device kind", "random: state: device kind = 0 (cpu): must be 1 (cuda)")
}

// refused checks that g refuses a state and is as if it had not seen it. field and
// message are the error's, or "" for any.
func refused(t testing.TB, g *random.Generator, state []byte, field, message string) {
	t.Helper()
	before := g.State()
	for _, set := range []func([]byte) error{g.SetState, g.UnmarshalBinary} {
		err := set(state)
		require.Error(t, err, "%x", state)
		require.ErrorIs(t, err, random.ErrState)
		require.ErrorIs(t, err, philox.ErrState)
		var bad *random.StateError
		require.ErrorAs(t, err, &bad)
		require.Equal(t, "random", bad.Package)
		require.NotEmpty(t, bad.Value)
		require.Equal(t, fmt.Sprintf("random: state: %s = %s: must be %s", bad.Field, bad.Value, bad.Want), err.Error())
		if field != "" {
			require.Equal(t, field, bad.Field, "%v", err)
		}
		if message != "" {
			require.EqualError(t, err, message)
		}
		require.Equal(t, before, g.State(), "%x changed the generator", state)
	}
}

// golang/go#81488: a panic, and a decode that failed halfway and left its mark.
func TestCase63StateLengths(t *testing.T) {
	g := exhausted(t, 3, 4)
	good := at(t, 1, 2, 3).State()
	r := newRand(63)
	for n := range 65 {
		if n == len(good) {
			continue
		}
		b := make([]byte, n)
		copy(b, good)
		refused(t, g, b, "length", fmt.Sprintf("random: state: length = %d: must be 40", n))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		refused(t, g, b, "length", "")
	}
	refused(t, g, nil, "length", "")
	refused(t, g, append(good, good...), "length", "")
	refused(t, g, make([]byte, 40), "magic", "")
}

func TestStateCorruption(t *testing.T) {
	g := at(t, 3, 4, 5)
	for _, saved := range []*random.Generator{at(t, 1, 2, 3), exhausted(t, 1, 2)} {
		good := saved.State()
		require.NoError(t, g.Clone().SetState(good))
		for i := range good {
			field := "check"
			switch {
			case i < 7:
				field = "magic"
			case i < 8:
				field = "version"
			}
			for x := range 256 {
				if good[i] == byte(x) {
					continue
				}
				b := bytes.Clone(good)
				b[i] = byte(x)
				refused(t, g, b, field, "")
			}
		}
	}
}

// States with a good check and something else that is wrong.
func TestStateFields(t *testing.T) {
	good := stateBytes(1, 2, 3, 4, 0, 0)
	require.NoError(t, at(t, 0, 0, 0).SetState(good))
	set := func(i int, x byte) []byte {
		b := bytes.Clone(good[:36])
		b[i] = x
		return withCheck(b)
	}
	source, err := philox.NewSource(1).MarshalBinary()
	require.NoError(t, err)
	for _, tt := range []struct {
		name    string
		state   []byte
		field   string
		message string
	}{
		{"a Source", source, "magic", `random: state: magic = "philoxS": must be "philoxG"`},
		{"version 0", set(7, 0), "version", "random: state: version = 0: must be 1"},
		{"version 2", set(7, 2), "version", "random: state: version = 2: must be 1"},
		{"device 2", set(32, 2), "device kind", "random: state: device kind = 2: must be 0 or 1"},
		{"device 255", set(32, 255), "device kind", "random: state: device kind = 255: must be 0 or 1"},
		{"exhausted twice", set(33, 2), "exhausted", "random: state: exhausted = 2: must be 0 or 1"},
		{"exhausted and an offset", set(33, 1), "offset", "random: state: offset = 2^64 + 3: must be at most 2^64"},
		{"reserved", set(34, 1), "reserved bytes", "random: state: reserved bytes = [1 0]: must be 0"},
		{"reserved", set(35, 1), "reserved bytes", "random: state: reserved bytes = [0 1]: must be 0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			refused(t, at(t, 5, 6, 7), tt.state, tt.field, tt.message)
			refused(t, exhausted(t, 5, 6), tt.state, tt.field, tt.message)
			refused(t, random.Default(random.CPU()), tt.state, tt.field, tt.message)
		})
	}
}

func TestStateAppends(t *testing.T) {
	g := at(t, 1, 2, 3)
	want := g.State()
	assert.Len(t, want, 40)
	for _, prefix := range []string{"", "x", "a prefix that is longer than a state has bytes"} {
		got, err := g.AppendBinary([]byte(prefix))
		require.NoError(t, err)
		assert.Equal(t, append([]byte(prefix), want...), got)
	}
	room := make([]byte, 2, 100)
	got, err := g.AppendBinary(room)
	require.NoError(t, err)
	assert.Same(t, &room[0], &got[0])
}

// A decoder makes the generators that it decodes into. They must be as apart as they
// were, and not be the default generator.
func TestGob(t *testing.T) {
	type checkpoint struct {
		Step int
		A, B *random.Generator
		C    random.Generator
		GPU  *random.Generator
	}
	forget(t)
	random.ManualSeed(1)
	saved := checkpoint{7, at(t, 1, 2, 3), exhausted(t, 4, 5), *at(t, 6, 0, 9), random.NewGenerator(random.CUDA(2), 8)}
	var file bytes.Buffer
	require.NoError(t, gob.NewEncoder(&file).Encode(&saved))
	back := checkpoint{GPU: random.NewGenerator(random.CUDA(1), 0)}
	require.NoError(t, gob.NewDecoder(&file).Decode(&back))
	assert.Equal(t, 7, back.Step)
	equal(t, saved.A, back.A)
	equal(t, saved.B, back.B)
	equal(t, &saved.C, &back.C)
	assert.Equal(t, saved.GPU.State(), back.GPU.State())
	assert.Equal(t, random.CUDA(1), back.GPU.Device())
	equal(t, random.NewGenerator(random.CPU(), 1), random.Default(random.CPU()))
}
