package mufu

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/philox-go/rng/philox/asm"
	"github.com/stretchr/testify/require"
)

func TestLogDouble(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	vectors(t)
	x := make([]float64, 200_003)
	for i := range x {
		switch i % 4 {
		case 0:
			x[i] = f64(r.Uint64())
		case 1:
			x[i] = UniformDouble(r.Uint32(), r.Uint32())
		case 2:
			x[i] = f64(uint64(r.IntN(2048))<<52 + uint64(r.IntN(5)) - 2)
		default:
			x[i] = 1 - little(r.Uint64())
		}
	}
	for _, n := range append(lengths(), 127, 128, 129, len(x)) {
		for _, l := range asm.Levels() {
			for _, inPlace := range []bool{false, true} {
				dst, arg := make([]float64, n), x[:n]
				if inPlace {
					copy(dst, arg)
					arg = dst
				}
				logDouble(l, dst, arg)
				for i, v := range dst {
					if want := Log(x[i]); bits64(want) != bits64(v) {
						t.Fatalf("%v: log %v (%016x) = %v, not %v", l, x[i], math.Float64bits(x[i]), v, want)
					}
				}
			}
		}
	}
}

func TestDoublesOfWords(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	vectors(t)
	for _, n := range append(lengths(), 100_000) {
		var w [4][]uint32
		for k := range w {
			w[k] = words(r, n)
		}
		for i := range n {
			switch r.IntN(4) {
			case 0: // around whole angles and halves
				z := uint64(r.IntN(5))<<51 + uint64(r.IntN(5)) - 2
				w[3][i] = uint32(z >> 21)
				w[2][i] = uint32(z) ^ w[3][i]<<21
			case 1:
				w[0][i], w[1][i] = 1<<32-1, 1<<32-1-uint32(r.IntN(2))<<11
			}
		}
		for _, l := range asm.Levels() {
			const canary = 5.5
			mem := [3][]float64{make([]float64, n+2), make([]float64, n+2), make([]float64, n+2)}
			for k := range mem {
				mem[k][0], mem[k][n+1] = canary, canary
			}
			sin, cos, u := mem[0][1:n+1], mem[1][1:n+1], mem[2][1:n+1]
			normalsDouble(l, sin, cos, &w)
			uniformsDouble(l, u, w[0], w[1])
			for i := range n {
				a, b := NormalDouble(w[0][i], w[1][i], w[2][i], w[3][i])
				c := UniformDouble(w[0][i], w[1][i])
				if bits64(a) != bits64(sin[i]) || bits64(b) != bits64(cos[i]) || bits64(c) != bits64(u[i]) {
					t.Fatalf("%v: of %08x %08x %08x %08x: %v %v %v, not %v %v %v", l, w[0][i], w[1][i], w[2][i], w[3][i], sin[i], cos[i], u[i], a, b, c)
				}
			}
			for k := range mem {
				require.Equal(t, [2]float64{canary, canary}, [2]float64{mem[k][0], mem[k][n+1]})
			}
		}
	}
}

// TestDoublesOnHardware compares every level's logarithms with sums of a GPU's results: a part
// of them, and all with MUFU_ALL=1 in the environment. Errors of the reciprocal in them would be
// seen in one of a million.
func TestDoublesOnHardware(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("the other tests compare with Log; .ci/run also runs this one")
	}
	found := 0
	offset := 4 * len(functions) * classes
	for set, s := range sets {
		var arg func(z uint64) float64
		switch s.name {
		case "log of (0,1]":
			arg = to1
		case "log of any bits":
			arg = f64
		case "log near 1":
			arg = func(z uint64) float64 { return 1 - little(z) }
		default:
			continue
		}
		found++
		for _, l := range vectors(t) {
			compare(t, l.String()+" "+s.name, offset+4*parts*set, parts, []int{0, 9, 18, 27, 36, 45, 54, 63}, func(part int) uint64 {
				var sum uint64
				x := make([]float64, 1<<10)
				for i := uint64(part) << 20; i < uint64(part+1)<<20; i += uint64(len(x)) {
					for j := range x {
						x[j] = arg(mix(i + uint64(j) + uint64(set)<<32))
					}
					logDouble(l, x, x)
					for j, v := range x {
						sum += mix(bits64(v) ^ mix(i+uint64(j)))
					}
				}
				return sum
			})
		}
	}
	require.Equal(t, 3, found)
}
