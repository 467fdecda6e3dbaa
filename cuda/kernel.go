package cuda

import (
	_ "embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/philox-go/rng/internal/draw"
	"github.com/philox-go/rng/philox/asm"
)

//go:generate ./build.sh

// source is philox.cu in the form that the driver compiles for the device at hand.
//
//go:embed philox.ptx
var source string

// A kernel is one of the source's.
type kernel struct {
	name  string // its entry point
	image []byte // the source with no other kernel in it: all of them would take seconds to compile
	times uint32 // how many units a thread writes at a time
	unit  uint64 // the bytes of a unit, 0 where there are none
}

// kernels are the source's kernels by the names of stages.
var kernels = sync.OnceValue(func() map[string]*kernel { return parse(source) })

// entry is where a kernel begins. Its name is made by the source's KERNEL.
var entry = regexp.MustCompile(`(?m)^\.visible \.entry (philox_(\w+)_x(\d+)_(\d+))\(`)

func parse(source string) map[string]*kernel {
	places := entry.FindAllStringSubmatchIndex(source, -1)
	all := make(map[string]*kernel, len(places))
	for i, at := range places {
		text := func(group int) string { return source[at[2*group]:at[2*group+1]] }
		number := func(group int) uint64 {
			v, _ := strconv.ParseUint(text(group), 10, 32) // all digits
			return v
		}
		end := len(source)
		if i+1 < len(places) {
			end = places[i+1][0]
		}
		body := source[at[0]:end]
		body = body[:strings.LastIndex(body, "}")+1] // comments on the next one follow
		all[text(2)] = &kernel{
			name:  text(1),
			image: []byte(source[:places[0][0]] + body + "\n"),
			times: uint32(number(3)),
			unit:  number(4),
		}
	}
	return all
}

// find returns a kernel, which the source must have.
func find(stage string) *kernel {
	k := kernels()[stage]
	if k == nil {
		panic(fmt.Sprintf("cuda: philox.ptx has no kernel %s", stage)) // a test looks for all of them
	}
	return k
}

// threads is the number of threads in a block, the source's THREADS.
const threads = 256

// The source's structs.
type (
	// start is Start.
	start struct {
		counter [4]uint32
		key     [2]uint32
		rounds  [19]uint32 // x, y, z, u, k
	}
	// fillParams is Fill.
	fillParams struct {
		dst, state    uint64
		units         uint32
		whole, wholes uint32
		begin, end    uint32
		ahead         uint32
		start         start
	}
	// kernelArgs is Args.
	kernelArgs struct {
		one uint32
		f   [3]float32
		n   [4]uint64
		d   [11]float64
	}
)

const stateBytes = 6*4 + 2*25*4 // of the source's State

// startAt returns the start of a launch at a block. It is the source's prepared.
func startAt(seed, hi, lo uint64) start {
	const m0, m1, w0, w1 = 0xD2511F53, 0xCD9E8D57, 0x9E3779B9, 0xBB67AE85
	var (
		c0, c1, c2, c3 = uint32(lo), uint32(lo >> 32), uint32(hi), uint32(hi >> 32)
		k0, k1         = uint32(seed), uint32(seed >> 32)
		q              = m1 * uint64(c2)
		p              = m0 * uint64(uint32(q>>32)^c1^k0)
	)
	s := start{counter: [4]uint32{c0, c1, c2, c3}, key: [2]uint32{k0, k1}}
	s.rounds[0] = c3 ^ k1
	s.rounds[1] = uint32(q) ^ (k0 + w0)
	s.rounds[2] = uint32(p>>32) ^ (k1 + w1)
	s.rounds[3] = uint32(p) ^ (k1 + 2*w1&0xffffffff)
	keys := s.rounds[4:]
	keys[0] = k0 + 2*w0&0xffffffff
	for i := range uint32(7) { // of rounds 4 to 10
		keys[2*i+1], keys[2*i+2] = k0+(i+3)*w0, k1+(i+3)*w1
	}
	return s
}

// A plan is how a draw is made: by which stage, with which arguments.
type plan struct {
	stage string
	args  kernelArgs
}

// planOf returns the plan of a draw.
func planOf(d draw.Draw) plan {
	name, a := d.Name(), d.Args()
	p := plan{stage: name, args: kernelArgs{one: 0x3f800000}}
	k := &p.args
	singles := func(x ...float64) {
		for i, v := range x {
			k.f[i] = float32(v)
		}
	}
	switch base := strings.TrimRight(name, "b1234568"); {
	case name == asm.OpenFloat32.String():
		p.stage = "open32"
	case name == asm.Range32.String(), name == asm.Float16.String(), name == asm.BFloat16.String():
		span, lo, below := d.Kind().Bounds(a)
		singles(span, lo, below)
	case name == asm.Range64.String():
		k.d[0], k.d[1], k.d[2] = asm.Range64.Bounds(a)
	case base == "normal", base == "lognormal":
		singles(a.Mean, a.Std)
		k.d[0], k.d[1] = a.Mean, a.Std
		if name == "normal32" && (a.Mean != 0 || a.Std != 1) {
			p.stage = "scaled32"
		}
	case base == "truncated":
		p.truncate(a, strings.TrimPrefix(name, base))
	case base == "exponential":
		rate, least, most, changes := a.Rate()
		singles(rate, least, most)
		k.d[0], k.d[1], k.d[2] = rate, least, most
		if name == "exponential32" && changes {
			p.stage = "rate32"
		}
	case base == "chosen":
		threshold, one := a.Choice()
		k.n[0], k.n[1] = threshold-1, one
		if threshold == 0 { // none
			k.n[0], k.n[1] = 0, 0
		}
	case base == "int", base == "wide":
		k.n[0], k.n[1], k.n[2] = d.Kind().Integers(a)
	case base == "cauchy", base == "laplace", base == "gumbel":
		k.d[0], k.d[1] = a.Mean, a.Std
	case base == "geometric", strings.HasPrefix(name, "geometricint"):
		k.d[0] = a.Mean
	}
	return p
}

// truncate plans truncated normals of a type.
func (p *plan) truncate(a asm.Args, suffix string) {
	kind := asm.Truncated32
	if suffix == "64" {
		kind = asm.Truncated64
	}
	t, k := kind.Truncation(a), &p.args
	k.d = [11]float64{t.A, t.B, t.Reserve, t.End, t.Reach, t.Sigma, t.Origin, t.Alpha, t.Lambda}
	if t.BoxMuller {
		k.f[0], k.f[1] = float32(a.Mean), float32(a.Std)
		k.d[3], k.d[4] = a.Mean, a.Std
		return
	}
	p.stage = "tail" + suffix
	switch { // the source's Method
	case t.Exponential:
		k.n[0] = 1
	case t.Constant:
		k.n[0] = 2
	}
}
