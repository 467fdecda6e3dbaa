package bench

import (
	"strings"
	"testing"

	"github.com/philox-go/rng/internal/measure"
)

// Every row at every size. Fills are shared among cores in the benchmarks that end
// in all.
func BenchmarkRows(b *testing.B) {
	mem := Memory(LargeSize)
	for _, r := range Rows() {
		for _, n := range Sizes {
			name := subName(r.Name) + "/" + subName(measure.SizeName(n))
			b.Run(name+"/one", func(b *testing.B) { benchmark(b, r.Run.Contender(name, mem[:n])) })
			if r.All != nil {
				b.Run(name+"/all", func(b *testing.B) { benchmark(b, r.All.Contender(name, mem[:n])) })
			}
		}
	}
}

func BenchmarkCalls(b *testing.B) {
	for _, c := range Calls() {
		b.Run(subName(c.Name), func(b *testing.B) { benchmark(b, c) })
	}
}

// subName makes one part of a benchmark's name, which -bench splits at slashes.
func subName(name string) string {
	return strings.NewReplacer(" ", "", "/", ".").Replace(name)
}

// benchmark leaves the repetition to the contender, unlike b.Loop.
func benchmark(b *testing.B, c measure.Contender) {
	c.Run(1)
	b.SetBytes(int64(c.Bytes))
	b.ResetTimer()
	c.Run(b.N)
}
