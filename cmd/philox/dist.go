package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/philox-go/rng/internal/draw"
	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/skip"
)

// A dist is a distribution that fill can write.
type dist struct {
	name    string
	element string   // Go's and NumPy's name of the element's type
	descr   string   // the type as a .npy header writes it
	size    uint64   // bytes in an element
	values  string   // what the help says; where empty, it is none of the table
	takes   []string // the distOptions that it has
	whole   bool     // whether they are integers; -hi has no default then

	// with returns the fill of the numbers that it takes.
	with func(distNumbers) (filling, error)
}

// A filling is a distribution with its numbers.
type filling struct {
	draw.Draw
	size int // bytes in an element
}

// perBlock is how many elements one 128-bit block of the generator makes.
func (f filling) perBlock() uint64 { return uint64(f.PerBlock()) }

// fill is a distFill.
func (f filling) fill(s philox.Stream, buf []uint64, n int, first uint64) ([]byte, error) {
	b := view.Of[byte](buf)[:n*f.size]
	err := f.Fill(s, unsafe.Pointer(unsafe.SliceData(b)), n, first)
	return asBytes(b, f.size), err
}

// A distFill puts elements first to first+n-1 of s at the start of buf and returns
// their little-endian bytes, which lie in buf.
type distFill func(s philox.Stream, buf []uint64, n int, first uint64) ([]byte, error)

// distOptions are the flags that only some distributions have.
var distOptions = []option{
	{name: "lo", arg: "number", preset: "0",
		help: "The least value of a uniform distribution or of integers."},
	{name: "hi", arg: "number", preset: "1",
		help: "The end of their interval, which is not drawn itself: integers go up to\nhi-1. They have no default for it."},
	{name: "mean", arg: "number", preset: "0",
		help: "The mean of a normal distribution; of a truncated one, before it is cut;\nof a lognormal one, that of the logarithm."},
	{name: "std", arg: "number", preset: "1",
		help: "The standard deviation, likewise, at least 0."},
	{name: "a", arg: "number", preset: "-2",
		help: "The least value of a truncated normal, or -inf: in units of the output,\nnot in standard deviations."},
	{name: "b", arg: "number", preset: "2",
		help: "The largest value, likewise, or inf. Both ends belong to the\ninterval. float32 rounds -a up and -b down: nothing is outside."},
	{name: "rate", arg: "number", preset: "1",
		help: "The rate of an exponential distribution, above 0. Its mean is 1/rate."},
	{name: "loc", arg: "number", preset: "0",
		help: "The median of a Cauchy distribution, the mean of a Laplace and the mode\nof a Gumbel distribution."},
	{name: "scale", arg: "number", preset: "1",
		help: "The scale of these, above 0."},
	{name: "p", arg: "number", preset: "0.5",
		help: "The probability of true, 0 to 1, or that a trial is a success, above 0."},
}

// distNumbers are the values of distOptions, by their names.
type distNumbers map[string]distNumber

type distNumber struct {
	value float64
	whole *big.Int // instead, where the distribution's numbers are integers
	typed string   // for errors
}

// A drawOf is a distribution of package draw, by the numbers that it takes.
type drawOf func(distNumbers) (draw.Draw, error)

var dists = slices.Concat(
	[]dist{
		words("u32", "uint32", "<u4", asm.Uint32, "every value, equally likely"),
		words("u64", "uint64", "<u8", asm.Uint64, "every value, equally likely"),
	},
	family("uniform", "lo hi", "[lo,hi) in 2^23 steps: -lo, -hi", "[lo,hi) in 2^52 steps: -lo, -hi",
		ofTwo(intervalOf[float32], draw.Uniform[float32]), ofTwo(intervalOf[float64], draw.Uniform[float64]), uniformHalf),
	[]dist{
		words("open", "float32", "<f4", asm.OpenFloat32, "(0,1): never 0 and never 1, finer near 0"),
	},
	family("normal", "mean std", "normal: -mean, -std; within 6.764 std of mean", "normal: -mean, -std; within 8.653 std of mean",
		ofTwo(scaleOf[float32], draw.Normal[float32]), ofTwo(scaleOf[float64], draw.Normal[float64]), halfOfTwo(scaleOf[float32], draw.NormalHalf)),
	family("truncnormal", "mean std a b", "normal, cut to [a,b]: -mean, -std, -a, -b", "normal64, cut to [a,b]: -mean, -std, -a, -b",
		truncated[float32], truncated[float64], truncatedHalf),
	family("lognormal", "mean std", "e to the power of normal: -mean, -std", "e to the power of normal64: -mean, -std",
		ofTwo(scaleOf[float32], draw.LogNormal[float32]), ofTwo(scaleOf[float64], draw.LogNormal[float64]), halfOfTwo(scaleOf[float32], draw.LogNormalHalf)),
	family("exponential", "rate", "exponential, above 0: -rate", "exponential, above 0: -rate",
		ofRate(draw.Exponential[float32]), ofRate(draw.Exponential[float64]), func(h asm.Half) drawOf {
			return ofRate(func(rate float32) (draw.Draw, error) { return draw.ExponentialHalf(h, rate) })
		}),
	family("cauchy", "loc scale", "Cauchy: -loc (the median), -scale", "Cauchy: -loc (the median), -scale",
		ofTwo(placeOf[float32], draw.Cauchy[float32]), ofTwo(placeOf[float64], draw.Cauchy[float64]), halfOfTwo(placeOf[float32], draw.CauchyHalf)),
	family("laplace", "loc scale", "Laplace: -loc (the mean), -scale", "Laplace: -loc (the mean), -scale",
		ofTwo(placeOf[float32], draw.Laplace[float32]), ofTwo(placeOf[float64], draw.Laplace[float64]), halfOfTwo(placeOf[float32], draw.LaplaceHalf)),
	family("gumbel", "loc scale", "Gumbel: -loc (the mode), -scale", "Gumbel: -loc (the mode), -scale",
		ofTwo(placeOf[float32], draw.Gumbel[float32]), ofTwo(placeOf[float64], draw.Gumbel[float64]), halfOfTwo(placeOf[float32], draw.GumbelHalf)),
	[]dist{
		newDist("bernoulli", "bool", "|b1", 1, "p", "true with probability p: -p", func(v distNumbers) (draw.Draw, error) {
			return draw.Bernoulli[bool](v["p"].value)
		}),
		newDist("geometric", "int64", "<i8", 8, "p", "trials up to the first success, at least 1: -p", func(v distNumbers) (draw.Draw, error) {
			return draw.Geometric[int64](v["p"].value)
		}),
		integers[int64]("int", "int64", "<i8", math.MinInt64, math.MaxInt64),
		integers[int32]("int32", "int32", "<i4", math.MinInt32, math.MaxInt32),
		integers[uint8]("uint8", "uint8", "|u1", 0, math.MaxUint8),
	},
)

// words returns a distribution of the core library, which takes no numbers.
func words(name, element, descr string, kind asm.Kind, values string) dist {
	return newDist(name, element, descr, uint64(kind.Size()), "", values, func(distNumbers) (draw.Draw, error) { return draw.Plain(kind), nil })
}

// newDist returns a distribution of package draw.
func newDist(name, element, descr string, size uint64, takes, values string, of drawOf) dist {
	return dist{
		name: name, element: element, descr: descr, size: size, values: values, takes: strings.Fields(takes),
		with: func(v distNumbers) (filling, error) {
			d, err := of(v)
			if err != nil {
				return filling{}, err
			}
			return filling{d, int(size)}, nil
		},
	}
}

// family returns a distribution's four types. NumPy has no bfloat16.
func family(name, takes, values, values64 string, single, double drawOf, half func(asm.Half) drawOf) []dist {
	return []dist{
		newDist(name, "float32", "<f4", 4, takes, values, single),
		newDist(name+"64", "float64", "<f8", 8, takes, values64, double),
		newDist(name+"16", "float16", "<f2", 2, takes, "", half(asm.F16)),
		newDist(name+"bf16", "bfloat16", "<u2", 2, takes, "", half(asm.B16)),
	}
}

// ofTwo returns a distribution of two numbers, which are rounded by both.
func ofTwo[T float32 | float64](both func(distNumbers) (T, T, error), of func(x, y T) (draw.Draw, error)) drawOf {
	return func(v distNumbers) (draw.Draw, error) {
		x, y, err := both(v)
		if err != nil {
			return draw.Draw{}, err
		}
		return of(x, y)
	}
}

// halfOfTwo is ofTwo for a type of 16 bits, whose numbers are float32.
func halfOfTwo(both func(distNumbers) (float32, float32, error), of func(h asm.Half, x, y float32) (draw.Draw, error)) func(asm.Half) drawOf {
	return func(h asm.Half) drawOf {
		return ofTwo(both, func(x, y float32) (draw.Draw, error) { return of(h, x, y) })
	}
}

func ofRate[T float32 | float64](of func(rate T) (draw.Draw, error)) drawOf {
	return func(v distNumbers) (draw.Draw, error) {
		rate, err := magnitudeOf[T](v, "rate")
		if err != nil {
			return draw.Draw{}, err
		}
		return of(rate)
	}
}

func uniformHalf(h asm.Half) drawOf {
	return func(v distNumbers) (draw.Draw, error) {
		lo, hi, err := intervalOf[float32](v)
		if err != nil {
			return draw.Draw{}, err
		}
		a, b := h.Float32(h.Round(lo)), h.Float32(h.Round(hi))
		if err := v.checkInterval(float64(a), float64(b), float64(b-a), h.String()); err != nil {
			return draw.Draw{}, err
		}
		return draw.UniformHalf(h, lo, hi)
	}
}

func truncated[T float32 | float64](v distNumbers) (draw.Draw, error) {
	mean, std, err := scaleOf[T](v)
	if err != nil {
		return draw.Draw{}, err
	}
	a, b, err := boundsOf[T](v)
	if err != nil {
		return draw.Draw{}, err
	}
	if std == 0 && (mean < a || b < mean) {
		return draw.Draw{}, v.noSpread(fmt.Sprintf("%T", mean))
	}
	return draw.TruncatedNormal(mean, std, a, b)
}

func truncatedHalf(h asm.Half) drawOf {
	return func(v distNumbers) (draw.Draw, error) {
		mean, std, err := scaleOf[float32](v)
		if err != nil {
			return draw.Draw{}, err
		}
		a, b, err := boundsOf[float32](v)
		if err != nil {
			return draw.Draw{}, err
		}
		lo, hi, ok := h.Cover(a, b)
		switch {
		case !ok:
			return draw.Draw{}, v.emptyBounds(h.String())
		case std == 0 && (mean < lo || hi < mean):
			return draw.Draw{}, v.noSpread(h.String())
		}
		return draw.TruncatedNormalHalf(h, mean, std, a, b)
	}
}

// integers returns the distribution of a type's integers, which fit into an int64.
func integers[T draw.Integer](name, element, descr string, least, most int64) dist {
	of := func(v distNumbers) (draw.Draw, error) {
		lo, hi := v["lo"], v["hi"]
		if err := v.checkWhole("lo", big.NewInt(least), big.NewInt(most)); err != nil {
			return draw.Draw{}, err
		}
		// It is not drawn, and may be one more.
		one := big.NewInt(1)
		if err := v.checkWhole("hi", new(big.Int).Add(big.NewInt(least), one), new(big.Int).Add(big.NewInt(most), one)); err != nil {
			return draw.Draw{}, err
		}
		if lo.whole.Cmp(hi.whole) >= 0 {
			return draw.Draw{}, v.bad("lo", fmt.Sprintf("must be less than -hi = %q", hi.typed))
		}
		return draw.Integers(T(lo.whole.Int64()), T(new(big.Int).Sub(hi.whole, one).Int64()))
	}
	d := newDist(name, element, descr, uint64(unsafe.Sizeof(T(0))), "lo hi", "lo to hi-1, equally likely: -lo, -hi", of)
	d.whole = true
	return d
}

// bad is the error of a number. The library checks what it gets, but says so of rounded
// numbers, which nobody has typed.
func (v distNumbers) bad(flag, reason string) error {
	return &skip.ArgumentError{Arg: flag, Value: v[flag].typed, Reason: reason}
}

// checkWhole checks an integer, nil where what was typed is none.
func (v distNumbers) checkWhole(flag string, least, most *big.Int) error {
	if x := v[flag].whole; x == nil || x.Cmp(least) < 0 || x.Cmp(most) > 0 {
		return v.bad(flag, fmt.Sprintf("must be a whole number from %d to %d, such as 1000, 1_000 or -1e3", least, most))
	}
	return nil
}

// numberOf rounds a number to the element's type; where that has 16 bits, to float32.
func numberOf[T float32 | float64](v distNumbers, flag string) (T, error) {
	x := T(v[flag].value)
	if math.IsInf(float64(x), 0) && !math.IsInf(v[flag].value, 0) {
		return 0, v.bad(flag, "is too large for the distribution's float32")
	}
	return x, nil
}

// finiteOf is numberOf for a number that must be finite.
func finiteOf[T float32 | float64](v distNumbers, flag string) (T, error) {
	x, err := numberOf[T](v, flag)
	if err == nil && x-x != 0 {
		err = v.bad(flag, "must be a finite number")
	}
	return x, err
}

// magnitudeOf is numberOf for a number that must not become 0.
func magnitudeOf[T float32 | float64](v distNumbers, flag string) (T, error) {
	x, err := numberOf[T](v, flag)
	if err == nil && x == 0 && v[flag].value > 0 {
		err = v.bad(flag, "is too small for the distribution's float32: it would be 0")
	}
	return x, err
}

// scaleOf returns a mean and a standard deviation.
func scaleOf[T float32 | float64](v distNumbers) (mean, std T, err error) {
	if mean, err = numberOf[T](v, "mean"); err != nil {
		return 0, 0, err
	}
	std, err = magnitudeOf[T](v, "std") // with 0 every number would be the mean
	return mean, std, err
}

// placeOf returns a location and a scale.
func placeOf[T float32 | float64](v distNumbers) (loc, scale T, err error) {
	// Package draw calls it median, mean or mode.
	if loc, err = finiteOf[T](v, "loc"); err != nil {
		return 0, 0, err
	}
	scale, err = magnitudeOf[T](v, "scale")
	return loc, scale, err
}

// intervalOf returns the bounds of uniforms.
func intervalOf[T float32 | float64](v distNumbers) (lo, hi T, err error) {
	if lo, err = finiteOf[T](v, "lo"); err != nil {
		return 0, 0, err
	}
	if hi, err = finiteOf[T](v, "hi"); err != nil {
		return 0, 0, err
	}
	return lo, hi, v.checkInterval(float64(lo), float64(hi), float64(hi-lo), fmt.Sprintf("%T", lo))
}

// checkInterval checks the bounds of uniforms as they are in the element's type.
func (v distNumbers) checkInterval(lo, hi, difference float64, element string) error {
	low, high := v["lo"], v["hi"]
	switch {
	case low.value >= high.value:
		return v.bad("lo", fmt.Sprintf("must be less than -hi = %q", high.typed))
	case math.IsInf(lo, 0):
		return v.bad("lo", "is too large for the distribution's "+element)
	case math.IsInf(hi, 0):
		return v.bad("hi", "is too large for the distribution's "+element)
	case lo >= hi:
		return v.bad("lo", fmt.Sprintf("must be less than -hi = %q as a %s too", high.typed, element))
	case math.IsInf(difference, 0):
		return v.bad("hi", fmt.Sprintf("is so far from -lo = %q that the difference is infinite as a %s", low.typed, element))
	}
	return nil
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
		return 0, 0, v.emptyBounds(fmt.Sprintf("%T", a))
	}
	return a, b, nil
}

// emptyBounds is the error of bounds without a number between them.
func (v distNumbers) emptyBounds(element string) error {
	return v.bad("a", fmt.Sprintf("the interval from there to -b = %q holds no finite %s", v["b"].typed, element))
}

// noSpread is the error of a mean outside the bounds that every number would be.
func (v distNumbers) noSpread(element string) error {
	return v.bad("std", fmt.Sprintf("must be above 0, since -mean = %q as a %s is not from -a = %q to -b = %q",
		v["mean"].typed, element, v["a"].typed, v["b"].typed))
}

// asBytes makes little-endian what this machine has put into b, elements of size bytes.
func asBytes(b []byte, size int) []byte {
	if !littleEndian {
		reverseEach(b, size)
	}
	return b
}

// filler returns the distribution's fill with the numbers of a command line.
func (d dist) filler(c call) (filling, error) {
	v, err := d.numbers(c)
	if err != nil {
		return filling{}, err
	}
	return d.with(v)
}

// numbers reads the numbers that the distribution takes.
func (d dist) numbers(c call) (distNumbers, error) {
	v := distNumbers{}
	for _, o := range distOptions {
		text := c.options[o.name]
		switch {
		case !slices.Contains(d.takes, o.name):
			if c.given[o.name] {
				return nil, badValue(o.name, text, fmt.Sprintf("-dist %s does not take it", d.name))
			}
		case d.whole:
			x, _ := parseInt(text)
			v[o.name] = distNumber{whole: x, typed: text}
		default:
			x, err := strconv.ParseFloat(text, 64)
			if errors.Is(err, strconv.ErrRange) {
				return nil, badValue(o.name, text, "is beyond the largest float64")
			}
			if err != nil {
				return nil, badValue(o.name, text, "must be a number, such as 0.5, -1e3 or inf")
			}
			v[o.name] = distNumber{value: x, typed: text}
		}
	}
	if d.whole && !c.given["hi"] {
		return nil, usageError(fmt.Sprintf("-hi is missing: -dist %s has no default for it", d.name))
	}
	return v, nil
}

// standard is the distribution with the numbers that it has by default. Integers, which have none,
// go up to 99.
func (d dist) standard() filling {
	presets := call{options: make(map[string]string), given: make(map[string]bool)}
	for _, o := range distOptions {
		presets.options[o.name] = o.preset
	}
	if d.whole {
		presets.options["hi"], presets.given["hi"] = "100", true
	}
	f, err := d.filler(presets)
	if err != nil {
		panic(err) // a test makes them all
	}
	return f
}

var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// reverseEach turns the byte order of each element of size bytes in b.
func reverseEach(b []byte, size int) {
	for ; len(b) >= size; b = b[size:] {
		slices.Reverse(b[:size])
	}
}

func findDist(name string) (dist, error) {
	return findNamed("dist", name, dists, func(d dist) string { return d.name })
}

// findNamed returns the one of all that a flag's value names.
func findNamed[T any](flag, value string, all []T, nameOf func(T) string) (found T, err error) {
	var names []string
	for _, one := range all {
		if nameOf(one) == value {
			return one, nil
		}
		names = append(names, nameOf(one))
	}
	return found, badValue(flag, value, "must be one of "+strings.Join(names, ", "))
}

func distsHelp() string {
	var b strings.Builder
	fmt.Fprintf(&b, "    %-13s %-8s %5s  %s\n", "name", "element", "bytes", "values")
	for _, d := range dists {
		if d.values != "" {
			fmt.Fprintf(&b, "    %-13s %-8s %5d  %s\n", d.name, d.element, d.size, d.values)
		}
	}
	return b.String()
}
