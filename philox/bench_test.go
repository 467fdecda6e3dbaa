package philox_test

import (
	"fmt"
	"testing"

	"github.com/philox-go/rng/philox"
)

// Every buffer is written once before the time runs, because the first touch of a
// page costs more than filling it.

func byteSize(n int) string {
	if n >= 1<<20 {
		return fmt.Sprint(n>>20, "MiB")
	}
	return fmt.Sprint(n>>10, "KiB")
}

// benchFill times fills of n bytes.
func benchFill(b *testing.B, k kind, n, goroutines int) {
	s := philox.New(1).WithMaxGoroutines(goroutines)
	dst := memory(n, 0).mem
	k.fill(s, dst)
	b.SetBytes(int64(n))
	for b.Loop() {
		k.fill(s, dst)
	}
}

// BenchmarkParallelThreshold is what parallelBytes of internal/fill rests on: it
// should be about where all becomes faster than one, which depends on how long a
// core takes to wake. Sizes below it run in one goroutine either way, so a look
// below means building with a smaller parallelBytes.
func BenchmarkParallelThreshold(b *testing.B) {
	for n := 64 << 10; n <= 16<<20; n *= 2 {
		b.Run(byteSize(n)+"/one", func(b *testing.B) { benchFill(b, kinds[0], n, 1) })
		b.Run(byteSize(n)+"/all", func(b *testing.B) { benchFill(b, kinds[0], n, 0) })
	}
}

func BenchmarkFillFourWords(b *testing.B) {
	s := philox.New(1)
	var dst [4]uint32
	b.SetBytes(16)
	for b.Loop() {
		s.FillUint32(dst[:])
	}
}

func BenchmarkBlock(b *testing.B) {
	key, c := philox.NewKey(1), philox.Counter{}
	b.SetBytes(16)
	for b.Loop() {
		c[0] = philox.Block(key, c)[0] // each needs the one before
	}
}
