package philox_test

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/philox-go/rng/philox"
)

// sink keeps the compiler from dropping what only tests and benchmarks look at.
var sink uint64

func skipAllocsUnderRace(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates for its own ends; the same tests run without it")
	}
}

// The slices are of arrays on the stack, so the fills may not let them escape
// either. Each call is written out: through a func value any slice escapes.
func TestFillsDoNotAllocate(t *testing.T) {
	skipAllocsUnderRace(t)
	s := philox.New(1)
	for name, f := range map[string]func(){
		"FillUint32": func() {
			var x [1000]uint32
			s.FillUint32(x[:])
			s.FillUint32At(x[:], 7)
			sink += uint64(x[9])
		},
		"FillUint64": func() {
			var x [1000]uint64
			s.FillUint64(x[:])
			s.FillUint64At(x[:], 7)
			sink += x[9]
		},
		"FillBytes": func() {
			var x [1000]byte
			s.FillBytes(x[:])
			s.FillBytesAt(x[:], 7)
			sink += uint64(x[9])
		},
		"FillFloat32": func() {
			var x [1000]float32
			s.FillFloat32(x[:])
			s.FillFloat32At(x[:], 7)
			sink += uint64(x[9])
		},
		"FillOpenFloat32": func() {
			var x [1000]float32
			s.FillOpenFloat32(x[:])
			s.FillOpenFloat32At(x[:], 7)
			sink += uint64(x[9])
		},
		"FillFloat64": func() {
			var x [1000]float64
			s.FillFloat64(x[:])
			s.FillFloat64At(x[:], 7)
			sink += uint64(x[9])
		},
		"one element": func() {
			var x [1]float64
			s.Skip(sink).Back(1).Substream(3).WithMaxGoroutines(2).FillFloat64At(x[:], sink)
			sink += uint64(x[0])
		},
		"Block": func() {
			sink += uint64(philox.Block(philox.NewKey(sink), philox.CounterAt(sink, 1))[0])
		},
	} {
		assert.Zero(t, testing.AllocsPerRun(100, f), "%s", name)
	}
}

func TestSourceDoesNotAllocate(t *testing.T) {
	skipAllocsUnderRace(t)
	src := philox.NewSource(1)
	state := make([]byte, 0, philox.StateBytes)
	saved, err := src.AppendBinary(nil)
	assert.NoError(t, err)
	for name, f := range map[string]func(){
		"Uint64":          func() { sink += src.Uint64() },
		"Uint32":          func() { sink += uint64(src.Uint32()) },
		"Float64":         func() { sink += uint64(src.Float64()) },
		"Float32":         func() { sink += uint64(src.Float32()) },
		"Skip":            func() { src.Skip(1000) },
		"Seed":            func() { src.Seed(sink) },
		"UnmarshalBinary": func() { _ = src.UnmarshalBinary(saved) },
		"AppendBinary": func() {
			b, _ := src.AppendBinary(state)
			sink += uint64(b[8])
		},
		"Read": func() {
			var b [4000]byte
			_, _ = src.Read(b[:])
			sink += uint64(b[3999])
		},
		"a copy": func() {
			c := *src
			sink += c.Uint64()
		},
	} {
		assert.Zero(t, testing.AllocsPerRun(1000, f), "%s", name)
	}
}

// AllocsPerRun lowers GOMAXPROCS to 1, which no fill is parallel with. Until every
// processor has some spare goroutines and jobs, fills make them, and now and then
// later; so it is the average after some fills that must be 0.
func TestParallelFillsDoNotAllocate(t *testing.T) {
	skipAllocsUnderRace(t)
	setProcs(t, 2)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection empties pools
	fills := uint64(200)
	if testing.Short() {
		fills = 100
	}
	eachKind(t, func(t *testing.T, k kind) {
		if testing.Short() && k.name != "uint32" && k.name != "float64" {
			return // they are shared by the same code
		}
		b := memory(k.shared, 0)
		for range fills {
			k.fill(philox.New(1), b.mem)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range fills {
			k.fill(philox.New(1), b.mem)
		}
		runtime.ReadMemStats(&after)
		assert.Zero(t, (after.Mallocs-before.Mallocs)/fills, "of %d", after.Mallocs-before.Mallocs)
	})
}
