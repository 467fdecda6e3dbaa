package normal_test

import (
	"fmt"
	"math"
	"slices"

	"github.com/philox-go/rng/normal"
	"github.com/philox-go/rng/philox"
)

// A seed gives the same numbers on every machine.
func ExampleFillFloat32() {
	z := make([]float32, 4)
	normal.FillFloat32(philox.New(42), z)
	fmt.Println(z)
	// Output: [-0.9701898 0.19401895 -1.2356207 1.9239268]
}

func ExampleFillFloat64() {
	z := make([]float64, 3)
	normal.FillFloat64(philox.New(42), z)
	fmt.Println(z)
	// Output: [-0.6653748678073492 1.0360238086554647 -1.4338891806537386]
}

// Two machines make the parts of one sequence, and neither needs the other. The parts
// may be cut anywhere, also in the middle of a pair.
func ExampleFillFloat64At() {
	s := philox.New(42)
	first, second := make([]float64, 333), make([]float64, 667)
	normal.FillFloat64At(s, first, 0)
	normal.FillFloat64At(s, second, 333)

	whole := make([]float64, 1000)
	normal.FillFloat64(s, whole)
	fmt.Println(slices.Equal(whole, append(first, second...)))
	// Output: true
}

func ExampleFillScaledFloat64() {
	heights := make([]float64, 4)
	if err := normal.FillScaledFloat64(philox.New(42), heights, 170, 7.5); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f\n", heights)
	fmt.Println(normal.FillScaledFloat64(philox.New(42), heights, 170, -7.5))
	// Output:
	// [165.0 177.8 159.2 173.2]
	// normal: std = -7.5: must be a finite number of at least 0
}

// The bounds are in the units of the numbers, and may be far out in a tail.
func ExampleFillTruncatedFloat32() {
	s := philox.New(42)
	weights, delays := make([]float32, 4), make([]float32, 4)
	if err := normal.FillTruncatedFloat32(s, weights, 0, 0.5, -1, 1); err != nil {
		fmt.Println(err)
		return
	}
	if err := normal.FillTruncatedFloat32(s, delays, 0, 1, 38, float32(math.Inf(1))); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n%.3f\n", weights, delays)
	fmt.Println(normal.FillTruncatedFloat32(s, weights, 0, 0.5, 1, -1))
	// Output:
	// [-0.485 0.097 -0.618 0.962]
	// [38.013 38.020 38.069 38.028]
	// normal: a = 1: must be at most b, -1
}

// A source gives the numbers of the fill one at a time, and can be saved at any of
// them.
func ExampleSource32() {
	src := normal.NewSource32(philox.New(42))
	fmt.Println(src.NormFloat32(), src.NormFloat32(), src.NormFloat32())

	saved, _ := src.MarshalBinary() // never an error
	var later normal.Source32
	if err := later.UnmarshalBinary(saved); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(src.NormFloat32(), later.NormFloat32())
	// Output:
	// -0.9701898 0.19401895 -1.2356207
	// 1.9239268 1.9239268
}

func ExampleSource64_Skip() {
	src := normal.NewSource64(philox.New(42).Substream(7))
	src.Skip(1_000_001)
	block, place := src.Position()
	fmt.Println(block, place)
	// Output: [500000 0 7 0] 1
}
