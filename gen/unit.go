package main

import (
	"math"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"github.com/philox-go/rng/internal/layout"
	"github.com/philox-go/rng/internal/sfu"
)

// The kernels of rosetta/mufu: NVIDIA's special-function unit, whose value of a fraction t is
//
//	F = C0 + C1*x + C2*S(x)
//
// in whole numbers of up to 41 bits, with x the low bits of t, and what is made of it. All is
// done in 32-bit lanes, in two parts:
//
//	F = A*2^9 + B,  A = C0>>9 + C1*(x>>9),  B = C0&511 + C1*(x&511) + C2*S
//
// and then as hi*2^24 + lo, both of which are float32 numbers, so that one fused multiply-add
// that rounds toward zero leaves the leading 24 bits. Where C1 has 16 bits, after a power of two
// is taken off, it stands with C2 in one dword, and VPMADDWD multiplies both.
//
// Of the square of x, with 17 bits, h = x>>9 and bit i as x[i],
//
//	S = h^2>>1 + sum over b = 0..6 of x[8-b] * (h >> b+1)
//
// is the same as the definition in package sfu: what is left out of h^2*2^18 is its last bit,
// and of 2*2^9*h*(x&511) all below 2^19. The sum is done by bytes, those of b = 0..3 and those of
// 4..6, in VPMADDUBSW.
type function struct {
	boxMuller // its registers, constants and instructions
	what      string
	domain    *layout.Domain // or nil where all arguments are good
	tab       *coefficients

	bitsOf, shifted reg.VecPhysical // AVX-512: spreadBits, shiftedThree
	acc             reg.VecPhysical // AVX2: lanes that were outside of the domain

	scale, add, endAt reg.VecPhysical // the numbers of layout.Slices
	perWord, halfWord reg.VecPhysical // 2^-32, 2^-33
}

// Where lanes outside of the domain are collected, and the even words of a register.
var (
	outsideMask = reg.K6
	evenWords   = reg.K7
)

// coefficients are those of a table, or of two that the lowest bit of the exponent chooses.
type coefficients struct {
	segments int
	bits     int // of x
	high     []operand.Constant
	low      []operand.Constant
	linear   []operand.Constant // C1 and C2 in the halves of a dword, or C1
	square   []operand.Constant // C2 in the upper half, where it is not in linear
	bias     int                // what linear's C1 lack is 2^bias, or -2^-bias if it is negative, or nothing
}

func coefficientsOf(bias int, tables ...*sfu.Table) *coefficients {
	c := &coefficients{bias: bias, bits: tables[0].OffsetBits}
	off := int32(0)
	switch {
	case bias > 0:
		off = 1 << bias
	case bias < 0:
		off = -1 << -bias
	}
	for _, t := range tables {
		for _, s := range t.Segments {
			c.segments++
			c.high = append(c.high, operand.U32(s.C0>>9))
			c.low = append(c.low, operand.U32(s.C0&511))
			c1 := s.C1 - off
			if c.bits == 16 {
				c.linear = append(c.linear, operand.U32(uint32(c1)))
				c.square = append(c.square, operand.U32(uint32(s.C2)<<16))
				continue
			}
			if c1 != int32(int16(c1)) || s.C2 != int32(int16(s.C2)) {
				panic("gen: a coefficient does not fit 16 bits")
			}
			c.linear = append(c.linear, operand.U32(uint32(s.C2)<<16|uint32(c1)&0xffff))
		}
	}
	return c
}

var (
	sinTable   = coefficientsOf(0, &sfu.Sin)
	lg2Table   = coefficientsOf(15, &sfu.Lg2)
	ex2Table   = coefficientsOf(15, &sfu.Ex2)
	rcpTable   = coefficientsOf(0, &sfu.Rcp)
	rsqrtTable = coefficientsOf(-15, &sfu.Rsqrt2, &sfu.Rsqrt1)
	sqrtTable  = coefficientsOf(16, &sfu.Sqrt2, &sfu.Sqrt1)
)

func functions(what string, domain *layout.Domain, tab *coefficients) func(machine) body {
	return func(m machine) body {
		p := m.parts()
		return &function{
			boxMuller: boxMuller{Context: p.Context, table: p.table, zmm: p.zmm, numbers: numbers32},
			what:      what, domain: domain, tab: tab,
		}
	}
}

func u32(x uint32) operand.Constant  { return operand.U32(x) }
func f32(x float32) operand.Constant { return operand.F32(x) }

func (m *function) attributes() attr.Attribute { return attr.NOSPLIT }
func (m *function) unitBytes() int             { return m.vectorBytes() }
func (m *function) groupBytes() int            { return layout.SliceBytes }
func (m *function) advance(int)                {}

func (m *function) unroll() unrolling {
	switch {
	case !m.zmm && m.tab == nil:
		return unrolling{units: 4, together: 2}
	case !m.zmm:
		return unrolling{units: 2, together: 1}
	case m.tab == nil:
		return unrolling{units: 6, skew: 1}
	case m.what == "normals":
		return unrolling{units: 2, skew: 12}
	}
	if m.tab.segments > 64 { // two masks each
		return unrolling{units: 2, skew: 8}
	}
	return unrolling{units: 3, skew: 4}
}

// at returns the address of unit u in the memory that a field of layout.Slices points to.
func (m *function) at(k, u int) operand.Mem { return laneOut(k, u*m.vectorBytes()) }

// Constants that AVX-512 has in registers, and its instructions that round toward zero need
// there.
var (
	two24     = f32(1 << 24)
	lowOfHigh = u32(0xfffe00)
)

const invTwoPi = 0x3e22f983 // 1/(2 pi)

// turnScale takes an angle to units of 2^-25 of a turn.
var turnScale = f32(math.Float32frombits(invTwoPi + 25<<23))

func (m *function) begin() {
	m.registers()
	m.borrowed = nil
	for k, name := range []string{1: "Src", 2: "Src2", 3: "Dst2"} {
		if k == 1 || k > 1 && m.what == "normals" {
			m.MOVQ(field[layout.Slices](name), away[k])
			m.SUBQ(dst, away[k])
		}
	}
	hold := func(what any) reg.VecPhysical {
		r := m.take()
		if at, ok := what.(operand.Mem); ok {
			m.VBROADCASTSS(at, r)
		} else {
			m.load(what, r)
		}
		return r
	}
	switch m.what {
	case "uniformsBetween":
		m.endAt = hold(sliceField("End"))
		fallthrough
	case "affine":
		m.scale, m.add = hold(sliceField("Scale")), hold(sliceField("Add"))
	}
	switch m.what {
	case "uniforms", "uniformsBetween", "normals":
		m.perWord, m.halfWord = hold(f32(0x1p-32)), hold(f32(0x1p-33))
	}
	if !m.zmm {
		if m.domain != nil {
			m.acc = m.take()
			m.VPXOR(m.acc, m.acc, m.acc)
		}
		return
	}
	m.masks = m.masks[:5]
	if m.domain != nil {
		m.KXORW(outsideMask, outsideMask, outsideMask)
	}
	if m.tab == nil {
		return
	}
	m.MOVL(operand.U32(0x55555555), reg.EAX)
	m.KMOVD(reg.EAX, evenWords)
	m.keep(two24)
	if m.tab == sinTable {
		m.keep(turnScale)
	}
	m.vectors()
}

// vectors loads what the core has in registers with AVX-512.
func (m *function) vectors() {
	m.keep(lowOfHigh)
	m.bitsOf, m.shifted = m.take(), m.take()
	m.VMOVDQU64(m.values(spreadBits()...), m.bitsOf)
	m.VMOVDQU64(m.values(shiftedThree()...), m.shifted)
}

// end says whether a lane was outside of the domain.
func (m *function) end() {
	if m.domain == nil {
		return
	}
	if m.zmm {
		m.KMOVW(outsideMask, reg.EAX)
	} else {
		m.VMOVMSKPS(m.acc, reg.EAX)
	}
	m.MOVL(reg.EAX, sliceField("Outside"))
}

// spreadBits has the four bits of its places in bytes, the highest first.
func spreadBits() (cs []operand.Constant) {
	for i := range uint32(16) {
		cs = append(cs, u32(i>>3&1|i>>2&1<<8|i>>1&1<<16|i&1<<24))
	}
	return cs
}

// shiftedThree has bits 0 to 2 of its places, shifted by 0, 1 and 2 to the right, in bytes.
func shiftedThree() (cs []operand.Constant) {
	for i := range uint32(16) {
		i &= 7
		cs = append(cs, u32(i|i>>1<<8|i>>2<<16))
	}
	return cs
}

// spreadThree has bits 0 to 2 of its places in bytes, the highest first, times 8, as AVX2
// has them of four bits.
func spreadThree() (cs []operand.Constant) {
	for i := range uint32(8) {
		cs = append(cs, u32(i>>2&1<<3|i>>1&1<<11|i&1<<19))
	}
	return cs
}

func (m *function) unit(u int) []step {
	if u == 0 { // a loop begins
		m.giveBack(len(m.borrowed))
	}
	if m.what == "normals" {
		return m.normals(u)
	}
	x := new(reg.VecPhysical)
	steps := []step{func() {
		*x = m.take()
		m.VMOVUPS(m.at(1, u), *x)
		m.check(*x)
	}}
	add := func(more ...step) { steps = append(steps, more...) }
	switch m.what {
	case "sin", "cos":
		add(m.trigonometric(x)...)
	case "lg2":
		add(m.lg2(x, 1)...)
	case "fastLog":
		add(m.lg2(x, math.Float32frombits(0x3f317218))...)
	case "ex2":
		add(m.ex2(x)...)
	case "fastExp":
		add(func() { m.f("VMULP", f32(math.Float32frombits(0x3fb8aa3b)), *x, *x) })
		add(m.ex2(x)...)
	case "exp":
		add(m.exp(x)...)
	case "rcp", "rsqrt", "sqrt":
		add(m.root(x)...)
	case "log":
		add(m.log(x)...)
	case "uniforms", "uniformsBetween":
		add(func() { m.uniform(*x) })
		if m.what == "uniformsBetween" {
			add(func() { m.between(*x) })
		}
	case "affine":
		add(func() { m.VFMADD213PS(m.add, m.scale, *x) })
	}
	return append(steps, func() {
		m.VMOVUPS(*x, m.at(0, u))
		m.give(*x)
	})
}

func sliceField(name string) operand.Mem { return field[layout.Slices](name) }

// check looks for lanes outside of the domain.
func (m *function) check(x reg.VecPhysical) {
	d := m.domain
	if d == nil {
		return
	}
	v := m.take()
	if d.And == 1<<32-1 {
		m.VMOVAPS(x, v)
	} else {
		m.bits("VPAND", u32(d.And), x, v)
	}
	if d.Lo != 0 {
		m.i("VPSUB", u32(d.Lo), v, v)
	}
	if m.zmm {
		const atLeast = operand.U8(5)
		k := m.takeMask()
		m.VPCMPUD_BCST(atLeast, m.value(u32(d.Span)), v, k)
		m.KORW(k, outsideMask, outsideMask)
		m.giveMask(k)
	} else {
		w := m.take()
		m.i("VPMAXU", u32(d.Span), v, w)
		m.VPCMPEQD(w, v, v)
		m.VPOR(v, m.acc, m.acc)
		m.give(w)
	}
	m.give(v)
}

// A split is F as hi*2^24 + lo.
type split struct{ hi, lo reg.VecPhysical }

// core makes the table's value of the fractions in t, where bits above them do not count
// but the one that chooses between two tables. It takes t.
func (m *function) core(t *reg.VecPhysical, out *split) []step {
	var idx, x, s, h, p, q, v, w reg.VecPhysical
	var masks []reg.OpmaskPhysical
	c := m.tab
	steps := []step{func() {
		idx = m.takeIndex()
		m.VPSRLD(operand.U8(c.bits), *t, idx)
		if !m.zmm {
			m.bits("VPAND", u32(uint32(c.segments-1)), idx, idx)
			return
		}
		for n := 32; n < c.segments; n *= 2 { // bits that VPERMT2D does not look at
			k := m.takeMask()
			m.i("VPTESTM", u32(uint32(n)<<c.bits), *t, k)
			masks = append(masks, k)
		}
	}, func() {
		x = *t
		m.bits("VPAND", u32(1<<c.bits-1), x, x)
		s = x
		if c.bits == 16 { // the square is that of 2x
			s = m.take()
			m.VPADDD(x, x, s)
		}
	}, func() {
		h, p = m.take(), m.take()
		m.VPSRLD(operand.U8(9), s, h)
		m.VPMULLW(h, h, p)
	}, func() {
		q, v = m.take(), m.take()
		m.VPSRLD(operand.U8(10), s, q)
		m.VPSRLD(operand.U8(5), s, v)
		m.VPSRLD(operand.U8(1), p, p) // h^2>>1
	}, func() {
		m.i("VPMULL", u32(1|1<<7|1<<14|1<<21), q, q) // at the upper end of a byte, each starts a bit earlier
		if m.zmm {
			m.VPERMD(m.bitsOf, v, v)
		} else { // the same bits, times 8
			m.bits("VPAND", u32(15), v, v)
			m.i("VPMULL", u32(1|1<<9|1<<18|1<<27), v, v)
		}
	}, func() {
		m.bits("VPAND", u32(0x0f1f3f7f), q, q)
		if !m.zmm {
			m.bits("VPAND", u32(0x08080808), v, v)
		}
	}, func() {
		m.VPMADDUBSW(v, q, q)
		w = m.take()
		m.VPSRLD(operand.U8(14), s, v)
		m.VPSRLD(operand.U8(map[bool]int{true: 1, false: 2}[m.zmm]), s, w)
	}, func() {
		if m.zmm { // the lowest of four bits meets a 0
			m.VPERMD(m.shifted, v, v)
			m.VPERMD(m.bitsOf, w, w)
			return
		}
		r := m.take()
		m.VMOVDQU(m.values(shiftedThree()[:8]...), r)
		m.VPERMD(r, v, v)
		m.VMOVDQU(m.values(spreadThree()...), r)
		m.VPERMD(r, w, w)
		m.give(r)
	}, func() {
		m.VPMADDUBSW(w, v, v)
		m.give(w)
	}, func() {
		m.VPADDD(v, q, q)
		m.give(v)
		if !m.zmm {
			m.VPSRLW(operand.U8(3), q, q)
		}
	}, func() {
		m.VPADDD(q, p, p)
	}, func() { // S is the sum of both halves, and comes to the upper one
		m.VPSLLD(operand.U8(16), p, q)
		m.VPADDD(p, q, q)
		m.give(p)
	}}
	// out is A and B until they are added.
	if c.bits == 16 {
		steps = append(steps, func() {
			m.give(s)
			m.VPSRLD(operand.U8(9), x, h)
			m.bits("VPAND", u32(511), x, x)
		})
		steps = append(steps, m.lookup(c.linear, &idx, &masks, &v)...)
		steps = append(steps, func() {
			m.VPMULLD(v, h, h)
			m.VPMULLD(v, x, x)
			m.give(v)
		})
		steps = append(steps, m.lookup(c.square, &idx, &masks, &v)...)
		steps = append(steps, func() {
			m.VPMADDWD(v, q, q)
			m.VPADDD(x, q, q)
			m.give(v, x)
			*out = split{h, q}
		})
	} else {
		steps = append(steps, func() {
			w = m.take()
			m.bits("VPAND", u32(511), x, w)
			if m.zmm {
				m.VMOVDQU16(w, evenWords, q)
			} else {
				m.VPBLENDW(operand.U8(0x55), w, q, q)
			}
			m.give(w)
		})
		steps = append(steps, m.lookup(c.linear, &idx, &masks, &v)...)
		steps = append(steps, func() {
			m.VPMADDWD(v, h, h)
			m.VPMADDWD(v, q, q)
			m.give(v)
			switch {
			case c.bias > 0:
				m.VPSLLD(operand.U8(c.bias-9), x, x)
				m.VPADDD(x, h, h)
			case c.bias < 0:
				m.VPSLLD(operand.U8(-c.bias-9), x, x)
				m.VPSUBD(x, h, h)
			}
			m.give(x)
			*out = split{h, q}
		})
	}
	steps = append(steps, m.lookup(c.high, &idx, &masks, &v)...)
	steps = append(steps, func() {
		m.VPADDD(v, out.hi, out.hi)
		m.give(v)
	})
	steps = append(steps, m.lookup(c.low, &idx, &masks, &v)...)
	return append(steps, func() {
		m.VPADDD(v, out.lo, out.lo)
		m.give(v, idx)
		for _, k := range masks {
			m.giveMask(k)
		}
		v = m.take()
		m.VPSRAD(operand.U8(9), out.lo, v)
		m.bits("VPAND", u32(511), out.lo, out.lo)
	}, func() {
		m.VPADDD(v, out.hi, out.hi)
	}, func() {
		m.VPSLLD(operand.U8(9), out.hi, v)
		m.VPSRLD(operand.U8(15), out.hi, out.hi)
		if m.zmm {
			m.VPTERNLOGD(andOr, out.lo, m.resident[lowOfHigh], v)
		} else {
			m.bits("VPAND", lowOfHigh, v, v)
			m.VPOR(out.lo, v, v)
		}
		m.give(out.lo)
		out.lo = v
	})
}

// takeIndex takes a register for the places of gathers. It is not Y4, which QEMU 7.2 takes
// for no place at all, as it would be in an address without vectors.
func (m *function) takeIndex() reg.VecPhysical {
	r := m.take()
	if r == reg.Y4 {
		defer m.give(r)
		r = m.take()
	}
	return r
}

// lookup takes what has the numbers in idx from a table to a new register.
func (m *function) lookup(cs []operand.Constant, idx *reg.VecPhysical, masks *[]reg.OpmaskPhysical, v *reg.VecPhysical) []step {
	if !m.zmm {
		return []step{func() {
			*v = m.take()
			all := m.take()
			m.VPCMPEQD(all, all, all)
			at := m.values(cs...)
			at.Index, at.Scale = *idx, 4
			m.VPGATHERDD(all, at, *v)
			m.give(all)
		}}
	}
	var parts []reg.VecPhysical
	steps := []step{func() {
		at := m.values(cs...)
		for i := 0; i < len(cs); i += 32 {
			r := m.take()
			m.VMOVDQU64(at.Offset(4*i), r)
			m.VPERMT2D(at.Offset(4*i+64), *idx, r)
			parts = append(parts, r)
		}
	}}
	for n := 1; n < len(cs)/32; n *= 2 {
		steps = append(steps, func() {
			k := (*masks)[map[int]int{1: 0, 2: 1}[n]]
			for i := 0; i+n < len(parts); i += 2 * n {
				m.VMOVDQA32(parts[i+n], k, parts[i])
				m.give(parts[i+n])
			}
			*v = parts[0]
		})
	}
	return steps
}

// float makes a float32 of F, without what is below its 24 leading bits.
func (m *function) float(f *split, to *reg.VecPhysical) []step {
	if m.zmm {
		return []step{func() {
			m.VCVTDQ2PS(f.hi, f.hi)
			m.VCVTDQ2PS(f.lo, f.lo)
		}, func() {
			m.VFMADD231PS_RZ_SAE(m.resident[two24], f.hi, f.lo)
			m.give(f.hi)
			*to = f.lo
		}}
	}
	return []step{func() {
		a, b := m.doubles(f.hi)
		c, d := m.doubles(f.lo)
		m.VFMADD231PD(m.values(repeat(operand.F64(1<<24), 4)...), a, c)
		m.VFMADD231PD(m.values(repeat(operand.F64(1<<24), 4)...), b, d)
		m.cut(c, d)
		m.VCVTPD2PSY(c, c.AsX())
		m.VCVTPD2PSY(d, d.AsX())
		m.VINSERTF128(operand.U8(1), d.AsX(), c, c)
		m.give(a, b, d)
		*to = c
	}}
}

// doubles makes float64 of the integers in v, which it takes.
func (m *function) doubles(v reg.VecPhysical) (a, b reg.VecPhysical) {
	a = m.take()
	m.VCVTDQ2PD(v.AsX(), a)
	m.VEXTRACTI128(operand.U8(1), v, v.AsX())
	m.VCVTDQ2PD(v.AsX(), v)
	return a, v
}

// cut takes off what float32 have no place for.
func (m *function) cut(vs ...reg.VecPhysical) {
	for _, v := range vs {
		m.VANDPD(m.values(repeat(operand.U64(1<<64-1<<29), 4)...), v, v)
	}
}

// withSign gives x, which is positive, the sign of s.
func (m *function) withSign(s, x reg.VecPhysical) {
	if m.zmm {
		m.i("VPTERNLOG", operand.U8(0xf8), m.sign, s, x) // x | s & sign
		return
	}
	m.bits("VPAND", m.sign, s, s)
	m.VPOR(s, x, x)
}

// turns makes the number of 2^-25 turns of angles in x, which are not negative, as an integer.
func (m *function) turns(x reg.VecPhysical) {
	if m.zmm {
		m.VMULPS_RZ_SAE(m.resident[turnScale], x, x)
		m.VCVTTPS2DQ(x, x)
		return
	}
	a := m.take()
	m.VCVTPS2PD(x.AsX(), a)
	m.VEXTRACTF128(operand.U8(1), x, x.AsX())
	m.VCVTPS2PD(x.AsX(), x)
	perTurn := m.values(repeat(operand.F64(math.Float32frombits(invTwoPi+25<<23)), 4)...)
	m.VMULPD(perTurn, a, a)
	m.VMULPD(perTurn, x, x)
	m.cut(a, x)
	m.VCVTTPD2DQY(a, a.AsX())
	m.VCVTTPD2DQY(x, x.AsX())
	m.VINSERTI128(operand.U8(1), x.AsX(), a, x)
	m.give(a)
}

// quarter makes the place of turns k in a quarter of sine, or of cosine.
func (m *function) quarter(k, t reg.VecPhysical, cos bool) {
	m.VPSLLD(operand.U8(8), k, t)
	m.VPSRAD(operand.U8(31), t, t)
	m.flip(k, t)
	if cos {
		m.bits("VPXOR", u32(1<<32-1), t, t)
	}
}

// flip inverts the bits of v that are set in k.
func (m *function) flip(k, v reg.VecPhysical) { m.bits("VPXOR", k, v, v) }

// trigonometric makes sines or cosines of x.
func (m *function) trigonometric(x *reg.VecPhysical) []step {
	var k, t reg.VecPhysical
	var f split
	cos := m.what == "cos"
	steps := []step{func() {
		k = m.take()
		m.bits("VPAND", u32(1<<31-1), *x, k)
		m.turns(k)
	}, func() {
		t = m.take()
		m.quarter(k, t, cos)
		if cos {
			m.i("VPADD", u32(1<<23), k, k)
		}
		m.VPSLLD(operand.U8(7), k, k) // bit 24 is the sign
		if !cos {
			m.flip(*x, k)
		}
		m.give(*x)
	}}
	steps = append(steps, m.core(&t, &f)...)
	steps = append(steps, m.float(&f, x)...)
	return append(steps, func() {
		m.f("VMULP", f32(0x1p-37), *x, *x)
		m.withSign(k, *x)
		m.give(k)
	})
}

// lg2 makes logarithms to base 2 of x, times a number.
func (m *function) lg2(x *reg.VecPhysical, times float32) []step {
	var t, s, r reg.VecPhysical
	var f split
	steps := []step{func() {
		t = m.take()
		m.VMOVAPS(*x, t)
	}}
	steps = append(steps, m.core(&t, &f)...)
	steps = append(steps, func() { // the exponent
		s = m.take()
		m.VPSRLD(operand.U8(23), *x, s)
		m.VPSLLD(operand.U8(14), s, s)
		m.VPADDD(s, f.hi, f.hi)
		m.i("VPSUB", u32(127<<14), f.hi, f.hi)
	}, func() { // a negative sum is inverted
		m.VPSRAD(operand.U8(31), f.hi, s)
		m.flip(s, f.hi)
		m.flip(s, f.lo)
		m.bits("VPAND", u32(1<<24-1<<2), f.lo, f.lo)
	})
	steps = append(steps, m.float(&f, &r)...)
	return append(steps, func() {
		m.f("VMULP", f32(times*0x1p-38), r, r)
		m.withSign(s, r)
		m.give(s)
		// The logarithm of 1 is 0.
		one := u32(math.Float32bits(1))
		if m.zmm {
			const different = operand.U8(4)
			k := m.takeMask()
			m.VPCMPD_BCST(different, m.value(one), *x, k)
			m.VMOVDQA32_Z(r, k, r)
			m.giveMask(k)
		} else {
			m.i("VPCMPEQ", one, *x, *x)
			m.VPANDN(r, *x, r)
		}
		m.give(*x)
		*x = r
	})
}

// ex2 makes powers of 2 of x.
func (m *function) ex2(x *reg.VecPhysical) []step {
	var n, s, t reg.VecPhysical
	var f split
	steps := []step{func() {
		n, s = m.take(), m.take()
		m.bits("VPAND", u32(1<<31-1), *x, n)
		m.VPSRAD(operand.U8(31), *x, s)
		m.give(*x)
		m.f("VMULP", f32(1<<23), n, n)
		m.VCVTTPS2DQ(n, n)
	}, func() { // a negative number is inverted, or if it is whole made exactly
		if m.zmm {
			k := m.takeMask()
			m.i("VPTESTNM", u32(1<<23-1), n, k)
			m.flip(s, n)
			m.VPSUBD(s, n, k, n)
			m.giveMask(k)
		} else {
			z, w := m.take(), m.take()
			m.VPXOR(z, z, z)
			m.VPSLLD(operand.U8(9), n, w)
			m.VPCMPEQD(z, w, w)
			m.flip(s, n)
			m.VPAND(s, w, w)
			m.VPSUBD(w, n, n)
			m.give(z, w)
		}
		m.give(s)
	}, func() {
		t = m.take()
		m.VMOVAPS(n, t)
		m.bits("VPAND", u32(0xff800000), n, n)
	}}
	steps = append(steps, m.core(&t, &f)...)
	steps = append(steps, m.float(&f, x)...)
	return append(steps, func() {
		m.VPADDD(n, *x, *x)
		m.give(n)
		m.i("VPSUB", u32(38<<23), *x, *x)
	})
}

// exp makes powers of e of x, as CUDA's expf does.
func (m *function) exp(x *reg.VecPhysical) []step {
	bits := math.Float32frombits
	var t, n, g reg.VecPhysical
	steps := []step{func() {
		t = m.take()
		m.VMOVAPS(*x, t)
		c := m.take()
		m.load(f32(bits(0x3bbb989d)), c)
		m.f("VFMADD213P", f32(0.5), c, t)
		m.give(c)
	}, func() { // arguments in the domain leave t between 0 and 1
		n, g = m.take(), m.take()
		m.f("VMULP", f32(252), t, n)
		m.VCVTTPS2DQ(n, n)
		m.VCVTDQ2PS(n, g)
	}, func() { // the product may have been rounded up to the whole number
		c := m.take()
		m.load(f32(252), c)
		m.VFMSUB213PS(g, c, t)
		m.give(c)
		m.VPSRAD(operand.U8(31), t, t)
		m.VPADDD(t, n, n)
	}, func() {
		m.load(u32(126), g)
		m.VPSUBD(n, g, g)
		m.VCVTDQ2PS(g, g)
	}, func() {
		m.load(f32(bits(0x3fb8aa3b)), t)
		m.VFMADD231PS(t, *x, g)
		m.load(f32(bits(0x32a57060)), t)
		m.VFMADD231PS(t, *x, g)
		m.give(t, *x)
		*x = g
	}}
	steps = append(steps, m.ex2(x)...)
	return append(steps, func() {
		m.i("VPADD", u32(1), n, n)
		m.VPSLLD(operand.U8(23), n, n)
		m.f("VMULP", n, *x, *x)
		m.give(n)
	})
}

// root makes reciprocals, square roots or reciprocals of these of x.
func (m *function) root(x *reg.VecPhysical) []step {
	var t, r reg.VecPhysical
	var f split
	steps := []step{func() {
		t = m.take()
		m.VMOVAPS(*x, t)
	}}
	steps = append(steps, m.core(&t, &f)...)
	steps = append(steps, m.float(&f, &r)...)
	return append(steps, func() {
		b := *x
		if m.what == "rcp" {
			m.bits("VPAND", u32(0xff800000), b, b)
			m.i("VPADD", u32((127-40)<<23), r, r)
			m.VPSUBD(b, r, r) // and the sign
			m.give(b)
			*x = r
			return
		}
		if m.what == "rsqrt" { // exact where it can be
			v := m.take()
			m.bits("VPAND", u32(1<<24-1), b, v)
			if m.zmm {
				k := m.takeMask()
				m.i("VPCMPEQ", u32(1<<23), v, k)
				m.VBROADCASTSS(m.value(f32(1<<40)), k, r)
				m.giveMask(k)
			} else {
				m.i("VPCMPEQ", u32(1<<23), v, v)
				w := m.take()
				m.load(f32(1<<40), w)
				m.VBLENDVPS(v, w, r, r)
				m.give(w)
			}
			m.give(v)
		}
		m.i("VPADD", u32(1<<23), b, b)
		m.VPSRLD(operand.U8(1), b, b)
		m.bits("VPAND", u32(0x7f800000), b, b) // 64 more than half the exponent, rounded down
		if m.what == "rsqrt" {
			m.i("VPADD", u32((64-40)<<23), r, r)
			m.VPSUBD(b, r, r)
		} else {
			m.VPADDD(b, r, r)
			m.i("VPSUB", u32((64+40)<<23), r, r)
		}
		m.give(b)
		*x = r
	})
}

// log makes logarithms of x, as CUDA's logf does.
func (m *function) log(x *reg.VecPhysical) []step {
	var e, g, p reg.VecPhysical
	var c []operand.Constant
	for _, b := range []uint32{0xbf000000, 0x3eaaaa78, 0xbe7fff22, 0x3e4ced0b, 0xbe2ad8b9, 0x3e0f2955, 0xbdf8cdcc, 0x3e1039f6, 0xbe055027} {
		c = append(c, f32(math.Float32frombits(b)))
	}
	steps := []step{func() {
		e = m.take()
		m.i("VPSUB", u32(0x3f2aaaab), *x, e)
		m.bits("VPAND", u32(0xff800000), e, e)
	}, func() {
		g = *x
		m.VPSUBD(e, g, g)
		m.f("VADDP", f32(-1), g, g)
	}, func() {
		m.VCVTDQ2PS(e, e)
		p = m.take()
		m.load(c[len(c)-1], p)
	}}
	steps = append(steps, m.horner(c, &g, &p)...)
	return append(steps, func() {
		m.f("VMULP", g, p, p)
	}, func() {
		m.VFMADD213PS(g, g, p)
	}, func() {
		m.give(g)
		ln2 := f32(math.Float32frombits(0x3f317218 - 23<<23)) // exact: e has a factor of 2^23
		m.f("VFMADD231P", ln2, e, p)
		m.give(e)
		*x = p
	})
}

// single makes float32 of words, rounded once.
func (m *function) single(x reg.VecPhysical) {
	if m.zmm {
		m.VCVTUDQ2PS(x, x)
		return
	}
	h := m.take()
	m.VPSRLD(operand.U8(16), x, h)
	m.bits("VPAND", u32(0xffff), x, x)
	m.VCVTDQ2PS(h, h)
	m.VCVTDQ2PS(x, x)
	m.f("VFMADD231P", f32(1<<16), h, x)
	m.give(h)
}

// uniform makes cuRAND's uniform numbers in (0,1] of words.
func (m *function) uniform(x reg.VecPhysical) {
	m.single(x)
	m.VFMADD213PS(m.halfWord, m.perWord, x)
}

// between brings uniform numbers between bounds: the upper one becomes the lower one.
func (m *function) between(x reg.VecPhysical) {
	m.VFMADD213PS(m.add, m.scale, x)
	const equal = operand.U8(0)
	if m.zmm {
		k := m.takeMask()
		m.VCMPPS(equal, m.endAt, x, k)
		m.VMOVAPS(m.add, k, x)
		m.giveMask(k)
		return
	}
	s := m.take()
	m.VCMPPS(equal, m.endAt, x, s)
	m.VBLENDVPS(s, m.add, x, x)
	m.give(s)
}

// normals makes cuRAND's normal numbers of words: the radius of those at Src, the angle of
// those at Src2. Sines go to dst and cosines to Dst2.
func (m *function) normals(u int) []step {
	r, k := new(reg.VecPhysical), new(reg.VecPhysical)
	steps := []step{func() {
		*r, *k = m.take(), m.take()
		m.VMOVUPS(m.at(1, u), *r)
		m.VMOVUPS(m.at(2, u), *k)
	}, func() {
		m.uniform(*r)
		m.single(*k)
		c := m.take()
		m.load(f32(math.Float32frombits(0x30c90fdb)), c) // 2 pi * 2^-32
		m.f("VFMADD213P", f32(math.Float32frombits(0x30490fdb)), c, *k)
		m.give(c)
	}}
	steps = append(steps, m.log(r)...)
	steps = append(steps, func() {
		m.f("VMULP", f32(-2), *r, *r)
		m.turns(*k)
	}, func() {
		m.f("VSQRTP", *r, *r)
	}, func() {
		m.f("VMULP", f32(0x1p-37), *r, *r) // the unit of sine's table
	})
	for _, cos := range []bool{false, true} {
		var t, z, s reg.VecPhysical
		var f split
		steps = append(steps, func() {
			t = m.take()
			m.quarter(*k, t, cos)
		})
		steps = append(steps, m.core(&t, &f)...)
		steps = append(steps, m.float(&f, &z)...)
		steps = append(steps, func() {
			m.f("VMULP", *r, z, z)
			s = *k
			if cos {
				m.i("VPADD", u32(1<<23), s, s)
			} else {
				s = m.take()
			}
			m.VPSLLD(operand.U8(7), *k, s)
			// The radius may be -0, which is the only sign before this one.
			if m.zmm {
				m.i("VPTERNLOG", operand.U8(0x78), m.sign, s, z) // z ^ s & sign
			} else {
				m.bits("VPAND", m.sign, s, s)
				m.VPXOR(s, z, z)
			}
			m.give(s)
			at := m.at(0, u)
			if cos {
				at = m.at(3, u)
				m.give(*r)
			}
			m.VMOVUPS(z, at)
			m.give(z)
		})
	}
	return steps
}
