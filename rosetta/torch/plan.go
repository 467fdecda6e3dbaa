package torch

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/philox-go/rng/internal/poly"
	"github.com/philox-go/rng/random"
)

// An Operator is one that [Plan] makes the numbers of.
type Operator struct {
	Name   string
	Args   string   // names, some with what they are if they are left out: "mean=0 std=1"
	DTypes []string // of the tensor
	Doc    string
}

// A Filling is what an operator makes of one tensor, any part of which can be made.
type Filling struct {
	op, dtype string
	size      int
	n, after  uint64
	fill      func(dst []byte, first uint64)
}

// Op returns the operator's name.
func (f *Filling) Op() string { return f.op }

// DType returns PyTorch's name of the elements' type.
func (f *Filling) DType() string { return f.dtype }

// Size returns the size of an element in bytes.
func (f *Filling) Size() int { return f.size }

// Len returns how many elements there are.
func (f *Filling) Len() uint64 { return f.n }

// After returns the generator's offset after the operator.
func (f *Filling) After() uint64 { return f.after }

// Fill writes the elements first, first+1, ... as many as dst has room for, each with its
// lowest byte first. dst must have whole elements, of which none is beyond the last one.
// Parts of tensors, permutations above all, may take as long as the whole.
func (f *Filling) Fill(dst []byte, first uint64) error {
	n := uint64(len(dst) / f.size)
	switch {
	case len(dst)%f.size != 0:
		return bad("len(dst)", len(dst), fmt.Sprintf("must be a multiple of the elements' %d bytes", f.size))
	case first > f.n || n > f.n-first:
		return bad("first", first, fmt.Sprintf("and %d elements must be within the %d there are", n, f.n))
	}
	if n > 0 {
		f.fill(dst, first)
	}
	return nil
}

// erase returns numbers without their type.
func erase[T Element](x numbers[T]) *Filling {
	return &Filling{dtype: dtype[T](), size: size[T](), n: x.n, after: x.after, fill: func(dst []byte, first uint64) {
		if at := uintptr(unsafe.Pointer(unsafe.SliceData(dst))); at%unsafe.Alignof(*new(T)) == 0 && hostLittle {
			x.fill(unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(dst))), len(dst)/size[T]()), first)
			return
		}
		buf := make([]T, len(dst)/size[T]())
		x.fill(buf, first)
		littleEndian(dst, buf)
	}}
}

// arguments are what an operator is given, as text.
type arguments struct {
	names  []string
	values []string
	failed error
}

func (a *arguments) float(i int) float64 {
	x, err := strconv.ParseFloat(a.values[i], 64)
	if err != nil && a.failed == nil {
		a.failed = bad(a.names[i], a.values[i], "must be a number")
	}
	return x
}

func (a *arguments) int(i int) int64 {
	x, err := strconv.ParseInt(a.values[i], 10, 64)
	if err != nil && a.failed == nil {
		a.failed = bad(a.names[i], a.values[i], "must be an integer of 64 bits")
	}
	return x
}

// last is the integer before an argument.
func (a *arguments) last(i int) int64 {
	x := a.int(i)
	if x == math.MinInt64 && a.failed == nil {
		a.failed = bad(a.names[i], a.values[i], "must be above the least integer of 64 bits")
	}
	return x - 1
}

func (a *arguments) shape(i int) (shape []int) {
	for l := range strings.SplitSeq(a.values[i], "x") {
		n, err := strconv.Atoi(l)
		if (err != nil || n < 0) && a.failed == nil {
			a.failed = bad(a.names[i], a.values[i], "must be lengths such as 64x32x3x3")
		}
		shape = append(shape, n)
	}
	return shape
}

// A maker makes an operator's numbers of one type.
type maker func(s source, n uint64, a *arguments) (*Filling, error)

// making returns the maker of what f makes. An argument that is no number is 0 to f, whose own
// complaint does not count then.
func making[T Element](f func(s source, n uint64, a *arguments) (numbers[T], error)) maker {
	return func(s source, n uint64, a *arguments) (*Filling, error) {
		x, err := f(s, n, a)
		if a.failed != nil {
			return nil, a.failed
		}
		if err != nil {
			return nil, err
		}
		return erase(x), nil
	}
}

func one[T Element](f func(s source, n uint64, p float64) (numbers[T], error)) maker {
	return making(func(s source, n uint64, a *arguments) (numbers[T], error) { return f(s, n, a.float(0)) })
}

func two[T Element](f func(s source, n uint64, a, b float64) (numbers[T], error)) maker {
	return making(func(s source, n uint64, a *arguments) (numbers[T], error) { return f(s, n, a.float(0), a.float(1)) })
}

func four[T Element](f func(s source, n uint64, a, b, c, d float64) (numbers[T], error)) maker {
	return making(func(s source, n uint64, a *arguments) (numbers[T], error) {
		return f(s, n, a.float(0), a.float(1), a.float(2), a.float(3))
	})
}

func unboundedOf[T Element]() maker {
	return making(func(s source, n uint64, _ *arguments) (numbers[T], error) { return unbounded[T](s, n), nil })
}

func fromOf[T Element]() maker {
	return making(func(s source, n uint64, a *arguments) (numbers[T], error) { return randomFrom[T](s, n, a.int(0)) })
}

func randintOf[T Element]() maker {
	return making(func(s source, n uint64, a *arguments) (numbers[T], error) {
		return randint[T](s, n, a.int(0), a.last(1))
	})
}

func bernoulliTensorOf[T Element, P float32 | float64]() maker {
	return making(func(s source, n uint64, a *arguments) (numbers[T], error) {
		line := linspace[P](a.float(0), a.float(1), n)
		return bernoulliTensor[T](s, n, func(i uint64) float64 { return float64(line(i)) }), a.within(0, 1)
	})
}

// within refuses arguments that are no probabilities.
func (a *arguments) within(is ...int) error {
	for _, i := range is {
		if p := a.float(i); a.failed == nil && !(p >= 0 && p <= 1) {
			a.failed = bad(a.names[i], a.values[i], "must be 0 to 1")
		}
	}
	return a.failed
}

func dropoutMaskOf[T Float]() maker {
	return making(func(s source, n uint64, a *arguments) (numbers[bool], error) {
		return dropoutMask[T](s, n, a.float(0), Storage{})
	})
}

func dropoutOf[T Float]() maker {
	return making(func(s source, n uint64, a *arguments) (numbers[T], error) {
		p := a.float(0)
		m, err := dropoutMask[T](s, n, p, Storage{})
		line := linspace[float32](a.float(1), a.float(2), n)
		return numbers[T]{n: n, after: m.after, fill: func(dst []T, first uint64) {
			kept := make([]bool, len(dst))
			m.fill(kept, first)
			in32(dst, dst, func(i int, _ float32) float32 { return line(first + uint64(i)) })
			scaled(dst, dst, kept, p)
		}}, err
	})
}

func permOf[T float32 | float64 | Float16 | Integer]() maker {
	return making(func(s source, n uint64, _ *arguments) (numbers[T], error) { return randPerm[T](s, n) })
}

func kaimingOf[T Float](as spread[T]) maker {
	return making(func(s source, n uint64, a *arguments) (numbers[T], error) {
		shape, k := a.shape(0), random.Kaiming{Slope: a.float(3)}
		for k.Mode = random.FanIn; k.Mode <= random.FanOut && k.Mode.String() != a.values[1]; k.Mode++ {
		}
		for k.Nonlinearity = 0; k.Nonlinearity <= random.SELU && k.Nonlinearity.String() != a.values[2]; k.Nonlinearity++ {
		}
		switch {
		case k.Mode > random.FanOut:
			return numbers[T]{}, bad("mode", a.values[1], "must be fan_in or fan_out")
		case k.Nonlinearity > random.SELU:
			return numbers[T]{}, bad("nonlinearity", a.values[2], "must be leaky_relu, relu, linear, conv, sigmoid, tanh or selu")
		}
		return weights(s, n, shape, kaiming(k), as)
	})
}

func xavierOf[T Float](as spread[T]) maker {
	return making(func(s source, n uint64, a *arguments) (numbers[T], error) {
		return weights(s, n, a.shape(0), xavier(a.float(1)), as)
	})
}

func multinomialOf[T Float]() maker {
	return making(func(s source, n uint64, a *arguments) (numbers[int64], error) {
		k := a.int(0)
		replacement, err := strconv.ParseBool(a.values[1])
		switch {
		case err != nil:
			return numbers[int64]{}, bad("replacement", a.values[1], "must be true or false")
		case k < 1 || n%uint64(k) != 0:
			return numbers[int64]{}, bad("samples", k, "must be at least 1 and divide the number of elements")
		case len(a.values) == 2:
			return numbers[int64]{}, bad("weights", "none", "must be given")
		}
		row := make([]T, len(a.values)-2)
		for i := range row {
			a.names = append(a.names, "weights")
			w := a.float(2 + i)
			if wide[T]() {
				slice[float64](row)[i] = w
			} else {
				cast32(row[i:i+1], []float32{float32(w)})
			}
		}
		rows := n / uint64(k)
		if rows > mostWeights/uint64(len(row)) {
			return numbers[int64]{}, bad("n", n, fmt.Sprintf("must be of so few rows that they have %d weights together", mostWeights))
		}
		return multinomial(s, slices.Repeat(row, int(rows)), int(rows), int(k), replacement)
	})
}

// linspace is torch.linspace(start, end, n) on a CUDA device.
func linspace[T float32 | float64](start, end float64, n uint64) func(i uint64) T {
	if wide[T]() {
		step := (end - start) / float64(max(n, 2)-1)
		return func(i uint64) T {
			if i < n/2 || n == 1 {
				return T(math.FMA(step, float64(i), start))
			}
			return T(math.FMA(-step, float64(n-i-1), end))
		}
	}
	a, b := float32(start), float32(end)
	step := (b - a) / float32(max(n, 2)-1)
	return func(i uint64) T {
		if i < n/2 || n == 1 {
			return T(poly.FMA32(step, float32(i), a))
		}
		return T(poly.FMA32(-step, float32(n-i-1), b))
	}
}

const (
	// mostElements is more than GPUs have memory for; each part of half a GiB or more that
	// PyTorch cuts a tensor into is kept.
	mostElements = 1 << 40
	// mostWeights is how many weights a choice is planned from; all are in memory.
	mostWeights = 1 << 28
)

// An entry is an operator and its makers by type.
type entry struct {
	name, args, doc string
	makers          map[string]maker
}

var (
	floatTypes = []string{"float32", "float64", "float16", "bfloat16"}
	intTypes   = []string{"uint8", "int8", "int16", "int32", "int64"}
)

// byType joins makers to the names of their types.
func byType(names []string, makers ...maker) map[string]maker {
	m := map[string]maker{}
	for i, f := range makers {
		m[names[i]] = f
	}
	return m
}

func forFloats(a, b, c, d maker) map[string]maker { return byType(floatTypes, a, b, c, d) }

// forNumbers adds the integers.
func forNumbers(floats map[string]maker, a, b, c, d, e maker) map[string]maker {
	for name, f := range byType(intTypes, a, b, c, d, e) {
		floats[name] = f
	}
	return floats
}

func forAll(numbers map[string]maker, bools maker) map[string]maker {
	numbers["bool"] = bools
	return numbers
}

var table = []entry{
	{"uniform", "from=0 to=1", "x.uniform_(from, to), torch.rand",
		forFloats(two(uniform[float32]), two(uniform[float64]), two(uniform[Float16]), two(uniform[BFloat16]))},
	{"normal", "mean=0 std=1", "x.normal_(mean, std), torch.randn",
		forFloats(two(normal[float32]), two(normal[float64]), two(normal[Float16]), two(normal[BFloat16]))},
	{"log_normal", "mean=1 std=2", "x.log_normal_(mean, std)",
		forFloats(two(logNormal[float32]), two(logNormal[float64]), two(logNormal[Float16]), two(logNormal[BFloat16]))},
	{"exponential", "lambd=1", "x.exponential_(lambd)",
		forFloats(one(exponential[float32]), one(exponential[float64]), one(exponential[Float16]), one(exponential[BFloat16]))},
	{"cauchy", "median=0 sigma=1", "x.cauchy_(median, sigma)",
		forFloats(two(cauchy[float32]), two(cauchy[float64]), two(cauchy[Float16]), two(cauchy[BFloat16]))},
	{"geometric", "p", "x.geometric_(p)", forNumbers(
		forFloats(one(geometric[float32]), one(geometric[float64]), one(geometric[Float16]), one(geometric[BFloat16])),
		one(geometric[uint8]), one(geometric[int8]), one(geometric[int16]), one(geometric[int32]), one(geometric[int64]))},
	{"bernoulli", "p=0.5", "x.bernoulli_(p)", forAll(forNumbers(
		forFloats(one(bernoulli[float32]), one(bernoulli[float64]), one(bernoulli[Float16]), one(bernoulli[BFloat16])),
		one(bernoulli[uint8]), one(bernoulli[int8]), one(bernoulli[int16]), one(bernoulli[int32]), one(bernoulli[int64])),
		one(bernoulli[bool]))},
	{"bernoulli_tensor", "start=0 end=1", "x.bernoulli_(torch.linspace(start, end, n))", forAll(forNumbers(
		forFloats(bernoulliTensorOf[float32, float32](), bernoulliTensorOf[float64, float64](), bernoulliTensorOf[Float16, float32](), bernoulliTensorOf[BFloat16, float32]()),
		bernoulliTensorOf[uint8, float32](), bernoulliTensorOf[int8, float32](), bernoulliTensorOf[int16, float32](), bernoulliTensorOf[int32, float32](), bernoulliTensorOf[int64, float32]()),
		bernoulliTensorOf[bool, float32]())},
	{"random", "", "x.random_()", forAll(forNumbers(
		forFloats(unboundedOf[float32](), unboundedOf[float64](), unboundedOf[Float16](), unboundedOf[BFloat16]()),
		unboundedOf[uint8](), unboundedOf[int8](), unboundedOf[int16](), unboundedOf[int32](), unboundedOf[int64]()),
		unboundedOf[bool]())},
	{"random_from", "from", "x.random_(from, None)", forAll(forNumbers(
		forFloats(fromOf[float32](), fromOf[float64](), fromOf[Float16](), fromOf[BFloat16]()),
		fromOf[uint8](), fromOf[int8](), fromOf[int16](), fromOf[int32](), fromOf[int64]()),
		fromOf[bool]())},
	{"randint", "from to", "x.random_(from, to), torch.randint", forAll(forNumbers(
		forFloats(randintOf[float32](), randintOf[float64](), randintOf[Float16](), randintOf[BFloat16]()),
		randintOf[uint8](), randintOf[int8](), randintOf[int16](), randintOf[int32](), randintOf[int64]()),
		randintOf[bool]())},
	{"dropout_mask", "p=0.5", "torch.native_dropout(x, p, True)[1], of a tensor x of the type",
		forFloats(dropoutMaskOf[float32](), dropoutMaskOf[float64](), dropoutMaskOf[Float16](), dropoutMaskOf[BFloat16]())},
	{"dropout", "p=0.5 start=1 end=1", "torch.native_dropout(torch.linspace(start, end, n).to(dtype), p, True)[0]",
		forFloats(dropoutOf[float32](), dropoutOf[float64](), dropoutOf[Float16](), dropoutOf[BFloat16]())},
	{"randperm", "", "torch.randperm(n)", forNumbers(
		byType(floatTypes, permOf[float32](), permOf[float64](), permOf[Float16]()),
		permOf[uint8](), permOf[int8](), permOf[int16](), permOf[int32](), permOf[int64]())},
	{"multinomial", "samples replacement weights...", "torch.multinomial of equal rows of weights, n = rows*samples",
		forFloats(multinomialOf[float32](), multinomialOf[float64](), multinomialOf[Float16](), multinomialOf[BFloat16]())},
	{"trunc_normal", "mean=0 std=1 a=-2 b=2", "torch.nn.init.trunc_normal_(x, mean, std, a, b)",
		forFloats(four(truncNormal[float32]), four(truncNormal[float64]), four(truncNormal[Float16]), four(truncNormal[BFloat16]))},
	{"kaiming_uniform", "shape mode=fan_in nonlinearity=leaky_relu slope=0", "torch.nn.init.kaiming_uniform_",
		forFloats(kaimingOf(uniformOf[float32]), kaimingOf(uniformOf[float64]), kaimingOf(uniformOf[Float16]), kaimingOf(uniformOf[BFloat16]))},
	{"kaiming_normal", "shape mode=fan_in nonlinearity=leaky_relu slope=0", "torch.nn.init.kaiming_normal_",
		forFloats(kaimingOf(normalOf[float32]), kaimingOf(normalOf[float64]), kaimingOf(normalOf[Float16]), kaimingOf(normalOf[BFloat16]))},
	{"xavier_uniform", "shape gain=1", "torch.nn.init.xavier_uniform_",
		forFloats(xavierOf(uniformOf[float32]), xavierOf(uniformOf[float64]), xavierOf(uniformOf[Float16]), xavierOf(uniformOf[BFloat16]))},
	{"xavier_normal", "shape gain=1", "torch.nn.init.xavier_normal_",
		forFloats(xavierOf(normalOf[float32]), xavierOf(normalOf[float64]), xavierOf(normalOf[Float16]), xavierOf(normalOf[BFloat16]))},
	{"state_bytes", "", "torch.cuda.get_rng_state()", map[string]maker{"uint8": stateBytes}},
}

func stateBytes(s source, n uint64, _ *arguments) (*Filling, error) {
	if n != StateBytes {
		return nil, bad("n", n, fmt.Sprintf("must be %d, the length of a state", StateBytes))
	}
	state := (&Generator{at: s.place}).State()
	return erase(numbers[uint8]{n: n, after: s.offset, fill: func(dst []uint8, first uint64) { copy(dst, state[first:]) }}), nil
}

// Operators returns what [Plan] knows.
func Operators() []Operator {
	var ops []Operator
	for _, e := range table {
		o := Operator{Name: e.name, Args: e.args, Doc: e.doc}
		for _, t := range slices.Concat(floatTypes, intTypes, []string{"bool"}) {
			if e.makers[t] != nil {
				o.DTypes = append(o.DTypes, t)
			}
		}
		ops = append(ops, o)
	}
	return ops
}

// Plan returns what an operator makes of a tensor of n elements of a type, at the place
// where g is, which stays there. The arguments are numbers as text, in the order that the
// [Operator] gives; those at the end that have a preset may be left out. What is wrong is a
// *skip.ArgumentError that says what is accepted.
func Plan(g *Generator, op, dtype string, n uint64, args ...string) (*Filling, error) {
	i := slices.IndexFunc(table, func(e entry) bool { return e.name == op })
	if i < 0 {
		var names []string
		for _, e := range table {
			names = append(names, e.name)
		}
		return nil, bad("op", op, "must be one of "+strings.Join(names, ", "))
	}
	e := table[i]
	m := e.makers[dtype]
	if m == nil {
		return nil, bad("dtype", dtype, "must be one of "+strings.Join(Operators()[i].DTypes, ", ")+" for "+op)
	}
	if n > mostElements {
		return nil, bad("n", n, "must be at most 2^40")
	}
	if err := g.gpu.check(); err != nil {
		return nil, err
	}
	a, err := e.arguments(args)
	if err != nil {
		return nil, err
	}
	f, err := m(source{g.gpu, g.load()}, n, a)
	if err != nil {
		return nil, err
	}
	f.op = op
	return f, nil
}

// arguments joins what was given with the presets.
func (e entry) arguments(given []string) (*arguments, error) {
	a := &arguments{values: given}
	for i, field := range strings.Fields(e.args) {
		name, preset, ok := strings.Cut(field, "=")
		if strings.HasSuffix(name, "...") {
			return a, nil
		}
		a.names = append(a.names, name)
		if i < len(given) {
			continue
		}
		if !ok {
			return nil, bad(name, "none", "must be given: "+e.name+" takes "+e.args)
		}
		a.values = append(a.values[:i:i], preset)
	}
	if len(given) > len(a.names) {
		return nil, bad("args", strings.Join(given, " "), fmt.Sprintf("must be at most %d: %s takes %q", len(a.names), e.name, e.args))
	}
	return a, nil
}
