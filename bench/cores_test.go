package bench

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSpeedup(t *testing.T) {
	ideal := pair{alone: 1000, wall: 1010, slower: 1000}
	oneInterrupted, aloneInterrupted, notAtOnce := pair{1000, 1310, 1300}, pair{3000, 1010, 1000}, pair{1000, 2000, 1000}
	for _, tt := range []struct {
		pairs []pair
		want  Speedup
		text  string
	}{
		{[]pair{ideal, oneInterrupted, {1000, 1120, 1100}, aloneInterrupted, {1100, 1150, 1110}, notAtOnce}, Speedup{2200.0 / 1110, 3, 6},
			"1.98 times as much as one (median of the 3 undisturbed rounds of 6)"},
		{[]pair{notAtOnce, oneInterrupted}, Speedup{0, 0, 2}, "all 2 rounds were disturbed"},
		{nil, Speedup{}, "all 0 rounds were disturbed"},
	} {
		got := speedupOf(tt.pairs)
		assert.Equal(t, tt.want, got)
		assert.Equal(t, tt.text, got.String())
	}
}

func TestTwoCores(t *testing.T) {
	s, err := TwoCores(t.Context(), 3)
	require.NoError(t, err)
	assert.Equal(t, 3, s.Tried)
	if s.Counted > 0 {
		assert.Less(t, s.Times, 2.5)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("enough")
	cancel(stopped)
	_, err = TwoCores(ctx, 3)
	assert.ErrorIs(t, err, stopped)
}
