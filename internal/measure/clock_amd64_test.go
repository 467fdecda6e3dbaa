package measure

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A multiplication takes three cycles on all of today's processors with amd64, so
// it tells whether a chain takes as many as it says.
func TestCyclesOfMultiplications(t *testing.T) {
	const n = 1000
	eventually(t, func(t require.TestingT) {
		r, err := Interleave(context.Background(), []Contender{{Name: "multiply", Bytes: 64, Run: func(times int) {
			chained += power(5, n*times)
		}}}, Options{Rounds: 21, Slice: 100 * time.Microsecond})
		require.NoError(t, err)
		require.InEpsilon(t, 3*n, r.Cycles64(r.Results[0]), 0.2)
	})
}

// power returns x^n mod 2^64, slowly. It is apart because the compiler turns
// multiplications by a number that it knows into something faster.
//
//go:noinline
func power(x uint64, n int) uint64 {
	p := uint64(1)
	for range n {
		p *= x
	}
	return p
}
