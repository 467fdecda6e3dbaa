package philox_test

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/philox-go/rng/philox"
)

// A seed gives the same numbers on every machine.
func Example() {
	x := make([]float32, 4)
	philox.New(42).FillFloat32(x)
	fmt.Println(x)
	// Output: [0.8354591 0.9162973 0.49464953 0.5211133]
}

// Two machines make the halves of one sequence, and neither needs the other.
func ExampleStream_FillFloat32At() {
	s := philox.New(42)
	first, second := make([]float32, 1000), make([]float32, 1000)
	s.FillFloat32At(first, 0)
	s.FillFloat32At(second, 1000)

	whole := make([]float32, 2000)
	s.FillFloat32(whole)
	fmt.Println(slices.Equal(whole, append(first, second...)))
	// Output: true
}

// Each worker takes the stream of its own number, with 2^64 blocks of numbers.
func ExampleStream_Substream() {
	s := philox.New(42)
	for worker := range uint64(3) {
		var x [2]uint32
		s.Substream(worker).FillUint32(x[:])
		fmt.Printf("worker %d: %08x\n", worker, x)
	}
	// Output:
	// worker 0: [9ceaf053 77f5493b]
	// worker 1: [02933769 2051e913]
	// worker 2: [65fe70a6 852e5866]
}

func ExampleStream_WithMaxGoroutines() {
	x, y := make([]float32, 1<<20), make([]float32, 1<<20)
	philox.New(42).FillFloat32(x)                      // on all processors
	philox.New(42).WithMaxGoroutines(1).FillFloat32(y) // in this goroutine alone
	fmt.Println(x[len(x)-1] == y[len(y)-1])
	// Output: true
}

// A Source has a place, as the generators of math/rand/v2 have, and works with
// them.
func ExampleNewSource() {
	r := rand.New(philox.NewSource(42))
	fmt.Println(r.IntN(100), r.IntN(100), r.IntN(100))
	fmt.Println(r.Perm(5))
	// Output:
	// 46 34 32
	// [0 3 4 1 2]
}

// A saved state is 40 bytes, the same on every machine.
func ExampleSource_MarshalBinary() {
	src := philox.NewSource(42)
	src.Skip(1000)
	state, err := src.MarshalBinary()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(src.Uint64())

	var resumed philox.Source
	if err := resumed.UnmarshalBinary(state); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(resumed.Uint64())
	// Output:
	// 1952405079302286244
	// 1952405079302286244
}

// The bare function: no state, no memory.
func ExampleBlock() {
	key := philox.NewKey(42)
	fmt.Printf("%08x\n", philox.Block(key, philox.CounterAt(0, 0)))
	fmt.Printf("%08x\n", philox.Block(key, philox.CounterAt(0, 1)))
	// Output:
	// [9ceaf053 77f5493b 12bf50ad 5742b3d7]
	// [fcdb2127 53ba6cfd 838f5a6e 744e06fb]
}
