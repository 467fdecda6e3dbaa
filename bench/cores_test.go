package bench

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSpeedup(t *testing.T) {
	ideal := pair{alone: 100, wall: 101, slower: 100}
	for _, tt := range []struct {
		pairs []pair
		want  Speedup
		text  string
	}{
		{[]pair{ideal, {100, 140, 110}, {100, 112, 110}, {100, 119, 119}}, Speedup{200.0 / 110, 3, 4},
			"1.82 times as much as one (median of the 3 of 4 rounds in which both ran at once)"},
		{[]pair{{100, 200, 100}, {100, 200, 199}}, Speedup{0, 0, 2}, "in none of 2 rounds two cores ran at once"},
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
		assert.Greater(t, s.Times, 1.6, "neither was much slower than alone")
		assert.Less(t, s.Times, 4.0)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("enough")
	cancel(stopped)
	_, err = TwoCores(ctx, 3)
	assert.ErrorIs(t, err, stopped)
}
