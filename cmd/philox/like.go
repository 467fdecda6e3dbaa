package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/philox-go/rng/internal/verify"
	"github.com/philox-go/rng/rosetta/curand"
	"github.com/philox-go/rng/rosetta/torch"
	"github.com/philox-go/rng/skip"
)

// The other systems whose numbers fill writes.
const (
	likeTorch   = "torch"
	likeCurand  = "curand"
	likeDevice  = "device" // of curand: its device API
	likeDynamic = "dynamic"
)

// likeChunkBytes is chunkBytes for another system's numbers, if they are not PyTorch's.
const likeChunkBytes = 4 << 20

// chunk is the size of a worker's buffer for elements of a size. In PyTorch it is what the
// threads of the GPU make at a time, some megabytes, for where that is cut, blocks are made
// more than once.
func (l *like) chunk(size uint64) uint64 {
	if row := uint64(l.gpu.SMs) * uint64(l.gpu.ThreadsPerSM) * 4 * size; l.system == likeTorch && row <= 4*likeChunkBytes {
		return (likeChunkBytes + row - 1) / row * row
	}
	return likeChunkBytes
}

var likeOption = option{name: "like", arg: "system",
	help: "Write the numbers that another system draws, bit for bit: torch:CARD for\nPyTorch on a GPU, curand for cuRAND's host API, curand:device for its\ndevice API. See below."}

func likeDetails() string {
	return `With -like the numbers are another system's, and -seed and -offset are what that
calls so:

    torch:CARD          PyTorch on a GPU, such as torch:h200, or torch:132x2048
                        for 132 multiprocessors of 2048 threads each. -offset
                        is a multiple of 4
    curand              cuRAND's host API, in its default order; also
                        curand:best and curand:legacy
    curand:dynamic:CARD the same in its dynamic order, which depends on the GPU
    curand:device       cuRAND's device API: successive calls on the state of
                        one thread. -stream is the subsequence of curand_init

An output is one call for n elements; with -first k, the last n of a call for
k+n, since the numbers may depend on how many are drawn. "philox systems" lists
cards, and says what is exact. The distributions and what draws them:

` + likeHelp() + `
In torch, uniform, normal, lognormal, exponential and cauchy also end in 64, 16
and bf16 as above, bernoulli and geometric in 32 for float32, random in 32 for
int32, and int16 and int8 are there too. perm is held in memory as a whole.
`
}

func likeHelp() string {
	var b strings.Builder
	for _, s := range []struct {
		name  string
		dists []likeDist
	}{{likeTorch, torchDists}, {likeCurand, curandDists}, {likeCurand + ":" + likeDevice, deviceDists}} {
		for i, d := range s.dists {
			if d.values == "" {
				continue
			}
			name := s.name
			if i > 0 {
				name = ""
			}
			fmt.Fprintf(&b, "    %-13s %-11s %-7s %s\n", name, d.name, d.element, d.values)
		}
	}
	return b.String()
}

// A likeDist is a distribution of another system. Its values are the call, as help has it.
type likeDist struct {
	dist
	op   string   // the system's operator
	args []string // flags, in the order of the operator's arguments
}

// A like is a value of -like.
type like struct {
	system string
	dists  []likeDist
	gpu    torch.GPU       // of PyTorch and the dynamic order
	order  curand.Ordering // of the host API
	device bool            // curand's device API
}

const likeMust = "must be " + likeTorch + ":CARD, " + likeCurand + ", curand:best, curand:legacy, curand:dynamic:CARD or curand:device"

// like reads -like, nil where it is not given.
func (c call) like() (*like, error) {
	if !c.given[likeOption.name] {
		return nil, nil
	}
	value := c.options[likeOption.name]
	bad := func(must string) (*like, error) { return nil, badValue(likeOption.name, value, must) }
	var l *like
	system, rest, _ := strings.Cut(value, ":")
	switch kind, card, _ := strings.Cut(rest, ":"); {
	case system == likeTorch:
		gpu, err := torch.Card(rest)
		if err != nil {
			return bad(cardMust(err))
		}
		l = &like{system: system, dists: torchDists, gpu: gpu}
	case system == likeCurand && kind == likeDynamic:
		gpu, err := torch.Card(card)
		if err != nil {
			return bad(cardMust(err))
		}
		l = &like{system: system, dists: curandDists, gpu: gpu, order: curand.Dynamic}
	case value == likeCurand+":"+likeDevice:
		l = &like{system: value, dists: deviceDists, device: true}
	case value == likeCurand:
		l = &like{system: system, dists: curandDists, order: curand.Default}
	case system == likeCurand:
		order, err := curand.ParseOrdering(rest)
		if err != nil || order == curand.Dynamic {
			return bad(likeMust)
		}
		l = &like{system: system, dists: curandDists, order: order}
	default:
		return bad(likeMust)
	}
	switch {
	case c.options[deviceOption.name] != onCPU:
		return nil, badValue(deviceOption.name, c.options[deviceOption.name], "-like makes its numbers on the CPU alone")
	case c.given[streamOption.name] && !l.device:
		return nil, badValue(streamOption.name, c.options[streamOption.name], fmt.Sprintf("-like %s has none", value))
	}
	return l, nil
}

// cardMust is what an unknown card's error says.
func cardMust(err error) string {
	if bad := (*skip.ArgumentError)(nil); errors.As(err, &bad) {
		return "the card " + bad.Reason
	}
	return err.Error()
}

func (l *like) find(name string) (likeDist, error) {
	return findNamed("dist", name, l.dists, func(d likeDist) string { return d.name })
}

// numbers returns the elements of one call for the n that are wanted and those before them.
func (l *like) numbers(c call, d likeDist, at place, n, first uint64) (verify.Numbers, error) {
	v, err := d.numbers(c)
	if err != nil {
		return nil, err
	}
	total := first + n
	if total < first || total > math.MaxInt64/d.size {
		return nil, badValue("first", c.options["first"], fmt.Sprintf("with -n %s more than 2^63 bytes would have to be drawn", c.options["n"]))
	}
	if l.system == likeTorch {
		f, err := l.torch(d, v, at, total)
		return f, toFlags(err, d)
	}
	f, err := l.curand(d, v, at, total)
	return f, toFlags(err, d)
}

func (l *like) torch(d likeDist, v distNumbers, at place, total uint64) (verify.Numbers, error) {
	g := torch.NewGenerator(l.gpu, at.seed)
	if err := g.SetOffset(at.offset); err != nil {
		return nil, err
	}
	var args []string
	for _, flag := range d.args {
		args = append(args, v[flag].text())
	}
	f, err := torch.Plan(g, d.op, d.element, total, args...)
	if err != nil {
		return nil, err
	}
	if d.op == "randperm" {
		if err := permMemory(total, d); err != nil {
			return nil, err
		}
	}
	return verify.TorchNumbers(f), nil
}

// permMemory refuses a permutation that memory has no room for: its numbers, twice as keys
// that are sorted with their places.
func permMemory(n uint64, d likeDist) error {
	const each = 5 * 8
	refuse := func(reason string) error { return &skip.ArgumentError{Arg: "n", Reason: reason} }
	if n > math.MaxInt/each {
		return refuse(fmt.Sprintf("must be at most %d with -dist %s, since all are held in memory", math.MaxInt/each, d.name))
	}
	if err := tryMemory(int(n * each)); err != nil {
		return refuse(fmt.Sprintf("takes %d bytes of memory with -dist %s: %v", n*each, d.name, err))
	}
	return nil
}

func (l *like) curand(d likeDist, v distNumbers, at place, total uint64) (verify.Numbers, error) {
	op, err := curand.FindOp(d.op)
	if err != nil {
		return nil, err
	}
	out := curand.Output{
		Op: d.op, Seed: at.seed, Subsequence: at.stream, Offset: at.offset, Ordering: l.order,
		GPU:  curand.GPU{Multiprocessors: l.gpu.SMs},
		Mean: v["mean"].value, Std: v["std"].value, Lambda: []float64{v["rate"].value},
	}
	if l.device {
		// The last call's other values are not written.
		per := uint64(op.PerCall)
		total = (total + per - 1) / per * per
	}
	return verify.CurandNumbers(out, op, total), out.Check(total)
}

// text is the number as exactly as it was read.
func (x distNumber) text() string {
	if x.whole != nil {
		return x.whole.String()
	}
	return strconv.FormatFloat(x.value, 'g', -1, 64)
}

// toFlags turns the name of a system's argument, in an error, into that of the flag.
func toFlags(err error, d likeDist) error {
	bad := (*skip.ArgumentError)(nil)
	if !errors.As(err, &bad) {
		return err
	}
	flag, ok := map[string]string{
		"from": "lo", "to": "hi", "low": "lo", "high": "hi", "lambd": "rate", "lambda": "rate", "median": "loc", "sigma": "scale", "stddev": "std",
	}[bad.Arg]
	if !ok {
		flag = bad.Arg
	}
	return &skip.ArgumentError{Arg: flag, Value: bad.Value, Reason: bad.Reason}
}

// torchDists are PyTorch's.
var torchDists = slices.Concat(
	torchFamily("uniform", "uniform_: -lo, -hi", "uniform", "lo hi"),
	torchFamily("normal", "normal_: -mean, -std", "normal", "mean std"),
	torchFamily("lognormal", "log_normal_: -mean, -std", "log_normal", "mean std"),
	torchFamily("exponential", "exponential_: -rate", "exponential", "rate"),
	torchFamily("cauchy", "cauchy_: -loc (median), -scale (sigma)", "cauchy", "loc scale"),
	[]likeDist{
		newLike("truncnormal", "float32", "nn.init.trunc_normal_: -mean, -std, -a, -b", "trunc_normal", "mean std a b"),
		newLike("bernoulli", "bool", "bernoulli_: -p", "bernoulli", "p"),
		newLike("bernoulli32", "float32", "", "bernoulli", "p"),
		newLike("geometric", "int64", "geometric_: -p", "geometric", "p"),
		newLike("geometric32", "float32", "", "geometric", "p"),
		newWhole("int", "int64", "randint, random_: -lo, -hi", "randint"),
		newWhole("int32", "int32", "randint, random_: -lo, -hi", "randint"),
		newWhole("int16", "int16", "", "randint"),
		newWhole("int8", "int8", "", "randint"),
		newWhole("uint8", "uint8", "randint, random_: -lo, -hi", "randint"),
		newLike("random", "int64", "random_, without arguments", "random", ""),
		newLike("random32", "int32", "", "random", ""),
		newLike("perm", "int64", "randperm", "randperm", ""),
	},
)

// curandDists are those of cuRAND's host API.
var curandDists = []likeDist{
	newLike("u32", "uint32", "curandGenerate", "host_u32", ""),
	newLike("uniform", "float32", "curandGenerateUniform", "host_uniform", ""),
	newLike("uniform64", "float64", "curandGenerateUniformDouble", "host_uniform_double", ""),
	newLike("normal", "float32", "curandGenerateNormal: -mean, -std", "host_normal", "mean std"),
	newLike("normal64", "float64", "curandGenerateNormalDouble: -mean, -std", "host_normal_double", "mean std"),
	newLike("lognormal", "float32", "curandGenerateLogNormal: -mean, -std", "host_log_normal", "mean std"),
	newLike("lognormal64", "float64", "curandGenerateLogNormalDouble: -mean, -std", "host_log_normal_double", "mean std"),
	newLike("poisson", "uint32", "curandGeneratePoisson: -rate (lambda)", "host_poisson", "rate"),
}

// deviceDists are those of its device API.
var deviceDists = []likeDist{
	newLike("u32", "uint32", "curand", "device_curand", ""),
	newLike("uniform", "float32", "curand_uniform", "device_uniform", ""),
	newLike("uniform64", "float64", "curand_uniform_double", "device_uniform_double", ""),
	newLike("uniform64x2", "float64", "curand_uniform2_double", "device_uniform2_double", ""),
	newLike("normal", "float32", "curand_normal", "device_normal", ""),
	newLike("normal64", "float64", "curand_normal_double", "device_normal_double", ""),
	newLike("lognormal", "float32", "curand_log_normal: -mean, -std", "device_log_normal", "mean std"),
	newLike("lognormal64", "float64", "curand_log_normal_double: -mean, -std", "device_log_normal_double", "mean std"),
	newLike("poisson", "uint32", "curand_poisson: -rate (lambda)", "device_poisson", "rate"),
}

// newLike returns a distribution of another system.
func newLike(name, element, values, op, args string) likeDist {
	flags := strings.Fields(args)
	t := likeTypes[element]
	return likeDist{dist: dist{name: name, element: element, descr: t.descr, size: t.size, values: values, takes: flags}, op: op, args: flags}
}

var likeTypes = map[string]struct {
	descr string
	size  uint64
}{
	"float32": {"<f4", 4}, "float64": {"<f8", 8}, "float16": {"<f2", 2}, "bfloat16": {"<u2", 2}, "bool": {"|b1", 1},
	"uint8": {"|u1", 1}, "int8": {"|i1", 1}, "int16": {"<i2", 2}, "int32": {"<i4", 4}, "int64": {"<i8", 8}, "uint32": {"<u4", 4},
}

// newWhole returns a distribution of integers.
func newWhole(name, element, values, op string) likeDist {
	d := newLike(name, element, values, op, "lo hi")
	d.whole = true
	return d
}

// torchFamily returns an operator's four floating-point types.
func torchFamily(name, values, op, args string) []likeDist {
	return []likeDist{
		newLike(name, "float32", values, op, args),
		newLike(name+"64", "float64", "", op, args),
		newLike(name+"16", "float16", "", op, args),
		newLike(name+"bf16", "bfloat16", "", op, args),
	}
}
