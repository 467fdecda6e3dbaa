package bench

import (
	"github.com/philox-go/rng/normal"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

const seed = 1

// fillRows are the fills of a stream, and of its normals.
func fillRows() []Row {
	one, all := philox.New(seed).WithMaxGoroutines(1), philox.New(seed)
	return []Row{
		{Reference, repeat(one.FillUint32), repeat(all.FillUint32)},
		{"FillUint64", repeat(one.FillUint64), repeat(all.FillUint64)},
		{"FillBytes", repeat(one.FillBytes), repeat(all.FillBytes)},
		{"FillFloat32", repeat(one.FillFloat32), repeat(all.FillFloat32)},
		{"FillOpenFloat32", repeat(one.FillOpenFloat32), repeat(all.FillOpenFloat32)},
		{"FillFloat64", repeat(one.FillFloat64), repeat(all.FillFloat64)},
		{"normal.FillFloat32", repeat(of(one, normal.FillFloat32)), repeat(of(all, normal.FillFloat32))},
		{"normal.FillFloat64", repeat(of(one, normal.FillFloat64)), repeat(of(all, normal.FillFloat64))},
	}
}

// of makes a function that takes a stream one of it.
func of[T number](s philox.Stream, fill func(philox.Stream, []T)) func([]T) {
	return func(dst []T) { fill(s, dst) }
}

// sourceRows take one number at a time from a philox.Source.
func sourceRows() []Row {
	units, uniforms := philox.NewSource(seed), philox.NewSource(seed)
	one, all := philox.New(seed).WithMaxGoroutines(1).Source(), philox.NewSource(seed)
	return []Row{
		{Name: "Source.Uint64", Run: repeat(func(dst []uint64) {
			for i := range dst {
				dst[i] = units.Uint64()
			}
		})},
		{Name: "Source.Float64", Run: repeat(func(dst []float64) {
			for i := range dst {
				dst[i] = uniforms.Float64()
			}
		})},
		{
			Name: "Source.Read",
			Run:  repeat(func(dst []byte) { mustRead(one.Read(dst)) }),
			All:  repeat(func(dst []byte) { mustRead(all.Read(dst)) }),
		},
	}
}

// levelRows are the kernels of each level, below the API.
func levelRows(levels []asm.Level) []Row {
	s := philox.New(seed)
	key, ctr := s.Key(), s.Counter()
	var all []Row
	for _, l := range levels {
		name := "kernel " + l.String() + ", "
		floats := func(k asm.Kind) Row {
			return Row{Name: name + k.String(), Run: repeat(func(dst []float32) { asm.FillLevel(l, k, dst, key, ctr) })}
		}
		doubles := func(k asm.Kind) Row {
			return Row{Name: name + k.String(), Run: repeat(func(dst []float64) { asm.FillLevel(l, k, dst, key, ctr) })}
		}
		all = append(all,
			Row{Name: name + asm.Uint32.String(), Run: repeat(func(dst []uint32) { asm.FillLevel(l, asm.Uint32, dst, key, ctr) })},
			floats(asm.Float32),
			floats(asm.OpenFloat32),
			doubles(asm.Float64),
			floats(asm.Normal32),
			doubles(asm.Normal64),
		)
	}
	return all
}

// mustRead fails where an io.Reader that cannot fail did.
func mustRead(_ int, err error) {
	if err != nil {
		panic(err)
	}
}
