package curand

import (
	"bytes"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/skip"
)

// outputs are all functions, at places where subsequences and blocks end.
func outputs() (all []Output) {
	for _, op := range Ops() {
		o := Output{Op: op.Name, Seed: 42, Subsequence: 7, Offset: 4*65536*3 - 5, Before: []uint64{0, 20001}}.Defaults()
		all = append(all, o)
		if op.Host {
			o.Ordering, o.Before = Dynamic, nil
			o.Offset = 4*67584*3 - 7
			all = append(all, o)
			o.GPU = GPU{Multiprocessors: 1}
			o.Before = []uint64{513, 77}
			all = append(all, o)
		}
	}
	return all
}

func TestAnyPart(t *testing.T) {
	for _, o := range outputs() {
		op, err := FindOp(o.Op)
		require.NoError(t, err)
		const n = 9000
		all, err := o.Bytes(0, n, n)
		require.NoError(t, err, o.Op)
		for _, first := range []uint64{0, 1, 2, 3, 5, 8, 4095, 8999} {
			for _, m := range []uint64{0, 1, 2, 7, 600, 8999} {
				if first+m > n {
					continue
				}
				got, err := o.Bytes(first, m, n)
				require.NoError(t, err, o.Op)
				size := uint64(op.Size)
				require.True(t, bytes.Equal(all[first*size:(first+m)*size], got), "%+v: %d values from %d", o, m, first)
			}
		}
	}
}

func TestGoroutines(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, o := range outputs() {
		runtime.GOMAXPROCS(1)
		want, err := o.Bytes(3, 50_001, 0)
		require.NoError(t, err)
		runtime.GOMAXPROCS(5)
		got, err := o.Bytes(3, 50_001, 0)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), o.Op)
	}
}

func TestOps(t *testing.T) {
	names := map[string]bool{}
	for _, op := range Ops() {
		assert.False(t, names[op.Name], op.Name)
		names[op.Name] = true
		assert.NotEmpty(t, op.Doc, op.Name)
		assert.Equal(t, op.Host, op.PerCall == 0, op.Name)
		got, err := FindOp(op.Name)
		require.NoError(t, err)
		assert.Equal(t, op, got)
	}
	assert.Len(t, names, 31)
}

func TestBadOutputs(t *testing.T) {
	for _, c := range []struct {
		o            Output
		dst          any
		first, total uint64
		err          string
	}{
		{Output{Op: "host_normals"}, []float32{0}, 0, 0, "curand: op = host_normals: must be one of device_curand, "},
		{Output{Op: "host_normal"}, []float64{0}, 0, 0, "curand: dst = a []float64: must be a []float32, what curandGenerateNormal gives"},
		{Output{Op: "host_u32"}, "text", 0, 0, "curand: dst = a string: must be a []uint32, what curandGenerate gives"},
		{Output{Op: "host_u32", Ordering: 102}, []uint32{0}, 0, 0, "curand: ordering = 102: must be best (100), default (101), legacy (103) or dynamic (104)"},
		{Output{Op: "host_u32", GPU: GPU{-1}}, []uint32{0}, 0, 0, "curand: multiprocessors = -1: must be between 0, for an H200, and 65536"},
		{Output{Op: "host_u32"}, make([]uint32, 5), 3, 7, "curand: total = 7: must be at least the end of what is asked for, 8"},
		{Output{Op: "host_u32"}, make([]uint32, 5), math.MaxUint64 - 3, 0, "curand: first = 18446744073709551612: must be at most 2^64 - 5"},
		{Output{Op: "host_poisson"}, []uint32{0}, 0, 0, "curand: lambda = 0 values: must be one value"},
		{Output{Op: "host_poisson", Lambda: []float64{1, 2}}, []uint32{0}, 0, 0, "curand: lambda = 2 values: must be one value"},
		{Output{Op: "host_poisson", Lambda: []float64{-2}}, []uint32{0}, 0, 0, "curand: lambda = -2: must be above 0 and at most 400000"},
		{Output{Op: "device_discrete", Lambda: []float64{4e5, 4.1e5}}, []uint32{0}, 0, 0, "curand: lambda = 410000: must be above 0 and at most 400000"},
		{Output{Op: "device_poisson", Lambda: []float64{math.NaN()}}, []uint32{0}, 0, 0, "curand: lambda = NaN: must be a number"},
		{Output{Op: "device_normal4"}, []float32{0}, 0, 6, "curand: n = 6: must be a multiple of 4, what a call of curand_normal4 gives"},
		{Output{Op: "host_u32", Ordering: Dynamic, Offset: 337920}, make([]uint32, 9), 0, 0, "curand: offset = 337920: must be at most 270339 or at least 540672 for a first call of more than 0 values"},
		{Output{Op: "host_u32", Ordering: Dynamic, Offset: 270336 + 4*384 + 1}, make([]uint32, 64001), 0, 0, "curand: offset = 271873: must be at most 270339 or at least 540672 for a first call of more than 63999 values"},
	} {
		err := c.o.Values(c.dst, c.first, c.total)
		var argument *skip.ArgumentError
		require.ErrorAs(t, err, &argument, c.err)
		assert.Contains(t, err.Error(), c.err)
	}
	ok := Output{Op: "host_u32", Ordering: Dynamic, Offset: 270336 + 4*384 + 1}
	assert.NoError(t, ok.Check(63999))
	assert.Error(t, ok.Check(64000))
	for _, n := range []uint64{math.MaxUint64, 1 << 60, 1<<61 - 1} {
		_, err := ok.Bytes(0, n, 0)
		assert.ErrorContains(t, err, "must fit into memory")
	}
}

func TestParseVectorRefuses(t *testing.T) {
	for _, c := range []struct{ file, err string }{
		{"host_u32.bin", "must be a name like"},
		{"device_curand9_seed0_sub0_off0.bin", "must be one of"},
		{"host_u32_order100_seed99999999999999999999_off0_call0.bin", "must have numbers of 64 bits"},
		{"host_u32_n6_seed0_call99999999999999999999.bin", "must have numbers of 64 bits"},
		{"host_u32_n6_seed0_call99999999999.bin", "must be of one of the first 1000000 calls"},
	} {
		_, _, err := ParseVector(c.file)
		assert.ErrorContains(t, err, c.err, c.file)
	}
}

func TestOrdering(t *testing.T) {
	for _, c := range []struct {
		o    Ordering
		name string
	}{{Best, "best"}, {Default, "default"}, {Legacy, "legacy"}, {Dynamic, "dynamic"}, {0, "default"}, {7, "Ordering(7)"}} {
		assert.Equal(t, c.name, c.o.String())
	}
	for _, s := range []string{"dynamic", "Dynamic", "104"} {
		o, err := ParseOrdering(s)
		require.NoError(t, err)
		assert.Equal(t, Dynamic, o)
	}
	_, err := ParseOrdering("seeded")
	assert.EqualError(t, err, `curand: ordering = "seeded": must be best (100), default (101), legacy (103) or dynamic (104)`)
	g := NewGenerator()
	assert.Error(t, g.SetOrdering(102))
	assert.Error(t, g.SetGPU(GPU{1 << 20}))
}

// What refuses has no effect.
func TestErrorsLeaveAGenerator(t *testing.T) {
	g := NewGenerator()
	x, y := make([]uint32, 7), make([]uint32, 7)
	require.NoError(t, g.Generate(x))
	require.Error(t, g.SetOrdering(3))
	require.Error(t, g.GeneratePoisson(y, -1))
	assert.Equal(t, make([]uint32, 7), y)
	require.NoError(t, g.Generate(y))
	want := make([]uint32, 14)
	require.NoError(t, NewGenerator().Generate(want))
	assert.Equal(t, want, append(x, y...))
}
