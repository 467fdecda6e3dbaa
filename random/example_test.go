package random_test

import (
	"fmt"
	"sync"

	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/random"
)

// Numbers come from blocks that a caller has for itself.
func ExampleGenerator_ReserveStream() {
	g := random.NewGenerator(random.CPU(), 42)
	for range 2 {
		words := make([]uint32, 4) // one block of 16 bytes
		s, err := g.ReserveStream(1)
		if err != nil {
			fmt.Println(err)
			return
		}
		s.FillUint32(words)
		fmt.Println(words, g.Offset())
	}
	// Output:
	// [2632642643 2012563771 314527917 1463989207] 1
	// [4242219303 1404726525 2207210094 1951270651] 2
}

// Reserve gives a launch on a GPU the blocks that it may use.
func ExampleGenerator_Reserve() {
	g := random.NewGenerator(random.CUDA(0), 42)
	first, _ := g.Reserve(1000) // errors are for streams that end
	second, _ := g.Reserve(1000)
	fmt.Println(first, second, g.Offset())

	g.SetOffset(1<<64 - 10)
	_, err := g.Reserve(1000)
	fmt.Println(err)
	// Output:
	// 0 1000 2000
	// random: blocks = 1000: must be at most 10, what the stream has left
}

// Workers with a substream each get the same numbers in every run. Workers that share
// a generator do not: none gets another's numbers, but who comes first is chance. Here
// two orders stand for what a scheduler may choose.
func ExampleGenerator_Substream() {
	// play has workers draw a number each in an order.
	play := func(order []int, generator func(worker int) *random.Generator) []uint32 {
		numbers := make([]uint32, len(order))
		turn := make([]chan bool, len(order)+1)
		for i := range turn {
			turn[i] = make(chan bool, 1)
		}
		turn[0] <- true
		var wg sync.WaitGroup
		for i, worker := range order {
			wg.Go(func() {
				g := generator(worker)
				<-turn[i]
				s, err := g.ReserveStream(1)
				turn[i+1] <- true
				if err != nil {
					panic(err)
				}
				s.FillUint32(numbers[worker : worker+1])
			})
		}
		wg.Wait()
		return numbers
	}

	root := random.NewGenerator(random.CPU(), 42)
	substream := func(worker int) *random.Generator {
		g, err := root.Substream(uint64(worker) + 1) // ids start at 1
		if err != nil {
			panic(err)
		}
		return g
	}
	fmt.Println("substreams")
	fmt.Println(play([]int{0, 1, 2, 3}, substream))
	fmt.Println(play([]int{2, 0, 3, 1}, substream))

	shared := func(int) *random.Generator { return random.Default(random.CPU()) }
	fmt.Println("the shared default generator")
	random.ManualSeed(42)
	fmt.Println(play([]int{0, 1, 2, 3}, shared))
	random.ManualSeed(42)
	fmt.Println(play([]int{2, 0, 3, 1}, shared))
	// Output:
	// substreams
	// [43202409 1711173798 173123250 671160593]
	// [43202409 1711173798 173123250 671160593]
	// the shared default generator
	// [2632642643 4242219303 3547071013 3133604981]
	// [4242219303 3133604981 2632642643 3547071013]
}

// A generator for each of n workers.
func ExampleGenerator_Split() {
	parts, err := random.NewGenerator(random.CPU(), 42).Split(3)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, g := range parts {
		fmt.Println(g.Seed(), g.Stream(), g.Offset())
	}
	_, err = parts[0].Split(2)
	fmt.Println(err)
	// Output:
	// 42 1 0
	// 42 2 0
	// 42 3 0
	// random: stream = 1: must be 0: a substream has no substreams
}

// A saved state continues where it was saved.
func ExampleGenerator_State() {
	g := random.NewGenerator(random.CPU(), 42)
	g.Reserve(1000)
	saved := g.State()
	g.Reserve(5)

	later := random.NewGenerator(random.CPU(), 0)
	if err := later.SetState(saved); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(later.Seed(), later.Offset())

	saved[20] ^= 1
	fmt.Println(later.SetState(saved) != nil, later.Offset())
	fmt.Println(random.NewGenerator(random.CUDA(0), 0).SetState(g.State()))
	// Output:
	// 42 1000
	// true 1000
	// random: state: device kind = 0 (cpu): must be 1 (cuda)
}

// A copy shares the stream, a clone repeats it.
func ExampleGenerator_Clone() {
	g := random.NewGenerator(random.CPU(), 42)
	handle, clone := *g, g.Clone()
	g.Reserve(10)
	fmt.Println(handle.Offset(), clone.Offset())
	// Output: 10 0
}

func ExampleManualSeed() {
	random.ManualSeed(42)
	var g *random.Generator // nil: the CPU's default generator
	g.Reserve(10)
	fmt.Println(g.Seed(), g.Offset(), random.Default(random.CUDA(1)).Seed())
	random.ManualSeed(43)
	fmt.Println(g.Seed(), g.Offset(), random.Default(random.CUDA(1)).Seed())
	// Output:
	// 42 10 42
	// 43 0 43
}

// What a function for one device does with the generator that it is given.
func ExampleOn() {
	words := func(g *random.Generator, dst []uint32) error {
		g, err := random.On(g, random.CPU())
		if err != nil {
			return err
		}
		s, err := g.ReserveStream((uint64(len(dst)) + 3) / 4)
		if err != nil {
			return err
		}
		s.FillUint32(dst)
		return nil
	}
	random.ManualSeed(42)
	dst, want := make([]uint32, 2), make([]uint32, 2)
	err := words(nil, dst)
	philox.New(42).FillUint32(want)
	fmt.Println(err, dst[0] == want[0], dst[1] == want[1])
	fmt.Println(words(random.NewGenerator(random.CUDA(1), 42), dst))
	// Output:
	// <nil> true true
	// random: the generator's device = cuda:1: must be cpu
}
