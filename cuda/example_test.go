package cuda_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/philox-go/rng/cuda"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/random"
)

// Normals on a GPU, or, where there is none, the same ones on the CPU.
func Example() {
	x := make([]float32, 4)
	dev, err := cuda.Open(0)
	switch {
	case errors.Is(err, cuda.ErrUnavailable):
		g := random.NewGenerator(random.CPU(), 42)
		if err := random.Normal(g, x, 0, 1); err != nil {
			log.Fatal(err)
		}
	case err != nil:
		log.Fatal(err)
	default:
		defer dev.Close()
		g := random.NewGenerator(dev.Random(), 42)
		buf, err := cuda.Alloc[float32](dev, len(x))
		if err != nil {
			log.Fatal(err)
		}
		defer buf.Free()
		if err := cuda.Normal(g, buf, 0, 1); err != nil {
			log.Fatal(err)
		}
		if err := buf.CopyTo(x); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(x)
	// Output: [-0.9701898 0.19401895 -1.2356207 1.9239268]
}

// Another library's memory is filled on that library's stream: a tensor of PyTorch, say,
// whose data_ptr() and torch.cuda.current_stream().cuda_stream came here as numbers.
func ExampleWrap() {
	fill := func(dataPtr, stream uintptr, n int) error {
		dev, err := cuda.Open(0)
		if err != nil {
			return err
		}
		defer dev.Close()
		tensor, err := cuda.Wrap[float32](dev, dataPtr, n)
		if err != nil {
			return err
		}
		uniforms, err := cuda.Uniforms[float32](-1, 1)
		if err != nil {
			return err
		}
		return uniforms.Fill(tensor.On(dev.StreamAt(stream)), philox.New(42), 0)
	}
	_ = fill
}

// A captured graph draws new numbers at every launch, since the counter that it starts from is
// in the device's memory and moves on there.
func ExampleState() {
	draw := func(dev *cuda.Device) error {
		stream, err := dev.NewStream()
		if err != nil {
			return err
		}
		defer stream.Close()
		x, err := cuda.Alloc[float32](dev, 1_000_000)
		if err != nil {
			return err
		}
		defer x.Free()
		normals, err := cuda.Normals[float32](0, 1)
		if err != nil {
			return err
		}
		if err := normals.Load(dev); err != nil { // not while capturing
			return err
		}
		state, err := cuda.NewState(dev, philox.New(42))
		if err != nil {
			return err
		}
		defer state.Free()
		graph, err := stream.Capture(func() error { return normals.FillFrom(x.On(stream), state) })
		if err != nil {
			return err
		}
		defer graph.Close()
		for range 10 {
			if err := graph.Launch(stream); err != nil {
				return err
			}
		}
		return state.Set(philox.New(43), stream) // the next launch begins with another seed
	}
	_ = draw
}
