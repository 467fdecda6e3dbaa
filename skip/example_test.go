package skip_test

import (
	"fmt"

	"github.com/philox-go/rng/skip"
)

func ExampleCounter_Skip() {
	start := skip.Counter{0xffffffff, 0, 0, 0}
	fmt.Println(start.Skip(1))
	fmt.Println(start.Skip(1 << 63))
	fmt.Println(start) // a value: it has not moved
	// Output:
	// [0 1 0 0]
	// [4294967295 2147483648 0 0]
	// [4294967295 0 0 0]
}

// A worker finds its own part from its number alone.
func ExampleNewPlan() {
	start := skip.Counter{0xfffffffe, 0, 0, 0}
	p, err := skip.NewPlan(10, 4)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, r := range p.All() {
		fmt.Println("shard", i, "has", r.Blocks, "blocks from", r.From(start))
	}
	// Output:
	// shard 0 has 3 blocks from [4294967294 0 0 0]
	// shard 1 has 3 blocks from [1 1 0 0]
	// shard 2 has 2 blocks from [4 1 0 0]
	// shard 3 has 2 blocks from [6 1 0 0]
}

func ExampleNewPlan_error() {
	_, err := skip.NewPlan(10, 0)
	fmt.Println(err)
	// Output: skip: shards = 0: must be at least 1
}

func ExampleCounter_Distance() {
	a := skip.Counter{5, 0, 0, 0}
	b := skip.Counter{3, 0, 1, 0}
	fmt.Println(a.Distance(b))
	fmt.Println(b.Distance(a)) // the way around the circle
	// Output:
	// 0 18446744073709551614
	// 18446744073709551615 2
}
