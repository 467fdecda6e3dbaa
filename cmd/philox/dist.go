package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/normal"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/skip"
)

// A dist is a distribution that fill can write.
type dist struct {
	name     string
	element  string   // Go's and NumPy's name of the element's type
	descr    string   // the type as a .npy header writes it
	size     uint64   // bytes in an element
	perBlock uint64   // elements in one 128-bit block of the generator
	values   string   // what the help says
	takes    []string // flags of distNumbers that it has

	// with returns the fill of some numbers, those that it does not take left out.
	with func(distNumbers) (distFill, error)
}

// A distFill puts elements first to first+n-1 of s at the start of buf and returns
// their little-endian bytes, which lie in buf.
type distFill func(s philox.Stream, buf []uint64, n int, first uint64) ([]byte, error)

// distNumbers are the flags that some distributions have.
type distNumbers struct{ mean, std float64 }

// distDefaults are those of the flags.
var distDefaults = distNumbers{mean: 0, std: 1}

var dists = []dist{
	newDist("u32", "uint32", "<u4", 4, "every value, equally likely", philox.Stream.FillUint32At),
	newDist("u64", "uint64", "<u8", 2, "every value, equally likely", philox.Stream.FillUint64At),
	newDist("uniform", "float32", "<f4", 4, "[0,1): the multiples of 2^-23", philox.Stream.FillFloat32At),
	newDist("uniform64", "float64", "<f8", 2, "[0,1): the multiples of 2^-52", philox.Stream.FillFloat64At),
	newDist("open", "float32", "<f4", 4, "(0,1): never 0 and never 1, finer near 0", philox.Stream.FillOpenFloat32At),
	newNormal("normal", "float32", "<f4", 4, "normal: -mean, -std; within 6.764 std of mean", normal.FillScaledFloat32At),
	newNormal("normal64", "float64", "<f8", 2, "normal: -mean, -std; within 8.653 std of mean", normal.FillScaledFloat64At),
}

func newDist[T any](name, element, descr string, perBlock uint64, values string, fill func(philox.Stream, []T, uint64)) dist {
	bytes := asBytes(func(s philox.Stream, dst []T, first uint64) error {
		fill(s, dst, first)
		return nil
	})
	return dist{
		name: name, element: element, descr: descr, size: uint64(unsafe.Sizeof(*new(T))), perBlock: perBlock, values: values,
		with: func(distNumbers) (distFill, error) { return bytes, nil },
	}
}

func newNormal[T float32 | float64](name, element, descr string, perBlock uint64, values string,
	fill func(philox.Stream, []T, uint64, T, T) error) dist {
	d := newDist[T](name, element, descr, perBlock, values, nil)
	d.takes = []string{"mean", "std"}
	d.with = func(v distNumbers) (distFill, error) {
		mean, std, err := scaleOf[T](v)
		return asBytes(func(s philox.Stream, dst []T, first uint64) error {
			return fill(s, dst, first, mean, std)
		}), err
	}
	return d
}

// scaleOf rounds mean and standard deviation to the element's type.
func scaleOf[T float32 | float64](v distNumbers) (mean, std T, err error) {
	mean, std = T(v.mean), T(v.std)
	for _, n := range []struct {
		flag    string
		wide    float64
		rounded T
	}{{"mean", v.mean, mean}, {"std", v.std, std}} {
		if math.IsInf(float64(n.rounded), 0) && !math.IsInf(n.wide, 0) {
			return 0, 0, &skip.ArgumentError{Arg: n.flag, Value: fmt.Sprint(n.wide), Reason: "is too large for the distribution's float32"}
		}
	}
	return mean, std, nil
}

// asBytes makes a fill of numbers one of their little-endian bytes.
func asBytes[T any](fill func(philox.Stream, []T, uint64) error) distFill {
	size := int(unsafe.Sizeof(*new(T)))
	return func(s philox.Stream, buf []uint64, n int, first uint64) ([]byte, error) {
		if err := fill(s, view.Of[T](buf)[:n], first); err != nil {
			return nil, err
		}
		b := view.Of[byte](buf)[:n*size]
		if !littleEndian {
			reverseEach(b, size)
		}
		return b, nil
	}
}

// filler returns the distribution's fill with the numbers of a command line.
func (d dist) filler(c call) (distFill, error) {
	v := distDefaults
	for _, n := range []struct {
		flag string
		to   *float64
	}{{"mean", &v.mean}, {"std", &v.std}} {
		if !c.given[n.flag] {
			continue
		}
		text := c.options[n.flag]
		if !slices.Contains(d.takes, n.flag) {
			return nil, badValue(n.flag, text, fmt.Sprintf("-dist %s does not take it", d.name))
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, badValue(n.flag, text, "must be a number, such as 0.5, -1e3 or inf")
		}
		*n.to = x
	}
	return d.with(v)
}

// standard is the distribution's fill with the numbers that it has by default.
func (d dist) standard() distFill {
	fill, err := d.with(distDefaults)
	if err != nil {
		panic(err) // a test makes them all
	}
	return fill
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
