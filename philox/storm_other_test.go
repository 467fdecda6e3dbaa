//go:build !unix

package philox_test

import "testing"

// sendSignals does nothing: this system has no signals to send.
func sendSignals(*testing.T, chan struct{}) {}
