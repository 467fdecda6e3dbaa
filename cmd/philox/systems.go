package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/philox-go/rng/internal/verify"
	"github.com/philox-go/rng/rosetta/curand"
	"github.com/philox-go/rng/rosetta/torch"
	"github.com/philox-go/rng/skip"
)

var systemsCommand = command{
	name:    "systems",
	summary: "list the other systems whose numbers can be reproduced",
	details: func() string {
		return `It prints, for each system, the versions that it was compared with, the GPUs
that have a name, and its operators with their arguments and types. Exact are
those whose recorded outputs are all reproduced bit for bit; those that were
not compared follow the same rules, but no recording of them was there.

"philox verify" compares recordings of your own, and "philox fill -like" writes
the numbers.
`
	},
	run: runSystems,
}

func runSystems(_ context.Context, c call) error {
	if err := c.noArguments(); err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("torch: PyTorch's generator on CUDA GPUs (compared: PyTorch 2.11, CUDA 13.0)\n")
	var cards []string
	for _, gpu := range torch.Cards() {
		cards = append(cards, fmt.Sprintf("%s (%dx%d)", strings.ToLower(gpu.Name), gpu.SMs, gpu.ThreadsPerSM))
	}
	writeWrapped(&b, "cards", cards, ", ")
	writeWrapped(&b, "", []string{"and any other, by its multiprocessors and the threads of each"}, "")
	fmt.Fprintf(&b, "\n    %-16s %-26s %s\n", "operator", "arguments", "types, exact if no more is said")
	for _, op := range torch.Operators() {
		var exact, others []string
		for _, t := range op.DTypes {
			if verify.Claimed(likeTorch, op.Name, t) {
				exact = append(exact, t)
			} else {
				others = append(others, t)
			}
		}
		args, types := wrapped(strings.Fields(op.Args), 26), wrapped(exact, 32)
		if len(others) > 0 {
			types = append(types, wrapped(append([]string{"not compared:"}, others...), 32)...)
		}
		name := op.Name
		for i := range max(len(args), len(types)) {
			b.WriteString(strings.TrimRight(fmt.Sprintf("    %-16s %-26s %s", name, lineOf(args, i), lineOf(types, i)), " ") + "\n")
			name = ""
		}
	}
	b.WriteString(`
    multinomial draws several with replacement from one row of up to 5760
    weights in float32, 2688 in float64 and 11520 in 16 bits: PyTorch's own
    sums of more may vary.
`)
	b.WriteString("\ncurand: cuRAND's Philox4_32_10 (compared: cuRAND 10.4, CUDA 13.0)\n")
	var orders []string
	for _, o := range []curand.Ordering{curand.Best, curand.Default, curand.Legacy, curand.Dynamic} {
		orders = append(orders, o.String())
	}
	writeWrapped(&b, "orders", orders, ", ")
	fmt.Fprintf(&b, "\n    %-32s %-8s %s\n", "function", "type", "takes")
	for _, op := range curand.Ops() {
		status := "not compared"
		switch {
		case verify.Claimed(likeCurand, op.Name, op.Type):
			status = "exact"
		case op.Name == "host_poisson": // see package curand
			status = "exact but for 1 in 10^5"
		}
		fmt.Fprintf(&b, "    %-32s %-8s %-9s %s\n", op.Call, op.Type, strings.Join(op.Params, ", "), status)
	}
	return c.print(b.String())
}

// writeWrapped writes words under a heading.
func writeWrapped(b *strings.Builder, heading string, words []string, separator string) {
	for i := range words[:len(words)-1] {
		words[i] += strings.TrimRight(separator, " ")
	}
	for _, line := range wrapped(words, 66) {
		fmt.Fprintf(b, "    %-9s %s\n", heading, line)
		heading = ""
	}
}

// wrapped puts words into lines of a width.
func wrapped(words []string, width int) (lines []string) {
	for _, word := range words {
		last := len(lines) - 1
		if last >= 0 && len(lines[last])+1+len(word) <= width {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// lineOf is line i, or empty.
func lineOf(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// badCard is the error of a flag that does not name a GPU.
func badCard(flag, value string, err error) error {
	if bad := (*skip.ArgumentError)(nil); errors.As(err, &bad) {
		return badValue(flag, value, bad.Reason)
	}
	return badValue(flag, value, err.Error())
}
