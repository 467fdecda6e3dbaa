package engine

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/poly"
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/rosetta/mufu"
)

// word returns the words of element e by the definition of Layout alone, for p elements a
// block.
func (l Layout) word(p int, e uint64) (block [4]uint32, lane int) {
	lanes := uint64(p * l.Depth)
	row, in := e/(lanes*l.Threads), e%(lanes*l.Threads)
	at, k := in/lanes, in%lanes
	if l.Strided {
		at, k = in%l.Threads, in/l.Threads
	}
	b := row*uint64(l.Depth) + k/uint64(p)
	t := l.Start + at
	if t >= l.Threads {
		t -= l.Threads
		b++
	}
	lo := l.Block + b
	hi := l.Thread + t
	if l.Threads == 1 && lo < l.Block {
		hi++
	}
	key := [2]uint32{uint32(l.Key), uint32(l.Key >> 32)}
	return asm.Block(key, [4]uint32{uint32(lo), uint32(lo >> 32), uint32(hi), uint32(hi >> 32)}), int(k % uint64(p))
}

var layouts = []Layout{
	{Key: 1, Threads: 256, Depth: 1, Strided: true},
	{Key: 1 << 40, Block: math.MaxUint32, Threads: 2560, Depth: 1, Strided: true},
	{Key: 2, Block: 9, Threads: 1, Depth: 1},
	{Key: 2, Block: math.MaxUint64 - 700, Thread: math.MaxUint32, Threads: 1, Depth: 1},
	{Key: 3, Threads: 65536, Depth: 1},
	{Key: 3, Threads: 1500, Depth: 1, Start: 1499},
	{Key: 3, Threads: 1500, Depth: 2, Start: 3, Block: 1<<32 - 5, Thread: 1<<32 - 700},
	{Key: 4, Threads: 512, Depth: 2},
	{Key: 4, Threads: 512, Depth: 2, Strided: true, Start: 200},
	{Key: 5, Threads: math.MaxUint32 + 1, Depth: 1},
	{Key: 5, Threads: 7, Depth: 3, Start: 2},
}

func requirePart[T comparable](t *testing.T, l Layout, c *Convert[T], of func(b [4]uint32, lane int) T, first uint64, n int) {
	t.Helper()
	mem := make([]T, n+2)
	Fill(&l, c, mem[1:n+1], first)
	var zero T
	require.Equal(t, [2]T{zero, zero}, [2]T{mem[0], mem[n+1]}, "%+v: first = %d, n = %d: beside", l, first, n)
	for i, got := range mem[1 : n+1] {
		b, lane := l.word(c.PerBlock, first+uint64(i))
		if want := of(b, lane); got != want {
			require.Equal(t, want, got, "%+v: first = %d, n = %d, element %d", l, first, n, i)
		}
	}
}

func TestFillIsTheMap(t *testing.T) {
	for i, l := range layouts {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			for _, first := range []uint64{0, 1, 5, 255, 1023, 4 * 256, 4*2560 + 7, 65536*4 - 3, 6*1500 - 2} {
				for _, n := range []int{0, 1, 3, 8, 257, 1024, 5000} {
					requirePart(t, l, Words(), func(b [4]uint32, lane int) uint32 { return b[lane] }, first, n)
					requirePart(t, l, Wide(), func(b [4]uint32, lane int) uint64 {
						return uint64(b[2*lane])<<32 | uint64(b[2*lane+1])
					}, first, n)
				}
			}
		})
	}
}

// Goroutines take pieces of visits, none of which may write what is another's.
func TestFillIsSharedAlike(t *testing.T) {
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	for _, l := range layouts {
		for _, first := range []uint64{0, 3001} {
			want, got := make([]uint32, 70001), make([]uint32, 70001)
			runtime.GOMAXPROCS(1)
			Fill(&l, Words(), want, first)
			runtime.GOMAXPROCS(5)
			Fill(&l, Words(), got, first)
			require.True(t, assert.ObjectsAreEqual(want, got), "%+v: first = %d", l, first)
		}
	}
}

func TestThenAndIn(t *testing.T) {
	l := layouts[0]
	double := Then(Words(), func(dst []uint64, src []uint32) {
		for i, x := range src {
			dst[i] = 2 * uint64(x)
		}
	})
	requirePart(t, l, double, func(b [4]uint32, lane int) uint64 { return 2 * uint64(b[lane]) }, 1, 3000)
	odd := In(Words(), func(x []uint32) {
		for i := range x {
			x[i] |= 1
		}
	})
	requirePart(t, l, odd, func(b [4]uint32, lane int) uint32 { return b[lane] | 1 }, 1, 3000)
}

// What conversions make of the words is package mufu's; here it is that each word goes where
// it belongs.
func TestConversions(t *testing.T) {
	l := layouts[6]
	requirePart(t, l, Open32(), func(b [4]uint32, lane int) float32 { return mufu.Uniform(b[lane]) }, 5, 3000)
	requirePart(t, l, Between32(5, -2, 3), func(b [4]uint32, lane int) float32 {
		if v := poly.FMA32(mufu.Uniform(b[lane]), 5, -2); v != 3 {
			return v
		}
		return -2
	}, 5, 3000)
	requirePart(t, l, Open64(), func(b [4]uint32, lane int) float64 { return mufu.UniformDouble(b[2*lane], b[2*lane+1]) }, 5, 3000)
	requirePart(t, l, Normal32(), func(b [4]uint32, lane int) float32 {
		sin, cos := mufu.Normal(b[lane&^1], b[lane|1])
		if lane%2 == 0 {
			return sin
		}
		return cos
	}, 5, 3000)
	requirePart(t, l, Normal64(), func(b [4]uint32, lane int) float64 {
		sin, cos := mufu.NormalDouble(b[0], b[1], b[2], b[3])
		if lane == 0 {
			return sin
		}
		return cos
	}, 5, 3000)
}
