// Package view looks at the same memory as numbers of another type, for code that
// treats all kinds of fills alike.
package view

import "unsafe"

// Of returns mem's memory as a slice of T, as many as fit. The memory must be
// aligned as T needs, and neither type may hold pointers.
func Of[T, S any](mem []S) []T {
	size := len(mem) * int(unsafe.Sizeof(*new(S)))
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(mem))), size/int(unsafe.Sizeof(*new(T))))
}
