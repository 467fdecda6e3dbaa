package cuda_test

import (
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/cuda"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/random"
)

// newBuffer returns a buffer of n elements for a test.
func newBuffer[T cuda.Element](t *testing.T, dev *cuda.Device, n int) cuda.Buffer[T] {
	b, err := cuda.Alloc[T](dev, n)
	require.NoError(t, err)
	t.Cleanup(func() { b.Free() })
	return b
}

// contents returns what a buffer holds.
func contents[T cuda.Element](t *testing.T, b cuda.Buffer[T]) []T {
	got := make([]T, b.Len())
	require.NoError(t, b.CopyTo(got))
	return got
}

// Fills from a state must be those of a generator that takes as many blocks, and leave the
// state where that is; also where a launch wraps counter words, and with several launches a fill.
func TestStateIsAGenerator(t *testing.T) {
	dev := cuda.OpenForTest(t)
	truncated, err := cuda.TruncatedNormals[float64](0, 1, -1, 3)
	require.NoError(t, err)
	halves, err := cuda.NormalHalves[uint16](random.BFloat16, 1, 2)
	require.NoError(t, err)
	for _, most := range []uint64{1 << 30, 64} {
		cuda.SetMaxBlocks(dev, most)
		for _, at := range []philox.Counter{
			philox.CounterAt(3, 5), philox.CounterAt(1<<40, 1<<32-7), philox.CounterAt(0, math.MaxUint64-9), philox.CounterAt(math.MaxUint32, math.MaxUint64-9),
		} {
			s := philox.NewAt(philox.NewKey(99), at)
			state, err := cuda.NewState(dev, s)
			require.NoError(t, err)
			words, doubles, h := newBuffer[uint32](t, dev, 1003), newBuffer[float64](t, dev, 777), newBuffer[uint16](t, dev, 510)
			mask := newBuffer[byte](t, dev, random.MaskBytes(1003))
			for range 2 {
				require.NoError(t, cuda.Uint32s().FillFrom(words, state))
				want := make([]uint32, words.Len())
				s.FillUint32(want)
				require.Equal(t, want, contents(t, words))
				s = s.Skip(cuda.Uint32s().Blocks(words.Len()))

				require.NoError(t, truncated.FillFrom(doubles, state))
				got := contents(t, doubles)
				require.NoError(t, truncated.Fill(doubles, s, 0))
				require.Equal(t, contents(t, doubles), got)
				s = s.Skip(truncated.Blocks(doubles.Len()))

				require.NoError(t, halves.FillFrom(h, state))
				gotHalves := contents(t, h)
				require.NoError(t, halves.Fill(h, s, 0))
				require.Equal(t, contents(t, h), gotHalves)
				s = s.Skip(halves.Blocks(h.Len()))

				require.NoError(t, cuda.DropoutMaskFrom(state, mask, 1003, 0.25))
				kept := contents(t, mask)
				s.FillUint32(want)
				for i, w := range want {
					require.Equal(t, w >= 1<<30, kept[i/8]>>(i%8)&1 == 1, i)
				}
				s = s.Skip(251)

				now, err := state.Get(words.Stream())
				require.NoError(t, err)
				require.Equal(t, s, now)
			}
			require.NoError(t, state.Free())
			require.ErrorIs(t, cuda.Uint32s().FillFrom(words, state), cuda.ErrClosed)
		}
	}
}

// A captured graph must draw new numbers at every launch, those of as many eager fills, and a
// reseeding must take effect (pytorch/pytorch#84967).
func TestGraphsDrawNewNumbers(t *testing.T) {
	dev := cuda.OpenForTest(t)
	stream, err := dev.NewStream()
	require.NoError(t, err)
	defer stream.Close()
	const n = 5000
	normals, err := cuda.Normals[float32](1, 2)
	require.NoError(t, err)
	x, dropped := newBuffer[float32](t, dev, n).On(stream), newBuffer[float32](t, dev, n).On(stream)
	dice, err := cuda.IntNs[uint8](1, 7)
	require.NoError(t, err)
	throws := newBuffer[uint8](t, dev, n).On(stream)
	mask := newBuffer[byte](t, dev, random.MaskBytes(n)).On(stream)

	const seed = 7
	place := func(seed uint64) philox.Stream { return philox.New(seed).Skip(1<<32 - 2000) } // wraps in the second launch
	state, err := cuda.NewState(dev, place(seed))
	require.NoError(t, err)
	defer state.Free()
	for _, load := range []func(*cuda.Device) error{normals.Load, dice.Load} {
		require.NoError(t, load(dev))
	}
	require.NoError(t, cuda.DropoutFrom(state, dropped, mask, x, 0.5)) // loads kernels
	require.NoError(t, state.Set(place(seed), stream))

	graph, err := stream.Capture(func() error {
		capturing, err := stream.Capturing()
		require.NoError(t, err)
		require.True(t, capturing)
		if err := normals.FillFrom(x, state); err != nil {
			return err
		}
		if err := dice.FillFrom(throws, state); err != nil {
			return err
		}
		return cuda.DropoutFrom(state, dropped, mask, x, 0.5)
	})
	require.NoError(t, err)
	defer graph.Close()

	eager := func(s philox.Stream) (philox.Stream, []float32, []uint8, []float32, []byte) {
		g := random.NewGenerator(random.CPU(), s.Key().Seed())
		_, lo := s.Counter().Uint64s()
		require.NoError(t, g.SetOffset(lo))
		z, d, y, m := make([]float32, n), make([]uint8, n), make([]float32, n), make([]byte, random.MaskBytes(n))
		require.NoError(t, random.Normal(g, z, 1, 2))
		require.NoError(t, random.IntN(g, d, 1, 7))
		require.NoError(t, random.Dropout(g, y, m, z, 0.5, true))
		return s.Skip(g.Offset() - lo), z, d, y, m
	}
	replay := func(s philox.Stream) philox.Stream {
		require.NoError(t, graph.Launch(stream))
		next, z, d, y, m := eager(s)
		require.Equal(t, z, contents(t, x))
		require.Equal(t, d, contents(t, throws))
		require.Equal(t, y, contents(t, dropped))
		require.Equal(t, m, contents(t, mask))
		now, err := state.Get(stream)
		require.NoError(t, err)
		require.Equal(t, next, now)
		return next
	}
	s := replay(place(seed))
	first := contents(t, x)
	s = replay(s)
	assert.NotEqual(t, first, contents(t, x))
	replay(s)
	require.NoError(t, state.Set(place(8), stream))
	replay(place(8))
	require.NoError(t, state.Set(place(seed), stream))
	replay(place(seed))
	assert.Equal(t, first, contents(t, x))
}

// Two fills in a row must not repeat numbers (JuliaGPU/CUDA.jl#2035), and a saved state must make the
// same ones again.
func TestConsecutiveFills(t *testing.T) {
	dev := cuda.OpenForTest(t)
	g := random.NewGenerator(dev.Random(), 42)
	const n = 1000
	x, y := newBuffer[float32](t, dev, n), newBuffer[float32](t, dev, n)
	saved := g.State()
	require.NoError(t, cuda.Uniform(g, x, 0, 1))
	assert.Equal(t, uint64(n/4), g.Offset())
	require.NoError(t, cuda.Uniform(g, y, 0, 1))
	assert.NotEqual(t, contents(t, x), contents(t, y))
	require.NoError(t, g.SetState(saved))
	require.NoError(t, cuda.Uniform(g, y, 0, 1))
	assert.Equal(t, contents(t, x), contents(t, y))
}

// More elements than 32 bits count, on a GPU with memory for them. Elsewhere launches are made
// short instead.
func TestFillsBeyond32Bits(t *testing.T) {
	dev := cuda.OpenForTest(t)
	n, step := int64(1<<32+5), 1<<26 // of 32 bits an int has too few
	free, _, err := dev.Memory()
	require.NoError(t, err)
	if os.Getenv("PHILOX_REQUIRE_CUDA") != "1" || testing.Short() || free < 20<<30 || n > math.MaxInt {
		cuda.SetMaxBlocks(dev, 1<<12)
		n, step = 1<<18+5, 1<<16
	}
	t.Logf("%d elements", n)
	s := philox.NewAt(philox.NewKey(11), philox.CounterAt(2, 1<<32-1000))
	for offset := range 4 {
		words := newBuffer[uint32](t, dev, int(n)+offset)
		part := words.Slice(offset, int(n)+offset)
		require.NoError(t, cuda.Uint32s().Fill(part, s, 3))
		compare(t, part, step, func(dst []uint32, first uint64) { s.FillUint32At(dst, first+3) })
		require.NoError(t, words.Free())
		raw := newBuffer[byte](t, dev, int(n)+offset)
		bytes := raw.Slice(offset, int(n)+offset)
		require.NoError(t, cuda.Bytes().Fill(bytes, s, 7))
		compare(t, bytes, step, func(dst []byte, first uint64) { s.FillBytesAt(dst, first+7) })
		require.NoError(t, raw.Free())
	}
	// The last of them are only right if the places of all are.
	bits := newBuffer[bool](t, dev, int(n))
	bernoullis, err := cuda.Bernoullis[bool](0.5)
	require.NoError(t, err)
	require.NoError(t, bernoullis.Fill(bits, s, 1))
	compare(t, bits, step, func(dst []bool, first uint64) {
		words := make([]uint32, len(dst))
		s.FillUint32At(words, first+1)
		for i, w := range words {
			dst[i] = w < 1<<31
		}
	})
}

// compare compares a buffer with what fill says, a step at a time.
func compare[T cuda.Element](t *testing.T, b cuda.Buffer[T], step int, fill func(dst []T, first uint64)) {
	want, got := make([]T, step), make([]T, step)
	for at := 0; at < b.Len(); at += step {
		m := min(step, b.Len()-at)
		fill(want[:m], uint64(at))
		require.NoError(t, b.Slice(at, at+m).CopyTo(got[:m]))
		for i := range m {
			if want[i] != got[i] {
				require.Equal(t, want[i], got[i], "element %d", at+i)
			}
		}
	}
}

func TestCheckRoots(t *testing.T) {
	dev := cuda.OpenForTest(t)
	wrong, of, err := cuda.CheckRoots(dev)
	require.NoError(t, err)
	assert.Zero(t, wrong)
	assert.Equal(t, uint64(0x42800000-0x2f000000), of)
}
