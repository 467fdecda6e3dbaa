package main

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/philox"
)

// A dist is a distribution that fill can write.
type dist struct {
	name     string
	element  string // Go's and NumPy's name of the element's type
	descr    string // the type as a .npy header writes it
	size     uint64 // bytes in an element
	perBlock uint64 // elements in one 128-bit block of the generator
	values   string // what the help says

	// fill puts elements first to first+n-1 of s at the start of buf and
	// returns their little-endian bytes, which lie in buf.
	fill func(s philox.Stream, buf []uint64, n int, first uint64) []byte
}

var dists = []dist{
	newDist("u32", "uint32", "<u4", 4, "every value, equally likely", philox.Stream.FillUint32At),
	newDist("u64", "uint64", "<u8", 2, "every value, equally likely", philox.Stream.FillUint64At),
	newDist("uniform", "float32", "<f4", 4, "[0,1): the multiples of 2^-23", philox.Stream.FillFloat32At),
	newDist("uniform64", "float64", "<f8", 2, "[0,1): the multiples of 2^-52", philox.Stream.FillFloat64At),
	newDist("open", "float32", "<f4", 4, "(0,1): never 0 and never 1, finer near 0", philox.Stream.FillOpenFloat32At),
}

func newDist[T any](name, element, descr string, perBlock uint64, values string, fill func(philox.Stream, []T, uint64)) dist {
	size := int(unsafe.Sizeof(*new(T)))
	return dist{
		name: name, element: element, descr: descr, size: uint64(size), perBlock: perBlock, values: values,
		fill: func(s philox.Stream, buf []uint64, n int, first uint64) []byte {
			fill(s, view.Of[T](buf)[:n], first)
			b := view.Of[byte](buf)[:n*size]
			if !littleEndian {
				reverseEach(b, size)
			}
			return b
		},
	}
}

var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// reverseEach turns the byte order of each element of size bytes in b.
func reverseEach(b []byte, size int) {
	for ; len(b) >= size; b = b[size:] {
		slices.Reverse(b[:size])
	}
}

func findDist(name string) (dist, error) {
	var names []string
	for _, d := range dists {
		if d.name == name {
			return d, nil
		}
		names = append(names, d.name)
	}
	return dist{}, badValue("dist", name, "must be one of "+strings.Join(names, ", "))
}

func distsHelp() string {
	var b strings.Builder
	fmt.Fprintf(&b, "    %-10s %-8s %5s  %s\n", "name", "element", "bytes", "values")
	for _, d := range dists {
		fmt.Fprintf(&b, "    %-10s %-8s %5d  %s\n", d.name, d.element, d.size, d.values)
	}
	return b.String()
}
