package cuda

import (
	"fmt"
	"math"
	"strconv"
	"unsafe"

	"github.com/philox-go/rng/internal/draw"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/random"
	"github.com/philox-go/rng/skip"
)

// DropoutMask is [random.DropoutMask] on a device: it queues on the mask's stream that the mask of
// n elements, each dropped with probability p, is written to the first [random.MaskBytes](n) bytes.
func DropoutMask(g *random.Generator, mask Buffer[byte], n int, p float64) error {
	return drawMask(generated{g}, mask, n, p)
}

// DropoutMaskFrom is [DropoutMask] with the blocks of a state, as in [Dist.FillFrom].
func DropoutMaskFrom(s *State, mask Buffer[byte], n int, p float64) error {
	if s == nil {
		return &ClosedError{What: "the state"}
	}
	return drawMask(stated{s}, mask, n, p)
}

func drawMask(from maskSource, memory Buffer[byte], n int, p float64) error {
	m, err := maskOf(memory, n, p)
	if err != nil {
		return err
	}
	return m.with(func() error { return from.draw(m) }, from.holds()...)
}

// A maskSource is where the blocks of a mask come from.
type maskSource interface {
	holds() []target         // what must be held besides the mask
	allow(dev *Device) error // whether it is for a device
	draw(m *mask) error      // queues a mask, which is held
}

// generated are a generator's next blocks.
type generated struct{ g *random.Generator }

func (generated) holds() []target { return nil }

func (from generated) allow(dev *Device) error {
	_, err := random.On(from.g, dev.Random())
	return err
}

func (from generated) draw(m *mask) error {
	k := find("bits")
	f, err := m.dev.kernel(k)
	if err != nil {
		return err
	}
	s, err := reserve(from.g, m.dev, m.blocks(), false)
	if err != nil {
		return err
	}
	return m.eager(f, k, s)
}

// stated are a state's.
type stated struct{ s *State }

func (from stated) holds() []target { return []target{from.s.words.target()} }

func (stated) allow(*Device) error { return nil }

func (from stated) draw(m *mask) error {
	k := find("bits_state")
	if m.none {
		k = find("bits") // the state stays
	}
	f, err := m.dev.kernel(k)
	if err != nil {
		return err
	}
	if m.none {
		return m.eager(f, k, philox.Stream{})
	}
	prepare, err := from.s.preparation()
	if err != nil {
		return err
	}
	return m.pieces(func(block uint64, p *fillParams) error {
		if err := prepare(m.stream.handle, p, min(m.blocks()-block, m.dev.maxBlocks)); err != nil {
			return err
		}
		return m.launch(f, k, p, &m.args)
	})
}

// A mask is the memory of one, whole units of 128 bits, and what it becomes.
type mask struct {
	target
	bits int
	args kernelArgs
	none bool // whether no element is drawn
}

// maskOf returns the mask of n elements that are dropped with probability p.
func maskOf(memory Buffer[byte], n int, p float64) (*mask, error) {
	threshold, err := draw.Threshold(p)
	if err != nil {
		return nil, err
	}
	if n < 0 {
		return nil, &skip.ArgumentError{Package: "cuda", Arg: "n", Value: strconv.Itoa(n), Reason: "must not be negative"}
	}
	if err := hasMask(memory, n); err != nil {
		return nil, err
	}
	m := &mask{target: memory.target(), bits: n, none: p == 0 || p == 1}
	m.n = draw.MaskBytes(n)
	// A word at most the limit is dropped, if any is at all, and then its bit is flipped.
	m.args.n = [4]uint64{threshold - 1, math.MaxUint64, math.MaxUint64}
	if threshold == 0 {
		m.args.n[1] = 0
	}
	return m, nil
}

// blocks is how many the mask takes.
func (m *mask) blocks() uint64 {
	if m.none {
		return 0
	}
	return draw.WordBlocks(m.bits)
}

// blocksPerByte is how many blocks make a byte of a mask, a bit for each word.
const blocksPerByte = 2

// pieces calls launch for the launches of a mask.
func (m *mask) pieces(launch func(block uint64, params *fillParams) error) error {
	most := int(m.dev.maxBlocks / blocksPerByte)
	args := &m.args
	for done := 0; done < m.n; done += most {
		bytes := min(m.n-done, most)
		args.n[3] = uint64(min(max(m.bits-8*done, 0), 8*bytes))
		p := fillParams{dst: uint64(m.pointer) + uint64(done), units: uint32(bytes / 4), end: 4}
		if p.dst%4 == 0 {
			p.wholes = p.units
		}
		if err := launch(uint64(done)*blocksPerByte, &p); err != nil {
			return err
		}
	}
	return nil
}

// eager queues the mask of a stream.
func (m *mask) eager(f function, k *kernel, s philox.Stream) error {
	return m.pieces(func(block uint64, p *fillParams) error {
		hi, lo := s.Skip(block).Counter().Uint64s()
		p.start = startAt(s.Key().Seed(), hi, lo)
		return m.launch(f, k, p, &m.args)
	})
}

// hasMask returns an error unless a mask is long enough for n elements.
func hasMask(mask Buffer[byte], n int) error {
	if need := draw.MaskBytes(n); mask.Len() < need {
		return &skip.ArgumentError{Package: "cuda", Arg: "len(mask)", Value: strconv.Itoa(mask.Len()), Reason: fmt.Sprintf("must be at least %d for %d elements", need, n)}
	}
	return nil
}

// Dropout is [random.Dropout] on a device: it queues on dst's stream that the mask is written and that
// dst becomes src with the dropped elements 0 and the others scaled. dst may be src; otherwise they
// must not overlap. Without training the mask is not needed, and may be the zero Buffer. Which NaN a
// kept NaN becomes, a device decides for itself.
func Dropout[T random.Float](g *random.Generator, dst Buffer[T], mask Buffer[byte], src Buffer[T], p float64, training bool) error {
	return dropout(generated{g}, dst.target(), mask, src.target(), keepStage[T](), p, training)
}

// DropoutHalf is [random.DropoutHalf] on a device.
func DropoutHalf[H random.Half](g *random.Generator, dst Buffer[H], format random.Format, mask Buffer[byte], src Buffer[H], p float64, training bool) error {
	stage, err := keepHalfStage(format)
	if err != nil {
		return err
	}
	return dropout(generated{g}, dst.target(), mask, src.target(), stage, p, training)
}

// DropoutFrom is [Dropout], in training, with the blocks of a state, as in [Dist.FillFrom].
func DropoutFrom[T random.Float](s *State, dst Buffer[T], mask Buffer[byte], src Buffer[T], p float64) error {
	if s == nil {
		return &ClosedError{What: "the state"}
	}
	return dropout(stated{s}, dst.target(), mask, src.target(), keepStage[T](), p, true)
}

// DropoutHalfFrom is [DropoutHalf], in training, with the blocks of a state.
func DropoutHalfFrom[H random.Half](s *State, dst Buffer[H], format random.Format, mask Buffer[byte], src Buffer[H], p float64) error {
	stage, err := keepHalfStage(format)
	if err != nil {
		return err
	}
	if s == nil {
		return &ClosedError{What: "the state"}
	}
	return dropout(stated{s}, dst.target(), mask, src.target(), stage, p, true)
}

// dropout queues a mask, and what it lets through.
func dropout(from maskSource, dst target, memory Buffer[byte], src target, stage string, p float64, training bool) error {
	needed := dst.n
	if !training && memory.Len() == 0 {
		needed = 0
	}
	if err := sameShape(dst, src, p); err != nil {
		return err
	}
	if !training {
		p = 0
	}
	m, err := maskOf(memory.On(dst.stream), needed, p)
	if err != nil {
		return err
	}
	held := append(from.holds(), src)
	if m.mem != nil || needed > 0 {
		held = append(held, m.target)
	}
	return dst.with(func() error {
		if err := from.allow(dst.dev); err != nil {
			return err
		}
		keep, err := dst.keep(stage, m.target, src, p)
		if err == nil && m.mem != nil {
			err = from.draw(m)
		}
		if err != nil {
			return err
		}
		return keep()
	}, held...)
}

// DropoutBackward is [random.DropoutBackward] on a device: it queues on dst's stream that dst becomes the
// gradient.
func DropoutBackward[T random.Float](dst Buffer[T], mask Buffer[byte], grad Buffer[T], p float64) error {
	return dropoutBackward(dst.target(), mask, grad.target(), keepStage[T](), p)
}

// DropoutBackwardHalf is [random.DropoutBackwardHalf] on a device.
func DropoutBackwardHalf[H random.Half](dst Buffer[H], format random.Format, mask Buffer[byte], grad Buffer[H], p float64) error {
	stage, err := keepHalfStage(format)
	if err != nil {
		return err
	}
	return dropoutBackward(dst.target(), mask, grad.target(), stage, p)
}

func dropoutBackward(dst target, mask Buffer[byte], grad target, stage string, p float64) error {
	if err := sameShape(dst, grad, p); err != nil {
		return err
	}
	if err := hasMask(mask, dst.n); err != nil {
		return err
	}
	m := mask.target()
	return dst.with(func() error {
		keep, err := dst.keep(stage, m, grad, p)
		if err != nil {
			return err
		}
		return keep()
	}, grad, m)
}

// sameShape checks the lengths of a dropout's elements, and its probability.
func sameShape(dst, src target, p float64) error {
	if src.n != dst.n {
		return &skip.ArgumentError{Package: "cuda", Arg: "len(dst)", Value: strconv.Itoa(dst.n), Reason: fmt.Sprintf("must be that of the source, %d", src.n)}
	}
	_, err := draw.Threshold(p)
	return err
}

func keepStage[T random.Float]() string {
	if unsafe.Sizeof(*new(T)) == 4 {
		return "keep32"
	}
	return "keep64"
}

func keepHalfStage(f random.Format) (string, error) {
	if f == random.BFloat16 {
		return "keepb16", nil
	}
	return "keep16", draw.Format(asm.Half(f))
}

// with calls while the target and others, of the same device, can be used.
func (t target) with(call func() error, others ...target) error {
	return t.use(func(uintptr) error {
		if len(others) == 0 {
			return call()
		}
		other := others[0]
		other.stream = t.stream
		if other.dev != nil && other.dev != t.dev {
			return otherDevice("buffer", other.dev, t.dev)
		}
		return other.with(call, others[1:]...)
	})
}

// keep returns what queues that the target becomes what a mask lets through of a source. It and what
// it returns are called while all are held.
func (t target) keep(stage string, mask, src target, p float64) (func() error, error) {
	if p == 1 {
		return func() error {
			if t.n == 0 {
				return nil
			}
			return driverSet(t.dev.context, t.pointer, 0, t.n*t.size, t.stream.handle)
		}, nil
	}
	args := kernelArgs{f: [3]float32{draw.KeptScale(p)}, n: [4]uint64{uint64(src.pointer), uint64(mask.pointer), uint64(t.n)}}
	if p == 0 {
		args.n[3] = 1 // not times 1, which would make a signalling NaN a quiet one
	}
	k := find(stage)
	f, err := t.dev.kernel(k)
	return func() error {
		if t.n == 0 {
			return nil
		}
		const most = 1 << 28 // elements beyond go round
		params := fillParams{dst: uint64(t.pointer), units: uint32(min(t.n, most))}
		return t.launch(f, k, &params, &args)
	}, err
}
