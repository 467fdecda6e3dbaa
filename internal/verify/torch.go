package verify

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/philox-go/rng/rosetta/torch"
)

// secondCall ends the name of an array that was drawn after another one of the same kind and
// length, from the state which that left. Its offset is the first one's.
const secondCall = "_2nd"

// longName is a name with a length behind its type.
var longName = regexp.MustCompile(`^(.*_(?:u?int\d+|b?float\d+|bool))_\d+p\d+(?:\+\d+)?$`)

// mostInMemory is how many elements are checked of what is made in memory as a whole, by the
// operator, and mostWeights how many weights a choice is made by.
var mostInMemory = map[string]uint64{"randperm": 1 << 25, "multinomial": 1 << 20}

const mostWeights = 1 << 22

func torchNumbers(r *recording, o Options) (made, error) {
	name, second := strings.CutSuffix(r.name, secondCall)
	if m := longName.FindStringSubmatch(name); m != nil {
		name = m[1]
	}
	gpu, assumed, err := r.card(o)
	if err != nil {
		return made{}, err
	}
	if !r.hasN {
		return made{}, errors.New("n is not recorded")
	}
	if r.n > mostBytes {
		return made{}, tooMuch(r.n)
	}
	g := torch.NewGenerator(gpu, r.seed)
	if err := g.SetOffset(r.offset); err != nil {
		return made{}, fmt.Errorf("offset %d: %w", r.offset, err)
	}
	op, _, _ := strings.Cut(name, "_")
	if most, whole := mostInMemory[op]; whole && r.n > most {
		return made{unknown: fmt.Sprintf("n is %d: of %s up to %d are checked", r.n, op, most)}, nil
	}
	f, err := torchFilling(g, r, name)
	if err != nil {
		return made{unknown: err.Error()}, nil
	}
	if second {
		if err := g.SetOffset(f.After()); err != nil {
			return made{}, err
		}
		if f, err = torchFilling(g, r, name); err != nil {
			return made{unknown: err.Error()}, nil
		}
	}
	operator, dtype := f.Op(), tensorType(name)
	m := made{Numbers: TorchNumbers(f), operator: operator + " " + dtype, claimed: Claimed(torchSystem, operator, dtype)}
	if operator != "state_bytes" {
		after := f.After()
		m.after = &after
		m.assumed = assumed
	}
	return m, nil
}

// tensorType is the type in an array's name, or that of tensors whose names do without.
func tensorType(name string) string {
	last := name[strings.LastIndexByte(name, '_')+1:]
	switch _, ok := findType(last); {
	case ok:
		return last
	case name == "randperm":
		return "int64"
	case name == "state_bytes":
		return "uint8"
	}
	return "float32"
}

// TorchNumbers returns the numbers of one of PyTorch's operators. What has to be made as a
// whole is made once.
func TorchNumbers(f *torch.Filling) Numbers {
	if _, whole := mostInMemory[f.Op()]; whole {
		return &wholeNumbers{Numbers: f}
	}
	return f
}

// wholeNumbers are made as a whole when first they are asked for.
type wholeNumbers struct {
	Numbers
	once sync.Once
	all  []byte
	err  error
}

func (w *wholeNumbers) Fill(dst []byte, first uint64) error {
	w.once.Do(func() {
		w.all = make([]byte, w.Len()*uint64(w.Size()))
		w.err = w.Numbers.Fill(w.all, 0)
	})
	copy(dst, w.all[first*uint64(w.Size()):])
	return w.err
}

// card is the GPU of a recording, assumed if it does not say which one here.
func (r *recording) card(o Options) (gpu torch.GPU, assumed bool, err error) {
	if r.sms != 0 || r.threads != 0 {
		gpu, err = torch.Card(fmt.Sprintf("%dx%d", r.sms, r.threads))
		if err != nil {
			err = fmt.Errorf("sms and max_threads_per_sm: %w", err)
		}
		return gpu, false, err
	}
	if gpu, err := torch.Card(strings.TrimPrefix(r.gpu, "NVIDIA ")); err == nil {
		return gpu, false, nil
	}
	return o.GPU, true, nil
}

func torchFilling(g *torch.Generator, r *recording, name string) (*torch.Filling, error) {
	if weights := multinomialName.FindStringSubmatch(name); weights != nil && r.weights != "" {
		args, err := multinomialArgs(r, weights[1], weights[2])
		if err != nil {
			return nil, err
		}
		return torch.Plan(g, "multinomial", tensorType(name), r.n, args...)
	}
	return torch.Named(g, name, r.n)
}

var (
	multinomialName = regexp.MustCompile(`^multinomial_k(\d+)_rep(True|False)(?:_[a-z0-9]+)?$`)
	weightsText     = regexp.MustCompile(`^\[([-+.0-9e, ]+)\](?:x(\d+))?$`)
)

// multinomialArgs returns the arguments of draws from equal rows of recorded weights, such as
// [.1,.2,0]x50.
func multinomialArgs(r *recording, samples, replacement string) ([]string, error) {
	m := weightsText.FindStringSubmatch(r.weights)
	if m == nil {
		return nil, fmt.Errorf("weights %.40q: must be such as [.1,.2,0]x50", r.weights)
	}
	k, err := strconv.ParseUint(samples, 10, 32)
	rows := uint64(1)
	if m[2] != "" && err == nil {
		rows, err = strconv.ParseUint(m[2], 10, 32)
	}
	if err != nil || rows*k != r.n {
		return nil, fmt.Errorf("n is %d, and %s draws from weights %.40q are not as many", r.n, samples, r.weights)
	}
	args := []string{samples, strings.ToLower(replacement)}
	for field := range strings.SplitSeq(m[1], ",") {
		args = append(args, strings.TrimSpace(field))
	}
	if n := uint64(len(args)-2) * rows; n > mostWeights {
		return nil, fmt.Errorf("weights %.40q are %d: up to %d are checked", r.weights, n, uint64(mostWeights))
	}
	return args, nil
}
