//go:build gc && !purego && (amd64 || arm64 || loong64 || mips64 || mips64le || ppc64 || ppc64le || riscv64 || s390x)

package stack

// Known reports whether this build can tell where the stack is.
const Known = true

// bounds returns the calling goroutine's stack: [lo, hi). They are the first two
// words of the runtime's g, a place that the linker, cgo and debuggers rely on.
func bounds() (lo, hi uintptr)
