package cuda

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestGate(t *testing.T) {
	var g gate
	require.True(t, g.enter())
	require.True(t, g.enter())
	closed := make(chan bool)
	go func() { closed <- g.close() }()
	// The one who waits to close keeps newcomers out, among them those who are in already.
	require.Eventually(t, func() bool {
		if g.enter() {
			g.leave()
			return false
		}
		return true
	}, time.Minute, time.Millisecond)
	assert.False(t, g.close(), "closed twice")
	g.leave()
	select {
	case <-closed:
		t.Fatal("closed with one inside")
	case <-time.After(20 * time.Millisecond):
	}
	g.leave()
	assert.True(t, <-closed)
	assert.False(t, g.enter())
	assert.False(t, g.close())
}

func TestGateOfMany(t *testing.T) {
	for range 200 {
		var (
			g        gate
			inside   atomic.Int32
			closings atomic.Int32
			all      sync.WaitGroup
		)
		for i := range 8 {
			all.Go(func() {
				for range 20 {
					if !g.enter() {
						return
					}
					inside.Add(1)
					inside.Add(-1)
					g.leave()
				}
				if i%2 == 0 && g.close() {
					assert.Zero(t, inside.Load())
					closings.Add(1)
				}
			})
		}
		all.Wait()
		require.EqualValues(t, 1, closings.Load())
	}
}
