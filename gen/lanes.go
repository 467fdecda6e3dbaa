package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"github.com/philox-go/rng/internal/layout"
)

// Blocks whose counter word 2 differs are those whose word 0 does with the halves of the
// counter, the key and the multipliers changed for each other, and so are their words:
// a round treats both halves alike. So the kernels of lanes are those of words with
// the other multiplier first, words 2 and 3 where words 0 and 1 are, and a
// layout.Lanes that was set for it.

// multipliers returns that of the counter word that differs between blocks, and the other.
func (c conversion) multipliers() (varying, other uint64) {
	if c.beside() {
		return layout.M1, layout.M0
	}
	return layout.M0, layout.M1
}

// away holds how far the memory of words 1, 2 and 3 is from dst, that of word 0.
var away = [4]reg.GPPhysical{1: reg.R10, 2: reg.R11, 3: reg.R12}

// findLanes sets away.
func findLanes(ctx *build.Context) {
	for k := 1; k < len(away); k++ {
		ctx.MOVQ(field[layout.Lanes]("Dst").Offset(8*k), away[k])
		ctx.SUBQ(dst, away[k])
	}
}

// laneOut returns the address of byte n of the pass in the memory of word k.
func laneOut(k, n int) operand.Mem {
	at := out(n)
	if k > 0 {
		at.Index, at.Scale = away[k], 1
	}
	return at
}

// storeLanes512 writes what units u-1 and u are, whose last rounds left words 2, 3 in
// the halves of the lanes of the first registers, and words 0, 1 in those of the second.
func (m *avx512) storeLanes512(u int, even, odd [2]reg.VecPhysical) {
	w := m.take()
	for i, first := range []int{2, 0} {
		for k, imm := range []operand.Constant{operand.U8(0xdd), operand.U8(0x88)} { // the high halves, the low ones
			m.VSHUFPS(imm, odd[i], even[i], w)
			if m.conv == laneUniforms {
				m.uniformBetween(w)
			}
			m.VMOVDQU64(w, laneOut(first+k, u/2*64))
		}
	}
	m.give(w)
	m.give(even[:]...)
	m.give(odd[:]...)
}

// uniformBetween makes uniform numbers between the bounds of a layout.Lanes.
func (m *avx512) uniformBetween(v reg.VecPhysical) {
	m.VCVTUDQ2PS(v, v)
	m.VFMADD213PS_BCST(m.values(operand.F32(0x1p-33)), m.mask, v)
	m.VFMADD132PS_BCST(field[layout.Lanes]("Span"), m.one, v)
	m.VCMPPS_BCST(operand.U8(0), field[layout.Lanes]("To"), v, reg.K2)
	m.VMOVAPS(m.one, reg.K2, v)
}

// laneOrder is the block in each lane of a first unit of 16 blocks; the second one has those 2
// behind it. Shuffles of both then give the blocks in order.
var laneOrder = [layout.GroupBlocks]uint64{0, 1, 4, 5, 8, 9, 12, 13}

// storeLanes2 writes what units u-1 and u are. The first one waits in its slots of the
// frame, and its blocks are those behind the second one's in every half, so that it may be
// the operand that comes from memory.
func (m *avx2) storeLanes2(u int, h, c reg.VecPhysical) {
	w := m.take()
	at := u / 2 * vectorBytes
	for i, v := range []reg.VecPhysical{h, c} { // words 0 and 2, words 1 and 3
		m.VPUNPCKLQDQ(m.slot(u-1, i), v, w)
		m.VMOVDQU(w, laneOut(i, at))
		m.VPUNPCKHQDQ(m.slot(u-1, i), v, w)
		m.VMOVDQU(w, laneOut(2+i, at))
	}
	m.give(w, h, c)
}
