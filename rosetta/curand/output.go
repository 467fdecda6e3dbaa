package curand

import (
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/philox-go/rng/internal/fill"
	"github.com/philox-go/rng/rosetta/internal/engine"
)

// An Output names an array that one of cuRAND's functions fills, or that many calls of one of
// its device functions fill together. It is for programs that learn what is wanted at
// run time; others have [Generator] and [State].
type Output struct {
	Op string // a name of [Ops]

	// What curand_init takes, or the seed and the offset of a host generator.
	Seed, Subsequence, Offset uint64

	// Ordering and GPU count in the host API.
	Ordering Ordering
	GPU      GPU
	// Before has the lengths of the calls of the same function that went before.
	Before []uint64

	Mean, Std float64
	// Lambda has one element in the host API. In the device API, call i takes element i modulo
	// their number.
	Lambda []float64

	tables []*Discrete // of the lambdas, where the function takes them
}

// Defaults returns o with the parameters that its function usually has: mean 0 and
// deviation 1, and for log-normal numbers 0.5 and 0.25; lambda 3.5.
func (o Output) Defaults() Output {
	o.Mean, o.Std, o.Lambda = 0, 1, []float64{3.5}
	if strings.Contains(o.Op, "log_normal") {
		o.Mean, o.Std = 0.5, 0.25
	}
	return o
}

func (o *Output) lambda(call uint64) float64 { return o.Lambda[call%uint64(len(o.Lambda))] }

// discrete is the distribution of a call.
func (o *Output) discrete(call uint64) *Discrete { return o.tables[call%uint64(len(o.tables))] }

// Check returns the error that n values of the output would have, if any.
func (o Output) Check(n uint64) error {
	op, err := find(o.Op)
	if err != nil {
		return err
	}
	return o.check(op, n)
}

func (o *Output) check(op *op, n uint64) error {
	if slices.Contains(op.Params, "lambda") {
		if len(o.Lambda) == 0 || op.Host && len(o.Lambda) != 1 {
			return bad("lambda", fmt.Sprintf("%d values", len(o.Lambda)), "must be one value, or for the device API several")
		}
		for _, l := range o.Lambda {
			if op.Host || strings.HasPrefix(op.Call, "curand_discrete") {
				if err := checkLambda(l); err != nil {
					return err
				}
			}
			if l != l {
				return bad("lambda", l, "must be a number")
			}
		}
	}
	if !op.Host {
		if op.PerCall > 1 && n%uint64(op.PerCall) != 0 {
			return bad("n", n, fmt.Sprintf("must be a multiple of %d, what a call of %s gives", op.PerCall, op.Call))
		}
		return nil
	}
	if err := o.Ordering.check(); err != nil {
		return err
	}
	if err := o.GPU.check(); err != nil {
		return err
	}
	for _, m := range append(slices.Clip(o.Before), n) {
		if m > 0 {
			_, err := begin(o.Ordering, o.GPU, o.Offset, m)
			return err
		}
	}
	return nil
}

// Values writes elements first, first+1, ... of the array to dst, which is a []uint32, []float32 or
// []float64 as the function's type says. An element does not depend on what else is asked
// for, and all take the same time but those of device_poisson, device_discrete and their kin, which begin
// at the first. total is the length of the array, for cuRAND refuses some; 0 stands for
// first + len(dst).
func (o Output) Values(dst any, first, total uint64) error {
	op, err := find(o.Op)
	if err != nil {
		return err
	}
	switch d := dst.(type) {
	case []uint32:
		return values(&o, op, d, first, total)
	case []float32:
		return values(&o, op, d, first, total)
	case []float64:
		return values(&o, op, d, first, total)
	}
	return badType(op, dst)
}

func badType(op *op, dst any) error {
	return bad("dst", fmt.Sprintf("a %T", dst), "must be a []"+op.Type+", what "+op.Call+" gives")
}

// mostBytes is more than any memory.
const mostBytes = 1 << 44

// Bytes returns n elements as Values has them, little-endian.
func (o Output) Bytes(first, n, total uint64) ([]byte, error) {
	op, err := find(o.Op)
	if err != nil {
		return nil, err
	}
	if most := uint64(min(math.MaxInt, mostBytes)) / uint64(op.Size); n > most {
		return nil, bad("n", n, fmt.Sprintf("must fit into memory: at most %d", most))
	}
	switch op.Type {
	case "uint32":
		return encoded(&o, op, make([]uint32, n), first, total)
	case "float32":
		return encoded(&o, op, make([]float32, n), first, total)
	}
	return encoded(&o, op, make([]float64, n), first, total)
}

func encoded[T number](o *Output, op *op, v []T, first, total uint64) ([]byte, error) {
	if err := values(o, op, v, first, total); err != nil {
		return nil, err
	}
	return binary.Append(make([]byte, 0, len(v)*op.Size), binary.LittleEndian, v)
}

func values[T number](o *Output, op *op, dst []T, first, total uint64) error {
	end := first + uint64(len(dst))
	if end < first {
		return bad("first", first, fmt.Sprintf("must be at most 2^64 - %d", len(dst)))
	}
	if total == 0 {
		total = end
		if !op.Host {
			total = (end + uint64(op.PerCall) - 1) / uint64(op.PerCall) * uint64(op.PerCall)
		}
	}
	if end > total {
		return bad("total", total, fmt.Sprintf("must be at least the end of what is asked for, %d", end))
	}
	if t, _ := typeOf[T](); t != op.Type {
		return badType(op, dst)
	}
	if err := o.check(op, total); err != nil {
		return err
	}
	if op.Host || strings.HasPrefix(op.Call, "curand_discrete") {
		o.tables = nil
		for _, l := range o.Lambda {
			if d, err := NewPoisson(l); err == nil {
				o.tables = append(o.tables, d)
			}
		}
	}
	if op.Host {
		return o.hostValues(op, dst, first, total)
	}
	deviceValues(o, op, op.device.(func(*State, *Output, uint64, []T)), dst, first)
	return nil
}

// deviceValues writes values of successive calls of one state, in pieces where those can begin
// anywhere.
func deviceValues[T number](o *Output, op *op, call func(*State, *Output, uint64, []T), dst []T, first uint64) {
	const piece = 4096 // values
	unit := op.calls * uint64(op.PerCall)
	part := func(dst []T, first uint64) {
		s := Init(o.Seed, o.Subsequence, o.Offset)
		i := uint64(0) // call
		if op.words > 0 {
			i = first / unit * op.calls
			for range op.words {
				s.Skipahead(first / unit)
			}
		}
		var v [4]T
		for at := i * uint64(op.PerCall); len(dst) > 0; i++ {
			call(&s, o, i, v[:])
			n := 0
			if at+uint64(op.PerCall) > first {
				n = copy(dst, v[max(at, first)-at:op.PerCall])
			}
			dst = dst[n:]
			at += uint64(op.PerCall)
		}
	}
	if op.words == 0 {
		part(dst, first)
		return
	}
	fill.Share((len(dst)+piece-1)/piece, 4, 0, func(a, b int) {
		part(dst[a*piece:min(b*piece, len(dst))], first+uint64(a)*piece)
	})
}

// hostValues writes values of a host generator's call of total values.
func (o *Output) hostValues(op *op, dst any, first, total uint64) error {
	calls := append(slices.Clip(o.Before), total)
	calls = slices.DeleteFunc(slices.Clone(calls), func(n uint64) bool { return n == 0 })
	if len(calls) == 0 {
		return nil
	}
	p, err := begin(o.Ordering, o.GPU, o.Offset, calls[0])
	if err != nil {
		return err
	}
	depth := uint64(op.Size / 4)
	for _, n := range calls[:len(calls)-1] {
		p.skip(n, depth)
		p.shift = 0
	}
	p.skip(first, depth)
	switch d := dst.(type) {
	case []uint32:
		fillFrom(&p, o.Seed, depth, op.host.(func(*Output) *engine.Convert[uint32])(o), d)
	case []float32:
		fillFrom(&p, o.Seed, depth, op.host.(func(*Output) *engine.Convert[float32])(o), d)
	case []float64:
		fillFrom(&p, o.Seed, depth, op.host.(func(*Output) *engine.Convert[float64])(o), d)
	}
	return nil
}

// mostCalls is how many calls a file's name may say that went before, since each is kept.
const mostCalls = 1_000_000

var vectorNames = []*regexp.Regexp{
	regexp.MustCompile(`^(device)_(?P<op>\w+?)_seed(?P<seed>\d+)_sub(?P<sub>\d+)_off(?P<off>\d+)\.bin$`),
	regexp.MustCompile(`^(host)_(?P<op>\w+?)_order(?P<order>\d+)_seed(?P<seed>\d+)_off(?P<off>\d+)_call(?P<call>\d+)\.bin$`),
	regexp.MustCompile(`^(host)_(?P<op>\w+?)_n(?P<n>\d+)_seed(?P<seed>\d+)_call(?P<call>\d+)\.bin$`),
	regexp.MustCompile(`^(dynamic)_(?P<op>\w+?)_seed(?P<seed>\d+)_off(?P<off>\d+)_n(?P<n>\d+)_call(?P<call>\d+)\.bin$`),
}

// ParseVector returns the output that a file of recorded ones has by its name, and its
// length: names such as device_normal4_seed42_sub7_off6.bin (64 calls),
// host_uniform_order100_seed42_off1_call1.bin (the second call, 20000 values each),
// host_normal_n6_seed0_call2.bin and dynamic_u32_seed42_off8_n20000_call1.bin.
func ParseVector(file string) (o Output, n uint64, err error) {
	for _, re := range vectorNames {
		m := re.FindStringSubmatch(file)
		if m == nil {
			continue
		}
		num := func(group string, or uint64) uint64 {
			i := re.SubexpIndex(group)
			if i < 0 {
				return or
			}
			x, e := strconv.ParseUint(m[i], 10, 64)
			if e != nil {
				err = bad("file", strconv.Quote(file), "must have numbers of 64 bits")
			}
			return x
		}
		o.Op = m[1] + "_" + m[re.SubexpIndex("op")]
		if m[1] == "dynamic" {
			o.Op, o.Ordering = "host_"+m[re.SubexpIndex("op")], Dynamic
		}
		op, e := find(o.Op)
		if e != nil {
			return Output{}, 0, e
		}
		o = o.Defaults()
		o.Seed, o.Subsequence, o.Offset = num("seed", 0), num("sub", 0), num("off", 0)
		if i := num("order", 0); i != 0 {
			o.Ordering = Ordering(i)
		}
		n = num("n", 20000)
		calls := num("call", 0)
		if err == nil && calls > mostCalls {
			err = bad("file", strconv.Quote(file), fmt.Sprintf("must be of one of the first %d calls", mostCalls))
		}
		if err != nil {
			return Output{}, 0, err
		}
		o.Before = slices.Repeat([]uint64{n}, int(calls))
		if !op.Host {
			n = 64 * uint64(op.PerCall)
			o.Lambda = []float64{2000, 3.5}
		}
		return o, n, nil
	}
	return Output{}, 0, bad("file", strconv.Quote(file), "must be a name like device_OP_seedS_subQ_offO.bin, host_OP_orderN_seedS_offO_callC.bin, "+
		"host_OP_nN_seedS_callC.bin or dynamic_OP_seedS_offO_nN_callC.bin")
}
