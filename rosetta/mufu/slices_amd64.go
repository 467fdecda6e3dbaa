//go:build !purego

package mufu

import (
	"math"
	"unsafe"

	"github.com/philox-go/rng/internal/layout"
	"github.com/philox-go/rng/philox/asm"
)

const (
	// group is the number of elements in a group of the kernels.
	group = layout.SliceBytes / 4
	// most bounds one kernel call to 64 KiB: an assembly loop cannot be preempted.
	most = 64 << 10 / layout.SliceBytes
	// chunk is the number of arguments that are looked at together: those outside of
	// a kernel's domain are found and made again from a copy, as dst may be x.
	chunk = 256
)

var domains = [ops]*layout.Domain{
	opSin: &layout.TurnDomain, opCos: &layout.TurnDomain,
	opLg2: &layout.NormalDomain, opEx2: &layout.Ex2Domain,
	opRcp: &layout.RcpDomain, opRsqrt: &layout.NormalDomain, opSqrt: &layout.NormalDomain,
	opFastLog: &layout.NormalDomain, opFastExp: &layout.ExpDomain,
	opLog: &layout.NormalDomain, opExp: &layout.ExpDomain,
}

// vectorApply is apply by the kernels of level l.
func vectorApply(l asm.Level, o op, dst, x []float32) {
	var p layout.Slices
	var args, last [chunk]float32
	p.Src = unsafe.Pointer(&args)
	for len(x) > 0 {
		n := copy(args[:], x)
		whole := (n + group - 1) / group
		for i := n; i < whole*group; i++ {
			args[i] = 1 // in all domains
		}
		to := &last
		if n == chunk {
			to = (*[chunk]float32)(dst)
		}
		kernel(l, o, (*byte)(unsafe.Pointer(to)), &p, whole)
		if p.Outside != 0 {
			redo(o, to[:n], args[:n])
		}
		if n < chunk {
			copy(dst, last[:n])
		}
		dst, x = dst[n:], x[n:]
	}
}

// redo makes the numbers whose arguments are outside of the domain.
func redo(o op, dst, x []float32) {
	d, f := domains[o], scalars[o]
	for i, v := range x {
		if !d.Has(math.Float32bits(v)) {
			dst[i] = f(v)
		}
	}
}

// kernel makes whole groups at dst. The calls are direct: through a func value dst would count
// as escaping.
func kernel(l asm.Level, o op, dst *byte, p *layout.Slices, groups int) {
	q := (*byte)(unsafe.Pointer(p))
	if l == asm.AVX512 {
		switch o {
		case opSin:
			sinAVX512(dst, q, groups)
		case opCos:
			cosAVX512(dst, q, groups)
		case opLg2:
			lg2AVX512(dst, q, groups)
		case opEx2:
			ex2AVX512(dst, q, groups)
		case opRcp:
			rcpAVX512(dst, q, groups)
		case opRsqrt:
			rsqrtAVX512(dst, q, groups)
		case opSqrt:
			sqrtAVX512(dst, q, groups)
		case opFastLog:
			fastLogAVX512(dst, q, groups)
		case opFastExp:
			fastExpAVX512(dst, q, groups)
		case opLog:
			logAVX512(dst, q, groups)
		case opExp:
			expAVX512(dst, q, groups)
		}
		return
	}
	switch o {
	case opSin:
		sinAVX2(dst, q, groups)
	case opCos:
		cosAVX2(dst, q, groups)
	case opLg2:
		lg2AVX2(dst, q, groups)
	case opEx2:
		ex2AVX2(dst, q, groups)
	case opRcp:
		rcpAVX2(dst, q, groups)
	case opRsqrt:
		rsqrtAVX2(dst, q, groups)
	case opSqrt:
		sqrtAVX2(dst, q, groups)
	case opFastLog:
		fastLogAVX2(dst, q, groups)
	case opFastExp:
		fastExpAVX2(dst, q, groups)
	case opLog:
		logAVX2(dst, q, groups)
	case opExp:
		expAVX2(dst, q, groups)
	}
}

// A pass says which kernel without a domain a call is for.
type pass uint8

const (
	passUniforms pass = iota
	passBetween
	passAffine
	passNormals
)

// run makes groups at dst from those at src.
func run(l asm.Level, k pass, dst *byte, p *layout.Slices, groups int) {
	q := (*byte)(unsafe.Pointer(p))
	switch {
	case l == asm.AVX512 && k == passUniforms:
		uniformsAVX512(dst, q, groups)
	case l == asm.AVX512 && k == passBetween:
		uniformsBetweenAVX512(dst, q, groups)
	case l == asm.AVX512 && k == passAffine:
		affineAVX512(dst, q, groups)
	case l == asm.AVX512:
		normalsAVX512(dst, q, groups)
	case k == passUniforms:
		uniformsAVX2(dst, q, groups)
	case k == passBetween:
		uniformsBetweenAVX2(dst, q, groups)
	case k == passAffine:
		affineAVX2(dst, q, groups)
	default:
		normalsAVX2(dst, q, groups)
	}
}

// single runs a kernel of one slice of n elements of 4 bytes, with the numbers in p. Addresses
// only move where something is left: one past the end may belong to somebody else.
func single(l asm.Level, k pass, dst, src unsafe.Pointer, n int, p layout.Slices) {
	var buf [group]uint32
	done := 0
	for groups := n / group; groups > 0; {
		g := min(groups, most)
		p.Src = unsafe.Add(src, done)
		run(l, k, (*byte)(unsafe.Add(dst, done)), &p, g)
		done += g * layout.SliceBytes
		groups -= g
	}
	if rest := n % group; rest > 0 {
		copy(buf[:], unsafe.Slice((*uint32)(unsafe.Add(src, done)), rest))
		p.Src = unsafe.Pointer(&buf)
		run(l, k, (*byte)(unsafe.Pointer(&buf)), &p, 1)
		copy(unsafe.Slice((*uint32)(unsafe.Add(dst, done)), rest), buf[:])
	}
}

func vectorUniforms(l asm.Level, dst []float32, w []uint32) {
	single(l, passUniforms, unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(w)), len(w), layout.Slices{})
}

func vectorUniformsBetween(l asm.Level, dst []float32, w []uint32, span, from, to float32) {
	p := layout.Slices{Scale: span, Add: from, End: to}
	single(l, passBetween, unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(w)), len(w), p)
}

func vectorAffine(l asm.Level, z []float32, std, mean float32) {
	at := unsafe.Pointer(unsafe.SliceData(z))
	single(l, passAffine, at, at, len(z), layout.Slices{Scale: std, Add: mean})
}

func vectorNormals(l asm.Level, sin, cos []float32, x, y []uint32) {
	var p layout.Slices
	var buf [2][group]uint32
	for len(x) >= group {
		g := min(len(x)/group, most)
		p.Src, p.Src2, p.Dst2 = unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0]), unsafe.Pointer(&cos[0])
		run(l, passNormals, (*byte)(unsafe.Pointer(&sin[0])), &p, g)
		g *= group
		sin, cos, x, y = sin[g:], cos[g:], x[g:], y[g:]
	}
	if len(x) > 0 {
		copy(buf[0][:], x)
		copy(buf[1][:], y)
		p.Src, p.Src2, p.Dst2 = unsafe.Pointer(&buf[0]), unsafe.Pointer(&buf[1]), unsafe.Pointer(&buf[1])
		run(l, passNormals, (*byte)(unsafe.Pointer(&buf[0])), &p, 1)
		for i := range x {
			sin[i], cos[i] = math.Float32frombits(buf[0][i]), math.Float32frombits(buf[1][i])
		}
	}
}

// groupDouble is the number of float64 in a group of the kernels.
const groupDouble = layout.SliceBytes / 8

func vectorUniformsDouble(l asm.Level, dst []float64, a, b []uint32) {
	var p layout.Slices
	var buf [2][groupDouble]uint32
	var last [groupDouble]float64
	run := func(dst *float64, a, b *uint32, groups int) {
		p.Words = [4]unsafe.Pointer{unsafe.Pointer(a), unsafe.Pointer(b)}
		at, q := (*byte)(unsafe.Pointer(dst)), (*byte)(unsafe.Pointer(&p))
		if l == asm.AVX512 {
			uniformsDoubleAVX512(at, q, groups)
		} else {
			uniformsDoubleAVX2(at, q, groups)
		}
	}
	for len(dst) >= groupDouble {
		g := min(len(dst)/groupDouble, most)
		run(&dst[0], &a[0], &b[0], g)
		g *= groupDouble
		dst, a, b = dst[g:], a[g:], b[g:]
	}
	if len(dst) > 0 {
		copy(buf[0][:], a)
		copy(buf[1][:], b)
		run(&last[0], &buf[0][0], &buf[1][0], 1)
		copy(dst, last[:])
	}
}

func vectorLogDouble(l asm.Level, dst, x []float64) {
	const chunk = chunk / 2
	var p layout.Slices
	var args, last [chunk]float64
	p.Src = unsafe.Pointer(&args)
	q := (*byte)(unsafe.Pointer(&p))
	for len(x) > 0 {
		n := copy(args[:], x)
		groups := (n + groupDouble - 1) / groupDouble
		for i := n; i < groups*groupDouble; i++ {
			args[i] = 1
		}
		to := &last
		if n == chunk {
			to = (*[chunk]float64)(dst)
		}
		if l == asm.AVX512 {
			logDoubleAVX512((*byte)(unsafe.Pointer(to)), q, groups)
		} else {
			logDoubleAVX2((*byte)(unsafe.Pointer(to)), q, groups)
		}
		if p.Outside != 0 {
			for i, v := range args[:n] {
				if !(v >= 0x1p-1022 && v <= math.MaxFloat64) {
					to[i] = Log(v)
				}
			}
		}
		if n < chunk {
			copy(dst, last[:n])
		}
		dst, x = dst[n:], x[n:]
	}
}

func vectorNormalsDouble(l asm.Level, sin, cos []float64, w *[4][]uint32) {
	var p layout.Slices
	var buf [4][groupDouble]uint32
	var last [2][groupDouble]float64
	run := func(sin, cos *float64, groups int) {
		p.Dst2 = unsafe.Pointer(cos)
		at, q := (*byte)(unsafe.Pointer(sin)), (*byte)(unsafe.Pointer(&p))
		if l == asm.AVX512 {
			normalsDoubleAVX512(at, q, groups)
		} else {
			normalsDoubleAVX2(at, q, groups)
		}
	}
	done := 0
	for len(sin)-done >= groupDouble {
		g := min((len(sin)-done)/groupDouble, most)
		for k := range w {
			p.Words[k] = unsafe.Pointer(&w[k][done])
		}
		run(&sin[done], &cos[done], g)
		done += g * groupDouble
	}
	if done < len(sin) {
		for k := range w {
			copy(buf[k][:], w[k][done:])
			p.Words[k] = unsafe.Pointer(&buf[k])
		}
		run(&last[0][0], &last[1][0], 1)
		copy(sin[done:], last[0][:])
		copy(cos[done:], last[1][:])
	}
}
