package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"github.com/philox-go/rng/internal/layout"
)

// A moving says what becomes of elements on their way, which have 32 bits if nothing else
// is said.
type moving int

const (
	add8 moving = iota // with a number added, the lower bits of the sum
	add16
	add32
	widen64  // to 64 bits, to which a number is added
	add64    // 64-bit elements
	round16  // a float32 to a float16, ties to even
	roundB16 // a float32 that is a number to a bfloat16
)

// A move is a body that takes elements from Src of a layout.Move to where it writes. A
// unit is a group of them.
type move struct {
	parts
	what moving
}

func moves(what moving) func(machine) body {
	return func(m machine) body { return &move{m.parts(), what} }
}

func (m *move) attributes() attr.Attribute { return attr.NOSPLIT }
func (m *move) unitBytes() int             { return layout.GroupBytes }

func (m *move) outBytes() int {
	return map[moving]int{add8: 32, add16: 64, add32: 128, widen64: 256, add64: 128, round16: 64, roundB16: 64}[m.what]
}

func (m *move) unroll() unrolling { return unrolling{units: 2} }

// source points to where the elements are.
var source = reg.R11

func (m *move) advance(units int) { m.ADDQ(operand.I32(units*layout.GroupBytes), source) }

func (m *move) begin() {
	m.MOVQ(field[layout.Move]("Src"), source)
	if m.what >= round16 {
		return
	}
	if m.zmm {
		m.VPBROADCASTQ(field[layout.Move]("Lo"), reg.Z31)
	} else {
		m.VMOVDQU(field[layout.Move]("Lo"), reg.Y15)
	}
}

func (m *move) unit(u int) []step {
	in := func(n int) operand.Mem { return operand.Mem{Base: source, Disp: u*layout.GroupBytes + n} }
	to := func(n int) operand.Mem { return out(u*m.outBytes() + n) }
	if m.zmm {
		return []step{func() { m.unit512(u, in, to) }}
	}
	return []step{func() { m.unit2(u, in, to) }}
}

func (m *move) unit512(u int, in, to func(int) operand.Mem) {
	if m.what == widen64 {
		for i := range 4 {
			v := zmm[4*u+i]
			m.VPMOVZXDQ(in(32*i), v)
			m.VPADDQ(reg.Z31, v, v)
			m.VMOVDQU64(v, to(64*i))
		}
		return
	}
	for i := range 2 {
		v, t := zmm[4*u+2*i], zmm[4*u+2*i+1]
		m.VMOVDQU64(in(64*i), v)
		switch m.what {
		case add8:
			m.VPADDD(reg.Z31, v, v)
			m.VPMOVDB(v, to(16*i))
		case add16:
			m.VPADDD(reg.Z31, v, v)
			m.VPMOVDW(v, to(32*i))
		case add32:
			m.VPADDD(reg.Z31, v, v)
			m.VMOVDQU64(v, to(64*i))
		case add64:
			m.VPADDQ(reg.Z31, v, v)
			m.VMOVDQU64(v, to(64*i))
		case round16:
			m.VCVTPS2PH(nearestEven, v, v.AsY())
			m.VMOVDQU64(v.AsY(), to(32*i))
		case roundB16:
			m.VPSRLD(operand.U8(16), v, t)
			m.VPANDD_BCST(m.values(operand.U32(1)), t, t)
			m.VPADDD(t, v, v)
			m.VPADDD_BCST(m.values(operand.U32(1<<15-1)), v, v)
			m.VPSRLD(operand.U8(16), v, v)
			m.VPMOVDW(v, to(32*i))
		}
	}
}

func (m *move) unit2(u int, in, to func(int) operand.Mem) {
	if m.what == widen64 {
		for i := range 8 {
			v := ymm[i]
			m.VPMOVZXDQ(in(16*i), v)
			m.VPADDQ(reg.Y15, v, v)
			m.VMOVDQU(v, to(32*i))
		}
		return
	}
	d := func(x uint32) operand.Mem { return m.values(repeat(operand.U32(x), 8)...) }
	vs := ymm[6*u : 6*u+4]
	t, s := ymm[6*u+4], ymm[6*u+5]
	for i, v := range vs {
		m.VMOVDQU(in(32*i), v)
		switch m.what {
		case add8:
			m.VPADDD(reg.Y15, v, v)
			m.VPAND(d(1<<8-1), v, v)
		case add16:
			m.VPADDD(reg.Y15, v, v)
			m.VPAND(d(1<<16-1), v, v)
		case add32:
			m.VPADDD(reg.Y15, v, v)
			m.VMOVDQU(v, to(32*i))
		case add64:
			m.VPADDQ(reg.Y15, v, v)
			m.VMOVDQU(v, to(32*i))
		case round16:
			m.round16(v, t, s)
		case roundB16:
			m.VPSRLD(operand.U8(16), v, t)
			m.VPAND(d(1), t, t)
			m.VPADDD(t, v, v)
			m.VPADDD(d(1<<15-1), v, v)
			m.VPSRLD(operand.U8(16), v, v)
		}
	}
	if m.what == add32 || m.what == add64 {
		return
	}
	for i := 0; i < 4; i += 2 {
		m.VPACKUSDW(vs[i+1], vs[i], vs[i])
		if m.what != add8 {
			m.VPERMQ(middle, vs[i], vs[i])
			m.VMOVDQU(vs[i], to(16*i))
		}
	}
	if m.what == add8 {
		// Each pack keeps to its halves: the 4-byte parts come as 0 2 4 6 1 3 5 7.
		var places []operand.Constant
		for _, n := range []uint32{0, 4, 1, 5, 2, 6, 3, 7} {
			places = append(places, operand.U32(n))
		}
		m.VPACKUSWB(vs[2], vs[0], vs[0])
		m.VMOVDQU(m.values(places...), t)
		m.VPERMD(vs[0], t, vs[0])
		m.VMOVDQU(vs[0], to(0))
	}
}

// round16 turns the float32 of v into float16 in the low halves. There is an instruction
// for that, but no one asks the processor whether it has it. Adding 2^13 times the power
// of two that a number begins with, or that normal float16 begin with, rounds it in
// the place where float16 end; and 2^-112 times a float16 has its bits, from bit 13 on,
// subnormal ones too.
func (m *move) round16(v, t, s reg.VecPhysical) {
	d := func(x uint32) operand.Mem { return m.values(repeat(operand.U32(x), 8)...) }
	f := func(x float32) operand.Mem { return m.values(repeat(operand.F32(x), 8)...) }
	m.VPSRLD(operand.U8(31), v, s)
	m.VPSLLD(operand.U8(15), s, s)
	m.VPAND(d(1<<31-1), v, v)
	m.VMINPS(f(1<<16), v, v) // infinity
	m.VPAND(d(0xff<<23), v, t)
	m.VMAXPS(f(0x1p-14), t, t)
	m.VPADDD(d(13<<23), t, t)
	m.VADDPS(t, v, v)
	m.VSUBPS(t, v, v)
	m.VMULPS(f(0x1p-112), v, v)
	m.VPSRLD(operand.U8(13), v, v)
	m.VPOR(s, v, v)
}
