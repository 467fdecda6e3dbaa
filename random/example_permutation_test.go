package random_test

import (
	"fmt"

	"github.com/philox-go/rng/random"
)

func ExamplePerm() {
	g := random.NewGenerator(random.CPU(), 42)
	order := make([]int32, 10)
	if err := random.Perm(g, order); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(order, g.Offset())
	fmt.Println(random.Perm(g, make([]uint8, 257)))
	// Output:
	// [2 5 1 7 4 3 9 8 6 0] 3
	// random: len(dst) = 257: must be at most 256, the number of integers from 0 on that uint8 has
}

func ExampleShuffle() {
	g := random.NewGenerator(random.CPU(), 42)
	deck := []string{"ace", "king", "queen", "jack", "ten"}
	if err := random.Shuffle(g, deck); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(deck)
	// Output:
	// [queen jack king ace ten]
}

// Images and labels stay together.
func ExampleShuffleFunc() {
	images := [][]float32{{0.1, 0.2}, {0.3, 0.4}, {0.5, 0.6}, {0.7, 0.8}}
	labels := []int{1, 3, 5, 7}
	g := random.NewGenerator(random.CPU(), 42)
	err := random.ShuffleFunc(g, len(labels), func(i, j int) {
		images[i], images[j] = images[j], images[i]
		labels[i], labels[j] = labels[j], labels[i]
	})
	fmt.Println(images, labels, err)
	// Output:
	// [[0.5 0.6] [0.7 0.8] [0.3 0.4] [0.1 0.2]] [5 7 3 1] <nil>
}

func ExampleChoice() {
	g := random.NewGenerator(random.CPU(), 42)
	winners := make([]int64, 5)
	if err := random.Choice(g, winners, 49, false); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(winners)
	fmt.Println(random.Choice(g, winners, 4, false))
	// Output:
	// [30 23 5 18 48]
	// random: n = 4: must be at least 5, len(dst), without replacement
}

// Three of the true elements of a mask, of which there are two.
func ExampleChoiceWithMask() {
	mask := []bool{
		false, true, false,
		false, false, true,
	}
	g := random.NewGenerator(random.CPU(), 42)
	indices, valid := make([]int32, 3*2), make([]bool, 3)
	if err := random.ChoiceWithMask(g, indices, valid, mask, []int{2, 3}); err != nil {
		fmt.Println(err)
		return
	}
	for i, ok := range valid {
		fmt.Println(indices[2*i:][:2], ok)
	}
	// Output:
	// [1 2] true
	// [0 1] true
	// [0 0] false
}
