package torch

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/philox-go/rng/internal/poly"
	"github.com/philox-go/rng/rosetta/internal/engine"
)

// unbounded are random_'s numbers without bounds: 0 to the largest integer of the type, or to
// 2^d where a floating-point type has d bits.
func unbounded[T Element](s source, n uint64) numbers[T] {
	switch any(*new(T)).(type) {
	case float64:
		return elementwise(s, n, integers64[T](1<<53+1, 0))
	case int64:
		return elementwise(s, n, integers64[T](1<<63, 0))
	}
	m := uint32(2)
	switch any(*new(T)).(type) {
	case float32:
		m = 1<<24 + 1
	case Float16:
		m = 1<<11 + 1
	case BFloat16:
		m = 1<<8 + 1
	case uint8:
		m = 1 << 8
	case int8:
		m = 1 << 7
	case int16:
		m = 1 << 15
	case int32:
		m = 1 << 31
	}
	return elementwise(s, n, integers32[T](m, 0))
}

// integers32 are the remainders of words by span, above from.
func integers32[T Element](span uint32, from int64) *engine.Convert[T] {
	return engine.Then(engine.Words(), func(dst []T, src []uint32) {
		castInts(dst, func(i int) int64 { return int64(src[i]%span) + from })
	})
}

// integers64 are the remainders of 64-bit numbers by span, 0 for 2^64, above from, mod 2^64.
func integers64[T Element](span uint64, from int64) *engine.Convert[T] {
	return engine.Then(engine.Wide(), func(dst []T, src []uint64) {
		castInts(dst, func(i int) int64 {
			if span == 0 {
				return int64(src[i])
			}
			return int64(src[i]%span + uint64(from))
		})
	})
}

// nearest32 is float32(x), rounded once: on processors of 32 bits Go rounds large integers to
// float64 first.
func nearest32(x int64) float32 {
	if -1<<53 <= x && x <= 1<<53 {
		return float32(float64(x))
	}
	const drop = 11
	kept := x >> drop
	if x&(1<<drop-1) != 0 {
		kept |= 1 // something below what rounding looks at
	}
	return float32(float64(kept)) * (1 << drop)
}

// castInts is C++'s static_cast of an int64.
func castInts[T Element](dst []T, of func(i int) int64) {
	switch d := any(dst).(type) {
	case []float32:
		for i := range d {
			d[i] = nearest32(of(i))
		}
	case []float64:
		for i := range d {
			d[i] = float64(of(i))
		}
	case []Float16: // by way of float32
		for i := range d {
			d[i] = Float16(poly.Float16(nearest32(of(i))))
		}
	case []BFloat16:
		for i := range d {
			d[i] = BFloat16(poly.BFloat16(nearest32(of(i))))
		}
	case []bool:
		for i := range d {
			d[i] = of(i) != 0
		}
	case []uint8:
		for i := range d {
			d[i] = uint8(of(i))
		}
	case []int8:
		for i := range d {
			d[i] = int8(of(i))
		}
	case []int16:
		for i := range d {
			d[i] = int16(of(i))
		}
	case []int32:
		for i := range d {
			d[i] = int32(of(i))
		}
	case []int64:
		for i := range d {
			d[i] = of(i)
		}
	}
}

// exact is the number up to which a type has every integer, and most its largest one, as
// far as an int64 goes.
func limits[T Element]() (least, most int64) {
	switch any(*new(T)).(type) {
	case bool:
		return 0, 1
	case uint8:
		return 0, math.MaxUint8
	case int8:
		return math.MinInt8, math.MaxInt8
	case int16:
		return math.MinInt16, math.MaxInt16
	case int32:
		return math.MinInt32, math.MaxInt32
	case Float16:
		return -65504, 65504
	}
	return math.MinInt64, math.MaxInt64
}

// wideRange is the count from which PyTorch takes 64 bits for an integer.
const wideRange = 1 << 28

// randint are random_'s numbers from a bound to last.
func randint[T Element](s source, n uint64, from, last int64) (numbers[T], error) {
	least, most := limits[T]()
	from, last = representable[T](from), upToRepresentable[T](last)
	switch {
	case from < least || from > most:
		return numbers[T]{}, bad("from", from, "is no "+dtype[T]())
	case last < least || last > most:
		return numbers[T]{}, bad("to", last, "less 1 is no "+dtype[T]())
	case from > last:
		return numbers[T]{}, bad("from", from, fmt.Sprintf("must be at most %d, the largest number that %s draws", last, dtype[T]()))
	}
	span := uint64(last) - uint64(from) + 1
	if span == 0 || span >= wideRange {
		return elementwise(s, n, integers64[T](span, from)), nil
	}
	return elementwise(s, n, integers32[T](uint32(span), from)), nil
}

// randomFrom are random_'s numbers from a bound on: to the largest integer of the type, or
// to 2^d where a floating-point type has d bits.
func randomFrom[T Element](s source, n uint64, from int64) (numbers[T], error) {
	_, last := limits[T]()
	switch any(*new(T)).(type) {
	case float32:
		last = 1 << 24
	case float64:
		last = 1 << 53
	case Float16:
		last = 1 << 11
	case BFloat16:
		last = 1 << 8
	}
	if from == math.MinInt64 {
		switch any(*new(T)).(type) {
		case int64, float64, float32, BFloat16:
			return elementwise(s, n, integers64[T](0, 0)), nil
		}
	}
	return randint[T](s, n, from, last)
}

// digits is how many bits of integers a floating-point type has, and 0 for others.
func digits[T Element]() int {
	switch any(*new(T)).(type) {
	case float32:
		return 24
	case float64:
		return 53
	case Float16:
		return 11
	case BFloat16:
		return 8
	}
	return 0
}

// throughType is the integer that a floating-point type makes of one, as x86 converts it
// back: what is beyond 64 bits is the least integer.
func throughType[T Element](x int64) int64 {
	var t [1]T
	castInts(t[:], func(int) int64 { return x })
	var f float64
	switch v := any(t[0]).(type) {
	case float32:
		f = float64(v)
	case float64:
		f = v
	case Float16:
		f = float64Of(v)
	case BFloat16:
		f = float64Of(v)
	}
	if !(math.Abs(f) < 1<<63) {
		return math.MinInt64
	}
	return int64(f)
}

// spacing is how far apart the type's numbers are at x, and twice that at a power of two.
func spacing[T Element](x int64) int64 {
	n := bits.Len64(uint64(max(x, -x))) - 1
	if shift := n - digits[T]() + 1; shift >= 0 {
		return 1 << shift
	}
	return 0
}

// representable is what random_ makes of a lower bound: where a floating-point type would
// round the number behind it to one before it, the next one of the type.
func representable[T Element](from int64) int64 {
	if digits[T]() == 0 {
		return from
	}
	if next := throughType[T](from + 1); next < from {
		return next + spacing[T](from+1)
	}
	return from
}

// upToRepresentable is what random_ makes of the last number: where a floating-point type
// would round it up, one that it has is next to what is drawn.
func upToRepresentable[T Element](last int64) int64 {
	if digits[T]() == 0 {
		return last
	}
	if same := throughType[T](last); same >= last+1 {
		return same - spacing[T](last) - 1
	}
	return last
}
