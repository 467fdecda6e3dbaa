package verify

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// longestHeader bounds what is read of a .npy file before its numbers.
const longestHeader = 1 << 16

var (
	descrField   = regexp.MustCompile(`'descr'\s*:\s*'([^']*)'`)
	fortranField = regexp.MustCompile(`'fortran_order'\s*:\s*(True|False)`)
	shapeField   = regexp.MustCompile(`'shape'\s*:\s*\(([0-9, ]*)\)`)
)

// npyHeader reads the header of a .npy file: how long it is, the type of the elements and how
// many there are.
func npyHeader(r *bufio.Reader) (length uint64, descr string, n uint64, err error) {
	bad := func(format string, a ...any) (uint64, string, uint64, error) {
		return 0, "", 0, fmt.Errorf(format, a...)
	}
	var start [8]byte
	if _, err := io.ReadFull(r, start[:]); err != nil || string(start[:6]) != "\x93NUMPY" {
		return bad("is no .npy file")
	}
	var digits [4]byte
	width := 2
	if start[6] >= 2 {
		width = 4
	}
	if start[6] < 1 || start[6] > 3 {
		return bad("is of .npy's version %d, and not 1, 2 or 3", start[6])
	}
	if _, err := io.ReadFull(r, digits[:width]); err != nil {
		return bad("ends in its .npy header")
	}
	size := binary.LittleEndian.Uint32(digits[:])
	if size > longestHeader {
		return bad("has a .npy header of %d bytes, more than %d", size, longestHeader)
	}
	header := make([]byte, size)
	if _, err := io.ReadFull(r, header); err != nil {
		return bad("ends in its .npy header")
	}
	d, f, s := descrField.FindSubmatch(header), fortranField.FindSubmatch(header), shapeField.FindSubmatch(header)
	if d == nil || f == nil || s == nil {
		return bad("has a .npy header without a plain type, order and shape")
	}
	n = 1
	dimensions := 0
	for field := range strings.SplitSeq(string(s[1]), ",") {
		if field = strings.TrimSpace(field); field == "" {
			continue
		}
		m, err := strconv.ParseUint(field, 10, 64)
		// The limit is above any length of a file.
		if err != nil || n > 0 && m > mostBytes/n {
			return bad("has a .npy header with the shape (%s)", s[1])
		}
		n *= m
		dimensions++
	}
	if dimensions > 1 && string(f[1]) == "True" {
		return bad("is in Fortran's order")
	}
	return uint64(len(start)+width) + uint64(size), string(d[1]), n, nil
}
