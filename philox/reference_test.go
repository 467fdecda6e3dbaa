package philox_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/poly"
	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/normal"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

// The reference: every kind of element by the sequence contract's own words, from
// Block (which the known answers pin down), math/big and whole numbers, with
// nothing of the package's conversions, counters or kernels.

const (
	ones32 = ^uint32(0)
	ones64 = ^uint64(0)
)

var full = philox.Counter{ones32, ones32, ones32, ones32}

// newRand returns the same numbers in every run; seeds tell tests apart.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func randomCounter(r *rand.Rand) philox.Counter {
	return philox.Counter{r.Uint32(), r.Uint32(), r.Uint32(), r.Uint32()}
}

func bigUint(x uint64) *big.Int { return new(big.Int).SetUint64(x) }

// ahead returns the counter n blocks after c, mod 2^128.
func ahead(c philox.Counter, n *big.Int) philox.Counter {
	x := new(big.Int)
	for i := 3; i >= 0; i-- {
		x.Lsh(x, 32).Or(x, bigUint(uint64(c[i])))
	}
	x.Add(x, n).Mod(x, new(big.Int).Lsh(big.NewInt(1), 128)) // Euclidean: n may be negative
	for i := range c {
		c[i] = uint32(new(big.Int).Rsh(x, uint(32*i)).Uint64())
	}
	return c
}

// next is ahead by 1, as one carries by hand.
func next(c philox.Counter) philox.Counter {
	for i := range c {
		if c[i]++; c[i] != 0 {
			break
		}
	}
	return c
}

// A number is an element of a fill.
type number interface {
	uint8 | uint32 | uint64 | float32 | float64
}

// A kind is one of the things that a Stream fills a slice with. Slices travel as
// memory, bytes in the machine's own order, so that one test serves all kinds.
type kind struct {
	name     string
	size     int // bytes of an element
	perBlock int
	shared   int // bytes from which fills are parallel
	piece    int // bytes of the smallest pieces
	fill     func(s philox.Stream, dst []byte)
	fillAt   func(s philox.Stream, dst []byte, first uint64)
	// put writes element lane of a block.
	put func(dst []byte, block [4]uint32, lane int)
	// littleEndian returns the elements in dst as little-endian bytes.
	littleEndian func(dst []byte) []byte
}

func newKind[T number](name string, id asm.Kind, fill func(philox.Stream, []T), fillAt func(philox.Stream, []T, uint64), element func([4]uint32, int) T) kind {
	size := int(unsafe.Sizeof(*new(T)))
	return kind{
		name: name, size: size, perBlock: 16 / size,
		shared: philox.ParallelBytes(id), piece: philox.MinPieceBytes(id),
		fill:   func(s philox.Stream, dst []byte) { fill(s, view.Of[T](dst)) },
		fillAt: func(s philox.Stream, dst []byte, first uint64) { fillAt(s, view.Of[T](dst), first) },
		put:    func(dst []byte, block [4]uint32, lane int) { view.Of[T](dst)[0] = element(block, lane) },
		littleEndian: func(dst []byte) []byte {
			b, err := binary.Append(nil, binary.LittleEndian, view.Of[T](dst))
			if err != nil {
				panic(err) // T has a fixed size
			}
			return b
		},
	}
}

var kinds = []kind{
	newKind("uint32", asm.Uint32, philox.Stream.FillUint32, philox.Stream.FillUint32At,
		func(b [4]uint32, i int) uint32 { return b[i] }),
	newKind("uint64", asm.Uint64, philox.Stream.FillUint64, philox.Stream.FillUint64At, refUint64),
	newKind("bytes", asm.Bytes, philox.Stream.FillBytes, philox.Stream.FillBytesAt,
		func(b [4]uint32, i int) uint8 { return uint8(b[i/4] >> (8 * (i % 4))) }),
	newKind("float32", asm.Float32, philox.Stream.FillFloat32, philox.Stream.FillFloat32At,
		func(b [4]uint32, i int) float32 { return refUniform32(b[i]) }),
	newKind("open", asm.OpenFloat32, philox.Stream.FillOpenFloat32, philox.Stream.FillOpenFloat32At,
		func(b [4]uint32, i int) float32 { return refOpen(b[i]) }),
	newKind("float64", asm.Float64, philox.Stream.FillFloat64, philox.Stream.FillFloat64At,
		func(b [4]uint32, i int) float64 { return refUniform64(refUint64(b, i)) }),
	newKind("normal32", asm.Normal32, normal.FillFloat32, normal.FillFloat32At, refNormal32),
	newKind("normal64", asm.Normal64, normal.FillFloat64, normal.FillFloat64At, refNormal64),
}

// eachKind runs f as a subtest for every kind.
func eachKind(t *testing.T, f func(t *testing.T, k kind)) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) { f(t, k) })
	}
}

func refUint64(b [4]uint32, i int) uint64 { return uint64(b[2*i]) | uint64(b[2*i+1])<<32 }

// The pairs of normals have tests of their own in internal/poly; here they are only
// to come from the right words.
func refNormal32(b [4]uint32, i int) float32 {
	z0, z1 := poly.Normal32(b[i&^1], b[i|1])
	return [2]float32{z0, z1}[i%2]
}

func refNormal64(b [4]uint32, i int) float64 {
	z0, z1 := poly.Normal64(refUint64(b, 0), refUint64(b, 1))
	return [2]float64{z0, z1}[i]
}

func refUniform32(x uint32) float32 { return float32(math.Ldexp(float64(x&0x7fffff), -23)) }

func refUniform64(x uint64) float64 { return math.Ldexp(float64(x&(1<<52-1)), -52) }

// refOpen is min(fl(fl(x)*2^-32 + 2^-33), 1-2^-24) in whole numbers: both sides
// of the rounding are multiples of 2^-33. refOpenBig checks it.
func refOpen(x uint32) float32 {
	y := round24(2*round24(uint64(x)) + 1)
	return float32(math.Ldexp(float64(min(y, 1<<33-1<<9)), -33))
}

// round24 rounds x to 24 significant bits, ties to even.
func round24(x uint64) uint64 {
	drop := max(bits.Len64(x)-24, 0)
	unit := uint64(1) << drop
	rest, down := x%unit, x-x%unit
	if 2*rest > unit || 2*rest == unit && down&unit != 0 {
		return down + unit
	}
	return down
}

// refOpenBig is refOpen with 24-bit big.Floats, which round to nearest even.
func refOpenBig(x uint32) float32 {
	newFloat := func() *big.Float { return new(big.Float).SetPrec(24).SetMode(big.ToNearestEven) }
	y := newFloat().SetInt(bigUint(uint64(x)))
	y.SetMantExp(y, -32) // exact
	y = newFloat().Add(y, big.NewFloat(0x1p-33))
	if limit := big.NewFloat(1 - 0x1p-24); y.Cmp(limit) > 0 {
		y = limit
	}
	f, acc := y.Float32()
	if acc != big.Exact {
		panic("24 bits do not fit a float32")
	}
	return f
}

// want returns elements first, first+1, ... first+n-1 of a stream, where indexes
// go on past 2^64.
func (k kind) want(s philox.Stream, first uint64, n int) []byte {
	out := memory(n*k.size, 0).mem
	c := ahead(s.Counter(), bigUint(first/uint64(k.perBlock)))
	lane := int(first % uint64(k.perBlock))
	for block, at := philox.Block(s.Key(), c), 0; at < len(out); at += k.size {
		k.put(out[at:at+k.size], block, lane)
		if lane++; lane == k.perBlock {
			lane, c = 0, next(c)
			block = philox.Block(s.Key(), c)
		}
	}
	return out
}

// get returns what FillAt writes, and fails the test if it writes elsewhere.
func (k kind) get(t testing.TB, s philox.Stream, first uint64, n int) []byte {
	t.Helper()
	b := memory(n*k.size, 0)
	k.fillAt(s, b.mem, first)
	b.check(t)
	return b.mem
}

// equalMemory is require.Equal without the megabytes in its message.
func equalMemory(t testing.TB, want, got []byte, size int, format string, args ...any) {
	t.Helper()
	if bytes.Equal(want, got) {
		return
	}
	require.Len(t, got, len(want))
	for i := 0; i < len(want); i += size {
		w, g := want[i:i+size], got[i:i+size]
		if !bytes.Equal(w, g) {
			require.Equal(t, w, g, append([]any{"element %d: " + format, i / size}, args...)...)
		}
	}
}

// A canary is memory with a pattern on both sides of it.
type canary struct {
	mem, before, after []byte
}

const (
	canaryBytes = 192 // more than any kernel writes at once
	canaryByte  = 0xA5
)

// memory returns n zero bytes that begin lead bytes past an address divisible
// by 64.
func memory(n, lead int) canary {
	words := make([]uint64, (n+lead+2*canaryBytes+64)/8+1)
	all := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 8*len(words))
	at := canaryBytes + lead
	at += int(-uintptr(unsafe.Pointer(&all[canaryBytes])) % 64)
	c := canary{mem: all[at : at+n : at+n], before: all[:at], after: all[at+n:]}
	for _, side := range [][]byte{c.before, c.after} {
		for i := range side {
			side[i] = canaryByte
		}
	}
	return c
}

func (c canary) check(t testing.TB) {
	t.Helper()
	for _, side := range [][]byte{c.before, c.after} {
		if bytes.Count(side, []byte{canaryByte}) != len(side) {
			require.Failf(t, "wrote outside the slice", "a slice of %d bytes; before it % x, after it % x", len(c.mem), c.before, c.after)
		}
	}
}

// setProcs sets GOMAXPROCS for the rest of a test.
func setProcs(t testing.TB, n int) {
	before := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// bytesOf is view's inverse.
func bytesOf[T number](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}
