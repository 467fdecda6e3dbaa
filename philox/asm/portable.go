package asm

import (
	"encoding/binary"
	"math"
	"unsafe"

	"github.com/philox-go/rng/internal/layout"
	"github.com/philox-go/rng/internal/poly"
)

// portable writes n elements, at least one, at dst. It is the definition that every kernel is
// tested against.
func portable(k Kind, dst unsafe.Pointer, n int, key, hi, lo uint64, args Args) {
	k0, k1 := uint32(key), uint32(key>>32)
	var last [layout.BlockBytes / 8]uint64
	for per := k.PerBlock(); ; n -= per {
		p := dst
		if n < per {
			p = unsafe.Pointer(&last)
		}
		w0, w1, w2, w3 := ten(uint32(lo), uint32(lo>>32), uint32(hi), uint32(hi>>32), k0, k1)
		switch k {
		case Uint32:
			d := (*[4]uint32)(p)
			d[0], d[1], d[2], d[3] = w0, w1, w2, w3
		case Uint64:
			d := (*[2]uint64)(p)
			d[0], d[1] = join(w0, w1), join(w2, w3)
		case Bytes:
			d := (*[16]byte)(p)
			binary.LittleEndian.PutUint64(d[:8], join(w0, w1))
			binary.LittleEndian.PutUint64(d[8:], join(w2, w3))
		case Float32:
			d := (*[4]float32)(p)
			d[0], d[1], d[2], d[3] = poly.Uniform32(w0), poly.Uniform32(w1), poly.Uniform32(w2), poly.Uniform32(w3)
		case OpenFloat32:
			d := (*[4]float32)(p)
			d[0], d[1], d[2], d[3] = poly.Open32(w0), poly.Open32(w1), poly.Open32(w2), poly.Open32(w3)
		case Float64:
			d := (*[2]float64)(p)
			d[0], d[1] = poly.Uniform64(join(w0, w1)), poly.Uniform64(join(w2, w3))
		case Normal32:
			d := (*[4]float32)(p)
			d[0], d[1] = normal32(w0, w1, args)
			d[2], d[3] = normal32(w2, w3, args)
		case Normal64:
			d := (*[2]float64)(p)
			d[0], d[1] = normal64(join(w0, w1), join(w2, w3), args)
		}
		if n <= per {
			if n < per {
				part := n * k.Size()
				copy(unsafe.Slice((*byte)(dst), part), unsafe.Slice((*byte)(p), part))
			}
			return
		}
		dst = unsafe.Add(dst, layout.BlockBytes)
		if lo++; lo == 0 {
			hi++
		}
	}
}

// join makes a 64-bit number of two words, the first one low.
func join(lo, hi uint32) uint64 { return uint64(hi)<<32 | uint64(lo) }

func normal32(x, y uint32, args Args) (z0, z1 float32) {
	z0, z1 = poly.Normal32(x, y)
	if args.standard() {
		return z0, z1
	}
	mean, std := float32(args.Mean), float32(args.Std)
	return poly.FMA32(z0, std, mean), poly.FMA32(z1, std, mean)
}

func normal64(x, y uint64, args Args) (z0, z1 float64) {
	z0, z1 = poly.Normal64(x, y)
	if args.standard() {
		return z0, z1
	}
	return math.FMA(z0, args.Std, args.Mean), math.FMA(z1, args.Std, args.Mean)
}

// standard reports whether z*Std + Mean is z: normals are not zero.
func (a Args) standard() bool { return a.Mean == 0 && a.Std == 1 }

// portableTransform turns the words of n elements, an even number, into numbers.
func portableTransform(k Kind, p unsafe.Pointer, n int, args Args) {
	switch k {
	case Exponential32:
		z, w := unsafe.Slice((*float32)(p), n), unsafe.Slice((*uint32)(p), n)
		for i := range n {
			z[i] = exponential32(w[i], args)
		}
		return
	case Exponential64:
		z, w := unsafe.Slice((*float64)(p), n), unsafe.Slice((*uint64)(p), n)
		for i := range n {
			z[i] = exponential64(w[i], args)
		}
		return
	case Normal32:
		z, w := unsafe.Slice((*float32)(p), n), unsafe.Slice((*uint32)(p), n)
		for i := 0; i < n; i += 2 {
			z[i], z[i+1] = normal32(w[i], w[i+1], args)
		}
		return
	}
	z, w := unsafe.Slice((*float64)(p), n), unsafe.Slice((*uint64)(p), n)
	for i := 0; i < n; i += 2 {
		z[i], z[i+1] = normal64(w[i], w[i+1], args)
	}
}
