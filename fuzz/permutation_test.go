package fuzz_test

import (
	"math"
	"slices"
	"testing"

	"github.com/philox-go/rng/random"
)

// Permutations have every number once and choices none twice, or are refused; elements
// go where permutations say.
func FuzzPermutations(f *testing.F) {
	f.Add(uint64(1), uint64(0), uint64(0), uint16(10), uint16(4), int64(100))
	f.Add(uint64(2), uint64(1<<48-1), uint64(1<<32-3), uint16(256), uint16(256), int64(256))
	f.Add(uint64(3), uint64(1<<48), uint64(5), uint16(1), uint16(1), int64(3<<30))
	f.Add(uint64(4), uint64(7), uint64(math.MaxUint64-1), uint16(9), uint16(8), int64(math.MaxInt64))
	f.Add(uint64(5), uint64(0), uint64(0), uint16(0), uint16(0), int64(-1))
	f.Add(uint64(6), uint64(0), uint64(0), uint16(1500), uint16(600), int64(3000))
	f.Fuzz(func(t *testing.T, seed, stream, offset uint64, n, k uint16, of int64) {
		place := func() *random.Generator {
			g := random.NewGenerator(random.CPU(), seed)
			if stream > 0 {
				var err error
				if g, err = g.Substream(stream); err != nil {
					t.Fatal(err)
				}
			}
			if err := g.SetOffset(offset); err != nil {
				t.Fatal(err)
			}
			return g
		}
		g := place()
		order := make([]uint16, n)
		err := random.Perm(g, order)
		blocks := (uint64(n) + 3) / 4
		room := blocks == 0 || -offset == 0 || -offset >= blocks
		if (err == nil) != (stream < 1<<48 && room) {
			t.Fatalf("%d of stream %d from %d: %v", n, stream, offset, err)
		}
		if err == nil {
			x, y := make([]int, n), make([]int, n)
			for i := range x {
				x[i], y[i] = i, i
			}
			if err := random.Shuffle(place(), x); err != nil {
				t.Fatal(err)
			}
			if err := random.ShuffleFunc(place(), len(y), func(i, j int) { y[i], y[j] = y[j], y[i] }); err != nil {
				t.Fatal(err)
			}
			for i, v := range order {
				if x[i] != int(v) || y[i] != int(v) {
					t.Fatalf("%d of %d: %d by Perm, %d by Shuffle, %d by ShuffleFunc", i, n, v, x[i], y[i])
				}
			}
			slices.Sort(order)
			for i, v := range order {
				if int(v) != i {
					t.Fatalf("%d of %d is missing", i, n)
				}
			}
		}

		count, all := int(k), int(of)
		x, ok := drawn(t, place(), count, -1, func(g *random.Generator, dst []int64) error {
			return random.Choice(g, dst[:count], all, false)
		})
		if ok && all < count {
			t.Fatalf("%d of %d were chosen", count, all)
		}
		seen := map[int64]bool{}
		for _, v := range x {
			if v < 0 || v >= int64(all) || seen[v] {
				t.Fatalf("%d of %d: %d, or twice", count, all, v)
			}
			seen[v] = true
		}

		mask := make([]bool, n)
		trues := 0
		for i := range mask {
			if mask[i] = seed>>(i%64)&1 == 1; mask[i] {
				trues++
			}
		}
		indices, valid := make([]uint16, count), make([]bool, count)
		if random.ChoiceWithMask(place(), indices, valid, mask, []int{len(mask)}) != nil {
			return
		}
		chosen := map[uint16]bool{}
		for i, v := range indices {
			if valid[i] != (i < trues) || valid[i] && (!mask[v] || chosen[v]) || !valid[i] && v != 0 {
				t.Fatalf("%d of %d true ones of %d: element %d is %d, %v", count, trues, n, i, v, valid[i])
			}
			chosen[v] = valid[i]
		}
	})
}
