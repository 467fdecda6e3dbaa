package main

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"github.com/philox-go/rng/internal/layout"
)

// An output is the last stage of a kernel: what becomes of the words.
type output struct {
	name string // of the Go function, before the instruction set's suffix
	doc  string // with %s for the bytes
	body func(machine) body
}

// A conversion says what a kernel's last stage does to the words.
type conversion int

const (
	words conversion = iota
	stuffed32
	open32
	stuffed64
	unzipped32 // for AVX2's passes
	unzipped64
	pairs32 // of the elements in the list of a layout.Truncation
	pairs64
	half16 // stuffed, in a float16 or a bfloat16
	halfB16
	range32 // stuffed, then u*span + lo, at most what is below hi
	range64
	range16 // of float16's and bfloat16's stuffed numbers, in a float32
	rangeB16
	ranged16  // those of float16, rounded
	tabledB16 // those of bfloat16, from a table
	chosen8   // a pattern where a word is at most a limit, and else 0
	chosen16
	chosen32
	chosen64
	chosenBits   // a bit
	lanes        // words beside each other, of blocks whose counter word 2 differs
	laneUniforms // those as x*2^-32 + 2^-33, times span plus from, and from where that is to
)

// beside reports whether each word of a block has memory of its own.
func (c conversion) beside() bool { return c == lanes || c == laneUniforms }

// outBytes is the size of what a conversion makes of 64 bytes of words.
func (c conversion) outBytes() int {
	switch c {
	case half16, halfB16, ranged16, tabledB16, chosen16:
		return 32
	case chosen8:
		return 16
	case chosen64:
		return 128
	case chosenBits:
		return 2
	}
	return 64
}

// A step is a few instructions of one unit that are emitted together.
type step func()

// A machine emits the stages of one instruction set's fills.
type machine interface {
	name() string
	constants() *table
	// fill returns the kernel whose last stage is c.
	fill(c conversion) body
	// pass returns p for the instruction set.
	pass(p boxMuller) body
	// scan returns s for the instruction set.
	scan(s outside) body
	// parts returns what a body of its own needs.
	parts() parts
}

// parts are what bodies have of a machine.
type parts struct {
	*build.Context
	*table
	zmm bool // AVX-512, or AVX2
}

// A body is what the loops of a kernel repeat. A unit is what one pair of
// registers holds of the output; its steps are counters, rounds, conversion and
// store, or what a pass makes of the words that are there.
type body interface {
	attributes() attr.Attribute
	unitBytes() int
	unroll() unrolling
	// begin loads what a call keeps in registers.
	begin()
	// unit returns the steps of unit u.
	unit(u int) []step
	// advance moves what is kept on by a number of units.
	advance(units int)
	// A body may have an end(), which stores what a call leaves in registers, an
	// outBytes() for units that write another number of bytes than they are of words,
	// and a groupBytes() for groups of another size than layout.GroupBytes.
}

// An unrolling says how many units the main loop makes, and how their steps are
// interleaved.
type unrolling struct {
	units    int
	together int // as many units take turns, and then others; 0 means all
	skew     int // the steps that each is behind the one before
}

// Registers that every kernel uses. The destination advances; the others stay.
var (
	dst    = reg.RDI
	params = reg.RSI
	groups = reg.RDX
	consts = reg.R8
	list   = reg.R10 // of a layout.Truncation, where there is one
)

// kernel emits func(dst, params *byte, groups int), which makes groups*128 bytes
// at dst, or what becomes of so many bytes of words. The main loop makes as many units at a time as registers allow, the
// next one a few groups, and the last one single groups, whose passes the
// processor overlaps by itself.
func kernel(ctx *build.Context, m machine, o output) {
	ctx.Function(o.name + m.name())
	b := o.body(m)
	ctx.Attributes(b.attributes())
	ctx.SignatureExpr("func(dst, params *byte, groups int)")
	ctx.Pragma("noescape")
	groupBytes := layout.GroupBytes
	if b, ok := b.(interface{ groupBytes() int }); ok {
		groupBytes = b.groupBytes()
	}
	ctx.Doc(fmt.Sprintf("%s %s.", o.name+m.name(), fmt.Sprintf(o.doc, fmt.Sprintf("groups*%d bytes", groupBytes))))

	ctx.Load(ctx.Param("dst"), dst)
	ctx.Load(ctx.Param("params"), params)
	ctx.Load(ctx.Param("groups"), groups)
	ctx.LEAQ(m.constants().base(), consts)
	b.begin()

	perGroup := groupBytes / b.unitBytes()
	outBytes := b.unitBytes()
	if b, ok := b.(interface{ outBytes() int }); ok {
		outBytes = b.outBytes()
	}
	plan := b.unroll()
	many := plan.units / perGroup
	loops := []int{many}
	for _, n := range []int{many * 2 / 5, 1} {
		if n > 0 && n < loops[len(loops)-1] {
			loops = append(loops, n)
		}
	}
	for _, n := range loops {
		loop, end := fmt.Sprintf("by%d", n), fmt.Sprintf("below%d", n)
		ctx.CMPQ(groups, operand.I32(n))
		ctx.JB(operand.LabelRef(end))
		ctx.Label(loop)
		var lists [][]step
		for u := range n * perGroup {
			lists = append(lists, b.unit(u))
		}
		for l := range slices.Chunk(lists, cmp.Or(plan.together, len(lists))) {
			interleave(l, plan.skew)
		}
		b.advance(n * perGroup)
		ctx.ADDQ(operand.I32(n*perGroup*outBytes), dst)
		ctx.SUBQ(operand.I32(n), groups)
		ctx.CMPQ(groups, operand.I32(n))
		ctx.JAE(operand.LabelRef(loop))
		ctx.Label(end)
	}
	if b, ok := b.(interface{ end() }); ok {
		b.end()
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
		// A vector that lies across two cache lines takes two reads.
		size := vs[0].Bytes() * len(vs)
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
func param(name string) operand.Mem { return field[layout.Params](name) }

// field returns the address of a field of what the second argument points to.
func field[T any](name string) operand.Mem {
	f, ok := reflect.TypeFor[T]().FieldByName(name)
	if !ok {
		panic(fmt.Sprintf("gen: %v has no field %s", reflect.TypeFor[T](), name))
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
