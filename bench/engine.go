package bench

import (
	"unsafe"

	"github.com/philox-go/rng/internal/draw"
	"github.com/philox-go/rng/normal"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

const seed = 1

// fillRows are the fills of a stream, and of its normals.
func fillRows() []Row {
	one, all := philox.New(seed).WithMaxGoroutines(1), philox.New(seed)
	return []Row{
		fillRow(Reference, one.FillUint32, all.FillUint32),
		fillRow("FillUint64", one.FillUint64, all.FillUint64),
		fillRow("FillBytes", one.FillBytes, all.FillBytes),
		fillRow("FillFloat32", one.FillFloat32, all.FillFloat32),
		fillRow("FillOpenFloat32", one.FillOpenFloat32, all.FillOpenFloat32),
		fillRow("FillFloat64", one.FillFloat64, all.FillFloat64),
		fillRow("normal.FillFloat32", of(one, normal.FillFloat32), of(all, normal.FillFloat32)),
		fillRow("normal.FillFloat64", of(one, normal.FillFloat64), of(all, normal.FillFloat64)),
		fillRow("normal.FillTruncatedFloat32 (-2, 2)", of(one, cut(normal.FillTruncatedFloat32)), of(all, cut(normal.FillTruncatedFloat32))),
		fillRow("normal.FillTruncatedFloat64 (-2, 2)", of(one, cut(normal.FillTruncatedFloat64)), of(all, cut(normal.FillTruncatedFloat64))),
	}
}

func fillRow[T number](name string, one, all func([]T)) Row {
	return Row{Name: name, Run: repeat(one), All: repeat(all)}
}

// drawRows are the operators of package random, over a stream. Each fills as many
// elements as the words of the memory make: where they are smaller than their words, only
// part of it.
func drawRows() []Row {
	one, all := philox.New(seed).WithMaxGoroutines(1), philox.New(seed)
	mask := func(s philox.Stream) func([]byte) {
		return func(mem []byte) { draw.Mask(s, mem, len(mem)/4, 1<<30) }
	}
	dropout := fillRow("random.DropoutMask", mask(one), mask(all))
	dropout.Part, dropout.Few = 2, true
	return []Row{
		drawRow("random.Uniform float32 [-1, 1)", must(draw.Uniform[float32](-1, 1)), 64),
		drawRow("random.Uniform float64 [-1, 1)", must(draw.Uniform(-1., 1)), 64),
		drawRow("random.UniformHalf float16 [0, 1)", must(draw.UniformHalf(asm.F16, 0, 1)), 32),
		drawRow("random.UniformHalf bfloat16 [0, 1)", must(draw.UniformHalf(asm.B16, 0, 1)), 32),
		drawRow("random.NormalHalf float16", must(draw.NormalHalf(asm.F16, 0, 1)), 32),
		drawRow("random.Exponential float32, rate 1.5", must(draw.Exponential[float32](1.5)), 64),
		drawRow("random.Exponential float64, rate 1.5", must(draw.Exponential(1.5)), 64),
		few(drawRow("random.Bernoulli bool", must(draw.Bernoulli[bool](0.3)), 16)),
		few(drawRow("random.Bernoulli float32", must(draw.Bernoulli[float32](0.3)), 64)),
		dropout,
		drawRow("random.IntN uint8 [0, 100)", must(draw.IntegersBelow[uint8](0, 100)), 16),
		drawRow("random.IntN int32 [0, 100)", must(draw.IntegersBelow[int32](0, 100)), 64),
		drawRow("random.IntN int64 [0, 10^15)", must(draw.IntegersBelow[int64](0, 1e15)), 64),
		drawRow("random.Cauchy float32", must(draw.Cauchy[float32](0, 1)), 64),
	}
}

func few(r Row) Row {
	r.Few = true
	return r
}

// drawRow is the row of a draw that fills a part of every 64 bytes.
func drawRow(name string, d draw.Draw, part int) Row {
	of := func(s philox.Stream) func([]byte) {
		return func(mem []byte) {
			n := len(mem) / 16 * d.PerBlock()
			if err := d.Fill(s, unsafe.Pointer(unsafe.SliceData(mem)), n, 0); err != nil {
				panic(err) // the streams are good for all
			}
		}
	}
	r := fillRow(name, of(philox.New(seed).WithMaxGoroutines(1)), of(philox.New(seed)))
	r.Part = part % 64
	return r
}

// must takes arguments that are good.
func must(d draw.Draw, err error) draw.Draw {
	mustWork(err)
	return d
}

// mustWork is for calls whose arguments are good.
func mustWork(err error) {
	if err != nil {
		panic(err)
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
func mustRead(_ int, err error) { mustWork(err) }
