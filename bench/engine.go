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
		{"normal.FillTruncatedFloat32 (-2, 2)", repeat(of(one, cut(normal.FillTruncatedFloat32))), repeat(of(all, cut(normal.FillTruncatedFloat32)))},
		{"normal.FillTruncatedFloat64 (-2, 2)", repeat(of(one, cut(normal.FillTruncatedFloat64))), repeat(of(all, cut(normal.FillTruncatedFloat64)))},
	}
}

// of makes a function that takes a stream one of it.
func of[T number](s philox.Stream, fill func(philox.Stream, []T)) func([]T) {
	return func(dst []T) { fill(s, dst) }
}

// cut makes a fill of standard normals between -2 and 2.
func cut[T number](fill func(s philox.Stream, dst []T, mean, std, a, b T) error) func(philox.Stream, []T) {
	lower := -2.0 // a constant would have to be a number of every T
	return func(s philox.Stream, dst []T) {
		if err := fill(s, dst, 0, 1, T(lower), 2); err != nil {
			panic(err) // none of the arguments is wrong
		}
	}
}

// sourceRows take one number at a time from a source.
func sourceRows() []Row {
	units, uniforms := philox.NewSource(seed), philox.NewSource(seed)
	normal32, normal64 := normal.NewSource32(philox.New(seed)), normal.NewSource64(philox.New(seed))
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
		{Name: "normal.Source32.NormFloat32", Run: repeat(func(dst []float32) {
			for i := range dst {
				dst[i] = normal32.NormFloat32()
			}
		})},
		{Name: "normal.Source64.NormFloat64", Run: repeat(func(dst []float64) {
			for i := range dst {
				dst[i] = normal64.NormFloat64()
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
			floats(asm.Truncated32),
			doubles(asm.Truncated64),
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
