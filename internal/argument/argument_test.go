package argument

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/skip"
)

// Which fills leave counters for attempts, against sums that have no end.
func TestRetries(t *testing.T) {
	const ones = math.MaxUint64
	end := new(big.Int).Lsh(big.NewInt(1), 64+48)
	for _, hi := range []uint64{0, 1<<48 - 2, 1<<48 - 1, 1 << 48, 1 << 63, ones} {
		for _, lo := range []uint64{0, 1, 1 << 62, 3 << 62, ones - 2, ones - 1, ones} {
			s := philox.NewAt(philox.NewKey(1), philox.CounterAt(hi, lo))
			for _, per := range []uint64{2, 4} {
				for _, first := range []uint64{0, 1, 2, 3, 4, 5, 11, 1 << 63, ones - 1, ones} {
					for _, n := range []int{0, 1, 2, 3, 4, 5, 9, math.MaxInt} {
						last := new(big.Int).SetUint64(hi)
						last.Lsh(last, 64).Add(last, new(big.Int).SetUint64(lo))
						want := ""
						if last.Cmp(end) >= 0 {
							want = "s"
						} else if n > 0 {
							element := new(big.Int).SetUint64(first)
							element.Add(element, big.NewInt(int64(n)-1))
							if last.Add(last, element.Div(element, new(big.Int).SetUint64(per))).Cmp(end) >= 0 {
								want = "first"
							}
						}
						err := Retries("some", per, s, n, first)
						if want == "" {
							require.NoError(t, err, "%v, %d from %d", s.Counter(), n, first)
							continue
						}
						var arg *skip.ArgumentError
						require.ErrorAs(t, err, &arg, "%v, %d from %d", s.Counter(), n, first)
						require.Equal(t, want, arg.Arg, "%v, %d from %d", s.Counter(), n, first)
						require.Equal(t, "some", arg.Package)
					}
				}
			}
		}
	}
}

func TestText(t *testing.T) {
	type celsius float32
	assert.Equal(t, "0.1", Text(float32(0.1)))
	assert.Equal(t, "0.1", Text(celsius(0.1)))
	assert.Equal(t, "0.10000000149011612", Text(float64(float32(0.1))))
	assert.Equal(t, "-0", Text(math.Copysign(0, -1)))
	assert.Equal(t, "NaN", Text(math.NaN()))
	assert.Equal(t, "+Inf", Text(float32(math.Inf(1))))
	assert.EqualError(t, Bad("some", "x", float32(0.1), "must not be"), "some: x = 0.1: must not be")
}

func TestFinite(t *testing.T) {
	for _, x := range []float64{0, 1, -1, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64} {
		assert.True(t, Finite(x), "%v", x)
	}
	assert.True(t, Finite(float32(math.MaxFloat32)))
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		assert.False(t, Finite(x), "%v", x)
		assert.False(t, Finite(float32(x)), "%v", x)
	}
}
