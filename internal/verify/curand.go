package verify

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/rosetta/curand"
)

// rawName is what the names of cuRAND's raw files look like.
var rawName = regexp.MustCompile(`^(device|host|dynamic)_.*_seed\d+.*\.bin$`)

func isRawName(file string) bool { return rawName.MatchString(path.Base(file)) }

// rawCall is the number of the call in such a name.
var rawCall = regexp.MustCompile(`_call(\d+)\.bin$`)

func curandNumbers(r *recording, o Options) (made, error) {
	file := path.Base(r.path)
	if m := rawCall.FindStringSubmatch(file); m != nil && len(m[1]) > 6 {
		return made{unknown: fmt.Sprintf("call %s: only calls below 10^6 are checked", m[1])}, nil
	}
	out, n, err := curand.ParseVector(file)
	if err != nil {
		return made{unknown: err.Error()}, nil
	}
	op, err := curand.FindOp(out.Op)
	if err != nil {
		return made{unknown: err.Error()}, nil
	}
	size := uint64(op.Size)
	if !op.Host { // as many calls as the file has
		n = r.length / size
		if r.hasN {
			n = r.n
		}
	}
	if r.whole && strings.HasPrefix(file, "host_") && strings.Contains(file, "_order") && !r.hasN && r.length <= n*size {
		r.whole = false // its first values
		r.spans = []span{{0, r.length / size}}
	}
	if slices.Contains(op.Params, "lambda") && !op.Host && n > mostInTurn {
		return made{unknown: fmt.Sprintf("n is %d: of numbers that are made one after the other up to %d are checked", n, mostInTurn)}, nil
	}
	if n > mostBytes/size {
		return made{}, tooMuch(n)
	}
	operator, assumed := op.Name, false
	if op.Host && out.Ordering == curand.Dynamic {
		gpu, assume, err := r.card(o)
		if err != nil {
			return made{}, err
		}
		out.GPU = curand.GPU{Multiprocessors: gpu.SMs}
		operator = strings.Replace(operator, "host", "dynamic", 1)
		assumed = assume
	}
	if err := out.Check(n); err != nil {
		return made{unknown: err.Error()}, nil
	}
	return made{Numbers: CurandNumbers(out, op, n), operator: operator, claimed: Claimed(curandSystem, op.Name, op.Type), assumed: assumed}, nil
}

// mostInTurn is how many numbers are checked of the device API's that have no place of their
// own in the stream: each part of them is made from the first on.
const mostInTurn = 1 << 22

// CurandNumbers returns the numbers of one of cuRAND's calls, or of as many calls as it takes
// of its device API.
func CurandNumbers(out curand.Output, op curand.Op, n uint64) Numbers {
	return &curandFilling{Output: out, op: op, n: n}
}

type curandFilling struct {
	curand.Output
	op curand.Op
	n  uint64
}

func (f *curandFilling) DType() string { return f.op.Type }
func (f *curandFilling) Size() int     { return f.op.Size }
func (f *curandFilling) Len() uint64   { return f.n }

func (f *curandFilling) Fill(dst []byte, first uint64) error {
	var values any
	switch f.op.Type {
	case "uint32":
		values = view.Of[uint32](dst)
	case "float32":
		values = view.Of[float32](dst)
	default:
		values = view.Of[float64](dst)
	}
	if err := f.Values(values, first, f.n); err != nil {
		return err
	}
	littleEndian(dst, f.op.Size)
	return nil
}
