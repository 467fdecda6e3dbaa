package philox_test

import (
	"encoding"
	"encoding/binary"
	"io"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

var (
	_ rand.Source                = (*philox.Source)(nil)
	_ io.Reader                  = (*philox.Source)(nil)
	_ encoding.BinaryMarshaler   = (*philox.Source)(nil)
	_ encoding.BinaryUnmarshaler = (*philox.Source)(nil)
	_ encoding.BinaryAppender    = (*philox.Source)(nil)
)

// sourceStream is where the sources of these tests start: in a place where both
// the counter's word 0 and its word 1 carry within the first buffers.
var sourceStream = philox.NewAt(philox.NewKey(0x0123456789abcdef), philox.Counter{ones32 - 200, ones32, 6, 7})

// sourceUnits are the first units of sourceStream, a few buffers of a Source.
var sourceUnits = func() []uint64 {
	units := make([]uint64, 2000)
	sourceStream.FillUint64(units)
	return units
}()

// sourceBytes are sourceUnits as Read gives them.
var sourceBytes = func() []byte {
	b := make([]byte, 8*len(sourceUnits))
	sourceStream.FillBytes(b)
	return b
}()

// unitAt returns unit n of a stream, for any n, from Block alone.
func unitAt(s philox.Stream, n *big.Int) uint64 {
	block, i := new(big.Int).QuoRem(n, big.NewInt(2), new(big.Int))
	return refUint64(philox.Block(s.Key(), ahead(s.Counter(), block)), int(i.Int64()))
}

// read returns the next n bytes.
func read(t testing.TB, src io.Reader, n int) []byte {
	t.Helper()
	b := memory(n, 1)
	got, err := src.Read(b.mem)
	require.NoError(t, err)
	require.Equal(t, n, got)
	b.check(t)
	return b.mem
}

func TestSourceUnits(t *testing.T) {
	for i, x := range sourceUnits {
		require.Equal(t, unitAt(sourceStream, big.NewInt(int64(i))), x)
		require.Equal(t, x, binary.LittleEndian.Uint64(sourceBytes[8*i:]))
	}
	calls := map[string]func(*philox.Source) any{
		"Uint64":  func(s *philox.Source) any { return s.Uint64() },
		"Uint32":  func(s *philox.Source) any { return s.Uint32() },
		"Float64": func(s *philox.Source) any { return s.Float64() },
		"Float32": func(s *philox.Source) any { return s.Float32() },
	}
	want := map[string]func(uint64) any{
		"Uint64":  func(x uint64) any { return x },
		"Uint32":  func(x uint64) any { return uint32(x) },
		"Float64": func(x uint64) any { return refUniform64(x) },
		"Float32": func(x uint64) any { return refUniform32(uint32(x)) },
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			src := sourceStream.Source()
			for i, x := range sourceUnits {
				require.Equal(t, want[name](x), call(src), "unit %d", i)
			}
		})
	}
	t.Run("in turn", func(t *testing.T) {
		src := sourceStream.Source()
		names := []string{"Uint64", "Uint32", "Float64", "Float32"}
		r := newRand(30)
		for i, x := range sourceUnits {
			name := names[r.IntN(len(names))]
			require.Equal(t, want[name](x), calls[name](src), "unit %d by %s", i, name)
		}
	})
}

func TestSourceSeeds(t *testing.T) {
	var zero philox.Source
	assert.Equal(t, philox.NewSource(0).Uint64(), zero.Uint64())
	for _, seed := range []uint64{0, 1, 1 << 40, ones64} {
		fresh := philox.NewSource(seed)
		assert.Equal(t, unitAt(philox.New(seed), new(big.Int)), fresh.Uint64())

		for _, units := range []int{0, 1, 2, 255, 256, 257} { // wherever it stood, and within a unit
			src := sourceStream.Source()
			for range units {
				src.Uint64()
			}
			read(t, src, 3)
			src.Seed(seed)
			assert.Equal(t, read(t, philox.NewSource(seed), 5000), read(t, src, 5000))
		}
	}
}

func TestSourceCopy(t *testing.T) {
	for _, units := range []int{0, 1, 100, 255, 256, 300} {
		src := sourceStream.Source()
		for range units {
			src.Uint64()
		}
		read(t, src, 3)
		c := *src
		at := 8*units + 3
		assert.Equal(t, sourceBytes[at:at+5000], read(t, &c, 5000), "the copy, after %d units", units)
		assert.Equal(t, sourceBytes[at:at+5000], read(t, src, 5000), "the original, after %d units", units)
		assert.Equal(t, c, *src)
	}
}

// Read's bytes do not depend on how they are cut.
func TestSourceReadChunks(t *testing.T) {
	large := philox.ParallelBytes(asm.Bytes) + 4321
	all := make([]byte, 3*large)
	sourceStream.FillBytes(all)
	for _, tt := range []struct {
		name   string
		chunks []int
	}{
		{"one byte", []int{1}},
		{"three bytes", []int{3}},
		{"units", []int{8}},
		{"around units", []int{7, 9, 8, 1, 15, 17}},
		{"a buffer", []int{2048}},
		{"around a buffer", []int{2047, 2049, 2048, 1}},
		{"more than a buffer", []int{5003}},
		{"large", []int{large}},
		{"large and small", []int{5, large, 0, 3, 8, large}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := sourceStream.Source()
			for at, i := 0, 0; at < 6000 || i < len(tt.chunks); i++ {
				n := tt.chunks[i%len(tt.chunks)]
				equalMemory(t, all[at:at+n], read(t, src, n), 1, "chunk %d", i)
				at += n
			}
		})
	}
	t.Run("0 to 40", func(t *testing.T) {
		src := sourceStream.Source()
		at := 0
		for range 10 {
			for n := range 41 {
				equalMemory(t, all[at:at+n], read(t, src, n), 1, "%d bytes from %d", n, at)
				at += n
			}
		}
	})
	t.Run("random", func(t *testing.T) {
		r := newRand(31)
		for range 20 {
			src := sourceStream.Source()
			for at := 0; at < 3*8192; {
				n := r.IntN(1 << r.IntN(14))
				equalMemory(t, all[at:at+n], read(t, src, n), 1, "%d bytes from %d", n, at)
				at += n
			}
		}
	})
}

func TestSourceReadIsAReader(t *testing.T) {
	src := sourceStream.Source()
	b := make([]byte, 3001)
	n, err := io.ReadFull(src, b)
	assert.NoError(t, err)
	assert.Equal(t, len(b), n)
	assert.Equal(t, sourceBytes[:len(b)], b)
	n, err = src.Read(nil)
	assert.NoError(t, err)
	assert.Zero(t, n)
}

// A call after a unit that was read in part takes the next one, also where that is
// the next buffer's.
func TestSourceAfterPartReadUnit(t *testing.T) {
	next := map[string]func(*philox.Source) uint64{
		"Uint64":  func(s *philox.Source) uint64 { return s.Uint64() },
		"Uint32":  func(s *philox.Source) uint64 { s.Uint32(); return s.Uint64() },
		"Float64": func(s *philox.Source) uint64 { s.Float64(); return s.Uint64() },
		"Float32": func(s *philox.Source) uint64 { s.Float32(); return s.Uint64() },
		"Skip":    func(s *philox.Source) uint64 { s.Skip(1); return s.Uint64() },
	}
	for name, f := range next {
		for _, units := range []int{0, 1, 254, 255, 256, 511} {
			for part := range 8 {
				src := sourceStream.Source()
				for range units {
					src.Uint64()
				}
				read(t, src, part)
				want := units
				if part > 0 {
					want++
				}
				if name != "Uint64" {
					want++
				}
				require.Equal(t, sourceUnits[want], f(src), "%s after %d units and %d bytes", name, units, part)
				require.Equal(t, sourceBytes[8*want+8:8*want+38], read(t, src, 30), "Read after %s after %d units and %d bytes", name, units, part)
			}
		}
	}
}

// A unit taken is gone even if the cursor comes back to the same place of another
// buffer: the part that was read must not come up again.
func TestSourcePartIsForgotten(t *testing.T) {
	src := sourceStream.Source()
	read(t, src, 3)
	for range 256 {
		src.Uint64()
	}
	assert.Equal(t, sourceBytes[8*257:8*257+20], read(t, src, 20))
}

func TestSourceSkip(t *testing.T) {
	for _, units := range []int{0, 1, 2, 3, 127, 128, 254, 255, 256, 257, 511, 512} {
		for n := range 601 {
			src := sourceStream.Source()
			for range units {
				src.Uint64()
			}
			src.Skip(uint64(n))
			require.Equal(t, sourceUnits[units+n], src.Uint64(), "%d units and Skip(%d)", units, n)
			require.Equal(t, sourceUnits[units+n+1], src.Uint64(), "%d units and Skip(%d)", units, n)
		}
	}
}

// Skips of Skips, and Skip(0), which leaves a unit that was read in part alone.
func TestSourceSkips(t *testing.T) {
	r := newRand(32)
	for range 50 {
		src := sourceStream.Source()
		for at := 0; at < 1500; at++ {
			n := r.IntN(1 << r.IntN(9))
			src.Skip(uint64(n))
			at += n
			require.Equal(t, sourceUnits[at], src.Uint64(), "unit %d", at)
		}
	}
	src := sourceStream.Source()
	read(t, src, 3)
	src.Skip(0)
	assert.Equal(t, sourceBytes[3:30], read(t, src, 27))
}

func TestSourceFarSkips(t *testing.T) {
	distances := []uint64{1 << 32, 1<<33 - 1, 1<<63 - 2, 1<<63 - 1, 1 << 63, 1<<63 + 1, ones64 - 1, ones64}
	for _, units := range []int{0, 1, 2, 255, 256, 257} {
		for _, n := range distances {
			for _, m := range append(distances, 0, 1, 2) {
				src := sourceStream.Source()
				for range units {
					src.Uint64()
				}
				src.Skip(n)
				src.Skip(m)
				at := new(big.Int).Add(bigUint(n), bigUint(m))
				at.Add(at, big.NewInt(int64(units)))
				for range 3 {
					require.Equal(t, unitAt(sourceStream, at), src.Uint64(), "%d units, Skip(%d), Skip(%d)", units, n, m)
					at.Add(at, big.NewInt(1))
				}
			}
		}
	}
}

// Skips and reads among each other keep one place.
func TestSourceMixedCalls(t *testing.T) {
	r := newRand(33)
	for range 200 {
		src := sourceStream.Source()
		at := 0 // in bytes
		for at < len(sourceBytes)-8*300 {
			units := (at + 7) / 8
			switch r.IntN(4) {
			case 0:
				n := r.IntN(40)
				require.Equal(t, sourceBytes[at:at+n], read(t, src, n))
				at += n
			case 1:
				n := r.IntN(300)
				src.Skip(uint64(n))
				if n > 0 {
					at = 8 * (units + n)
				}
			case 2:
				n := 100 + r.IntN(2000)
				require.Equal(t, sourceBytes[at:at+n], read(t, src, n))
				at += n
			default:
				require.Equal(t, sourceUnits[units], src.Uint64())
				at = 8 * (units + 1)
			}
		}
	}
}

func TestSourceWithRandV2(t *testing.T) {
	const draws = 60_000
	r := rand.New(philox.NewSource(34))
	counts := [6]int{}
	for range draws {
		counts[r.IntN(6)]++
	}
	for face, n := range counts {
		assert.InDelta(t, draws/6, n, 600, "face %d", face) // 6.6 standard deviations
	}
	assert.ElementsMatch(t, []int{0, 1, 2, 3, 4}, r.Perm(5))

	// rand.Rand adds nothing of its own before the first number.
	assert.Equal(t, philox.NewSource(35).Uint64(), rand.New(philox.NewSource(35)).Uint64())
}

func TestSourcePosition(t *testing.T) {
	start := philox.Counter{ones32 - 1, ones32, ones32, ones32}
	s := philox.NewAt(philox.NewKey(77), start)
	src := s.Source()
	assert.Equal(t, s.Key(), src.Key())
	for i := range 700 {
		block, unit := src.Position()
		assert.Equal(t, start.Skip(uint64(i/2)), block, "unit %d", i)
		assert.Equal(t, i%2, unit, "unit %d", i)
		var want [1]uint64
		philox.NewAt(src.Key(), block).FillUint64At(want[:], uint64(unit))
		assert.Equal(t, want[0], src.Uint64(), "unit %d", i)
	}
	src.Skip(ones64)
	block, unit := src.Position() // 700 + 2^64 - 1 units on
	assert.Equal(t, start.Skip128(0, 1<<63+349), block)
	assert.Equal(t, 1, unit)
}
