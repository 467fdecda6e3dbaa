package philox_test

import (
	"fmt"
	"math/rand/v2"
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

func BenchmarkFill(b *testing.B) {
	for _, k := range kinds {
		// 15 KiB is a whole number of passes of the longest main loop, 16 KiB is not.
		for _, n := range []int{4 << 10, 15 << 10, 16 << 10, 256 << 10, 64 << 20} {
			for _, g := range []struct {
				name string
				max  int
			}{{"one", 1}, {"all", 0}} {
				b.Run(k.name+"/"+byteSize(n)+"/"+g.name, func(b *testing.B) { benchFill(b, k, n, g.max) })
			}
		}
	}
}

// BenchmarkParallelThreshold is what parallelBytes rests on: it should be about
// where all becomes faster than one, which depends on how long a core takes to
// wake. Sizes below it run in one goroutine either way, so a look below means
// building with a smaller parallelBytes.
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

// The peers of the standard library, in the same run.
func BenchmarkRead(b *testing.B) {
	for _, r := range []struct {
		name string
		read func([]byte) (int, error)
	}{
		{"ChaCha8", rand.NewChaCha8([32]byte{1}).Read},
		{"Source", philox.NewSource(1).Read},
	} {
		b.Run(r.name, func(b *testing.B) {
			dst := memory(15<<10, 0).mem
			b.SetBytes(int64(len(dst)))
			for b.Loop() {
				if _, err := r.read(dst); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Sums are local, so that no store hides what a call costs, and the loop is written
// out for each type, because through an interface no call would inline.
func BenchmarkUint64(b *testing.B) {
	const calls = 1000
	b.Run("PCG", func(b *testing.B) {
		src := rand.NewPCG(1, 2)
		b.SetBytes(8 * calls)
		for b.Loop() {
			var sum uint64
			for range calls {
				sum += src.Uint64()
			}
			sink += sum
		}
	})
	b.Run("Source", func(b *testing.B) {
		src := philox.NewSource(1)
		b.SetBytes(8 * calls)
		for b.Loop() {
			var sum uint64
			for range calls {
				sum += src.Uint64()
			}
			sink += sum
		}
	})
}
