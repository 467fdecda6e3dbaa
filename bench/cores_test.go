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
		{[]pair{ideal, oneInterrupted, {1000, 1120, 1100}, aloneInterrupted, {1100, 1150, 1110}, notAtOnce}, Speedup{"x", 2200.0 / 1110, 3, 6},
			"x 1.98 times as much as one (median of the 3 undisturbed rounds of 6)"},
		{[]pair{notAtOnce, oneInterrupted}, Speedup{"x", 0, 0, 2}, "x: all 2 rounds were disturbed"},
		{nil, Speedup{Name: "x"}, "x: all 0 rounds were disturbed"},
	} {
		got := speedupOf("x", tt.pairs)
		assert.Equal(t, tt.want, got)
		assert.Equal(t, tt.text, got.String())
	}
}

func TestTwoCores(t *testing.T) {
	rows := OnTwoCores()
	require.Len(t, rows, 5)
	assert.Equal(t, Reference, rows[0].Name)
	s, err := TwoCores(t.Context(), rows[1], 3)
	require.NoError(t, err)
	assert.Equal(t, "normal.FillFloat32", s.Name)
	assert.Equal(t, 3, s.Tried)
	if s.Counted > 0 {
		assert.Less(t, s.Times, 2.5)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("enough")
	cancel(stopped)
	_, err = TwoCores(ctx, rows[0], 3)
	assert.ErrorIs(t, err, stopped)
}
