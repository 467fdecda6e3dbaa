package asm

import (
	"sync"

	"github.com/philox-go/rng/internal/layout"
)

const (
	// passBytes bounds the words that become numbers in a second pass to 15 KiB, so
	// that they are still in the first cache: a whole number of passes of every
	// kernel's main loop.
	passBytes = 120 * layout.GroupBytes
	// batchBytes holds the words of listed elements that are made in one call.
	batchBytes = 4 << 10
)

// scratch is the memory of fills that need some, whose clearing would take a while in
// every one. It has no pointer to what is filled, which may move with the stack.
var scratch = sync.Pool{New: func() any { return new(memory) }}

type memory struct {
	list  layout.List
	batch [batchBytes / 8]uint64
	words [passBytes / 8]uint64
	// table is that of a layout.Conversion with the arguments tabled, which are the zero
	// Args until there is one.
	table  [128]uint16
	tabled Args
}
