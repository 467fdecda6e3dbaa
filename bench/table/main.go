// Table measures every row of package bench in turn, in one process, and prints
// one table in Markdown:
//
//	go -C bench run ./table
//	CC=clang go -C bench run -tags random123 ./table -readme ../README.md
//
// The exit status is 0 when all went well, 1 when something failed or the engine
// is not as fast as -require says, and 2 when the command line is wrong.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"time"

	"github.com/philox-go/rng/bench"
	"github.com/philox-go/rng/bench/internal/console"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], world{bench.Rows(), func(ctx context.Context, rows []bench.Row, mem []byte, s schedule, p console.Progress) (table, error) {
		return measureAll(ctx, rows, bench.Tasks(), mem, s, p)
	}, os.Stdout, os.Stderr}))
}

// A world is what the program depends on; tests bring their own.
type world struct {
	rows           []bench.Row
	measure        func(context.Context, []bench.Row, []byte, schedule, console.Progress) (table, error)
	stdout, stderr io.Writer
}

func run(ctx context.Context, args []string, w world) int {
	return console.Status(start(ctx, args, w), "table", w.stderr)
}

type options struct {
	schedule schedule
	require  float64 // 0 for nothing
	readme   string
}

const (
	defaultRounds = 500
	// slice is short because a busy machine interrupts most of the longer ones, and
	// then the median is of interrupted ones.
	slice = 100 * time.Microsecond
)

func parse(args []string, stdout io.Writer) (options, error) {
	set := flag.NewFlagSet("table", flag.ContinueOnError)
	rounds := set.Int("rounds", defaultRounds, "times of everything in the caches; of what is larger, a tenth of that")
	require := set.Float64("require", 0, "fail unless "+bench.Reference+" on one core is at least this many times as fast as Random123 in C")
	readme := set.String("readme", "", "replace what stands between the two markers in this file by the table")
	quick := set.Bool("quick", false, "take a few rounds only")
	if err := console.Parse(set, args, stdout); err != nil {
		return options{}, err
	}
	given := map[string]bool{}
	set.Visit(func(f *flag.Flag) { given[f.Name] = true })
	switch {
	case *rounds < 1:
		return options{}, console.Usagef("-rounds = %d: must be at least 1", *rounds)
	case *quick && *readme != "":
		return options{}, console.UsageError("-quick and -readme exclude each other: a few rounds are no figures to publish")
	case *quick && given["rounds"]:
		return options{}, console.UsageError("-rounds and -quick exclude each other")
	case given["require"] && !(*require > 0 && *require < math.Inf(1)):
		return options{}, console.Usagef("-require = %v: must be positive", *require)
	}
	o := options{schedule{*rounds, max(1, *rounds/10), slice}, *require, *readme}
	if *quick {
		o.schedule = schedule{100, 1, slice}
	}
	return o, nil
}

// start refuses what it can before it measures, which takes minutes.
func start(ctx context.Context, args []string, w world) error {
	o, err := parse(args, w.stdout)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	if o.require > 0 && !hasRandom123(w.rows) {
		return console.Usagef("-require = %v: this program was built without Random123: it needs -tags random123 and cgo", o.require)
	}
	if o.readme != "" {
		if err := checkMarkers(o.readme); err != nil {
			return fmt.Errorf("-readme: %w", err)
		}
	}
	bar := console.NewProgress(w.stderr)
	t, err := w.measure(ctx, w.rows, bench.Memory(bench.LargeSize), o.schedule, bar)
	bar.End()
	if err != nil {
		return err
	}
	text := t.markdown(bench.ThisHost())
	if _, err := io.WriteString(w.stdout, text); err != nil {
		return err
	}
	if o.readme != "" {
		if err := replaceInFile(o.readme, text); err != nil {
			return fmt.Errorf("-readme: %w", err)
		}
	}
	return t.check(o.require)
}
