package draw

import (
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"strconv"
	"unsafe"

	"github.com/philox-go/rng/internal/argument"
	"github.com/philox-go/rng/internal/fill"
	"github.com/philox-go/rng/internal/poly"
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/skip"
)

// A family is the makers of a distribution that is evaluated one number at a time, in
// float64 whatever the type, by types.
type family struct {
	single, double *fill.Maker
	half           [2]*fill.Maker
}

// of returns a draw of float32 or float64.
func (f *family) of(single bool, args asm.Args) Draw {
	if single {
		return Draw{maker: f.single, args: args}
	}
	return Draw{maker: f.double, args: args}
}

// ofHalf returns that of a half type.
func (f *family) ofHalf(h asm.Half, args asm.Args, err error) (Draw, error) {
	if err == nil {
		err = Format(h)
	}
	if err != nil {
		return Draw{}, err
	}
	return Draw{maker: f.half[h], args: args}, nil
}

// chunk is the number of words that are made at a time, on the stack.
const chunk = 256

// wordsOf fills w from block hi*2^64 + lo on and returns the counter behind it.
func wordsOf[W uint32 | uint64](w []W, key, hi, lo uint64) (uint64, uint64) {
	kind := asm.Uint32
	if unsafe.Sizeof(W(0)) == 8 {
		kind = asm.Uint64
	}
	asm.FillPointer(kind, unsafe.Pointer(unsafe.SliceData(w)), len(w), key, hi, lo, asm.Standard())
	return fill.Ahead(hi, lo, uint64((len(w)+kind.PerBlock()-1)/kind.PerBlock()))
}

// each returns a maker of elements that are functions of a word.
func each[W uint32 | uint64, T any](name string, value func(w W, args asm.Args) T) *fill.Maker {
	return &fill.Maker{
		Name: name,
		Make: func(dst unsafe.Pointer, n int, key, hi, lo uint64, args asm.Args) {
			var w [chunk]W
			for d := unsafe.Slice((*T)(dst), n); len(d) > 0; {
				m := min(len(d), chunk)
				hi, lo = wordsOf(w[:m], key, hi, lo)
				for i, x := range w[:m] {
					d[i] = value(x, args)
				}
				d = d[m:]
			}
		},
		Size: int(unsafe.Sizeof(*new(T))), PerBlock: 16 / int(unsafe.Sizeof(W(0))),
	}
}

// located returns the family of standard numbers that are multiplied by a scale, in
// Args' Std, and moved by what is in Mean, with one rounding, and then rounded to the
// type.
func located(name string, standard32 func(uint32) float64, standard64 func(uint64) float64) *family {
	single := func(w uint32, args asm.Args) float32 {
		return float32(math.FMA(standard32(w), args.Std, args.Mean))
	}
	f := &family{
		single: each(name+"32", single),
		double: each(name+"64", func(w uint64, args asm.Args) float64 { return math.FMA(standard64(w), args.Std, args.Mean) }),
	}
	for _, h := range []asm.Half{asm.F16, asm.B16} {
		f.half[h] = each(name+suffixes[h], func(w uint32, args asm.Args) uint16 { return h.Round(single(w, args)) })
	}
	return f
}

var (
	cauchy  = located("cauchy", poly.Cauchy32, poly.Cauchy64)
	laplace = located("laplace", poly.Laplace32, poly.Laplace64)
	gumbel  = located("gumbel", poly.Gumbel32, poly.Gumbel64)
)

// locate checks a location and a scale.
func locate[T Float](what string, location, scale T) (asm.Args, error) {
	if !argument.Finite(location) {
		return asm.Args{}, argument.Bad(pkg, what, location, "must be a finite number")
	}
	return asm.Args{Mean: float64(location), Std: float64(scale)}, positive("scale", scale)
}

// Cauchy returns the draw of Cauchy numbers.
func Cauchy[T Float](median, scale T) (Draw, error) {
	args, err := locate("median", median, scale)
	return cauchy.of(is32[T](), args), err
}

// CauchyHalf returns that of float32 ones, rounded.
func CauchyHalf(h asm.Half, median, scale float32) (Draw, error) {
	args, err := locate("median", median, scale)
	return cauchy.ofHalf(h, args, err)
}

// Laplace returns the draw of Laplace numbers.
func Laplace[T Float](mean, scale T) (Draw, error) {
	args, err := locate("mean", mean, scale)
	return laplace.of(is32[T](), args), err
}

// LaplaceHalf returns that of float32 ones, rounded.
func LaplaceHalf(h asm.Half, mean, scale float32) (Draw, error) {
	args, err := locate("mean", mean, scale)
	return laplace.ofHalf(h, args, err)
}

// Gumbel returns the draw of Gumbel numbers.
func Gumbel[T Float](mode, scale T) (Draw, error) {
	args, err := locate("mode", mode, scale)
	return gumbel.of(is32[T](), args), err
}

// GumbelHalf returns that of float32 ones, rounded.
func GumbelHalf(h asm.Half, mode, scale float32) (Draw, error) {
	args, err := locate("mode", mode, scale)
	return gumbel.ofHalf(h, args, err)
}

// logNormal makes normals and takes their exponentials.
var logNormal = func() *family {
	f := &family{
		single: &fill.Maker{Name: "lognormal32", Size: 4, PerBlock: 4, Make: logNormals32},
		double: &fill.Maker{Name: "lognormal64", Size: 8, PerBlock: 2, Make: func(dst unsafe.Pointer, n int, key, hi, lo uint64, args asm.Args) {
			asm.FillPointer(asm.Normal64, dst, n, key, hi, lo, args)
			d := unsafe.Slice((*float64)(dst), n)
			for i, z := range d {
				d[i] = poly.Exp(z)
			}
		}},
	}
	for _, h := range []asm.Half{asm.F16, asm.B16} {
		f.half[h] = &fill.Maker{Name: "lognormal" + suffixes[h], Size: 2, PerBlock: 4, Make: func(dst unsafe.Pointer, n int, key, hi, lo uint64, args asm.Args) {
			var single [chunk]float32
			for d := unsafe.Slice((*uint16)(dst), n); len(d) > 0; {
				m := min(len(d), chunk)
				logNormals32(unsafe.Pointer(&single), m, key, hi, lo, args)
				for i, x := range single[:m] {
					d[i] = h.Round(x)
				}
				d = d[m:]
				hi, lo = fill.Ahead(hi, lo, chunk/4)
			}
		}}
	}
	return f
}()

// logNormals32 makes them where they lie.
func logNormals32(dst unsafe.Pointer, n int, key, hi, lo uint64, args asm.Args) {
	asm.FillPointer(asm.Normal32, dst, n, key, hi, lo, args)
	d := unsafe.Slice((*float32)(dst), n)
	for i, z := range d {
		d[i] = float32(poly.Exp(float64(z)))
	}
}

// LogNormal returns the draw of the exponentials of normals.
func LogNormal[T Float](mean, std T) (Draw, error) {
	args, err := argument.Scale(pkg, mean, std)
	return logNormal.of(is32[T](), args), err
}

// LogNormalHalf returns that of float32 ones, rounded.
func LogNormalHalf(h asm.Half, mean, std float32) (Draw, error) {
	args, err := argument.Scale(pkg, mean, std)
	return logNormal.ofHalf(h, args, err)
}

// Geometric returns the draw of the number of trials with probability p up to and with
// the first success. A p whose largest number does not fit is an error.
func Geometric[T Count](p float64) (Draw, error) {
	kind := reflect.TypeFor[T]().Kind()
	maker, ok := geometric[kind]
	if !ok {
		panic(fmt.Sprintf("random: no geometric numbers of kind %v", kind)) // Count has no others
	}
	args, err := trials(p, wide(kind), largest(kind), kind.String())
	return Draw{maker: maker, args: args}, err
}

// GeometricHalf returns that of float32 ones, rounded.
func GeometricHalf(h asm.Half, p float64) (Draw, error) {
	if err := Format(h); err != nil {
		return Draw{}, err
	}
	args, err := trials(p, false, float64(h.Largest()), h.String())
	return Draw{maker: halfGeometric[h], args: args}, err
}

// wide reports whether numbers of a kind take 64-bit words. So do int and uint, also
// where they have 32 bits.
func wide(kind reflect.Kind) bool {
	switch kind {
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64, reflect.Float64:
		return true
	}
	return false
}

// trials checks the probability of geometric numbers and returns ln(1-p).
func trials(p float64, wide bool, largest float64, name string) (asm.Args, error) {
	if !(p > 0 && p <= 1) {
		return asm.Args{}, argument.Bad(pkg, "p", p, "must be a number above 0 and at most 1")
	}
	q := poly.LogOneMinus(p)
	most := poly.Geometric32(0, q)
	if wide {
		most = poly.Geometric64(0, q)
	}
	if most > largest {
		return asm.Args{}, argument.Bad(pkg, "p", p, fmt.Sprintf("is so small that numbers up to %v may come, beyond the largest %s", most, name))
	}
	return asm.Args{Mean: q}, nil
}

// largest returns the largest float64 that fits a kind.
func largest(kind reflect.Kind) float64 {
	switch kind {
	case reflect.Int8:
		return math.MaxInt8
	case reflect.Int16:
		return math.MaxInt16
	case reflect.Int32:
		return math.MaxInt32
	case reflect.Int64:
		return math.Nextafter(1<<63, 0)
	case reflect.Uint8:
		return math.MaxUint8
	case reflect.Uint16:
		return math.MaxUint16
	case reflect.Uint32:
		return math.MaxUint32
	case reflect.Uint64:
		return math.Nextafter(1<<64, 0)
	case reflect.Int:
		return min(math.MaxInt, math.Nextafter(1<<63, 0))
	case reflect.Uint:
		return min(math.MaxUint, math.Nextafter(1<<64, 0))
	case reflect.Float32:
		return math.MaxFloat32
	}
	return math.MaxFloat64
}

// geometric are the makers by kinds. Integers of both signs are the same bits.
var geometric = map[reflect.Kind]*fill.Maker{
	reflect.Int8: geometric32[uint8]("geometricint8"), reflect.Uint8: geometric32[uint8]("geometricint8"),
	reflect.Int16: geometric32[uint16]("geometricint16"), reflect.Uint16: geometric32[uint16]("geometricint16"),
	reflect.Int32: geometric32[uint32]("geometricint32"), reflect.Uint32: geometric32[uint32]("geometricint32"),
	reflect.Int64: geometric64[uint64]("geometricint64"), reflect.Uint64: geometric64[uint64]("geometricint64"),
	reflect.Int: geometric64[uint](fmt.Sprintf("geometricint%d", bits.UintSize)), reflect.Uint: geometric64[uint](fmt.Sprintf("geometricint%d", bits.UintSize)),
	reflect.Float32: geometric32[float32]("geometric32"), reflect.Float64: geometric64[float64]("geometric64"),
}

func geometric32[T Count](name string) *fill.Maker {
	return each(name, func(w uint32, args asm.Args) T { return T(poly.Geometric32(w, args.Mean)) })
}

func geometric64[T Count](name string) *fill.Maker {
	return each(name, func(w uint64, args asm.Args) T { return T(poly.Geometric64(w, args.Mean)) })
}

var halfGeometric = func() (makers [2]*fill.Maker) {
	for _, h := range []asm.Half{asm.F16, asm.B16} {
		makers[h] = each("geometric"+suffixes[h], func(w uint32, args asm.Args) uint16 {
			return h.Round(float32(poly.Geometric32(w, args.Mean)))
		})
	}
	return makers
}()

func badInteger[T Integer](arg string, value T, reason string) error {
	return &skip.ArgumentError{Package: pkg, Arg: arg, Value: integerText(value), Reason: reason}
}

func integerText[T Integer](value T) string {
	if value < 0 {
		return strconv.FormatInt(int64(value), 10)
	}
	return strconv.FormatUint(uint64(value), 10)
}
