//go:build unix

package philox_test

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

// sendSignals sends this program signals that it catches, until stop.
func sendSignals(t *testing.T, stop chan struct{}) {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGUSR1)
	defer signal.Stop(caught)
	sent, arrived := 0, 0
	for {
		if err := syscall.Kill(os.Getpid(), syscall.SIGUSR1); err != nil {
			t.Error(err)
			return
		}
		sent++
		select {
		case <-caught:
			arrived++
		case <-time.After(time.Millisecond):
		case <-stop:
			if arrived == 0 {
				t.Errorf("none of %d signals arrived", sent)
			}
			return
		}
	}
}
