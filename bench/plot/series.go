package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/philox-go/rng/bench"
	"github.com/philox-go/rng/internal/measure"
	"gonum.org/v1/plot/plotter"
)

const (
	smallest = 256
	largest  = 1 << 30
)

// parseSize reads a size: a number, and B, KiB, MiB or GiB.
func parseSize(text string) (int, error) {
	wrong := errors.New("must be from 256B to 1GiB, such as 64MiB")
	number, unit := text, 1
	for suffix, n := range map[string]int{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30} {
		if before, ok := strings.CutSuffix(text, suffix); ok {
			number, unit = before, n
		}
	}
	if unit == 1 {
		number = strings.TrimSuffix(text, "B")
	}
	n, err := strconv.Atoi(strings.TrimSpace(number))
	if err != nil || n > largest/unit || n*unit < smallest {
		return 0, wrong
	}
	return n * unit, nil
}

// sizesUpTo returns the powers of two from smallest on.
func sizesUpTo(n int) []int {
	var all []int
	for size := smallest; size <= n; size *= 2 {
		all = append(all, size)
	}
	return all
}

// A choice is a row that becomes a line of the picture.
type choice struct {
	name string
	fill bench.Filler
}

// choose takes the rows that the picture shows: more would hide each other.
func choose(rows []bench.Row) ([]choice, error) {
	find := func(prefix string) (bench.Row, bool) {
		for _, r := range rows {
			if r.Name == prefix || prefix == bench.Random123 && strings.HasPrefix(r.Name, prefix) {
				return r, true
			}
		}
		return bench.Row{}, false
	}
	var all []choice
	for _, name := range []string{bench.Reference, "FillFloat32", bench.Random123, "math/rand/v2 PCG.Uint64", "math/rand/v2 ChaCha8.Read"} {
		r, ok := find(name)
		if !ok {
			if name == bench.Random123 {
				continue // not in this build
			}
			return nil, fmt.Errorf("package bench has no row %q", name)
		}
		if name == bench.Reference {
			all = append(all, choice{r.Name + ", all cores", r.All})
		}
		if r.All != nil {
			r.Name += ", one core"
		}
		all = append(all, choice{r.Name, r.Run})
	}
	return all, nil
}

func cell(c choice, size int) string { return c.name + " at " + measure.SizeName(size) }

func contenders(chosen []choice, sizes []int) []measure.Contender {
	mem := bench.Memory(sizes[len(sizes)-1])
	var all []measure.Contender
	for _, n := range sizes {
		for _, c := range chosen {
			all = append(all, c.fill.Contender(cell(c, n), mem[:n]))
		}
	}
	return all
}

// A series is a line of the picture: GB/s by bytes.
type series struct {
	name   string
	points plotter.XYs
}

// collect reads the report of contenders.
func collect(r measure.Report, chosen []choice, sizes []int) []series {
	all := make([]series, len(chosen))
	for i, c := range chosen {
		all[i].name = c.name
		for j, n := range sizes {
			all[i].points = append(all[i].points, plotter.XY{X: float64(n), Y: r.Results[j*len(chosen)+i].GBps()})
		}
	}
	return all
}
