package mufu_test

import (
	"fmt"
	"math"

	"github.com/philox-go/rng/rosetta/mufu"
)

// The logarithm of one half, as the special-function unit has it.
func ExampleLg2() {
	fmt.Println(mufu.Lg2(0.5), mufu.Lg2(1), mufu.Lg2(8))
	// Output: -0.9999999 0 3
}

// CUDA's __sinf and __cosf are sin.approx and cos.approx.
func ExampleSin() {
	const x = 1
	fmt.Println(mufu.Sin(x), float32(math.Sin(x)))
	fmt.Println(mufu.Cos(x), float32(math.Cos(x)))
	// Output:
	// 0.8414709 0.84147096
	// 0.54030234 0.5403023
}

// CUDA's fast logarithm beside its accurate one.
func ExampleFastLog() {
	fmt.Println(mufu.FastLog(0.99), mufu.Logf(0.99))
	// Output:
	// -0.010050287 -0.010050327
}

func ExampleFastDivide() {
	fmt.Println(mufu.FastDivide(1, 37), float32(1)/37)
	// Output:
	// 0.027027026 0.027027028
}

// The seed that a division of float64 starts from: 20 bits after the leading one.
func ExampleRcp64() {
	fmt.Printf("%x\n", mufu.Rcp64(3))
	// Output:
	// 0x1.55555p-02
}

// The radius and a coordinate of the method of Box and Muller, as cuRAND has them.
func ExampleLogf() {
	u, v := float32(0.25), float32(1.5)
	radius := float32(math.Sqrt(float64(-2 * mufu.Logf(u))))
	fmt.Println(radius * mufu.Sin(v))
	// Output:
	// 1.6609381
}

func ExampleSincospi() {
	fmt.Println(mufu.Sincospi(0.25))
	fmt.Println(mufu.Sincospi(1.5))
	// Output:
	// 0.7071067811865475 0.7071067811865476
	// -1 0
}

func ExampleLog() {
	fmt.Println(mufu.Log(3), mufu.Log1p(2), mufu.Exp(1))
	// Output:
	// 1.0986122886681098 1.0986122886681098 2.718281828459045
}

// The numbers of torch.rand and torch.randn are made of words like these.
func ExampleNormals() {
	x, y := []uint32{0, 1 << 31, 1<<32 - 1}, []uint32{1 << 30, 1, 2}
	sin, cos := make([]float32, 3), make([]float32, 3)
	mufu.Normals(sin, cos, x, y)
	fmt.Println(sin, cos)
	mufu.Uniforms(sin, x)
	fmt.Println(sin)
	// Output:
	// [6.7637057 0 -0] [0 1.17741 -0]
	// [1.1641532e-10 0.5 1]
}
