package check

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unsafe"

	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

// Around every fill lies memory that must stay as it is: more than the longest
// loop of a kernel writes at a time, so that a pass too many ends inside it.
const (
	canary     = 0xa5
	fenceBytes = 2 << 10
	lineBytes  = 64 // offsets are counted from the start of a cache line
)

// quiet is canaries, as many as stand before a fill at the most.
var quiet = bytes.Repeat([]byte{canary}, 2*fenceBytes)

// An arena is memory for one fill at a time; it begins with a cache line.
type arena []byte

// room returns a slice of n bytes that begins offset bytes into a cache line,
// full of canaries as all that is around it.
func (a *arena) room(offset, n int) []byte {
	from := fenceBytes + offset
	total := from + n + fenceBytes
	if len(*a) < total {
		mem := make([]byte, total+lineBytes)
		into := int(uintptr(unsafe.Pointer(unsafe.SliceData(mem))) % lineBytes)
		*a = mem[(lineBytes-into)%lineBytes:]
	}
	for rest := (*a)[:total]; len(rest) > 0; {
		rest = rest[copy(rest, quiet):]
	}
	return (*a)[from : from+n : from+n]
}

// outside returns what was written around the n bytes at offset, if anything was.
func (a arena) outside(offset, n int) string {
	from := fenceBytes + offset
	return written(a[:from], a[from+n:from+n+fenceBytes])
}

// written returns what was written into the memory before a fill, or that after it, if
// anything was.
func written(before, after []byte) string {
	if !bytes.Equal(before, quiet[:len(before)]) {
		for i := range before {
			if b := before[len(before)-1-i]; b != canary {
				return fmt.Sprintf("%d bytes before the first element 0x%02x was written", i+1, b)
			}
		}
	}
	if !bytes.Equal(after, quiet[:len(after)]) {
		for i, b := range after {
			if b != canary {
				return fmt.Sprintf("%d bytes after the last element 0x%02x was written", i, b)
			}
		}
	}
	return ""
}

// difference returns where got is not what it must be, if it is not, in elements.
func difference(size int, got, want []byte) string {
	if bytes.Equal(got, want) {
		return ""
	}
	for i := 0; i < len(want); i += size {
		if g, w := got[i:i+size], want[i:i+size]; !bytes.Equal(g, w) {
			return fmt.Sprintf("element %d is %s, must be %s", i/size, hexElement(g), hexElement(w))
		}
	}
	return fmt.Sprintf("%d bytes, must be %d", len(got), len(want))
}

// hexElement writes the bits of an element as a number.
func hexElement(b []byte) string {
	switch len(b) {
	case 2:
		return fmt.Sprintf("0x%04x", binary.NativeEndian.Uint16(b))
	case 4:
		return fmt.Sprintf("0x%08x", binary.NativeEndian.Uint32(b))
	case 8:
		return fmt.Sprintf("0x%016x", binary.NativeEndian.Uint64(b))
	}
	return fmt.Sprintf("0x%02x", b)
}

// A place is where a fill begins.
type place struct {
	key   philox.Key
	ctr   philox.Counter
	first uint64
	of    string // the kind, where the row does not say it
}

func (p place) String() string {
	s := fmt.Sprintf("key %08x, counter %08x", p.key, p.ctr)
	if p.of != "" {
		s = p.of + ", " + s
	}
	if p.first > 0 {
		s += fmt.Sprintf(", first %d", p.first)
	}
	return s
}

// fill is the case that fills n elements, want's, at an offset of so many
// elements into a cache line.
func (t *tally) fill(k asm.Kind, at place, offset int, want []byte, fill func(dst []byte)) {
	t.fillSized(k.Size(), at, offset, want, fill)
}

// fillSized is fill for elements of a size in bytes.
func (t *tally) fillSized(size int, at place, offset int, want []byte, fill func(dst []byte)) {
	offset *= size
	describe := func() string {
		return fmt.Sprintf("%v, n %d, at byte %d of a cache line", at, len(want)/size, offset)
	}
	t.attempt(describe, func() string {
		dst := t.mem.room(offset, len(want))
		fill(dst)
		if wrong := difference(size, dst, want); wrong != "" {
			return wrong
		}
		return t.mem.outside(offset, len(want))
	})
}
