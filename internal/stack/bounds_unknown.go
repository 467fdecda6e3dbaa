//go:build !gc || purego || !(amd64 || arm64 || loong64 || mips64 || mips64le || ppc64 || ppc64le || riscv64 || s390x)

package stack

// Known reports whether this build can tell where the stack is.
const Known = false

func bounds() (lo, hi uintptr) { return 0, ^uintptr(0) }
