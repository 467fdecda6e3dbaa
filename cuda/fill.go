package cuda

import (
	"errors"
	"unsafe"

	"github.com/philox-go/rng/philox"
)

// errNoDist is the error of the zero Dist, which can only be a mistake.
var errNoDist = errors.New("cuda: dist = Dist{}: must be made by one of the functions that return a Dist")

// maxBlocks is how many blocks a launch has at most, so that the kernels' sums of their numbers, and of
// those of units, fit into 32 bits: a multiple of the blocks of every unit.
const maxBlocks = 1 << 30

// A piece is what one launch writes of a fill.
type piece struct {
	block  uint64 // its first one, of the fill's
	blocks uint64
	params fillParams // without start and state
}

// A cut divides fills into launches.
type cut struct {
	dst      uint64 // the address of what would be the first block's first element
	skip     uint64 // elements of that block that are not wanted
	end      uint64 // elements from there to the last one's end
	perBlock uint64 // elements in a block
	size     uint64 // of an element
	unit     uint64 // the bytes of a unit
	across   bool   // whether whole units may be written to any address, by a kernel for that
	most     uint64 // blocks of a piece
}

// blocks is how many there are in all.
func (c *cut) blocks() uint64 { return (c.end + c.perBlock - 1) / c.perBlock }

// piece returns the one that begins at a block, where the counter's first word is c0. It ends
// where c0 wraps; and early, if a later piece can then write whole units.
func (c *cut) piece(block uint64, c0 uint32) piece {
	var (
		blockBytes = c.perBlock * c.size
		perUnit    = c.unit / blockBytes // blocks
		align      = min(c.unit, 16)
		dst        = c.dst + block*blockBytes
		blocks     = min(c.blocks()-block, c.most, 1<<32-uint64(c0))
	)
	for ahead := uint64(1); dst%align != 0 && ahead < perUnit; ahead++ {
		if (dst+ahead*blockBytes)%align == 0 {
			blocks = min(blocks, ahead)
		}
	}
	var (
		elements = min(c.end-block*c.perBlock, blocks*c.perBlock)
		perWhole = perUnit * c.perBlock
		units    = (blocks + perUnit - 1) / perUnit
		p        = fillParams{dst: dst, units: uint32(units), end: uint32(elements - (units-1)*perWhole)}
	)
	if block == 0 {
		p.begin = uint32(c.skip)
	}
	if dst%align != 0 && c.across {
		p.ahead = uint32(16 - dst%16)
	}
	if dst%align == 0 || p.ahead != 0 {
		first, last := uint64(0), units
		if p.begin > 0 {
			first++
		}
		if uint64(p.end) < perWhole {
			last--
		}
		if first < last {
			p.whole, p.wholes = uint32(first), uint32(last-first)
		}
	}
	return piece{block, blocks, p}
}

// grid is how many thread blocks write units, at most limit where that is not 0.
func (k *kernel) grid(units, limit uint32) uint32 {
	each := uint64(k.times) * threads
	grid := uint32((uint64(units) + each - 1) / each)
	if limit != 0 {
		return min(grid, limit)
	}
	return grid
}

// kernel returns the function of a kernel.
func (d *Device) kernel(k *kernel) (function, error) { return d.function(k.image, k.name) }

// A queue is what a fill needs of a device, found before anything is taken or queued for it.
type queue struct {
	target
	plan
	perBlock       uint64
	eager, across  *kernel // the latter nil, if the stage has none
	first, shifted function
}

// queue returns that of a fill of the target. It and what it returns are for the time that the target
// is held, by use.
func (t target) queue(p plan, perBlock uint64) (*queue, error) {
	q := &queue{target: t, plan: p, perBlock: perBlock, eager: find(p.stage), across: kernels()[p.stage+"_across"]}
	var err error
	if q.first, err = t.dev.kernel(q.eager); err != nil {
		return nil, err
	}
	if q.across != nil && t.pointer%16 != 0 {
		q.shifted, err = t.dev.kernel(q.across)
	}
	return q, err
}

// fill queues that the target becomes the elements first, first+1, ... of s.
func (q *queue) fill(s philox.Stream, first uint64) error {
	if q.n == 0 {
		return nil
	}
	c := q.cut(q.eager, q.perBlock, first%q.perBlock)
	c.across = q.shifted != 0
	from := s.Skip(first / q.perBlock)
	for block := uint64(0); block < c.blocks(); {
		hi, lo := from.Skip(block).Counter().Uint64s()
		piece := c.piece(block, uint32(lo))
		piece.params.start = startAt(s.Key().Seed(), hi, lo)
		k, f := q.eager, q.first
		if piece.params.ahead != 0 {
			k, f = q.across, q.shifted
		}
		if err := q.launch(f, k, &piece.params, &q.args); err != nil {
			return err
		}
		block += piece.blocks
	}
	return nil
}

// cut returns that of a fill that begins at an element of a block.
func (t target) cut(k *kernel, perBlock, skip uint64) *cut {
	size := uint64(t.size)
	return &cut{dst: uint64(t.pointer) - skip*size, skip: skip, end: skip + uint64(t.n), perBlock: perBlock, size: size, unit: k.unit, most: t.dev.maxBlocks}
}

// launch queues one launch of a kernel.
func (t target) launch(f function, k *kernel, params *fillParams, args *kernelArgs) error {
	return t.dev.launch(f, k.grid(params.units, t.grid), threads, t.stream.handle, unsafe.Pointer(params), unsafe.Pointer(args))
}

// fillFrom queues that the target becomes the next elements of a state. It is called while both are
// held.
func (t target) fillFrom(p plan, perBlock uint64, s *State) error {
	if t.n == 0 {
		return nil
	}
	k := find(p.stage + "_state")
	f, err := t.dev.kernel(k)
	if err != nil {
		return err
	}
	prepare, err := s.preparation()
	if err != nil {
		return err
	}
	c := t.cut(k, perBlock, 0)
	for block := uint64(0); block < c.blocks(); {
		piece := c.piece(block, 0) // where c0 wraps, the device finds
		if err := prepare(t.stream.handle, &piece.params, piece.blocks); err != nil {
			return err
		}
		if err := t.launch(f, k, &piece.params, &p.args); err != nil {
			return err
		}
		block += piece.blocks
	}
	return nil
}
