package normal

import (
	"unsafe"

	"github.com/philox-go/rng/internal/fill"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

// FillFloat32 fills dst with standard normals from the stream's first block on, one
// word each. As with the stream's own fills, elements do not depend on how much is
// filled, large fills are shared among goroutines as [philox.Stream.WithMaxGoroutines]
// says, and nothing is allocated.
func FillFloat32(s philox.Stream, dst []float32) {
	FillFloat32At(s, dst, 0)
}

// FillFloat32At fills dst as FillFloat32 would fill a slice from element first on,
// which may be the second of a pair.
func FillFloat32At(s philox.Stream, dst []float32, first uint64) {
	run(s, asm.Normal32, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), first, asm.Standard)
}

// FillScaledFloat32 fills dst with z*std + mean, rounded once, for the z of
// FillFloat32. A std of 0 gives mean. Results become infinite only where mean and
// std are near the largest float32. A mean that is not finite and a std that is
// negative or not finite are errors, a [*skip.ArgumentError], and dst stays as it
// was.
func FillScaledFloat32(s philox.Stream, dst []float32, mean, std float32) error {
	return FillScaledFloat32At(s, dst, 0, mean, std)
}

// FillScaledFloat32At fills dst as FillScaledFloat32 would fill a slice from element
// first on.
func FillScaledFloat32At(s philox.Stream, dst []float32, first uint64, mean, std float32) error {
	if err := checkScale(float64(mean), float64(std)); err != nil {
		return err
	}
	run(s, asm.Normal32, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), first, asm.Args{Mean: float64(mean), Std: float64(std)})
	return nil
}

// FillFloat64 fills dst with standard normals from the stream's first block on, two
// words each. As with the stream's own fills, elements do not depend on how much is
// filled, large fills are shared among goroutines as [philox.Stream.WithMaxGoroutines]
// says, and nothing is allocated.
func FillFloat64(s philox.Stream, dst []float64) {
	FillFloat64At(s, dst, 0)
}

// FillFloat64At fills dst as FillFloat64 would fill a slice from element first on,
// which may be the second of a pair.
func FillFloat64At(s philox.Stream, dst []float64, first uint64) {
	run(s, asm.Normal64, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), first, asm.Standard)
}

// FillScaledFloat64 fills dst with z*std + mean, rounded once, for the z of
// FillFloat64. A std of 0 gives mean. Results become infinite only where mean and
// std are near the largest float64. A mean that is not finite and a std that is
// negative or not finite are errors, a [*skip.ArgumentError], and dst stays as it
// was.
func FillScaledFloat64(s philox.Stream, dst []float64, mean, std float64) error {
	return FillScaledFloat64At(s, dst, 0, mean, std)
}

// FillScaledFloat64At fills dst as FillScaledFloat64 would fill a slice from element
// first on.
func FillScaledFloat64At(s philox.Stream, dst []float64, first uint64, mean, std float64) error {
	if err := checkScale(mean, std); err != nil {
		return err
	}
	run(s, asm.Normal64, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), first, asm.Args{Mean: mean, Std: std})
	return nil
}

// run fills the n elements of kind k at dst. It takes a pointer for the reason that
// philox's fills do: through a generic function the slice would escape.
func run(s philox.Stream, k asm.Kind, dst unsafe.Pointer, n int, first uint64, args asm.Args) {
	hi, lo := s.Counter().Uint64s()
	fill.Fill(k, dst, n, first, s.Key().Seed(), hi, lo, s.MaxGoroutines(), args)
}
