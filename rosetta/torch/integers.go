package torch

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/philox-go/rng/internal/poly"
	"github.com/philox-go/rng/rosetta/internal/engine"
)

// unbounded are random_'s numbers without bounds.
func unbounded[T Element](s source, n uint64) numbers[T] {
	span := uint64(greatest[T]()) + 1
	if size[T]() == 8 {
		return elementwise(s, n, integers64[T](span, 0))
	}
	return elementwise(s, n, integers32[T](uint32(span), 0))
}

// greatest is the largest number that random_ draws where no bound says another: the largest
// integer of the type, or 2^d where a floating-point type has d bits.
func greatest[T Element]() int64 {
	if d := digits[T](); d > 0 {
		return 1 << d
	}
	_, most := limits[T]()
	return most
}

// integers32 are the remainders of words by span, above from.
func integers32[T Element](span uint32, from int64) *engine.Convert[T] {
	return ofIntegers[T](engine.Words(), func(v []int64, w []uint32) {
		for i, x := range w {
			v[i] = int64(x%span) + from
		}
	})
}

// integers64 are the remainders of 64-bit numbers by span, above from, mod 2^64. With a span of
// 0, for 2^64, they are those numbers, and from does not count.
func integers64[T Element](span uint64, from int64) *engine.Convert[T] {
	return ofIntegers[T](engine.Wide(), func(v []int64, w []uint64) {
		for i, x := range w {
			if span == 0 {
				v[i] = int64(x)
			} else {
				v[i] = int64(x%span + uint64(from))
			}
		}
	})
}

// ofIntegers are the integers that of makes of a conversion's words, in a type.
func ofIntegers[T Element, W uint32 | uint64](c *engine.Convert[W], of func(v []int64, w []W)) *engine.Convert[T] {
	return engine.Then(c, func(dst []T, src []W) {
		var v [256]int64
		for len(src) > 0 {
			m := min(len(src), len(v))
			of(v[:m], src[:m])
			castInts(dst[:m], v[:m])
			dst, src = dst[m:], src[m:]
		}
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
func castInts[T Element](dst []T, src []int64) {
	switch d := any(dst).(type) {
	case []float32:
		for i, x := range src {
			d[i] = nearest32(x)
		}
	case []float64:
		for i, x := range src {
			d[i] = float64(x)
		}
	case []Float16: // by way of float32
		for i, x := range src {
			d[i] = Float16(poly.Float16(nearest32(x)))
		}
	case []BFloat16:
		for i, x := range src {
			d[i] = BFloat16(poly.BFloat16(nearest32(x)))
		}
	case []bool:
		for i, x := range src {
			d[i] = x != 0
		}
	case []uint8:
		for i, x := range src {
			d[i] = uint8(x)
		}
	case []int8:
		for i, x := range src {
			d[i] = int8(x)
		}
	case []int16:
		for i, x := range src {
			d[i] = int16(x)
		}
	case []int32:
		for i, x := range src {
			d[i] = int32(x)
		}
	case []int64:
		copy(d, src)
	}
}

// limits are the least and the largest integer of a type, as far as an int64 goes.
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
	lo, hi := representable[T](from), upToRepresentable[T](last)
	switch {
	case lo < least || lo > most:
		return numbers[T]{}, bad("from", from, fmt.Sprintf("must be %d to %d, as %s has them", least, most, dtype[T]()))
	case hi < least || hi > most:
		return numbers[T]{}, bad("to", last+1, fmt.Sprintf("less 1 must be %d to %d, as %s has them", least, most, dtype[T]()))
	case lo > hi:
		return numbers[T]{}, bad("from", from, fmt.Sprintf("must be at most %d, the largest number that %s draws", hi, dtype[T]()))
	}
	span := uint64(hi) - uint64(lo) + 1
	if span == 0 || span >= wideRange {
		return elementwise(s, n, integers64[T](span, lo)), nil
	}
	return elementwise(s, n, integers32[T](uint32(span), lo)), nil
}

// randomFrom are random_'s numbers from a bound on, to the greatest one; where the bound is the
// least integer of 64 bits and the type is not too narrow for that, all of these.
func randomFrom[T Element](s source, n uint64, from int64) (numbers[T], error) {
	if from == math.MinInt64 {
		switch any(*new(T)).(type) {
		case int64, float64, float32, BFloat16:
			return elementwise(s, n, integers64[T](0, 0)), nil
		}
	}
	return randint[T](s, n, from, greatest[T]())
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
	castInts(t[:], []int64{x})
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
