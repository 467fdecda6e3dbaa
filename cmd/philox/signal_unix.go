//go:build unix

package main

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// stopSignals leaves out those that were ignored when the program started:
// nohup and the background jobs of a script mean that.
func stopSignals() []os.Signal {
	signals := []os.Signal{syscall.SIGTERM}
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signals = append(signals, s)
		}
	}
	return signals
}

// ignoreFatalSignals makes a pipe without a reader an error of the write, where
// Go would end the program without a word. (A file beyond the limit of "ulimit
// -f" is an error already: Go programs ignore SIGXFSZ.)
func ignoreFatalSignals() { signal.Ignore(syscall.SIGPIPE) }

func isClosedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
