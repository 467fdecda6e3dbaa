package check

import (
	"fmt"
	"math/rand/v2"
	"unsafe"

	"github.com/philox-go/rng/cuda"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/random"
)

// memory is a piece of a device's memory, with what else a buffer of it has.
type memory struct {
	pointer uintptr
	n, grid int
	stream  *cuda.Stream
}

// buffer returns memory as a buffer. Where it is none, a case that uses it fails.
func buffer[T cuda.Element](m memory) cuda.Buffer[T] {
	b, err := cuda.Wrap[T](m.stream.Device(), m.pointer, m.n)
	if err != nil {
		panic(err)
	}
	return b.On(m.stream).WithMaxGrid(m.grid)
}

// sizeOf returns the size of an element.
func sizeOf[T cuda.Element]() int { return int(unsafe.Sizeof(*new(T))) }

// work is what takes some blocks and writes some parts with them.
type work struct {
	name   string
	blocks uint64
	// parts are what is written with the blocks from s on.
	parts func(s philox.Stream) []part
	// from has the blocks of a state, and next a generator's.
	from func(at []uintptr, s *cuda.State, on *cuda.Stream) error
	next func(at []uintptr, g *random.Generator, on *cuda.Stream) error
}

// A job is works one after another, which take the blocks of a stream.
type job []work

func (j job) behind(s philox.Stream) philox.Stream {
	for _, w := range j {
		s = s.Skip(w.blocks)
	}
	return s
}

// each calls queue for each of the works, with its parts' addresses.
func (j job) each(s philox.Stream, at []uintptr, queue func(w work, at []uintptr) error) error {
	for _, w := range j {
		n := len(w.parts(s))
		if err := queue(w, at[:n]); err != nil {
			return err
		}
		at = at[n:]
		s = s.Skip(w.blocks)
	}
	return nil
}

// from queues the works with the blocks of a state.
func (j job) from(s philox.Stream, at []uintptr, state *cuda.State, on *cuda.Stream) error {
	return j.each(s, at, func(w work, at []uintptr) error { return w.from(at, state, on) })
}

// do is the cases of a job.
func (b *batch) do(how string, s philox.Stream, j job, queue func(at []uintptr) error) {
	var parts []part
	for _, w := range j {
		at := place{key: s.Key(), ctr: s.Counter(), of: w.name + how}
		for i, p := range w.parts(s) {
			p.describe = func() string {
				return fmt.Sprintf("%v, n %d, part %d, at byte %d of %d", at, len(p.want)/p.size, i, p.offset*p.size, slotBytes)
			}
			parts = append(parts, p)
		}
		s = s.Skip(w.blocks)
	}
	b.add(queue, parts...)
}

// fromState is the cases of a job with the blocks of a state, and of where that is afterwards.
func (b *batch) fromState(s philox.Stream, j job) {
	b.do(", from a state", s, j, func(at []uintptr) error {
		on := b.mem.Stream()
		if err := b.state.Set(b.place(s), on); err != nil {
			return err
		}
		return j.from(s, at, b.state, on)
	})
	b.stateIsBehind(s, j)
}

func (b *batch) stateIsBehind(s philox.Stream, j job) {
	describe := func() string {
		return fmt.Sprintf("the state after %s, from %v", j[0].name, place{key: s.Key(), ctr: s.Counter()})
	}
	b.moved(describe, j.behind(s))
}

// fromGraph is the cases of a job that is captured and launched: twice, so that the second launch goes on
// where the first one ends, and after the state was set to another place.
func (b *batch) fromGraph(s, other philox.Stream, j job) {
	stream, err := b.Device.Device.NewStream()
	if err != nil {
		b.t.attempt(func() string { return "a new stream" }, err.Error)
		return
	}
	defer stream.Close()
	var graph *cuda.Graph
	defer func() { graph.Close() }()
	launch := func(how string, s philox.Stream, set bool) {
		b.flush() // so that the parts have the addresses that they had before
		b.do(", from a graph, "+how, s, j, func(at []uintptr) (err error) {
			if graph == nil {
				graph, err = stream.Capture(func() error { return j.from(s, at, b.state, stream) })
			}
			if err == nil && set {
				err = b.state.Set(b.place(s), stream)
			}
			if err == nil {
				err = b.Device.Device.Sync() // memory is cleared on another stream
			}
			if err == nil {
				err = graph.Launch(stream)
			}
			if err == nil {
				err = stream.Sync()
			}
			return err
		})
	}
	launch("launched", s, true)
	launch("launched again", j.behind(s), false)
	launch("launched after Set", other, true)
	b.stateIsBehind(other, j)
}

// fromGenerator is the cases of a job with the blocks of a generator, and of where that is afterwards.
func (b *batch) fromGenerator(s philox.Stream, j job) {
	g := generatorAt(b.Device.Device.Random(), b.place(s))
	b.do(", from a generator", s, j, func(at []uintptr) error {
		return j.each(s, at, func(w work, at []uintptr) error { return w.next(at, g, b.mem.Stream()) })
	})
	b.t.attempt(func() string { return "the generator after " + j[0].name }, func() string {
		stream, offset := j.behind(s).Counter().Uint64s()
		if g.Stream() != stream || g.Offset() != offset {
			return fmt.Sprintf("it is at stream %d, offset %d, must be at %d, %d", g.Stream(), g.Offset(), stream, offset)
		}
		return ""
	})
}

// generatorAt returns the generator whose next block is the first of a stream.
func generatorAt(device random.Device, s philox.Stream) *random.Generator {
	g := random.NewGenerator(device, s.Key().Seed())
	stream, offset := s.Counter().Uint64s()
	if stream != 0 {
		g, _ = g.Substream(stream) // which fails for streams 0 alone, and of substreams
	}
	g.SetOffset(offset) // which never fails
	return g
}

// aStream returns a random stream, one below 2^48 where that is needed, with room for more blocks
// below the wrap of word 1, so that a generator can be there.
func aStream(r *rand.Rand, retries bool) philox.Stream {
	at := randomPlace(r)
	at.ctr[1] &^= 1 << 31
	if retries {
		at.ctr[3] %= 1 << 16
	}
	return philox.NewAt(at.key, at.ctr)
}

// wraps are streams so many blocks before counter words wrap: word 0, and all up to 1, 2 and 3. Where streams
// must be below 2^48 the last one ends there.
func wraps(key philox.Key, back uint64, retries bool) []philox.Stream {
	var all []philox.Stream
	for i, at := range carryPlaces(key, back) {
		if retries && i == 3 {
			at.ctr = philox.Counter{3: 1 << 16}.Back(back)
		}
		all = append(all, philox.NewAt(at.key, at.ctr))
	}
	return all
}
