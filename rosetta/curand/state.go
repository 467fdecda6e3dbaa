package curand

import (
	"math"
	"math/bits"

	"github.com/philox-go/rng/internal/poly"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/rosetta/mufu"
	"github.com/philox-go/rng/skip"
)

// A State is a curandStatePhilox4_32_10_t: one thread's generator in cuRAND's device API.
// Its methods are the functions that take such a state, without the prefix: Normal4 is
// curand_normal4. [Init] makes one. A State is a value, and a copy goes its own way; it is
// not for use by several goroutines at once.
//
// The single kinds of normal numbers make two and keep the second one for the next call.
// There is one place for float32 and one for float64, which normal and log-normal numbers
// share as in cuRAND: each finds only what its own kind left there, and a log-normal number
// that was kept comes whatever mean and deviation the next call has.
type State struct {
	key          philox.Key
	hi, lo       uint64    // the counter: words 2 and 3, words 0 and 1
	out          [4]uint32 // the block at the counter
	at           uint32    // word of out that comes next
	kept, kept64 keep
	extra        float32
	extra64      float64
}

// keep says what kind of number is kept.
type keep uint8

const (
	keptNothing keep = iota
	keptNormal
	keptLogNormal
)

// Init is curand_init: subsequence is words 2 and 3 of the counter, and offset, in words,
// counts on from its beginning.
func Init(seed, subsequence, offset uint64) State {
	s := State{key: philox.NewKey(seed)}
	s.SkipaheadSequence(subsequence)
	s.Skipahead(offset)
	return s
}

// Skipahead is skipahead: the state moves on by n words. A number that is kept stays.
func (s *State) Skipahead(n uint64) {
	blocks := n / 4
	if s.at += uint32(n % 4); s.at > 3 {
		s.at -= 4
		blocks++
	}
	s.move(0, blocks)
}

// SkipaheadSequence is skipahead_sequence: the state moves on by n subsequences of 2^64
// blocks. A number that is kept stays.
func (s *State) SkipaheadSequence(n uint64) { s.move(n, 0) }

// move adds hi*2^64 + lo to the counter.
func (s *State) move(hi, lo uint64) {
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, lo, 0)
	s.hi += hi + carry
	s.out = philox.Block(s.key, skip.FromUint64s(s.hi, s.lo))
}

// Uint32 is curand: a word.
func (s *State) Uint32() uint32 {
	x := s.out[s.at]
	if s.at++; s.at == 4 {
		s.at = 0
		s.move(0, 1)
	}
	return x
}

// Uint32x4 is curand4: four words.
func (s *State) Uint32x4() (v [4]uint32) {
	n := copy(v[:], s.out[s.at:])
	s.move(0, 1)
	copy(v[n:], s.out[:])
	return v
}

// Uniform is curand_uniform: in (0,1], of one word.
func (s *State) Uniform() float32 { return mufu.Uniform(s.Uint32()) }

// Uniform4 is curand_uniform4.
func (s *State) Uniform4() (v [4]float32) {
	for i, x := range s.Uint32x4() {
		v[i] = mufu.Uniform(x)
	}
	return v
}

// UniformDouble is curand_uniform_double: a multiple of 2^-32 in (0,1], of one word only.
func (s *State) UniformDouble() float64 { return coarse(s.Uint32()) }

// Uniform2Double is curand_uniform2_double: in (0,1], two words each.
func (s *State) Uniform2Double() [2]float64 {
	w := s.Uint32x4()
	return [2]float64{mufu.UniformDouble(w[0], w[1]), mufu.UniformDouble(w[2], w[3])}
}

// Uniform4Double is curand_uniform4_double.
func (s *State) Uniform4Double() [4]float64 {
	a, b := s.Uniform2Double(), s.Uniform2Double()
	return [4]float64{a[0], a[1], b[0], b[1]}
}

// Normal is curand_normal: of two words every other call.
func (s *State) Normal() float32 {
	if s.kept == keptNormal {
		s.kept = keptNothing
		return s.extra
	}
	v := s.Normal2()
	s.kept, s.extra = keptNormal, v[1]
	return v[0]
}

// Normal2 is curand_normal2.
func (s *State) Normal2() [2]float32 {
	x := s.Uint32()
	z0, z1 := mufu.Normal(x, s.Uint32())
	return [2]float32{z0, z1}
}

// Normal4 is curand_normal4.
func (s *State) Normal4() (v [4]float32) {
	w := s.Uint32x4()
	v[0], v[1] = mufu.Normal(w[0], w[1])
	v[2], v[3] = mufu.Normal(w[2], w[3])
	return v
}

// NormalDouble is curand_normal_double: of four words every other call.
func (s *State) NormalDouble() float64 {
	if s.kept64 == keptNormal {
		s.kept64 = keptNothing
		return s.extra64
	}
	v := s.Normal2Double()
	s.kept64, s.extra64 = keptNormal, v[1]
	return v[0]
}

// Normal2Double is curand_normal2_double.
func (s *State) Normal2Double() [2]float64 {
	w := s.Uint32x4()
	z0, z1 := mufu.NormalDouble(w[0], w[1], w[2], w[3])
	return [2]float64{z0, z1}
}

// Normal4Double is curand_normal4_double.
func (s *State) Normal4Double() [4]float64 {
	a, b := s.Normal2Double(), s.Normal2Double()
	return [4]float64{a[0], a[1], b[0], b[1]}
}

// LogNormal is curand_log_normal: e to the power of a normal number with this mean and
// deviation.
func (s *State) LogNormal(mean, stddev float32) float32 {
	if s.kept == keptLogNormal {
		s.kept = keptNothing
		return s.extra
	}
	v := s.LogNormal2(mean, stddev)
	s.kept, s.extra = keptLogNormal, v[1]
	return v[0]
}

// LogNormal2 is curand_log_normal2.
func (s *State) LogNormal2(mean, stddev float32) [2]float32 {
	v := s.Normal2()
	for i, z := range v {
		v[i] = logNormal(z, mean, stddev)
	}
	return v
}

// LogNormal4 is curand_log_normal4.
func (s *State) LogNormal4(mean, stddev float32) [4]float32 {
	v := s.Normal4()
	for i, z := range v {
		v[i] = logNormal(z, mean, stddev)
	}
	return v
}

// LogNormalDouble is curand_log_normal_double.
func (s *State) LogNormalDouble(mean, stddev float64) float64 {
	if s.kept64 == keptLogNormal {
		s.kept64 = keptNothing
		return s.extra64
	}
	v := s.LogNormal2Double(mean, stddev)
	s.kept64, s.extra64 = keptLogNormal, v[1]
	return v[0]
}

// LogNormal2Double is curand_log_normal2_double.
func (s *State) LogNormal2Double(mean, stddev float64) [2]float64 {
	v := s.Normal2Double()
	for i, z := range v {
		v[i] = logNormal64(z, mean, stddev)
	}
	return v
}

// LogNormal4Double is curand_log_normal4_double.
func (s *State) LogNormal4Double(mean, stddev float64) [4]float64 {
	v := s.Normal4Double()
	for i, z := range v {
		v[i] = logNormal64(z, mean, stddev)
	}
	return v
}

// coarse is _curand_uniform_double of one word, which adds a whole step of 2^-32. All of it is
// exact.
func coarse(x uint32) float64 { return float64(float64(x)*0x1p-32) + 0x1p-32 }

func logNormal(z, mean, stddev float32) float32 { return mufu.Expf(poly.FMA32(z, stddev, mean)) }

func normal64(z, mean, stddev float64) float64 { return math.FMA(z, stddev, mean) }

func logNormal64(z, mean, stddev float64) float64 { return mufu.Exp(math.FMA(z, stddev, mean)) }
