package mufu

import "unsafe"

// floats returns the memory of words as that of float32.
func floats(w []uint32) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(w))), len(w))
}
