package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"github.com/philox-go/rng/internal/layout"
)

// The kernels of truncated normals: one lists the elements that are outside the
// bounds, and one makes the words of those at another attempt, which the normals' pass
// turns into numbers. A third one stores them with AVX-512; with AVX2 that is Go.

// An outside is a body that lists elements. A unit is as many as one comparison, or
// with AVX2 one loop over the bits, serves.
type outside struct {
	*build.Context
	*table

	zmm    bool // AVX-512, or AVX2
	wide   bool // float64, or float32
	labels int
}

func outsides(wide bool) func(machine) body {
	return func(m machine) body { return m.scan(outside{wide: wide}) }
}

func (m *avx512) scan(s outside) body {
	s.Context, s.table, s.zmm = m.Context, &m.table, true
	return &s
}

func (m *avx2) scan(s outside) body {
	s.Context, s.table = m.Context, &m.table
	return &s
}

func (s *outside) attributes() attr.Attribute { return attr.NOSPLIT }

func (s *outside) unitBytes() int {
	if s.zmm {
		return 64
	}
	return layout.GroupBytes
}

func (s *outside) unroll() unrolling {
	if s.zmm {
		return unrolling{units: 4, skew: 1}
	}
	return unrolling{units: 1}
}

func (s *outside) advance(int) {}

// size is that of an element.
func (s *outside) size() int {
	if s.wide {
		return 8
	}
	return 4
}

const (
	notAtLeast = operand.U8(9) // these two hold for NaN too
	notAtMost  = operand.U8(6)
)

func (s *outside) begin() {
	at := field[layout.Truncation]
	listAt(s.Context, "Count")
	if !s.zmm {
		lo, hi := at("Lo32"), at("Hi32")
		if s.wide {
			lo, hi = at("Lo64"), at("Hi64")
		}
		s.VMOVUPS(lo, reg.Y15)
		s.VMOVUPS(hi, reg.Y14)
		s.MOVL(at("First"), reg.R11L)
		return
	}
	broadcastBounds(s.Context, s.wide)
	var lanes []operand.Constant
	for i := range uint32(16) {
		lanes = append(lanes, operand.U32(i))
	}
	s.VPBROADCASTD(at("First"), reg.Z29)
	s.VPADDD(s.values(lanes...), reg.Z29, reg.Z29)
	s.VPBROADCASTD(s.values(operand.U32(64/s.size())), reg.Z28)
}

// listAt points to the place in the list whose number is in a field.
func listAt(ctx *build.Context, name string) {
	at := field[layout.Truncation]
	ctx.MOVQ(at("List"), list)
	ctx.MOVQ(at(name), reg.RAX)
	ctx.LEAQ(operand.Mem{Base: list, Index: reg.RAX, Scale: 4}, list)
}

// end stores the number of elements that are now listed.
func (s *outside) end() { storeCount(s.Context) }

// storeCount stores the number of elements that are listed.
func storeCount(ctx *build.Context) {
	at := field[layout.Truncation]
	ctx.SUBQ(at("List"), list)
	ctx.SHRQ(operand.U8(2), list)
	ctx.MOVQ(list, at("Count"))
}

func (s *outside) unit(u int) []step {
	if !s.zmm {
		return []step{func() { s.bits(u) }}
	}
	v := zmm[2*u]
	masks := []reg.OpmaskPhysical{reg.K1, reg.K2, reg.K3, reg.K4}
	k, other := masks[u%4], []reg.OpmaskPhysical{reg.K5, reg.K6, reg.K7}[u%3]
	return []step{func() {
		s.VMOVUPS(out(64*u), v)
		beyond(s.Context, s.wide, v, k, other)
	}, func() {
		if s.wide {
			appendListed(s.Context, k, reg.Y29, []reg.VecPhysical{reg.Y0, reg.Y2, reg.Y4, reg.Y6}[u], list)
		} else {
			appendListed(s.Context, k, reg.Z29, v, list)
		}
		s.VPADDD(reg.Z28, reg.Z29, reg.Z29)
	}}
}

// bits lists the elements of a group by a loop over the bits that stand for them, of
// which mostly few are set.
func (s *outside) bits(u int) {
	lanes := vectorBytes / s.size()
	for i := range layout.GroupBytes / vectorBytes {
		v, w := ymm[2*i], ymm[2*i+1]
		s.VMOVUPS(out(u*layout.GroupBytes+i*vectorBytes), v)
		bits := reg.ECX
		if i == 0 {
			bits = reg.EAX
		}
		if s.wide {
			s.VCMPPD(notAtLeast, reg.Y15, v, w)
			s.VCMPPD(notAtMost, reg.Y14, v, v)
			s.VORPD(w, v, v)
			s.VMOVMSKPD(v, bits)
		} else {
			s.VCMPPS(notAtLeast, reg.Y15, v, w)
			s.VCMPPS(notAtMost, reg.Y14, v, v)
			s.VORPS(w, v, v)
			s.VMOVMSKPS(v, bits)
		}
		if i > 0 {
			s.SHLL(operand.U8(lanes*i), bits)
			s.ORL(bits, reg.EAX)
		}
	}
	s.labels++
	appendBits(s.Context, fmt.Sprint(s.labels), reg.R11L, reg.ECX)
	s.ADDL(operand.I32(layout.GroupBytes/s.size()), reg.R11L)
}

// appendBits appends the elements whose bits are set in EAX, counted from one in a
// register, to the list.
func appendBits(ctx *build.Context, label string, first, temp reg.GPPhysical) {
	next, none := "next"+label, "none"+label
	ctx.TESTL(reg.EAX, reg.EAX)
	ctx.JZ(operand.LabelRef(none))
	ctx.Label(next)
	ctx.BSFL(reg.EAX, temp)
	ctx.ADDL(first, temp)
	ctx.MOVL(temp, operand.Mem{Base: list})
	ctx.ADDQ(operand.I32(4), list)
	ctx.LEAL(operand.Mem{Base: reg.RAX, Disp: -1}, temp)
	ctx.ANDL(temp, reg.EAX)
	ctx.JNZ(operand.LabelRef(next))
	ctx.Label(none)
}

// A placement is a body that stores the elements of a list from their pairs, with
// AVX-512. A unit is a group of pairs.
type placement struct {
	*build.Context
	*table
	wide bool
}

func placements(wide bool) func(machine) body {
	return func(m machine) body {
		m5 := m.(*avx512)
		return &placement{m5.Context, &m5.table, wide}
	}
}

// Registers of a placement, besides list.
var (
	element0 = reg.R11
	rejected = reg.R9
)

func (p *placement) attributes() attr.Attribute { return attr.NOSPLIT }
func (p *placement) unitBytes() int             { return layout.GroupBytes }
func (p *placement) unroll() unrolling          { return unrolling{units: 1} }
func (p *placement) advance(int)                { p.ADDQ(operand.I32(4*p.elements()), list) }

// elements is how many a unit stores.
func (p *placement) elements() int {
	if p.wide {
		return layout.GroupBytes / 16
	}
	return layout.GroupBytes / 8
}

func (p *placement) begin() {
	at := field[layout.Truncation]
	listAt(p.Context, "Kept")
	p.MOVQ(list, rejected)
	listAt(p.Context, "From")
	p.MOVQ(at("Base"), element0)
	broadcastBounds(p.Context, p.wide)
	var lanes []operand.Constant
	for i := range p.elements() {
		if p.wide {
			lanes = append(lanes, operand.U64(2*i))
		} else {
			lanes = append(lanes, operand.U32(2*i))
		}
	}
	p.VMOVDQU64(p.values(lanes...), reg.Z29)
	if p.wide {
		p.VPBROADCASTQ(p.values(operand.U64(1)), reg.Z28)
	} else {
		p.VPBROADCASTD(p.values(operand.U32(1)), reg.Z28)
	}
}

func (p *placement) end() {
	p.SUBQ(field[layout.Truncation]("List"), rejected)
	p.SHRQ(operand.U8(2), rejected)
	p.MOVQ(rejected, field[layout.Truncation]("Kept"))
}

func (p *placement) unit(int) []step {
	e, i, v := reg.Z0, reg.Z1, reg.Z2
	return []step{func() {
		p.VMOVUPS(out(0), v)
		if p.wide {
			p.VPMOVZXDQ(operand.Mem{Base: list}, e)
			p.VPANDQ(reg.Z28, e, i)
			p.VPADDQ(reg.Z29, i, i)
			p.VPERMT2PD(out(64), i, v)
		} else {
			p.VMOVDQU32(operand.Mem{Base: list}, e)
			p.VPANDD(reg.Z28, e, i)
			p.VPADDD(reg.Z29, i, i)
			p.VPERMT2PS(out(64), i, v)
		}
		p.VMOVUPS(v, out(0))
		beyond(p.Context, p.wide, v, reg.K1, reg.K2)
		// Before the list is written, since that may be where it is read.
		for n := range p.elements() {
			p.MOVL(operand.Mem{Base: list, Disp: 4 * n}, reg.EAX)
			if p.wide {
				p.MOVQ(out(8*n), reg.RCX)
				p.MOVQ(reg.RCX, operand.Mem{Base: element0, Index: reg.RAX, Scale: 8})
			} else {
				p.MOVL(out(4*n), reg.ECX)
				p.MOVL(reg.ECX, operand.Mem{Base: element0, Index: reg.RAX, Scale: 4})
			}
		}
		if p.wide {
			p.VPMOVQD(e, reg.Y0)
			appendListed(p.Context, reg.K1, reg.Y0, reg.Y0, rejected)
		} else {
			appendListed(p.Context, reg.K1, e, e, rejected)
		}
	}}
}

// broadcastBounds puts the bounds into Z31 and Z30.
func broadcastBounds(ctx *build.Context, wide bool) {
	at := field[layout.Truncation]
	if wide {
		ctx.VBROADCASTSD(at("Lo64"), reg.Z31)
		ctx.VBROADCASTSD(at("Hi64"), reg.Z30)
	} else {
		ctx.VBROADCASTSS(at("Lo32"), reg.Z31)
		ctx.VBROADCASTSS(at("Hi32"), reg.Z30)
	}
}

// beyond sets k where v is not between the bounds in Z31 and Z30.
func beyond(ctx *build.Context, wide bool, v reg.VecPhysical, k, other reg.OpmaskPhysical) {
	if wide {
		ctx.VCMPPD(notAtLeast, reg.Z31, v, k)
		ctx.VCMPPD(notAtMost, reg.Z30, v, other)
	} else {
		ctx.VCMPPS(notAtLeast, reg.Z31, v, k)
		ctx.VCMPPS(notAtMost, reg.Z30, v, other)
	}
	ctx.KORW(k, other, k)
}

// appendListed appends the elements e of the lanes in k to what ends at a pointer.
// The whole vector is stored; what comes next begins behind what is of it.
func appendListed(ctx *build.Context, k reg.OpmaskPhysical, e, temp reg.VecPhysical, end reg.GPPhysical) {
	ctx.VPCOMPRESSD_Z(e, k, temp)
	ctx.VMOVDQU32(temp, operand.Mem{Base: end})
	ctx.KMOVW(k, reg.EAX)
	ctx.POPCNTL(reg.EAX, reg.EAX)
	ctx.LEAQ(operand.Mem{Base: end, Index: reg.RAX, Scale: 4}, end)
}

// listed reports whether the blocks are those of listed elements.
func (c conversion) listed() bool { return c == pairs32 || c == pairs64 }

// shift is the logarithm of the elements in a block.
func (c conversion) shift() operand.Constant {
	if c == pairs64 {
		return operand.U8(1)
	}
	return operand.U8(2)
}

// orderLanes is the order of blocks for a permutation.
func orderLanes() (lanes []operand.Constant) {
	for _, n := range order {
		lanes = append(lanes, operand.U64(n))
	}
	return lanes
}

// elements returns the address of the listed elements of unit u.
func elements(u, perUnit int) operand.Mem {
	return operand.Mem{Base: list, Disp: 4 * perUnit * u}
}

// listedBlocks puts M0*c0 of the blocks of unit u into t: in the order of the list
// for halves, and as counters has them for whole blocks.
func (m *avx512) listedBlocks(u int, t reg.VecPhysical) {
	m.VPMOVZXDQ(elements(u, layout.GroupBlocks), t)
	if m.conv == pairs64 {
		m.VPERMQ(t, m.mask, t)
	}
	m.VPSRLQ(m.conv.shift(), t, t)
	m.VPMULUDQ(t, m.m0, t)
	m.VPADDQ(m.base, t, t)
}

// storeHalves stores of each block the pair of words that its element is of.
func (m *avx512) storeHalves(u int, s, t reg.VecPhysical) {
	a := m.take()
	m.VPMOVZXDQ(elements(u, layout.GroupBlocks), a)
	m.VPTESTMQ_BCST(m.values(operand.U64(2)), a, reg.K2)
	m.VMOVDQA64(t, reg.K2, s)
	m.VPSHUFD(swap, s, s)
	m.VMOVDQU64(s, out(u*m.unitBytes()))
	m.give(a, s, t)
}

// middle swaps the two 64-bit lanes in the middle.
const middle = operand.U8(0xd8)

func (m *avx2) listedBlocks(u int, p reg.VecPhysical) {
	m.VPMOVZXDQ(elements(u, avx2Blocks), p)
	if m.conv == pairs64 {
		m.VPERMQ(middle, p, p)
	}
	m.VPSRLQ(m.conv.shift(), p, p)
	m.VPMULUDQ(p, m.m0, p)
	m.VPADDQ(p, m.base, p)
}

// storeHalves takes words 0 and 1 of each block in t and words 2 and 3 in h.
func (m *avx2) storeHalves(u int, t, h reg.VecPhysical) {
	a := m.take()
	m.VPMOVZXDQ(elements(u, avx2Blocks), a)
	m.VPSLLQ(operand.U8(62), a, a) // bit 1 of the element to the sign
	m.VBLENDVPD(a, h, t, t)
	m.VMOVDQU(t, out(u*m.unitBytes()))
	m.give(a, t, h)
}
