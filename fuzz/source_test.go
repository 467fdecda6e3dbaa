package fuzz_test

import (
	"encoding/binary"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/philox"
)

// FuzzSourceState gives UnmarshalBinary anything: it refuses it and changes
// nothing, or it takes it for a state, and then the state is the very same bytes.
func FuzzSourceState(f *testing.F) {
	src := philox.NewSource(1)
	for range 3 {
		state, err := src.MarshalBinary()
		require.NoError(f, err)
		f.Add(state)
		f.Add(state[:len(state)-1])
		f.Add(append(state, 0))
		for i := range state {
			flipped := append([]byte(nil), state...)
			flipped[i] ^= 0x80
			f.Add(flipped)
		}
		_, err = src.Read(make([]byte, 2051))
		require.NoError(f, err)
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, state []byte) {
		src := philox.NewSource(7)
		src.Skip(300)
		before := *src
		if err := src.UnmarshalBinary(state); err != nil {
			require.ErrorIs(t, err, philox.ErrState)
			require.NotEmpty(t, err.Error())
			require.True(t, before == *src, "changed")
			return
		}
		again, err := src.MarshalBinary()
		require.NoError(t, err)
		require.Equal(t, state, again)
	})
}

// A model is a Source made slowly: every number from Block, every place a big
// number.
type model struct {
	key  philox.Key
	next *big.Int // unit to take next, counted from counter 0
	part int      // bytes read of the one before, 0 if all or none
}

func newModel(s philox.Stream) *model {
	return &model{key: s.Key(), next: new(big.Int).Lsh(s.Counter().Big(), 1)}
}

func (m *model) unit(n *big.Int) uint64 {
	b := philox.Block(m.key, counter(new(big.Int).Rsh(n, 1)))
	i := 2 * n.Bit(0)
	return uint64(b[i]) | uint64(b[i+1])<<32
}

func (m *model) take() uint64 {
	x := m.unit(m.next)
	m.skip(1)
	return x
}

func (m *model) skip(n uint64) {
	if n > 0 {
		m.next.Add(m.next, new(big.Int).SetUint64(n))
		m.part = 0
	}
}

func (m *model) read(n int) []byte {
	out := make([]byte, 0, n)
	for len(out) < n {
		if m.part == 0 {
			m.skip(1)
		}
		var last [8]byte
		binary.LittleEndian.PutUint64(last[:], m.unit(new(big.Int).Sub(m.next, big.NewInt(1))))
		out = append(out, last[m.part])
		m.part = (m.part + 1) % 8
	}
	return out
}

// script hands out the bytes of a fuzzer's input.
type script []byte

func (s *script) byte() byte {
	if len(*s) == 0 {
		return 0
	}
	b := (*s)[0]
	*s = (*s)[1:]
	return b
}

// number returns a number of up to so many bytes.
func (s *script) number(bytes int) (n uint64) {
	for range bytes {
		n = n<<8 | uint64(s.byte())
	}
	return n
}

// FuzzSourceCalls plays a script of calls to a Source and to its model.
func FuzzSourceCalls(f *testing.F) {
	f.Add(uint64(0), uint64(0), uint64(0), []byte{0, 1, 2, 3, 4, 5, 5, 0, 6, 7, 0, 0})
	f.Add(uint64(1), uint64(2), ones64, []byte{4, 3, 0, 4, 13, 7, 4, 5, 4, 255, 7, 1, 4, 1, 7, 5, 0, 0})
	f.Add(ones64, ones64, ones64-20, []byte{5, 200, 0, 5, 55, 0, 5, 1, 0, 4, 9, 0, 7, 0})
	f.Add(uint64(3), uint64(0), uint64(1<<32-30), []byte{4, 1, 6, 255, 255, 255, 255, 255, 255, 255, 255, 0, 6, 128, 0, 0, 0, 0, 0, 0, 0, 0, 4, 7, 0})
	f.Add(uint64(4), uint64(0), uint64(0), []byte{8, 9, 1, 0, 8, 1, 1, 4, 3, 8, 2, 7, 0, 4, 40, 8, 255, 255, 7, 0})
	f.Fuzz(func(t *testing.T, seed, hi, lo uint64, calls []byte) {
		s := philox.New(seed).Skip128(hi, lo)
		src, m := s.Source(), newModel(s)
		rest := script(calls)
		if len(rest) > 200 {
			rest = rest[:200] // the model is slow
		}
		read := func(n int) {
			got := make([]byte, n)
			k, err := src.Read(got)
			require.NoError(t, err)
			require.Equal(t, n, k)
			require.Equal(t, m.read(n), got, "Read(%d)", n)
		}
		for len(rest) > 0 {
			switch rest.byte() % 9 {
			case 0:
				require.Equal(t, m.take(), src.Uint64(), "Uint64")
			case 1:
				require.Equal(t, uint32(m.take()), src.Uint32(), "Uint32")
			case 2:
				require.Equal(t, math.Ldexp(float64(m.take()&(1<<52-1)), -52), src.Float64(), "Float64")
			case 3:
				require.Equal(t, float32(math.Ldexp(float64(m.take()&(1<<23-1)), -23)), src.Float32(), "Float32")
			case 4:
				read(int(rest.number(1)))
			case 5:
				n := rest.number(1)
				src.Skip(n)
				m.skip(n)
			case 6:
				n := rest.number(8)
				src.Skip(n)
				m.skip(n)
			case 7:
				state, err := src.MarshalBinary()
				require.NoError(t, err)
				src = philox.NewSource(99)
				require.NoError(t, src.UnmarshalBinary(state))
			case 8:
				read(int(rest.number(2) % 6000))
			}
		}
		require.Equal(t, m.take(), src.Uint64(), "after the script")
	})
}
