package asm

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/philox-go/rng/internal/layout"
	"github.com/philox-go/rng/internal/poly"
)

// The kinds that take arguments: uniforms between bounds, exponentials, choices and
// integers.

// Rate returns the arguments of an exponential: numbers divided by the rate, at least
// least and at most most, all of them float32 numbers for Exponential32.
func Rate(rate, least, most float64) Args { return Args{Std: rate, A: least, B: most} }

func (a Args) rate() (rate, least, most float64) { return a.Std, a.A, a.B }

// leastUnscaled and mostUnscaled are beyond what an exponential of rate 1 can be.
const leastUnscaled, mostUnscaled = 0x1p-55, 76

// unscaled reports whether neither rate nor bounds change an exponential.
func (a Args) unscaled() bool { return a.Std == 1 && a.unheld() }

// unheld reports whether bounds change no exponential of the rate.
func (a Args) unheld() bool { return a.A*a.Std <= leastUnscaled && a.B*a.Std >= mostUnscaled }

// twiceTooLarge reports whether twice the rate, which kernels divide by, is infinite in a
// kind's type.
func (a Args) twiceTooLarge(k Kind) bool {
	return k == Exponential32 && a.Std > math.MaxFloat32/2 || k == Exponential64 && a.Std > math.MaxFloat64/2
}

// Choice returns the arguments of a choice: the bits of an element are those of one where
// its word is less than threshold, which is 2^32 at most, and 0 elsewhere.
func Choice(threshold, one uint64) Args {
	return Args{Mean: float64(threshold), A: float64(uint32(one)), B: float64(one >> 32)}
}

func (a Args) choice() (threshold, one uint64) {
	return uint64(a.Mean), uint64(a.B)<<32 | uint64(a.A)
}

// Integers returns the arguments of n integers from lo on, where 0 stands for 2^64. All
// but Wide64 take n from 1 to 2^32.
func Integers(lo, n uint64) Args {
	return Args{Mean: float64(uint32(lo)), Std: float64(lo >> 32), A: float64(uint32(n)), B: float64(n >> 32)}
}

func (a Args) integers() (lo, n uint64) {
	return uint64(a.Std)<<32 | uint64(a.Mean), uint64(a.B)<<32 | uint64(a.A)
}

// integers reports whether a kind's elements are integers.
func (k Kind) integers() bool { return k >= Int8 && k <= Wide64 }

// half returns the format that a kind's elements are in.
func (k Kind) half() Half {
	if k == BFloat16 {
		return B16
	}
	return F16
}

// draw writes n elements, at least one, at dst by the implementation l.
func draw(l Level, k Kind, dst unsafe.Pointer, n int, key, hi, lo uint64, args Args) {
	switch {
	case k.integers():
		var t integers
		t.set(k, args)
		if l == Generic || n <= scalarBlocks<<logPerBlock[k] {
			t.portable(dst, n, key, hi, lo)
		} else {
			vectorIntegers(l, dst, n, key, hi, lo, &t)
		}
	case (k == Float16 || k == BFloat16) && !args.unit() && l == AVX2:
		of := range16
		if k == BFloat16 {
			of = rangeB16
		}
		halves(l, of, k.half(), dst, n, key, hi, lo, args)
		positiveZeros(dst, n, rangeOf(k, args))
	case l == Generic || n <= scalarBlocks<<logPerBlock[k] && !k.twoPasses() || args.twiceTooLarge(k):
		portableDraw(k, dst, n, key, hi, lo, args)
	case k.twoPasses():
		vectorPasses(l, k, dst, n*k.Size(), key, hi, lo, args)
	default:
		vectorConverted(l, k, dst, n*k.Size(), key, hi, lo, args)
		if k == Float16 {
			positiveZeros(dst, n, rangeOf(k, args))
		}
	}
}

// positiveZeros makes halves that are -0 what is below their bound: the bound is held
// before they are rounded, which makes a difference for zeros alone.
func positiveZeros(dst unsafe.Pointer, n int, r bounds) {
	if r.below != 0 {
		return
	}
	for i, b := range unsafe.Slice((*uint16)(dst), n) {
		if b == 1<<15 {
			unsafe.Slice((*uint16)(dst), n)[i] = 0
		}
	}
}

// unit reports whether the bounds are 0 and 1, between which uniforms are as they are.
func (a Args) unit() bool { return a.A == 0 && a.B == 1 }

// portableDraw is the definition that the kernels are tested against, but for integers.
func portableDraw(k Kind, dst unsafe.Pointer, n int, key, hi, lo uint64, args Args) {
	var last [2 * layout.BlockBytes / 8]uint64
	r := rangeOf(k, args)
	threshold, one := args.choice()
	chosen := func(w uint32) uint64 {
		if uint64(w) < threshold {
			return one
		}
		return 0
	}
	for per := k.PerBlock(); ; n -= per {
		p := dst
		if n < per {
			p = unsafe.Pointer(&last)
		}
		w := words(key, hi, lo)
		switch k {
		case Range32, range16, rangeB16:
			for i, d := 0, (*[4]float32)(p); i < 4; i++ {
				d[i] = r.single(uniformOf(k, w[i]))
			}
		case Range64:
			d := (*[2]float64)(p)
			d[0], d[1] = r.double(poly.Uniform64(join(w[0], w[1]))), r.double(poly.Uniform64(join(w[2], w[3])))
		case Float16, BFloat16:
			for i, d := 0, (*[4]uint16)(p); i < 4; i++ {
				d[i] = r.half(k, uniformOf(k, w[i]))
			}
		case Exponential32:
			for i, d := 0, (*[4]float32)(p); i < 4; i++ {
				d[i] = exponential32(w[i], args)
			}
		case Exponential64:
			d := (*[2]float64)(p)
			d[0], d[1] = exponential64(join(w[0], w[1]), args), exponential64(join(w[2], w[3]), args)
		case Chosen8:
			for i, d := 0, (*[4]uint8)(p); i < 4; i++ {
				d[i] = uint8(chosen(w[i]))
			}
		case Chosen16:
			for i, d := 0, (*[4]uint16)(p); i < 4; i++ {
				d[i] = uint16(chosen(w[i]))
			}
		case Chosen32:
			for i, d := 0, (*[4]uint32)(p); i < 4; i++ {
				d[i] = uint32(chosen(w[i]))
			}
		case Chosen64:
			for i, d := 0, (*[4]uint64)(p); i < 4; i++ {
				d[i] = chosen(w[i])
			}
		}
		if n <= per {
			if n < per {
				part := n * k.Size()
				copy(unsafe.Slice((*byte)(dst), part), unsafe.Slice((*byte)(p), part))
			}
			return
		}
		dst = unsafe.Add(dst, k.BlockSize())
		if lo++; lo == 0 {
			hi++
		}
	}
}

// uniformOf returns the uniform in [0,1) that a word gives in the kind's type.
func uniformOf(k Kind, w uint32) float32 {
	switch k {
	case Float16, range16:
		return float32(w&(1<<10-1)) * 0x1p-10
	case BFloat16, rangeB16:
		return float32(w&(1<<7-1)) * 0x1p-7
	}
	return poly.Uniform32(w)
}

// bounds are what a uniform is brought between.
type bounds struct{ span, lo, below float64 }

// rangeOf returns the bounds of a kind. Those of a half type are between float32.
func rangeOf(k Kind, args Args) bounds {
	lo, hi := args.A, args.B
	switch k {
	case Range64:
		return bounds{hi - lo, lo, math.Nextafter(hi, math.Inf(-1))}
	case Float16, range16:
		return bounds{float64(float32(hi) - float32(lo)), lo, float64(F16.Below(float32(hi)))}
	case BFloat16, rangeB16:
		return bounds{float64(float32(hi) - float32(lo)), lo, float64(B16.Below(float32(hi)))}
	}
	return bounds{float64(float32(hi) - float32(lo)), lo, float64(math.Nextafter32(float32(hi), float32(math.Inf(-1))))}
}

// single returns u between the bounds. Of two zeros it is the bound, as the vector
// units' minimum has it.
func (b bounds) single(u float32) float32 {
	if v := poly.FMA32(u, float32(b.span), float32(b.lo)); v < float32(b.below) {
		return v
	}
	return float32(b.below)
}

// half is single for a half type, rounded. Zeros have no sign where the bound is one.
func (b bounds) half(k Kind, u float32) uint16 {
	h := k.half().Round(b.single(u))
	if b.below == 0 && h == 1<<15 {
		return 0
	}
	return h
}

func (b bounds) double(u float64) float64 {
	if v := math.FMA(u, b.span, b.lo); v < b.below {
		return v
	}
	return b.below
}

func exponential32(w uint32, args Args) float32 {
	e := poly.Exponential32(w)
	if args.unscaled() {
		return e
	}
	rate, least, most := args.rate()
	return min(max(e/float32(rate), float32(least)), float32(most))
}

func exponential64(w uint64, args Args) float64 {
	e := poly.MinusTwoLog64(w) / 2
	if args.unscaled() {
		return e
	}
	rate, least, most := args.rate()
	return min(max(e/rate, least), most)
}

// FillBits writes n bytes at dst, a multiple of 4, from block hi*2^64 + lo on, by the
// implementation l: a bit for every word, the least significant first, which is 1 where
// the word is less than threshold, or with flip, where it is not. The caller vouches for
// the memory.
func FillBits(l Level, dst unsafe.Pointer, n int, key, hi, lo, threshold uint64, flip bool) {
	switch {
	case n == 0:
	case l == Generic:
		portableBits(dst, n, key, hi, lo, threshold, flip)
	default:
		vectorBits(l, dst, n, key, hi, lo, threshold, flip)
	}
}

func portableBits(dst unsafe.Pointer, n int, key, hi, lo, threshold uint64, flip bool) {
	d := unsafe.Slice((*byte)(dst), n)
	for i := range d {
		var b byte
		for half := range 2 { // of a byte, the bits of a block
			for lane, w := range words(key, hi, lo) {
				if (uint64(w) < threshold) != flip {
					b |= 1 << (4*half + lane)
				}
			}
			if lo++; lo == 0 {
				hi++
			}
		}
		d[i] = b
	}
}

// An integers is what the arguments of integers come to.
type integers struct {
	kind  Kind
	lo, n uint64
	least uint64 // a candidate whose low half is less is rejected
}

func (t *integers) set(k Kind, args Args) {
	t.kind = k
	t.lo, t.n = args.integers()
	switch {
	case t.n == 0:
	case k == Wide64:
		t.least = -t.n % t.n // 2^64 mod n
	default:
		t.least = 1 << 32 % t.n
	}
}

// candidate returns how much more than lo element lane of a block is at an attempt, and
// whether that is accepted.
func (t *integers) candidate(w *[4]uint32, lane int) (v uint64, ok bool) {
	switch {
	case t.kind != Wide64:
		p := uint64(w[lane&3]) * t.n // of at most 2^32-1 and 2^32
		return p >> 32, p&(1<<32-1) >= t.least
	case t.n == 0:
		return wide(w, lane), true
	}
	h, l := bits.Mul64(wide(w, lane), t.n)
	return h, l >= t.least
}

// portable is the definition that the kernels are tested against.
func (t *integers) portable(dst unsafe.Pointer, n int, key, hi, lo uint64) {
	per, size := t.kind.PerBlock(), t.kind.Size()
	for ; ; n -= per {
		w := words(key, hi, lo)
		for i := range min(n, per) {
			v, ok := t.candidate(&w, i)
			if !ok {
				v = t.retry(key, hi, lo, i)
			}
			t.store(unsafe.Add(dst, i*size), t.lo+v)
		}
		if n <= per {
			return // one past the end may belong to somebody else
		}
		dst = unsafe.Add(dst, t.kind.BlockSize())
		if lo++; lo == 0 {
			hi++
		}
	}
}

// retry is candidate from attempt 1 on, of block hi*2^64 + lo. Nobody will see the
// last one rejected.
func (t *integers) retry(key, hi, lo uint64, lane int) (v uint64) {
	for a, ok := uint64(1), false; !ok && a < attempts; a++ {
		w := words(key, attempt(hi, a), lo)
		v, ok = t.candidate(&w, lane)
	}
	return v
}

// store writes an element.
func (t *integers) store(p unsafe.Pointer, v uint64) {
	switch t.kind.Size() {
	case 1:
		*(*uint8)(p) = uint8(v)
	case 2:
		*(*uint16)(p) = uint16(v)
	case 4:
		*(*uint32)(p) = uint32(v)
	case 8:
		*(*uint64)(p) = v
	}
}

// Drop32 writes src times scale, with one rounding, where the mask has a 1, the least
// significant bits first, and 0 elsewhere, by the implementation l. dst may be src. src
// and the mask must be as long as dst needs.
func Drop32(l Level, dst []float32, mask []byte, src []float32, scale float32) {
	l.mustBeHere()
	src, mask = src[:len(dst)], mask[:(len(dst)+7)/8]
	done := 0
	if l != Generic && len(dst) >= layout.GroupBytes/4 {
		done = vectorDrop(l, unsafe.Pointer(&dst[0]), unsafe.Pointer(&mask[0]), unsafe.Pointer(&src[0]), len(dst), 4, scale)
	}
	for i := done; i < len(dst); i++ { // without a branch, since masks are random
		bits := math.Float32bits(float32(src[i] * scale))
		dst[i] = math.Float32frombits(bits & -uint32(mask[i/8]>>(i%8)&1))
	}
}

// Drop64 is Drop32 for float64.
func Drop64(l Level, dst []float64, mask []byte, src []float64, scale float32) {
	l.mustBeHere()
	src, mask = src[:len(dst)], mask[:(len(dst)+7)/8]
	done := 0
	if l != Generic && len(dst) >= layout.GroupBytes/8 {
		done = vectorDrop(l, unsafe.Pointer(&dst[0]), unsafe.Pointer(&mask[0]), unsafe.Pointer(&src[0]), len(dst), 8, scale)
	}
	for i := done; i < len(dst); i++ {
		bits := math.Float64bits(float64(src[i] * float64(scale)))
		dst[i] = math.Float64frombits(bits & -uint64(mask[i/8]>>(i%8)&1))
	}
}
