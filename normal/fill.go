package normal

import (
	"unsafe"

	"github.com/philox-go/rng/internal/argument"
	"github.com/philox-go/rng/internal/fill"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

// FillFloat32 fills dst with standard normals: elements 2j and 2j+1 are made of
// words 2j and 2j+1 of s. The largest magnitude is 6.7637, sqrt(66 ln 2), where word
// 2j is 0; zero does not occur. The bits are the same everywhere.
//
// As the fills of a [philox.Stream] it does not allocate, cannot fail, shares
// large fills among goroutines, and agrees with any longer fill from the same place.
func FillFloat32(s philox.Stream, dst []float32) {
	run(asm.Normal32, s, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), 0, asm.Standard())
}

// FillFloat32At fills dst as [FillFloat32] would fill a slice from element first on.
// The two elements of a pair may be made by different fills.
func FillFloat32At(s philox.Stream, dst []float32, first uint64) {
	run(asm.Normal32, s, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), first, asm.Standard())
}

// FillScaledFloat32 fills dst with z*std + mean, rounded once, where z are the
// elements of [FillFloat32]. With std = 0 every element is the mean. An element is
// infinite only where 6.7637*std + |mean| is above the largest float32.
//
// A mean that is infinite or NaN, or a standard deviation that is negative, infinite
// or NaN, is a [*skip.ArgumentError], and then nothing is written.
func FillScaledFloat32(s philox.Stream, dst []float32, mean, std float32) error {
	return FillScaledFloat32At(s, dst, 0, mean, std)
}

// FillScaledFloat32At fills dst as [FillScaledFloat32] would fill a slice from element
// first on.
func FillScaledFloat32At(s philox.Stream, dst []float32, first uint64, mean, std float32) error {
	args, err := argument.Scale(pkg, mean, std)
	if err != nil {
		return err
	}
	run(asm.Normal32, s, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), first, args)
	return nil
}

// FillFloat64 fills dst with standard normals: elements 2j and 2j+1 are made of the
// two uint64 numbers of block j of s, 53 bits of each. The largest magnitude is
// 8.6522, sqrt(108 ln 2), where the 53 bits of the first are 0; zero does not occur.
// The bits are the same everywhere.
//
// As the fills of a [philox.Stream] it does not allocate, cannot fail, shares
// large fills among goroutines, and agrees with any longer fill from the same place.
func FillFloat64(s philox.Stream, dst []float64) {
	run(asm.Normal64, s, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), 0, asm.Standard())
}

// FillFloat64At fills dst as [FillFloat64] would fill a slice from element first on.
// The two elements of a pair may be made by different fills.
func FillFloat64At(s philox.Stream, dst []float64, first uint64) {
	run(asm.Normal64, s, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), first, asm.Standard())
}

// FillScaledFloat64 fills dst with z*std + mean, rounded once, where z are the
// elements of [FillFloat64]. With std = 0 every element is the mean. An element is
// infinite only where 8.6522*std + |mean| is above the largest float64.
//
// A mean that is infinite or NaN, or a standard deviation that is negative, infinite
// or NaN, is a [*skip.ArgumentError], and then nothing is written.
func FillScaledFloat64(s philox.Stream, dst []float64, mean, std float64) error {
	return FillScaledFloat64At(s, dst, 0, mean, std)
}

// FillScaledFloat64At fills dst as [FillScaledFloat64] would fill a slice from element
// first on.
func FillScaledFloat64At(s philox.Stream, dst []float64, first uint64, mean, std float64) error {
	args, err := argument.Scale(pkg, mean, std)
	if err != nil {
		return err
	}
	run(asm.Normal64, s, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), first, args)
	return nil
}

// run writes the n elements first, first+1, ... of kind k at dst.
//
// It takes a pointer because the compiler, where it inlines a call of a generic
// function into another package, does not know that the slice does not escape.
func run(k asm.Kind, s philox.Stream, dst unsafe.Pointer, n int, first uint64, args asm.Args) {
	hi, lo := s.Counter().Uint64s()
	fill.Fill(k, dst, n, first, s.Key().Seed(), hi, lo, s.MaxGoroutines(), args)
}
