// Package argument checks the numbers that fills take. The packages that make numbers
// have it in common; pkg is the one that an error names.
package argument

import (
	"fmt"
	"math/bits"
	"strconv"
	"unsafe"

	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/skip"
)

// Float is a floating-point type.
type Float interface{ ~float32 | ~float64 }

// Scale returns the arguments of a fill with a mean and a standard deviation, or an
// [*skip.ArgumentError] for the first of the two that is out of its range.
func Scale[T Float](pkg string, mean, std T) (asm.Args, error) {
	if !Finite(mean) {
		return asm.Args{}, Bad(pkg, "mean", mean, "must be a finite number")
	}
	if !Finite(std) || std < 0 {
		return asm.Args{}, Bad(pkg, "std", std, "must be a finite number of at least 0")
	}
	return asm.Args{Mean: float64(mean), Std: float64(std)}, nil
}

// Finite reports whether x is neither infinite nor NaN.
func Finite[T Float](x T) bool { return x-x == 0 }

// Bad returns the error of an argument, with as many digits of its value as tell it from
// the others of its type.
func Bad[T Float](pkg, arg string, value T, reason string) error {
	return &skip.ArgumentError{Package: pkg, Arg: arg, Value: Text(value), Reason: reason}
}

// Truncate returns the arguments of a truncated fill, or an [*skip.ArgumentError] for
// the first of them that is wrong.
func Truncate[T Float](pkg string, mean, std, a, b T) (asm.Args, error) {
	args, err := Scale(pkg, mean, std)
	switch {
	case err != nil:
		return asm.Args{}, err
	case a != a:
		return asm.Args{}, Bad(pkg, "a", a, "must be a number")
	case b != b:
		return asm.Args{}, Bad(pkg, "b", b, "must be a number")
	case a > b:
		return asm.Args{}, Bad(pkg, "a", a, fmt.Sprintf("must be at most b, %v", b))
	case a > 0 && !Finite(a):
		return asm.Args{}, Bad(pkg, "a", a, "must not be above all finite numbers")
	case b < 0 && !Finite(b):
		return asm.Args{}, Bad(pkg, "b", b, "must not be below all finite numbers")
	case std == 0 && !(a <= mean && mean <= b):
		return asm.Args{}, Bad(pkg, "std", std, fmt.Sprintf("must be above 0, since the mean %v is not in [%v, %v]", mean, a, b))
	}
	args.A, args.B = float64(a), float64(b)
	return args, nil
}

// Retries returns an [*skip.ArgumentError] unless counter word 3 is below 2^16 in all
// blocks of n elements, perBlock in each, from element first of a stream on: its upper
// half is the number of an attempt.
func Retries(pkg string, perBlock uint64, s philox.Stream, n int, first uint64) error {
	const end = 1 << 48 // of the upper half of a counter
	hi, lo := s.Counter().Uint64s()
	if hi >= end {
		return &skip.ArgumentError{Package: pkg, Arg: "s", Value: fmt.Sprintf("a stream at counter %v", s.Counter()), Reason: "word 3 must be below 2^16"}
	}
	if n == 0 {
		return nil
	}
	// The last element's number may be above 2^64.
	block, lane := first/perBlock, first%perBlock
	more := (lane + uint64(n-1)) / perBlock
	lo, carry := bits.Add64(lo, block, 0)
	hi += carry
	_, carry = bits.Add64(lo, more, 0)
	if hi+carry >= end {
		return &skip.ArgumentError{Package: pkg, Arg: "first", Value: strconv.FormatUint(first, 10), Reason: fmt.Sprintf("counter word 3 of all %d elements must be below 2^16", n)}
	}
	return nil
}

// Text returns a number with as many digits as tell it from the others of its type.
func Text[T Float](value T) string {
	return strconv.FormatFloat(float64(value), 'g', -1, 8*int(unsafe.Sizeof(value)))
}
