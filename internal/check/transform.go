package check

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/philox-go/rng/philox/asm"
)

// ofPairs reports whether a kind is made of pairs of words that stand where the
// numbers will.
func ofPairs(k asm.Kind) bool { return k == asm.Normal32 || k == asm.Normal64 }

// scales are what pairs are made with. The numbers are float32 ones, for both
// types, and most results need rounding. Zero gives the mean.
var scales = []asm.Args{
	{Std: 1}, {Mean: 1, Std: 1}, {Std: 3}, {Mean: float64(float32(0.1)), Std: float64(float32(0.7))},
	{Mean: float64(float32(-1000.3)), Std: float64(float32(2.6e-3))}, {Mean: 5},
}

// pairedWords are pairs of words as the elements of a kind of pairs: all pairs of
// hard ones, twice over.
func pairedWords(k asm.Kind) []uint64 {
	hard := hardWords(uint(8 * k.Size()))
	var all []uint64
	for _, x := range hard {
		for _, y := range hard {
			all = append(all, x, y)
		}
	}
	return slices.Concat(all, all)
}

// hardWords are words of so many bits at which something changes: their ends and
// their middle, where the centre is near 0 and its logarithm too; powers of two,
// where its exponent changes; the eighths of a turn; and what a conversion rounds
// up. The low 11 of 64 bits do not count.
func hardWords(bits uint) []uint64 {
	step := uint64(1)
	if bits == 64 {
		step <<= 11
	}
	mask := uint64(math.MaxUint64) >> (64 - bits)
	all := []uint64{0, step - 1, 3 * step, 0x55555555_55555555}
	for eighth := range uint64(8) {
		border := eighth << (bits - 3)
		all = append(all, border-1, border-step, border, border+step)
	}
	for _, back := range []uint{1, 7, 8, 23, 24, 25} {
		all = append(all, uint64(1)<<(bits-1-back), mask-(step<<back)+1, mask-(step<<back))
	}
	for i := range all {
		all[i] &= mask
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// memoryOf is the memory of words of size bytes.
func memoryOf(size int, words []uint64) (mem []byte) {
	for _, w := range words {
		mem = appendNumber(mem, size, w)
	}
	return mem
}

// pairs is the memory of what words become.
func pairs(k asm.Kind, words []uint64, args asm.Args) (mem []byte) {
	for i := 0; i < len(words); i += 2 {
		var bits [2]uint64
		if k == asm.Normal32 {
			z0, z1 := normal32(uint32(words[i]), uint32(words[i+1]))
			for j, z := range []float32{z0, z1} {
				bits[j] = uint64(math.Float32bits(fused(z, float32(args.Std), float32(args.Mean))))
			}
		} else {
			z0, z1 := normal64(words[i], words[i+1])
			for j, z := range []float64{z0, z1} {
				bits[j] = math.Float64bits(math.FMA(z, args.Std, args.Mean))
			}
		}
		mem = appendNumber(appendNumber(mem, k.Size(), bits[0]), k.Size(), bits[1])
	}
	return mem
}

func appendNumber(mem []byte, size int, bits uint64) []byte {
	switch size {
	case 1:
		return append(mem, uint8(bits))
	case 2:
		return binary.NativeEndian.AppendUint16(mem, uint16(bits))
	case 4:
		return binary.NativeEndian.AppendUint32(mem, uint32(bits))
	}
	return binary.NativeEndian.AppendUint64(mem, bits)
}

// transforms turns hard words into numbers, each of them in many lanes, and words
// at every distance from the end. A word without a second one stays as it is.
func (c kernelCheck) transforms(t *tally) {
	if !ofPairs(c.kind) || t.ctx.Err() != nil {
		return
	}
	size := c.kind.Size()
	words := pairedWords(c.kind)
	mem := memoryOf(size, words)
	if c.sparing() {
		words = words[:len(words)/2] // for there are no lanes
	}
	for i, args := range scales {
		want := pairs(c.kind, words, args)
		step := c.every(97)
		if i > 1 { // the first two go through every place
			step = max(step, 13)
		}
		for left := i % 2; left < 2*span; left += step {
			from, to := left/2*2*size, len(want)-left%2*size
			offset := left % 16 * size
			describe := func() string {
				return fmt.Sprintf("hard words from %d on, mean %v, std %v, n %d, at byte %d of a cache line",
					left/2*2, args.Mean, args.Std, (to-from)/size, offset)
			}
			t.attempt(describe, func() string {
				dst := t.mem.room(offset, to-from)
				copy(dst, mem[from:to])
				c.lib.Transform(c.level, c.kind, dst, args)
				whole := (to - from) / (2 * size) * 2 * size
				if wrong := difference(size, dst[:whole], want[from:from+whole]); wrong != "" {
					return wrong
				}
				if wrong := difference(size, dst[whole:], mem[from+whole:to]); wrong != "" {
					return "past the last pair: " + wrong
				}
				return t.mem.outside(offset, to-from)
			})
		}
	}
}
