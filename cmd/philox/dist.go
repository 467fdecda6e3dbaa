package main

import (
	"encoding/binary"
	"errors"
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
	takes    []string // the distOptions that it has

	// with returns the fill of the numbers that it takes.
	with func(distNumbers) (distFill, error)
}

// A distFill puts elements first to first+n-1 of s at the start of buf and returns
// their little-endian bytes, which lie in buf.
type distFill func(s philox.Stream, buf []uint64, n int, first uint64) ([]byte, error)

// distOptions are the flags that only some distributions have.
var distOptions = []option{
	{name: "mean", arg: "number", preset: "0",
		help: "The mean of a normal distribution; of a truncated one, before it is cut."},
	{name: "std", arg: "number", preset: "1",
		help: "The standard deviation of a normal distribution, at least 0; of a\ntruncated one, before it is cut."},
	{name: "a", arg: "number", preset: "-2",
		help: "The least value of a truncated normal, or -inf: in units of the output,\nnot in standard deviations."},
	{name: "b", arg: "number", preset: "2",
		help: "The largest value, likewise, or inf. Both ends belong to the\ninterval. float32 rounds -a up and -b down: nothing is outside."},
}

// distNumbers are the values of distOptions, by their names.
type distNumbers map[string]distNumber

type distNumber struct {
	value float64
	typed string // for errors
}

var dists = []dist{
	newDist("u32", "uint32", "<u4", 4, "every value, equally likely", philox.Stream.FillUint32At),
	newDist("u64", "uint64", "<u8", 2, "every value, equally likely", philox.Stream.FillUint64At),
	newDist("uniform", "float32", "<f4", 4, "[0,1): the multiples of 2^-23", philox.Stream.FillFloat32At),
	newDist("uniform64", "float64", "<f8", 2, "[0,1): the multiples of 2^-52", philox.Stream.FillFloat64At),
	newDist("open", "float32", "<f4", 4, "(0,1): never 0 and never 1, finer near 0", philox.Stream.FillOpenFloat32At),
	newNormal("normal", "float32", "<f4", 4, "normal: -mean, -std; within 6.764 std of mean", normal.FillScaledFloat32At),
	newNormal("normal64", "float64", "<f8", 2, "normal: -mean, -std; within 8.653 std of mean", normal.FillScaledFloat64At),
	newTruncated("truncnormal", "float32", "<f4", 4, "normal, cut to [a,b]: -mean, -std, -a, -b", normal.FillTruncatedFloat32At),
	newTruncated("truncnormal64", "float64", "<f8", 2, "normal64, cut to [a,b]: -mean, -std, -a, -b", normal.FillTruncatedFloat64At),
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

func newTruncated[T float32 | float64](name, element, descr string, perBlock uint64, values string,
	fill func(philox.Stream, []T, uint64, T, T, T, T) error) dist {
	d := newDist[T](name, element, descr, perBlock, values, nil)
	d.takes = []string{"mean", "std", "a", "b"}
	d.with = func(v distNumbers) (distFill, error) {
		mean, std, err := scaleOf[T](v)
		if err != nil {
			return nil, err
		}
		a, b, err := boundsOf[T](v)
		if err != nil {
			return nil, err
		}
		// The library says so too, but of rounded numbers, which nobody has typed.
		if std == 0 && (mean < a || b < mean) {
			return nil, v.bad("std", fmt.Sprintf("must be above 0, since -mean = %q as a %T is not from -a = %q to -b = %q",
				v["mean"].typed, mean, v["a"].typed, v["b"].typed))
		}
		return asBytes(func(s philox.Stream, dst []T, first uint64) error {
			return fill(s, dst, first, mean, std, a, b)
		}), nil
	}
	return d
}

// bad is the error of a number.
func (v distNumbers) bad(flag, reason string) error {
	return &skip.ArgumentError{Arg: flag, Value: v[flag].typed, Reason: reason}
}

// scaleOf rounds mean and standard deviation to the element's type.
func scaleOf[T float32 | float64](v distNumbers) (mean, std T, err error) {
	mean, std = T(v["mean"].value), T(v["std"].value)
	for _, n := range []struct {
		flag    string
		rounded T
	}{{"mean", mean}, {"std", std}} {
		if math.IsInf(float64(n.rounded), 0) && !math.IsInf(v[n.flag].value, 0) {
			return 0, 0, v.bad(n.flag, "is too large for the distribution's float32")
		}
	}
	if std == 0 && v["std"].value > 0 { // every number would be the mean
		return 0, 0, v.bad("std", "is too small for the distribution's float32: it would be 0")
	}
	return mean, std, nil
}

// boundsOf rounds the bounds to the element's type inwards, so that nothing outside
// what was typed is drawn.
func boundsOf[T float32 | float64](v distNumbers) (a, b T, err error) {
	least, most := v["a"], v["b"]
	if least.value > most.value {
		return 0, 0, v.bad("a", fmt.Sprintf("must be at most -b = %q", most.typed))
	}
	a, b = T(least.value), T(most.value)
	// A float64 is the same as before; only a float32 may need its neighbour.
	if float64(a) < least.value {
		a = T(math.Nextafter32(float32(a), float32(math.Inf(1))))
	}
	if float64(b) > most.value {
		b = T(math.Nextafter32(float32(b), float32(math.Inf(-1))))
	}
	if a > b || math.IsInf(float64(a), 1) || math.IsInf(float64(b), -1) {
		return 0, 0, v.bad("a", fmt.Sprintf("the interval from there to -b = %q holds no finite %T", most.typed, a))
	}
	return a, b, nil
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
	v := distNumbers{}
	for _, o := range distOptions {
		text := c.options[o.name]
		if !slices.Contains(d.takes, o.name) {
			if c.given[o.name] {
				return nil, badValue(o.name, text, fmt.Sprintf("-dist %s does not take it", d.name))
			}
			continue
		}
		x, err := strconv.ParseFloat(text, 64)
		if errors.Is(err, strconv.ErrRange) {
			return nil, badValue(o.name, text, "is beyond the largest float64")
		}
		if err != nil {
			return nil, badValue(o.name, text, "must be a number, such as 0.5, -1e3 or inf")
		}
		v[o.name] = distNumber{x, text}
	}
	return d.with(v)
}

// standard is the distribution's fill with the numbers that it has by default.
func (d dist) standard() distFill {
	presets := call{options: make(map[string]string)}
	for _, o := range distOptions {
		presets.options[o.name] = o.preset
	}
	fill, err := d.filler(presets)
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
	fmt.Fprintf(&b, "    %-13s %-8s %5s  %s\n", "name", "element", "bytes", "values")
	for _, d := range dists {
		fmt.Fprintf(&b, "    %-13s %-8s %5d  %s\n", d.name, d.element, d.size, d.values)
	}
	return b.String()
}
