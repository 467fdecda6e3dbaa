//go:build !linux || !cgo

package devicetest

const builtWithDriver = false
