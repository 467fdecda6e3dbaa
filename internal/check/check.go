// Package check finds out whether the numbers are right on the machine that it
// runs on: known answers, every kernel against a reference that shares nothing
// with them, and the arithmetic of the counter. It is the inside of "philox check".
package check

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/philox-go/rng/internal/known"
	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/normal"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

// A Library is what is checked. Tests plant faults in one.
type Library struct {
	// Levels are the levels whose kernels Fill can run.
	Levels []asm.Level
	// Blocks holds the block functions by the names that known answers have.
	Blocks map[string]known.BlockFunc
	// Fill fills dst, which is the memory of whole elements, by one level's code.
	Fill func(l asm.Level, k asm.Kind, dst []byte, key philox.Key, ctr philox.Counter)
	// Transform turns words in dst, the memory of whole elements, into numbers where
	// they lie, by one level's code.
	Transform func(l asm.Level, k asm.Kind, dst []byte, args asm.Args)
	// Draw fills dst by one level's code, of a kind that takes arguments.
	Draw func(l asm.Level, k asm.Kind, dst []byte, key philox.Key, ctr philox.Counter, args asm.Args)
	// Halves fills dst with numbers in 16 bits, made of a kind's.
	Halves func(l asm.Level, k asm.Kind, h asm.Half, dst []byte, key philox.Key, ctr philox.Counter, args asm.Args)
	// Bits fills dst, a multiple of 4 bytes, with a bit for each word.
	Bits func(l asm.Level, dst []byte, key philox.Key, ctr philox.Counter, threshold uint64, flip bool)
	// Moves holds what makes and moves counters, keys and streams, by the names of
	// the functions.
	Moves map[string]Move
	// Stream fills dst with the elements first, first+1, ... of s.
	Stream func(s philox.Stream, k asm.Kind, dst []byte, first uint64)
	// Start fills dst with the elements of s from its first one on.
	Start func(s philox.Stream, k asm.Kind, dst []byte)
	// Scaled fills dst with the elements first, first+1, ... of s, of a kind that takes
	// a mean and a standard deviation.
	Scaled func(s philox.Stream, k asm.Kind, dst []byte, first uint64, mean, std float64) error
	// Truncated fills dst with the elements first, first+1, ... of s, of a truncated
	// kind.
	Truncated func(s philox.Stream, k asm.Kind, dst []byte, first uint64, args asm.Args) error
	// Source is the source of s.
	Source func(s philox.Stream) Source
	// NewSource is the source of a seed.
	NewSource func(seed uint64) Source
}

// A Source is what is checked of a [philox.Source].
type Source interface {
	Uint64() uint64
	Uint32() uint32
	Float64() float64
	Float32() float32
	Read(p []byte) (int, error)
	Skip(n uint64)
	Seed(seed uint64)
	Position() (block philox.Counter, unit int)
	MarshalBinary() ([]byte, error)
	UnmarshalBinary(b []byte) error
}

// This returns the library that the program is built with.
func This() Library {
	return Library{
		Levels: asm.Levels(),
		Blocks: map[string]known.BlockFunc{
			"philox2x32 7":  known.Of2x32(philox.Block2x32R7),
			"philox2x32 10": known.Of2x32(philox.Block2x32),
			"philox4x32 7":  known.Of4x32(philox.Block4x32R7),
			"philox4x32 10": known.Of4x32(philox.Block),
			"philox2x64 7":  known.Of2x64(philox.Block2x64R7),
			"philox2x64 10": known.Of2x64(philox.Block2x64),
			"philox4x64 7":  known.Of4x64(philox.Block4x64R7),
			"philox4x64 10": known.Of4x64(philox.Block4x64),
		},
		Fill:      fillLevel,
		Transform: transformLevel,
		Draw:      drawLevel,
		Halves:    halvesLevel,
		Bits:      bitsLevel,
		Moves:     moves(),
		Stream:    fillStream,
		Start:     fillStart,
		Scaled:    fillScaled,
		Truncated: fillTruncated,
		Source:    func(s philox.Stream) Source { return s.Source() },
		NewSource: func(seed uint64) Source { return philox.NewSource(seed) },
	}
}

func fillLevel(l asm.Level, k asm.Kind, dst []byte, key philox.Key, ctr philox.Counter) {
	switch k.Size() {
	case 1:
		asm.FillLevel(l, k, dst, key, ctr)
	case 4:
		asm.FillLevel(l, k, view.Of[uint32](dst), key, ctr)
	case 8:
		asm.FillLevel(l, k, view.Of[uint64](dst), key, ctr)
	}
}

func transformLevel(l asm.Level, k asm.Kind, dst []byte, args asm.Args) {
	if k.Size() == 4 {
		asm.Transform(l, k, view.Of[uint32](dst), args)
	} else {
		asm.Transform(l, k, view.Of[uint64](dst), args)
	}
}

func fillStream(s philox.Stream, k asm.Kind, dst []byte, first uint64) {
	switch k {
	case asm.Uint32:
		s.FillUint32At(view.Of[uint32](dst), first)
	case asm.Uint64:
		s.FillUint64At(view.Of[uint64](dst), first)
	case asm.Bytes:
		s.FillBytesAt(dst, first)
	case asm.Float32:
		s.FillFloat32At(view.Of[float32](dst), first)
	case asm.OpenFloat32:
		s.FillOpenFloat32At(view.Of[float32](dst), first)
	case asm.Float64:
		s.FillFloat64At(view.Of[float64](dst), first)
	case asm.Normal32:
		normal.FillFloat32At(s, view.Of[float32](dst), first)
	case asm.Normal64:
		normal.FillFloat64At(s, view.Of[float64](dst), first)
	case asm.Truncated32, asm.Truncated64:
		fillTwoSigma(s, k, dst, first)
	}
}

func fillScaled(s philox.Stream, k asm.Kind, dst []byte, first uint64, mean, std float64) error {
	if k.Size() == 4 {
		return normal.FillScaledFloat32At(s, view.Of[float32](dst), first, float32(mean), float32(std))
	}
	return normal.FillScaledFloat64At(s, view.Of[float64](dst), first, mean, std)
}

func fillStart(s philox.Stream, k asm.Kind, dst []byte) {
	switch k {
	case asm.Uint32:
		s.FillUint32(view.Of[uint32](dst))
	case asm.Uint64:
		s.FillUint64(view.Of[uint64](dst))
	case asm.Bytes:
		s.FillBytes(dst)
	case asm.Float32:
		s.FillFloat32(view.Of[float32](dst))
	case asm.OpenFloat32:
		s.FillOpenFloat32(view.Of[float32](dst))
	case asm.Float64:
		s.FillFloat64(view.Of[float64](dst))
	case asm.Normal32:
		normal.FillFloat32(s, view.Of[float32](dst))
	case asm.Normal64:
		normal.FillFloat64(s, view.Of[float64](dst))
	case asm.Truncated32, asm.Truncated64:
		startTwoSigma(s, k, dst)
	}
}

// Columns are the headings of the cells of a row.
var Columns = [...]string{"known answers", "reference", "carries"}

// A Row is one part of the library: a level's kernel for one kind, or what is
// built upon the kernels.
type Row struct {
	// Name is the level and the kind, or draws, or else blocks, stream or source.
	Name  string
	cells [len(Columns)]func(*tally)
}

// Rows returns the rows of the table, in order.
func (lib Library) Rows() []Row {
	rows := []Row{lib.blocksRow()}
	for _, l := range lib.Levels {
		for _, k := range asm.Kinds() {
			rows = append(rows, kernelCheck{lib: lib, level: l, kind: k}.row())
		}
		rows = append(rows, lib.drawsRow(l))
	}
	return append(rows, lib.streamRow(), lib.sourceRow())
}

// A Cell is the result of one column of a row.
type Cell struct {
	Cases, Failed int
	// Case is the first case that failed, and Wrong what was wrong with it.
	Case, Wrong string
}

// Check runs the cases of one column, if there are any. Its only error is that of ctx.
func (r Row) Check(ctx context.Context, column int) (Cell, error) {
	t := &tally{ctx: ctx}
	if run := r.cells[column]; run != nil && ctx.Err() == nil {
		run(t)
	}
	return t.Cell, ctx.Err()
}

// A tally counts the cases of a cell.
type tally struct {
	Cell
	ctx context.Context
	mem arena
}

// attempt runs one case, which returns what is wrong, or nothing. Once the check
// is to stop, no case is run any more, so that the loops around them end by
// themselves.
func (t *tally) attempt(describe func() string, run func() string) {
	if t.ctx.Err() != nil {
		return
	}
	t.Cases++
	if wrong := protect(run); wrong != "" {
		if t.Failed == 0 {
			t.Case, t.Wrong = describe(), wrong
		}
		t.Failed++
	}
}

// protect makes a panic, and a memory fault where Go can tell of one, an answer
// as any other: one bad kernel must not keep the rest from being checked.
func protect(run func() string) (wrong string) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			wrong = fmt.Sprintf("panic: %v", p)
		}
	}()
	return run()
}
