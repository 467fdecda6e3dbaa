package random

import (
	"unsafe"

	"github.com/philox-go/rng/internal/draw"
	"github.com/philox-go/rng/philox/asm"
)

// Float is a type of numbers that are drawn.
type Float interface{ ~float32 | ~float64 }

// Half is any type that has the bits of a float16 or a bfloat16, such as those of other
// packages. Which of the two it is, a [Format] says.
type Half interface{ ~uint16 }

// Integer is a type of integers that are drawn.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// A Format is a format of floating-point numbers in 16 bits.
type Format uint8

const (
	// Float16 is IEEE 754's binary16: 11 significant bits, up to 65504.
	Float16 = Format(asm.F16)
	// BFloat16 is the upper half of a float32: 8 significant bits, up to 3.39e38.
	BFloat16 = Format(asm.B16)
)

// String returns the name of the format, such as "float16".
func (f Format) String() string { return asm.Half(f).String() }

// run reserves the blocks of n elements and writes them at dst. It takes a pointer for
// the reason that draw.Draw.Fill has.
func run(g *Generator, d draw.Draw, err error, dst unsafe.Pointer, n int) error {
	if err != nil {
		return err
	}
	g, err = On(g, CPU())
	if err != nil {
		return err
	}
	from, err := g.reserve(d.Blocks(n), d.Retries())
	if err != nil {
		return err
	}
	return d.Fill(from.blocks(), dst, n, 0)
}

// at returns where a slice begins.
func at[T any](s []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }
