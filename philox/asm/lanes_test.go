package asm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/poly"
	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/skip"
)

// wantLanes makes n blocks one by one.
func wantLanes(n int, key [2]uint32, ctr [4]uint32) (want [4][]uint32) {
	for range n {
		for k, w := range Block(key, ctr) {
			want[k] = append(want[k], w)
		}
		if ctr[2]++; ctr[2] == 0 {
			ctr[3]++
		}
	}
	return want
}

// laneCarries returns counters that are back blocks before the carry out of word 2, and
// out of words 2 and 3, which is lost.
func laneCarries(back uint32) [][4]uint32 {
	const ones = 1<<32 - 1
	return [][4]uint32{{7, 8, -back, 9}, {ones, ones, -back, ones}}
}

// A laneFill is a fill of lanes, and what it makes of a word.
type laneFill struct {
	Level
	fill func(dst [4][]uint32, key [2]uint32, ctr [4]uint32)
	of   func(word uint32) uint32
}

// Bounds of which one word in four thousand or so makes the upper one.
const laneSpan, laneFrom, laneTo = 0x1.8p-12, 1.0, 1 + 0x1p-13

// laneFills returns the fills that have kernels, and the portable one.
func laneFills() (fills []laneFill) {
	for _, l := range Levels() {
		fills = append(fills, laneFill{l, func(dst [4][]uint32, key [2]uint32, ctr [4]uint32) {
			FillLanes(l, dst, key, ctr)
		}, func(w uint32) uint32 { return w }})
	}
	if Best() != AVX512 {
		return fills
	}
	return append(fills, laneFill{AVX512, func(dst [4][]uint32, key [2]uint32, ctr [4]uint32) {
		var out [4][]float32
		for k, d := range dst {
			out[k] = view.Of[float32](d)
		}
		hi, lo := skip.Counter(ctr).Uint64s()
		UniformLanes(AVX512, &out, join(key[0], key[1]), hi, lo, laneSpan, laneFrom, laneTo)
	}, func(w uint32) uint32 {
		u := poly.FMA32(float32(w), 0x1p-32, 0x1p-33)
		v := poly.FMA32(u, laneSpan, laneFrom)
		if v == laneTo {
			v = laneFrom
		}
		return math.Float32bits(v)
	}})
}

// want is what the fill makes of words.
func (f laneFill) want(words [4][]uint32) (want [4][]uint32) {
	for k, ws := range words {
		for _, w := range ws {
			want[k] = append(want[k], f.of(w))
		}
	}
	return want
}

func newLanes(n int) (dst [4][]uint32) {
	for k := range dst {
		dst[k] = make([]uint32, n)
	}
	return dst
}

func TestLanesOfEveryLength(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	vectorLevels(t)
	for n := range 201 {
		key, ctr := counters(r)
		words := wantLanes(n, key, ctr)
		for _, l := range laneFills() {
			want, dst := l.want(words), newLanes(n)
			l.fill(dst, key, ctr)
			for k := range dst {
				require.Equal(t, len(want[k]), len(dst[k]))
				for j := range dst[k] {
					require.Equal(t, want[k][j], dst[k][j], "%v: word %d of block %d of %d from %08x", l, k, j, n, ctr)
				}
			}
		}
	}
}

func TestLanesCarryAtEveryLane(t *testing.T) {
	const blocks = 200
	key := [2]uint32{0x12345678, 0x9abcdef0}
	for back := range uint32(blocks + 2) {
		for _, ctr := range laneCarries(back) {
			want := wantLanes(blocks, key, ctr)
			for _, l := range laneFills() {
				dst := newLanes(blocks)
				l.fill(dst, key, ctr)
				require.Equal(t, l.want(want), dst, "%v from %08x", l, ctr)
			}
		}
	}
}

// Lengths around one kernel call and several of them, with a carry in a later call.
func TestLanesOfManyCalls(t *testing.T) {
	key := [2]uint32{3, 4}
	const call = 64 << 10 / 16
	for _, n := range []int{call - 1, call, call + 1, call + 16, 2*call - 1, 3*call + 65, 5*call + 7} {
		for _, ctr := range [][4]uint32{{5, 6, 7, 8}, {5, 6, 1<<32 - (call + 77), 1<<32 - 1}} {
			want := wantLanes(n, key, ctr)
			for _, l := range laneFills() {
				dst := newLanes(n)
				l.fill(dst, key, ctr)
				require.Equal(t, l.want(want), dst, "%v: %d from %08x", l, n, ctr)
			}
		}
	}
}

// The four slices are anywhere and in any order, and nothing beside them is written.
func TestLanesStayInTheirMemory(t *testing.T) {
	const (
		most   = 70
		canary = 0xa5a5a5a5
	)
	r := rand.New(rand.NewPCG(5, 6))
	for n := range most + 1 {
		key, ctr := counters(r)
		words := wantLanes(n, key, ctr)
		for _, l := range laneFills() {
			want := l.want(words)
			for range 16 {
				mem := make([]uint32, 4*(most+40))
				for i := range mem {
					mem[i] = canary
				}
				var dst [4][]uint32
				for place, k := range r.Perm(4) {
					from := place*(most+40) + 16 + r.IntN(16)
					dst[k] = mem[from : from+n]
				}
				l.fill(dst, key, ctr)
				for k, d := range dst {
					require.True(t, n == 0 || assert.ObjectsAreEqual(want[k], d), "%v: word %d of %d", l, k, n)
					for i := range d {
						d[i] = canary
					}
				}
				for i, w := range mem {
					require.Equal(t, uint32(canary), w, "%v: %d blocks, wrote at %d", l, n, i)
				}
			}
		}
	}
}

func TestLanesAllocateNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates; .ci/run also runs the tests without it")
	}
	for _, l := range Levels() {
		assert.Zero(t, testing.AllocsPerRun(100, func() {
			var a [4][333]uint32
			FillLanes(l, [4][]uint32{a[0][:], a[1][:], a[2][:], a[3][:]}, [2]uint32{1, 2}, [4]uint32{})
			if l == AVX512 {
				var f [4][333]float32
				UniformLanes(l, &[4][]float32{f[0][:], f[1][:], f[2][:], f[3][:]}, 1, 2, 3, 1, 0, 1)
			}
		}), "%v", l)
	}
}

func TestLanesByTheActiveLevel(t *testing.T) {
	want := wantLanes(100, [2]uint32{1, 2}, [4]uint32{3, 4, 5, 6})
	dst := newLanes(100)
	Lanes(&dst, 2<<32|1, 6<<32|5, 4<<32|3)
	assert.Equal(t, want, dst)
}

func TestLanesMisuse(t *testing.T) {
	dst := newLanes(8)
	dst[2] = dst[2][:7]
	assert.PanicsWithValue(t, "asm: dst[2] = 7 elements: must be as many as in dst[0], 8", func() {
		FillLanes(Generic, dst, [2]uint32{}, [4]uint32{})
	})
	assert.PanicsWithValue(t, "asm: level = Level(9): this machine has "+Best().String()+" at the most", func() {
		FillLanes(Level(9), newLanes(1), [2]uint32{}, [4]uint32{})
	})
	assert.NotPanics(t, func() { FillLanes(Generic, [4][]uint32{}, [2]uint32{}, [4]uint32{}) })
	for _, l := range Levels() {
		if l != AVX512 {
			assert.PanicsWithValue(t, "asm: UniformLanes has no kernel of level "+l.String(), func() {
				UniformLanes(l, &[4][]float32{}, 0, 0, 0, 1, 0, 1)
			})
			continue
		}
		assert.NotPanics(t, func() { UniformLanes(l, &[4][]float32{}, 0, 0, 0, 1, 0, 1) })
		assert.PanicsWithValue(t, "asm: dst[3] = 0 elements: must be as many as in dst[0], 1", func() {
			UniformLanes(l, &[4][]float32{{1}, {1}, {1}, {}}, 0, 0, 0, 1, 0, 1)
		})
	}
}

func BenchmarkLanes(b *testing.B) {
	for _, n := range []int{64, 480} {
		for _, l := range Levels() {
			b.Run(fmt.Sprintf("%d/%v", 16*n, l), func(b *testing.B) {
				dst := newLanes(n)
				b.SetBytes(int64(16 * n))
				for b.Loop() {
					FillLanes(l, dst, [2]uint32{1, 2}, [4]uint32{3, 4})
				}
			})
		}
	}
}
