package torch

import (
	"slices"
	"strconv"
	"strings"
)

// Named is [Plan] by a name that says all, as recorded arrays have them: an operator, its
// arguments and a type, joined by underscores, such as "normal_0.1_0.3_bfloat16",
// "randint_-5_1000_int32" and "dropout_0.137_linspace-3_3_float64". Arguments may be left
// out from the end. These stand for others:
//
//	randperm                       of int64
//	kaiming_uniform_64x32x3x3      of float32, as all initialisers without a type
//	trunc_normal_init              of float32
//	dropout_0.5_mask_float16       dropout_mask; native_dropout_0.5_mask of float32
//	native_dropout_0.5_out         dropout of ones
//	log_normal_float32             with mean 0.5 and deviation 0.25
//	multinomial_k5_repFalse        of rows of .1 .2 0 .3 .4 1 2 in float32
//	randint_0_2p40_int64           2p40 is 2^40
//	randint_full_int64             all integers of 64 bits but the largest
//	uniform_view_8x10_step2        every other column of 8 times 10 zeros
//	uniform_transposed_8x10        a transposed tensor, in the order of memory
func Named(g *Generator, name string, n uint64) (*Filling, error) {
	unknown := bad("name", name, "must be an operator, its arguments and a type, such as normal_0.1_0.3_float16")
	if strings.HasPrefix(name, "uniform_view_8x10_step2") {
		return steps(g, n)
	}
	name = strings.Replace(name, "uniform_transposed_8x10", "uniform_float32", 1)
	name = strings.TrimPrefix(name, "native_")
	op := ""
	for _, e := range table {
		if rest, ok := strings.CutPrefix(name, e.name); ok && (rest == "" || rest[0] == '_') && len(e.name) > len(op) {
			op = e.name
		}
	}
	if op == "" {
		return nil, unknown
	}
	fields := strings.FieldsFunc(name[len(op):], func(r rune) bool { return r == '_' })
	// Of a large tensor the length may follow the type; it is n all the same.
	if k := len(fields); k > 1 && knownType(fields[k-2]) && strings.HasPrefix(fields[k-1], "2p") {
		fields = fields[:k-1]
	}
	dtype := "float32"
	switch k := len(fields); {
	case k > 0 && knownType(fields[k-1]):
		dtype, fields = fields[k-1], fields[:k-1]
	case op == "randperm":
		dtype = "int64"
	case op == "state_bytes":
		dtype = "uint8"
	}
	switch {
	case op == "dropout" && len(fields) == 2 && fields[1] == "mask":
		op, fields = "dropout_mask", fields[:1]
	case op == "dropout" && len(fields) == 2 && fields[1] == "out":
		fields = fields[:1]
	case op == "dropout" && len(fields) == 3:
		start, ok := strings.CutPrefix(fields[1], "linspace")
		if !ok {
			return nil, unknown
		}
		fields[1] = start
	case op == "trunc_normal" && slices.Equal(fields, []string{"init"}):
		fields = nil
	case op == "log_normal" && len(fields) == 0:
		fields = []string{"0.5", "0.25"}
	case op == "randint" && slices.Equal(fields, []string{"full"}):
		fields = []string{"-9223372036854775808", "9223372036854775807"}
	case op == "multinomial" && len(fields) == 2:
		k, okK := strings.CutPrefix(fields[0], "k")
		replacement, okR := strings.CutPrefix(fields[1], "rep")
		if !okK || !okR {
			return nil, unknown
		}
		fields = append([]string{k, replacement}, ".1", ".2", "0", ".3", ".4", "1", "2")
	}
	for i, f := range fields {
		if power, ok := strings.CutPrefix(f, "2p"); ok {
			if e, err := strconv.Atoi(power); err == nil && e >= 0 && e < 63 {
				fields[i] = strconv.FormatInt(1<<e, 10)
			}
		}
	}
	return Plan(g, op, dtype, n, fields...)
}

func knownType(name string) bool {
	return name == "bool" || slices.Contains(floatTypes, name) || slices.Contains(intTypes, name)
}

// steps are 8 times 10 float32 of which the even columns are uniform and the others 0.
func steps(g *Generator, n uint64) (*Filling, error) {
	if n != 80 {
		return nil, bad("n", n, "must be 80, the elements of 8x10")
	}
	x, err := uniform[float32](source{g.gpu, g.load()}, n/2, 0, 1)
	if err != nil {
		return nil, err
	}
	f := erase(numbers[float32]{n: n, after: x.after, fill: func(dst []float32, first uint64) {
		var u [40]float32
		x.fill(u[:], 0)
		for i := range dst {
			dst[i] = 0
			if at := first + uint64(i); at%2 == 0 {
				dst[i] = u[at/2]
			}
		}
	}})
	f.op = "uniform"
	return f, nil
}
