// Package asm is the hot path: fills of slices with Philox4x32-10 words and
// uniforms by generated AVX-512 and AVX2 kernels, with portable Go beside them.
// Every implementation gives the same bits.
//
// The package is public so that the command line's self-check and other
// packages of this module can drive each implementation by name. Its API is not
// covered by any promise of compatibility; use package philox.
package asm

import (
	"fmt"
	"unsafe"

	"github.com/philox-go/rng/skip"
)

// A Kind says what a fill writes.
type Kind uint8

const (
	// Uint32 writes words: element i is lane i%4 of block i/4.
	Uint32 Kind = iota
	// Uint64 writes word 2i in the low half and word 2i+1 in the high half.
	Uint64
	// Bytes writes the words as little-endian bytes.
	Bytes
	// Float32 writes uniforms in [0,1) by mantissa stuffing, one word each.
	Float32
	// OpenFloat32 writes uniforms in (0,1) by division by 2^32, one word each.
	OpenFloat32
	// Float64 writes uniforms in [0,1) by mantissa stuffing, two words each.
	Float64
	// Normal32 writes normals, a pair for every two words: poly.Normal32, then
	// z*Std + Mean with one rounding. Args are Mean and Std.
	Normal32
	// Normal64 writes normals, a pair for every block: poly.Normal64, then z*Std +
	// Mean with one rounding. Args are Mean and Std.
	Normal64
	// Truncated32 writes normals between A and B, both included: where Normal32 is
	// between them it is this. Args are all four; see truncated.go.
	Truncated32
	// Truncated64 does so for Normal64.
	Truncated64

	// Those that follow take arguments and are not among [Kinds]; see draws.go.

	// Range32 writes uniforms in [A,B), one word each: Float32 times B-A plus A with one
	// rounding, at most the number below B.
	Range32
	// Range64 does so for Float64.
	Range64
	// Float16 writes IEEE half precision uniforms in [A,B), one word each.
	Float16
	// BFloat16 does so for bfloat16.
	BFloat16
	// Exponential32 writes exponentials, one word each. Args come from [Rate].
	Exponential32
	// Exponential64 does so with two words each.
	Exponential64
	// Chosen8 writes one of two values, one word each. Args come from [Choice].
	Chosen8
	// Chosen16 does so for elements of 2 bytes.
	Chosen16
	// Chosen32 does so for elements of 4 bytes.
	Chosen32
	// Chosen64 does so for elements of 8 bytes.
	Chosen64
	// Int8 writes integers, mod 2^8, one word each. Args come from [Integers].
	Int8
	// Int16 does so mod 2^16.
	Int16
	// Int32 does so mod 2^32.
	Int32
	// Int64 does so mod 2^64, with one word each all the same.
	Int64
	// Wide64 does so with two words each.
	Wide64

	// What Float16 and BFloat16 round, and with AVX-512 what makes them.
	range16
	rangeB16
	ranged16
	tabledB16

	kinds
)

var kindNames = [kinds]string{
	"uint32", "uint64", "bytes", "float32", "open float32", "float64", "normal32", "normal64", "truncated32", "truncated64",
	"range32", "range64", "float16", "bfloat16", "exponential32", "exponential64", "chosen8", "chosen16", "chosen32", "chosen64",
	"int8", "int16", "int32", "int64", "wide64", "range16", "rangeB16", "ranged16", "tabledB16",
}

func (k Kind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Kinds returns the kinds that [Fill] makes with its own arguments, in order.
func Kinds() []Kind { return between(0, Range32) }

// Draws returns the kinds behind those, which must be given arguments.
func Draws() []Kind { return between(Range32, range16) }

func between(first, end Kind) (all []Kind) {
	for k := first; k < end; k++ {
		all = append(all, k)
	}
	return all
}

// logPerBlock is the base-2 logarithm of the number of elements in a block, and logSize
// that of an element's size in bytes.
var (
	logPerBlock = [kinds]uint8{
		Uint32: 2, Uint64: 1, Bytes: 4, Float32: 2, OpenFloat32: 2, Float64: 1, Normal32: 2, Normal64: 1, Truncated32: 2, Truncated64: 1,
		Range32: 2, Range64: 1, Float16: 2, BFloat16: 2, Exponential32: 2, Exponential64: 1, Chosen8: 2, Chosen16: 2, Chosen32: 2,
		Chosen64: 2, Int8: 2, Int16: 2, Int32: 2, Int64: 2, Wide64: 1, range16: 2, rangeB16: 2, ranged16: 2, tabledB16: 2,
	}
	logSize = [kinds]uint8{
		Uint32: 2, Uint64: 3, Bytes: 0, Float32: 2, OpenFloat32: 2, Float64: 3, Normal32: 2, Normal64: 3, Truncated32: 2, Truncated64: 3,
		Range32: 2, Range64: 3, Float16: 1, BFloat16: 1, Exponential32: 2, Exponential64: 3, Chosen8: 0, Chosen16: 1, Chosen32: 2,
		Chosen64: 3, Int8: 0, Int16: 1, Int32: 2, Int64: 3, Wide64: 3, range16: 2, rangeB16: 2, ranged16: 1, tabledB16: 1,
	}
)

// PerBlock returns the number of elements that one block makes.
func (k Kind) PerBlock() int { return 1 << logPerBlock[k] }

// Size returns the size of an element in bytes.
func (k Kind) Size() int { return 1 << logSize[k] }

// BlockSize returns the size in bytes of the elements that one block makes: of the
// [Kinds], that of its words.
func (k Kind) BlockSize() int { return 1 << (logPerBlock[k] + logSize[k]) }

// Locate returns the block that element i comes from and the element's place
// among the elements of that block.
func (k Kind) Locate(i uint64) (block, lane uint64) {
	return i >> logPerBlock[k], i & (1<<logPerBlock[k] - 1)
}

// An Element is a type that a fill can write. The size must be the kind's.
type Element interface {
	uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// Args are the numbers that a kind may take: the mean and the standard deviation of a
// normal, and the bounds of a truncated one or of a uniform. For float32 they are float32
// numbers. They are passed by value, so that they travel in registers; other kinds have
// other numbers in their places, by [Rate], [Choice] and [Integers].
type Args struct{ Mean, Std, A, B float64 }

// Standard returns the Args that Fill and FillLevel take: the standard normal, for
// the truncated kinds at two standard deviations.
func Standard() Args { return Args{Std: 1, A: -2, B: 2} }

// Fill writes dst from block ctr on, by the implementation Active. The kind must be one
// of [Kinds].
func Fill[T Element](k Kind, dst []T, key [2]uint32, ctr [4]uint32) {
	FillLevel(active, k, dst, key, ctr)
}

// FillLevel writes dst from block ctr on by the implementation l. It panics if
// the element's size is not the kind's or if this machine does not have l.
func FillLevel[T Element](l Level, k Kind, dst []T, key [2]uint32, ctr [4]uint32) {
	FillArgs(l, k, dst, key, ctr, Standard())
}

// FillArgs is FillLevel with arguments.
func FillArgs[T Element](l Level, k Kind, dst []T, key [2]uint32, ctr [4]uint32, args Args) {
	k.mustFit(unsafe.Sizeof(*new(T)))
	l.mustBeHere()
	hi, lo := skip.Counter(ctr).Uint64s()
	fill(l, k, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), join(key[0], key[1]), hi, lo, args)
}

// FillPointer is Fill for the n elements at dst, from block hi*2^64 + lo on, for a
// caller that vouches for the memory. It takes numbers, since arrays would travel
// through memory.
func FillPointer(k Kind, dst unsafe.Pointer, n int, key, hi, lo uint64, args Args) {
	fill(active, k, dst, n, key, hi, lo, args)
}

// fill is FillPointer by the implementation l.
func fill(l Level, k Kind, dst unsafe.Pointer, n int, key, hi, lo uint64, args Args) {
	switch {
	case n == 0:
	case k.truncated():
		truncated(l, k, dst, n, key, hi, lo, args)
	case k >= Range32:
		draw(l, k, dst, n, key, hi, lo, args)
	case l == Generic || n <= scalarBlocks<<logPerBlock[k] && !k.twoPasses():
		portable(k, dst, n, key, hi, lo, args)
	case k.twoPasses():
		vectorPasses(l, k, dst, n*k.Size(), key, hi, lo, args)
	default:
		vectorWords(l, k, dst, n*k.Size(), key, hi, lo)
	}
}

// twoPasses reports whether words are written first and turned into numbers where
// they lie.
func (k Kind) twoPasses() bool {
	switch k {
	case Normal32, Normal64, Exponential32, Exponential64:
		return true
	}
	return false
}

// truncated reports whether elements are proposed until one is accepted.
func (k Kind) truncated() bool { return k == Truncated32 || k == Truncated64 }

// Transform turns words into numbers of kind k where they lie, by the
// implementation l: what a fill does with its words. In memory a pair of words
// takes the place of the pair of numbers; an odd one at the end stays. It panics
// if the element's size is not the kind's, if the kind is not made of words in
// place (normals and exponentials are), or if this machine does not have l.
func Transform[T Element](l Level, k Kind, words []T, args Args) {
	k.mustFit(unsafe.Sizeof(*new(T)))
	if !k.twoPasses() {
		panic(fmt.Sprintf("asm: kind = %v: not made of words in place", k))
	}
	l.mustBeHere()
	p, n := unsafe.Pointer(unsafe.SliceData(words)), len(words)&^1
	switch {
	case n == 0:
	case l == Generic || args.twiceTooLarge(k):
		portableTransform(k, p, n, args)
	default:
		vectorTransform(l, k, p, n*k.Size(), args)
	}
}

func (k Kind) mustFit(size uintptr) {
	if k >= kinds || int(size) != k.Size() {
		panic(fmt.Sprintf("asm: kind = %v: does not fit elements of %d bytes", k, size))
	}
}

func (l Level) mustBeHere() {
	if l > best {
		panic(fmt.Sprintf("asm: level = %v: this machine has %v at the most", l, best))
	}
}

// scalarBlocks is the length in blocks up to which the portable code is faster
// than setting up a kernel (measured on Zen 5).
const scalarBlocks = 4
