package cuda

import (
	"github.com/philox-go/rng/internal/draw"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/random"
)

// A Dist is a distribution, with its arguments, of elements of one type: what a fill writes. Its
// numbers are those of the packages philox, normal and random, bit for bit. It is a value;
// the zero Dist is no distribution, and fills nothing.
//
// There are three ways to fill a buffer with it: from a place in a [philox.Stream]
// ([Dist.Fill]), with the next numbers of a [random.Generator] ([Dist.Next]), and from a
// [State] in the device's memory ([Dist.FillFrom]), which is the one for CUDA graphs.
type Dist[T Element] struct {
	draw draw.Draw
	made bool
}

// DistOf returns the distribution of a draw whose elements are of T's size: for this module's own
// commands, which know distributions by their names.
func DistOf[T Element](d draw.Draw) Dist[T] { return Dist[T]{d, true} }

func distOf[T Element](d draw.Draw, err error) (Dist[T], error) {
	if err != nil {
		return Dist[T]{}, err
	}
	return DistOf[T](d), nil
}

func plain[T Element](k asm.Kind) Dist[T] { return DistOf[T](draw.Plain(k)) }

// Uint32s returns the words of a stream, those of [philox.Stream.FillUint32].
func Uint32s() Dist[uint32] { return plain[uint32](asm.Uint32) }

// Uint64s returns the 64-bit words of a stream, those of [philox.Stream.FillUint64].
func Uint64s() Dist[uint64] { return plain[uint64](asm.Uint64) }

// Bytes returns the bytes of a stream, those of [philox.Stream.FillBytes].
func Bytes() Dist[byte] { return plain[byte](asm.Bytes) }

// OpenUniforms returns uniform numbers in (0,1), those of [philox.Stream.FillOpenFloat32].
func OpenUniforms() Dist[float32] { return plain[float32](asm.OpenFloat32) }

// Uniforms returns the distribution of [random.Uniform], with its errors.
func Uniforms[T random.Float](lo, hi T) (Dist[T], error) { return distOf[T](draw.Uniform(lo, hi)) }

// UniformHalves returns the distribution of [random.UniformHalf], with its errors.
func UniformHalves[H random.Half](f random.Format, lo, hi float32) (Dist[H], error) {
	return distOf[H](draw.UniformHalf(asm.Half(f), lo, hi))
}

// Normals returns the distribution of [random.Normal], with its errors.
func Normals[T random.Float](mean, std T) (Dist[T], error) { return distOf[T](draw.Normal(mean, std)) }

// NormalHalves returns the distribution of [random.NormalHalf], with its errors.
func NormalHalves[H random.Half](f random.Format, mean, std float32) (Dist[H], error) {
	return distOf[H](draw.NormalHalf(asm.Half(f), mean, std))
}

// TruncatedNormals returns the distribution of [random.TruncatedNormal], with its errors.
func TruncatedNormals[T random.Float](mean, std, a, b T) (Dist[T], error) {
	return distOf[T](draw.TruncatedNormal(mean, std, a, b))
}

// TruncatedNormalHalves returns the distribution of [random.TruncatedNormalHalf], with its
// errors.
func TruncatedNormalHalves[H random.Half](f random.Format, mean, std, a, b float32) (Dist[H], error) {
	return distOf[H](draw.TruncatedNormalHalf(asm.Half(f), mean, std, a, b))
}

// Exponentials returns the distribution of [random.Exponential], with its errors.
func Exponentials[T random.Float](rate T) (Dist[T], error) {
	return distOf[T](draw.Exponential(rate))
}

// ExponentialHalves returns the distribution of [random.ExponentialHalf], with its errors.
func ExponentialHalves[H random.Half](f random.Format, rate float32) (Dist[H], error) {
	return distOf[H](draw.ExponentialHalf(asm.Half(f), rate))
}

// LogNormals returns the distribution of [random.LogNormal], with its errors.
func LogNormals[T random.Float](mean, std T) (Dist[T], error) {
	return distOf[T](draw.LogNormal(mean, std))
}

// LogNormalHalves returns the distribution of [random.LogNormalHalf], with its errors.
func LogNormalHalves[H random.Half](f random.Format, mean, std float32) (Dist[H], error) {
	return distOf[H](draw.LogNormalHalf(asm.Half(f), mean, std))
}

// Cauchys returns the distribution of [random.Cauchy], with its errors.
func Cauchys[T random.Float](median, scale T) (Dist[T], error) {
	return distOf[T](draw.Cauchy(median, scale))
}

// CauchyHalves returns the distribution of [random.CauchyHalf], with its errors.
func CauchyHalves[H random.Half](f random.Format, median, scale float32) (Dist[H], error) {
	return distOf[H](draw.CauchyHalf(asm.Half(f), median, scale))
}

// Laplaces returns the distribution of [random.Laplace], with its errors.
func Laplaces[T random.Float](mean, scale T) (Dist[T], error) {
	return distOf[T](draw.Laplace(mean, scale))
}

// LaplaceHalves returns the distribution of [random.LaplaceHalf], with its errors.
func LaplaceHalves[H random.Half](f random.Format, mean, scale float32) (Dist[H], error) {
	return distOf[H](draw.LaplaceHalf(asm.Half(f), mean, scale))
}

// Gumbels returns the distribution of [random.Gumbel], with its errors.
func Gumbels[T random.Float](mode, scale T) (Dist[T], error) {
	return distOf[T](draw.Gumbel(mode, scale))
}

// GumbelHalves returns the distribution of [random.GumbelHalf], with its errors.
func GumbelHalves[H random.Half](f random.Format, mode, scale float32) (Dist[H], error) {
	return distOf[H](draw.GumbelHalf(asm.Half(f), mode, scale))
}

// Geometrics returns the distribution of [random.Geometric], with its errors.
func Geometrics[T random.Integer | random.Float](p float64) (Dist[T], error) {
	return distOf[T](draw.Geometric[T](p))
}

// GeometricHalves returns the distribution of [random.GeometricHalf], with its errors.
func GeometricHalves[H random.Half](f random.Format, p float64) (Dist[H], error) {
	return distOf[H](draw.GeometricHalf(asm.Half(f), p))
}

// Bernoullis returns the distribution of [random.Bernoulli], with its errors.
func Bernoullis[T ~bool | random.Integer | random.Float](p float64) (Dist[T], error) {
	return distOf[T](draw.Bernoulli[T](p))
}

// BernoulliHalves returns the distribution of [random.BernoulliHalf], with its errors.
func BernoulliHalves[H random.Half](f random.Format, p float64) (Dist[H], error) {
	return distOf[H](draw.BernoulliHalf(asm.Half(f), p))
}

// IntNs returns the distribution of [random.IntN], with its errors.
func IntNs[T random.Integer](lo, hi T) (Dist[T], error) {
	return distOf[T](draw.IntegersBelow(lo, hi))
}

// IntRanges returns the distribution of [random.IntRange], with its errors.
func IntRanges[T random.Integer](lo, last T) (Dist[T], error) {
	return distOf[T](draw.Integers(lo, last))
}

// Blocks returns the number of blocks that n elements take.
func (d Dist[T]) Blocks(n int) uint64 { return d.draw.Blocks(n) }

// Load loads the distribution's kernels into the device, which the first fill does
// otherwise: the driver compiles each in some 20 to 100 ms, and keeps them, in a folder of
// the user's, for the next program. Load them before a graph is captured.
func (d Dist[T]) Load(dev *Device) error {
	if !d.made {
		return errNoDist
	}
	if err := dev.enter(); err != nil {
		return err
	}
	defer dev.leave()
	stage := planOf(d.draw).stage
	for _, name := range []string{stage, stage + "_across", stage + "_state", "prepare"} {
		k := kernels()[name]
		if k == nil { // only some have the second
			continue
		}
		if _, err := dev.kernel(k); err != nil {
			return err
		}
	}
	return nil
}

// Fill queues on dst's stream that dst becomes the elements first, first+1, ... of s, and does
// not wait for it. What is wrong with the arguments, it says before; what goes wrong on the
// device, a later call says, such as [Stream.Sync].
//
// Numbers that may be drawn again need a stream below 2^48; otherwise it is an
// [*skip.ArgumentError].
func (d Dist[T]) Fill(dst Buffer[T], s philox.Stream, first uint64) error {
	if !d.made {
		return errNoDist
	}
	if err := d.draw.Check(s, dst.Len(), first); err != nil {
		return err
	}
	t := dst.target()
	return t.use(func(uintptr) error {
		q, err := d.queue(t)
		if err != nil {
			return err
		}
		return q.fill(s, first)
	})
}

// queue is target.queue for the distribution.
func (d Dist[T]) queue(t target) (*queue, error) {
	return t.queue(planOf(d.draw), uint64(d.draw.PerBlock()))
}

// Next queues on dst's stream that dst becomes the next numbers of g, whose blocks it
// takes, and does not wait for it. They are those that the operator of package random would have
// written. A nil g is the default generator of dst's device. A generator of another device is a
// [*random.DeviceError].
//
// Nothing is taken where the arguments are wrong, dst cannot be used or the kernel cannot be loaded;
// where the driver refuses the work after that, the blocks are lost.
func (d Dist[T]) Next(g *random.Generator, dst Buffer[T]) error {
	if !d.made {
		return errNoDist
	}
	t := dst.target()
	return t.use(func(uintptr) error {
		q, err := d.queue(t)
		if err != nil {
			return err
		}
		s, err := reserve(g, t.dev, d.draw.Blocks(t.n), d.draw.Retries())
		if err != nil {
			return err
		}
		return q.fill(s, 0)
	})
}

// reserve takes blocks of a device's generator.
func reserve(g *random.Generator, dev *Device, blocks uint64, retries bool) (philox.Stream, error) {
	g, err := random.On(g, dev.Random())
	if err != nil {
		return philox.Stream{}, err
	}
	if retries {
		return g.ReserveRetry(blocks)
	}
	return g.ReserveStream(blocks)
}

// FillFrom queues on dst's stream that dst becomes the numbers of a state, from the block on
// that it is at when the work is run, and that the state is moved behind them: n elements of the
// distribution take Blocks(n). So work that is captured draws new numbers whenever the
// graph is launched. Fills from one state must be ordered, by a stream or by events.
//
// Numbers that may be drawn again need a state that was set to a stream below 2^48 - 1, and then it
// cannot be set to others; otherwise it is an [*skip.ArgumentError].
func (d Dist[T]) FillFrom(dst Buffer[T], s *State) error {
	if !d.made {
		return errNoDist
	}
	if s == nil {
		return &ClosedError{What: "the state"}
	}
	t := dst.target()
	return t.with(func() error {
		if err := s.allow(d.draw.Retries()); err != nil {
			return err
		}
		return t.fillFrom(planOf(d.draw), uint64(d.draw.PerBlock()), s)
	}, s.words.target())
}
