package asm

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
	"unsafe"

	"github.com/philox-go/rng/internal/layout"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func counters(r *rand.Rand) (key [2]uint32, ctr [4]uint32) {
	return [2]uint32{r.Uint32(), r.Uint32()}, [4]uint32{r.Uint32(), r.Uint32(), r.Uint32(), r.Uint32()}
}

// A kernel sees a carry as the end of its call, so every distance between start
// and carry matters up to more than two passes of the longest main loop.
func TestCarryAtEveryLane(t *testing.T) {
	if nothingToCompare(t) {
		return
	}
	const blocks = 200
	key := [2]uint32{0x12345678, 0x9abcdef0}
	for _, k := range Kinds() {
		n := blocks * k.PerBlock()
		for back := range uint32(blocks + 2) {
			for _, ctr := range carries(back) {
				want := fillNew(Generic, k, n, key, ctr)
				for _, l := range vectorLevels(t) {
					require.True(t, bytes.Equal(want, fillNew(l, k, n, key, ctr)), "%v %v from %08x", l, k, ctr)
				}
			}
		}
	}
}

// The portable code is the reference of every other test here, so its counters
// are checked block by block.
func TestPortableCarries(t *testing.T) {
	key := [2]uint32{1, 2}
	for back := range uint32(100) {
		for _, ctr := range carries(back) {
			dst := make([]uint32, 4*128)
			FillLevel(Generic, Uint32, dst, key, ctr)
			for i := 0; i < len(dst); i += 4 {
				block := Block(key, ctr)
				require.Equal(t, block[:], dst[i:i+4], "block %d from %08x", i/4, ctr)
				for w := range ctr {
					if ctr[w]++; ctr[w] != 0 {
						break
					}
				}
			}
		}
	}
}

func TestRandomStarts(t *testing.T) {
	if nothingToCompare(t) {
		return
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		key, ctr := counters(r)
		k := Kind(r.IntN(int(Range32)))
		n := r.IntN(3000)
		want := fillNew(Generic, k, n, key, ctr)
		for _, l := range vectorLevels(t) {
			require.True(t, bytes.Equal(want, fillNew(l, k, n, key, ctr)), "%v %v: %d from %08x", l, k, n, ctr)
		}
	}
}

// Lengths around one kernel call of 64 KiB and several of them, with a carry in
// a later call.
func TestManyCalls(t *testing.T) {
	if nothingToCompare(t) {
		return
	}
	key := [2]uint32{3, 4}
	const call = 64 << 10
	for _, k := range Kinds() {
		for _, size := range []int{call - 16, call, call + 16, 2*call - 16, 3*call + 1040, 5*call + 112} {
			n := size / k.Size()
			for _, ctr := range [][4]uint32{{5, 6, 7, 8}, {1<<32 - (call/16 + 77), 1<<32 - 1, 7, 8}} {
				want := fillNew(Generic, k, n, key, ctr)
				for _, l := range vectorLevels(t) {
					require.True(t, bytes.Equal(want, fillNew(l, k, n, key, ctr)), "%v %v: %d from %08x", l, k, n, ctr)
				}
			}
		}
	}
}

// At G0 to G3 of key 0 stand words that conversions get wrong: all zeros, all
// ones, a word that rounds up to 2^32, and one whose top 24 bits are zero.
func TestExtremeWords(t *testing.T) {
	for _, g := range []struct {
		block uint32
		lane  int
		word  uint32
	}{
		{1498094372, 3, 0x00000000},
		{1538303059, 1, 0xffffffff},
		{11031643, 3, 0xffffffcc},
		{14883995, 0, 0x00000093},
	} {
		// The block stands in every lane of a group once.
		for before := range uint32(2 * layout.GroupBlocks) {
			ctr := [4]uint32{g.block - before}
			at := 4*int(before) + g.lane
			for _, l := range Levels() {
				var words [256]uint32
				FillLevel(l, Uint32, words[:], [2]uint32{}, ctr)
				require.Equal(t, g.word, words[at], "%v", l)

				var u [256]float32
				FillLevel(l, Float32, u[:], [2]uint32{}, ctr)
				require.Equal(t, float64(g.word&0x7fffff)*0x1p-23, float64(u[at]), "%v", l)

				FillLevel(l, OpenFloat32, u[:], [2]uint32{}, ctr)
				want := math.Min((float64(float32(g.word))+0.5)*0x1p-32, 1-0x1p-24)
				require.Equal(t, float32(want), u[at], "%v", l)
			}
		}
	}
}

func TestOneStackArrayNeverEscapes(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates; .ci/run also runs the tests without it")
	}
	for _, l := range Levels() {
		for _, k := range []Kind{Uint32, Float32, OpenFloat32} {
			assert.Zero(t, testing.AllocsPerRun(100, func() {
				var a [333]uint32
				FillLevel(l, k, a[:], [2]uint32{1, 2}, [4]uint32{})
			}), "%v %v", l, k)
		}
		for _, k := range []Kind{Uint64, Float64} {
			assert.Zero(t, testing.AllocsPerRun(100, func() {
				var a [333]uint64
				FillLevel(l, k, a[:], [2]uint32{1, 2}, [4]uint32{})
			}), "%v %v", l, k)
		}
		for _, k := range []Kind{Range32, Exponential32, Chosen32, Int32} {
			args := drawArgs(k)[1]
			assert.Zero(t, testing.AllocsPerRun(100, func() {
				var a [333]uint32
				FillArgs(l, k, a[:], [2]uint32{1, 2}, [4]uint32{}, args)
			}), "%v %v", l, k)
		}
		for _, k := range []Kind{Float16, BFloat16, Chosen16, Int16} {
			args := drawArgs(k)[1]
			assert.Zero(t, testing.AllocsPerRun(100, func() {
				var a [333]uint16
				FillArgs(l, k, a[:], [2]uint32{1, 2}, [4]uint32{}, args)
			}), "%v %v", l, k)
		}
		assert.Zero(t, testing.AllocsPerRun(100, func() {
			var a [3333]byte
			FillLevel(l, Bytes, a[:], [2]uint32{1, 2}, [4]uint32{})
		}), "%v", l)
	}
}

// Bytes may start anywhere; the other kinds only where their type may.
func TestOddAddresses(t *testing.T) {
	want := fillNew(Generic, Bytes, 4000, [2]uint32{1, 2}, [4]uint32{3})
	for _, l := range Levels() {
		for off := range 64 {
			b := make([]byte, 4000+off)
			FillLevel(l, Bytes, b[off:], [2]uint32{1, 2}, [4]uint32{3})
			require.True(t, bytes.Equal(want, b[off:]), "%v at %d", l, off)
		}
	}
}

func TestMisuse(t *testing.T) {
	assert.PanicsWithValue(t, "asm: kind = float64: does not fit elements of 4 bytes", func() {
		Fill(Float64, make([]float32, 1), [2]uint32{}, [4]uint32{})
	})
	assert.PanicsWithValue(t, "asm: kind = Kind(99): does not fit elements of 4 bytes", func() {
		Fill(Kind(99), make([]float32, 1), [2]uint32{}, [4]uint32{})
	})
	assert.PanicsWithValue(t, "asm: level = Level(9): this machine has "+Best().String()+" at the most", func() {
		FillLevel(Level(9), Float32, make([]float32, 1), [2]uint32{}, [4]uint32{})
	})
	assert.NotPanics(t, func() { Fill(Uint32, []uint32(nil), [2]uint32{}, [4]uint32{}) })
}

func TestKindGeometry(t *testing.T) {
	all := append(Kinds(), Draws()...)
	require.Equal(t, append(all, range16, rangeB16, ranged16, tabledB16), between(0, kinds))
	names := map[string]bool{}
	for _, k := range all {
		if k < Range32 {
			assert.Equal(t, layout.BlockBytes, k.BlockSize(), k)
		}
		assert.Equal(t, k.BlockSize(), k.Size()*k.PerBlock(), k)
		assert.LessOrEqual(t, k.BlockSize(), 2*layout.BlockBytes, k)
		names[k.String()] = true
		per := uint64(k.PerBlock())
		for _, i := range []uint64{0, 1, per - 1, per, 3*per + 1, 1<<32 + 5, math.MaxUint64} {
			block, lane := k.Locate(i)
			assert.Equal(t, i/per, block, k)
			assert.Equal(t, i%per, lane, k)
		}
	}
	assert.Len(t, names, len(all), "names are distinct")
	assert.Equal(t, uintptr(8), unsafe.Sizeof(uint64(0)))
}

func FuzzKernels(f *testing.F) {
	f.Add(uint64(1), uint64(2), uint64(3), uint16(1000), uint8(0), uint8(3))
	f.Add(uint64(9), uint64(1<<64-1), uint64(1<<64-9), uint16(4097), uint8(5), uint8(7))
	for k := Range32; k < range16; k++ {
		f.Add(uint64(k), uint64(5), uint64(1<<32-40), uint16(700), uint8(k), uint8(1))
	}
	f.Fuzz(func(t *testing.T, seed, hi, lo uint64, n uint16, kind, off uint8) {
		k, args := Kind(kind%uint8(range16)), Standard()
		if k >= Range32 {
			all := drawArgs(k)
			args = all[int(kind)%len(all)]
		}
		key := [2]uint32{uint32(seed), uint32(seed >> 32)}
		ctr := [4]uint32{uint32(lo), uint32(lo >> 32), uint32(hi), uint32(hi >> 32)}
		size := int(n) * k.Size()
		want := fillArgs(Generic, k, int(n), key, ctr, args)
		for _, l := range vectorLevels(t) {
			const guard = 64
			from := guard + int(off%32)*k.Size()
			b := aligned(from + size + guard)
			for i := range b {
				b[i] = 0xa5
			}
			drawRaw(l, k, unsafe.Pointer(&b[from]), int(n), key, ctr, args)
			if !bytes.Equal(want, b[from:from+size]) {
				t.Fatalf("%v %v: differs from the portable code", l, k)
			}
			for i, x := range b {
				if (i < from || i >= from+size) && x != 0xa5 {
					t.Fatalf("%v %v: wrote at %d, outside %d..%d", l, k, i, from, from+size)
				}
			}
		}
	})
}

var benchSink uint32

func BenchmarkBlock(b *testing.B) {
	var c [4]uint32
	for b.Loop() {
		c = Block([2]uint32{1, 2}, c)
	}
	benchSink = c[0]
}

func BenchmarkFill(b *testing.B) {
	for _, size := range []int{64, 128, 256, 1024, 4096, 15360} {
		for _, l := range Levels() {
			for _, k := range []Kind{Uint32, Float32, OpenFloat32, Float64} {
				b.Run(strconv.Itoa(size)+"/"+l.String()+"/"+k.String(), func(b *testing.B) {
					d := aligned(size)
					b.SetBytes(int64(size))
					for b.Loop() {
						fillRaw(l, k, unsafe.Pointer(&d[0]), size/k.Size(), [2]uint32{1, 2}, [4]uint32{3, 4})
					}
				})
			}
		}
	}
}
