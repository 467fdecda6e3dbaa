package main

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"github.com/philox-go/rng/internal/layout"
	"github.com/philox-go/rng/internal/poly"
)

// A boxMuller is a pass that turns words into normals where they lie: two
// registers of pairs (x, y) become two registers of pairs (r cos, r sin). AVX2's
// takes a register of x and one of y, as unzipPairs leaves them, because its rounds
// end with them. poly.Normal32 and poly.Normal64 say what is computed, and every
// operation that rounds is one of theirs; see [boxMuller.unit].
//
// On Zen 5 a comparison into a mask, a masked merge that also computes, and a
// VPTERNLOG each take the place of a fused multiply-add, and masked moves do not.
// Multiplications have two of four pipes and integer additions all of them, so that
// those by powers of two are additions to the exponent.
type boxMuller struct {
	*build.Context
	pool
	*table
	numbers

	zmm    bool // AVX-512, or AVX2
	wide   bool // float64, or float32
	scaled bool // z*std + mean follows

	borrowed []borrowed
	masks    []reg.OpmaskPhysical
	resident map[operand.Constant]reg.VecPhysical // constants that stay in registers
}

// numbers are the constants of one element type.
type numbers struct {
	log, sin, cos                                              []operand.Constant
	two, twoLn2, sinLead                                       operand.Constant // floats
	turnRound, turnHalf, oddQuadrant, sign, fraction, minusOne operand.Constant // bits
	lowerG, turnScale                                          operand.Constant // added to bits
	// A biased exponent under the bits of magic is a float, and bias takes it and
	// the sign bit off again.
	magic, bias operand.Constant
	mean, std   string // fields of layout.Scale
}

var numbers32 = numbers{
	log: constants32(poly.LogPoly32[:]), sin: constants32(poly.SinPoly32[:]), cos: constants32(poly.CosPoly32[:]),
	two: operand.F32(2), twoLn2: operand.F32(poly.TwoLn2For32), lowerG: times32(poly.LowerG32),
	sinLead: operand.F32(poly.SinLead32), turnScale: times32(poly.TurnScale32),
	turnRound: operand.U32(poly.TurnRound32), turnHalf: operand.U32(poly.TurnHalf32),
	oddQuadrant: operand.U32(poly.OddQuadrant32), sign: operand.U32(poly.Sign32),
	fraction: operand.U32(poly.Mask32), minusOne: operand.U32(poly.Sign32 | poly.One32),
	magic: operand.U32(math.Float32bits(1 << 23)), bias: operand.F32(1<<23 + 256 + 127),
	mean: "Mean32", std: "Std32",
}

var numbers64 = numbers{
	log: constants64(poly.LogPoly64[:]), sin: constants64(poly.SinPoly64[:]), cos: constants64(poly.CosPoly64[:]),
	two: operand.F64(2), twoLn2: operand.F64(poly.TwoLn2For64), lowerG: times64(poly.LowerG64),
	sinLead: operand.F64(poly.SinLead64), turnScale: times64(poly.TurnScale64),
	turnRound: operand.U64(poly.TurnRound64), turnHalf: operand.U64(poly.TurnHalf64),
	oddQuadrant: operand.U64(poly.OddQuadrant64), sign: operand.U64(poly.Sign64),
	fraction: operand.U64(poly.Mask64), minusOne: operand.U64(poly.Sign64 | poly.One64),
	magic: operand.U64(math.Float64bits(1 << 52)), bias: operand.F64(1<<52 + 2048 + 1023),
	mean: "Mean64", std: "Std64",
}

// times32 is what added to the bits of a float32 multiplies it by a power of two or
// its negative, where neither is 0 or out of range: floats of exponent 0 have bits
// that come to One32 and the sign.
func times32(power float32) operand.Constant {
	return operand.U32(math.Float32bits(power) - poly.One32)
}

// times64 is that for float64.
func times64(power float64) operand.Constant {
	return operand.U64(math.Float64bits(power) - poly.One64)
}

func constants32(vs []float32) (cs []operand.Constant) {
	for _, v := range vs {
		cs = append(cs, operand.F32(v))
	}
	return cs
}

func constants64(vs []float64) (cs []operand.Constant) {
	for _, v := range vs {
		cs = append(cs, operand.F64(v))
	}
	return cs
}

func normals32(scaled bool) func(machine) body {
	return func(m machine) body { return m.pass(boxMuller{numbers: numbers32, scaled: scaled}) }
}

func normals64(scaled bool) func(machine) body {
	return func(m machine) body { return m.pass(boxMuller{numbers: numbers64, scaled: scaled, wide: true}) }
}

func (m *avx512) pass(p boxMuller) body {
	p.Context, p.table, p.zmm = m.Context, &m.table, true
	return &p
}

func (m *avx2) pass(p boxMuller) body {
	p.Context, p.table = m.Context, &m.table
	return &p
}

func (m *boxMuller) attributes() attr.Attribute { return attr.NOSPLIT }

func (m *boxMuller) vectorBytes() int {
	if m.zmm {
		return 64
	}
	return vectorBytes
}

func (m *boxMuller) unitBytes() int { return 2 * m.vectorBytes() }

func (m *boxMuller) advance(int) {}

// These were fastest on Zen 5. With AVX2 there are registers for three units side by
// side, and a lone one waits for its own results.
func (m *boxMuller) unroll() unrolling {
	switch {
	case !m.zmm:
		return unrolling{units: 6, together: 3}
	case m.wide:
		return unrolling{units: 5, skew: 8}
	}
	return unrolling{units: 12, skew: 4}
}

func (m *boxMuller) begin() {
	m.registers()
	if m.zmm {
		m.keep(m.sign, m.turnRound, m.oddQuadrant, m.two, m.lowerG)
	}
}

// registers makes all registers free.
func (m *boxMuller) registers() {
	m.resident = map[operand.Constant]reg.VecPhysical{}
	if !m.zmm {
		m.free = append([]reg.VecPhysical(nil), ymm...)
		return
	}
	m.free = append([]reg.VecPhysical(nil), zmm...)
	m.masks = []reg.OpmaskPhysical{reg.K1, reg.K2, reg.K3, reg.K4, reg.K5, reg.K6, reg.K7}
}

// keep loads constants that stay in registers.
func (m *boxMuller) keep(cs ...operand.Constant) {
	for _, c := range cs {
		r := m.take()
		m.load(c, r)
		m.resident[c] = r
	}
}

// value returns the address of a constant: one number, which AVX-512 broadcasts
// as it reads it, or a whole vector.
func (m *boxMuller) value(c operand.Constant) operand.Mem {
	if m.zmm {
		return m.values(c)
	}
	return m.values(repeat(c, m.vectorBytes()/c.Bytes())...)
}

// load puts a constant, or what lies at an address, into every lane of r.
func (m *boxMuller) load(what any, r reg.VecPhysical) {
	at, ok := what.(operand.Mem)
	if !ok {
		at = m.value(what.(operand.Constant))
	}
	switch {
	case !m.zmm:
		m.VMOVUPS(at, r)
	case m.wide:
		m.VBROADCASTSD(at, r)
	default:
		m.VBROADCASTSS(at, r)
	}
}

// f emits an instruction on floats, i one on integers, and bits a logical one,
// which has a size with AVX-512 only, for its masks. The names lack the letter of
// the size, at their ends or before a '_'.
func (m *boxMuller) f(name string, ops ...any) { m.emit(name, "SD", ops) }
func (m *boxMuller) i(name string, ops ...any) { m.emit(name, "DQ", ops) }

func (m *boxMuller) bits(name string, ops ...any) {
	if m.zmm {
		m.i(name, ops...)
	} else {
		m.emit(name, "", ops)
	}
}

// emit writes one instruction. An operand that is a constant becomes the
// register that holds it or its address; an address of layout.Scale is broadcast
// as those are.
func (m *boxMuller) emit(name, sizes string, ops []any) {
	name, mask, _ := strings.Cut(name, "_")
	if sizes != "" {
		name += map[bool]string{false: sizes[:1], true: sizes[1:]}[m.wide]
	}
	var args []reflect.Value
	for _, o := range ops {
		_, broadcast := o.(scale)
		if s, ok := o.(scale); ok {
			o = operand.Mem(s)
		}
		if c, ok := o.(operand.Constant); ok && c.Bytes() > 1 { // one byte is an immediate
			if r, ok := m.register(c); ok {
				o = r
			} else {
				o, broadcast = m.value(c), true
			}
		}
		if broadcast && m.zmm {
			name += "_BCST"
		}
		args = append(args, reflect.ValueOf(o))
	}
	if mask != "" {
		name += "_" + mask
	}
	f := reflect.ValueOf(m.Context).MethodByName(name)
	if !f.IsValid() {
		panic("gen: no instruction " + name)
	}
	f.Call(args)
}

// register returns the register that holds a constant. With AVX2 that is any one that
// is free, loaded here, until it is needed for something else: units that are made
// together then load each constant once. Zen 5 loads two vectors a cycle, fewer than
// the constants that it multiplies and adds.
func (m *boxMuller) register(c operand.Constant) (reg.VecPhysical, bool) {
	if m.zmm {
		r, ok := m.resident[c]
		return r, ok
	}
	id := fmt.Sprintf("%T%v", c, c)
	i := slices.IndexFunc(m.borrowed, func(b borrowed) bool { return b.constant == id })
	if i < 0 {
		r := m.take()
		m.VMOVUPS(m.value(c), r)
		m.borrowed = append(m.borrowed, borrowed{id, r})
		return r, true
	}
	b := m.borrowed[i]
	m.borrowed = append(slices.Delete(m.borrowed, i, i+1), b) // the last one to give back
	return b.register, true
}

// A borrowed register holds a constant while nothing else needs it.
type borrowed struct {
	constant string
	register reg.VecPhysical
}

// take takes a register, if need be a borrowed one.
func (m *boxMuller) take() reg.VecPhysical {
	if len(m.free) == 0 && len(m.borrowed) > 0 {
		m.giveBack(1)
	}
	return m.pool.take()
}

// giveBack returns the borrowed registers that were not used for the longest time.
func (m *boxMuller) giveBack(n int) {
	for _, b := range m.borrowed[:n] {
		m.give(b.register)
	}
	m.borrowed = m.borrowed[n:]
}

// A scale is the address of a number of layout.Scale.
type scale operand.Mem

func scaleField(name string) scale {
	return scale(field[layout.Scale](name))
}

func (m *boxMuller) takeMask() reg.OpmaskPhysical {
	k := m.masks[0]
	m.masks = m.masks[1:]
	return k
}

func (m *boxMuller) giveMask(k reg.OpmaskPhysical) { m.masks = append(m.masks, k) }

// unit makes the pairs of two registers.
func (m *boxMuller) unit(u int) []step {
	var x, y, r, t, s, cos, sin reg.VecPhysical
	var q quadrant
	if u == 0 { // a loop begins
		m.giveBack(len(m.borrowed))
	}
	at := func(i int) operand.Mem { return out(u*m.unitBytes() + i*m.vectorBytes()) }

	steps := []step{func() {
		x = m.take()
		if !m.zmm {
			m.VMOVUPS(at(0), x)
			return
		}
		a := m.take()
		y = m.take()
		m.VMOVUPS(at(0), a)
		m.VMOVUPS(at(1), y)
		unzipPairs(m.Context, m.wide, a, y, x)
		m.give(a)
	}}
	steps = append(steps, m.minusTwoLog(&x, &r)...)
	steps = append(steps, func() {
		m.f("VSQRTP", r, r)
	}, func() {
		if !m.zmm { // x and y are not at hand together, so that a unit has few registers
			m.VMOVUPS(r, at(0))
			m.give(r)
			y = m.take()
			m.VMOVUPS(at(1), y)
		}
		q = m.quadrant(y, r)
	}, func() {
		m.remainder(y)
	}, func() {
		t = y
		m.i("VPADD", m.turnScale, t, t)
	}, func() {
		s, cos, sin = m.take(), m.take(), m.take()
		m.f("VMULP", t, t, s)
		m.load(m.cos[len(m.cos)-1], cos)
		m.load(m.sin[len(m.sin)-1], sin)
	})
	steps = append(steps, m.beside(m.horner(m.cos, &s, &cos), m.horner(m.sin, &s, &sin))...)
	return append(steps, func() {
		m.give(s)
		m.f("VMULP", t, sin, sin)
	}, func() {
		m.f("VFMADD231P", m.sinLead, t, sin)
		m.give(t)
	}, func() {
		m.rotate(q, cos, sin)
		if !m.zmm {
			r = q.v
			m.bits("VPAND", m.sign, r, r)
			m.bits("VPOR", at(0), r, r)
		}
	}, func() {
		m.f("VMULP", r, cos, cos)
		m.f("VMULP", r, sin, sin)
		m.give(r)
	}, func() {
		z := m.take()
		if m.scaled {
			m.load(operand.Mem(scaleField(m.std)), z)
			m.f("VFMADD213P", scaleField(m.mean), z, cos)
			m.f("VFMADD213P", scaleField(m.mean), z, sin)
		}
		m.f("VUNPCKLP", sin, cos, z)
		m.f("VUNPCKHP", sin, cos, cos)
		m.VMOVUPS(z, at(0))
		m.VMOVUPS(cos, at(1))
		m.give(z, cos, sin)
	})
}

// minusTwoLog turns words in x into L = -2 ln u1 in l.
func (m *boxMuller) minusTwoLog(x, l *reg.VecPhysical) []step {
	var g, e, h, even, odd reg.VecPhysical
	steps := []step{func() { m.centre(*x) }}
	steps = append(steps, m.split(x, &g, &e)...)
	// L = g^2 R(g) + (e*2 ln 2 + g), R in two halves beside each other.
	evens, odds := parity(m.log)
	steps = append(steps, func() {
		m.f("VFNMADD132P", m.twoLn2, g, e) // e came negative
		h, even, odd = m.take(), m.take(), m.take()
		m.f("VMULP", g, g, h)
		m.load(evens[len(evens)-1], even)
		m.load(odds[len(odds)-1], odd)
	})
	steps = append(steps, m.beside(m.horner(evens, &h, &even), m.horner(odds, &h, &odd))...)
	return append(steps, func() {
		m.f("VFMADD231P", g, odd, even)
		m.give(g, odd)
	}, func() {
		m.f("VFMADD213P", e, h, even)
		m.give(e, h)
		*l = even
	})
}

// beside runs two chains of steps beside each other.
func (m *boxMuller) beside(a, b []step) (both []step) {
	for i := range max(len(a), len(b)) {
		var now []step
		for _, l := range [][]step{a, b} {
			if i < len(l) {
				now = append(now, l[i])
			}
		}
		if !m.zmm { // every unit takes a constant before the next one comes
			both = append(both, now...)
			continue
		}
		both = append(both, func() {
			for _, s := range now {
				s()
			}
		})
	}
	return both
}

// parity returns the coefficients of even and of odd degree.
func parity(c []operand.Constant) (even, odd []operand.Constant) {
	for i := range c {
		if i%2 == 0 {
			even = append(even, c[i])
		} else {
			odd = append(odd, c[i])
		}
	}
	return even, odd
}

// horner takes v, which holds the last coefficient, through the others.
func (m *boxMuller) horner(c []operand.Constant, x, v *reg.VecPhysical) (steps []step) {
	for i := len(c) - 2; i >= 0; i-- {
		steps = append(steps, func() { m.f("VFMADD213P", c[i], *x, *v) })
	}
	return steps
}

// unzipPairs takes the first words of the pairs in a and y to x, and the second to y,
// in the order that unpacking x and y undoes.
func unzipPairs(ctx *build.Context, wide bool, a, y, x reg.VecPhysical) {
	if wide {
		ctx.VUNPCKLPD(y, a, x)
		ctx.VUNPCKHPD(y, a, y)
	} else {
		ctx.VSHUFPS(operand.U8(0x88), y, a, x)
		ctx.VSHUFPS(operand.U8(0xdd), y, a, y)
	}
}

// An unzip is a body that prepares words for AVX2's passes, in place.
type unzip struct {
	*build.Context
	wide bool
}

func unzips(wide bool) func(machine) body {
	return func(m machine) body { return &unzip{m.(*avx2).Context, wide} }
}

func (z *unzip) attributes() attr.Attribute { return attr.NOSPLIT }
func (z *unzip) unitBytes() int             { return avx2Bytes }
func (z *unzip) unroll() unrolling          { return unrolling{units: 2} }
func (z *unzip) begin()                     {}
func (z *unzip) advance(int)                {}

func (z *unzip) unit(u int) []step {
	x, y, a := ymm[3*u], ymm[3*u+1], ymm[3*u+2]
	return []step{func() {
		z.VMOVUPS(out(u*avx2Bytes), a)
		z.VMOVUPS(out(u*avx2Bytes+vectorBytes), y)
		unzipPairs(z.Context, z.wide, a, y, x)
		z.VMOVUPS(x, out(u*avx2Bytes))
		z.VMOVUPS(y, out(u*avx2Bytes+vectorBytes))
	}}
}

// centre turns words into g as it is if u1 >= 1/2, and else into what split makes
// g and e of: -c, scaled.
func (m *boxMuller) centre(x reg.VecPhysical) {
	if !m.wide {
		m.VCVTDQ2PS(x, x)
		m.f("VADDP", operand.F32(poly.Half32), x, x)
		m.i("VPADD", m.lowerG, x, x)
		return
	}
	if m.zmm {
		m.VPSRAQ(operand.U8(poly.CenterShift64), x, x)
		m.bits("VPOR", operand.U64(poly.CenterBit64), x, x)
		m.VCVTQQ2PD(x, x)
	} else {
		h := m.take()
		m.VPSRAD(operand.U8(poly.CenterShift64), x, h) // the high halves
		m.VPSRLQ(operand.U8(poly.CenterShift64), x, x) // the low ones
		m.bits("VPOR", operand.U64(poly.CenterBit64), x, x)
		m.signed(h, x)
		m.give(h)
	}
	m.i("VPADD", m.lowerG, x, x)
}

// signed converts 64-bit integers, whose high halves are those of h and whose low
// ones those of x, to float64 in x: 2^52 and 2^84 with them in their last bits,
// added. It is exact for up to 53 bits.
func (m *boxMuller) signed(h, x reg.VecPhysical) {
	const high, low = 0x45300000<<32 | 1<<31, 0x43300000 << 32
	m.VPSRLQ(operand.U8(32), h, h)
	m.bits("VPXOR", operand.U64(high), h, h)
	m.VPBLENDD(operand.U8(0xaa), m.value(operand.U64(low)), x, x)
	m.VSUBPD(m.value(operand.F64(0x1p84+0x1p63+0x1p52)), h, h)
	m.VADDPD(h, x, x)
}

// split makes g and the negative of e. Comparing bits as integers spares masks:
// those of negative floats grow with the magnitude, here at most 1, as negative
// integers go down and unsigned ones up.
func (m *boxMuller) split(x, g, e *reg.VecPhysical) []step {
	minusOne := m.minusOne
	var mant reg.VecPhysical
	if m.zmm {
		return []step{func() {
			mant, *e = m.take(), m.take()
			m.f("VGETMANTP", operand.U8(0), *x, mant) // -m
			m.i("VPMINS", minusOne, *x, *e)           // -1, of exponent 0, where u1 >= 1/2
		}, func() {
			m.f("VADDP", m.two, mant, mant)
			m.f("VGETEXPP", *e, *e)
		}, func() {
			*g = *x
			m.i("VPMINU", mant, *g, *g)
			m.give(mant)
		}}
	}
	return []step{func() {
		mant, *e = m.take(), m.take()
		if m.wide {
			m.bits("VPAND", m.fraction, *x, mant)
			m.VPSRLQ(operand.U8(52), *x, *e)
		} else {
			m.i("VPMINS", minusOne, *x, *e)
			m.bits("VPAND", m.fraction, *e, mant) // of -1: then 2 - m is 1, at least g
			m.VPSRLD(operand.U8(23), *e, *e)
		}
	}, func() {
		m.bits("VPOR", minusOne, mant, mant) // -m
		m.bits("VPOR", m.magic, *e, *e)
	}, func() {
		m.f("VADDP", m.two, mant, mant)
		m.f("VSUBP", m.bias, *e, *e)
	}, func() {
		*g = *x
		if m.wide { // AVX2 has no minimum of 64-bit integers
			zero := m.take()
			m.VPXOR(zero, zero, zero)
			m.VBLENDVPD(*x, *e, zero, *e)
			m.VBLENDVPD(*x, mant, *x, *g)
			m.give(zero)
		} else {
			m.i("VPMINU", mant, *g, *g)
		}
		m.give(mant)
	}}
}

// A quadrant says which lanes have an odd one.
type quadrant struct {
	k reg.OpmaskPhysical // AVX-512
	v reg.VecPhysical    // AVX2: the upper two bits are the quadrant's number
}

// quadrant finds the nearest quadrant of y. With AVX-512 it gives r its sign.
func (m *boxMuller) quadrant(y, r reg.VecPhysical) (q quadrant) {
	w := m.take()
	m.i("VPADD", m.turnRound, y, w)
	if !m.zmm {
		return quadrant{v: w}
	}
	q.k = m.takeMask()
	m.i("VPTESTM", m.oddQuadrant, w, q.k)
	m.i("VPTERNLOG", operand.U8(0xf8), m.sign, w, r) // r | w & sign
	m.give(w)
	return q
}

// remainder turns y into 4 times the signed distance from the nearest quadrant.
func (m *boxMuller) remainder(y reg.VecPhysical) {
	if m.wide {
		m.bits("VPAND", operand.U64(poly.TurnMask64), y, y)
		m.bits("VPOR", m.turnHalf, y, y)
		m.i("VPSLL", operand.U8(2), y, y)
	} else {
		m.i("VPSLL", operand.U8(2), y, y)
		m.bits("VPOR", m.turnHalf, y, y)
	}
	switch {
	case !m.wide:
		m.VCVTDQ2PS(y, y)
	case m.zmm:
		m.VCVTQQ2PD(y, y)
	default:
		h := m.take()
		m.VMOVAPS(y, h)
		m.signed(h, y)
		m.give(h)
	}
}

// rotate swaps cos and sin where the quadrant is odd, and there negates what
// becomes the cosine.
func (m *boxMuller) rotate(q quadrant, cos, sin reg.VecPhysical) {
	n := m.take()
	m.bits("VPXOR", m.sign, sin, n)
	if m.zmm {
		m.f("VMOVAP", cos, q.k, sin)
		m.f("VMOVAP", n, q.k, cos)
		m.giveMask(q.k)
	} else {
		odd := m.take()
		m.i("VPSLL", operand.U8(1), q.v, odd)
		m.f("VBLENDVP", odd, cos, sin, sin)
		m.f("VBLENDVP", odd, n, cos, cos)
		m.give(odd)
	}
	m.give(n)
}
