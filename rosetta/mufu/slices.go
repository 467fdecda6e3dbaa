package mufu

import (
	"fmt"
	"math"

	"github.com/philox-go/rng/internal/poly"
	"github.com/philox-go/rng/philox/asm"
)

// The functions of slices take the vector kernels of asm.Active, which give the same bits as
// the functions of one number. dst may be the memory of x, but must not overlap it
// otherwise. They panic where lengths differ.

// SinSlice makes dst[i] Sin(x[i]).
func SinSlice(dst, x []float32) { apply(asm.Active(), opSin, dst, x) }

// CosSlice makes dst[i] Cos(x[i]).
func CosSlice(dst, x []float32) { apply(asm.Active(), opCos, dst, x) }

// Lg2Slice makes dst[i] Lg2(x[i]).
func Lg2Slice(dst, x []float32) { apply(asm.Active(), opLg2, dst, x) }

// Ex2Slice makes dst[i] Ex2(x[i]).
func Ex2Slice(dst, x []float32) { apply(asm.Active(), opEx2, dst, x) }

// RcpSlice makes dst[i] Rcp(x[i]).
func RcpSlice(dst, x []float32) { apply(asm.Active(), opRcp, dst, x) }

// RsqrtSlice makes dst[i] Rsqrt(x[i]).
func RsqrtSlice(dst, x []float32) { apply(asm.Active(), opRsqrt, dst, x) }

// SqrtSlice makes dst[i] Sqrt(x[i]).
func SqrtSlice(dst, x []float32) { apply(asm.Active(), opSqrt, dst, x) }

// FastLogSlice makes dst[i] FastLog(x[i]).
func FastLogSlice(dst, x []float32) { apply(asm.Active(), opFastLog, dst, x) }

// FastExpSlice makes dst[i] FastExp(x[i]).
func FastExpSlice(dst, x []float32) { apply(asm.Active(), opFastExp, dst, x) }

// LogSlice makes dst[i] Logf(x[i]).
func LogSlice(dst, x []float32) { apply(asm.Active(), opLog, dst, x) }

// ExpSlice makes dst[i] Expf(x[i]).
func ExpSlice(dst, x []float32) { apply(asm.Active(), opExp, dst, x) }

// An op is a function of one number that has kernels.
type op uint8

const (
	opSin op = iota
	opCos
	opLg2
	opEx2
	opRcp
	opRsqrt
	opSqrt
	opFastLog
	opFastExp
	opLog
	opExp

	ops
)

// scalars are the functions that the kernels are tested against.
var scalars = [ops]func(float32) float32{Sin, Cos, Lg2, Ex2, Rcp, Rsqrt, Sqrt, FastLog, FastExp, Logf, Expf}

// apply is a function of slices by the implementation l.
func apply(l asm.Level, o op, dst, x []float32) {
	mustMatch("x", len(x), "dst", len(dst))
	if l == asm.Generic {
		f := scalars[o]
		for i, v := range x {
			dst[i] = f(v)
		}
		return
	}
	vectorApply(l, o, dst, x)
}

func mustMatch(name string, n int, other string, want int) {
	if n != want {
		panic(fmt.Sprintf("mufu: %s = %d elements: must be as many as in %s, %d", name, n, other, want))
	}
}

// Uniform returns cuRAND's uniform number of a word, w*2^-32 + 2^-33 in (0,1], with w rounded to
// a float32 first.
func Uniform(w uint32) float32 {
	return float32(float64(float32(w))*0x1p-32 + 0x1p-33) // the sum of float64 is exact
}

// Uniforms makes dst[i] Uniform(w[i]). dst and w may be the same memory.
func Uniforms(dst []float32, w []uint32) { uniforms(asm.Active(), dst, w) }

func uniforms(l asm.Level, dst []float32, w []uint32) {
	mustMatch("w", len(w), "dst", len(dst))
	if l != asm.Generic {
		vectorUniforms(l, dst, w)
		return
	}
	for i, x := range w {
		dst[i] = Uniform(x)
	}
}

// UniformsBetween makes dst[i] the number v = Uniform(w[i])*span + from with one rounding, or from
// where v is to. dst and w may be the same memory.
func UniformsBetween(dst []float32, w []uint32, span, from, to float32) {
	uniformsBetween(asm.Active(), dst, w, span, from, to)
}

func uniformsBetween(l asm.Level, dst []float32, w []uint32, span, from, to float32) {
	mustMatch("w", len(w), "dst", len(dst))
	if l != asm.Generic {
		vectorUniformsBetween(l, dst, w, span, from, to)
		return
	}
	for i, x := range w {
		v := poly.FMA32(Uniform(x), span, from)
		if v == to {
			v = from
		}
		dst[i] = v
	}
}

// Normal returns cuRAND's pair of normal numbers of two words: by Box and Muller, with the accurate
// logarithm and the hardware's sine and cosine.
func Normal(x, y uint32) (sin, cos float32) {
	const turn, half = 0x30c90fdb, 0x30490fdb // 2 pi * 2^-32, pi * 2^-32
	v := fma(float32(y), f32(turn), f32(half))
	r := float32(math.Sqrt(float64(float32(-2 * Logf(Uniform(x))))))
	return float32(Sin(v) * r), float32(Cos(v) * r)
}

// Normals makes sin[i], cos[i] the pair Normal(x[i], y[i]). sin may be the memory of x, and
// cos that of y.
func Normals(sin, cos []float32, x, y []uint32) { normals(asm.Active(), sin, cos, x, y) }

func normals(l asm.Level, sin, cos []float32, x, y []uint32) {
	mustMatch("cos", len(cos), "sin", len(sin))
	mustMatch("x", len(x), "sin", len(sin))
	mustMatch("y", len(y), "sin", len(sin))
	if l != asm.Generic {
		vectorNormals(l, sin, cos, x, y)
		return
	}
	for i := range x {
		sin[i], cos[i] = Normal(x[i], y[i])
	}
}

// UniformDouble returns cuRAND's uniform float64 of two words, in (0,1): the 53 bits of a and, 21 places
// higher, b, times 2^-53, plus 2^-54.
func UniformDouble(a, b uint32) float64 { return math.FMA(bits53(a, b), 0x1p-53, 0x1p-54) }

func bits53(a, b uint32) float64 { return float64(uint64(a) ^ uint64(b)<<21) }

// UniformsDouble makes dst[i] UniformDouble(a[i], b[i]).
func UniformsDouble(dst []float64, a, b []uint32) { uniformsDouble(asm.Active(), dst, a, b) }

func uniformsDouble(l asm.Level, dst []float64, a, b []uint32) {
	mustMatch("a", len(a), "dst", len(dst))
	mustMatch("b", len(b), "dst", len(dst))
	if l != asm.Generic {
		vectorUniformsDouble(l, dst, a, b)
		return
	}
	for i := range dst {
		dst[i] = UniformDouble(a[i], b[i])
	}
}

// LogDoubleSlice makes dst[i] Log(x[i]).
func LogDoubleSlice(dst, x []float64) { logDouble(asm.Active(), dst, x) }

func logDouble(l asm.Level, dst, x []float64) {
	mustMatch("x", len(x), "dst", len(dst))
	if l != asm.Generic {
		vectorLogDouble(l, dst, x)
		return
	}
	for i, v := range x {
		dst[i] = Log(v)
	}
}

// NormalDouble returns cuRAND's pair of normal float64 of four words: the radius of a and b, the
// angle of c and d, by the accurate functions.
func NormalDouble(a, b, c, d uint32) (sin, cos float64) {
	r := math.Sqrt(-2 * Log(UniformDouble(a, b)))
	sin, cos = Sincospi(math.FMA(bits53(c, d), 0x1p-52, 0x1p-53))
	return sin * r, cos * r
}

// NormalsDouble makes sin[i], cos[i] the pair NormalDouble(a[i], b[i], c[i], d[i]).
func NormalsDouble(sin, cos []float64, a, b, c, d []uint32) {
	normalsDouble(asm.Active(), sin, cos, &[4][]uint32{a, b, c, d})
}

func normalsDouble(l asm.Level, sin, cos []float64, w *[4][]uint32) {
	mustMatch("cos", len(cos), "sin", len(sin))
	for k, x := range w {
		mustMatch("abcd"[k:k+1], len(x), "sin", len(sin))
	}
	if l != asm.Generic {
		vectorNormalsDouble(l, sin, cos, w)
		return
	}
	for i := range sin {
		sin[i], cos[i] = NormalDouble(w[0][i], w[1][i], w[2][i], w[3][i])
	}
}

// Affine makes z[i] the number z[i]*std + mean, with one rounding.
func Affine(z []float32, std, mean float32) { affine(asm.Active(), z, std, mean) }

func affine(l asm.Level, z []float32, std, mean float32) {
	if l != asm.Generic {
		vectorAffine(l, z, std, mean)
		return
	}
	for i, v := range z {
		z[i] = poly.FMA32(v, std, mean)
	}
}
