// Package stack tells whether memory is on the calling goroutine's stack, which
// the runtime moves when it grows or shrinks.
package stack

// Holds reports whether any of the n bytes at address p may be on the calling
// goroutine's stack. Where the stack's bounds are not known (a build without
// assembly, or an architecture that is missing here) it always says so.
func Holds(p, n uintptr) bool {
	lo, hi := bounds()
	return p < hi && lo < p+n
}
