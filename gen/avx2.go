package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"github.com/philox-go/rng/internal/layout"
	"github.com/philox-go/rng/internal/poly"
)

var ymm = []reg.VecPhysical{
	reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7,
	reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15,
}

// avx2 keeps 4 blocks in two registers, in each 128-bit half
// H = [c2a c2b c0a c0b] and C = [c3a c3b c1a c1b] of two blocks a and b. A round
// spreads H over two products and gathers their halves again with two shuffles.
// Only H stays in a register between rounds; C, already XORed with the next
// round's keys, waits in the frame.
type avx2 struct {
	*build.Context
	pool
	table

	conv         conversion
	m0, m1, base reg.VecPhysical
}

const (
	avx2Units   = 10
	avx2Bytes   = 64
	avx2Blocks  = avx2Bytes / layout.BlockBytes
	vectorBytes = 32
)

// scratch points to the aligned part of the function's stack frame: misaligned,
// it costs a sixth of the speed.
var scratch = reg.R9

// Vectors in the frame: what is expanded from the parameters, and two slots for
// each unit.
const frameVectors = 4 + (layout.Rounds - 3) + 2*avx2Units

func newAVX2(ctx *build.Context) machine {
	return &avx2{Context: ctx, table: *newTable("constsAVX2"), m0: ymm[15], m1: ymm[14], base: ymm[13]}
}

func (m *avx2) name() string { return "AVX2" }

// The frame is too large for NOSPLIT.
func (m *avx2) attributes() attr.Attribute { return 0 }

func (m *avx2) constants() *table { return &m.table }
func (m *avx2) parts() parts      { return parts{m.Context, &m.table, false} }

func (m *avx2) unitBytes() int {
	if m.conv == pairs32 {
		return avx2Bytes / 2 // one half of each block
	}
	return avx2Bytes
}

func (m *avx2) outBytes() int {
	if m.conv == lanes {
		return avx2Bytes / 4
	}
	return m.unitBytes() * m.conv.outBytes() / 64
}

func (m *avx2) fill(c conversion) body {
	m.conv = c
	return m
}

// A unit is one register wide between its steps, so 10 of them and three
// temporaries fill the registers; each step is taken by all units in turn.
func (m *avx2) unroll() unrolling {
	if m.conv.listed() {
		return unrolling{units: 8}
	}
	return unrolling{units: avx2Units}
}

func (m *avx2) kx() operand.Mem        { return m.at(0) }
func (m *avx2) dc() operand.Mem        { return m.at(1) }
func (m *avx2) bk() operand.Mem        { return m.at(2) }
func (m *avx2) c2() operand.Mem        { return m.at(3) }
func (m *avx2) keys(r int) operand.Mem { return m.at(4 + r - 3) }
func (m *avx2) slot(u, i int) operand.Mem {
	return m.at(4 + layout.Rounds - 3 + 2*u + i)
}

func (m *avx2) at(i int) operand.Mem {
	return operand.Mem{Base: scratch, Disp: vectorBytes * i}
}

func (m *avx2) begin() {
	local := m.AllocLocal(vectorBytes * (frameVectors + 1))
	m.LEAQ(local.Offset(vectorBytes-1), scratch)
	m.ANDQ(operand.I32(-vectorBytes), scratch)

	// [low low high high] in each half.
	pairs := func(low, high, to operand.Mem) {
		m.VPBROADCASTD(low, ymm[0])
		m.VPBROADCASTD(high, ymm[1])
		m.VPBLENDD(operand.U8(0xcc), ymm[1], ymm[0], ymm[0])
		m.VMOVDQA(ymm[0], to)
	}
	pairs(param("KX"), param("KX"), m.kx())
	pairs(param("DC"), param("DC"), m.dc())
	pairs(param("BK"), param("BK"), m.bk())
	pairs(param("E2"), key(2, 0), m.c2())
	for r := 3; r < layout.Rounds; r++ {
		pairs(key(r, 1), key(r, 0), m.keys(r))
	}

	varying, other := m.conv.multipliers()
	m.VPBROADCASTD(m.values(operand.U32(varying)), m.m0)
	m.VPBROADCASTD(m.values(operand.U32(other)), m.m1)
	// Blocks 0 and 2 in the low half, 1 and 3 in the high one: memory order after
	// the last shuffles.
	m.VPBROADCASTQ(param("Base"), m.base)
	switch {
	case m.conv.listed():
		listAt(m.Context, "From")
	case m.conv == lanes: // see step
		findLanes(m.Context)
		m.VPADDQ(m.values(operand.U64(varying*2), operand.U64(varying*3), operand.U64(varying*6), operand.U64(varying*7)), m.base, m.base)
	default:
		m.VPADDQ(m.values(operand.U64(0), operand.U64(layout.M0*2), operand.U64(layout.M0), operand.U64(layout.M0*3)), m.base, m.base)
	}
	m.free = append([]reg.VecPhysical(nil), ymm[:13]...)
}

func (m *avx2) step(units int) operand.Mem {
	varying, _ := m.conv.multipliers()
	blocks := avx2Blocks * uint64(units)
	if m.conv == lanes && units%2 == 1 { // the first blocks of 8
		blocks -= avx2Blocks + 2
	}
	return m.values(operand.U64(varying * blocks))
}

func (m *avx2) advance(units int) {
	if m.conv.listed() {
		m.ADDQ(operand.I32(4*avx2Blocks*units), list)
		return
	}
	v := m.take()
	m.VPBROADCASTQ(m.step(units), v)
	m.VPADDQ(v, m.base, m.base)
	m.give(v)
}

const (
	lowHalves  = operand.U8(0x88) // of the four 64-bit products in two registers
	highHalves = operand.U8(0xdd)
	spread0    = operand.U8(0xfa) // c0a, c0b to the low halves
	spread2    = operand.U8(0x50) // c2a, c2b to the low halves
	zeroTwo    = operand.U8(0x72) // c0a, c2a, c0b, c2b
)

func (m *avx2) unit(u int) []step {
	var h reg.VecPhysical
	steps := m.counters(u, &h)
	for r := 3; r < layout.Rounds-1; r++ {
		steps = append(steps, func() {
			lo := m.round(u, &h)
			m.VPXOR(m.keys(r+1), lo, lo)
			m.VMOVDQA(lo, m.slot(u, 0))
			m.give(lo)
		})
	}
	return append(steps, func() {
		lo := m.round(u, &h)
		switch {
		case m.conv == lanes && u%2 == 0:
			m.VMOVDQA(h, m.slot(u, 0))
			m.VMOVDQA(lo, m.slot(u, 1))
			m.give(h, lo)
			return
		case m.conv == lanes:
			m.storeLanes2(u, h, lo)
			return
		}
		if m.conv == unzipped32 {
			m.VPSHUFD(zeroTwo, h, h)
			m.VPSHUFD(zeroTwo, lo, lo)
			m.store(u, h, lo)
			return
		}
		t := m.take()
		m.VPUNPCKHDQ(lo, h, t)
		m.VPUNPCKLDQ(lo, h, h)
		m.give(lo)
		switch m.conv {
		case pairs32:
			m.storeHalves(u, t, h)
			return
		case unzipped64, pairs64: // words 0 and 1 of each block, then words 2 and 3
			m.store(u, t, h)
			return
		}
		q := m.take()
		m.VPUNPCKLQDQ(h, t, q)
		m.VPUNPCKHQDQ(h, t, t)
		m.give(h)
		m.convert(q)
		m.convert(t)
		m.storeConverted(u, q, t)
	})
}

// store writes what unit u is.
func (m *avx2) store(u int, first, second reg.VecPhysical) {
	m.VMOVDQU(first, out(u*avx2Bytes))
	m.VMOVDQU(second, out(u*avx2Bytes+vectorBytes))
	m.give(first, second)
}

// counters makes rounds 0, 1 and 2. Only counter word 0 differs between the
// blocks of a call: the product M0*c0 is an addition, and the rest is in the
// parameters.
func (m *avx2) counters(u int, h *reg.VecPhysical) []step {
	var b reg.VecPhysical
	return []step{func() {
		p := m.take()
		b = m.take()
		if m.conv.listed() {
			m.listedBlocks(u, p)
			m.VPSHUFD(highTwin, p, b)
			m.VPXOR(m.dc(), p, p)
		} else if u == 0 {
			m.VPSHUFD(highTwin, m.base, b)
			m.VPXOR(m.dc(), m.base, p) // the high halves are not read again
		} else {
			m.VPBROADCASTQ(m.step(u), p)
			m.VPADDQ(p, m.base, p)
			m.VPSHUFD(highTwin, p, b)
			m.VPXOR(m.dc(), p, p)
		}
		m.VMOVDQA(p, m.slot(u, 0))
		m.give(p)
	}, func() {
		m.VPXOR(m.kx(), b, b)
	}, func() {
		m.VPMULUDQ(b, m.m1, b)
	}, func() {
		*h = m.take()
		m.VPSHUFD(highTwin, b, *h)
		m.VSHUFPS(lowHalves, b, b, b)
		m.VPXOR(m.bk(), *h, *h)
		m.VPXOR(m.c2(), b, b)
		m.VPBLENDD(operand.U8(0x33), m.c2(), b, b) // word 3 is the same in all blocks
		m.VMOVDQA(b, m.slot(u, 1))
		m.give(b)
	}, func() {
		p := m.take()
		m.VPMULUDQ(m.slot(u, 0), m.m1, p)
		m.VPMULUDQ(*h, m.m0, *h)
		lo := m.gather(h, p, m.slot(u, 1))
		m.VPXOR(m.keys(3), lo, lo)
		m.VMOVDQA(lo, m.slot(u, 0))
		m.give(lo)
	}}
}

// round makes one round from 3 on and returns the new C without keys.
func (m *avx2) round(u int, h *reg.VecPhysical) reg.VecPhysical {
	a := m.take()
	m.VPSHUFD(spread0, *h, a)
	m.VPSHUFD(spread2, *h, *h)
	m.VPMULUDQ(a, m.m0, a)
	m.VPMULUDQ(*h, m.m1, *h)
	b := *h
	*h = a
	return m.gather(h, b, m.slot(u, 0))
}

// gather takes the products of words 0 (in h) and 2 (in p), sets h to the new H
// and returns the new C.
func (m *avx2) gather(h *reg.VecPhysical, p reg.VecPhysical, c operand.Mem) reg.VecPhysical {
	n := m.take()
	m.VSHUFPS(highHalves, p, *h, n)
	m.VSHUFPS(lowHalves, p, *h, p)
	m.VPXOR(c, n, n)
	m.give(*h)
	*h = n
	return p
}

func (m *avx2) convert(v reg.VecPhysical) {
	d := func(x uint32) operand.Mem { return m.values(repeat(operand.U32(x), 8)...) }
	q := func(x uint64) operand.Mem { return m.values(repeat(operand.U64(x), 4)...) }
	f := func(x float32) operand.Mem { return m.values(repeat(operand.F32(x), 8)...) }
	switch m.conv {
	case stuffed64, range64:
		m.VPAND(q(poly.Mask64), v, v)
		m.VPOR(q(poly.One64), v, v)
		m.VADDPD(m.values(repeat(operand.F64(-1), 4)...), v, v)
	case open32:
		// There is no unsigned conversion: both 16-bit halves convert exactly, and
		// the fused multiply-add rounds their sum once.
		h := m.take()
		m.VPSRLD(operand.U8(16), v, h)
		m.VPAND(d(0xffff), v, v)
		m.VCVTDQ2PS(h, h)
		m.VCVTDQ2PS(v, v)
		m.VFMADD231PS(f(1<<16), h, v)
		m.VMULPS(f(poly.OpenScale), v, v) // exact
		m.VADDPS(f(poly.OpenHalf), v, v)
		m.VMINPS(f(poly.OpenMax), v, v)
		m.give(h)
	case stuffed32, half16, halfB16, range32, range16, rangeB16:
		s := m.conv.stuffing()
		if s.up > 0 {
			m.VPSLLD(operand.U8(s.up), v, v)
		}
		m.VPAND(d(s.mask), v, v)
		m.VPOR(d(s.one), v, v)
		m.VADDPS(m.values(repeat(s.minusOne(), 8)...), v, v)
		if s.align > 0 {
			m.VPSLLD(operand.U8(s.align), v, v)
		}
	}
	switch m.conv {
	case half16, halfB16:
		m.VPSRLD(operand.U8(16), v, v)
	case range32, range16, rangeB16:
		h := m.take()
		m.VMOVUPS(converted("Span32"), h)
		m.VFMADD213PS(converted("Lo32"), h, v)
		m.VMINPS(converted("Below32"), v, v)
		m.give(h)
	case range64:
		h := m.take()
		m.VMOVUPD(converted("Span64"), h)
		m.VFMADD213PD(converted("Lo64"), h, v)
		m.VMINPD(converted("Below64"), v, v)
		m.give(h)
	case chosen8, chosen16, chosen32, chosen64, chosenBits:
		h := m.take()
		m.VPMAXUD(converted("Limit"), v, h)
		m.VPCMPEQD(converted("Limit"), h, v)
		m.give(h)
	}
}

// storeConverted writes what the words of unit u have become.
func (m *avx2) storeConverted(u int, v, w reg.VecPhysical) {
	at := u * m.outBytes()
	one := converted("One")
	switch m.conv {
	case half16, halfB16:
		m.VPACKUSDW(w, v, v)
		m.VPERMQ(middle, v, v)
		m.VMOVDQU(v, out(at))
	case chosen8:
		m.VPACKSSDW(w, v, v)
		m.VPERMQ(middle, v, v)
		m.VPACKSSWB(v, v, v)
		m.VPERMQ(middle, v, v)
		m.VPAND(one, v, v)
		m.VMOVDQU(v.AsX(), out(at))
	case chosen16:
		m.VPACKSSDW(w, v, v)
		m.VPERMQ(middle, v, v)
		m.VPAND(one, v, v)
		m.VMOVDQU(v, out(at))
	case chosen32:
		m.VPAND(one, v, v)
		m.VPAND(one, w, w)
		m.VMOVDQU(v, out(at))
		m.VMOVDQU(w, out(at+vectorBytes))
	case chosen64:
		for i, x := range []reg.VecPhysical{v, w} {
			h := m.take()
			m.VPMOVSXDQ(x.AsX(), h)
			m.VPAND(one, h, h)
			m.VMOVDQU(h, out(at+2*vectorBytes*i))
			m.VEXTRACTI128(operand.U8(1), x, h.AsX())
			m.VPMOVSXDQ(h.AsX(), h)
			m.VPAND(one, h, h)
			m.VMOVDQU(h, out(at+2*vectorBytes*i+vectorBytes))
			m.give(h)
		}
	case chosenBits:
		m.VMOVMSKPS(v, reg.EAX)
		m.VMOVMSKPS(w, reg.ECX)
		m.SHLL(operand.U8(8), reg.ECX)
		m.ORL(reg.ECX, reg.EAX)
		m.XORL(converted("Flip"), reg.EAX)
		m.MOVW(reg.AX, out(at))
	default:
		m.store(u, v, w)
		return
	}
	m.give(v, w)
}
