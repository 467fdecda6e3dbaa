package bench

import (
	"fmt"
	"math/rand/v2"

	"github.com/philox-go/rng/internal/measure"
	"github.com/philox-go/rng/random"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Task is something that random does in one call on all cores that it shares the call
// among, and another library too.
type Task struct {
	This, Other measure.Contender
}

// String returns what both do.
func (t Task) String() string { return t.This.Name + " / " + t.Other.Name }

// Vocabulary is the number of weights that indexes are drawn by, that of GPT-2's tokens.
const Vocabulary = 50_257

// Tasks returns all tasks. Rand.Perm makes new memory each time, and random's is given it.
// A table of the weights is made in each call, and gonum's distribution before.
func Tasks() []Task {
	g := random.NewGenerator(random.CPU(), seed)
	r := rand.New(newPCG())
	var tasks []Task
	add := func(bytes int, this string, run func(), other string, runOther func()) {
		repeat := func(name string, run func()) measure.Contender {
			return measure.Contender{Name: name, Bytes: bytes, Run: func(times int) {
				for range times {
					run()
				}
			}}
		}
		tasks = append(tasks, Task{repeat(this, run), repeat(other, runOther)})
	}
	x := make([]int, 1e7)
	for _, c := range []struct {
		name string
		x    []int
	}{{"10^4", x[:1e4]}, {"10^6", x[:1e6]}, {"10^7", x}} {
		of := fmt.Sprintf(" of %s int", c.name)
		bytes := 8 * len(c.x)
		add(bytes,
			"random.Perm"+of, func() { mustWork(random.Perm(g, c.x)) },
			"math/rand/v2 Rand.Perm"+of, func() { sink += uint64(r.Perm(len(c.x))[0]) })
		add(bytes,
			"random.Shuffle"+of, func() { mustWork(random.Shuffle(g, c.x)) },
			"math/rand/v2 Rand.Shuffle"+of, func() {
				r.Shuffle(len(c.x), func(i, j int) { c.x[i], c.x[j] = c.x[j], c.x[i] })
			})
	}
	weights := make([]float64, Vocabulary)
	for i := range weights {
		weights[i] = r.Float64()
	}
	drawn := make([]int, 1e6)
	other := distuv.NewCategorical(weights, newPCG())
	add(8*len(drawn),
		"random.Categorical of 10^6 by 50257 weights", func() { mustWork(random.Categorical(g, drawn, weights)) },
		"gonum distuv.Categorical.Rand of 10^6 by 50257 weights", func() {
			for i := range drawn {
				drawn[i] = int(other.Rand())
			}
		})
	return tasks
}
