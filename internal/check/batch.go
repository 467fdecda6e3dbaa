package check

import (
	"bytes"
	"fmt"

	"github.com/philox-go/rng/cuda"
	"github.com/philox-go/rng/philox"
)

const (
	batchBytes = 4 << 20
	// Parts begin so many bytes into a slot of a device's memory, whose own allocations
	// are as aligned.
	slotBytes = 256
	// partFence is the least that lies before and behind a part and must stay as it is. A launch that
	// writes further is found too, in the parts and fences there.
	partFence = 64
)

// A batch is cases that have some memory of a device in common, so that it is copied once
// for many of them.
type batch struct {
	Device
	t         *tally
	mem       cuda.Buffer[byte]
	state     *cuda.State
	got, want []byte // the memory, and what must be in it
	used      int
	queued    []queuedPart
}

// A part is a piece of memory that a case writes, whose elements have a size in bytes.
type part struct {
	size, offset int // the offset is in elements, from a multiple of slotBytes on
	want         []byte
	describe     func() string
}

type queuedPart struct {
	part
	from  int
	wrong string // what went wrong before anything was written
}

func (p queuedPart) to() int { return p.from + len(p.want) }

// cell is a cell whose cases are queued in a batch.
func (d Device) cell(queue func(*batch)) func(*tally) {
	return func(t *tally) {
		b, err := d.newBatch(t)
		if err != nil {
			t.attempt(func() string { return "memory of the device" }, err.Error)
			return
		}
		defer b.free()
		queue(b)
		b.flush()
	}
}

func (d Device) newBatch(t *tally) (*batch, error) {
	b := &batch{Device: d, t: t, got: make([]byte, batchBytes), want: make([]byte, batchBytes)}
	var err error
	if b.mem, err = cuda.Alloc[byte](d.Device, batchBytes); err != nil {
		return nil, err
	}
	if b.state, err = cuda.NewState(d.Device, philox.New(0)); err != nil {
		b.mem.Free()
		return nil, err
	}
	if err := b.clear(batchBytes); err != nil {
		b.free()
		return nil, err
	}
	return b, nil
}

// free gives the memory back. That this fails too, of a device that has failed, is no news.
func (b *batch) free() {
	b.state.Free()
	b.mem.Free()
}

// clear makes the first n bytes canaries.
func (b *batch) clear(n int) error {
	for rest := b.want[:n]; len(rest) > 0; {
		rest = rest[copy(rest, quiet):]
	}
	b.used = 0
	return b.mem.Slice(0, n).SetBytes(canary)
}

// add is the case, or the cases, of some parts. queue is called with their addresses.
func (b *batch) add(queue func(at []uintptr) error, parts ...part) {
	if b.t.ctx.Err() != nil {
		return
	}
	if b.end(parts) > batchBytes {
		b.flush()
	}
	var at []uintptr
	first := len(b.queued)
	for _, p := range parts {
		from := b.slot() + p.offset*p.size
		b.used = from + copy(b.want[from:], p.want)
		b.queued = append(b.queued, queuedPart{part: p, from: from})
		at = append(at, b.mem.Pointer()+uintptr(from))
	}
	wrong := protect(func() string { return text(queue(at)) })
	for i := range b.queued[first:] {
		b.queued[first+i].wrong = wrong
	}
}

func text(err error) string {
	if err != nil {
		return err.Error()
	}
	return ""
}

// slot is where the next slot begins.
func (b *batch) slot() int { return (b.used + partFence + slotBytes - 1) / slotBytes * slotBytes }

// end is where memory ends that has room for some more parts.
func (b *batch) end(parts []part) int {
	end := b.used + partFence
	for _, p := range parts {
		end += slotBytes + partFence + p.offset*p.size + len(p.want)
	}
	return end
}

// flush compares all that was queued, and makes the memory free again.
func (b *batch) flush() {
	if len(b.queued) == 0 {
		return
	}
	end := b.used + partFence
	got, want := b.got[:end], b.want[:end]
	err := b.mem.Slice(0, end).CopyTo(got)
	if b.Copied != nil {
		b.Copied(got)
	}
	right := err == nil && bytes.Equal(got, want)
	for i, p := range b.queued {
		b.t.attempt(p.describe, func() string {
			switch {
			case p.wrong != "":
				return p.wrong
			case err != nil:
				return err.Error()
			case right:
				return ""
			}
			if wrong := difference(p.size, got[p.from:p.to()], p.want); wrong != "" {
				return wrong
			}
			// Between two parts it is not known whose writing it was: the nearer one's.
			before, after := 0, end
			if i > 0 {
				before = (b.queued[i-1].to() + p.from) / 2
			}
			if i+1 < len(b.queued) {
				after = (p.to() + b.queued[i+1].from) / 2
			}
			return written(got[before:p.from], got[p.to():after])
		})
	}
	b.queued = b.queued[:0]
	if err := b.clear(end); err != nil {
		b.t.attempt(func() string { return "memory of the device" }, err.Error)
	}
}

// moved is the case of a state that must be at a stream once what was queued has run.
func (b *batch) moved(describe func() string, want philox.Stream) {
	b.t.attempt(describe, func() string {
		got, err := b.state.Get(b.mem.Stream())
		switch {
		case err != nil:
			return err.Error()
		case got.Key() != want.Key() || got.Counter() != want.Counter():
			return fmt.Sprintf("the state is at key %08x, counter %08x, must be at %08x, %08x", got.Key(), got.Counter(), want.Key(), want.Counter())
		}
		return ""
	})
}
