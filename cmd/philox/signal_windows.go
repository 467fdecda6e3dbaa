package main

import (
	"errors"
	"os"
	"syscall"
)

func stopSignals() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }

func ignoreFatalSignals() {}

func isClosedPipe(err error) bool {
	const errorNoData = syscall.Errno(232) // "The pipe is being closed"
	return errors.Is(err, syscall.ERROR_BROKEN_PIPE) || errors.Is(err, errorNoData)
}
