package asm

import (
	"math"
	"unsafe"

	"github.com/philox-go/rng/internal/layout"
	"github.com/philox-go/rng/internal/poly"
)

// Truncated normals: a candidate for every element, and another where it is not
// accepted, each from the element's own lanes of its own block at the next attempt.
// An attempt is another value of counter word 3, so that no element takes words of
// another one, and elements can be made in any order. The candidates are one of
//
//   - Box-Muller: the normal of the element, where the interval holds many of them;
//   - uniforms between the bounds, where it is narrow;
//   - exponentials from the bound that is nearer to the mean, where it is in a tail
//     (Robert, "Simulation of truncated normal variables", Statistics and Computing 5,
//     1995).

// attempts is how many attempts an element has. The last one has never been seen; it
// is there so that no fill can hang.
const attempts = 1 << 15

// attempt returns the upper half of a counter at an attempt. Attempt 0 is the block
// itself. Where word 3 is below 2^16, as it must be outside this package, this is
// hi | 1<<63 | a<<48; elsewhere attempts are distinct all the same.
func attempt(hi, a uint64) uint64 {
	if a == 0 {
		return hi
	}
	return hi ^ 1<<63 ^ a<<48
}

// A method says what the candidates of a truncation are.
type method uint8

const (
	constant method = iota // the mean, where the standard deviation is 0
	boxMuller
	uniform
	exponential
)

// A truncation is what the arguments of a truncated normal come to. Where the mean is
// not below the upper bound, uniform and exponential candidates come from that bound
// down, exactly the negatives of the mirrored arguments' ones.
type truncation struct {
	method  method
	single  bool    // float32
	args    Args    // of Box-Muller
	lo, hi  float64 // the bounds, finite numbers of the type
	reserve float64 // what there is after the last attempt

	end    float64 // the bound that uniforms and exponentials start from
	reach  float64 // from there to the other bound, with its sign
	std    float64 // the standard deviation, with the sign of reach
	origin float64 // the place in the interval that is nearest to the mean
	alpha  float64 // from the mean to the origin, in standard deviations
	lambda float64 // the rate of the exponential
}

// set makes the truncation of kind k: the method depends on nothing but args.
func (t *truncation) set(k Kind, args Args) {
	largest := math.MaxFloat64
	if t.single = k == Truncated32; t.single {
		largest = math.MaxFloat32
	}
	mean, std := args.Mean, args.Std
	t.args = args
	t.lo, t.hi = args.A, args.B
	if t.lo < -largest {
		t.lo = -largest
	}
	if t.hi > largest {
		t.hi = largest
	}
	t.reserve = mean
	if mean < t.lo {
		t.reserve = t.lo
	} else if mean > t.hi {
		t.reserve = t.hi
	}
	if std == 0 {
		t.method = constant
		return
	}
	t.end, t.reach, t.std = t.lo, t.hi-t.lo, std
	if t.hi <= mean {
		t.end, t.reach, t.std = t.hi, -t.reach, -std
	}
	alpha := distance(t.end, mean, t.std)
	width := t.reach / t.std // +Inf where reach overflows: such intervals are wide
	switch {
	case alpha <= 0.5 && width >= 1:
		t.method = boxMuller
		return
	case alpha <= 0:
		t.method, t.origin = uniform, mean
		return
	}
	t.origin, t.alpha, t.lambda = t.end, alpha, alpha
	if alpha < 1<<30 { // beyond, the root is alpha, and its square may overflow
		t.lambda = (alpha + math.Sqrt(math.FMA(alpha, alpha, 4))) / 2
	}
	t.method = exponential
	if t.lambda*width < 1 {
		t.method = uniform
	}
}

// distance returns (x - mean) / std.
func distance(x, mean, std float64) float64 {
	d := x - mean
	if d-d != 0 { // the difference overflows, but the quotient need not
		return (x/2 - mean/2) / std * 2
	}
	return d / std
}

// candidate returns what element lane of a block is at one try, and whether it is
// accepted: x are the block's words at the try's attempt, and y those of the attempt
// after it, which a Box-Muller candidate does not need.
func (t *truncation) candidate(x, y *[4]uint32, lane int) (v float64, ok bool) {
	if t.method == boxMuller {
		v0, v1 := t.pair(x, lane>>1)
		if lane&1 != 0 {
			v0 = v1
		}
		return v0, t.holds(v0)
	}
	var q float64
	if t.method == uniform {
		v = math.FMA(t.reach, t.uniform(x, lane), t.end)
		// Half of how much the square of (v-mean)/std is above the least one, without
		// cancellation. Twice alpha might overflow.
		d := (v - t.origin) / t.std
		q = float64(d * (d/2 + t.alpha))
	} else {
		e := t.minusLog(x, lane)
		v = math.FMA(t.std, e/t.lambda, t.end)
		// What the exponential is too much by goes with the square of the distance
		// from lambda standard deviations: alpha - lambda is -1/lambda.
		d := (e - 1) / t.lambda
		q = float64(d*d) / 2
	}
	if t.single {
		v = float64(float32(v))
	}
	return v, t.holds(v) && t.accepts(q, y, lane)
}

// accepts reports whether q is at most -ln u, or NaN: 0 times infinity, what is too
// small to matter.
func (t *truncation) accepts(q float64, y *[4]uint32, lane int) bool {
	// Most need no logarithm, since -ln u >= 1-u. The margin is for the roundings of
	// both sides, so that it decides nothing.
	return q <= 1-t.uniform(y, lane)-0x1p-41 || !(q > t.minusLog(y, lane))
}

func (t *truncation) holds(v float64) bool { return t.lo <= v && v <= t.hi }

// pair returns the normals of pair p of a block.
func (t *truncation) pair(w *[4]uint32, p int) (v0, v1 float64) {
	if t.single {
		z0, z1 := normal32(w[2*p&3], w[(2*p+1)&3], t.args)
		return float64(z0), float64(z1)
	}
	return normal64(join(w[0], w[1]), join(w[2], w[3]), t.args)
}

// uniform returns the middle of the interval of an element's own word, one of 2^32 or
// 2^53; one of the latter is rounded where it is above 1/2.
func (t *truncation) uniform(w *[4]uint32, lane int) float64 {
	if t.single {
		return (float64(w[lane&3]) + 0.5) * 0x1p-32
	}
	return float64(wide(w, lane)>>11<<1|1) * 0x1p-54
}

// minusLog returns -ln of that middle, before it is rounded.
func (t *truncation) minusLog(w *[4]uint32, lane int) float64 {
	if t.single {
		return poly.MinusTwoLogOf32(w[lane&3]) / 2
	}
	return poly.MinusTwoLog64(wide(w, lane)) / 2
}

// wide returns the 64-bit number of a lane.
func wide(w *[4]uint32, lane int) uint64 { return join(w[2*lane&3], w[(2*lane+1)&3]) }

// retry returns element lane of block hi*2^64 + lo from an attempt on.
func (t *truncation) retry(key, hi, lo, from uint64, lane int) float64 {
	for a := from; a < attempts; a += t.step() {
		x, y := t.words(key, hi, lo, a)
		if v, ok := t.candidate(&x, &y, lane); ok {
			return v
		}
	}
	return t.reserve
}

// step is the number of attempts that a try takes.
func (t *truncation) step() uint64 {
	if t.method == boxMuller {
		return 1
	}
	return 2
}

// words returns a block at an attempt, and at the one after it if that is needed.
func (t *truncation) words(key, hi, lo, a uint64) (x, y [4]uint32) {
	x = words(key, attempt(hi, a), lo)
	if t.method != boxMuller {
		y = words(key, attempt(hi, a+1), lo)
	}
	return x, y
}

// words returns the words of block hi*2^64 + lo.
func words(key, hi, lo uint64) (w [4]uint32) {
	w[0], w[1], w[2], w[3] = ten(uint32(lo), uint32(lo>>32), uint32(hi), uint32(hi>>32), uint32(key), uint32(key>>32))
	return w
}

// OneAtATime reports whether portable code makes the numbers of a kind with some
// arguments at every level, although the kind has kernels.
func OneAtATime(k Kind, args Args) bool {
	if !k.truncated() {
		return false
	}
	var t truncation
	t.set(k, args)
	return t.method == uniform || t.method == exponential
}

// truncated writes n elements, at least one, at dst by the implementation l. Only
// Box-Muller has kernels.
func truncated(l Level, k Kind, dst unsafe.Pointer, n int, key, hi, lo uint64, args Args) {
	var t truncation
	t.set(k, args)
	if t.method == boxMuller && l != Generic && n > scalarBlocks<<logPerBlock[k] {
		vectorTruncated(l, k, dst, n, key, hi, lo, &t)
		return
	}
	t.portable(k, dst, n, key, hi, lo)
}

// portable is the definition that the kernels are tested against.
func (t *truncation) portable(k Kind, dst unsafe.Pointer, n int, key, hi, lo uint64) {
	per, size := k.PerBlock(), k.Size()
	for ; ; n -= per {
		if m := min(n, per); t.method == constant {
			for i := range m {
				t.store(unsafe.Add(dst, i*size), t.args.Mean)
			}
		} else {
			t.block(dst, m, key, hi, lo)
		}
		if n <= per {
			return // one past the end may belong to somebody else
		}
		dst = unsafe.Add(dst, layout.BlockBytes)
		if lo++; lo == 0 {
			hi++
		}
	}
}

// block writes the first n elements of a block.
func (t *truncation) block(dst unsafe.Pointer, n int, key, hi, lo uint64) {
	size := 8
	if t.single {
		size = 4
	}
	x, y := t.words(key, hi, lo, 0)
	var other float64 // of a pair
	for i := range n {
		var v float64
		var ok bool
		switch {
		case t.method != boxMuller:
			v, ok = t.candidate(&x, &y, i)
		case i&1 == 0:
			v, other = t.pair(&x, i>>1)
			ok = t.holds(v)
		default:
			v, ok = other, t.holds(other)
		}
		if !ok {
			v = t.retry(key, hi, lo, t.step(), i)
		}
		t.store(unsafe.Add(dst, i*size), v)
	}
}

// store writes an element.
func (t *truncation) store(p unsafe.Pointer, v float64) {
	if t.single {
		*(*float32)(p) = float32(v)
	} else {
		*(*float64)(p) = v
	}
}
