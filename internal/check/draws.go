package check

import (
	"fmt"
	"math"
	"math/bits"
	"unsafe"

	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

// A draw is a kind with arguments, or what is made of one: bits, and numbers in 16 bits.
type draw struct {
	name  string
	size  int // bytes of an element
	per   int // elements of a block
	args  asm.Args
	kind  asm.Kind
	half  asm.Half
	fills func(lib Library, l asm.Level, d draw, dst []byte, key philox.Key, ctr philox.Counter)
	// block appends the memory of the elements of a block.
	block func(mem []byte, d draw, from place, w [4]uint32) []byte
}

func fillsKind(lib Library, l asm.Level, d draw, dst []byte, key philox.Key, ctr philox.Counter) {
	lib.Draw(l, d.kind, dst, key, ctr, d.args)
}

func fillsHalves(lib Library, l asm.Level, d draw, dst []byte, key philox.Key, ctr philox.Counter) {
	lib.Halves(l, d.kind, d.half, dst, key, ctr, d.args)
}

// drawLevel, halvesLevel and bitsLevel are what the library has.
func drawLevel(l asm.Level, k asm.Kind, dst []byte, key philox.Key, ctr philox.Counter, args asm.Args) {
	switch k.Size() {
	case 1:
		asm.FillArgs(l, k, dst, key, ctr, args)
	case 2:
		asm.FillArgs(l, k, view.Of[uint16](dst), key, ctr, args)
	case 4:
		asm.FillArgs(l, k, view.Of[uint32](dst), key, ctr, args)
	case 8:
		asm.FillArgs(l, k, view.Of[uint64](dst), key, ctr, args)
	}
}

func halvesLevel(l asm.Level, k asm.Kind, h asm.Half, dst []byte, key philox.Key, ctr philox.Counter, args asm.Args) {
	hi, lo := ctr.Uint64s()
	asm.FillHalves(l, k, h, unsafe.Pointer(unsafe.SliceData(dst)), len(dst)/2, key.Seed(), hi, lo, args)
}

func bitsLevel(l asm.Level, dst []byte, key philox.Key, ctr philox.Counter, threshold uint64, flip bool) {
	hi, lo := ctr.Uint64s()
	asm.FillBits(l, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), key.Seed(), hi, lo, threshold, flip)
}

var draws = func() (all []draw) {
	add := func(name string, size, per int, kind asm.Kind, args asm.Args, block func([]byte, draw, place, [4]uint32) []byte) {
		all = append(all, draw{name: name, size: size, per: per, kind: kind, args: args, fills: fillsKind, block: block})
	}
	between := asm.Args{A: -3, B: 5}
	add("uniform float32 from -3 to 5", 4, 4, asm.Range32, between, eachWord(func(d draw, x uint32) uint64 {
		v := fused(math.Float32frombits(uniform32(x)), 8, -3)
		return uint64(math.Float32bits(min(v, 5-0x1p-21)))
	}))
	add("uniform float64 from -3 to 5", 8, 2, asm.Range64, between, eachPair(func(d draw, x uint64) uint64 {
		v := math.FMA(math.Float64frombits(uniform64(x)), 8, -3)
		return math.Float64bits(min(v, 5-0x1p-50))
	}))
	unit := asm.Args{B: 1}
	add("uniform float16", 2, 4, asm.Float16, unit, eachWord(func(d draw, x uint32) uint64 {
		return uint64(half16(float64(x%1024) / 1024))
	}))
	add("uniform bfloat16", 2, 4, asm.BFloat16, unit, eachWord(func(d draw, x uint32) uint64 {
		return uint64(halfB16(float64(x%128) / 128))
	}))
	add("uniform float16 from -3 to 5", 2, 4, asm.Float16, between, eachWord(func(d draw, x uint32) uint64 {
		return uint64(half16(min(float64(x%1024)/128-3, 5-0x1p-8)))
	}))
	add("uniform bfloat16 from -3 to 5", 2, 4, asm.BFloat16, between, eachWord(func(d draw, x uint32) uint64 {
		return uint64(halfB16(min(float64(x%128)/16-3, 5-0x1p-5)))
	}))

	exponential32 := func(d draw, x uint32) float64 {
		e := float32(minusTwoLog32(x) / 2 / float32(d.args.Std))
		return min(max(float64(e), d.args.A), d.args.B)
	}
	for _, args := range []asm.Args{
		asm.Rate(1, math.SmallestNonzeroFloat32, math.MaxFloat32),
		asm.Rate(float64(float32(0.3)), math.SmallestNonzeroFloat32, math.MaxFloat32),
		asm.Rate(2, 0.25, 1),
	} {
		add(fmt.Sprintf("exponential float32 of rate %v from %v to %v", args.Std, args.A, args.B), 4, 4, asm.Exponential32, args, eachWord(func(d draw, x uint32) uint64 {
			return uint64(math.Float32bits(float32(exponential32(d, x))))
		}))
		add(fmt.Sprintf("exponential float64 of rate %v from %v to %v", args.Std, args.A, args.B), 8, 2, asm.Exponential64, args, eachPair(func(d draw, x uint64) uint64 {
			return math.Float64bits(min(max(minusTwoLog(2*(x>>11)+1, 54)/2/d.args.Std, d.args.A), d.args.B))
		}))
	}

	for _, c := range []struct {
		kind asm.Kind
		size int
		one  uint64
	}{{asm.Chosen8, 1, 0xb5}, {asm.Chosen16, 2, 0x3c01}, {asm.Chosen32, 4, 0x3f800001}, {asm.Chosen64, 8, 0x3ff0000000000001}} {
		for _, threshold := range []uint64{0, 1 << 31, 3000000001, 1 << 32} {
			add(fmt.Sprintf("choice of %d bytes below %d", c.size, threshold), c.size, 4, c.kind, asm.Choice(threshold, c.one), eachWord(func(d draw, x uint32) uint64 {
				if uint64(x) >= threshold {
					return 0
				}
				return c.one
			}))
		}
	}

	for _, c := range []struct {
		kind asm.Kind
		size int
	}{{asm.Int8, 1}, {asm.Int16, 2}, {asm.Int32, 4}, {asm.Int64, 8}} {
		for _, n := range []uint64{6, 3 << 30, 1 << 32} {
			lo := uint64(1<<64 - 5)
			if n == 1<<32 {
				lo = 1<<63 + 1<<31 // the lower half is the least signed one
			}
			add(fmt.Sprintf("%d integers of %d bytes", n, c.size), c.size, 4, c.kind, asm.Integers(lo, n), integersOf(lo, n, false))
		}
	}
	for _, n := range []uint64{1<<40 + 1, 3 << 62, 0} {
		lo := uint64(77)
		if n == 0 {
			lo = 1 << 63
		}
		add(fmt.Sprintf("%d integers of 8 bytes", n), 8, 2, asm.Wide64, asm.Integers(lo, n), integersOf(lo, n, true))
	}

	for h, round := range map[asm.Half]func(float64) uint16{asm.F16: half16, asm.B16: halfB16} {
		all = append(all, draw{
			name: "normal " + h.String(), size: 2, per: 4, kind: asm.Normal32, half: h, args: asm.Args{Mean: 1, Std: 3},
			fills: fillsHalves,
			block: func(mem []byte, d draw, _ place, w [4]uint32) []byte {
				for i := 0; i < 4; i += 2 {
					z0, z1 := normal32(w[i], w[i+1])
					for _, z := range []float32{z0, z1} {
						mem = appendNumber(mem, 2, uint64(round(float64(fused(z, 3, 1)))))
					}
				}
				return mem
			},
		})
	}
	return all
}()

func eachWord(value func(d draw, x uint32) uint64) func([]byte, draw, place, [4]uint32) []byte {
	return func(mem []byte, d draw, _ place, w [4]uint32) []byte {
		for _, x := range w {
			mem = appendNumber(mem, d.size, value(d, x))
		}
		return mem
	}
}

func eachPair(value func(d draw, x uint64) uint64) func([]byte, draw, place, [4]uint32) []byte {
	return func(mem []byte, d draw, _ place, w [4]uint32) []byte {
		for i := 0; i < 4; i += 2 {
			mem = appendNumber(mem, d.size, value(d, uint64(w[i])+uint64(w[i+1])<<32))
		}
		return mem
	}
}

// integersOf is n integers from lo on, of words or of pairs of them: the upper half of
// the product with n, where the lower half is not less than what the size of the words
// leaves when it is divided by n. 0 stands for 2^64.
func integersOf(lo, n uint64, wide bool) func([]byte, draw, place, [4]uint32) []byte {
	return func(mem []byte, d draw, from place, w [4]uint32) []byte {
		for i := range d.per {
			for attempt := uint32(0); ; attempt++ {
				x := plain4x32(10, from.key, attempted(from.ctr, attempt))
				var h, l, rest uint64
				switch {
				case wide && n == 0:
					h = uint64(x[2*i]) + uint64(x[2*i+1])<<32
				case wide:
					h, l = bits.Mul64(uint64(x[2*i])+uint64(x[2*i+1])<<32, n)
					_, rest = bits.Div64(1, 0, n)
				default:
					h, l = bits.Mul64(uint64(x[i])<<32, n)
					_, rest = bits.Div64(1, 0, n) // both are 2^32 times as large
					rest = (1 << 32 % n) << 32
				}
				if l >= rest {
					mem = appendNumber(mem, d.size, lo+h)
					break
				}
			}
		}
		return mem
	}
}

// half16 and halfB16 are the bits of the number of 16 bits that is nearest to f, which
// is small enough.
func half16(f float64) uint16  { return half(f, 10, -14) }
func halfB16(f float64) uint16 { return half(f, 7, -126) }

// half has so many bits behind the point, and normal numbers from 2^least on.
func half(f float64, fraction, least int) uint16 {
	sign := uint16(0)
	if math.Signbit(f) {
		sign = 1 << 15
	}
	exp := least
	if f != 0 {
		_, e := math.Frexp(f)
		exp = max(e-1, least)
	}
	// The number in its last places. One that is normal has the bit above its fraction.
	places := math.RoundToEven(math.Ldexp(math.Abs(f), fraction-exp))
	return sign + uint16(exp-least)<<fraction + uint16(places)
}

// drawsRow checks one level's code of all draws.
func (lib Library) drawsRow(l asm.Level) Row {
	return Row{Name: l.String() + " draws", cells: [len(Columns)]func(*tally){
		func(t *tally) { lib.knownDraws(t, l) },
		func(t *tally) {
			for _, d := range draws {
				if t.ctx.Err() != nil { // what is wanted takes long
					return
				}
				c := drawCheck{lib, l, d}
				c.lengths(t)
				c.long(t)
				c.extremes(t)
			}
			lib.bits(t, l)
		},
		func(t *tally) {
			for _, d := range draws {
				if t.ctx.Err() != nil {
					return
				}
				drawCheck{lib, l, d}.carries(t)
			}
		},
	}}
}

type drawCheck struct {
	lib   Library
	level asm.Level
	draw
}

// want is the memory of n blocks.
func (c drawCheck) want(at place, n int) []byte {
	mem := make([]byte, 0, n*c.per*c.size)
	for range n {
		mem = c.block(mem, c.draw, at, plain4x32(10, at.key, at.ctr))
		at.ctr = next(at.ctr)
	}
	return mem
}

func (c drawCheck) fill(t *tally, at place, offset int, want []byte) {
	at.of = c.name
	t.fillSized(c.size, at, offset, want, func(dst []byte) { c.fills(c.lib, c.level, c.draw, dst, at.key, at.ctr) })
}

// lengths has many lengths up to two passes of the longest main loop, at several offsets.
func (c drawCheck) lengths(t *tally) {
	r := seeded(21)
	for offset := range 5 {
		at := randomPlace(r)
		want := c.want(at, span)
		step := 3 + 16*offset // tests of the kernels have every length
		if c.level == asm.Generic {
			step += 40
		}
		for n := offset * c.size; n <= len(want); n += step * c.size {
			c.fill(t, at, offset, want[:n])
		}
	}
}

// long is a fill of several passes, with a carry in a later one.
func (c drawCheck) long(t *tally) {
	if c.level == asm.Generic {
		return
	}
	const blocks = 2300
	r := seeded(22)
	for _, at := range []place{randomPlace(r), carryPlaces(philox.NewKey(r.Uint64()), 1100)[0]} {
		want := c.want(at, blocks)
		c.fill(t, at, 1, want[:len(want)-c.size])
	}
}

// extremes has words that conversions get wrong in every lane of a group.
func (c drawCheck) extremes(t *tally) {
	key := philox.NewKey(seeded(23).Uint64())
	for _, block := range extremes {
		for before := range uint64(8) {
			at := place{key: key, ctr: philox.Counter(counterOf(key, block)).Back(before)}
			c.fill(t, at, 0, c.want(at, 24))
		}
	}
}

func (c drawCheck) carries(t *tally) {
	key := philox.NewKey(seeded(24).Uint64())
	for _, at := range carryPlaces(key, 40) {
		want := c.want(at, 80)
		for i := 0; i <= 40; i += 5 {
			from := place{key: key, ctr: philox.Counter(at.ctr).Skip(uint64(i))}
			c.fill(t, from, i%8, want[i*c.per*c.size:][:40*c.per*c.size])
		}
	}
}

// bits checks fills of bits, also across carries.
func (lib Library) bits(t *tally, l asm.Level) {
	r := seeded(25)
	places := []place{randomPlace(r), randomPlace(r)}
	for back := uint64(1); back < 300; back += 13 {
		places = append(places, carryPlaces(philox.NewKey(r.Uint64()), back)...)
	}
	for i, at := range places {
		threshold := []uint64{0, 1 << 31, 1288490189, 1 << 32}[i%4]
		flip := i%3 == 0
		n := 4 * (1 + r.IntN(120))
		want := make([]byte, n)
		for j, w := range words(at.key, at.ctr, 2*n) {
			if (uint64(w) < threshold) != flip {
				want[j/8] += 1 << (j % 8)
			}
		}
		at.of = fmt.Sprintf("bits below %d, flipped %v", threshold, flip)
		t.fillSized(1, at, i%16, want, func(dst []byte) { lib.Bits(l, dst, at.key, at.ctr, threshold, flip) })
	}
}

// knownDraws has numbers of the block of key and counter 0, whose words are the known
// answer 6627e8d5 e169c58d bc57ac4c 9b00dbd8, worked out apart from this program.
func (lib Library) knownDraws(t *tally, l asm.Level) {
	for _, k := range knownDraws {
		t.attempt(func() string { return k.name }, func() string {
			dst := t.mem.room(0, len(k.want)*k.kind.Size())
			lib.Draw(l, k.kind, dst, philox.Key{}, philox.Counter{}, k.args)
			var want []byte
			for _, bits := range k.want {
				want = appendNumber(want, k.kind.Size(), bits)
			}
			return difference(k.kind.Size(), dst, want)
		})
	}
}

var knownDraws = []struct {
	name string
	kind asm.Kind
	args asm.Args
	want []uint64
}{
	{"float32 from -1 to 1", asm.Range32, asm.Args{A: -1, B: 1}, []uint64{0xbec0b958, 0x3f271634, 0x3ebd6260, 0xbf7c90a0}},
	{"float16", asm.Float16, asm.Args{B: 1}, []uint64{0x32a8, 0x3634, 0x2cc0, 0x3bb0}},
	{"bfloat16", asm.BFloat16, asm.Args{B: 1}, []uint64{0x3f2a, 0x3dd0, 0x3f18, 0x3f30}},
	{"exponential float32", asm.Exponential32, asm.Rate(1, math.SmallestNonzeroFloat32, math.MaxFloat32), []uint64{0x3f6b2e71, 0x3e024bd6, 0x3e9d2406, 0x3f00716c}},
	{"exponential float64", asm.Exponential64, asm.Rate(1, math.SmallestNonzeroFloat64, math.MaxFloat64), []uint64{0x3fc0497ab7861bc7}},
	{"choice with probability 1/2", asm.Chosen8, asm.Choice(1<<31, 1), []uint64{1, 0, 0, 0}},
	{"integers below 100", asm.Int32, asm.Integers(0, 100), []uint64{39, 88, 73, 60}},
	{"integers below 100 of 8 bits", asm.Int8, asm.Integers(0, 100), []uint64{39, 88, 73, 60}},
	{"integers below 10^15", asm.Wide64, asm.Integers(0, 1e15), []uint64{0x320d4159cda66, 0x226aebad18671}},
}
