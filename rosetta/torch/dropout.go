package torch

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/philox-go/rng/internal/poly"
	"github.com/philox-go/rng/rosetta/internal/engine"
)

// A Storage says what of a tensor's memory decides which numbers dropout takes, beside its
// length. The zero value is that of a tensor of its own: elements side by side, from the
// start of an allocation on.
type Storage struct {
	// Offset is where the tensor begins in its allocation, in elements: storage_offset().
	Offset int
	// Gaps says that the elements are not all of those between the first and the last
	// one, so that the tensor is not dense, in any order of its dimensions. The elements
	// are then counted in the order of the indices, and else in that of memory.
	Gaps bool
}

// vector returns how many elements dropout's kernel takes at a time: as many as 16 bytes
// hold, or a half or fourth of it and so on as the address and the length allow.
func (st Storage) vector(n uint64, size int) int {
	if st.Gaps {
		return 1
	}
	v := uint64(16 / size)
	return int(min(v, 1<<bits.TrailingZeros64(uint64(st.Offset)|n|v)))
}

// dropoutUniforms are the numbers that dropout compares, which are float32 for every type.
func dropoutUniforms(s source, n uint64, size int, st Storage) numbers[float32] {
	if n == 0 {
		return numbers[float32]{after: s.offset, fill: func([]float32, uint64) {}}
	}
	l, c := s.layout(n, s.offset), engine.Open32()
	if v := st.vector(n, size); v > 1 {
		// Each thread takes v neighbours at a time, of one block or, if 8, of two.
		l.Strided = false
		c.PerBlock = min(v, 4)
		l.Depth = max(v/4, 1)
	}
	return numbers[float32]{n: n, after: s.offset + 4*s.rows(n, 4), fill: func(dst []float32, first uint64) {
		engine.Fill(l, c, dst, first)
	}}
}

func dropoutMask[T Float](s source, n uint64, p float64, st Storage) (numbers[bool], error) {
	switch {
	case !(p >= 0 && p <= 1):
		return numbers[bool]{}, bad("p", p, "must be 0 to 1")
	case st.Offset < 0:
		return numbers[bool]{}, bad("storage's offset", st.Offset, "must be at least 0")
	case p == 1: // nothing is drawn
		return numbers[bool]{n: n, after: s.offset, fill: func(dst []bool, _ uint64) { clear(dst) }}, nil
	}
	u, limit := dropoutUniforms(s, n, size[T](), st), keepLimit[T](p)
	return numbers[bool]{n: n, after: u.after, fill: func(dst []bool, first uint64) {
		chunks(u, len(dst), first, func(i int, part []float32) {
			for j, x := range part {
				dst[i+j] = float64(x) < limit
			}
		})
	}}, nil
}

// keepLimit is what a number is below whose element is kept.
func keepLimit[T Float](p float64) float64 {
	if wide[T]() {
		return 1 - p
	}
	return float64(float32(1 - p))
}

// chunks calls f with the numbers first, first+1, ..., some at a time.
func chunks(u numbers[float32], n int, first uint64, f func(i int, part []float32)) {
	const most = 1 << 20
	buf := make([]float32, min(n, most))
	for i := 0; i < n; i += most {
		part := buf[:min(n-i, most)]
		u.fill(part, first+uint64(i))
		f(i, part)
	}
}

// scaled sets dst to src where it is kept, times 1/(1-p), and to 0 elsewhere, times the same
// and with src's sign: PyTorch multiplies by a mask of 0 and 1. With p = 1 all are 0.
func scaled[T Float](dst, src []T, kept []bool, p float64) {
	if p == 1 {
		clear(dst)
		return
	}
	if wide[T]() {
		d, s := slice[float64](dst), slice[float64](src)
		scale := 1 / (1 - p)
		for i, x := range s {
			d[i] = x * mask[float64](kept[i]) * scale
		}
		return
	}
	scale := 1 / float32(1-p)
	in32(dst, src, func(i int, x float32) float32 {
		x = x * mask[float32](kept[i]) * scale
		if x != x {
			return math.Float32frombits(nan32)
		}
		return x
	})
}

func mask[T float32 | float64](kept bool) T {
	if kept {
		return 1
	}
	return 0
}

// BernoulliTensor is bernoulli_(p) with a tensor of probabilities, or torch.bernoulli(p):
// dst[i] is 1 with probability p[i], and else 0. Both lie side by side. PyTorch converts
// the probabilities to float64 where dst's are, and else to float32.
func BernoulliTensor[T Element, P Float](g *Generator, dst []T, p []P) error {
	if len(p) != len(dst) {
		return bad("len(p)", len(p), "must be len(dst)")
	}
	for _, x := range p {
		if f := float64Of(x); !(f >= 0 && f <= 1) {
			return bad("p", f, "must be 0 to 1")
		}
	}
	return draw(g, dst, func(s source, n uint64) (numbers[T], error) {
		return bernoulliTensor[T](s, n, func(i uint64) float64 { return float64Of(p[i]) }), nil
	})
}

// float64Of is the number of an element.
func float64Of[T Float](x T) float64 {
	switch v := any(x).(type) {
	case float32:
		return float64(v)
	case Float16:
		return float64(poly.FromFloat16(uint16(v)))
	case BFloat16:
		return float64(poly.FromBFloat16(uint16(v)))
	}
	return any(x).(float64)
}

// tensorReserve is what bernoulli_ with a tensor moves the generator on by, at any length
// above 0.
const tensorReserve = 12

func bernoulliTensor[T Element](s source, n uint64, p func(i uint64) float64) numbers[T] {
	u := numbers[float32]{fill: func(dst []float32, first uint64) {
		// Thread t has elements 4t to 4t+3, however many threads that takes.
		engine.Fill(&engine.Layout{Key: s.seed, Block: s.offset / 4, Threads: 1 << 32, Depth: 1}, engine.Open32(), dst, first)
	}}
	after := s.offset
	if n > 0 {
		after += tensorReserve
	}
	return numbers[T]{n: n, after: after, fill: func(dst []T, first uint64) {
		chunks(u, len(dst), first, func(i int, part []float32) {
			for j, x := range part {
				limit := p(first + uint64(i+j))
				if !wide[T]() {
					limit = float64(float32(limit))
				}
				part[j] = mask[float32](float64(x) <= limit)
			}
			cast32(dst[i:i+len(part)], part)
		})
	}}
}

// Dropout is native_dropout(src, p, true) of tensors that have their memory side by side:
// mask[i] says whether element i was kept, and dst[i] is src[i]*mask[i] times 1/(1-p),
// rounded as PyTorch rounds. With p = 1 nothing is drawn. With p = 0 numbers are, and one in
// 2^25 elements is dropped all the same, whose number is 1; torch.nn.functional.dropout does
// not ask native_dropout then, nor where it is not training. dst may be src.
func Dropout[T Float](g *Generator, dst []T, mask []bool, src []T, p float64) error {
	return DropoutStorage(g, dst, mask, src, p, Storage{})
}

// DropoutStorage is [Dropout] of tensors that begin elsewhere in their memory, or have
// gaps there; see [Storage]. The slices hold their elements in the order that Storage
// says.
func DropoutStorage[T Float](g *Generator, dst []T, mask []bool, src []T, p float64, st Storage) error {
	switch {
	case len(mask) != len(src):
		return bad("len(mask)", len(mask), "must be len(src)")
	case len(dst) != len(src):
		return bad("len(dst)", len(dst), "must be len(src)")
	case len(dst) > 0 && unsafe.SliceData(dst) != unsafe.SliceData(src) && overlap(dst, src):
		return bad("dst", "part of src", "must be src's memory or none of it")
	}
	return draw(g, mask, func(s source, n uint64) (numbers[bool], error) {
		x, err := dropoutMask[T](s, n, p, st)
		if err != nil {
			return x, err
		}
		fill := x.fill
		x.fill = func(m []bool, first uint64) {
			fill(m, first)
			scaled(dst, src, m, p)
		}
		return x, nil
	})
}

// overlap reports whether two slices have memory in common.
func overlap[T any](a, b []T) bool {
	from, to := uintptr(unsafe.Pointer(unsafe.SliceData(a))), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	n := unsafe.Sizeof(*new(T))
	return from < to+n*uintptr(len(b)) && to < from+n*uintptr(len(a))
}
