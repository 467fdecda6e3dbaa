package torch_test

import (
	"fmt"

	"github.com/philox-go/rng/random"
	"github.com/philox-go/rng/rosetta/torch"
)

// What a PyTorch program on an H200 prints; its lines are in the comments.
func Example() {
	card, err := torch.Card("h200")
	if err != nil {
		fmt.Println(err)
		return
	}
	g := torch.NewGenerator(card, 0) //      torch.cuda.manual_seed(0)
	x := make([]float32, 6)          //      x = torch.empty(6, device="cuda")
	torch.Normal(g, x, 0, 1)         //      x.normal_()
	fmt.Printf("%.4f\n", x)          //      print(x)

	perm := make([]int64, 10)
	torch.RandPerm(g, perm) //               torch.randperm(10, device="cuda")
	fmt.Println(perm)
	fmt.Println(g.Offset()) //               torch.cuda.default_generators[0].get_offset()

	state := g.State() //                    state = torch.cuda.get_rng_state()
	torch.Uniform(g, x, 0, 1)
	again := make([]float32, 6)
	g.SetState(state) //                     torch.cuda.set_rng_state(state)
	torch.Uniform(g, again, 0, 1)
	fmt.Println(x[0] == again[0], x[5] == again[5])
	// Output:
	// [-0.9247 -0.4253 -2.6438 0.1452 -0.1209 -0.5797]
	// [1 2 8 6 7 4 5 9 0 3]
	// 20
	// true true
}

func ExampleCard() {
	for _, name := range []string{"RTX 4090", "108x2048"} {
		gpu, err := torch.Card(name)
		fmt.Println(gpu.SMs, gpu.ThreadsPerSM, err)
	}
	// Output:
	// 128 1536 <nil>
	// 108 2048 <nil>
}

// The numbers follow memory, so that a transposed tensor has those of the tensor.
func ExampleStrided() {
	gpu, _ := torch.Card("h200")
	x := make([]float32, 6) // of shape (2, 3)
	view := random.View[float32]{Data: x, Shape: []int{3, 2}, Strides: []int{1, 3}}
	err := torch.Strided(view, func(dst []float32) error { // x.t().uniform_()
		return torch.Uniform(torch.NewGenerator(gpu, 42), dst, 0, 1)
	})
	fmt.Printf("%.4f %v\n", x, err)
	// Output:
	// [0.6130 0.0101 0.3984 0.0403 0.1563 0.4825] <nil>
}

func ExamplePlan() {
	gpu, _ := torch.Card("a100")
	g := torch.NewGenerator(gpu, 1)
	f, err := torch.Plan(g, "normal", "bfloat16", 3_000_000_000, "0", "0.02")
	if err != nil {
		fmt.Println(err)
		return
	}
	last := make([]byte, f.Size())
	err = f.Fill(last, f.Len()-1) // alone
	fmt.Println(f.DType(), len(last), f.After(), err)
	// Output:
	// bfloat16 2 27132 <nil>
}
