package random_test

import (
	"fmt"
	"math"
	"slices"

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

// The weights of a layer from 6 inputs to 2 outputs, as torch.nn.init.kaiming_uniform_
// scales them: within sqrt(6/6) of 0.
func ExampleKaimingUniform() {
	g := random.NewGenerator(random.CPU(), 42)
	weights := make([]float32, 2*6)
	if err := random.KaimingUniform(g, weights, []int{2, 6}, random.Kaiming{}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n%.3f\n", weights[:6], weights[6:])
	fmt.Println(random.KaimingUniform(g, weights, []int{2, 5}, random.Kaiming{}))
	// Output:
	// [0.671 0.833 -0.011 0.042 0.424 -0.087]
	// [-0.760 0.219 0.688 -0.885 0.210 -0.849]
	// random: len(dst) = 12: must be 10, the product of the shape [2 5]
}

// PyTorch's own start of a linear layer: slope sqrt(5) makes the bound 1/sqrt(in).
func ExampleKaiming() {
	const in, out = 25, 4
	g := random.NewGenerator(random.CPU(), 42)
	weights, bias := make([]float32, out*in), make([]float32, out)
	for _, err := range []error{
		random.KaimingUniform(g, weights, []int{out, in}, random.Kaiming{Slope: math.Sqrt(5)}),
		random.Uniform(g, bias, -1./5, 1./5),
	} {
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Printf("%.3f %.3f\n", slices.Max(weights), bias)
	// Output:
	// 0.187 [-0.186 -0.148 0.030 0.134]
}

func ExampleKaimingNormal() {
	g := random.NewGenerator(random.CPU(), 42)
	kernel := make([]float32, 32*16*3*3)
	err := random.KaimingNormal(g, kernel, []int{32, 16, 3, 3}, random.Kaiming{Mode: random.FanOut, Nonlinearity: random.ReLU})
	fmt.Printf("%v %.3f, %d blocks\n", err, kernel[:4], g.Offset())
	// Output:
	// <nil> [-0.081 0.016 -0.103 0.160], 1152 blocks
}

func ExampleXavierUniform() {
	g := random.NewGenerator(random.CPU(), 42)
	gain, err := random.Gain(random.Tanh, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	weights := make([]float64, 2*4)
	err = random.XavierUniform(g, weights, []int{2, 4}, gain, 1)
	fmt.Printf("%v %.3f\n", err, weights)
	// Output:
	// <nil> [-0.565 -1.104 0.505 1.256 -0.132 0.343 1.469 1.335]
}

func ExampleXavierNormal() {
	g := random.NewGenerator(random.CPU(), 42)
	weights := make([]float64, 2*4)
	err := random.XavierNormal(g, weights, []int{2, 4}, 1, 1)
	fmt.Printf("%v %.3f\n", err, weights)
	// Output:
	// <nil> [-0.384 0.598 -0.828 0.244 0.078 -0.522 -0.374 0.355]
}

// A bfloat16 is the upper half of a float32.
func ExampleXavierNormalHalf() {
	g := random.NewGenerator(random.CPU(), 42)
	weights := make([]uint16, 2*4)
	err := random.XavierNormalHalf(g, weights, random.BFloat16, []int{2, 4}, 1, 1)
	fmt.Println(err, math.Float32frombits(uint32(weights[0])<<16), math.Float32frombits(uint32(weights[1])<<16))
	// Output:
	// <nil> -0.55859375 0.111816406
}

// A depthwise convolution of 4 channels with a kernel of 3 by 3. PyTorch's fan_out takes
// no note of groups.
func ExampleFans() {
	shape := []int{4, 1, 3, 3}
	fmt.Println(random.Fans(shape, 0))
	fmt.Println(random.Fans(shape, 4))
	fmt.Println(random.Fans(shape, 3))
	// Output:
	// 9 36 <nil>
	// 9 9 <nil>
	// 0 0 random: groups = 3: must divide shape[0], 4
}

func ExampleGain() {
	fmt.Println(random.Gain(random.ReLU, 0))
	fmt.Println(random.Gain(random.LeakyReLU, 0.01))
	// Output:
	// 1.4142135623730951 <nil>
	// 1.4141428569978354 <nil>
}
