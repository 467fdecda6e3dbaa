package curand_test

import (
	"fmt"

	"github.com/philox-go/rng/rosetta/curand"
)

// The loop of a kernel that integrates by Monte Carlo, as CUDA's samples have it.
func Example() {
	const seed, threads, perThread = 1234, 4, 1000
	var inside int
	for thread := range uint64(threads) { // threadIdx.x + blockIdx.x * blockDim.x
		s := curand.Init(seed, thread, 0) // curand_init(seed, thread, 0, &s);
		for range perThread {
			x := s.Uniform() // curand_uniform(&s)
			y := s.Uniform()
			if x*x+y*y <= 1 {
				inside++
			}
		}
	}
	fmt.Println(4 * float64(inside) / (threads * perThread))
	// Output: 3.156
}

// A program with the host API. On the right is what it has in C.
func Example_host() {
	x, y := make([]uint32, 4), make([]float32, 4)

	gen := curand.NewGenerator()            // curandCreateGenerator(&gen, CURAND_RNG_PSEUDO_PHILOX4_32_10);
	gen.SetSeed(1234)                       // curandSetPseudoRandomGeneratorSeed(gen, 1234ULL);
	if err := gen.Generate(x); err != nil { // curandGenerate(gen, x, 4);
		panic(err)
	}
	if err := gen.GenerateNormal(y, 0, 1); err != nil { // curandGenerateNormal(gen, y, 4, 0.0f, 1.0f);
		panic(err)
	}
	fmt.Printf("%08x\n%.4f\n", x, y)
	// Output:
	// [2090b348 da7cf0ab 4401906f cbca470e]
	// [0.5685 -0.2859 0.2543 0.6554]
}

func ExampleState_Skipahead() {
	s := curand.Init(42, 0, 0)
	for range 1000 {
		s.Uint32()
	}
	t := curand.Init(42, 0, 0)
	t.Skipahead(1000)
	fmt.Println(s.Uint32() == t.Uint32())
	// Output: true
}

// Any part of an array, without what comes before it.
func ExampleOutput_Values() {
	o := curand.Output{Op: "host_uniform_double", Seed: 42, Ordering: curand.Legacy}
	part := make([]float64, 2)
	if err := o.Values(part, 999_998, 1_000_000); err != nil {
		panic(err)
	}
	all := make([]float64, 1_000_000)
	gen := curand.NewGenerator()
	gen.SetSeed(42)
	if err := gen.GenerateUniformDouble(all); err != nil {
		panic(err)
	}
	fmt.Println(part[0] == all[999_998], part[1] == all[999_999])
	// Output: true true
}

func ExampleParseVector() {
	o, n, err := curand.ParseVector("host_normal_order103_seed42_off1_call1.bin")
	fmt.Println(o.Op, o.Ordering, o.Seed, o.Offset, o.Before, n, err)
	// Output: host_normal legacy 42 1 [20000] 20000 <nil>
}
