package bench

import (
	"github.com/philox-go/rng/internal/measure"
	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/philox"
)

// Names of the contenders of Calls.
const (
	FourWords    = "FillUint32 of 4 words"
	OneKiB       = "FillUint32 of 1 KiB"
	SourceUint64 = "Source.Uint64"
	PCGUint64    = "PCG.Uint64"
)

// Calls returns contenders of which a single call matters. Sums are local, so that
// no store hides what a call costs.
func Calls() []measure.Contender {
	s := philox.New(seed).WithMaxGoroutines(1)
	words := view.Of[uint32](Memory(1 << 10))
	src, pcg := philox.NewSource(seed), newPCG()
	return []measure.Contender{
		{Name: FourWords, Bytes: 16, Run: func(times int) {
			for range times {
				s.FillUint32(words[:4])
			}
		}},
		{Name: OneKiB, Bytes: 1 << 10, Run: func(times int) {
			for range times {
				s.FillUint32(words)
			}
		}},
		{Name: SourceUint64, Bytes: 8, Run: func(times int) {
			var sum uint64
			for range times {
				sum += src.Uint64()
			}
			sink += sum
		}},
		{Name: PCGUint64, Bytes: 8, Run: func(times int) {
			var sum uint64
			for range times {
				sum += pcg.Uint64()
			}
			sink += sum
		}},
	}
}

// sink keeps the compiler from dropping sums.
var sink uint64
