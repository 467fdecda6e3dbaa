package torch

import (
	"encoding/binary"
	"math"
	"unsafe"

	"github.com/philox-go/rng/internal/poly"
)

// Float16 is torch.float16: the bits of an IEEE 754 binary16.
type Float16 uint16

// BFloat16 is torch.bfloat16: the upper half of the bits of a float32.
type BFloat16 uint16

// Float are PyTorch's types of floating-point numbers.
type Float interface {
	float32 | float64 | Float16 | BFloat16
}

// Integer are those of PyTorch's types of integers that its operators take.
type Integer interface {
	uint8 | int8 | int16 | int32 | int64
}

// Element are the types of a tensor.
type Element interface {
	Float | Integer | bool
}

// As returns x's memory as elements of one of PyTorch's types of 16 bits, so that the
// operators fill the half-precision numbers of any library:
//
//	torch.Normal(g, torch.As[torch.BFloat16](weights), 0, 0.02)
func As[T Float16 | BFloat16, H ~uint16](x []H) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// dtype is PyTorch's name of a type.
func dtype[T Element]() string {
	switch any(*new(T)).(type) {
	case float32:
		return "float32"
	case float64:
		return "float64"
	case Float16:
		return "float16"
	case BFloat16:
		return "bfloat16"
	case bool:
		return "bool"
	case uint8:
		return "uint8"
	case int8:
		return "int8"
	case int16:
		return "int16"
	case int32:
		return "int32"
	}
	return "int64"
}

// size is that of an element in bytes.
func size[T Element]() int { return int(unsafe.Sizeof(*new(T))) }

// cast32 is C++'s static_cast of float32 to a type, as nvcc compiles it: floats round to
// nearest, and integers drop the fraction; those of 8 and 16 bits are the lower ones of an
// integer of 32, at whose ends larger numbers stop.
func cast32[T Element](dst []T, src []float32) {
	switch d := any(dst).(type) {
	case []float32:
		copy(d, src)
	case []float64:
		for i, x := range src {
			d[i] = float64(x)
		}
	case []Float16:
		for i, x := range src {
			if d[i] = Float16(poly.Float16(x)); x != x {
				d[i] = nan16
			}
		}
	case []BFloat16:
		for i, x := range src {
			if d[i] = BFloat16(poly.BFloat16(x)); x != x {
				d[i] = nan16
			}
		}
	case []bool:
		for i, x := range src {
			d[i] = x != 0
		}
	case []uint8:
		for i, x := range src {
			d[i] = uint8(held(x, 0, math.MaxUint32))
		}
	case []int8:
		for i, x := range src {
			d[i] = int8(held(x, math.MinInt32, math.MaxInt32))
		}
	case []int16:
		for i, x := range src {
			d[i] = int16(held(x, math.MinInt32, math.MaxInt32))
		}
	case []int32:
		for i, x := range src {
			d[i] = int32(held(x, math.MinInt32, math.MaxInt32))
		}
	case []int64:
		for i, x := range src {
			d[i] = held(x, math.MinInt64, math.MaxInt64)
		}
	}
}

// The one NaN that a GPU's float32 operations result in, and that of its conversions to
// either type of 16 bits (PTX ISA, "Floating-Point Instructions").
const (
	nan32 = 0x7fffffff
	nan16 = 0x7fff
)

// held is the integer of x, between bounds.
func held(x float32, least, most int64) int64 {
	switch f := float64(x); {
	case x != x:
		return 0
	case f >= float64(most):
		return most
	case f <= float64(least):
		return least
	}
	return int64(x)
}

// round32 is the float32 of a number in a type: what a static_cast to the type leaves.
func round32[T Float](x float32) float32 {
	switch any(*new(T)).(type) {
	case Float16:
		return poly.FromFloat16(poly.Float16(x))
	case BFloat16:
		return poly.FromBFloat16(poly.BFloat16(x))
	}
	return x
}

// in32 sets dst to what f makes of src, number i by number i in float32; dst may be src.
// Numbers of float64 come to f rounded, and stay what f returns.
func in32[T Float](dst, src []T, f func(i int, x float32) float32) {
	var v [256]float32
	for at := 0; at < len(src); at += len(v) {
		part := src[at:min(at+len(v), len(src))]
		widen32(v[:], part)
		for i, x := range v[:len(part)] {
			v[i] = f(at+i, x)
		}
		cast32(dst[at:at+len(part)], v[:len(part)])
	}
}

// widen32 is the float32 of each number.
func widen32[T Float](dst []float32, src []T) {
	switch s := any(src).(type) {
	case []float32:
		copy(dst, s)
	case []float64:
		for i, x := range s {
			dst[i] = float32(x)
		}
	case []Float16:
		for i, x := range s {
			dst[i] = poly.FromFloat16(uint16(x))
		}
	case []BFloat16:
		for i, x := range s {
			dst[i] = poly.FromBFloat16(uint16(x))
		}
	}
}

// largest is the largest finite number of a type.
func largest[T Float]() float64 {
	switch any(*new(T)).(type) {
	case float64:
		return math.MaxFloat64
	case Float16:
		return 65504
	case BFloat16:
		return 0x1.fep127
	}
	return math.MaxFloat32
}

// hostLittle says whether the processor stores the lowest byte first.
var hostLittle = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// littleEndian copies elements to bytes, the lowest of each first.
func littleEndian[T Element](dst []byte, src []T) {
	n := size[T]()
	copy(dst, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(src))), n*len(src)))
	if hostLittle {
		return
	}
	for e := 0; e < len(dst); e += n {
		for i, j := e, e+n-1; i < j; i, j = i+1, j-1 {
			dst[i], dst[j] = dst[j], dst[i]
		}
	}
}
