package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// npyHeader is what stands before the raw numbers in a NumPy file, format 1.0,
// of n elements. It is padded to a multiple of 64 bytes, as the format asks, so
// that the numbers stay aligned when the file is mapped into memory.
func npyHeader(descr string, n uint64) []byte {
	const magic = "\x93NUMPY\x01\x00"
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }", descr, n)
	size := (len(magic) + 2 + len(dict) + 1 + 63) &^ 63
	h := bytes.Repeat([]byte{' '}, size)
	copy(h, magic)
	binary.LittleEndian.PutUint16(h[len(magic):], uint16(size-len(magic)-2))
	copy(h[len(magic)+2:], dict)
	h[size-1] = '\n'
	return h
}
