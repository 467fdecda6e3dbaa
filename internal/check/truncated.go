package check

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/philox-go/rng/internal/fill"
	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/normal"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

// A truncation is a truncated normal. Which method makes it follows from its
// arguments; here it is said, so that a wrong choice shows.
type truncation struct {
	args    asm.Args
	propose proposal
	// words is how many words a try takes where a normal takes one: so many attempts
	// of the block.
	words uint32
}

// A proposal is one try of all the elements of a block, whose words are x, and y at
// the attempt after it: numbers, and which of them are accepted if they are between
// the bounds.
type proposal func(k asm.Kind, args asm.Args, x, y [4]uint32) (v []float64, ok []bool)

// twoSigma is the truncation of fills without arguments.
var twoSigma = truncation{asm.Args{Std: 1, A: -2, B: 2}, normals, 1}

// truncations are of every method, from both ends, with bounds that are infinite, and
// with float32 numbers that are rounded.
var truncations = []truncation{
	twoSigma,
	{asm.Args{Mean: 1, Std: 3, A: -0.5, B: math.Inf(1)}, normals, 1},
	{asm.Args{Std: 1, A: -0.25, B: 0.5}, uniforms, 2},
	{asm.Args{Std: 1, A: 10, B: 10.0625}, uniforms, 2},
	{asm.Args{Std: 1, A: 10, B: 11}, exponentials, 2},
	{asm.Args{Std: 1, A: -11, B: -10}, exponentials, 2},
	{asm.Args{Mean: float64(float32(0.1)), Std: float64(float32(0.7)), A: math.Inf(-1), B: -3}, exponentials, 2},
}

// block is the elements of the block of counter c, each from the first attempt that
// makes it one between the bounds.
func (t truncation) block(k asm.Kind, key [2]uint32, c [4]uint32) []float64 {
	found, ok := t.try(k, key, c, 0)
	for i := range found {
		for attempt := t.words; !ok[i]; attempt += t.words {
			again, accepted := t.try(k, key, c, attempt)
			found[i], ok[i] = again[i], accepted[i]
		}
	}
	return found
}

// try is the elements of the block at an attempt. An interval below the mean has the
// negatives of one above it.
func (t truncation) try(k asm.Kind, key [2]uint32, c [4]uint32, attempt uint32) (v []float64, ok []bool) {
	x := plain4x32(10, key, attempted(c, attempt))
	var y [4]uint32
	if t.words > 1 {
		y = plain4x32(10, key, attempted(c, attempt+1))
	}
	args, sign := t.args, 1.0
	if args.B <= args.Mean {
		args = asm.Args{Mean: -args.Mean, Std: args.Std, A: -args.B, B: -args.A}
		sign = -1
	}
	v, ok = t.propose(k, args, x, y)
	for i := range v {
		if k == asm.Truncated32 {
			v[i] = float64(float32(v[i]))
		}
		ok[i] = ok[i] && args.A <= v[i] && v[i] <= args.B
		v[i] *= sign
	}
	return v, ok
}

// attempted is the counter of a block's attempt, of which the first has number 0. It
// is for any counter, also those that callers of the library may not have.
func attempted(c [4]uint32, attempt uint32) [4]uint32 {
	if attempt > 0 {
		c[3] ^= 1<<31 + attempt<<16
	}
	return c
}

func normals(k asm.Kind, args asm.Args, x, _ [4]uint32) (v []float64, ok []bool) {
	if k == asm.Truncated32 {
		z0, z1 := normal32(x[0], x[1])
		z2, z3 := normal32(x[2], x[3])
		for _, z := range []float32{z0, z1, z2, z3} {
			v = append(v, float64(fused(z, float32(args.Std), float32(args.Mean))))
		}
		return v, []bool{true, true, true, true}
	}
	z0, z1 := normal64(uint64(x[0])+uint64(x[1])<<32, uint64(x[2])+uint64(x[3])<<32)
	return []float64{math.FMA(z0, args.Std, args.Mean), math.FMA(z1, args.Std, args.Mean)}, []bool{true, true}
}

func uniforms(k asm.Kind, args asm.Args, x, y [4]uint32) (v []float64, ok []bool) {
	nearest := max(args.A, args.Mean) // of the interval to the mean
	ys, bits := centres(k, y)
	xs, _ := centres(k, x)
	for i := range xs {
		z := math.FMA(args.B-args.A, math.Ldexp(float64(xs[i]), -bits), args.A)
		d := (z - nearest) / args.Std
		v = append(v, z)
		ok = append(ok, float64(d*(d/2+(nearest-args.Mean)/args.Std)) <= minusTwoLog(ys[i], bits)/2)
	}
	return v, ok
}

func exponentials(k asm.Kind, args asm.Args, x, y [4]uint32) (v []float64, ok []bool) {
	alpha := (args.A - args.Mean) / args.Std
	lambda := (alpha + math.Sqrt(math.FMA(alpha, alpha, 4))) / 2
	ys, bits := centres(k, y)
	xs, _ := centres(k, x)
	for i := range xs {
		e := minusTwoLog(xs[i], bits) / 2
		d := (e - 1) / lambda
		v = append(v, math.FMA(args.Std, e/lambda, args.A))
		ok = append(ok, float64(d*d) <= minusTwoLog(ys[i], bits))
	}
	return v, ok
}

// centres are the odd numbers that make uniforms in (0, 1) over 2^bits, one for each
// element of a block.
func centres(k asm.Kind, w [4]uint32) (odd []uint64, bits int) {
	if k == asm.Truncated32 {
		for _, x := range w {
			odd = append(odd, 2*uint64(x)+1)
		}
		return odd, 33
	}
	for i := 0; i < 4; i += 2 {
		odd = append(odd, 2*((uint64(w[i])+uint64(w[i+1])<<32)>>11)+1)
	}
	return odd, 54
}

// appendTo appends the memory of the elements of so many blocks.
func (t truncation) appendTo(mem []byte, k asm.Kind, key [2]uint32, c [4]uint32, blocks int) []byte {
	for range blocks {
		for _, v := range t.block(k, key, c) {
			if k == asm.Truncated32 {
				mem = appendNumber(mem, 4, uint64(math.Float32bits(float32(v))))
			} else {
				mem = appendNumber(mem, 8, math.Float64bits(v))
			}
		}
		c = next(c)
	}
	return mem
}

// fillTwoSigma fills by the functions of package normal.
func fillTwoSigma(s philox.Stream, k asm.Kind, dst []byte, first uint64) {
	if refused(s) {
		fillBeneath(s, k, dst, first)
	} else if err := fillTruncated(s, k, dst, first, twoSigma.args); err != nil {
		panic(err)
	}
}

// startTwoSigma does so by those that take no number of the first element.
func startTwoSigma(s philox.Stream, k asm.Kind, dst []byte) {
	args := twoSigma.args
	var err error
	switch {
	case refused(s):
		fillBeneath(s, k, dst, 0)
	case k == asm.Truncated32:
		err = normal.FillTruncatedFloat32(s, view.Of[float32](dst), float32(args.Mean), float32(args.Std), float32(args.A), float32(args.B))
	default:
		err = normal.FillTruncatedFloat64(s, view.Of[float64](dst), args.Mean, args.Std, args.A, args.B)
	}
	if err != nil {
		panic(err)
	}
}

// refused reports whether package normal takes a stream for no truncated fill. The
// cases of other kinds, which have such streams, serve for these kinds too, one
// package further down.
func refused(s philox.Stream) bool { return s.Counter()[3] >= 1<<16 }

func fillBeneath(s philox.Stream, k asm.Kind, dst []byte, first uint64) {
	hi, lo := s.Counter().Uint64s()
	fill.Fill(k, unsafe.Pointer(unsafe.SliceData(dst)), len(dst)/k.Size(), first, s.Key().Seed(), hi, lo, s.MaxGoroutines(), twoSigma.args)
}

func fillTruncated(s philox.Stream, k asm.Kind, dst []byte, first uint64, args asm.Args) error {
	if k == asm.Truncated32 {
		return normal.FillTruncatedFloat32At(s, view.Of[float32](dst), first, float32(args.Mean), float32(args.Std), float32(args.A), float32(args.B))
	}
	return normal.FillTruncatedFloat64At(s, view.Of[float64](dst), first, args.Mean, args.Std, args.A, args.B)
}

// truncatedStreams makes parts of fills with every method. None but normals have
// kernels, so that there is nothing to check of the others level by level.
func (lib Library) truncatedStreams(t *tally) {
	const blocks = 120
	r := seeded(17)
	for _, tr := range truncations {
		for _, k := range []asm.Kind{asm.Truncated32, asm.Truncated64} {
			at := randomPlace(r)
			at.ctr[3] %= 1 << 16
			all := tr.appendTo(nil, k, at.key, at.ctr, blocks)
			s := philox.NewAt(at.key, at.ctr)
			n := len(all) / k.Size()
			for range 10 {
				i := r.IntN(n)
				from := at
				from.first = uint64(i)
				from.of = fmt.Sprintf("%v, mean %v, std %v, from %v to %v", k, tr.args.Mean, tr.args.Std, tr.args.A, tr.args.B)
				want := all[i*k.Size() : (i+1+r.IntN(n-i))*k.Size()]
				t.fill(k, from, r.IntN(16), want, func(dst []byte) {
					if err := lib.Truncated(s, k, dst, from.first, tr.args); err != nil {
						panic(err)
					}
				})
			}
		}
	}
}
