package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"github.com/philox-go/rng/internal/layout"
)

// A dropout is a body that takes elements from Src of a layout.Dropout, times a scale,
// where a mask has a 1, and 0 elsewhere. A unit is a group of them.
type dropout struct {
	parts
	wide bool // float64, or float32
}

func dropouts(wide bool) func(machine) body {
	return func(m machine) body { return &dropout{m.parts(), wide} }
}

func (d *dropout) attributes() attr.Attribute { return attr.NOSPLIT }
func (d *dropout) unitBytes() int             { return layout.GroupBytes }
func (d *dropout) unroll() unrolling          { return unrolling{units: 4} }

// mask points to the bits of the next element.
var mask = reg.R12

func (d *dropout) maskBytes(units int) int {
	if d.wide {
		return units * layout.GroupBytes / 64
	}
	return units * layout.GroupBytes / 32
}

func (d *dropout) advance(units int) {
	d.ADDQ(operand.I32(units*layout.GroupBytes), source)
	d.ADDQ(operand.I32(d.maskBytes(units)), mask)
}

func (d *dropout) begin() {
	at := field[layout.Dropout]
	d.MOVQ(at("Src"), source)
	d.MOVQ(at("Mask"), mask)
	switch {
	case d.zmm && d.wide:
		d.VBROADCASTSD(at("Scale64"), reg.Z31)
	case d.zmm:
		d.VBROADCASTSS(at("Scale32"), reg.Z31)
	case d.wide:
		d.VBROADCASTSD(at("Scale64"), reg.Y15)
		d.VMOVDQU(d.values(operand.U64(1), operand.U64(2), operand.U64(4), operand.U64(8)), reg.Y14)
		d.VPSLLQ(operand.U8(4), reg.Y14, reg.Y13)
	default:
		d.VBROADCASTSS(at("Scale32"), reg.Y15)
		var bits []operand.Constant
		for i := range 8 {
			bits = append(bits, operand.U32(1<<i))
		}
		d.VMOVDQU(d.values(bits...), reg.Y14)
	}
}

func (d *dropout) unit(u int) []step {
	in := func(n int) operand.Mem { return operand.Mem{Base: source, Disp: u*layout.GroupBytes + n} }
	to := func(n int) operand.Mem { return out(u*layout.GroupBytes + n) }
	bits := func(n int) operand.Mem { return operand.Mem{Base: mask, Disp: d.maskBytes(u) + n} }
	return []step{func() {
		switch {
		case d.zmm && d.wide:
			for i := range 2 {
				k, v := []reg.OpmaskPhysical{reg.K1, reg.K2}[i], zmm[2*u+i]
				d.KMOVB(bits(i), k)
				d.VMULPD_Z(in(64*i), reg.Z31, k, v)
				d.VMOVUPD(v, to(64*i))
			}
		case d.zmm:
			for i := range 2 {
				k, v := []reg.OpmaskPhysical{reg.K1, reg.K2}[i], zmm[2*u+i]
				d.KMOVW(bits(2*i), k)
				d.VMULPS_Z(in(64*i), reg.Z31, k, v)
				d.VMOVUPS(v, to(64*i))
			}
		case d.wide:
			for i := range 4 {
				k, v := ymm[2*i], ymm[2*i+1]
				selects := reg.Y14
				if i%2 == 1 {
					selects = reg.Y13
				}
				d.VPBROADCASTB(bits(i/2), k)
				d.VPAND(selects, k, k)
				d.VPCMPEQQ(selects, k, k)
				d.VMULPD(in(32*i), reg.Y15, v)
				d.VANDPD(k, v, v)
				d.VMOVUPD(v, to(32*i))
			}
		default:
			for i := range 4 {
				k, v := ymm[2*i], ymm[2*i+1]
				d.VPBROADCASTB(bits(i), k)
				d.VPAND(reg.Y14, k, k)
				d.VPCMPEQD(reg.Y14, k, k)
				d.VMULPS(in(32*i), reg.Y15, v)
				d.VANDPS(k, v, v)
				d.VMOVUPS(v, to(32*i))
			}
		}
	}}
}
