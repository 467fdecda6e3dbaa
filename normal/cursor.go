package normal

import (
	"math/bits"

	"github.com/philox-go/rng/internal/state"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/skip"
)

// buffered is the number of normals that a source makes at a time. It is the number
// of values of a uint8, which so needs no bounds check as an index and keeps a draw
// simple enough to inline.
const buffered = 256

// A cursor is where a source stands, but for the place in its buffer.
type cursor struct {
	key  philox.Key
	next philox.Counter // block after the buffer
}

// left returns how many numbers in the buffer are yet to be taken, where pos is the
// next one, and 0 where none is left.
func left(pos uint8) uint64 { return uint64(-pos) }

// position returns the block of the next number and its place there. A block makes
// 1<<log numbers.
func (c *cursor) position(pos uint8, log uint) (philox.Counter, uint8) {
	perBlock := uint64(1) << log
	return c.next.Back((left(pos) + perBlock - 1) >> log), pos & uint8(perBlock-1)
}

// ahead returns the block, and the place there, n numbers past the next one.
func (c *cursor) ahead(pos uint8, n uint64, log uint) (philox.Counter, uint8) {
	block, place := c.position(pos, log)
	// The sum of place and n may be 2^64.
	n, carry := bits.Add64(n, uint64(place), 0)
	return block.Skip(n>>log | carry<<(64-log)), uint8(n & (1<<log - 1))
}

// append appends the state to b.
func (c *cursor) append(b []byte, pos uint8, format *state.Format, log uint) []byte {
	block, place := c.position(pos, log)
	hi, lo := block.Uint64s()
	return format.Append(b, state.State{Seed: c.key.Seed(), Hi: hi, Lo: lo, Place: place})
}

// parse returns what append wrote.
func parse(b []byte, format *state.Format) (philox.Key, philox.Counter, uint8, error) {
	saved, err := format.Parse(b)
	if err != nil {
		return philox.Key{}, philox.Counter{}, 0, err
	}
	return philox.NewKey(saved.Seed), skip.FromUint64s(saved.Hi, saved.Lo), saved.Place, nil
}
