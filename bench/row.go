package bench

import (
	"unsafe"

	"github.com/philox-go/rng/internal/measure"
	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/philox/asm"
)

// A Row is one way to fill memory with random numbers.
type Row struct {
	Name string
	// Run fills mem in the calling goroutine, times times. The repetition is its
	// own, so that what a call of it costs does not count.
	Run Filler
	// All does so on all cores; nil where the library has no way to.
	All Filler
	// Part is how many bytes of every 64 are filled, from the start on, where that is
	// not all: fills are measured by their words, and elements may be smaller.
	Part int
	// Few says that elements have so few values that equal 64 bytes are no wonder.
	Few bool
}

// A Filler fills mem, whose length is a multiple of 64 and which is aligned as
// Memory's is, times times.
type Filler func(mem []byte, times int)

// Sizes of memory that are measured: far inside the nearest cache; in it, where
// the engine is fastest (a whole number of passes of its longest main loop); in
// the next cache; in none.
var Sizes = []int{4 << 10, CacheSize, 256 << 10, LargeSize}

const (
	// CacheSize is the size at which libraries are compared.
	CacheSize = 30 << 10
	// LargeSize is the largest of Sizes.
	LargeSize = 64 << 20
)

// Rows returns everything that this build can measure on this machine. Generators
// that have a state start anew in each call of Rows.
func Rows() []Row { return rows(asm.Levels(), random123Rows()) }

// RowNames returns the names that Rows gives on a machine with every vector level
// in a build with Random123, whose compiler's name is left out.
func RowNames() []string {
	var names []string
	for _, r := range rows([]asm.Level{asm.Generic, asm.AVX2, asm.AVX512}, []Row{{Name: Random123}}) {
		names = append(names, r.Name)
	}
	return names
}

func rows(levels []asm.Level, random123 []Row) []Row {
	var all []Row
	for _, part := range [][]Row{fillRows(), drawRows(), random123, standardRows(), otherRows(), sourceRows(), levelRows(levels)} {
		all = append(all, part...)
	}
	return all
}

// Reference is the row that others are compared with.
const Reference = "FillUint32"

// Random123 is what the name of Random123's row begins with; the compiler's
// follows.
const Random123 = "Random123 in C"

// Contender returns the timing of f into mem.
func (f Filler) Contender(name string, mem []byte) measure.Contender {
	return measure.Contender{Name: name, Bytes: len(mem), Run: func(times int) { f(mem, times) }}
}

// Memory returns n bytes that were written once, because the first touch of a page
// costs more than filling it. They begin at a multiple of 64.
func Memory(n int) []byte {
	words := make([]uint64, n/8+16)
	for i := range words {
		words[i] = 1
	}
	at := -uintptr(unsafe.Pointer(&words[0])) % 64
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(&words[0]), at)), n)
}

// number is what rows write.
type number interface {
	byte | uint32 | uint64 | float32 | float64
}

// repeat makes a Filler of a function that fills a slice once. Where that is a loop
// over a generator, the loop must be in the function and name the generator's own
// type: through an interface or a type parameter no call would inline.
func repeat[T number](fill func([]T)) Filler {
	return func(mem []byte, times int) {
		dst := view.Of[T](mem)
		for range times {
			fill(dst)
		}
	}
}
