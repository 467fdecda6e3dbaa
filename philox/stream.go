package philox

import (
	"fmt"
	"unsafe"

	"github.com/philox-go/rng/internal/fill"
	"github.com/philox-go/rng/philox/asm"
)

// A Stream is a place in the numbers of one key: element i of a fill is a pure
// function of (key, start counter, i). It is a value: fills do not advance it,
// and the methods that move it return a new one. The zero value is New(0). A
// Stream may be copied and used from many goroutines at once.
//
// A fill of n elements and a fill of m > n elements from the same place agree on
// the first n, and filling [a,b) and [b,c) with the At forms equals filling
// [a,c). Past the last counter a fill goes on at counter 0.
//
// Fills of about 0.1 ms and more (with AVX-512, 2 MiB) are shared among
// GOMAXPROCS goroutines; see [Stream.WithMaxGoroutines]. Memory on the caller's stack (a large array that is
// a parameter or a result) is filled by the caller alone, and so is all memory
// where the stack cannot be told from the heap: with the build tag purego, on
// 32-bit systems and wasm. The numbers do not depend on any of this. Fills do not
// allocate and cannot fail.
type Stream struct {
	key   Key
	start Counter
	max   int // goroutines for one fill; 0 means GOMAXPROCS
}

// New returns the stream of a seed, at block 0. A negative seed is its two's
// complement: New(uint64(seed)).
func New(seed uint64) Stream {
	return Stream{key: NewKey(seed)}
}

// NewAt returns the stream of a key whose first block is start.
func NewAt(key Key, start Counter) Stream {
	return Stream{key: key, start: start}
}

// Key returns the stream's key.
func (s Stream) Key() Key { return s.key }

// Counter returns the counter of the stream's first block.
func (s Stream) Counter() Counter { return s.start }

// Skip returns the stream that starts n blocks ahead. A block is 16 bytes: 4
// uint32 or float32, 2 uint64 or float64.
func (s Stream) Skip(n uint64) Stream {
	s.start = s.start.Skip(n)
	return s
}

// Skip128 returns the stream that starts hi*2^64 + lo blocks ahead, mod 2^128.
func (s Stream) Skip128(hi, lo uint64) Stream {
	s.start = s.start.Skip128(hi, lo)
	return s
}

// Back returns the stream that starts n blocks before this one.
func (s Stream) Back(n uint64) Stream {
	s.start = s.start.Back(n)
	return s
}

// Back128 returns the stream that starts hi*2^64 + lo blocks before this one, mod
// 2^128.
func (s Stream) Back128(hi, lo uint64) Stream {
	s.start = s.start.Back128(hi, lo)
	return s
}

// Substream returns stream id of the same key, at its block 0: it sets counter
// words 2 and 3 to id and words 0 and 1 to zero. The id is absolute, wherever s
// stands: s.Substream(1).Substream(2) is s.Substream(2), and Substream(0) is the
// start of the stream that New gives. Streams of one key do not overlap within
// 2^64 blocks.
func (s Stream) Substream(id uint64) Stream {
	s.start = CounterAt(id, 0)
	return s
}

// WithMaxGoroutines returns the stream with a limit for each of its fills: at
// most n goroutines, the caller's included, so that 1 means the caller's alone.
// 0, the default, means GOMAXPROCS. The numbers are the same for any n. It
// panics if n is negative.
func (s Stream) WithMaxGoroutines(n int) Stream {
	if n < 0 {
		panic(fmt.Sprintf("philox: WithMaxGoroutines: n = %d: must not be negative", n))
	}
	s.max = n
	return s
}

// MaxGoroutines returns the limit that WithMaxGoroutines set: 0, the default, means
// GOMAXPROCS.
func (s Stream) MaxGoroutines() int { return s.max }

// FillUint32 fills dst with words: element i is lane i%4 of block i/4.
func (s Stream) FillUint32(dst []uint32) {
	s.fill(asm.Uint32, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), 0)
}

// FillUint32At fills dst as FillUint32 would fill a slice from element first on.
func (s Stream) FillUint32At(dst []uint32, first uint64) {
	s.fill(asm.Uint32, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), first)
}

// FillUint64 fills dst with 64-bit numbers: element i has word 2i in its low half
// and word 2i+1 in its high half.
func (s Stream) FillUint64(dst []uint64) {
	s.fill(asm.Uint64, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), 0)
}

// FillUint64At fills dst as FillUint64 would fill a slice from element first on.
func (s Stream) FillUint64At(dst []uint64, first uint64) {
	s.fill(asm.Uint64, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), first)
}

// FillBytes fills dst with the words as little-endian bytes, on every machine.
func (s Stream) FillBytes(dst []byte) {
	s.fill(asm.Bytes, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), 0)
}

// FillBytesAt fills dst as FillBytes would fill a slice from byte first on.
func (s Stream) FillBytesAt(dst []byte, first uint64) {
	s.fill(asm.Bytes, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), first)
}

// FillFloat32 fills dst with uniforms in [0,1), one word each, by mantissa
// stuffing: the low 23 bits of word i times 2^-23. There are 2^23 values.
func (s Stream) FillFloat32(dst []float32) {
	s.fill(asm.Float32, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), 0)
}

// FillFloat32At fills dst as FillFloat32 would fill a slice from element first
// on.
func (s Stream) FillFloat32At(dst []float32, first uint64) {
	s.fill(asm.Float32, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), first)
}

// FillOpenFloat32 fills dst with uniforms in (0,1), one word each, by division by
// 2^32: word i, rounded to float32, plus one half, times 2^-32, rounded, and at
// most 1-2^-24. The smallest value is 2^-33; neither 0 nor 1 occurs.
func (s Stream) FillOpenFloat32(dst []float32) {
	s.fill(asm.OpenFloat32, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), 0)
}

// FillOpenFloat32At fills dst as FillOpenFloat32 would fill a slice from element
// first on.
func (s Stream) FillOpenFloat32At(dst []float32, first uint64) {
	s.fill(asm.OpenFloat32, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), first)
}

// FillFloat64 fills dst with uniforms in [0,1), two words each, by mantissa
// stuffing: the low 52 bits of the 64-bit number i of FillUint64 times 2^-52.
func (s Stream) FillFloat64(dst []float64) {
	s.fill(asm.Float64, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), 0)
}

// FillFloat64At fills dst as FillFloat64 would fill a slice from element first
// on.
func (s Stream) FillFloat64At(dst []float64, first uint64) {
	s.fill(asm.Float64, unsafe.Pointer(unsafe.SliceData(dst)), len(dst), first)
}

// fill writes the n elements first, first+1, ... of kind k at dst.
//
// It takes a pointer because the compiler, where it inlines a call of a generic
// function into another package, does not know that the slice does not escape,
// and would put every array that is filled on the heap.
func (s Stream) fill(k asm.Kind, dst unsafe.Pointer, n int, first uint64) {
	hi, lo := s.start.Uint64s()
	fill.Fill(k, dst, n, first, s.key.Seed(), hi, lo, s.max, asm.Standard())
}
