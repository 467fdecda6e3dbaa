package fuzz_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/random"
)

// FuzzGeneratorState gives SetState and UnmarshalBinary anything, for either kind of
// device: both refuse it and change nothing, or they take it for a state, and then the
// state is the very same bytes. Each input is tried with its check put right too.
func FuzzGeneratorState(f *testing.F) {
	devices := []random.Device{random.CPU(), random.CUDA(1)}
	for _, device := range devices {
		g := random.NewGenerator(device, 1)
		for _, offset := range []uint64{0, 1 << 32, ones64} {
			require.NoError(f, g.SetOffset(offset))
			if offset == ones64 {
				_, err := g.Reserve(1)
				require.NoError(f, err)
			}
			state := g.State()
			f.Add(state)
			f.Add(state[:len(state)-1])
			f.Add(append(state, 0))
			for i := range state {
				flipped := append([]byte(nil), state...)
				flipped[i] ^= 0x80
				f.Add(flipped)
			}
		}
	}
	f.Add([]byte{})
	try := func(t *testing.T, state []byte) {
		taken := 0
		for _, device := range devices {
			set, read := random.NewGenerator(device, 7), random.NewGenerator(device, 7)
			require.NoError(t, set.SetOffset(300))
			require.NoError(t, read.SetOffset(300))
			before := set.State()
			err := set.SetState(state)
			require.Equal(t, err, read.UnmarshalBinary(state))
			if err != nil {
				require.ErrorIs(t, err, random.ErrState)
				require.NotEmpty(t, err.Error())
				require.Equal(t, before, set.State(), "changed")
				require.Equal(t, before, read.State(), "changed")
				continue
			}
			taken++
			require.Equal(t, state, set.State())
			require.Equal(t, state, read.State())
		}
		var zero random.Generator
		if zero.UnmarshalBinary(state) == nil {
			require.Equal(t, state, zero.State())
		} else {
			require.Equal(t, random.Generator{}, zero)
		}
		require.LessOrEqual(t, taken, 1, "a state is of one kind of device")
	}
	f.Fuzz(func(t *testing.T, state []byte) {
		try(t, state)
		if at := len(state) - 4; at > 0 {
			try(t, binary.LittleEndian.AppendUint32(bytes.Clone(state[:at]), crc32.Checksum(state[:at], crc32.MakeTable(crc32.Castagnoli))))
		}
	})
}
