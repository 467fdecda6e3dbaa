package asm

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// drawArgs are arguments of each kind that takes them: those that leave numbers as they
// are, and others; for integers few and many rejections, powers of two and all values.
func drawArgs(k Kind) []Args {
	switch k {
	case Range32:
		return []Args{{A: 0, B: 1}, {A: -3, B: float64(float32(5.1))}, {A: -1e-45, B: 1e-45}}
	case Range64:
		return []Args{{A: 0, B: 1}, {A: -3, B: 5.1}, {A: -5e-324, B: 5e-324}}
	case Float16:
		return []Args{{A: 0, B: 1}, {A: -3, B: 5}, {A: -65504, B: 65504}, {A: -0x3p-24, B: 0x2p-24}, {A: -0x3p-24, B: 0x1p-24}, {A: 1, B: float64(F16.Above(1))}}
	case BFloat16:
		return []Args{{A: 0, B: 1}, {A: -3, B: 5}, {A: -0x1p126, B: 0x1p126}, {A: 0, B: 0x3p-133}, {A: -0x3p-133, B: 0x1p-133}}
	case Exponential32:
		return []Args{
			Rate(1, 0x1p-149, math.MaxFloat32), Rate(float64(float32(0.3)), 0x1p-149, math.MaxFloat32),
			Rate(math.MaxFloat32, 0x1p-149, math.MaxFloat32), Rate(0x1p-149, 0x1p-149, math.MaxFloat32),
			Rate(1, 0.5, 2),
		}
	case Exponential64:
		return []Args{
			Rate(1, 0x1p-1074, math.MaxFloat64), Rate(0.3, 0x1p-1074, math.MaxFloat64),
			Rate(math.MaxFloat64, 0x1p-1074, math.MaxFloat64), Rate(0x1p-1074, 0x1p-1074, math.MaxFloat64),
		}
	case Chosen8, Chosen16, Chosen32, Chosen64:
		return []Args{
			Choice(0, 1), Choice(1, 1), Choice(1<<30, 0x3ff0_0000_3f80_3c01), Choice(1<<31, math.MaxUint64),
			Choice(3<<30, 1), Choice(1<<32-1, 1), Choice(1<<32, 1),
		}
	case Int8, Int16, Int32, Int64:
		return []Args{
			Integers(0, 1), Integers(1<<64-5, 6), Integers(7, 100), Integers(1<<63+1, 1<<31+1), Integers(9, 3<<30),
			Integers(1<<32-9, 1<<32-1), Integers(1<<31, 1<<31), Integers(1<<64-1<<31, 1<<32), Integers(0, 1<<32),
		}
	case Wide64:
		return []Args{
			Integers(3, 1<<32+1), Integers(1<<64-5, 1<<40), Integers(0, 3<<62), Integers(1, 1<<63+1), Integers(1<<63, 1<<64-1),
			Integers(0, 0), Integers(1<<63, 0),
		}
	}
	panic(k)
}

// drawRaw fills the n elements at p as FillArgs would fill a slice.
func drawRaw(l Level, k Kind, p unsafe.Pointer, n int, key [2]uint32, ctr [4]uint32, args Args) {
	switch k.Size() {
	case 1:
		FillArgs(l, k, unsafe.Slice((*uint8)(p), n), key, ctr, args)
	case 2:
		FillArgs(l, k, unsafe.Slice((*uint16)(p), n), key, ctr, args)
	case 4:
		FillArgs(l, k, unsafe.Slice((*uint32)(p), n), key, ctr, args)
	case 8:
		FillArgs(l, k, unsafe.Slice((*uint64)(p), n), key, ctr, args)
	}
}

// eachDraw runs a test for each kind and each of its arguments.
func eachDraw(t *testing.T, test func(t *testing.T, k Kind, args Args)) {
	if nothingToCompare(t) {
		return
	}
	for _, k := range Draws() {
		for _, args := range drawArgs(k) {
			t.Run(fmt.Sprint(k, args), func(t *testing.T) { test(t, k, args) })
		}
	}
}

// sparing is the step through cases: n where each takes long.
func sparing(n int) int {
	if testing.Short() || raceEnabled {
		return n
	}
	return 1
}

// Every length up to more than one pass of the longest main loop, at every alignment
// that the type may have, with canaries on both sides.
func TestDrawsOfEveryLength(t *testing.T) {
	const guard = 64
	key, ctr := [2]uint32{11, 12}, [4]uint32{1, 2, 3, 4}
	eachDraw(t, func(t *testing.T, k Kind, args Args) {
		const blocks = 100
		want := fillArgs(Generic, k, blocks*k.PerBlock(), key, ctr, args)
		for _, l := range vectorLevels(t) {
			for n := 0; n < blocks*k.PerBlock(); n += sparing(7) {
				from := guard + n%(64/k.Size())*k.Size()
				b := aligned(from + n*k.Size() + guard)
				for i := range b {
					b[i] = 0xa5
				}
				drawRaw(l, k, unsafe.Pointer(&b[from]), n, key, ctr, args)
				require.True(t, bytes.Equal(want[:n*k.Size()], b[from:from+n*k.Size()]), "%v: %d", l, n)
				for i, x := range b {
					if (i < from || i >= from+n*k.Size()) && x != 0xa5 {
						t.Fatalf("%v: %d: wrote at %d, outside %d..%d", l, n, i, from, from+n*k.Size())
					}
				}
			}
		}
	})
}

// Every distance between start and carry, of all words of the counter.
func TestDrawsCarry(t *testing.T) {
	const blocks = 60
	key := [2]uint32{0x12345678, 0x9abcdef0}
	eachDraw(t, func(t *testing.T, k Kind, args Args) {
		n := blocks * k.PerBlock()
		for back := uint32(0); back < blocks+2; back += uint32(sparing(5)) {
			for _, ctr := range carries(back) {
				want := fillArgs(Generic, k, n, key, ctr, args)
				for _, l := range vectorLevels(t) {
					require.True(t, bytes.Equal(want, fillArgs(l, k, n, key, ctr, args)), "%v from %08x", l, ctr)
				}
			}
		}
	})
}

// Lengths around one kernel call and several of them, with a carry in a later one.
func TestDrawsOfManyCalls(t *testing.T) {
	key := [2]uint32{3, 4}
	eachDraw(t, func(t *testing.T, k Kind, args Args) {
		for i, blocks := range []int{961, 960, 4095, 4096, 8200} {
			if i%sparing(3) != 0 {
				continue
			}
			n := blocks*k.PerBlock() - 1
			for _, ctr := range [][4]uint32{{5, 6, 7, 8}, {1<<32 - 3077, 1<<32 - 1, 7, 8}} {
				want := fillArgs(Generic, k, n, key, ctr, args)
				for _, l := range vectorLevels(t) {
					require.True(t, bytes.Equal(want, fillArgs(l, k, n, key, ctr, args)), "%v: %d from %08x", l, n, ctr)
				}
			}
		}
	})
}

func TestBits(t *testing.T) {
	key := [2]uint32{5, 6}
	r := rand.New(rand.NewPCG(1, 2))
	for _, threshold := range []uint64{0, 1, 1 << 29, 1 << 31, 1<<32 - 1, 1 << 32} {
		for _, flip := range []bool{false, true} {
			for range 60 {
				n := 4 * r.IntN(600)
				ctr := [4]uint32{-uint32(r.IntN(3*n/4*2 + 9)), 1<<32 - 1, uint32(r.IntN(2)) - 1, 0}
				hi, lo := uint64(ctr[3])<<32|uint64(ctr[2]), uint64(ctr[1])<<32|uint64(ctr[0])
				words := make([]uint32, 8*n)
				FillLevel(Generic, Uint32, words, key, ctr)
				want := make([]byte, n)
				for i, w := range words {
					if (uint64(w) < threshold) != flip {
						want[i/8] |= 1 << (i % 8)
					}
				}
				for _, l := range Levels() {
					got := bytes.Repeat([]byte{0xa5}, n+16)
					FillBits(l, unsafe.Pointer(&got[8]), n, join(key[0], key[1]), hi, lo, threshold, flip)
					require.True(t, bytes.Equal(want, got[8:8+n]), "%v: %d bytes below %d from %08x", l, n, threshold, ctr)
					require.Equal(t, bytes.Repeat([]byte{0xa5}, 8), got[:8])
					require.Equal(t, bytes.Repeat([]byte{0xa5}, 8), got[8+n:])
				}
			}
		}
	}
}

// Every length about whole groups, at every alignment, in place and not; what is dropped
// is 0 even where it was no number.
func TestDrop(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const longest = 300
	source := make([]float64, longest+8)
	for i := range source {
		source[i] = r.NormFloat64()
		if r.IntN(9) == 0 {
			source[i] = []float64{0, math.Copysign(0, -1), inf, -inf, math.SmallestNonzeroFloat32}[r.IntN(5)]
		}
	}
	for n := 0; n <= longest; n++ {
		mask := make([]byte, (n+7)/8)
		for i := range mask {
			mask[i] = byte(r.Uint32())
		}
		from := n % 8
		for _, l := range Levels() {
			src32, src64 := make([]float32, longest+8), append([]float64(nil), source...)
			for i, x := range source {
				src32[i] = float32(x)
			}
			for i := range n {
				if mask[i/8]>>(i%8)&1 == 0 && i%5 == 0 {
					src32[from+i], src64[from+i] = float32(math.NaN()), math.NaN()
				}
			}
			dst32, dst64 := make([]float32, longest+8), make([]float64, longest+8)
			if n%2 == 0 { // in place
				dst32, dst64 = append([]float32(nil), src32...), append([]float64(nil), src64...)
				Drop32(l, dst32[from:from+n], mask, dst32[from:from+n], 1.25)
				Drop64(l, dst64[from:from+n], mask, dst64[from:from+n], 1.25)
				require.Equal(t, source[from+n:], dst64[from+n:])
			} else {
				Drop32(l, dst32[from:from+n], mask, src32[from:from+n], 1.25)
				Drop64(l, dst64[from:from+n], mask, src64[from:from+n], 1.25)
				require.Equal(t, make([]float64, 8+longest-from-n), dst64[from+n:])
			}
			for i := range n {
				var want32 float32
				var want64 float64
				if mask[i/8]>>(i%8)&1 == 1 {
					want32, want64 = src32[from+i]*1.25, src64[from+i]*1.25
				}
				if math.Float32bits(want32) != math.Float32bits(dst32[from+i]) || math.Float64bits(want64) != math.Float64bits(dst64[from+i]) {
					t.Fatalf("%v: element %d of %d is %v and %v, must be %v and %v", l, i, n, dst32[from+i], dst64[from+i], want32, want64)
				}
			}
		}
	}
}
