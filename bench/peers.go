package bench

import (
	"math/rand/v2"

	exprand "golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mathext/prng"
	pgrand "pgregory.net/rand"
)

// standardRows are math/rand/v2. Where it has no method that fills a slice, a loop
// does.
func standardRows() []Row {
	pcg, chacha, reader := newPCG(), newChaCha8(), newChaCha8()
	r := rand.New(newPCG())
	return []Row{
		{Name: "math/rand/v2 ChaCha8.Read", Run: repeat(func(dst []byte) { mustRead(reader.Read(dst)) })},
		{Name: "math/rand/v2 ChaCha8.Uint64", Run: repeat(func(dst []uint64) {
			for i := range dst {
				dst[i] = chacha.Uint64()
			}
		})},
		{Name: "math/rand/v2 PCG.Uint64", Run: repeat(func(dst []uint64) {
			for i := range dst {
				dst[i] = pcg.Uint64()
			}
		})},
		{Name: "math/rand/v2 Rand.Float32 (PCG)", Run: repeat(func(dst []float32) {
			for i := range dst {
				dst[i] = r.Float32()
			}
		})},
		{Name: "math/rand/v2 Rand.Float64 (PCG)", Run: repeat(func(dst []float64) {
			for i := range dst {
				dst[i] = r.Float64()
			}
		})},
		{Name: "math/rand/v2 Rand.NormFloat64 (PCG)", Run: repeat(func(dst []float64) {
			for i := range dst {
				dst[i] = r.NormFloat64()
			}
		})},
	}
}

func newPCG() *rand.PCG { return rand.NewPCG(seed, 2) }

func newChaCha8() *rand.ChaCha8 { return rand.NewChaCha8([32]byte{seed}) }

// otherRows are libraries outside the standard one.
func otherRows() []Row {
	var exp exprand.PCGSource
	exp.Seed(seed)
	pg, pgReader := pgrand.New(seed), pgrand.New(seed)
	mt, mt64 := prng.NewMT19937(), prng.NewMT19937_64()
	mt.Seed(seed)
	mt64.Seed(seed)
	split := prng.NewSplitMix64(seed)
	plus, plusplus, starstar := prng.NewXoshiro256plus(seed), prng.NewXoshiro256plusplus(seed), prng.NewXoshiro256starstar(seed)
	return []Row{
		{Name: "x/exp/rand PCGSource.Uint64", Run: repeat(func(dst []uint64) {
			for i := range dst {
				dst[i] = exp.Uint64()
			}
		})},
		{Name: "pgregory.net/rand Rand.Read", Run: repeat(func(dst []byte) { mustRead(pgReader.Read(dst)) })},
		{Name: "pgregory.net/rand Rand.Uint64", Run: repeat(func(dst []uint64) {
			for i := range dst {
				dst[i] = pg.Uint64()
			}
		})},
		{Name: "gonum prng MT19937.Uint32", Run: repeat(func(dst []uint32) {
			for i := range dst {
				dst[i] = mt.Uint32()
			}
		})},
		{Name: "gonum prng MT19937_64.Uint64", Run: repeat(func(dst []uint64) {
			for i := range dst {
				dst[i] = mt64.Uint64()
			}
		})},
		{Name: "gonum prng SplitMix64.Uint64", Run: repeat(func(dst []uint64) {
			for i := range dst {
				dst[i] = split.Uint64()
			}
		})},
		{Name: "gonum prng Xoshiro256plus.Uint64", Run: repeat(func(dst []uint64) {
			for i := range dst {
				dst[i] = plus.Uint64()
			}
		})},
		{Name: "gonum prng Xoshiro256plusplus.Uint64", Run: repeat(func(dst []uint64) {
			for i := range dst {
				dst[i] = plusplus.Uint64()
			}
		})},
		{Name: "gonum prng Xoshiro256starstar.Uint64", Run: repeat(func(dst []uint64) {
			for i := range dst {
				dst[i] = starstar.Uint64()
			}
		})},
	}
}
