package random

import (
	cryptorand "crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"sync"

	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/skip"
)

// A Generator is a handle on a seed, a stream and an offset that several goroutines
// may share. It hands out the blocks of the stream, 16 bytes each, in order and each
// once.
//
// A copy of a Generator is another handle on the same stream: what one takes, the
// other does not get. [Generator.Clone] makes an independent one. Handles are compared
// with ==, which tells whether two share.
//
// A nil *Generator and the zero Generator mean the CPU's default generator in every
// method, so that its seed, offset and state are read, changed and cloned as those of
// Default(CPU()). The one exception is [Generator.UnmarshalBinary]. Functions that
// work for a device take them for the default generator of that device; see [On].
//
// All methods may be called from many goroutines at once, but for UnmarshalBinary of a
// zero Generator. Each is one step to the others: no call sees a seed from before a
// SetSeed and an offset from after it.
type Generator struct {
	shared *shared
}

// shared is what the handles of a generator share.
type shared struct {
	device Device
	mu     sync.Mutex
	at     place
}

// A place is what a generator has besides its device.
type place struct {
	seed, stream uint64
	// offset is mod 2^64: where exhausted is set, it is 0 and stands for 2^64.
	offset    uint64
	exhausted bool
}

// NewGenerator returns the generator of a seed, at offset 0 of stream 0. A negative
// seed is its two's complement: NewGenerator(device, uint64(seed)).
func NewGenerator(device Device, seed uint64) *Generator {
	return newAt(device, place{seed: seed})
}

func newAt(device Device, at place) *Generator {
	return &Generator{&shared{device: device, at: at}}
}

// state returns what g is a handle on.
func (g *Generator) state() *shared {
	if g == nil || g.shared == nil {
		return Default(CPU()).shared
	}
	return g.shared
}

func (s *shared) load() place {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at
}

func (s *shared) store(at place) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at = at
}

// Device returns the generator's device.
func (g *Generator) Device() Device { return g.state().device }

// Seed returns the seed.
func (g *Generator) Seed() uint64 { return g.state().load().seed }

// SetSeed sets the seed, and stream and offset to 0: what NewGenerator makes.
func (g *Generator) SetSeed(seed uint64) { g.state().store(place{seed: seed}) }

// SeedRandomly sets a seed from the system's entropy, as SetSeed does, and returns it.
// All its 64 bits are random. Log it where a run may have to be repeated.
func (g *Generator) SeedRandomly() uint64 {
	seed := entropy()
	g.SetSeed(seed)
	return seed
}

// entropy returns 64 random bits. The system's generator does not fail.
func entropy() uint64 {
	var b [8]byte
	cryptorand.Read(b[:])
	return binary.LittleEndian.Uint64(b[:])
}

// Stream returns the stream: 0, or the id of a [Generator.Substream].
func (g *Generator) Stream() uint64 { return g.state().load().stream }

// Offset returns how many blocks of the stream were taken, which is the number of the
// next one. An exhausted generator's offset is 2^64, which a uint64 does not hold: for
// it, Offset returns math.MaxUint64, one less, and a SetOffset to that would repeat a
// block. [Generator.Exhausted] tells the two apart, and [Generator.State] keeps them
// apart.
func (g *Generator) Offset() uint64 {
	at := g.state().load()
	return at.next()
}

// Exhausted reports whether the last block of the stream was taken. No block can be
// reserved then until SetOffset, SetSeed or SetState moves the generator.
func (g *Generator) Exhausted() bool { return g.state().load().exhausted }

// SetOffset sets the offset, in blocks. Going back repeats numbers. An exhausted
// generator is no longer so. The error is for devices that cannot hold every offset:
// the CPU and CUDA devices hold every uint64, and for them it is nil.
func (g *Generator) SetOffset(blocks uint64) error {
	s := g.state()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at.offset, s.at.exhausted = blocks, false
	return nil
}

// ErrExhausted is what errors.Is finds in every [*ExhaustedError].
var ErrExhausted = errors.New("stream exhausted")

// An ExhaustedError says that a stream has fewer blocks left than were to be taken.
type ExhaustedError struct {
	Offset uint64 // as Generator.Offset returns it
	Left   uint64 // blocks left, 2^64 - Offset; 0 if the generator is exhausted
	Blocks uint64 // to be taken
}

// Error returns how many blocks were to be taken and how many there are, such as
// "random: blocks = 5: must be at most 1, what the stream has left".
func (e *ExhaustedError) Error() string {
	return fmt.Sprintf("random: blocks = %d: must be at most %d, what the stream has left", e.Blocks, e.Left)
}

// Is reports that an ExhaustedError is an [ErrExhausted].
func (e *ExhaustedError) Is(target error) bool { return target == ErrExhausted }

// next returns the offset as Offset does.
func (p *place) next() uint64 {
	if p.exhausted {
		return math.MaxUint64
	}
	return p.offset
}

// take moves the offset on, and returns where it was.
func (p *place) take(blocks uint64) (start uint64, err error) {
	start = p.next()
	if blocks == 0 {
		return start, nil
	}
	// The carry is 2^64, which is allowed with nothing on top.
	end, carry := bits.Add64(p.offset, blocks, 0)
	if p.exhausted || carry != 0 && end != 0 {
		left := -p.offset // mod 2^64: offset 0 has more blocks than can be asked for
		return 0, &ExhaustedError{Offset: start, Left: left, Blocks: blocks}
	}
	p.offset, p.exhausted = end, carry != 0
	return start, nil
}

// Reserve takes the next blocks of the stream, start to start+blocks-1, for the caller
// alone, and moves the offset past them. No two calls get the same block, from however
// many goroutines, as long as nothing sets the offset, the seed or the state back.
//
// The last block is 2^64-1. A range past it is an [*ExhaustedError], and takes nothing.
// A range that ends with it leaves the generator exhausted. To reserve 0 blocks never
// fails and changes nothing; start is the offset.
//
// Block n has counter {lo(n), hi(n), lo(stream), hi(stream)}. Where the seed or the
// stream may change at the same time, [Generator.ReserveStream] has all three from the
// same moment.
func (g *Generator) Reserve(blocks uint64) (start uint64, err error) {
	s := g.state()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at.take(blocks)
}

// ReserveStream is Reserve, and returns the blocks as a [philox.Stream] that starts at
// the first of them. The stream does not end with the last: the caller must not fill
// more than 16 bytes for each block. On an error it is the zero Stream, with which
// nothing must be filled.
func (g *Generator) ReserveStream(blocks uint64) (philox.Stream, error) {
	from, err := g.reserve(blocks, false)
	if err != nil {
		return philox.Stream{}, err
	}
	return from.blocks(), nil
}

// ReserveRetry is [Generator.ReserveStream] for numbers that may be drawn again. The streams
// from 2^48 on leave no counters for that: with them it is an [*skip.ArgumentError], and takes
// nothing.
func (g *Generator) ReserveRetry(blocks uint64) (philox.Stream, error) {
	from, err := g.reserve(blocks, true)
	if err != nil {
		return philox.Stream{}, err
	}
	return from.blocks(), nil
}

// blocks returns the blocks from a place on.
func (p *place) blocks() philox.Stream {
	return philox.NewAt(philox.NewKey(p.seed), philox.CounterAt(p.stream, p.offset))
}

// retryStreams is the number of streams that leave counters for further attempts.
const retryStreams = 1 << 48

// reserve is Reserve, and returns the place of the first block. It refuses streams in
// which elements cannot be drawn again where they may have to be.
func (g *Generator) reserve(blocks uint64, retries bool) (place, error) {
	s := g.state()
	s.mu.Lock()
	defer s.mu.Unlock()
	from := s.at
	if retries && from.stream >= retryStreams {
		return place{}, badArg("stream", strconv.FormatUint(from.stream, 10), "must be below 2^48 where elements may have to be drawn again")
	}
	var err error
	from.offset, err = s.at.take(blocks)
	return from, err
}

// Clone returns an independent generator with the same device, seed, stream and offset.
// Both give the same numbers from here on.
func (g *Generator) Clone() *Generator {
	s := g.state()
	return newAt(s.device, s.load())
}

// Substream returns a new generator on stream id of the same device and seed, at offset
// 0. It shares no block with g or with the substreams of another id, wherever g stands
// and whatever others take, so work that has an id gets the same numbers in every run.
// The id is absolute, and two substreams of one id give the same numbers.
//
// The id must be at least 1, since g itself is on stream 0. A substream has no
// substreams: they would be those of g again. Either is an [*skip.ArgumentError].
func (g *Generator) Substream(id uint64) (*Generator, error) {
	if id == 0 {
		return nil, badArg("id", "0", "must be at least 1")
	}
	s := g.state()
	at := s.load()
	if err := at.divisible(); err != nil {
		return nil, err
	}
	return newAt(s.device, place{seed: at.seed, stream: id}), nil
}

// Split returns the substreams 1 to n, for n workers. A longer split begins with the
// same generators. Calling it again returns generators of the same numbers, not of
// further ones. An n below 1 is an [*skip.ArgumentError], as is a g that is a
// substream.
func (g *Generator) Split(n int) ([]*Generator, error) {
	if n < 1 {
		return nil, badArg("n", strconv.Itoa(n), "must be at least 1")
	}
	s := g.state()
	at := s.load() // once: all are of one seed
	if err := at.divisible(); err != nil {
		return nil, err
	}
	all := make([]*Generator, n)
	for i := range all {
		all[i] = newAt(s.device, place{seed: at.seed, stream: uint64(i) + 1})
	}
	return all, nil
}

// divisible returns an error if a generator at p has no substreams.
func (p *place) divisible() error {
	if p.stream != 0 {
		return badArg("stream", strconv.FormatUint(p.stream, 10), "must be 0: a substream has no substreams")
	}
	return nil
}

func badArg(arg, value, reason string) error {
	return &skip.ArgumentError{Package: "random", Arg: arg, Value: value, Reason: reason}
}
