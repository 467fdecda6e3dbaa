package random_test

import (
	"fmt"
	"math"

	"github.com/philox-go/rng/random"
)

func ExampleUniform() {
	g := random.NewGenerator(random.CPU(), 42)
	x := make([]float32, 4)
	if err := random.Uniform(g, x, -1, 1); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(x, g.Offset())
	fmt.Println(random.Uniform(g, x, 1, -1))
	// Output:
	// [0.6709182 0.83259463 -0.010700941 0.042226553] 1
	// random: lo = 1: must be less than hi, -1
}

func ExampleNormal() {
	g := random.NewGenerator(random.CPU(), 42)
	heights := make([]float64, 3)
	if err := random.Normal(g, heights, 170, 7.5); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f, %d blocks\n", heights, g.Offset())
	// Output:
	// [165.0 177.8 159.2], 2 blocks
}

func ExampleTruncatedNormal() {
	g := random.NewGenerator(random.CPU(), 42)
	weights := make([]float32, 4)
	if err := random.TruncatedNormal(g, weights, 0, 0.02, -0.04, 0.04); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(weights)
	// Output:
	// [-0.019403797 0.0038803788 -0.024712414 0.038478535]
}

func ExampleIntN() {
	g := random.NewGenerator(random.CPU(), 42)
	dice := make([]uint8, 10)
	if err := random.IntN(g, dice, 1, 7); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(dice)
	// Output:
	// [4 3 1 3 6 2 4 3 5 4]
}

func ExampleBernoulli() {
	g := random.NewGenerator(random.CPU(), 42)
	coins, votes := make([]bool, 4), make([]float32, 4)
	for _, err := range []error{random.Bernoulli(g, coins, 0.5), random.Bernoulli(g, votes, 0.75)} {
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(coins, votes)
	// Output:
	// [false true true true] [0 1 1 1]
}

// The mask of the way forward is kept for the way back.
func ExampleDropout() {
	g := random.NewGenerator(random.CPU(), 42)
	x := []float32{1, 2, 3, 4, 5, 6, 7, 8}
	mask := make([]byte, random.MaskBytes(len(x)))
	y := make([]float32, len(x))
	if err := random.Dropout(g, y, mask, x, 0.5, true); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(y)

	grad := []float32{1, 1, 1, 1, 1, 1, 1, 1}
	if err := random.DropoutBackward(grad, mask, grad, 0.5); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(grad)
	// Output:
	// [2 0 0 0 10 0 14 0]
	// [2 0 0 0 2 0 2 0]
}

// The columns of a matrix that is stored by rows, one after the other.
func ExampleStrided() {
	const rows, columns = 2, 3
	g := random.NewGenerator(random.CPU(), 42)
	matrix := make([]int, rows*columns)
	transposed := random.View[int]{Data: matrix, Shape: []int{columns, rows}, Strides: []int{1, columns}}
	err := random.Strided(transposed, func(dst []int) error {
		return random.IntN(g, dst, 0, 100)
	})
	fmt.Println(err, matrix[:columns], matrix[columns:])

	line := make([]int, rows*columns)
	err = random.IntN(random.NewGenerator(random.CPU(), 42), line, 0, 100)
	fmt.Println(err, line)
	// Output:
	// <nil> [61 7 98] [46 34 32]
	// <nil> [61 46 7 34 98 32]
}

// A bfloat16 is the upper half of a float32. Uniform ones are multiples of 1/128.
func ExampleUniformHalf() {
	g := random.NewGenerator(random.CPU(), 42)
	x := make([]uint16, 4)
	if err := random.UniformHalf(g, x, random.BFloat16, 0, 1); err != nil {
		fmt.Println(err)
		return
	}
	for _, bits := range x {
		fmt.Println(math.Float32frombits(uint32(bits) << 16))
	}
	// Output:
	// 0.6484375
	// 0.4609375
	// 0.3515625
	// 0.6796875
}
