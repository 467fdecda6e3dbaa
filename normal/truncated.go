package normal

import (
	"unsafe"

	"github.com/philox-go/rng/internal/argument"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

// pkg is what errors begin with.
const pkg = "normal"

// FillTruncatedFloat32 fills dst with normals of a mean and a standard deviation
// under the condition that they are in [a, b]. The bounds are in the units of the
// numbers, not in standard deviations, belong to the interval, and hold after
// rounding. They may be infinite, and nowhere near the mean. Numbers are finite in any
// case. With a = b every element is that number, and with std = 0 it is the mean.
//
// Where the interval holds many of the normals (it begins at most half a standard
// deviation beyond the mean, and is at least one long), the fill is that of the plain
// normals of the same mean and standard deviation, but for the elements that are
// outside, which are drawn again by the same vector kernels, each from words of its
// own. Elsewhere candidates are uniform or exponential (Robert, 1995), some tens of
// nanoseconds a number, however far out the interval is. The method depends on the
// arguments alone, and element i on the stream, i and them, with the same bits
// everywhere.
//
// As the fills of a [philox.Stream] it does not allocate, but for some 40 KiB that one
// fill leaves to the next and the garbage collector may take; it shares large fills
// among goroutines, and agrees with any longer fill from the same place. Since elements
// are drawn again from counters with another word 3, that word must be below 2^16
// throughout (a stream, as Substream counts them, below 2^48).
//
// These are a [*skip.ArgumentError], and then nothing is written: NaN; a mean that is
// infinite; a standard deviation that is negative or infinite; a > b; an interval
// without a finite number; std = 0 with the mean outside; counters out of that range.
func FillTruncatedFloat32(s philox.Stream, dst []float32, mean, std, a, b float32) error {
	return FillTruncatedFloat32At(s, dst, 0, mean, std, a, b)
}

// FillTruncatedFloat32At fills dst as [FillTruncatedFloat32] would fill a slice from
// element first on.
func FillTruncatedFloat32At(s philox.Stream, dst []float32, first uint64, mean, std, a, b float32) error {
	args, err := argument.Truncate(pkg, mean, std, a, b)
	if err != nil {
		return err
	}
	if err := argument.Retries(pkg, 4, s, len(dst), first); err != nil {
		return err
	}
	run(asm.Truncated32, s, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), first, args)
	return nil
}

// FillTruncatedFloat64 fills dst with float64 numbers in the way of
// [FillTruncatedFloat32].
func FillTruncatedFloat64(s philox.Stream, dst []float64, mean, std, a, b float64) error {
	return FillTruncatedFloat64At(s, dst, 0, mean, std, a, b)
}

// FillTruncatedFloat64At fills dst as [FillTruncatedFloat64] would fill a slice from
// element first on.
func FillTruncatedFloat64At(s philox.Stream, dst []float64, first uint64, mean, std, a, b float64) error {
	args, err := argument.Truncate(pkg, mean, std, a, b)
	if err != nil {
		return err
	}
	if err := argument.Retries(pkg, 2, s, len(dst), first); err != nil {
		return err
	}
	run(asm.Truncated64, s, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), first, args)
	return nil
}
