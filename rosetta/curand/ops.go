package curand

import (
	"strings"

	"github.com/philox-go/rng/rosetta/internal/engine"
)

// An Op is one of cuRAND's functions, by a name.
type Op struct {
	Name    string   // such as "device_normal4" or "host_uniform_double"
	Call    string   // cuRAND's function, such as "curand_normal4"
	Host    bool     // whether it is of the host API
	Type    string   // of an element: "uint32", "float32" or "float64"
	Size    int      // of an element, in bytes
	PerCall int      // how many values a call of the device API gives; 0 in the host API
	Params  []string // which of "mean", "std" and "lambda" it takes
	Doc     string   // one line
}

// Ops returns all functions.
func Ops() []Op {
	all := make([]Op, len(ops))
	for i := range ops {
		all[i] = ops[i].Op
	}
	return all
}

// FindOp returns the function of a name.
func FindOp(name string) (Op, error) {
	o, err := find(name)
	if err != nil {
		return Op{}, err
	}
	return o.Op, nil
}

func find(name string) (*op, error) {
	var names []string
	for i := range ops {
		if ops[i].Name == name {
			return &ops[i], nil
		}
		names = append(names, ops[i].Name)
	}
	return nil, bad("op", name, "must be one of "+strings.Join(names, ", "))
}

// An op is an Op with what makes its numbers.
type op struct {
	Op
	// A device function: calls is how many calls take words words together. Where words is 0,
	// that varies.
	calls, words uint64
	device       any // func(s *State, o *Output, call uint64, v []T)
	// A host function.
	host any // func(o *Output) *engine.Convert[T]
}

var (
	meanStd = []string{"mean", "std"}
	lambda  = []string{"lambda"}
)

var ops = []op{
	device("", 1, 1, 1, nil, "words", func(s *State, o *Output, i uint64, v []uint32) { v[0] = s.Uint32() }),
	device("4", 4, 1, 4, nil, "words, four a call", func(s *State, o *Output, i uint64, v []uint32) { put4(v, s.Uint32x4()) }),
	device("uniform", 1, 1, 1, nil, "uniform in (0,1]", func(s *State, o *Output, i uint64, v []float32) { v[0] = s.Uniform() }),
	device("uniform4", 4, 1, 4, nil, "uniform in (0,1], four a call", func(s *State, o *Output, i uint64, v []float32) { put4(v, s.Uniform4()) }),
	device("uniform_double", 1, 1, 1, nil, "uniform in (0,1], multiples of 2^-32", func(s *State, o *Output, i uint64, v []float64) { v[0] = s.UniformDouble() }),
	device("uniform2_double", 2, 1, 4, nil, "uniform in (0,1], two a call", func(s *State, o *Output, i uint64, v []float64) { put2(v, s.Uniform2Double()) }),
	device("uniform4_double", 4, 1, 8, nil, "uniform in (0,1], four a call", func(s *State, o *Output, i uint64, v []float64) { put4(v, s.Uniform4Double()) }),
	device("normal", 1, 2, 2, nil, "normal", func(s *State, o *Output, i uint64, v []float32) { v[0] = s.Normal() }),
	device("normal2", 2, 1, 2, nil, "normal, two a call", func(s *State, o *Output, i uint64, v []float32) { put2(v, s.Normal2()) }),
	device("normal4", 4, 1, 4, nil, "normal, four a call", func(s *State, o *Output, i uint64, v []float32) { put4(v, s.Normal4()) }),
	device("normal_double", 1, 2, 4, nil, "normal", func(s *State, o *Output, i uint64, v []float64) { v[0] = s.NormalDouble() }),
	device("normal2_double", 2, 1, 4, nil, "normal, two a call", func(s *State, o *Output, i uint64, v []float64) { put2(v, s.Normal2Double()) }),
	device("normal4_double", 4, 1, 8, nil, "normal, four a call", func(s *State, o *Output, i uint64, v []float64) { put4(v, s.Normal4Double()) }),
	device("log_normal", 1, 2, 2, meanStd, "log-normal", func(s *State, o *Output, i uint64, v []float32) {
		v[0] = s.LogNormal(float32(o.Mean), float32(o.Std))
	}),
	device("log_normal2", 2, 1, 2, meanStd, "log-normal, two a call", func(s *State, o *Output, i uint64, v []float32) {
		put2(v, s.LogNormal2(float32(o.Mean), float32(o.Std)))
	}),
	device("log_normal4", 4, 1, 4, meanStd, "log-normal, four a call", func(s *State, o *Output, i uint64, v []float32) {
		put4(v, s.LogNormal4(float32(o.Mean), float32(o.Std)))
	}),
	device("log_normal_double", 1, 2, 4, meanStd, "log-normal", func(s *State, o *Output, i uint64, v []float64) { v[0] = s.LogNormalDouble(o.Mean, o.Std) }),
	device("log_normal2_double", 2, 1, 4, meanStd, "log-normal, two a call", func(s *State, o *Output, i uint64, v []float64) {
		put2(v, s.LogNormal2Double(o.Mean, o.Std))
	}),
	device("log_normal4_double", 4, 1, 8, meanStd, "log-normal, four a call", func(s *State, o *Output, i uint64, v []float64) {
		put4(v, s.LogNormal4Double(o.Mean, o.Std))
	}),
	device("poisson", 1, 1, 0, lambda, "Poisson", func(s *State, o *Output, i uint64, v []uint32) { v[0] = s.Poisson(o.lambda(i)) }),
	device("poisson4", 4, 1, 0, lambda, "Poisson, four a call", func(s *State, o *Output, i uint64, v []uint32) { put4(v, s.Poisson4(o.lambda(i))) }),
	device("discrete", 1, 1, 0, lambda, "Poisson by tables or, from lambda 2000 on, of normal numbers", func(s *State, o *Output, i uint64, v []uint32) {
		v[0] = s.Discrete(o.discrete(i))
	}),
	device("discrete4", 4, 1, 0, lambda, "the same, four a call", func(s *State, o *Output, i uint64, v []uint32) { put4(v, s.Discrete4(o.discrete(i))) }),

	host("u32", "", nil, "words", func(*Output) *engine.Convert[uint32] { return engine.Words() }),
	host("uniform", "Uniform", nil, "uniform in (0,1]", func(*Output) *engine.Convert[float32] { return engine.Open32() }),
	host("uniform_double", "UniformDouble", nil, "uniform in (0,1]", func(*Output) *engine.Convert[float64] { return engine.Open64() }),
	host("normal", "Normal", meanStd, "normal", func(o *Output) *engine.Convert[float32] {
		return normalsOf(float32(o.Mean), float32(o.Std))
	}),
	host("normal_double", "NormalDouble", meanStd, "normal", func(o *Output) *engine.Convert[float64] { return normals64Of(o.Mean, o.Std) }),
	host("log_normal", "LogNormal", meanStd, "log-normal", func(o *Output) *engine.Convert[float32] {
		return logNormalsOf(float32(o.Mean), float32(o.Std))
	}),
	host("log_normal_double", "LogNormalDouble", meanStd, "log-normal", func(o *Output) *engine.Convert[float64] {
		return logNormals64Of(o.Mean, o.Std)
	}),
	host("poisson", "Poisson", lambda, "Poisson by tables or, from lambda 2000 on, of normal numbers", func(o *Output) *engine.Convert[uint32] {
		return o.discrete(0).convert()
	}),
}

func put2[T any](dst []T, v [2]T) { copy(dst, v[:]) }
func put4[T any](dst []T, v [4]T) { copy(dst, v[:]) }

// typeOf is the name of an element's type.
func typeOf[T number]() (name string, size int) {
	var x T
	switch any(x).(type) {
	case uint32:
		return "uint32", 4
	case float32:
		return "float32", 4
	}
	return "float64", 8
}

type number interface{ uint32 | float32 | float64 }

func device[T number](name string, per int, calls, words uint64, params []string, doc string, f func(*State, *Output, uint64, []T)) op {
	long := "curand"
	switch name {
	case "", "4":
		long += name
		name = long
	default:
		long += "_" + name
	}
	t, size := typeOf[T]()
	return op{
		Op:    Op{Name: "device_" + name, Call: long, Type: t, Size: size, PerCall: per, Params: params, Doc: doc},
		calls: calls, words: words, device: f,
	}
}

func host[T number](name, call string, params []string, doc string, f func(*Output) *engine.Convert[T]) op {
	t, size := typeOf[T]()
	return op{
		Op:   Op{Name: "host_" + name, Call: "curandGenerate" + call, Host: true, Type: t, Size: size, Params: params, Doc: doc},
		host: f,
	}
}
