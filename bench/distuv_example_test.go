package bench

import (
	"fmt"
	"sync"

	"github.com/philox-go/rng/philox"
	"gonum.org/v1/gonum/stat/distuv"
)

// Gonum's distributions keep nothing between draws, so that the state of their source is all
// that a replay needs, however many units of it a gamma number takes.
func Example_gamma() {
	src := philox.NewSource(42)
	gamma := distuv.Gamma{Alpha: 2.5, Beta: 0.5, Src: src}
	for range 1000 {
		gamma.Rand()
	}
	saved, err := src.MarshalBinary()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f %.3f %.3f\n", gamma.Rand(), gamma.Rand(), gamma.Rand())

	later := new(philox.Source)
	if err := later.UnmarshalBinary(saved); err != nil {
		fmt.Println(err)
		return
	}
	gamma.Src = later
	fmt.Printf("%.3f %.3f %.3f\n", gamma.Rand(), gamma.Rand(), gamma.Rand())
	// Output:
	// 3.528 1.857 4.305
	// 3.528 1.857 4.305
}

// Distributions that share a source all go back with it.
func Example_beta() {
	src := philox.NewSource(42)
	beta := distuv.Beta{Alpha: 2, Beta: 3, Src: src}
	gamma := distuv.Gamma{Alpha: 0.7, Beta: 1, Src: src}
	fmt.Printf("%.3f\n", beta.Rand())
	saved, err := src.MarshalBinary()
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 2 {
		fmt.Printf("%.3f %.3f %.3f\n", beta.Rand(), gamma.Rand(), beta.Rand())
		if err := src.UnmarshalBinary(saved); err != nil {
			fmt.Println(err)
			return
		}
	}
	// Output:
	// 0.188
	// 0.373 1.412 0.291
	// 0.373 1.412 0.291
}

// With a substream for each worker its Poisson numbers are the same whichever of
// them comes first and however many there are.
func Example_poisson() {
	draw := func(workers int) [][4]float64 {
		counts := make([][4]float64, workers)
		var wg sync.WaitGroup
		for i := range counts {
			wg.Go(func() {
				src := philox.New(42).Substream(uint64(i) + 1).Source()
				poisson := distuv.Poisson{Lambda: 20, Src: src}
				for j := range counts[i] {
					counts[i][j] = poisson.Rand()
				}
			})
		}
		wg.Wait()
		return counts
	}
	fmt.Println(draw(3))
	fmt.Println(draw(2))
	// Output:
	// [[21 21 20 25] [19 19 23 16] [22 21 18 11]]
	// [[21 21 20 25] [19 19 23 16]]
}

// A copy of a source is a second one at the same place.
func Example_studentsT() {
	src := philox.NewSource(42)
	t := distuv.StudentsT{Mu: 1, Sigma: 2, Nu: 4, Src: src}
	fmt.Printf("%.3f\n", t.Rand())
	twin := *src
	fmt.Printf("%.3f %.3f\n", t.Rand(), t.Rand())
	t.Src = &twin
	fmt.Printf("%.3f %.3f\n", t.Rand(), t.Rand())
	// Output:
	// -1.243
	// -6.890 -4.202
	// -6.890 -4.202
}
