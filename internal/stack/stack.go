// Package stack tells whether memory is on the calling goroutine's stack, which
// the runtime moves when it grows or shrinks.
package stack

import "unsafe"

// Holds reports whether any of the n bytes at p may be on the calling goroutine's
// stack. Where the stack's bounds are not known (a build without assembly, or an
// architecture that is missing here) it always says so.
//
// It must not be split: a stack that moved between its bounds being read and the
// address being taken would make the two of different stacks.
//
//go:nosplit
func Holds(p unsafe.Pointer, n uintptr) bool {
	lo, hi := bounds()
	at := uintptr(p)
	return at < hi && lo < at+n
}
