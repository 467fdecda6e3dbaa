package philox_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/philox"
)

func TestStreamValues(t *testing.T) {
	var zero philox.Stream
	assert.Equal(t, philox.New(0), zero)
	assert.Equal(t, philox.New(0), philox.NewAt(philox.Key{}, philox.Counter{}))

	key, c := philox.Key{1, 2}, philox.Counter{3, 4, 5, 6}
	s := philox.NewAt(key, c)
	assert.Equal(t, key, s.Key())
	assert.Equal(t, c, s.Counter())

	before := s
	s.FillUint32(make([]uint32, 100))
	s.Skip(1)
	s.Back(1)
	s.Skip128(1, 1)
	s.Substream(1)
	s.WithMaxGoroutines(1)
	assert.Equal(t, before, s, "neither fills nor the methods that move change a stream")
}

func TestStreamMovesAgainstBig(t *testing.T) {
	r := newRand(4)
	distances := []uint64{0, 1, 1<<32 - 1, 1 << 32, 1 << 63, ones64 - 1, ones64}
	for range 20 {
		distances = append(distances, r.Uint64())
	}
	starts := []philox.Counter{{}, {1}, {ones32}, {ones32, ones32}, {ones32, ones32, ones32}, full, {0, 0, 0, ones32}}
	for range 20 {
		starts = append(starts, randomCounter(r))
	}
	for _, c := range starts {
		s := philox.NewAt(philox.Key{7, 8}, c).WithMaxGoroutines(3)
		moved := func(n *big.Int) philox.Stream {
			return philox.NewAt(philox.Key{7, 8}, ahead(c, n)).WithMaxGoroutines(3)
		}
		for _, lo := range distances {
			x := bigUint(lo)
			require.Equal(t, moved(x), s.Skip(lo), "%v.Skip(%d)", c, lo)
			require.Equal(t, moved(new(big.Int).Neg(x)), s.Back(lo), "%v.Back(%d)", c, lo)
			for _, hi := range distances {
				y := new(big.Int).Lsh(bigUint(hi), 64)
				require.Equal(t, moved(y.Add(y, x)), s.Skip128(hi, lo), "%v.Skip128(%d, %d)", c, hi, lo)
				require.Equal(t, moved(y.Neg(y)), s.Back128(hi, lo), "%v.Back128(%d, %d)", c, hi, lo)
			}
		}
	}
}

func TestSubstreamIsAbsolute(t *testing.T) {
	s := philox.New(9)
	for _, id := range []uint64{0, 1, 1<<32 - 1, 1 << 32, 1<<63 + 5, ones64} {
		want := philox.NewAt(s.Key(), philox.CounterFromOffsetHigh(id))
		assert.Equal(t, want, s.Substream(id))
		assert.Equal(t, want, s.Skip128(5, 6).Substream(id))
		assert.Equal(t, want, s.Substream(77).Substream(id))
		assert.Equal(t, 3, s.WithMaxGoroutines(3).Substream(id).MaxGoroutines(), "the limit stays")
	}
	assert.Equal(t, s, s.Skip(5).Substream(0))
}

func TestWithMaxGoroutines(t *testing.T) {
	for _, n := range []int{-1, -1 << 31} {
		assert.PanicsWithValue(t, fmt.Sprintf("philox: WithMaxGoroutines: n = %d: must not be negative", n),
			func() { philox.New(1).WithMaxGoroutines(n) })
	}
	assert.Zero(t, philox.New(1).MaxGoroutines())
	for _, n := range []int{0, 1, 5, 1<<31 - 1} {
		assert.Equal(t, n, philox.New(1).WithMaxGoroutines(n).MaxGoroutines())
	}
	assert.Equal(t, philox.New(1), philox.New(1).WithMaxGoroutines(5).WithMaxGoroutines(0))
}

// Every piece of the first 70 elements, which is past a few groups of a kernel for
// some kinds and within a block for others. That each piece equals its part of one
// sequence means that any pieces that meet make the whole.
func TestEveryPiece(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		const n = 70
		s := philox.NewAt(philox.NewKey(70), philox.Counter{ones32 - 7, ones32})
		want := k.want(s, 0, n)
		for a := range n + 1 {
			for b := a; b <= n; b++ {
				equalMemory(t, want[a*k.size:b*k.size], k.get(t, s, uint64(a), b-a), k.size, "[%d, %d)", a, b)
			}
		}
	})
}

// Places where the index of an element, its block, or both carry. Indexes go on
// past 2^64.
var farFirsts = []uint64{
	0, 1<<32 - 40, 1<<34 - 40, 1<<36 - 40, 1<<63 - 40, 1<<63 - 1, ones64 - 150, ones64 - 16, ones64 - 1, ones64,
}

func TestFarPieces(t *testing.T) {
	r := newRand(8)
	eachKind(t, func(t *testing.T, k kind) {
		for _, base := range farFirsts {
			for _, start := range []philox.Counter{{}, {5, 0, 9}, {ones32 - 5, ones32, ones32, ones32}, randomCounter(r)} {
				s := philox.NewAt(philox.NewKey(r.Uint64()), start)
				n := 300 + r.IntN(300)
				want := k.want(s, base, n)
				equalMemory(t, want, k.get(t, s, base, n), k.size, "first = %d", base)
				last := int(min(uint64(n), ones64-base)) // where a piece can begin
				for range 6 {                            // [a, b) and [b, c) into one slice
					a := r.IntN(last + 1)
					b := a + r.IntN(last-a+1)
					c := b + r.IntN(n-b+1)
					got := memory((c-a)*k.size, 0)
					k.fillAt(s, got.mem[:(b-a)*k.size], base+uint64(a))
					k.fillAt(s, got.mem[(b-a)*k.size:], base+uint64(b))
					got.check(t)
					equalMemory(t, want[a*k.size:c*k.size], got.mem, k.size, "%d + [%d, %d, %d)", base, a, b, c)
				}
			}
		}
	})
}

// The same by the stream's own arithmetic: element 2^64 is the first of a block.
func TestIndexesGoOnPast64Bits(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		const before, after = 37, 100
		s := philox.NewAt(philox.NewKey(11), philox.Counter{ones32, ones32 - 1, 2, 3})
		got := k.get(t, s, ones64-before+1, before+after)
		past := new(big.Int).Lsh(big.NewInt(1), 64)
		hi, lo := ahead(philox.Counter{}, past.Quo(past, big.NewInt(int64(k.perBlock)))).Uint64s()
		equalMemory(t, k.get(t, s.Skip128(hi, lo), 0, after), got[before*k.size:], k.size, "from element 2^64 on")
	})
}

func TestFillIsFillAtZero(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		for _, n := range []int{1, 5, 16, 17, 100, 1100, k.shared/k.size + 3} {
			b := memory(n*k.size, 0)
			s := philox.New(12).Skip(7)
			k.fill(s, b.mem)
			b.check(t)
			equalMemory(t, k.get(t, s, 0, n), b.mem, k.size, "n = %d", n)
		}
	})
}

// Counters that carry out of word 0, 1, 2 and 3 (the last wraps to 0) at every
// block of a fill.
func TestCarryInsideAFill(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		for word := range 4 {
			for lead := range uint32(41) {
				start := philox.Counter{11, 22, 33, 44}
				for i := range word + 1 {
					start[i] = ones32
				}
				start[0] -= lead
				s, n := philox.NewAt(philox.Key{1, 2}, start), 48*k.perBlock
				for _, first := range []uint64{0, uint64(k.perBlock) - 1} {
					equalMemory(t, k.want(s, first, n), k.get(t, s, first, n), k.size, "word %d, %d blocks before", word, lead)
				}
			}
		}
	})
}

func TestWrapPast128Bits(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		n := 100 * k.perBlock
		got := k.get(t, philox.NewAt(philox.Key{3, 4}, full), 0, n+k.perBlock)
		equalMemory(t, k.get(t, philox.NewAt(philox.Key{3, 4}, philox.Counter{}), 0, n), got[16:], k.size, "from counter 0 on")
	})
}

func TestEmptySlices(t *testing.T) {
	s := philox.New(1)
	for _, first := range []uint64{0, 1, 15, ones64} {
		s.FillUint32At(nil, first)
		s.FillUint64At(nil, first)
		s.FillBytesAt(nil, first)
		s.FillFloat32At(nil, first)
		s.FillOpenFloat32At(nil, first)
		s.FillFloat64At(nil, first)
		eachKind(t, func(t *testing.T, k kind) {
			b := memory(0, 8)
			k.fillAt(s, b.mem, first)
			k.fill(s, b.mem)
			b.check(t)
		})
	}
	s.FillUint32(nil)
	s.FillUint64(nil)
	s.FillBytes(nil)
	s.FillFloat32(nil)
	s.FillOpenFloat32(nil)
	s.FillFloat64(nil)
}

// Slices as Go aligns them, and bytes anywhere, with canaries on both sides.
func TestAlignments(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		lengths := []int{1, 2, 15, 16, 17, 127, 128, 129, 500, 1100}
		s := philox.NewAt(philox.NewKey(13), philox.Counter{ones32 - 20})
		want := k.want(s, 3, lengths[len(lengths)-1])
		for lead := 0; lead < 64; lead += k.size {
			for _, n := range lengths {
				b := memory(n*k.size, lead)
				k.fillAt(s, b.mem, 3)
				b.check(t)
				equalMemory(t, want[:n*k.size], b.mem, k.size, "n = %d, %d bytes past alignment", n, lead)
			}
		}
	})
}

// Slices that fill a heap object to its last byte: under -race, checkptr stops the
// program at a pointer that leaves the object, even where nothing is written.
func TestWholeHeapObjects(t *testing.T) {
	s := philox.New(14)
	want := kinds[0].want(s, 0, 4096)
	for n := 4; n <= 4096; n += 4 {
		u32 := make([]uint32, n)
		s.FillUint32(u32)
		equalMemory(t, want[:4*n], bytesOf(u32), 4, "n = %d", n)
		f64 := make([]float64, n/2)
		s.FillFloat64(f64)
		raw := make([]byte, 4*n)
		s.FillBytes(raw)
		s.FillBytes(raw[1:])
		s.FillOpenFloat32(make([]float32, n))
	}
}
