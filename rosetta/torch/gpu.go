package torch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/philox-go/rng/skip"
)

// A GPU is what of a card PyTorch's numbers depend on: the same seed gives other numbers
// on another one as soon as a tensor has more elements than the smaller one has threads.
type GPU struct {
	Name         string
	SMs          int // multiprocessors
	ThreadsPerSM int // that reside on a multiprocessor at once
}

// The cards, with NVIDIA's published numbers of multiprocessors as they are sold. The
// threads of a multiprocessor follow from the compute capability: 2048 for 6.0, 6.1, 7.0,
// 8.0, 9.0 and 10.0, 1024 for 7.5 and 1536 for 8.6, 8.9 and 12.0 (CUDA C++ Programming
// Guide, "Technical Specifications per Compute Capability").
var cards = []GPU{
	{"B200", 148, 2048},
	{"H200", 132, 2048},
	{"H100-SXM", 132, 2048},
	{"H100-PCIe", 114, 2048},
	{"GH200", 132, 2048},
	{"A100", 108, 2048},
	{"A30", 56, 2048},
	{"V100", 80, 2048},
	{"P100", 56, 2048},
	{"A40", 84, 1536},
	{"A10", 72, 1536},
	{"A16", 10, 1536},
	{"A2", 10, 1536},
	{"L40", 142, 1536},
	{"L40S", 142, 1536},
	{"L4", 58, 1536},
	{"T4", 40, 1024},
	{"RTX-A6000", 84, 1536},
	{"RTX-A5000", 64, 1536},
	{"RTX-A4000", 48, 1536},
	{"RTX-6000-Ada", 142, 1536},
	{"RTX-5090", 170, 1536},
	{"RTX-5080", 84, 1536},
	{"RTX-5070-Ti", 70, 1536},
	{"RTX-5070", 48, 1536},
	{"RTX-4090", 128, 1536},
	{"RTX-4080-Super", 80, 1536},
	{"RTX-4080", 76, 1536},
	{"RTX-4070-Ti-Super", 66, 1536},
	{"RTX-4070-Ti", 60, 1536},
	{"RTX-4070-Super", 56, 1536},
	{"RTX-4070", 46, 1536},
	{"RTX-4060-Ti", 34, 1536},
	{"RTX-4060", 24, 1536},
	{"RTX-3090-Ti", 84, 1536},
	{"RTX-3090", 82, 1536},
	{"RTX-3080-Ti", 80, 1536},
	{"RTX-3080", 68, 1536},
	{"RTX-3070-Ti", 48, 1536},
	{"RTX-3070", 46, 1536},
	{"RTX-3060-Ti", 38, 1536},
	{"RTX-3060", 28, 1536},
	{"RTX-2080-Ti", 68, 1024},
	{"RTX-2080", 46, 1024},
	{"RTX-2070", 36, 1024},
	{"RTX-2060", 30, 1024},
	{"TITAN-RTX", 72, 1024},
	{"TITAN-V", 80, 2048},
	{"GTX-1080-Ti", 28, 2048},
	{"GTX-1080", 20, 2048},
}

// Cards returns the cards that [Card] knows by name. Only the H200 was at hand; the
// others differ from it, as far as PyTorch's numbers go, in these two numbers alone.
func Cards() []GPU { return slices.Clone(cards) }

// Card returns the GPU of a name, which need not have its capitals, blanks and dashes
// right, or of the multiprocessors and threads of each, such as 132x2048:
//
//	p = torch.cuda.get_device_properties(0)
//	print(f"{p.multi_processor_count}x{p.max_threads_per_multi_processor}")
//
// "H100" alone is the SXM card. Any other name is a *skip.ArgumentError that says what is
// accepted.
func Card(name string) (GPU, error) {
	plain := func(s string) string {
		return strings.NewReplacer(" ", "", "-", "", "_", "").Replace(strings.TrimPrefix(strings.ToLower(strings.TrimSpace(s)), "nvidia "))
	}
	want := plain(name)
	if want == "h100" {
		want = "h100sxm"
	}
	for _, c := range cards {
		if plain(c.Name) == want || plain(strings.TrimPrefix(c.Name, "RTX-")) == want {
			return c, nil
		}
	}
	if a, b, ok := strings.Cut(strings.TrimSpace(name), "x"); ok {
		sms, errA := strconv.Atoi(a)
		threads, errB := strconv.Atoi(b)
		if errA == nil && errB == nil {
			g := GPU{Name: want, SMs: sms, ThreadsPerSM: threads}
			return g, g.check()
		}
	}
	var names []string
	for _, c := range cards {
		names = append(names, c.Name)
	}
	return GPU{}, bad("gpu", name, "must be multiprocessors x threads of each, such as 132x2048, or one of "+strings.Join(names, ", "))
}

// check refuses what is no GPU.
func (g GPU) check() error {
	switch {
	case g.SMs < 1 || g.SMs > 65535:
		return bad("gpu", g.describe(), "must have 1 to 65535 multiprocessors")
	case g.ThreadsPerSM < block || g.ThreadsPerSM > 65536:
		return bad("gpu", g.describe(), fmt.Sprintf("must have %d to 65536 threads in a multiprocessor", block))
	}
	return nil
}

func (g GPU) describe() string { return fmt.Sprintf("%dx%d", g.SMs, g.ThreadsPerSM) }

// block is how many threads PyTorch's kernels have in a block.
const block = 256

// threads is how many threads PyTorch starts for n elements.
func (g GPU) threads(n uint64) uint64 {
	return block * min((n-1)/block+1, uint64(g.SMs)*uint64(g.ThreadsPerSM/block))
}

// bad is the error of an argument.
func bad(arg string, value any, reason string) error {
	return &skip.ArgumentError{Package: "torch", Arg: arg, Value: fmt.Sprint(value), Reason: reason}
}
