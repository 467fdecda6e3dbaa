package fill

import (
	"bytes"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/layout"
	"github.com/philox-go/rng/internal/stack"
	"github.com/philox-go/rng/internal/started"
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/skip"
)

// What a fill's numbers are is tested where they are made, in philox and asm. Here
// it is that every element comes from its block, whatever the kind.

var args = asm.Args{Mean: 3, Std: 2, A: -1, B: 5}

const (
	key    = 0x0123456789abcdef
	canary = 0xa5
)

// want returns elements first, first+1, ... of a kind, made one block at a time.
func want(k asm.Kind, n int, first uint64, start skip.Counter) []byte {
	block, lane := k.Locate(first)
	blocks := (int(lane)+n)/k.PerBlock() + 1
	all := make([]byte, blocks*layout.BlockBytes)
	for i := range blocks {
		hi, lo := start.Skip(block).Skip(uint64(i)).Uint64s()
		asm.FillPointer(k, unsafe.Pointer(&all[i*layout.BlockBytes]), k.PerBlock(), key, hi, lo, args)
	}
	return all[int(lane)*k.Size():][:n*k.Size()]
}

// requireFill compares a fill, and what is beside it, with want.
func requireFill(t *testing.T, want []byte, k asm.Kind, n int, first uint64, start skip.Counter, limit int) {
	t.Helper()
	const beside = 64
	mem := slices.Repeat([]byte{canary}, beside+n*k.Size()+beside)
	quiet := bytes.Clone(mem[:beside])
	hi, lo := start.Uint64s()
	Fill(k, unsafe.Pointer(&mem[beside]), n, first, key, hi, lo, limit, args)
	// Apart, since printing megabytes takes long.
	require.True(t, bytes.Equal(want, mem[beside:len(mem)-beside]), "%v: n = %d, first = %d, limit %d: differs", k, n, first, limit)
	require.Equal(t, quiet, mem[:beside], "%v: n = %d, first = %d, limit %d: before", k, n, first, limit)
	require.Equal(t, quiet, mem[len(mem)-beside:], "%v: n = %d, first = %d, limit %d: after", k, n, first, limit)
}

// The counter carries after a few blocks, or first is so large that it does.
func TestEveryPlaceInABlock(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 7
	}
	for _, k := range asm.Kinds() {
		for _, start := range []skip.Counter{{}, {1<<32 - 3, 1<<32 - 1, 1<<32 - 1, 7}, {1<<32 - 1, 1<<32 - 1, 1<<32 - 1, 1<<32 - 1}} {
			for _, at := range []uint64{0, 1 << 33, ^uint64(0) - 63} {
				for first := at; first < at+34; first++ {
					for n := 0; n < 40; n += step {
						requireFill(t, want(k, n, first, start), k, n, first, start, 0)
					}
				}
			}
		}
	}
}

func setProcs(t *testing.T, n int) {
	before := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// setThreshold makes fills of a kind parallel from another size on, as slowdown
// would.
func setThreshold(t *testing.T, k asm.Kind, bytes int) {
	before := thresholds[k]
	thresholds[k] = bytes
	t.Cleanup(func() { thresholds[k] = before })
}

// Lengths around the size from which fills are shared, the least one included, at
// which pieces are of one unit. The counter carries out of three words on the way.
func TestSharedFills(t *testing.T) {
	setProcs(t, 5)
	limits := []int{0, 1, 2, 3}
	if testing.Short() {
		limits = []int{0, 3}
	}
	start := skip.Counter{1<<32 - 3000, 1<<32 - 1, 1<<32 - 1, 7}
	for _, k := range asm.Kinds() {
		for _, bytes := range []int{thresholds[k], maxPieceShare * unitBytes} {
			setThreshold(t, k, bytes)
			const first = 1
			edge := bytes/k.Size() + k.PerBlock() - first
			all := want(k, 3*edge+1, first, start)
			for _, n := range []int{edge - 1, edge, edge + 1, 2*edge - 1, 3*edge + 1} {
				for _, limit := range limits {
					requireFill(t, all[:n*k.Size()], k, n, first, start, limit)
				}
			}
		}
	}
}

// Each kind has a size of its own from which it is shared.
func TestThresholdOfAKind(t *testing.T) {
	setProcs(t, 3)
	if runtime.GOMAXPROCS(0) != 3 {
		t.Skip("this system has one processor; .ci/run also runs this test where it has more")
	}
	runtime.GC() // the collector starts its workers once
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	slow := asm.Float64
	setThreshold(t, slow, maxPieceShare*unitBytes)
	for _, k := range asm.Kinds() {
		mem := make([]byte, Threshold(k))
		for _, tt := range []struct {
			bytes  int
			others uint64
		}{{maxPieceShare*unitBytes - k.Size(), 0}, {Threshold(k) - k.Size(), 0}, {Threshold(k), 2}} {
			if !stack.Known {
				tt.others = 0
			}
			before := started.Goroutines(t)
			Fill(k, unsafe.Pointer(&mem[0]), tt.bytes/k.Size(), 0, key, 0, 0, 0, args)
			assert.Equal(t, tt.others, started.Goroutines(t)-before, "%v: %d bytes", k, tt.bytes)
		}
	}
}

// Numbers that are made one at a time are shared from the least size on, and are the
// same.
func TestThresholdOfOneAtATime(t *testing.T) {
	setProcs(t, 3)
	if runtime.GOMAXPROCS(0) != 3 {
		t.Skip("this system has one processor; .ci/run also runs this test where it has more")
	}
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, k := range []asm.Kind{asm.Truncated32, asm.Truncated64} {
		tail := asm.Args{Std: 1, A: 10, B: 11}
		require.True(t, asm.OneAtATime(k, tail))
		require.False(t, asm.OneAtATime(k, asm.Standard()))
		mem := map[int][]byte{}
		for _, limit := range []int{0, 1} {
			mem[limit] = make([]byte, leastThreshold)
			want := uint64(0)
			if limit == 0 && stack.Known {
				want = 2
			}
			before := started.Goroutines(t)
			Fill(k, unsafe.Pointer(&mem[limit][0]), leastThreshold/k.Size(), 0, key, 0, 0, limit, tail)
			assert.Equal(t, want, started.Goroutines(t)-before, "%v", k)
		}
		assert.Equal(t, mem[1], mem[0])
	}
	require.False(t, asm.OneAtATime(asm.Normal32, asm.Args{Std: 1, A: 10, B: 11}))
}

// However slow a kind is, its pieces are of a unit at the least, and a fill that is
// shared has several.
func TestThresholds(t *testing.T) {
	for _, k := range asm.Kinds() {
		assert.GreaterOrEqual(t, Threshold(k), maxPieceShare*SmallestPiece(k), "%v", k)
		assert.GreaterOrEqual(t, SmallestPiece(k), unitBytes, "%v", k)
		assert.GreaterOrEqual(t, Threshold(k), parallelBytes/max(slowdown[k], 1), "%v", k)
	}
	for k := range slowdown {
		assert.Contains(t, append(asm.Kinds(), asm.Draws()...), k, "a slowdown of no kind")
	}
}

// sink keeps the compiler from dropping what is filled.
var sink byte

// The array is on the stack: it must not escape, and nothing else be allocated.
func TestFillDoesNotAllocate(t *testing.T) {
	for _, k := range asm.Kinds() {
		assert.Zero(t, testing.AllocsPerRun(100, func() {
			var x [500]uint64 // of bytes, it might lie where no float may
			Fill(k, unsafe.Pointer(&x), int(unsafe.Sizeof(x))/k.Size()-k.PerBlock(), 1, key, 0, 0, 0, args)
			sink += byte(x[100])
		}), "%v", k)
	}
}
