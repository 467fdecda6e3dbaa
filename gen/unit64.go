package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A double is a function of float64 numbers for rosetta/mufu: CUDA's logarithm, and what
// cuRAND makes of words. Words of a number are in slices of their own.
type double struct {
	function     // for the hardware's reciprocal
	words    int // slices of words
}

func doubles(what string, words int) func(machine) body {
	return func(m machine) body {
		p := m.parts()
		return &double{
			function: function{
				boxMuller: boxMuller{Context: p.Context, table: p.table, zmm: p.zmm, numbers: numbers64, wide: true},
				what:      what, tab: rcpTable,
			},
			words: words,
		}
	}
}

func (m *double) unroll() unrolling {
	switch {
	case !m.zmm:
		return unrolling{units: 2, together: 1}
	case m.what == "uniforms":
		return unrolling{units: 4, skew: 1}
	}
	return unrolling{units: 2, skew: 8}
}

// from points to the slices of words.
var from = [4]reg.GPPhysical{reg.R11, reg.R12, reg.R13, reg.R9}

func (m *double) begin() {
	m.registers()
	m.borrowed = nil
	for k := range m.words {
		m.MOVQ(sliceField("Words").Offset(8*k), from[k])
	}
	switch m.what {
	case "normals":
		m.MOVQ(sliceField("Dst2"), away[1])
		m.SUBQ(dst, away[1])
	case "log":
		m.MOVQ(sliceField("Src"), away[1])
		m.SUBQ(dst, away[1])
		if m.zmm {
			m.KXORW(outsideMask, outsideMask, outsideMask)
		} else {
			m.acc = m.take()
			m.VPXOR(m.acc, m.acc, m.acc)
		}
	}
	if m.zmm && m.what != "uniforms" {
		m.masks = m.masks[:5]
		m.vectors()
	}
}

// reciprocal makes the hardware's reciprocals of d, between 1 and 4: those of float32 with as many
// bits as the high word has, and no more of the result.
func (m *double) reciprocal(d, q *reg.VecPhysical) []step {
	var t reg.VecPhysical
	var f split
	steps := []step{func() {
		t = m.take()
		m.VPSRLQ(operand.U8(29), *d, t)
		m.bits("VPAND", u64(1<<23-1<<3), t, t)
	}}
	for _, s := range m.core(&t, &f) { // in the lower halves of the lanes; 0 is in the others
		steps = append(steps, func() {
			m.wide = false
			s()
			m.wide = true
		})
	}
	return append(steps, func() {
		m.VPSLLQ(operand.U8(32), f.hi, f.hi)
		m.VPSRLQ(operand.U8(8), f.hi, f.hi)
		m.bits("VPAND", u64(1<<32-1), f.lo, f.lo)
	}, func() {
		m.bits("VPOR", f.lo, f.hi, f.hi)
		m.bits("VPOR", u64(math.Float64bits(1<<52)), f.hi, f.hi)
		*q = f.hi
	}, func() {
		m.f("VADDP", f64(-1<<52), *q, *q)
		m.bits("VPAND", u64(0x7ff<<52), *d, f.lo)
	}, func() {
		m.bits("VPAND", u64(1<<64-1<<32), *q, *q)
		m.i("VPADD", u64((1023-40)<<52), *q, *q)
	}, func() {
		m.i("VPSUB", f.lo, *q, *q)
		m.give(f.lo)
	})
}

func (m *double) advance(units int) {
	for k := range m.words {
		m.ADDQ(operand.I32(units*m.vectorBytes()/2), from[k])
	}
}

// end says whether a lane was outside of the domain.
func (m *double) end() {
	if m.what != "log" {
		return
	}
	if m.zmm {
		m.KMOVW(outsideMask, reg.EAX)
	} else {
		m.VMOVMSKPD(m.acc, reg.EAX)
	}
	m.MOVL(reg.EAX, sliceField("Outside"))
}

func u64(x uint64) operand.Constant  { return operand.U64(x) }
func f64(x float64) operand.Constant { return operand.F64(x) }

// from64 are the constants with some bits.
func from64(bits ...uint64) (cs []operand.Constant) {
	for _, b := range bits {
		cs = append(cs, f64(math.Float64frombits(b)))
	}
	return cs
}

func (m *double) unit(u int) []step {
	if u == 0 { // a loop begins
		m.giveBack(len(m.borrowed))
	}
	x := new(reg.VecPhysical)
	var steps []step
	switch m.what {
	case "uniforms":
		steps = append(steps, func() {
			m.bits53(u, 0, x)
			m.times(0x1p-53, 0x1p-54, *x)
		})
	case "log":
		steps = append(steps, func() {
			*x = m.take()
			m.VMOVUPD(laneOut(1, u*m.vectorBytes()), *x)
			m.check(*x)
		})
		steps = append(steps, m.log(x)...)
	case "normals":
		return m.normals(u)
	}
	return append(steps, func() {
		m.VMOVUPD(*x, laneOut(0, u*m.vectorBytes()))
		m.give(*x)
	})
}

// check looks for lanes that are not positive normal numbers.
func (m *double) check(x reg.VecPhysical) {
	const normal, infinite = 1 << 52, 0x7ff << 52
	v := m.take()
	if m.zmm {
		const atLeast = operand.U8(5)
		k := m.takeMask()
		m.i("VPSUB", u64(normal), x, v)
		m.VPCMPUQ_BCST(atLeast, m.value(u64(infinite-normal)), v, k)
		m.KORW(k, outsideMask, outsideMask)
		m.giveMask(k)
	} else {
		m.VMOVUPD(m.value(u64(normal)), v)
		m.VPCMPGTQ(x, v, v)
		m.VPOR(v, m.acc, m.acc)
		m.VPCMPGTQ(m.value(u64(infinite-1)), x, v)
		m.VPOR(v, m.acc, m.acc)
	}
	m.give(v)
}

// bits53 makes float64 of the 53 bits of words k and k+1, the second one moved by 21 places.
func (m *double) bits53(u, k int, x *reg.VecPhysical) {
	*x = m.take()
	y := m.take()
	at := u * m.vectorBytes() / 2
	m.VPMOVZXDQ(operand.Mem{Base: from[k], Disp: at}, *x)
	m.VPMOVZXDQ(operand.Mem{Base: from[k+1], Disp: at}, y)
	m.VPSLLQ(operand.U8(21), y, y)
	m.bits("VPXOR", y, *x, *x)
	if m.zmm {
		m.VCVTUQQ2PD(*x, *x)
	} else {
		m.VMOVAPS(*x, y)
		m.signed(y, *x)
	}
	m.give(y)
}

// times makes x*a + b, rounded once.
func (m *double) times(a, b float64, x reg.VecPhysical) {
	c := m.take()
	m.load(f64(a), c)
	m.f("VFMADD213P", f64(b), c, x)
	m.give(c)
}

// log makes logarithms of x, as CUDA's log does: mufu.Log.
func (m *double) log(x *reg.VecPhysical) []step {
	var e, f, q, t, s, p, r, a reg.VecPhysical
	c := from64(0x3fb5555555555554, 0x3f8999999999a3c4, 0x3f624924923be72d, 0x3f3c71c72d1b5154,
		0x3f1745cba9ab0956, 0x3ef3b2669f02676f, 0x3ed0ee258b7a8b04, 0x3eb1380b3ae80f1e)
	ln2 := from64(0x3fe62e42fefa39ef, 0x3c7abc9e3b39803f)
	steps := []step{func() {
		e = m.take()
		m.i("VPSUB", u64(0x3fe6a09f<<32), *x, e)
		m.bits("VPAND", u64(0xfff<<52), e, e)
		m.i("VPSUB", e, *x, *x) // m
		f = *x
	}, func() { // the exponent
		if m.zmm {
			m.VPSRAQ(operand.U8(52), e, e)
			m.VCVTQQ2PD(e, e)
			return
		}
		h := m.take()
		m.VEXTRACTI128(operand.U8(1), e, h.AsX())
		m.VSHUFPS(operand.U8(0xdd), h.AsX(), e.AsX(), e.AsX())
		m.VPSRAD(operand.U8(20), e.AsX(), e.AsX())
		m.VCVTDQ2PD(e.AsX(), e)
		m.give(h)
	}, func() {
		s = m.take()
		m.f("VADDP", f64(1), f, s)
		m.f("VADDP", f64(-1), f, f)
	}}
	steps = append(steps, m.reciprocal(&s, &q)...)
	steps = append(steps, func() { // a step of Newton's method of the third order
		t = m.take()
		m.load(f64(1), t)
		m.f("VFNMADD213P", t, q, s) // 1 - d*q
	}, func() {
		m.VMOVAPD(s, t)
		m.f("VFMADD213P", s, s, t) // e*e + e
	}, func() {
		m.f("VFMADD231P", t, q, q)
	}, func() {
		m.f("VMULP", q, f, t)
	}, func() {
		m.f("VFMADD231P", q, f, t)
	}, func() {
		m.f("VMULP", t, t, s)
		p, r = m.take(), m.take()
		m.load(c[len(c)-1], p)
		m.f("VSUBP", t, f, r)
	}, func() {
		m.f("VADDP", r, r, r)
	}, func() {
		m.f("VFNMADD231P", t, f, r)
		m.give(f)
	}, func() {
		m.f("VMULP", q, r, r)
		m.give(q)
	})
	steps = append(steps, m.horner(c, &s, &p)...)
	return append(steps, func() {
		m.f("VMULP", s, p, p)
		m.give(s)
		a = m.take()
		m.VMOVAPD(t, a)
	}, func() {
		m.f("VFMADD231P", p, t, r) // u
		m.f("VFMADD231P", ln2[0], e, a)
	}, func() {
		m.VMOVAPD(a, p)
		m.f("VFNMADD231P", ln2[0], e, p)
	}, func() {
		m.f("VSUBP", t, p, p)
		m.give(t)
	}, func() {
		m.f("VSUBP", p, r, r)
		m.give(p)
	}, func() {
		m.f("VFMADD231P", ln2[1], e, r)
		m.give(e)
	}, func() {
		m.f("VADDP", r, a, a)
		m.give(r)
		*x = a
	})
}

// normals makes cuRAND's normal numbers of words: the radius of those at Words[0] and [1], the
// angle of the others. Sines go to dst and cosines to Dst2. mufu.Sincospi says how.
func (m *double) normals(u int) []step {
	r, v := new(reg.VecPhysical), new(reg.VecPhysical)
	var n, y, z, s, c reg.VecPhysical
	steps := []step{func() {
		m.bits53(u, 0, r)
		m.times(0x1p-53, 0x1p-54, *r)
		m.bits53(u, 2, v)
		m.times(0x1p-52, 0x1p-53, *v)
	}}
	steps = append(steps, m.log(r)...)
	sin := from64(0, 0xbfc5555555555554, 0x3f81111111110818, 0xbf2a01a019db62a1, 0x3ec71de369ace392, 0xbe5ae5f12cb0d246, 0x3de5db65f9785eba)
	cos := from64(0x3ff0000000000000, 0xbfe0000000000000, 0x3fa5555555555551, 0xbf56c16c16c15d47, 0x3efa01a019ddbce9,
		0xbe927e4f8e06e6d9, 0x3e21eea7c1ef8528, 0xbda8ff8320fd8164)
	steps = append(steps, func() {
		m.f("VMULP", f64(-2), *r, *r)
		n = m.take()
		m.f("VADDP", *v, *v, n)
	}, func() {
		m.f("VSQRTP", *r, *r)
		m.round(nearestEven, n)
	}, func() {
		y = m.take()
		m.VMOVAPD(*v, y)
		m.f("VFNMADD231P", f64(0.5), n, y)
		m.f("VADDP", f64(1<<52), n, n) // the number is in the lowest bits now
	}, func() {
		z = m.take()
		m.f("VMULP", from64(0x3ca1a62633145c07)[0], y, z)
	}, func() {
		m.f("VFMADD231P", from64(0x400921fb54442d18)[0], y, z)
		m.give(y)
		y = z
	}, func() {
		z, s, c = m.take(), m.take(), m.take()
		m.f("VMULP", y, y, z)
		m.load(sin[len(sin)-1], s)
		m.load(cos[len(cos)-1], c)
	})
	steps = append(steps, m.beside(m.horner(sin, &z, &s), m.horner(cos, &z, &c))...)
	return append(steps, func() {
		m.give(z)
		m.f("VFMADD213P", y, y, s)
		m.give(y)
	}, func() { // an odd quarter changes sine and cosine for each other
		o := m.take()
		m.VPSLLQ(operand.U8(63), n, o)
		if m.zmm {
			k := m.takeMask()
			t := m.take()
			m.VPMOVQ2M(o, k)
			m.VMOVAPD(s, t)
			m.VMOVAPD(c, k, s)
			m.VMOVAPD(t, k, c)
			m.give(t)
			m.giveMask(k)
		} else {
			t := m.take()
			m.VBLENDVPD(o, c, s, t)
			m.VBLENDVPD(o, s, c, c)
			m.give(s)
			s = t
		}
		// The second bit is the sign of the sine, and both bits that of the cosine.
		m.VPSLLQ(operand.U8(62), n, n)
		m.bits("VPXOR", n, o, o)
		m.bits("VPAND", m.sign, o, o)
		m.bits("VPXOR", o, c, c)
		m.bits("VPAND", m.sign, n, n)
		m.bits("VPXOR", n, s, s)
		m.give(n, o)
	}, func() { // +0 where the angle is whole, and never a cosine of -0
		t, zero := m.take(), m.take()
		m.VMOVAPD(*v, t)
		m.round(toZero, t)
		m.bits("VPXOR", zero, zero, zero)
		m.f("VADDP", zero, c, c)
		if m.zmm {
			k := m.takeMask()
			m.VCMPPD(operand.U8(0), t, *v, k)
			m.VMOVAPD(zero, k, s)
			m.giveMask(k)
		} else {
			m.VCMPPD(operand.U8(0), t, *v, t)
			m.VANDNPD(s, t, s)
		}
		m.give(t, zero, *v)
	}, func() {
		m.f("VMULP", *r, s, s)
		m.f("VMULP", *r, c, c)
		m.VMOVUPD(s, laneOut(0, u*m.vectorBytes()))
		m.VMOVUPD(c, laneOut(1, u*m.vectorBytes()))
		m.give(*r, s, c)
	})
}

// toZero is a direction of rounding, beside nearestEven.
const toZero = operand.U8(3)

// round makes whole numbers of x.
func (m *double) round(how operand.U8, x reg.VecPhysical) {
	if m.zmm {
		m.VRNDSCALEPD(how, x, x)
	} else {
		m.VROUNDPD(how, x, x)
	}
}
