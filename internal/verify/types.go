package verify

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/philox-go/rng/philox/asm"
)

// A dtype is a type of elements.
type dtype struct {
	name    string
	size    int
	written []string // how an index and a .npy file may call it
}

// NumPy has no bfloat16, and recordings hold float16 as its bits too.
var dtypes = []dtype{
	{"float32", 4, []string{"float32", "<f4"}},
	{"float64", 8, []string{"float64", "<f8"}},
	{"float16", 2, []string{"uint16", "<u2", "float16", "<f2"}},
	{"bfloat16", 2, []string{"uint16", "<u2", "bfloat16"}},
	{"bool", 1, []string{"bool", "|b1"}},
	{"uint8", 1, []string{"uint8", "|u1"}},
	{"int8", 1, []string{"int8", "|i1"}},
	{"int16", 2, []string{"int16", "<i2"}},
	{"int32", 4, []string{"int32", "<i4"}},
	{"int64", 8, []string{"int64", "<i8"}},
	{"uint32", 4, []string{"uint32", "<u4"}},
	{"uint64", 8, []string{"uint64", "<u8"}},
}

// is reports whether a recording may call the type so.
func (d dtype) is(written string) bool { return slices.Contains(d.written, written) }

func findType(name string) (dtype, bool) {
	for _, d := range dtypes {
		if d.name == name {
			return d, true
		}
	}
	return dtype{}, false
}

func isFloat(name string) bool {
	return name == "float32" || name == "float64" || name == "float16" || name == "bfloat16"
}

// bitsOf reads a little-endian element.
func bitsOf(b []byte) uint64 {
	var word [8]byte
	copy(word[:], b)
	return binary.LittleEndian.Uint64(word[:])
}

// valueOf reads a floating-point element.
func valueOf(name string, b []byte) float64 {
	switch bits := bitsOf(b); name {
	case "float32":
		return float64(math.Float32frombits(uint32(bits)))
	case "float16":
		return float64(asm.F16.Float32(uint16(bits)))
	case "bfloat16":
		return float64(asm.B16.Float32(uint16(bits)))
	default:
		return math.Float64frombits(bits)
	}
}

// ulps returns how many numbers of a floating-point type two are apart. No number is next to
// a NaN.
func ulps(name string, a, b []byte) uint64 {
	x, y := valueOf(name, a), valueOf(name, b)
	if math.IsNaN(x) || math.IsNaN(y) {
		return math.MaxUint64
	}
	// Sign and magnitude to a line on which neighbours are 1 apart.
	line := func(b []byte) int64 {
		bits, sign := bitsOf(b), uint64(1)<<(8*len(b)-1)
		if bits&sign != 0 {
			return -int64(bits &^ sign)
		}
		return int64(bits)
	}
	p, q := line(a), line(b)
	if p > q {
		p, q = q, p
	}
	return uint64(q) - uint64(p)
}

// textOf writes an element for a person.
func textOf(name string, b []byte) string {
	bits := bitsOf(b)
	switch name {
	case "float32", "float16", "bfloat16":
		return fmt.Sprintf("%v (0x%0*x)", float32(valueOf(name, b)), 2*len(b), bits)
	case "float64":
		return fmt.Sprintf("%v (0x%016x)", valueOf(name, b), bits)
	case "int8", "int16", "int32", "int64":
		shift := 64 - 8*len(b)
		return fmt.Sprint(int64(bits) << shift >> shift)
	}
	return fmt.Sprint(bits)
}

// littleEndian turns numbers of this machine into little-endian ones.
func littleEndian(b []byte, size int) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return
	}
	for ; len(b) >= size; b = b[size:] {
		slices.Reverse(b[:size])
	}
}
