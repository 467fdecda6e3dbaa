package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"github.com/philox-go/rng/internal/layout"
	"github.com/philox-go/rng/internal/poly"
)

var zmm = []reg.VecPhysical{
	reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7,
	reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
	reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23,
	reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31,
}

// avx512 keeps 8 blocks in two registers of 64-bit lanes, S = c1:c0 and
// T = c3:c2, lane i holding block order[i]. VPMULUDQ reads the low halves, so a
// round is two products, two three-way XORs into the high halves, and two swaps
// of halves: 6 instructions.
type avx512 struct {
	*build.Context
	pool
	table

	conv               conversion
	m0, m1, base, mask reg.VecPhysical
	one                reg.VecPhysical // a second constant of a conversion

	even [2]reg.VecPhysical // of lanes: the unit before
}

// order is the block in each lane. With it, two shuffles after the last round
// give the blocks in memory order.
var order = [layout.GroupBlocks]uint64{0, 4, 1, 5, 2, 6, 3, 7}

const (
	xor3     = operand.U8(0x96) // a ^ b ^ c
	andOr    = operand.U8(0xea) // a & b | c
	swap     = operand.U8(0xb1) // the halves of every 64-bit lane
	highTwin = operand.U8(0xf5) // the high half of every lane into both
)

var odd = reg.K1 // selects the high halves

func newAVX512(ctx *build.Context) machine {
	return &avx512{Context: ctx, table: *newTable("constsAVX512"), m0: zmm[31], m1: zmm[30], base: zmm[29], mask: zmm[28], one: zmm[27]}
}

func (m *avx512) name() string               { return "AVX512" }
func (m *avx512) attributes() attr.Attribute { return attr.NOSPLIT }
func (m *avx512) constants() *table          { return &m.table }
func (m *avx512) parts() parts               { return parts{m.Context, &m.table, true} }

func (m *avx512) unitBytes() int {
	if m.conv == pairs32 {
		return layout.GroupBytes / 2 // one half of each block
	}
	return layout.GroupBytes
}

func (m *avx512) outBytes() int {
	if m.conv.beside() {
		return layout.GroupBytes / 4
	}
	return m.unitBytes() / 64 * m.conv.outBytes()
}

func (m *avx512) groupBytes() int {
	if m.conv.beside() {
		return 2 * layout.GroupBytes
	}
	return layout.GroupBytes
}

func (m *avx512) fill(c conversion) body {
	m.conv = c
	return m
}

func (m *avx512) unroll() unrolling {
	switch {
	case m.conv == words, m.conv == lanes:
		return unrolling{units: 10, skew: 1}
	case m.conv.listed(), m.conv == tabledB16, m.conv == laneUniforms:
		return unrolling{units: 8, skew: 1}
	}
	return unrolling{units: 9, skew: 1} // a conversion needs registers
}

func (m *avx512) begin() {
	m.MOVL(operand.U32(0xaaaa), reg.EAX)
	m.KMOVW(reg.EAX, odd)
	varying, other := m.conv.multipliers()
	m.VPBROADCASTD(m.values(operand.U32(varying)), m.m0)
	m.VPBROADCASTD(m.values(operand.U32(other)), m.m1)
	// Lane i starts at M0*(c0 + order[i]) = M0*c0 + M0*order[i].
	blocks := order
	if m.conv.beside() {
		blocks = laneOrder
		findLanes(m.Context)
	}
	var starts []operand.Constant
	for _, n := range blocks {
		starts = append(starts, operand.U64(varying*n))
	}
	m.VPBROADCASTQ(param("Base"), m.base)
	if !m.conv.listed() {
		m.VPADDQ(m.values(starts...), m.base, m.base)
	}
	m.free = append([]reg.VecPhysical(nil), zmm[:29]...)
	if m.conv != words && m.conv != lanes {
		m.free = m.free[:28]
		switch m.conv {
		case laneUniforms:
			m.free = m.free[:27]
			m.VBROADCASTSS(m.values(operand.F32(0x1p-32)), m.mask)
			m.VBROADCASTSS(field[layout.Lanes]("From"), m.one)
		case half16, halfB16:
			m.free = m.free[:27]
			m.VPBROADCASTD(m.values(operand.U32(m.conv.stuffing().mask)), m.mask)
			var places []operand.Constant
			for i := range uint16(32) {
				places = append(places, operand.U16(2*i+1)) // the upper half of each dword
			}
			m.VMOVDQU64(m.values(places...), m.one)
		case ranged16:
			m.VBROADCASTSS(converted("Span32"), m.mask) // over 2^10
		case tabledB16:
			m.free = m.free[:25]
			var places []operand.Constant
			for i := range uint16(32) {
				places = append(places, operand.U16(2*i)) // the lower half of each dword
			}
			m.VMOVDQU64(m.values(places...), m.mask)
			m.VMOVDQU64(tableAt(0), zmm[25])
			m.VMOVDQU64(tableAt(2), zmm[26])
		case range32:
			m.free = m.free[:27]
			m.VPBROADCASTD(m.values(operand.U32(m.conv.stuffing().mask)), m.mask)
			m.VBROADCASTSS(converted("Span32"), m.one)
		case range64:
			m.free = m.free[:27]
			m.VPBROADCASTQ(m.values(operand.U64(poly.Mask64)), m.mask)
			m.VBROADCASTSD(converted("Span64"), m.one)
		case chosen8, chosen16, chosen32, chosen64:
			m.VPBROADCASTQ(converted("One"), m.mask)
		case chosenBits:
			m.KMOVD(converted("Flip"), flip)
		case stuffed32:
			m.VPBROADCASTD(m.values(operand.U32(poly.Mask32)), m.mask)
		case stuffed64:
			m.VPBROADCASTQ(m.values(operand.U64(poly.Mask64)), m.mask)
		case open32:
			m.VBROADCASTSS(m.values(operand.F32(poly.OpenScale)), m.mask)
		case pairs32:
			listAt(m.Context, "From")
		case pairs64:
			listAt(m.Context, "From")
			m.VMOVDQU64(m.values(orderLanes()...), m.mask)
		}
	}
}

func (m *avx512) step(units int) operand.Mem {
	varying, _ := m.conv.multipliers()
	blocks := layout.GroupBlocks * uint64(units)
	if m.conv.beside() && units%2 == 1 { // the second unit of 16 blocks
		blocks -= layout.GroupBlocks - 2
	}
	return m.values(operand.U64(varying * blocks))
}

func (m *avx512) advance(units int) {
	if m.conv.listed() {
		m.ADDQ(operand.I32(4*layout.GroupBlocks*units), list)
		return
	}
	m.VPADDQ_BCST(m.step(units), m.base, m.base)
}

func (m *avx512) unit(u int) []step {
	var s, t reg.VecPhysical
	steps := m.counters(u, &s, &t)
	for r := 2; r < layout.Rounds; r++ {
		steps = append(steps, m.round(r, &s, &t)...)
	}
	if m.conv == pairs32 {
		return append(steps, func() { m.storeHalves(u, s, t) })
	}
	if m.conv.beside() {
		return append(steps, func() {
			if u%2 == 0 {
				m.even = [2]reg.VecPhysical{s, t}
			} else {
				m.storeLanes512(u, m.even, [2]reg.VecPhysical{s, t})
			}
		})
	}
	return append(steps, func() {
		a := m.take()
		m.VSHUFPS(operand.U8(0x11), t, s, a)
		m.VSHUFPS(operand.U8(0xbb), t, s, t)
		for i, v := range []reg.VecPhysical{a, t} {
			m.convert(v)
			if !m.conv.gathered() {
				m.VMOVDQU64(v, out(u*layout.GroupBytes+64*i))
			}
		}
		if m.conv.gathered() {
			m.store(u*m.outBytes(), a, t)
		}
		m.give(a, s, t)
	})
}

// counters makes rounds 0 and 1. Only counter word 0 differs between the blocks
// of a call: the product M0*c0 is an addition, and the rest is in the
// parameters.
func (m *avx512) counters(u int, s, t *reg.VecPhysical) []step {
	return []step{func() {
		*t, *s = m.take(), m.take()
		switch {
		case m.conv.listed():
			m.listedBlocks(u, *t)
		case u == 0:
			m.VMOVDQA64(m.base, *t)
		default:
			m.VPADDQ_BCST(m.step(u), m.base, *t)
		}
		m.VPSHUFD(highTwin, *t, *s)
	}, func() {
		m.VPXORD_BCST(param("KX"), *s, *s)
		m.VPMULUDQ(*s, m.m1, *s)
		m.VPXORD_BCST(param("DC"), *t, *t) // the high halves are not read again
	}, func() {
		// The parameter goes into the high halves, and the swap brings them low.
		m.xorHigh(param("BK"), *s)
		m.VPSHUFD(swap, *s, *s)
	}}
}

// xorHigh changes the high halves only.
func (m *avx512) xorHigh(k operand.Mem, v reg.VecPhysical) {
	m.VPXORD_BCST(k, v, odd, v)
}

// round makes one round from 2 on, in three phases: products, XORs, swaps. After
// the last one the halves stay as they are; the store's shuffles expect that.
func (m *avx512) round(r int, s, t *reg.VecPhysical) []step {
	var p0, p1 reg.VecPhysical
	steps := []step{func() {
		p0, p1 = m.take(), m.take()
		m.VPMULUDQ(*s, m.m0, p0)
		m.VPMULUDQ(*t, m.m1, p1)
	}, func() {
		m.VPTERNLOGD_BCST(xor3, key(r, 0), *s, odd, p1)
		if r == 2 {
			m.xorHigh(param("E2"), p0) // word 3 is the same in all blocks
		} else {
			m.VPTERNLOGD_BCST(xor3, key(r, 1), *t, odd, p0)
		}
		m.give(*s, *t)
		*s, *t = p1, p0
	}, func() {
		m.VPSHUFD(swap, *s, *s)
		m.VPSHUFD(swap, *t, *t)
	}}
	if r == layout.Rounds-1 {
		return steps[:2]
	}
	return steps
}

func (m *avx512) convert(v reg.VecPhysical) {
	switch m.conv {
	case stuffed32:
		m.VPTERNLOGD_BCST(andOr, m.values(operand.U32(poly.One32)), m.mask, v)
		m.VADDPS_BCST(m.values(operand.F32(-1)), v, v)
	case stuffed64, range64:
		m.VPTERNLOGQ_BCST(andOr, m.values(operand.U64(poly.One64)), m.mask, v)
		m.VADDPD_BCST(m.values(operand.F64(-1)), v, v)
	case open32:
		m.VCVTUDQ2PS(v, v)
		m.VFMADD213PS_BCST(m.values(operand.F32(poly.OpenHalf)), m.mask, v)
		m.VMINPS_BCST(m.values(operand.F32(poly.OpenMax)), v, v)
	case ranged16:
		// Both products with the span are exact: this one, and that of a uniform.
		m.VPANDD_BCST(m.values(operand.U32(1<<10-1)), v, v)
		m.VCVTDQ2PS(v, v)
		m.VFMADD213PS_BCST(converted("Lo32"), m.mask, v)
		m.VMINPS_BCST(converted("Below32"), v, v)
	case half16, halfB16, range32:
		f := m.conv.stuffing()
		if f.up > 0 {
			m.VPSLLD(operand.U8(f.up), v, v)
		}
		m.VPTERNLOGD_BCST(andOr, m.values(operand.U32(f.one)), m.mask, v)
		m.VADDPS_BCST(m.values(f.minusOne()), v, v)
		if f.align > 0 {
			m.VPSLLD(operand.U8(f.align), v, v)
		}
	}
	switch m.conv {
	case range32:
		m.VFMADD213PS_BCST(converted("Lo32"), m.one, v)
		m.VMINPS_BCST(converted("Below32"), v, v)
	case range64:
		m.VFMADD213PD_BCST(converted("Lo64"), m.one, v)
		m.VMINPD_BCST(converted("Below64"), v, v)
	}
}

// nearestEven rounds to nearest, ties to even.
const nearestEven = operand.U8(0)

// tableAt returns the address of 32 numbers of layout.Conversion's table.
func tableAt(part int) operand.Mem { return converted("Table").Offset(64 * part) }

// flip has what bits of choices are XORed with.
var flip = reg.K7

// store writes what becomes of two registers of words together, at a place of the
// pass.
func (m *avx512) store(at int, v, w reg.VecPhysical) {
	switch m.conv {
	case half16, halfB16:
		m.VPERMT2W(w, m.one, v)
		m.VMOVDQU64(v, out(at))
		return
	case ranged16:
		for i, x := range []reg.VecPhysical{v, w} {
			m.VCVTPS2PH(nearestEven, x, x.AsY())
			m.VMOVDQU64(x.AsY(), out(at+32*i))
		}
		return
	case tabledB16:
		// The lower 7 bits choose one of 128 numbers, 64 of them in two registers.
		m.VPERMT2W(w, m.mask, v)
		m.VMOVDQA64(v, w)
		m.VPTESTMW(m.values(repeat(operand.U16(64), 32)...), v, reg.K2)
		m.VPERMI2W(tableAt(1), zmm[25], v)
		m.VPERMI2W(tableAt(3), zmm[26], w)
		m.VMOVDQU16(w, reg.K2, v)
		m.VMOVDQU64(v, out(at))
		return
	}
	both := func(at int) {
		m.VMOVDQU64(v, out(at))
		m.VMOVDQU64(w, out(at+64))
	}
	const atMost = operand.U8(2)
	m.VPCMPUD_BCST(atMost, converted("Limit"), v, reg.K2)
	m.VPCMPUD_BCST(atMost, converted("Limit"), w, reg.K3)
	switch m.conv {
	case chosen8:
		m.KUNPCKWD(reg.K2, reg.K3, reg.K2)
		m.VMOVDQU8_Z(m.mask.AsY(), reg.K2, v.AsY())
		m.VMOVDQU8(v.AsY(), out(at))
	case chosen16:
		m.KUNPCKWD(reg.K2, reg.K3, reg.K2)
		m.VMOVDQU16_Z(m.mask, reg.K2, v)
		m.VMOVDQU64(v, out(at))
	case chosen32:
		m.VMOVDQA32_Z(m.mask, reg.K2, v)
		m.VMOVDQA32_Z(m.mask, reg.K3, w)
		both(at)
	case chosen64:
		for i, k := range []reg.OpmaskPhysical{reg.K2, reg.K3} {
			m.VMOVDQA64_Z(m.mask, k, v)
			m.KSHIFTRW(operand.U8(8), k, k)
			m.VMOVDQA64_Z(m.mask, k, w)
			both(at + 128*i)
		}
	case chosenBits:
		m.KUNPCKWD(reg.K2, reg.K3, reg.K2)
		m.KXORD(flip, reg.K2, reg.K2)
		m.KMOVD(reg.K2, out(at))
	}
}
