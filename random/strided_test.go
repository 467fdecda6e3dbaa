package random_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/random"
	"github.com/philox-go/rng/skip"
)

// indices lists where the elements of a view are, one nested loop at a time.
func indices(offset int, shape, strides []int) []int {
	if len(shape) == 0 {
		return []int{offset}
	}
	var all []int
	for i := range shape[0] {
		all = append(all, indices(offset+i*strides[0], shape[1:], strides[1:])...)
	}
	return all
}

// stridedBy is Strided of an operator with its generator.
func stridedBy[T any](g *random.Generator, view random.View[T], fill func(g *random.Generator, dst []T) error) error {
	return random.Strided(view, func(dst []T) error { return fill(g, dst) })
}

// A stridedFill is an operator for views of a type.
type stridedFill interface {
	test(t *testing.T, shape, strides []int, about string)
}

type strided[T any] struct {
	name string
	fill func(g *random.Generator, dst []T) error
}

// test fills a view of a shape, wherever its strides lead, and compares the whole
// memory.
func (s strided[T]) test(t *testing.T, shape, strides []int, about string) {
	t.Helper()
	// The least memory that holds the view, with something on both sides.
	least, most := 0, 0
	empty := slices.Contains(shape, 0)
	for d := range shape {
		reach := (shape[d] - 1) * strides[d]
		if !empty {
			least, most = min(least, least+reach), max(most, most+reach)
		}
	}
	const side = 3
	data := make([]T, side-least+most+1+side)
	before := slices.Clone(data)
	view := random.View[T]{Data: data, Offset: side - least, Shape: shape, Strides: strides}
	places := indices(view.Offset, shape, strides)
	n, err := view.Len()
	require.NoError(t, err, "%s: %s", s.name, about)
	require.Equal(t, len(places), n)

	g, h := at(t, 8, 9, 1<<32-1000), at(t, 8, 9, 1<<32-1000)
	line := make([]T, n)
	require.NoError(t, s.fill(h, line))
	for i, place := range places {
		before[place] = line[i] // of two that meet the later one stays
	}
	require.NoError(t, stridedBy(g, view, s.fill), "%s: %s", s.name, about)
	sameMemory(t, before, data, "%s: %s", s.name, about)
	equal(t, h, g)
}

// One word for an element, two, elements that are drawn again, and other sizes.
var stridedFills = []stridedFill{
	strided[float32]{"normal", func(g *random.Generator, dst []float32) error { return random.Normal(g, dst, 0, 1) }},
	strided[float64]{"normal", func(g *random.Generator, dst []float64) error { return random.Normal(g, dst, 0, 1) }},
	strided[float32]{"truncated", func(g *random.Generator, dst []float32) error { return random.TruncatedNormal(g, dst, 0, 1, -1, 2) }},
	strided[int64]{"wide", func(g *random.Generator, dst []int64) error { return random.IntRange(g, dst, 0, 3<<61) }},
	strided[int8]{"narrow", func(g *random.Generator, dst []int8) error { return random.IntN(g, dst, -100, 100) }},
	strided[bool]{"choice", func(g *random.Generator, dst []bool) error { return random.Bernoulli(g, dst, 0.5) }},
	strided[uint16]{"half", func(g *random.Generator, dst []uint16) error {
		return random.UniformHalf(g, dst, random.Float16, 1, 2)
	}},
	strided[uint16]{"log-normal", func(g *random.Generator, dst []uint16) error {
		return random.LogNormalHalf(g, dst, random.BFloat16, 1, 2)
	}},
	strided[float64]{"Gumbel", func(g *random.Generator, dst []float64) error { return random.Gumbel(g, dst, 1, 2) }},
}

func TestStridedShapes(t *testing.T) {
	for i, s := range stridedFills {
		for _, tt := range []struct{ shape, strides []int }{
			{nil, nil}, {[]int{0}, []int{1}}, {[]int{1}, []int{0}}, {[]int{1}, []int{math.MaxInt}}, {[]int{1}, []int{math.MinInt}},
			{[]int{7}, []int{1}}, {[]int{7}, []int{-1}}, {[]int{7}, []int{0}}, {[]int{7}, []int{3}}, {[]int{7}, []int{-3}},
			{[]int{3, 4}, []int{4, 1}}, {[]int{3, 4}, []int{1, 3}}, {[]int{3, 4}, []int{-4, 1}}, {[]int{3, 4}, []int{4, -1}}, {[]int{3, 4}, []int{0, 1}}, {[]int{3, 4}, []int{1, 1}},
			{[]int{3, 0, 4}, []int{1 << 30, 1, 1}}, {[]int{2, 3, 1, 5}, []int{1, 2, 100, 6}}, {[]int{1, 1, 1, 1}, []int{5, -5, 0, 9}},
		} {
			s.test(t, tt.shape, tt.strides, fmt.Sprint(tt))
		}
		if i%reducedStep(3) != 0 {
			continue
		}
		for _, n := range []int{1023, 40_001} {
			s.test(t, []int{n}, []int{-2}, fmt.Sprint(n))
		}
		s.test(t, []int{129, 1, 257}, []int{1, 0, 130}, "transposed")
		s.test(t, []int{33, 2, 500}, []int{-1000, 0, 1}, "the same rows twice")
	}
}

func TestStridedRandomShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for range reduced(300) {
		dims := r.IntN(5)
		shape, strides := make([]int, dims), make([]int, dims)
		for d := range shape {
			shape[d], strides[d] = r.IntN(9), r.IntN(21)-10
			if r.IntN(4) > 0 {
				shape[d]++
			}
		}
		if dims > 0 && r.IntN(20) == 0 {
			shape[r.IntN(dims)] = 2000
		}
		stridedFills[r.IntN(len(stridedFills))].test(t, shape, strides, fmt.Sprint(shape, strides))
	}
}

// Every dimension in an order of its own: the walk against a permutation.
func TestStridedTransposed(t *testing.T) {
	shape := []int{3, 4, 5, 2}
	g, h := at(t, 1, 0, 0), at(t, 1, 0, 0)
	data, line := make([]float64, 120), make([]float64, 120)
	require.NoError(t, random.Uniform(h, line, 0, 1))
	view := random.View[float64]{Data: data, Shape: shape, Strides: []int{1, 3, 12, 60}}
	require.NoError(t, stridedBy(g, view, func(g *random.Generator, dst []float64) error { return random.Uniform(g, dst, 0, 1) }))
	i := 0
	for a := range 3 {
		for b := range 4 {
			for c := range 5 {
				for d := range 2 {
					require.Equal(t, line[i], data[a+3*b+12*c+60*d])
					i++
				}
			}
		}
	}
}

func TestViewErrors(t *testing.T) {
	const large = math.MaxInt
	data := make([]byte, 10)
	for _, tt := range []struct {
		offset         int
		shape, strides []int
		n              int
		arg, value     string
	}{
		{0, nil, nil, 1, "", ""}, {9, nil, nil, 1, "", ""}, {9, []int{10}, []int{-1}, 10, "", ""}, {1, []int{3, 3}, []int{3, 1}, 9, "", ""},
		{4, []int{large}, []int{0}, large, "", ""}, {4, []int{0, large, large}, []int{1, 1, 1}, 0, "", ""}, {77, []int{2, 0}, []int{1, 1}, 0, "", ""},
		{5, []int{2, 2}, []int{4, -5}, 4, "", ""}, {0, []int{1, 1}, []int{large, math.MinInt}, 1, "", ""}, {0, []int{2, 5}, []int{5, 1}, 10, "", ""},
		{0, []int{1}, nil, 0, "len(Strides)", "0"}, {0, nil, []int{1}, 0, "len(Strides)", "1"}, {0, []int{0}, []int{1, 2}, 0, "len(Strides)", "2"},
		{0, []int{-1}, []int{1}, 0, "Shape[0]", "-1"}, {0, []int{0, math.MinInt}, []int{1, 1}, 0, "Shape[1]", fmt.Sprint(math.MinInt)},
		{-1, nil, nil, 0, "Offset", "-1"}, {10, nil, nil, 0, "Offset", "10"}, {10, []int{1}, []int{-1}, 0, "Offset", "10"}, {math.MinInt, []int{1}, []int{1}, 0, "Offset", fmt.Sprint(math.MinInt)},
		{0, []int{11}, []int{1}, 0, "Strides[0]", "1"}, {1, []int{10}, []int{1}, 0, "Strides[0]", "1"}, {8, []int{10}, []int{-1}, 0, "Strides[0]", "-1"},
		{0, []int{2, 5}, []int{6, 1}, 0, "Strides[1]", "1"}, {0, []int{2, 5}, []int{10, 1}, 0, "Strides[0]", "10"}, {3, []int{2, 2}, []int{-2, -2}, 0, "Strides[1]", "-2"},
		{0, []int{2}, []int{large}, 0, "Strides[0]", fmt.Sprint(large)}, {9, []int{2}, []int{math.MinInt}, 0, "Strides[0]", fmt.Sprint(math.MinInt)},
		{9, []int{3}, []int{math.MinInt}, 0, "Strides[0]", fmt.Sprint(math.MinInt)}, {0, []int{large}, []int{large}, 0, "Strides[0]", fmt.Sprint(large)},
		{0, []int{large, 2}, []int{0, 0}, 0, "Shape", fmt.Sprint([]int{large, 2})}, {0, []int{large/2 + 1, 2}, []int{0, 0}, 0, "Shape", fmt.Sprint([]int{large/2 + 1, 2})},
		{0, []int{large, large, large}, []int{0, 0, 0}, 0, "Shape", fmt.Sprint([]int{large, large, large})}, {0, []int{large / 2, 2}, []int{0, 0}, large - 1, "", ""},
	} {
		view := random.View[byte]{Data: data, Offset: tt.offset, Shape: tt.shape, Strides: tt.strides}
		n, err := view.Len()
		if tt.arg == "" {
			require.NoError(t, err, "%v", tt)
			require.Equal(t, tt.n, n, "%v", tt)
			continue
		}
		g := at(t, 1, 2, 3)
		calls := 0
		for _, err := range []error{err, stridedBy(g, view, func(*random.Generator, []byte) error { calls++; return nil })} {
			var arg *skip.ArgumentError
			require.ErrorAs(t, err, &arg, "%v", tt)
			require.Equal(t, skip.ArgumentError{Package: "random", Arg: tt.arg, Value: tt.value, Reason: arg.Reason}, *arg, "%v", tt)
			require.NotEmpty(t, arg.Reason)
		}
		require.Zero(t, n)
		require.Zero(t, calls)
		equal(t, at(t, 1, 2, 3), g)
	}
	// Of no memory.
	n, err := random.View[byte]{Shape: []int{0}, Strides: []int{1}}.Len()
	require.NoError(t, err)
	require.Zero(t, n)
	_, err = random.View[byte]{}.Len()
	require.Error(t, err)
}

// Errors of what fills come before anything is written or taken.
func TestStridedErrors(t *testing.T) {
	normals := func(g *random.Generator, dst []float32) error { return random.Normal(g, dst, 0, 1) }
	truncated := func(g *random.Generator, dst []float32) error { return random.TruncatedNormal(g, dst, 0, 1, -1, 1) }
	wrong := func(g *random.Generator, dst []float32) error { return random.Normal(g, dst, 0, -1) }
	for _, n := range []int{1, 5, 50_000} {
		blocks := uint64(n+3) / 4
		nearEnd := func(missing uint64) *random.Generator {
			if missing == blocks {
				return exhausted(t, 1, 2)
			}
			return at(t, 1, 2, missing-blocks)
		}
		for _, tt := range []struct {
			name string
			g    *random.Generator
			fill func(*random.Generator, []float32) error
			want any
		}{
			{"bad argument", at(t, 1, 2, 3), wrong, new(*skip.ArgumentError)},
			{"late stream", at(t, 1, 1<<48, 3), truncated, new(*skip.ArgumentError)},
			{"exhausted", exhausted(t, 1, 2), normals, new(*random.ExhaustedError)},
			{"a block too few", nearEnd(1), normals, new(*random.ExhaustedError)},
			{"GPU", random.NewGenerator(random.CUDA(0), 1), normals, new(*random.DeviceError)},
		} {
			data := slices.Repeat([]float32{7}, n+1)
			view := random.View[float32]{Data: data, Offset: n, Shape: []int{n}, Strides: []int{-1}}
			before := tt.g.State()
			require.ErrorAs(t, stridedBy(tt.g, view, tt.fill), tt.want, "%s, n = %d", tt.name, n)
			require.Equal(t, slices.Repeat([]float32{7}, n+1), data, "%s, n = %d", tt.name, n)
			require.Equal(t, before, tt.g.State(), "%s, n = %d", tt.name, n)
		}
		g := nearEnd(0)
		require.NoError(t, stridedBy(g, random.View[float32]{Data: make([]float32, n), Shape: []int{n}, Strides: []int{1}}, normals))
		assert.True(t, g.Exhausted())
	}
	// An error of what fills no elements.
	require.Error(t, stridedBy(at(t, 1, 2, 3), random.View[float32]{Shape: []int{0}, Strides: []int{1}}, wrong))
}

// Operators that look at other slices beside what they fill have those whole.
func TestStridedBesideOtherSlices(t *testing.T) {
	const n = 20_000
	backwards := func(data []float32) random.View[float32] {
		return random.View[float32]{Data: data, Offset: n - 1, Shape: []int{n}, Strides: []int{-1}}
	}
	p := make([]float64, n)
	src, mask, wantMask := make([]float32, n), make([]byte, random.MaskBytes(n)), make([]byte, random.MaskBytes(n))
	for i := range p {
		p[i] = float64(i) / n
		src[i] = float32(i + 1)
	}
	got, want := make([]float32, n), make([]float32, n)
	require.NoError(t, random.BernoulliEach(at(t, 1, 2, 3), want, p))
	require.NoError(t, random.Strided(backwards(got), func(dst []float32) error { return random.BernoulliEach(at(t, 1, 2, 3), dst, p) }))
	slices.Reverse(got)
	require.Equal(t, want, got)

	require.NoError(t, random.Dropout(at(t, 1, 2, 3), want, wantMask, src, 0.3, true))
	require.NoError(t, random.Strided(backwards(got), func(dst []float32) error {
		return random.Dropout(at(t, 1, 2, 3), dst, mask, src, 0.3, true)
	}))
	slices.Reverse(got)
	require.Equal(t, want, got)
	require.Equal(t, wantMask, mask)
}

// Where the elements lie side by side they are filled where they are.
func TestStridedWithoutMemory(t *testing.T) {
	data := make([]float32, 100)
	for _, tt := range []struct {
		shape, strides []int
		own            bool
	}{
		{[]int{24}, []int{1}, false}, {[]int{2, 3, 4}, []int{12, 4, 1}, false}, {[]int{2, 1, 12}, []int{12, 77, 1}, false}, {[]int{1}, []int{5}, false}, {nil, nil, false},
		{[]int{24}, []int{2}, true}, {[]int{2, 12}, []int{13, 1}, true}, {[]int{12, 2}, []int{1, 12}, true}, {[]int{2}, []int{-1}, true}, {[]int{2}, []int{0}, true},
	} {
		view := random.View[float32]{Data: data, Offset: 30, Shape: tt.shape, Strides: tt.strides}
		require.NoError(t, random.Strided(view, func(dst []float32) error {
			assert.Equal(t, tt.own, &dst[0] != &data[30], "%v", tt)
			assert.Equal(t, len(dst), cap(dst), "%v", tt)
			return nil
		}))
	}
}

func TestStridedOfTheDefaultGenerator(t *testing.T) {
	forget(t)
	for _, n := range []int{5, 40_000} {
		random.ManualSeed(3)
		want, got := make([]float64, n), make([]float64, n)
		fill := func(g *random.Generator, dst []float64) error { return random.Exponential(g, dst, 1) }
		require.NoError(t, fill(random.NewGenerator(random.CPU(), 3), want))
		require.NoError(t, stridedBy(nil, random.View[float64]{Data: got, Shape: []int{n}, Strides: []int{1}}, fill))
		require.Equal(t, want, got)
		require.Equal(t, uint64(n+1)/2, random.Default(random.CPU()).Offset())
	}
}
