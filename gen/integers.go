package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"github.com/philox-go/rng/internal/layout"
)

// An integers is a body that turns words x into candidates of n integers from 0 on where
// they lie, the high halves of x*n, and lists the elements whose low
// half is less than a bound (Lemire, "Fast random integer generation in an interval",
// ACM Transactions on Modeling and Computer Simulation 29(1), 2019). A unit is a group
// of words. Mostly nothing is listed, so that is a branch.
type integers struct {
	parts
	wide   bool // 64-bit words, or 32-bit ones
	labels int
}

func integersOf(wide bool) func(machine) body {
	return func(m machine) body { return &integers{parts: m.parts(), wide: wide} }
}

func (b *integers) attributes() attr.Attribute { return attr.NOSPLIT }
func (b *integers) unitBytes() int             { return layout.GroupBytes }
func (b *integers) unroll() unrolling          { return unrolling{units: 2, skew: 1} }

// first has the number of the element at dst.
var first = reg.R11

func (b *integers) advance(units int) {
	b.ADDQ(operand.I32(units*layout.GroupBytes/b.size()), first)
}

func (b *integers) size() int {
	if b.wide {
		return 8
	}
	return 4
}

func (b *integers) begin() {
	at := field[layout.Truncation]
	listAt(b.Context, "Count")
	b.MOVQ(at("First"), first)
	suffix := fmt.Sprint(8 * b.size())
	n, least := at("N"+suffix), at("Least"+suffix)
	if !b.zmm {
		b.VMOVDQU(n, reg.Y15)
		b.VMOVDQU(least, reg.Y14)
		if b.wide {
			b.VPSRLQ(operand.U8(32), reg.Y15, reg.Y13)
			b.VPXOR(b.values(repeat(operand.U64(1<<63), 4)...), reg.Y14, reg.Y14)
		}
		return
	}
	var lanes []operand.Constant
	for i := range uint32(16) {
		lanes = append(lanes, operand.U32(i))
	}
	b.VMOVDQU64(b.values(lanes...), reg.Z28)
	if b.wide {
		b.VPBROADCASTQ(n, reg.Z31)
		b.VPBROADCASTQ(least, reg.Z30)
		b.VPSRLQ(operand.U8(32), reg.Z31, reg.Z27)
		b.VPBROADCASTQ(b.values(operand.U64(1<<32-1)), reg.Z26)
		return
	}
	b.VPBROADCASTD(n, reg.Z31)
	b.VPBROADCASTD(least, reg.Z30)
	b.MOVL(operand.U32(0x5555), reg.EAX)
	b.KMOVW(reg.EAX, reg.K1)
}

// end stores the number of elements that are now listed.
func (b *integers) end() { storeCount(b.Context) }

func (b *integers) unit(u int) []step {
	if b.zmm {
		return b.unit512(u)
	}
	return b.unit2(u)
}

const lessThan = operand.U8(1)

func (b *integers) unit512(u int) (steps []step) {
	for i := range 2 {
		r := zmm[10*u+5*i:]
		x, lo, h, t, w := r[0], r[1], r[2], r[3], r[4]
		k := []reg.OpmaskPhysical{reg.K2, reg.K3, reg.K4, reg.K5}[2*u+i]
		at := out(u*layout.GroupBytes + 64*i)
		steps = append(steps, func() {
			b.VMOVDQU64(at, x)
			b.VPSRLQ(operand.U8(32), x, h)
		})
		if b.wide {
			// The product of (xh, xl) and (nh, nl) by its four parts.
			steps = append(steps, func() {
				b.VPMULUDQ(reg.Z31, x, lo) // xl*nl
				b.VPMULUDQ(reg.Z31, h, t)  // xh*nl
				b.VPMULUDQ(reg.Z27, x, x)  // xl*nh
				b.VPMULUDQ(reg.Z27, h, h)  // xh*nh
			}, func() {
				b.VPSRLQ(operand.U8(32), lo, w)
				b.VPADDQ(w, t, t) // no carry: (2^32-1)^2 + 2^32-1 < 2^64
				b.VPANDQ(reg.Z26, t, w)
				b.VPADDQ(w, x, x)
				b.VPSRLQ(operand.U8(32), t, t)
				b.VPADDQ(t, h, h)
			}, func() {
				b.VPSRLQ(operand.U8(32), x, t)
				b.VPADDQ(t, h, h)
				b.VPSLLQ(operand.U8(32), x, x)
				b.VPANDQ(reg.Z26, lo, lo)
				b.VPORQ(x, lo, lo)
			}, func() {
				b.VPCMPUQ(lessThan, reg.Z30, lo, k)
				b.VMOVDQU64(h, at)
			})
		} else {
			steps = append(steps, func() {
				b.VPMULLD(reg.Z31, x, lo)
				b.VPMULUDQ(reg.Z31, x, x)
				b.VPMULUDQ(reg.Z31, h, h)
			}, func() {
				b.VPSHUFD(highTwin, x, reg.K1, h)
				b.VPCMPUD(lessThan, reg.Z30, lo, k)
				b.VMOVDQU64(h, at)
			})
		}
		elements := 64 / b.size()
		steps = append(steps, func() {
			none := b.label("none")
			b.KORTESTW(k, k)
			b.JZ(operand.LabelRef(none))
			b.LEAL(operand.Mem{Base: first, Disp: elements * (2*u + i)}, reg.EAX)
			b.VPBROADCASTD(reg.EAX, t)
			b.VPADDD(reg.Z28, t, t)
			appendListed(b.Context, k, t, t, list)
			b.Label(none)
		})
	}
	return steps
}

func (b *integers) label(name string) string {
	b.labels++
	return fmt.Sprintf("%s%d", name, b.labels)
}

// unit2 makes a group a register at a time, and collects the comparisons in the bits of
// a register.
func (b *integers) unit2(u int) (steps []step) {
	lanes := vectorBytes / b.size()
	bits := []reg.Register{reg.EBX, reg.ECX}[u]
	for i := range layout.GroupBytes / vectorBytes {
		r := ymm[6*u:]
		x, lo, h, t, w := r[0], r[1], r[2], r[3], r[4]
		at := out(u*layout.GroupBytes + vectorBytes*i)
		steps = append(steps, func() {
			b.VMOVDQU(at, x)
			b.VPSRLQ(operand.U8(32), x, h)
		})
		if b.wide {
			steps = append(steps, func() {
				b.VPMULUDQ(reg.Y15, x, lo)
				b.VPMULUDQ(reg.Y15, h, t)
				b.VPMULUDQ(reg.Y13, x, x)
				b.VPMULUDQ(reg.Y13, h, h)
			}, func() {
				b.VPSRLQ(operand.U8(32), lo, w)
				b.VPADDQ(w, t, t)
				b.VPXOR(w, w, w)
				b.VPBLENDD(operand.U8(0x55), t, w, w)
				b.VPADDQ(w, x, x)
				b.VPSRLQ(operand.U8(32), t, t)
				b.VPADDQ(t, h, h)
			}, func() {
				b.VPSRLQ(operand.U8(32), x, t)
				b.VPADDQ(t, h, h)
				b.VPSLLQ(operand.U8(32), x, x)
				b.VPBLENDD(operand.U8(0x55), lo, x, lo)
			}, func() {
				b.VMOVDQU(h, at)
				// There is no comparison of unsigned numbers.
				b.VPXOR(b.values(repeat(operand.U64(1<<63), 4)...), lo, lo)
				b.VPCMPGTQ(lo, reg.Y14, lo)
				b.VMOVMSKPD(lo, reg.EAX)
			})
		} else {
			steps = append(steps, func() {
				b.VPMULLD(reg.Y15, x, lo)
				b.VPMULUDQ(reg.Y15, x, x)
				b.VPMULUDQ(reg.Y15, h, h)
			}, func() {
				b.VPSRLQ(operand.U8(32), x, x)
				b.VPBLENDD(operand.U8(0x55), x, h, h)
				b.VMOVDQU(h, at)
			}, func() {
				b.VPMAXUD(reg.Y14, lo, t)
				b.VPCMPEQD(t, lo, lo) // at least
				b.VMOVMSKPS(lo, reg.EAX)
				b.XORL(operand.U8(1<<8-1), reg.EAX)
			})
		}
		last := len(steps) - 1
		compare := steps[last]
		steps[last] = func() {
			compare()
			if i == 0 {
				b.MOVL(reg.EAX, bits)
				return
			}
			b.SHLL(operand.U8(lanes*i), reg.EAX)
			b.ORL(reg.EAX, bits)
		}
	}
	return append(steps, func() {
		b.MOVL(bits, reg.EAX)
		b.labels++
		b.LEAL(operand.Mem{Base: first, Disp: u * layout.GroupBytes / b.size()}, reg.R12L)
		appendBits(b.Context, fmt.Sprint(b.labels), reg.R12L, reg.R13L)
	})
}
