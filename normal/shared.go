package normal

import (
	"strconv"
	"unsafe"

	"github.com/philox-go/rng/internal/fill"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/skip"
)

// scale returns the arguments of a fill with a mean and a standard deviation, or an
// [*skip.ArgumentError] for the first of the two that is out of its range.
func scale[T float32 | float64](mean, std T) (asm.Args, error) {
	if !finite(mean) {
		return asm.Args{}, badArg("mean", mean, "must be a finite number")
	}
	if !finite(std) || std < 0 {
		return asm.Args{}, badArg("std", std, "must be a finite number of at least 0")
	}
	return asm.Args{Mean: float64(mean), Std: float64(std)}, nil
}

func finite[T float32 | float64](x T) bool { return x-x == 0 }

// badArg returns the error of an argument, with as many digits of its value as tell
// it from the others of its type.
func badArg[T float32 | float64](arg string, value T, reason string) error {
	text := strconv.FormatFloat(float64(value), 'g', -1, 8*int(unsafe.Sizeof(value)))
	return &skip.ArgumentError{Arg: arg, Value: text, Reason: reason}
}

// run writes the n elements first, first+1, ... of kind k at dst.
//
// It takes a pointer because the compiler, where it inlines a call of a generic
// function into another package, does not know that the slice does not escape.
func run(k asm.Kind, s philox.Stream, dst unsafe.Pointer, n int, first uint64, args asm.Args) {
	hi, lo := s.Counter().Uint64s()
	fill.Fill(k, dst, n, first, s.Key().Seed(), hi, lo, s.MaxGoroutines(), args)
}
