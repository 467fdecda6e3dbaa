// Package draw has the distributions of package random as fills of a stream: which words
// an element takes, what becomes of them, and which arguments are good. Errors name
// package random, since that is where arguments come from; the command line draws the
// same numbers from elements and streams that a generator does not reach.
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
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/skip"
)

const pkg = "random"

// Float, Half and Integer are the types of elements. A Half is the bits of a float16 or
// a bfloat16.
type (
	Float   = argument.Float
	Half    interface{ ~uint16 }
	Integer interface {
		~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
	}
	// Choice is what the outcome of a trial can be written as.
	Choice interface{ ~bool | Integer | Float }
	// Count is what a number of trials can be written as.
	Count interface{ Integer | Float }
)

// A Draw is a distribution with its arguments, for elements of one type.
type Draw struct {
	kind  asm.Kind
	maker *fill.Maker // or nil
	args  asm.Args
	retry bool // elements may need further attempts
}

// Blocks returns the number of blocks that n elements take.
func (d Draw) Blocks(n int) uint64 {
	per := d.PerBlock()
	return uint64(n/per) + uint64(min(n%per, 1))
}

// PerBlock returns the number of elements that a block makes.
func (d Draw) PerBlock() int {
	if d.maker != nil {
		return d.maker.PerBlock
	}
	return d.kind.PerBlock()
}

// Check returns an [*skip.ArgumentError] if n elements from element first of s on cannot
// be made.
func (d Draw) Check(s philox.Stream, n int, first uint64) error {
	if !d.retry {
		return nil
	}
	return argument.Retries(pkg, uint64(d.PerBlock()), s, n, first)
}

// Name tells a draw's numbers, with its Args, from all others: for code that makes them
// elsewhere.
func (d Draw) Name() string {
	if d.maker != nil {
		return d.maker.Name
	}
	return d.kind.String()
}

// Kind returns the kind that makes the numbers, where their Name is that of one.
func (d Draw) Kind() asm.Kind { return d.kind }

// Args returns the arguments.
func (d Draw) Args() asm.Args { return d.args }

// Plain returns the draw of a kind that takes no arguments.
func Plain(kind asm.Kind) Draw { return Draw{kind: kind} }

// Retries reports whether elements may need further attempts, which only the streams
// below 2^48 have.
func (d Draw) Retries() bool { return d.retry }

// Fill writes n elements first, first+1, ... of s at dst. The type must be the one that
// the draw was made for.
//
// It takes a pointer because the compiler, where it inlines a call of a generic function
// into another package, does not know that the slice does not escape.
func (d Draw) Fill(s philox.Stream, dst unsafe.Pointer, n int, first uint64) error {
	if err := d.Check(s, n, first); err != nil {
		return err
	}
	hi, lo := s.Counter().Uint64s()
	if d.maker != nil {
		fill.With(d.maker, dst, n, first, s.Key().Seed(), hi, lo, s.MaxGoroutines(), d.args)
	} else {
		fill.Fill(d.kind, dst, n, first, s.Key().Seed(), hi, lo, s.MaxGoroutines(), d.args)
	}
	return nil
}

// is32 reports whether a float type is float32.
func is32[T Float]() bool { return unsafe.Sizeof(*new(T)) == 4 }

// pick returns the first of two for float32 and the second for float64.
func pick[T Float, V any](single, double V) V {
	if is32[T]() {
		return single
	}
	return double
}

// bySize returns the kind of those for 1, 2, 4 and 8 bytes that fits elements of a type.
func bySize[T any](kinds ...asm.Kind) asm.Kind {
	return kinds[bits.TrailingZeros(uint(unsafe.Sizeof(*new(T))))]
}

// Uniform returns the draw of uniforms in [lo, hi).
func Uniform[T Float](lo, hi T) (Draw, error) {
	if err := interval(lo, hi); err != nil {
		return Draw{}, err
	}
	d := Draw{kind: pick[T](asm.Range32, asm.Range64), args: asm.Args{A: float64(lo), B: float64(hi)}}
	if lo == 0 && hi == 1 { // the same numbers, sooner
		d.kind = pick[T](asm.Float32, asm.Float64)
	}
	return d, nil
}

// interval checks the bounds of uniforms.
func interval[T Float](lo, hi T) error {
	switch {
	case !argument.Finite(lo):
		return argument.Bad(pkg, "lo", lo, "must be a finite number")
	case !argument.Finite(hi):
		return argument.Bad(pkg, "hi", hi, "must be a finite number")
	case lo >= hi:
		return argument.Bad(pkg, "lo", lo, "must be less than hi, "+argument.Text(hi))
	case !argument.Finite(hi - lo):
		return argument.Bad(pkg, "hi", hi, "is so far from lo, "+argument.Text(lo)+", that the difference is infinite")
	}
	return nil
}

// UniformHalf returns the draw of uniforms in [lo, hi), which count as rounded to h.
func UniformHalf(h asm.Half, lo, hi float32) (Draw, error) {
	if err := Format(h); err != nil {
		return Draw{}, err
	}
	if err := interval(lo, hi); err != nil {
		return Draw{}, err
	}
	a, b := h.Float32(h.Round(lo)), h.Float32(h.Round(hi))
	switch {
	case !argument.Finite(a):
		return Draw{}, argument.Bad(pkg, "lo", lo, "is too large for a "+h.String())
	case !argument.Finite(b):
		return Draw{}, argument.Bad(pkg, "hi", hi, "is too large for a "+h.String())
	case a >= b:
		return Draw{}, argument.Bad(pkg, "lo", lo, "must be less than hi, "+argument.Text(hi)+", when both are rounded to "+h.String())
	case !argument.Finite(b - a): // by rounding, even where that of lo and hi is finite
		return Draw{}, argument.Bad(pkg, "hi", hi, "is so far from lo, "+argument.Text(lo)+", that the difference is infinite when both are rounded to "+h.String())
	}
	kind := asm.Float16
	if h == asm.B16 {
		kind = asm.BFloat16
	}
	return Draw{kind: kind, args: asm.Args{A: float64(a), B: float64(b)}}, nil
}

// Format checks the format of half types.
func Format(h asm.Half) error {
	if h > asm.B16 {
		return &skip.ArgumentError{Package: pkg, Arg: "format", Value: h.String(), Reason: "must be Float16 or BFloat16"}
	}
	return nil
}

// Normal returns the draw of normals with a mean and a standard deviation.
func Normal[T Float](mean, std T) (Draw, error) {
	args, err := argument.Scale(pkg, mean, std)
	return Draw{kind: pick[T](asm.Normal32, asm.Normal64), args: args}, err
}

// NormalHalf returns that of float32 ones, rounded.
func NormalHalf(h asm.Half, mean, std float32) (Draw, error) {
	d, err := Normal(mean, std)
	return d.rounded(h, err)
}

// TruncatedNormal returns the draw of normals between a and b, both included.
func TruncatedNormal[T Float](mean, std, a, b T) (Draw, error) {
	args, err := argument.Truncate(pkg, mean, std, a, b)
	return Draw{kind: pick[T](asm.Truncated32, asm.Truncated64), args: args, retry: true}, err
}

// TruncatedNormalHalf returns that of float32 ones that round to numbers between a and b.
func TruncatedNormalHalf(h asm.Half, mean, std, a, b float32) (Draw, error) {
	if err := Format(h); err != nil {
		return Draw{}, err
	}
	if a != a || b != b || a > b { // the error is the same
		return TruncatedNormal(mean, std, a, b)
	}
	lo, hi, ok := h.Cover(a, b)
	if !ok {
		return Draw{}, argument.Bad(pkg, "a", a, "must leave a finite "+h.String()+" between a and b, "+argument.Text(b))
	}
	if std == 0 && argument.Finite(mean) && !(lo <= mean && mean <= hi) {
		return Draw{}, argument.Bad(pkg, "std", std, "must be above 0, since the mean "+argument.Text(mean)+" as a "+h.String()+" is not in ["+argument.Text(a)+", "+argument.Text(b)+"]")
	}
	d, err := TruncatedNormal(mean, std, lo, hi)
	return d.rounded(h, err)
}

// Exponential returns the draw of exponentials with a rate.
func Exponential[T Float](rate T) (Draw, error) {
	if err := positive("rate", rate); err != nil {
		return Draw{}, err
	}
	if is32[T]() {
		return Draw{kind: asm.Exponential32, args: asm.Rate(float64(rate), math.SmallestNonzeroFloat32, math.MaxFloat32)}, nil
	}
	return Draw{kind: asm.Exponential64, args: asm.Rate(float64(rate), math.SmallestNonzeroFloat64, math.MaxFloat64)}, nil
}

// ExponentialHalf returns that of float32 ones, held between what h has.
func ExponentialHalf(h asm.Half, rate float32) (Draw, error) {
	d, err := Exponential(rate)
	if d, err = d.rounded(h, err); err == nil {
		d.args = asm.Rate(float64(rate), float64(h.Smallest()), float64(h.Largest()))
	}
	return d, err
}

// positive checks an argument that must be above 0.
func positive[T Float](arg string, x T) error {
	if !argument.Finite(x) || x <= 0 {
		return argument.Bad(pkg, arg, x, "must be a finite number above 0")
	}
	return nil
}

// rounded returns a draw of float32 for a half type.
func (d Draw) rounded(h asm.Half, err error) (Draw, error) {
	if err == nil {
		err = Format(h)
	}
	if err != nil {
		return Draw{}, err
	}
	d.maker = roundedKinds[d.kind][h]
	return d, nil
}

// suffixes end the names of makers of half types.
var suffixes = [2]string{asm.F16: "16", asm.B16: "b16"}

// roundedKinds are the makers of half types by kinds of float32.
var roundedKinds = func() map[asm.Kind][2]*fill.Maker {
	all := map[asm.Kind][2]*fill.Maker{}
	names := map[asm.Kind]string{asm.Normal32: "normal", asm.Truncated32: "truncated", asm.Exponential32: "exponential"}
	for k, name := range names {
		var pair [2]*fill.Maker
		for _, h := range []asm.Half{asm.F16, asm.B16} {
			pair[h] = &fill.Maker{
				Name: name + suffixes[h],
				Make: func(dst unsafe.Pointer, n int, key, hi, lo uint64, args asm.Args) {
					asm.FillHalves(asm.Active(), k, h, dst, n, key, hi, lo, args)
				},
				Size: 2, PerBlock: 4, Slowdown: fill.Slowdown(k) + 1,
			}
		}
		all[k] = pair
	}
	return all
}()

// Bernoulli returns the draw of 1 or true with probability p, and of 0 or false.
func Bernoulli[T Choice](p float64) (Draw, error) {
	threshold, err := Threshold(p)
	if err != nil {
		return Draw{}, err
	}
	kind := bySize[T](asm.Chosen8, asm.Chosen16, asm.Chosen32, asm.Chosen64)
	return Draw{kind: kind, args: asm.Choice(threshold, One[T]())}, nil
}

// BernoulliHalf returns the draw of 1 with probability p, and of 0.
func BernoulliHalf(h asm.Half, p float64) (Draw, error) {
	if err := Format(h); err != nil {
		return Draw{}, err
	}
	threshold, err := Threshold(p)
	return Draw{kind: asm.Chosen16, args: asm.Choice(threshold, uint64(h.Round(1)))}, err
}

// FromBits returns the element that has bits.
func FromBits[T any](b uint64) (e T) {
	p := unsafe.Pointer(&e)
	switch unsafe.Sizeof(e) {
	case 1:
		*(*uint8)(p) = uint8(b)
	case 2:
		*(*uint16)(p) = uint16(b)
	case 4:
		*(*uint32)(p) = uint32(b)
	case 8:
		*(*uint64)(p) = b
	}
	return e
}

// One returns the bits of 1, or of true.
func One[T Choice]() uint64 {
	switch reflect.TypeFor[T]().Kind() {
	case reflect.Float32:
		return uint64(math.Float32bits(1))
	case reflect.Float64:
		return math.Float64bits(1)
	}
	return 1
}

// Threshold returns floor(p*2^32 + 1/2): a word is a success if it is less.
func Threshold(p float64) (uint64, error) {
	if !(p >= 0 && p <= 1) {
		return 0, argument.Bad(pkg, "p", p, "must be a number from 0 to 1")
	}
	return threshold(p), nil
}

// threshold is Threshold of a good probability.
func threshold(p float64) uint64 {
	// The product is exact, and so are its floor and the rest. The sum with 1/2 need not
	// be.
	v := p * (1 << 32)
	whole := math.Floor(v)
	if v-whole >= 0.5 {
		whole++
	}
	return uint64(whole)
}

// Below returns an error that names n unless a type has all integers from 0 to n-1.
func Below[T Integer](arg string, n int) error {
	last := n - 1
	if n <= 0 || uint64(T(last)) == uint64(last) { // a negative one becomes larger
		return nil
	}
	has := 1 << (8*unsafe.Sizeof(T(0)) - 1)
	if T(0)-1 > 0 {
		has *= 2
	}
	return &skip.ArgumentError{
		Package: pkg, Arg: arg, Value: strconv.Itoa(n),
		Reason: fmt.Sprintf("must be at most %d, the number of integers from 0 on that %v has", has, reflect.TypeFor[T]().Kind()),
	}
}

// Integers returns the draw of integers from lo to last, both included.
func Integers[T Integer](lo, last T) (Draw, error) {
	if lo > last {
		return Draw{}, badInteger("lo", lo, "must be at most last, "+integerText(last))
	}
	return integersFrom(lo, uint64(last)-uint64(lo)+1), nil
}

// IntegersBelow returns the draw of integers from lo to hi-1.
func IntegersBelow[T Integer](lo, hi T) (Draw, error) {
	if lo >= hi {
		return Draw{}, badInteger("lo", lo, "must be less than hi, "+integerText(hi))
	}
	return integersFrom(lo, uint64(hi)-uint64(lo)), nil
}

// integersFrom returns the draw of n integers, where 0 stands for 2^64.
func integersFrom[T Integer](lo T, n uint64) Draw {
	kind := asm.Wide64
	if n-1 < 1<<32 {
		kind = bySize[T](asm.Int8, asm.Int16, asm.Int32, asm.Int64)
	}
	return Draw{kind: kind, args: asm.Integers(uint64(lo), n), retry: true}
}
