package check

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/philox-go/rng/internal/known"
	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

// The sizes that matter to a kernel. The longest main loop makes 80 blocks in a
// pass, so that span covers two passes and all the shorter loops behind them. One
// call of a kernel makes callBytes, and longer fills take several.
const (
	span       = 200
	loopBytes  = 80 * blockBytes
	groupBytes = 8 * blockBytes
	callBytes  = 64 << 10
	blockBytes = 16
)

// seeded returns the same numbers in every run, and others for another purpose.
func seeded(purpose uint64) *rand.Rand { return rand.New(rand.NewPCG(20111115, purpose)) }

func randomPlace(r *rand.Rand) place {
	return place{
		key: philox.NewKey(r.Uint64()),
		ctr: philox.Counter{r.Uint32(), r.Uint32(), r.Uint32(), r.Uint32()},
	}
}

// carryPlaces returns places that are so many blocks before the wrap of counter
// word 0, and of all words up to 1, 2 and 3.
func carryPlaces(key philox.Key, back uint64) []place {
	var all []place
	for _, c := range []philox.Counter{{0, 8, 8, 9}, {0, 0, 8, 9}, {0, 0, 0, 9}, {}} {
		all = append(all, place{key: key, ctr: c.Back(back)})
	}
	return all
}

// row checks one level's code for one kind.
func (c kernelCheck) row() Row {
	return Row{Name: c.level.String() + " " + c.kind.String(), cells: [len(Columns)]func(*tally){
		func(t *tally) {
			c.knownBlocks(t)
			c.golden(t)
			c.goldenScaled(t)
			c.cpp26(t)
		},
		func(t *tally) {
			c.everyLength(t)
			c.aroundCalls(t)
			c.randomPlaces(t)
			c.extremeWords(t)
			c.longFill(t)
			c.transforms(t)
		},
		func(t *tally) {
			c.everyCarry(t)
			c.carriesInLaterCalls(t)
		},
	}}
}

type kernelCheck struct {
	lib   Library
	level asm.Level
	kind  asm.Kind
}

// slow reports whether a number of a kind takes many operations.
func slow(k asm.Kind) bool { return k >= asm.Normal32 }

// sparing reports whether there are to be fewer cases: where portable code makes
// slow numbers. It makes block by block, whatever the length, as it does those of
// the other kinds, which have all cases.
func (c kernelCheck) sparing() bool { return slow(c.kind) && c.level == asm.Generic }

// every is the step of a loop over cases: n, or 1 where there are to be all.
func (c kernelCheck) every(n int) int {
	if c.sparing() {
		return n
	}
	return 1
}

// fill is one fill from a place on a block.
func (c kernelCheck) fill(t *tally, at place, offset int, want []byte) {
	t.fill(c.kind, at, offset, want, func(dst []byte) { c.lib.Fill(c.level, c.kind, dst, at.key, at.ctr) })
}

// want is the memory of a fill of n blocks.
func (c kernelCheck) want(at place, n int) []byte {
	return elements(c.kind, at, words(at.key, at.ctr, n))
}

// knownBlocks has the published blocks at every place of a fill, by every lane of
// every loop.
func (c kernelCheck) knownBlocks(t *tally) {
	for _, b := range known.Blocks() {
		if b.Name != "philox4x32 10" {
			continue
		}
		var key philox.Key
		var ctr philox.Counter
		block := make([]uint32, len(b.Want))
		for i := range block {
			ctr[i], block[i] = uint32(b.Counter[i]), uint32(b.Want[i])
		}
		for i := range key {
			key[i] = uint32(b.Key[i])
		}
		at := place{key: key, ctr: ctr}
		c.atEveryPlace(t, at, elements(c.kind, at, block))
	}
}

// atEveryPlace fills so that the block of a place stands at every place of the
// fill once, and compares that block alone.
func (c kernelCheck) atEveryPlace(t *tally, of place, want []byte) {
	for before := uint64(0); before < span; before += uint64(c.every(13)) {
		at := place{key: of.key, ctr: of.ctr.Back(before)}
		from := int(before) * blockBytes
		describe := func() string {
			return fmt.Sprintf("%v, n %d, block %d", at, span*c.kind.PerBlock(), before)
		}
		t.attempt(describe, func() string {
			dst := t.mem.room(0, span*blockBytes)
			c.lib.Fill(c.level, c.kind, dst, at.key, at.ctr)
			return difference(c.kind.Size(), dst[from:from+blockBytes], want)
		})
	}
}

// golden makes the golden fills, the bytes before their first element included.
func (c kernelCheck) golden(t *tally) {
	for _, f := range known.Fills() {
		if kindOf(f) != c.kind {
			continue
		}
		block, lane := c.kind.Locate(f.First)
		key, ctr := philox.NewKey(uint64(f.Seed)), philox.Counter(f.Counter).Skip(block)
		t.attempt(f.Name, func() string {
			before := int(lane) * c.kind.Size()
			dst := t.mem.room(0, before+f.N*c.kind.Size())
			c.lib.Fill(c.level, c.kind, dst, key, ctr)
			return compareGolden(f, dst[before:])
		})
	}
}

// manyScaled is more golden elements than portable code makes again for the scaling.
const manyScaled = 10_000

// goldenScaled makes the golden fills that have a mean, of words.
func (c kernelCheck) goldenScaled(t *tally) {
	for _, f := range known.ScaledFills() {
		if kindOf(f.Fill) != c.kind || c.sparing() && f.N > manyScaled {
			continue
		}
		block, lane := c.kind.Locate(f.First)
		key, ctr := philox.NewKey(uint64(f.Seed)), philox.Counter(f.Counter).Skip(block)
		t.attempt(f.Name, func() string {
			before := int(lane) * c.kind.Size()
			n := before + f.N*c.kind.Size()
			per := c.kind.PerBlock() * c.kind.Size()
			dst := t.mem.room(0, (n+per-1)/per*per) // whole pairs
			kind, args := asm.Uint64, asm.Args{Mean: f.Mean, Std: f.Std}
			if c.kind.Size() == 4 {
				kind, args = asm.Uint32, asm.Args{Mean: float64(float32(f.Mean)), Std: float64(float32(f.Std))}
			}
			c.lib.Fill(c.level, kind, dst, key, ctr)
			c.lib.Transform(c.level, c.kind, dst, args)
			return compareGolden(f.Fill, dst[before:n])
		})
	}
}

// kindOf returns the kind of a golden fill.
func kindOf(f known.Fill) asm.Kind {
	for _, k := range asm.Kinds() {
		if f.Kind == k.String() {
			return k
		}
	}
	return asm.OpenFloat32 // the file calls it open
}

// compareGolden returns what is wrong with the memory of a golden fill.
func compareGolden(f known.Fill, mem []byte) string {
	b := littleEndian(kindOf(f).Size(), mem)
	if head := b[:min(len(b), len(f.Head))]; !bytes.Equal(head, f.Head) {
		return fmt.Sprintf("the first bytes are %x, must be %x", head, f.Head)
	}
	if sum := sha256.Sum256(b); sum != f.Sum {
		return fmt.Sprintf("the SHA-256 is %x, must be %x", sum, f.Sum)
	}
	return ""
}

// cpp26 makes the 10000th word, which only one kind shows as it is.
func (c kernelCheck) cpp26(t *tally) {
	if c.kind != asm.Uint32 {
		return
	}
	at, last := place{key: known.Cpp26.Key}, int(known.Cpp26.Index)
	describe := func() string { return fmt.Sprintf("%v, n %d, C++26's element %d", at, last+1, last) }
	t.attempt(describe, func() string {
		dst := t.mem.room(0, 4*(last+1))
		c.lib.Fill(c.level, c.kind, dst, at.key, at.ctr)
		return compareCpp26(view.Of[uint32](dst)[last])
	})
}

func compareCpp26(word uint32) string {
	if word != known.Cpp26.Word {
		return fmt.Sprintf("it is 0x%08x, must be 0x%08x", word, known.Cpp26.Word)
	}
	return ""
}

// everyLength makes every length up to span blocks at several offsets, each with
// another key and counter. Since a fill's numbers do not depend on its length,
// the longest one's serve for all.
func (c kernelCheck) everyLength(t *tally) {
	r := seeded(1)
	size := c.kind.Size()
	for offset := range 16 {
		at := randomPlace(r)
		want := c.want(at, span)
		for n := offset % c.every(16) * size; n <= len(want); n += c.every(16) * size {
			c.fill(t, at, offset, want[:n])
		}
	}
}

// aroundCalls makes lengths about one, two and three calls of a kernel.
func (c kernelCheck) aroundCalls(t *tally) {
	if c.sparing() { // it has no calls
		return
	}
	r := seeded(2)
	size := c.kind.Size()
	at := randomPlace(r)
	want := c.want(at, (3*callBytes+2*loopBytes)/blockBytes)
	for calls := 1; calls <= 3; calls++ {
		for _, more := range []int{
			-loopBytes, -groupBytes - size, -groupBytes, -blockBytes, -size, 0,
			size, blockBytes, groupBytes, groupBytes + size, loopBytes + groupBytes - size,
		} {
			c.fill(t, at, calls, want[:calls*callBytes+more])
		}
	}
}

// randomPlaces makes fills of random lengths.
func (c kernelCheck) randomPlaces(t *tally) {
	r := seeded(3)
	for range 300 / c.every(10) {
		at := randomPlace(r)
		n := r.IntN(span * c.kind.PerBlock())
		want := c.want(at, n/c.kind.PerBlock()+1)
		c.fill(t, at, r.IntN(16), want[:n*c.kind.Size()])
	}
}

// longBytes is a fill of more groups than 16 bits can count, so of more blocks and
// elements too.
const longBytes = groupBytes<<16 + callBytes + groupBytes + blockBytes

// longPlace has no carry in so many blocks: it would cut the fill in two.
var longPlace = place{key: philox.Key{0x8d2f5b31, 0x1c0de5ca}, ctr: philox.Counter{77, 1, 2, 3}}

var longWords = sync.OnceValue(func() []uint32 {
	return words(longPlace.key, longPlace.ctr, longBytes/blockBytes)
})

// longFills are of two kinds only, since lengths are no matter of the kind: the one
// with the most elements, and one that is converted. They are made once for all
// levels, as that takes longer than to fill them.
var longFills = map[asm.Kind]func() []byte{
	asm.Bytes:   sync.OnceValue(func() []byte { return elements(asm.Bytes, longPlace, longWords()) }),
	asm.Float32: sync.OnceValue(func() []byte { return elements(asm.Float32, longPlace, longWords()) }),
}

func (c kernelCheck) longFill(t *tally) {
	all, ok := longFills[c.kind]
	if !ok || t.ctx.Err() != nil {
		return
	}
	want := all()
	c.fill(t, longPlace, 1, want[:len(want)-c.kind.Size()])
}

// extremes are words that conversions get wrong: all zeros and all ones, in
// either half of 64 bits and in every lane, since a kernel may hold a constant for
// each lane; the words about which the open uniform reaches 1, one that rounds
// twice, small ones, and the borders of signed words and of the mantissas.
var extremes = [][4]uint32{
	{},
	{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
	{0xffffffff, 0, 0, 0xffffffff},
	{0xffffff80, 0xffffff80, 0xffffff80, 0xffffff80},
	{0xffffff7f, 0xffffff00, 0xfffffeff, 0x01000001},
	{0x017db87d, 0x00000001, 0x00000093, 0x00800000},
	{0x80000000, 0x7fffffff, 0x007fffff, 0xff800000},
	{0x00000000, 0xfff00000, 0xffffffff, 0x000fffff},
}

// extremeWords has them at every place of a fill.
func (c kernelCheck) extremeWords(t *tally) {
	key := philox.NewKey(seeded(4).Uint64())
	for _, block := range extremes {
		at := place{key: key, ctr: counterOf(key, block)}
		c.atEveryPlace(t, at, elements(c.kind, at, block[:]))
	}
}

// everyCarry begins at every distance before a carry, up to more than two passes
// of the longest loop.
func (c kernelCheck) everyCarry(t *tally) {
	key := philox.NewKey(seeded(5).Uint64())
	for _, at := range carryPlaces(key, span) {
		want := c.want(at, 2*span)
		for i := 0; i <= span; i += c.every(13) {
			from := place{key: key, ctr: philox.Counter(at.ctr).Skip(uint64(i))}
			c.fill(t, from, i%16, want[i*blockBytes:][:span*blockBytes])
		}
	}
}

// carriesInLaterCalls has the carry about the border of two calls of a kernel.
func (c kernelCheck) carriesInLaterCalls(t *tally) {
	if c.sparing() {
		return
	}
	const call = callBytes / blockBytes
	key := philox.NewKey(seeded(6).Uint64())
	backs := []uint64{call - 1, call, call + 1, 2*call + 77}
	if slow(c.kind) { // their passes are shorter than calls and divide them
		backs = []uint64{call + 1}
	}
	for _, back := range backs {
		for _, at := range carryPlaces(key, back) {
			c.fill(t, at, 1, c.want(at, 2*call+span))
		}
	}
}
