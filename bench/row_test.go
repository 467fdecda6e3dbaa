package bench

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/normal"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const canary = 0xA5

// filled calls f with n bytes between others that nobody may write.
func filled(t *testing.T, f Filler, n, times int) []byte {
	t.Helper()
	return filledOver(t, canary, f, n, times)
}

// filledOver does so where canary was in memory before.
func filledOver(t *testing.T, canary byte, f Filler, n, times int) []byte {
	t.Helper()
	const around = 256
	all := Memory(n + 2*around)
	for i := range all {
		all[i] = canary
	}
	f(all[around:around+n], times)
	for _, side := range [][]byte{all[:around], all[around+n:]} {
		require.Equal(t, around, bytes.Count(side, []byte{canary}), "wrote outside")
	}
	return all[around : around+n]
}

// fillers calls f for what every row runs, each in a new list of rows.
func fillers(t *testing.T, f func(t *testing.T, r Row, run func() Filler)) {
	for i, r := range Rows() {
		t.Run(r.Name, func(t *testing.T) { f(t, r, func() Filler { return Rows()[i].Run }) })
		if r.All != nil {
			t.Run(r.Name+", all", func(t *testing.T) { f(t, r, func() Filler { return Rows()[i].All }) })
		}
	}
}

// Something that writes too little would look fast.
func TestRowsFillEverything(t *testing.T) {
	sizes := []int{64, 4 << 10, CacheSize, 256 << 10, 3<<20 + 64}
	if testing.Short() {
		sizes = []int{64, CacheSize, 256 << 10}
	}
	fillers(t, func(t *testing.T, r Row, run func() Filler) {
		for _, n := range sizes {
			part := n / 64 * cmp.Or(r.Part, 64)
			mem := filled(t, run(), n, 1)[:part]
			seen := map[string]int{}
			for at := 0; at+64 <= part && !r.Few; at += 64 {
				part := string(mem[at : at+64])
				before, twice := seen[part]
				require.False(t, twice, "%d bytes: the same at %d and %d", n, before, at)
				seen[part] = at
			}
			require.True(t, bytes.Equal(mem, filledOver(t, canary^0xff, run(), n, 1)[:part]), "%d bytes: not all written", n)
		}
	})
}

// A generator with a state must be where as many calls bring it.
func TestRowsMakeEveryCall(t *testing.T) {
	const n = 4 << 10
	fillers(t, func(t *testing.T, r Row, run func() Filler) {
		f := run()
		for range 4 {
			filled(t, f, n, 1)
		}
		assert.Equal(t, filled(t, f, n, 1), filled(t, run(), n, 5))
	})
	t.Run("none", func(t *testing.T) {
		fillers(t, func(t *testing.T, r Row, run func() Filler) {
			assert.Equal(t, n, bytes.Count(filled(t, run(), n, 0), []byte{canary}))
		})
	})
}

// One without a state must take as long as many calls do.
func TestRowsTakeTimeForEveryCall(t *testing.T) {
	if testing.Short() {
		t.Skip("takes time; .ci/run also runs the tests without -short")
	}
	const times = 32
	mem := Memory(32 << 10)
	fillers(t, func(t *testing.T, r Row, run func() Filler) {
		f := run()
		fastest := func(times int) time.Duration {
			best := time.Duration(1<<63 - 1)
			for range 10 {
				from := time.Now()
				f(mem, times)
				best = min(best, time.Since(from))
			}
			return best
		}
		assert.Greater(t, fastest(times), times/2*fastest(1))
	})
}

// What is timed as one core's must be.
func TestRunStaysInTheCallingGoroutine(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0)))) // some more could start
	size := 6 << 20                                                             // fills of a stream share so much, and 3 MiB too
	if testing.Short() {
		size = 3 << 20
	}
	mem := Memory(size)
	for _, r := range Rows() {
		most := 0
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			for {
				select {
				case <-stop:
					return
				default:
					most = max(most, runtime.NumGoroutine())
				}
			}
		}()
		before := runtime.NumGoroutine()
		r.Run(mem, 1)
		close(stop)
		<-stopped
		assert.LessOrEqual(t, most, before, "%s", r.Name)
	}
}

func TestRepeat(t *testing.T) {
	calls := 0
	f := repeat(func(dst []uint64) {
		assert.Len(t, dst, 9)
		dst[8]++
		calls++
	})
	mem := Memory(72)
	f(mem, 11)
	assert.Equal(t, 11, calls)
	assert.Equal(t, uint64(12), view.Of[uint64](mem)[8])
}

func TestFillsAreTheStreams(t *testing.T) {
	n := 5 << 20
	if testing.Short() {
		n = 1 << 20
	}
	s := philox.New(seed)
	u32, u64, raw, f32, open, f64 := make([]uint32, n/4), make([]uint64, n/8), make([]byte, n), make([]float32, n/4), make([]float32, n/4), make([]float64, n/8)
	z32, z64, cut32, cut64 := make([]float32, n/4), make([]float64, n/8), make([]float32, n/4), make([]float64, n/8)
	s.FillUint32(u32)
	s.FillUint64(u64)
	s.FillBytes(raw)
	s.FillFloat32(f32)
	s.FillOpenFloat32(open)
	s.FillFloat64(f64)
	normal.FillFloat32(s, z32)
	normal.FillFloat64(s, z64)
	require.NoError(t, normal.FillTruncatedFloat32(s, cut32, 0, 1, -2, 2))
	require.NoError(t, normal.FillTruncatedFloat64(s, cut64, 0, 1, -2, 2))
	want := map[string][]byte{
		"FillUint32": bytesOf(u32), "FillUint64": bytesOf(u64), "FillBytes": raw,
		"FillFloat32": bytesOf(f32), "FillOpenFloat32": bytesOf(open), "FillFloat64": bytesOf(f64),
		"normal.FillFloat32": bytesOf(z32), "normal.FillFloat64": bytesOf(z64),
		"normal.FillTruncatedFloat32": bytesOf(cut32), "normal.FillTruncatedFloat64": bytesOf(cut64),
		"normal.Source32.NormFloat32": bytesOf(z32), "normal.Source64.NormFloat64": bytesOf(z64),
		"Source.Uint64": bytesOf(u64), "Source.Read": raw, Random123: bytesOf(u32),
	}
	for _, l := range asm.Levels() {
		name := "kernel " + l.String() + ", "
		want[name+"uint32"], want[name+"float32"], want[name+"open float32"], want[name+"float64"] = bytesOf(u32), bytesOf(f32), bytesOf(open), bytesOf(f64)
		want[name+"normal32"], want[name+"normal64"] = bytesOf(z32), bytesOf(z64)
		want[name+"truncated32"], want[name+"truncated64"] = bytesOf(cut32), bytesOf(cut64)
	}
	seen := 0
	for _, r := range Rows() {
		name, _, _ := strings.Cut(r.Name, " (")
		w, ok := want[name]
		if !ok {
			continue
		}
		seen++
		for _, f := range []Filler{r.Run, r.All} {
			if f != nil {
				assert.True(t, bytes.Equal(w, filled(t, f, n, 1)), "%s", r.Name)
			}
		}
	}
	if len(random123Rows()) == 0 {
		seen++
	}
	assert.Equal(t, len(want), seen)
}

func bytesOf[T number](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(s[0])))
}

// Loops over generators must call the method that the row is named after.
func TestLoopsTakeEveryNumber(t *testing.T) {
	mem := map[string][]byte{}
	for _, r := range Rows() {
		mem[r.Name] = filled(t, r.Run, 1<<10, 1)
	}
	pcg, chacha := newPCG(), newChaCha8()
	for i := range 128 {
		assert.Equal(t, pcg.Uint64(), binary.NativeEndian.Uint64(mem["math/rand/v2 PCG.Uint64"][8*i:]))
		assert.Equal(t, chacha.Uint64(), binary.NativeEndian.Uint64(mem["math/rand/v2 ChaCha8.Uint64"][8*i:]))
	}
	for _, name := range []string{"Source.Float64", "math/rand/v2 Rand.Float64 (PCG)"} {
		for _, x := range view.Of[float64](mem[name]) {
			assert.True(t, 0 <= x && x < 1, "%s: %v", name, x)
		}
	}
	for _, x := range view.Of[float32](mem["math/rand/v2 Rand.Float32 (PCG)"]) {
		assert.True(t, 0 <= x && x < 1, "%v", x)
	}
	negative := 0
	for _, x := range view.Of[float64](mem["math/rand/v2 Rand.NormFloat64 (PCG)"]) {
		if x < 0 {
			negative++
		}
	}
	assert.InDelta(t, 64, negative, 40)
}

func TestRowNames(t *testing.T) {
	names := RowNames()
	assert.Subset(t, names, []string{Reference, Random123, "kernel avx512, float64", "kernel generic, uint32"})
	seen := map[string]bool{}
	for _, name := range names {
		assert.False(t, seen[name], "%s is there twice", name)
		assert.NotContains(t, name, "|")
		seen[name] = true
	}
	rows := Rows()
	assert.Equal(t, Reference, rows[0].Name)
	for _, r := range rows {
		name, _, found := strings.Cut(r.Name, Random123)
		if !found {
			assert.Contains(t, names, name)
		}
	}
}

func TestMemory(t *testing.T) {
	for _, n := range []int{1, 64, 100, 1 << 20} {
		mem := Memory(n)
		assert.Len(t, mem, n)
		assert.Zero(t, uintptr(unsafe.Pointer(&mem[0]))%64)
	}
}

func TestContender(t *testing.T) {
	var got []int
	c := Filler(func(mem []byte, times int) { got = append(got, len(mem), times) }).Contender("x", make([]byte, 64))
	c.Run(7)
	assert.Equal(t, []int{64, 7}, got)
	assert.Equal(t, "x", c.Name)
	assert.Equal(t, 64, c.Bytes)
}
