package main

import (
	"fmt"
	"reflect"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"github.com/philox-go/rng/internal/layout"
)

// An output is the last stage of a kernel: what becomes of the words.
type output struct {
	name string // of the Go function, before the instruction set's suffix
	doc  string
	conv conversion
}

// A conversion says what a kernel's last stage does to the words.
type conversion int

const (
	words conversion = iota
	stuffed32
	open32
	stuffed64
)

// A step is a few instructions of one unit that are emitted together.
type step func()

// A machine emits the stages of one instruction set. A unit is what one pair of
// registers holds of the output; its steps are counters, rounds, conversion and
// store.
type machine interface {
	name() string
	attributes() attr.Attribute
	unitBytes() int
	// unroll is the number of units in flight, and skew by how many steps each
	// is behind the one before.
	unroll(conversion) (units, skew int)
	// begin loads what a call keeps in registers.
	begin(conversion)
	// unit returns the steps of unit u.
	unit(u int, c conversion) []step
	// advance moves the base counter on by a number of units.
	advance(units int)
	constants() *table
}

// Registers that every kernel uses. The destination advances; the others stay.
var (
	dst    = reg.RDI
	params = reg.RSI
	groups = reg.RDX
	consts = reg.R8
)

// kernel emits func(dst, params *byte, groups int): it writes groups*128 bytes
// at dst. The main loop makes as many units at a time as registers allow, the
// next one a few groups, and the last one single groups, whose passes the
// processor overlaps by itself.
func kernel(ctx *build.Context, m machine, o output) {
	ctx.Function(o.name + m.name())
	ctx.Attributes(m.attributes())
	ctx.SignatureExpr("func(dst, params *byte, groups int)")
	ctx.Pragma("noescape")
	ctx.Doc(fmt.Sprintf("%s writes groups*%d bytes: %s.", o.name+m.name(), layout.GroupBytes, o.doc))

	ctx.Load(ctx.Param("dst"), dst)
	ctx.Load(ctx.Param("params"), params)
	ctx.Load(ctx.Param("groups"), groups)
	ctx.LEAQ(m.constants().base(), consts)
	m.begin(o.conv)

	perGroup := layout.GroupBytes / m.unitBytes()
	units, skew := m.unroll(o.conv)
	many := units / perGroup
	for _, n := range []int{many, many * 2 / 5, 1} {
		loop, end := fmt.Sprintf("by%d", n), fmt.Sprintf("below%d", n)
		ctx.CMPQ(groups, operand.I32(n))
		ctx.JB(operand.LabelRef(end))
		ctx.Label(loop)
		var lists [][]step
		for u := range n * perGroup {
			lists = append(lists, m.unit(u, o.conv))
		}
		interleave(lists, skew)
		m.advance(n * perGroup)
		ctx.ADDQ(operand.I32(n*layout.GroupBytes), dst)
		ctx.SUBQ(operand.I32(n), groups)
		ctx.CMPQ(groups, operand.I32(n))
		ctx.JAE(operand.LabelRef(loop))
		ctx.Label(end)
	}
	ctx.VZEROUPPER()
	ctx.RET()
}

// interleave emits the steps of all units so that each unit is skew steps
// behind the one before it: neighbours then use different execution units.
func interleave(lists [][]step, skew int) {
	for t := range len(lists[0]) + skew*(len(lists)-1) {
		for u, steps := range lists {
			if i := t - u*skew; 0 <= i && i < len(steps) {
				steps[i]()
			}
		}
	}
}

// A pool hands out vector registers. avo's own allocator works on a whole
// function at a time and fails where all but one are in use, so the registers
// are chosen here, as the steps are emitted.
type pool struct{ free []reg.VecPhysical }

func (p *pool) take() reg.VecPhysical {
	if len(p.free) == 0 {
		panic("gen: more units in flight than there are registers for")
	}
	r := p.free[0]
	p.free = p.free[1:]
	return r
}

func (p *pool) give(rs ...reg.VecPhysical) { p.free = append(p.free, rs...) }

// A table is the read-only data of one file, each value once.
type table struct {
	symbol string
	bytes  int
	data   []operand.Constant
	at     []int
	offset map[string]int
}

func newTable(symbol string) *table {
	return &table{symbol: symbol, offset: map[string]int{}}
}

func (t *table) base() operand.Mem {
	return operand.NewDataAddr(operand.NewStaticSymbol(t.symbol), 0)
}

// values returns the address of consecutive values, to be used as base plus
// offset.
func (t *table) values(vs ...operand.Constant) operand.Mem {
	id := fmt.Sprintf("%T%v", vs[0], vs)
	off, ok := t.offset[id]
	if !ok {
		size := vs[0].Bytes()
		t.bytes = (t.bytes + size - 1) / size * size
		off = t.bytes
		t.offset[id] = off
		for _, v := range vs {
			t.data = append(t.data, v)
			t.at = append(t.at, t.bytes)
			t.bytes += v.Bytes()
		}
	}
	return operand.Mem{Base: consts, Disp: off}
}

func (t *table) emit(ctx *build.Context) {
	ctx.StaticGlobal(t.symbol)
	ctx.DataAttributes(attr.RODATA | attr.NOPTR)
	for i, v := range t.data {
		ctx.AddDatum(t.at[i], v)
	}
}

// repeat returns v n times.
func repeat(v operand.Constant, n int) []operand.Constant {
	vs := make([]operand.Constant, n)
	for i := range vs {
		vs[i] = v
	}
	return vs
}

// param returns the address of a field of layout.Params.
func param(field string) operand.Mem {
	f, ok := reflect.TypeFor[layout.Params]().FieldByName(field)
	if !ok {
		panic("gen: layout.Params has no field " + field)
	}
	return operand.Mem{Base: params, Disp: int(f.Offset)}
}

// key returns the address of K0[round] (which = 0) or K1[round] (which = 1).
func key(round, which int) operand.Mem {
	return param("Keys").Offset(8*round + 4*which)
}

// out returns the address of byte n of the pass.
func out(n int) operand.Mem {
	return operand.Mem{Base: dst, Disp: n}
}
