package asm

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Slices that fill their memory lie end to end: an address behind one of them is that
// of another, which the race detector's checks of pointers do not let pass. Lengths
// around whole groups, also around those that one pass turns.
func TestTransformStaysInItsMemory(t *testing.T) {
	const neighbours = 8
	lengths := []int{ // in words of 4 bytes
		2, 30, 32, 34, 64, 256, 1024, 2048, 2050, 4096, 8192,
	}
	for _, k := range []Kind{Normal32, Normal64} {
		for _, n := range lengths {
			n = n * 4 / k.Size()
			var want []uint32
			for _, l := range Levels() {
				for range neighbours {
					var got []uint32
					if k == Normal32 {
						got = make([]uint32, n)
						Fill(Uint32, got, [2]uint32{1, 2}, [4]uint32{3})
						Transform(l, k, got, Standard())
					} else {
						wide := make([]uint64, n)
						Fill(Uint64, wide, [2]uint32{1, 2}, [4]uint32{3})
						Transform(l, k, wide, Standard())
						for _, w := range wide {
							got = append(got, uint32(w), uint32(w>>32))
						}
					}
					if want == nil {
						want = got
					}
					require.Equal(t, want, got, "%v %v: %d elements", l, k, n)
				}
			}
		}
	}
}
