package normal_test

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/state"
	"github.com/philox-go/rng/normal"
	"github.com/philox-go/rng/philox"
)

var (
	_ encoding.BinaryAppender    = (*normal.Source32)(nil)
	_ encoding.BinaryMarshaler   = (*normal.Source32)(nil)
	_ encoding.BinaryUnmarshaler = (*normal.Source32)(nil)
	_ encoding.BinaryAppender    = (*normal.Source64)(nil)
	_ encoding.BinaryMarshaler   = (*normal.Source64)(nil)
	_ encoding.BinaryUnmarshaler = (*normal.Source64)(nil)
)

// draw returns the next n numbers.
func draw[T float](s source[T], n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = s.Norm()
	}
	return x
}

func testSourceIsFill[T float](t *testing.T, w *width[T]) {
	for _, s := range starts {
		sameBits(t, w.want(s, 1000, 0), draw(w.source(s), 1000), "%v", s.Counter())
	}
	zero := w.zero()
	assert.Equal(t, philox.Key{}, zero.Key())
	sameBits(t, w.want(philox.New(0), 600, 0), draw(zero, 600), "the zero value")
	zero.Seed(9)
	assert.Equal(t, philox.NewKey(9), zero.Key())
	sameBits(t, w.want(philox.New(9), 600, 0), draw(zero, 600), "Seed")
}

func TestSourceIsFill(t *testing.T) { both(t, testSourceIsFill, testSourceIsFill) }

// Calls in any order against element i of the fill. The index is kept mod 2^64, which
// counts right since the calls pass fewer numbers than that.
func testSourceCalls[T float](t *testing.T, w *width[T]) {
	rng := newRand(1)
	distances := []uint64{0, 1, 2, 3, 4, 5, 127, 128, 129, 254, 255, 256, 257, 258, 511, 512, 513, 1 << 33}
	for _, start := range starts {
		src, i := w.source(start), uint64(0)
		other := w.source(philox.New(rng.Uint64())) // takes over at a save
		for range reduced(1000) {
			switch rng.IntN(5) {
			case 0, 1:
				n := rng.IntN(600)
				sameBits(t, w.want(start, n, i), draw(src, n), "from %d", i)
				i += uint64(n)
			case 2:
				n := distances[rng.IntN(len(distances))]
				src.Skip(n)
				i += n
			case 3:
				saved, err := src.MarshalBinary()
				require.NoError(t, err)
				require.NoError(t, other.UnmarshalBinary(saved))
				again, err := other.AppendBinary([]byte("x"))
				require.NoError(t, err)
				require.Equal(t, append([]byte("x"), saved...), again, "at %d", i)
				src, other = other, src
			case 4:
				block, lane := w.kind.Locate(i)
				gotBlock, gotPlace := src.Position()
				require.Equal(t, start.Skip(block).Counter(), gotBlock, "at %d", i)
				require.Equal(t, int(lane), gotPlace, "at %d", i)
				require.Equal(t, start.Key(), src.Key())
			}
		}
	}
}

func TestSourceCalls(t *testing.T) { both(t, testSourceCalls, testSourceCalls) }

// Distances that with the place in the block make 2^64 and more.
func testFarSkips[T float](t *testing.T, w *width[T]) {
	for before := range 9 {
		for _, n := range []uint64{1 << 62, 1 << 63, ones64 - 4, ones64 - 1, ones64} {
			src := w.source(starts[2])
			draw(src, before)
			src.Skip(n)
			block, lane := w.kind.Locate(n)
			s := starts[2].Skip(block)
			sameBits(t, w.want(s, 10, lane+uint64(before)), draw(src, 10), "%d, then %d", before, n)
		}
	}
}

func TestFarSkips(t *testing.T) { both(t, testFarSkips, testFarSkips) }

// torch7-distro#191: the second of a pair, made before a seed was set, came after it.
func testNothingLeftOfAPair[T float](t *testing.T, w *width[T]) {
	first := w.want(philox.New(191), 3, 0)
	for drawn := range 6 {
		src := w.source(philox.New(191))
		sameBits(t, first, draw(src, 3), "new")
		draw(src, drawn)
		src.Seed(191)
		sameBits(t, first, draw(src, 3), "after %d", 3+drawn)

		src.Seed(191)
		saved, err := src.MarshalBinary()
		require.NoError(t, err)
		draw(src, 3+drawn)
		require.NoError(t, src.UnmarshalBinary(saved))
		sameBits(t, first, draw(src, 3), "restored after %d", 3+drawn)
	}
}

func TestNothingLeftOfAPair(t *testing.T) { both(t, testNothingLeftOfAPair, testNothingLeftOfAPair) }

func TestSourceCopies(t *testing.T) {
	a := normal.NewSource32(starts[1])
	a.Skip(5)
	a.NormFloat32()
	b := *a
	x := a.NormFloat32()
	a.Skip(1000)
	assert.Equal(t, x, b.NormFloat32())
}

func testStateErrors[T float](t *testing.T, w *width[T], kind, otherKind byte, places uint8) {
	src := w.source(starts[2])
	draw(src, 7)
	saved, err := src.MarshalBinary()
	require.NoError(t, err)
	assert.Len(t, saved, state.Bytes)
	assert.Equal(t, "philox"+string(kind)+"\x01", string(saved[:8]))

	// checked returns the state with a byte changed and the check made right again.
	checked := func(at int, value byte) []byte {
		b := bytes.Clone(saved)
		b[at] = value
		return binary.LittleEndian.AppendUint32(b[:36], crc32.Checksum(b[:36], crc32.MakeTable(crc32.Castagnoli)))
	}
	flipped := bytes.Clone(saved)
	flipped[10] ^= 1
	for name, tt := range map[string]struct {
		state []byte
		field string
	}{
		"nothing":        {nil, "length"},
		"short":          {saved[:39], "length"},
		"long":           {append(bytes.Clone(saved), 0), "length"},
		"other type":     {checked(6, otherKind), "magic"},
		"a philox state": {checked(6, 'S'), "magic"},
		"version":        {checked(7, 2), "version"},
		"flipped bit":    {flipped, "check"},
		"place":          {checked(32, places), "place"},
		"bytes read":     {checked(33, 1), "bytes read"},
		"reserved":       {checked(35, 1), "reserved bytes"},
	} {
		err := src.UnmarshalBinary(tt.state)
		var stateErr *philox.StateError
		require.ErrorAs(t, err, &stateErr, "%s", name)
		assert.Equal(t, tt.field, stateErr.Field, "%s", name)
		assert.Equal(t, "normal", stateErr.Package, "%s", name)
		require.ErrorIs(t, err, philox.ErrState)
		after, err := src.MarshalBinary()
		require.NoError(t, err)
		assert.Equal(t, saved, after, "%s: the source moved", name)
	}
	sameBits(t, w.want(starts[2], 300, 7), draw(src, 300), "after the errors")
}

func TestStateErrors(t *testing.T) {
	both(t,
		func(t *testing.T, w *width[float32]) { testStateErrors(t, w, 'N', 'D', 4) },
		func(t *testing.T, w *width[float64]) { testStateErrors(t, w, 'D', 'N', 2) })
}

func TestSourcesDoNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates for its own ends; the same test runs without it")
	}
	a, b := normal.NewSource32(philox.New(1)), normal.NewSource64(philox.New(1))
	state32, _ := a.MarshalBinary()
	state64, _ := b.MarshalBinary()
	room := make([]byte, 0, state.Bytes)
	for name, f := range map[string]func(){
		"NormFloat32": func() { sink += float64(a.NormFloat32()) },
		"NormFloat64": func() { sink += b.NormFloat64() },
		"Skip":        func() { a.Skip(1001); b.Skip(1001) },
		"Seed":        func() { a.Seed(3); b.Seed(3) },
		"states": func() {
			_, _ = a.AppendBinary(room)
			_, _ = b.AppendBinary(room)
			_, _ = a.UnmarshalBinary(state32), b.UnmarshalBinary(state64)
		},
		"copies": func() {
			c, d := *a, *b
			sink += float64(c.NormFloat32()) + d.NormFloat64()
		},
	} {
		assert.Zero(t, testing.AllocsPerRun(1000, f), "%s", name)
	}
}

// The numbers of the standard library's ziggurat are the ones to be faster than.
func BenchmarkNorm(b *testing.B) {
	b.Run("Source32", func(b *testing.B) {
		s := normal.NewSource32(philox.New(1))
		var sum float32
		for b.Loop() {
			sum += s.NormFloat32()
		}
		sink += float64(sum)
	})
	b.Run("Source64", func(b *testing.B) {
		s := normal.NewSource64(philox.New(1))
		var sum float64
		for b.Loop() {
			sum += s.NormFloat64()
		}
		sink += sum
	})
	b.Run("PCG", func(b *testing.B) {
		r := rand.New(rand.NewPCG(1, 2))
		var sum float64
		for b.Loop() {
			sum += r.NormFloat64()
		}
		sink += sum
	})
}
