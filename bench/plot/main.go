// Plot measures how fast buffers are filled, by their size, and draws it:
//
//	go -C bench run ./plot
//	CC=clang go -C bench run -tags random123 ./plot -out throughput.png
//
// The exit status is 0 when all went well, 1 when something failed and 2 when the
// command line is wrong.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/philox-go/rng/bench"
	"github.com/philox-go/rng/bench/internal/console"
	"github.com/philox-go/rng/internal/measure"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], measure.Interleave, os.Stdout, os.Stderr))
}

// An interleaver is measure.Interleave; tests bring their own.
type interleaver func(context.Context, []measure.Contender, measure.Options) (measure.Report, error)

func run(ctx context.Context, args []string, interleave interleaver, stdout, stderr io.Writer) int {
	return console.Status(start(ctx, args, interleave, stdout, stderr), "plot", stderr)
}

type options struct {
	out    string
	rounds int
	max    int // bytes
}

const (
	defaultOut    = "throughput.svg"
	defaultRounds = 30
	// slice is short because a busy machine interrupts most of the longer ones.
	slice = 100 * time.Microsecond
)

func parse(args []string, stdout io.Writer) (options, error) {
	set := flag.NewFlagSet("plot", flag.ContinueOnError)
	out := set.String("out", defaultOut, "file to draw into: .svg or .png")
	rounds := set.Int("rounds", defaultRounds, "times of everything")
	largest := set.String("max", "256MiB", "size of the largest buffer")
	if err := console.Parse(set, args, stdout); err != nil {
		return options{}, err
	}
	if format(*out) == "" {
		return options{}, console.Usagef("-out = %q: must end in .svg or .png", *out)
	}
	if *rounds < 1 {
		return options{}, console.Usagef("-rounds = %d: must be at least 1", *rounds)
	}
	n, err := parseSize(*largest)
	if err != nil {
		return options{}, console.Usagef("-max = %q: %v", *largest, err)
	}
	return options{*out, *rounds, n}, nil
}

// format returns how a file of this name is drawn, or nothing if no way is known.
func format(name string) string {
	switch ext := strings.ToLower(filepath.Ext(name)); ext {
	case ".svg", ".png":
		return ext[1:]
	}
	return ""
}

// start refuses what it can before it measures.
func start(ctx context.Context, args []string, interleave interleaver, stdout, stderr io.Writer) error {
	o, err := parse(args, stdout)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Dir(o.out)); err != nil {
		return fmt.Errorf("-out = %q: %w", o.out, err)
	}
	chosen, err := choose(bench.Rows())
	if err != nil {
		return err
	}
	bar := console.NewProgress(stderr)
	sizes := sizesUpTo(o.max)
	report, err := interleave(ctx, contenders(chosen, sizes), measure.Options{
		Rounds: o.rounds, Slice: slice, Progress: bar.Steps("sizes up to " + measure.SizeName(o.max)),
	})
	bar.End()
	if err != nil {
		return err
	}
	host := bench.ThisHost()
	p, err := picture(collect(report, chosen, sizes), caption(host, report.GHz, o.rounds))
	if err != nil {
		return err
	}
	if err := p.write(o.out); err != nil {
		return fmt.Errorf("-out = %q: %w", o.out, err)
	}
	_, err = fmt.Fprintln(stdout, o.out)
	return err
}
