package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The headers are what numpy.save writes.
func TestNpyHeader(t *testing.T) {
	for _, c := range []struct {
		descr string
		n     uint64
		dict  string
	}{
		{"<u4", 0, "{'descr': '<u4', 'fortran_order': False, 'shape': (0,), }"},
		{"<u8", 7, "{'descr': '<u8', 'fortran_order': False, 'shape': (7,), }"},
		{"|b1", 3, "{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }"},
		{"<f2", 5, "{'descr': '<f2', 'fortran_order': False, 'shape': (5,), }"},
		{"<f4", 1000000000, "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000,), }"},
		{"<f8", 1<<64 - 1, "{'descr': '<f8', 'fortran_order': False, 'shape': (18446744073709551615,), }"},
	} {
		want := "\x93NUMPY\x01\x00\x76\x00" + c.dict + strings.Repeat(" ", 117-len(c.dict)) + "\n"
		assert.Len(t, want, 128)
		assert.Equal(t, want, string(npyHeader(c.descr, c.n)))
	}
}

func TestNpyHeaderIsPaddedTo64(t *testing.T) {
	for extra := range 130 {
		h := npyHeader(strings.Repeat("x", extra), 1)
		assert.Zero(t, len(h)%64, extra)
		assert.Equal(t, len(h)-10, int(h[8])|int(h[9])<<8, extra)
		assert.Equal(t, byte('\n'), h[len(h)-1], extra)
		assert.Contains(t, string(h), "'shape': (1,), }", extra)
	}
}
