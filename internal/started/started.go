// Package started counts goroutines, for tests of who works on a fill.
package started

import (
	"runtime/metrics"
	"testing"
)

// Goroutines returns how many goroutines the program has started.
func Goroutines(t *testing.T) uint64 {
	s := []metrics.Sample{{Name: "/sched/goroutines-created:goroutines"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 {
		t.Skip("Go counts goroutines from 1.26 on; .ci/run allows no skip where tests run natively")
	}
	return s[0].Value.Uint64()
}
