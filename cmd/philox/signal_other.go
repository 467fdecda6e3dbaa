//go:build !unix && !windows

package main

import "os"

func stopSignals() []os.Signal { return []os.Signal{os.Interrupt} }

func ignoreFatalSignals() {}

func isClosedPipe(error) bool { return false }
