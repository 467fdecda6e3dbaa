package bench

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestCalls(t *testing.T) {
	bytes := map[string]int{}
	for _, c := range Calls() {
		bytes[c.Name] = c.Bytes
		fastest := func(times int) time.Duration {
			best := time.Duration(1<<63 - 1)
			for range 10 {
				from := time.Now()
				c.Run(times)
				best = min(best, time.Since(from))
			}
			return best
		}
		assert.Greater(t, fastest(320_000), 16*fastest(10_000), "%s", c.Name)
	}
	assert.Equal(t, map[string]int{FourWords: 16, OneKiB: 1 << 10, SourceUint64: 8, PCGUint64: 8}, bytes)
}
