package philox_test

import (
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/check"
	"github.com/philox-go/rng/internal/started"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

// The self-check's large fills are shared in this package's eyes too, by enough
// pieces for several goroutines.
func TestSelfCheckSharesFills(t *testing.T) {
	for _, k := range asm.Kinds() {
		assert.GreaterOrEqual(t, check.SharedSize(k), 2*philox.ParallelBytes(k), "%v", k)
	}
}

// Lengths on both sides of where fills become parallel, and larger ones that no
// number of pieces divides, with every limit and number of processors, at several
// alignments. The counter carries out of words 0, 1 and 2 in the middle.
func TestParallelEqualsReference(t *testing.T) {
	limits, procs := []int{0, 1, 2, 3, 7}, []int{1, 2, 7, 64}
	if testing.Short() {
		limits, procs = []int{0, 3}, []int{7}
	}
	eachKind(t, func(t *testing.T, k kind) {
		const first = 1
		head := k.perBlock - first // the rest of the first block, before what is shared out
		edge := k.shared / k.size
		lengths := []int{edge, head + edge - 1, head + edge, head + edge + 1, head + 3*edge + 4099, 17*k.piece/k.size - 1}
		s := philox.NewAt(philox.NewKey(0xfedcba9876543210), philox.Counter{ones32 - 9000, ones32, ones32, 7})
		want := k.want(s, first, slices.Max(lengths))
		b := memory(len(want)+64, 0)
		for _, p := range procs {
			setProcs(t, p)
			for _, limit := range limits {
				for i, n := range lengths {
					// One of the alignments, another one each time.
					lead := (i + limit + p) * k.size % 64
					got := b.mem[lead : lead+n*k.size]
					clear(b.mem)
					k.fillAt(s.WithMaxGoroutines(limit), got, first)
					equalMemory(t, want[:n*k.size], got, k.size, "n = %d, GOMAXPROCS = %d, limit %d", n, p, limit)
					require.Zero(t, nonZero(b.mem[:lead])+nonZero(b.mem[lead+n*k.size:]), "n = %d, GOMAXPROCS = %d, limit %d: wrote outside", n, p, limit)
				}
			}
		}
		b.check(t)
	})
}

func nonZero(b []byte) (n int) {
	for _, x := range b {
		if x != 0 {
			n++
		}
	}
	return n
}

// The carry stands at many places of the pieces, also at their ends.
func TestParallelCarries(t *testing.T) {
	setProcs(t, 4)
	k := kinds[0]
	n := k.shared / k.size
	for _, lead := range []uint32{0, 1, 255, 256, 257, 4095, 4096, 4097, 8192, 12288, 16383} {
		s := philox.NewAt(philox.Key{5, 6}, philox.Counter{ones32 - lead, ones32, ones32, ones32})
		equalMemory(t, k.want(s, 0, n), k.get(t, s, 0, n), k.size, "%d blocks before the last counter", lead)
	}
}

// Large fills at once share the pool of jobs.
func TestParallelFillsAtOnce(t *testing.T) {
	setProcs(t, 4)
	k := kinds[0]
	n := k.shared / k.size
	const fills = 8
	want := k.want(philox.New(20), 0, n+fills)
	done := make(chan []byte)
	for i := range fills {
		go func() {
			b := memory(n*k.size, 4)
			for range 20 {
				clear(b.mem)
				k.fillAt(philox.New(20), b.mem, uint64(i))
			}
			done <- b.mem
		}()
	}
	for range fills {
		got := <-done
		i := 0
		for i < fills-1 && string(got[:16]) != string(want[i*k.size:i*k.size+16]) {
			i++
		}
		equalMemory(t, want[i*k.size:][:n*k.size], got, k.size, "one of %d fills", fills)
	}
}

// A limit counts the calling goroutine, and short fills stay in it.
// So do all fills of a build that cannot tell where the stack is.
func TestGoroutinesOfAFill(t *testing.T) {
	setProcs(t, 7)
	if runtime.GOMAXPROCS(0) != 7 {
		t.Skip("this system has one processor; .ci/run also runs this test where it has more")
	}
	runtime.GC() // the collector starts its workers once
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	eachKind(t, func(t *testing.T, k kind) {
		large := memory(4*k.shared, 0).mem
		short := large[:k.shared-k.size]
		threshold := large[:k.shared]
		for _, tt := range []struct {
			dst    []byte
			limit  int
			others uint64
		}{
			{large, 0, 6}, {large, 1, 0}, {large, 2, 1}, {large, 3, 2}, {large, 7, 6}, {large, 100, 6},
			{threshold, 3, 2}, {short, 0, 0}, {short, 3, 0},
		} {
			before := started.Goroutines(t)
			k.fill(philox.New(1).WithMaxGoroutines(tt.limit), tt.dst)
			if !philox.SharesFills {
				tt.others = 0
			}
			assert.Equal(t, tt.others, started.Goroutines(t)-before, "%d bytes, limit %d", len(tt.dst), tt.limit)
		}
		runtime.GOMAXPROCS(1)
		before := started.Goroutines(t)
		k.fill(philox.New(1), large)
		assert.Zero(t, started.Goroutines(t)-before, "GOMAXPROCS = 1")
		runtime.GOMAXPROCS(7)
	})
}

// Arrays that are a function's results or parameters are on the stack at any size,
// and a stack moves when it grows, so other goroutines may not write to them. This
// stack is nearly full, so that at some of the depths it grows inside the fill.
func TestLargeArraysOnTheStack(t *testing.T) {
	setProcs(t, 2)
	want := string(kinds[2].want(philox.New(21), 0, stackArray))
	require.Less(t, kinds[2].shared, stackArray)
	times, depths := 3, 100
	if testing.Short() {
		times, depths = 1, 30
	}
	for range times {
		for depth := range depths {
			done := make(chan bool)
			go func() { done <- filledBelow(depth, want) }()
			require.True(t, <-done, "depth %d", depth)
		}
	}
}

const stackArray = 4<<20 - 40<<10 // stacks are powers of two

// filledBelow fills an array on the stack, that many frames down.
//
//go:noinline
func filledBelow(depth int, want string) bool {
	var frame [256]byte
	frame[depth] = 1
	if depth > 0 {
		return filledBelow(depth-1, want) && frame[depth] == 1
	}
	return isFilled(want)
}

// isFilled is apart because the array lies in its frame.
//
//go:noinline
func isFilled(want string) bool {
	got := filledArray()
	return string(got[:]) == want
}

//go:noinline
func filledArray() (x [stackArray]byte) {
	philox.New(21).FillBytes(x[:])
	return x
}
