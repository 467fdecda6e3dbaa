package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/klauspost/cpuid/v2"

	"github.com/philox-go/rng/internal/measure"
	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

const (
	// benchSmall fits into the nearest cache, and is a whole number of passes of the
	// longest kernel loop.
	benchSmall = 30 << 10
	// benchSlice is how long one timing lasts: far longer than reading the clock
	// takes, and short enough to fall between what interrupts a core.
	benchSlice = 200 * time.Microsecond

	maxRounds = 10_000
	maxLarge  = 1 << 30
)

var benchCommand = command{
	name:    "bench",
	summary: "time the fills beside math/rand/v2 on this machine",
	usage:   "[flags]",
	options: []option{
		{name: "rounds", arg: "count", preset: "15",
			help: fmt.Sprintf("How often everything is timed, 1 to %d. The table shows medians.", maxRounds)},
		{name: "large", arg: "bytes", preset: "67108864",
			help: "Size of the large buffer, which the nearest caches should not hold: a\nmultiple of 16, up to 2^30, or 0 to leave its columns out. With -device\ncuda:0 it is the only one, up to 2^40: if not given 2^30, or half of the\nmemory that is free there."},
		deviceOption.with("what to time."),
	},
	details: func() string {
		return `The rows are distributions of philox fill, with the defaults of their flags,
and, for comparison, generators of math/rand/v2. The columns are the throughput
in 10^9 bytes a second into a buffer of 30 KiB on one core, into a large one on
one core and on all; and for 30 KiB the cycles of 64 bytes and how many times as
fast as PCG and as ChaCha8 a row is: as a loop of PCG.Uint64, and as
ChaCha8.Read.

Everything is timed in turn, round after round, and a ratio is taken within a
round, so that a machine that others use too slows both sides. Cycles are
counted by a chain of dependent operations, timed once a round.

PHILOX_ISA=generic, avx2 or avx512 lowers the level that is timed.

With -device cuda:0 the rows are all distributions of philox fill, bytes, and a
mask of dropout, a bit for each number; integers are from 0 to 99, but for wide
ones, from 0 to 2^40. The columns are the throughput in 10^9 bytes a second,
what share that is of the rate at which the driver (cuMemset) writes the same
memory, in the same round, and 10^9 numbers a second. The time is the GPU's,
that of one fill behind another one.
`
	},
	run: runBench,
}

func runBench(ctx context.Context, c call) error {
	if err := asm.EnvError(); err != nil {
		return usageError(err.Error())
	}
	if err := c.noArguments(); err != nil {
		return err
	}
	rounds, err := c.number("rounds", 1, maxRounds)
	if err != nil {
		return err
	}
	name, err := c.deviceName()
	if err != nil {
		return err
	}
	if name.cuda {
		return runDeviceBench(ctx, c, name, int(rounds))
	}
	large, err := c.number("large", 0, maxLarge)
	if err != nil {
		return err
	}
	if large%16 != 0 || large > 0 && large <= benchSmall {
		return badValue("large", c.options["large"], fmt.Sprintf("must be a multiple of 16 above %d, or 0", benchSmall))
	}
	buf := make([]uint64, max(benchSmall, int(large))/8)
	for i := range buf {
		buf[i] = 1 // the first touch of a page takes longer than filling it
	}
	rows := benchRows(buf, int(large))
	var contenders []measure.Contender
	for _, r := range rows {
		for _, cell := range r.cells {
			if cell.Run != nil {
				contenders = append(contenders, cell)
			}
		}
	}
	report, err := measure.Interleave(ctx, contenders, measure.Options{Rounds: int(rounds), Slice: benchSlice})
	if ctx.Err() != nil {
		return signalError(ctx)
	}
	if err != nil {
		return err
	}
	return c.print(benchTable(rows, report, int(large)))
}

// A benchRow is a line of the table. The cells are a small buffer, a large one and
// a large one on all cores; those without a Run stay empty.
type benchRow struct {
	name  string
	cells [3]measure.Contender
}

const (
	benchPCG    = "PCG.Uint64"
	benchChaCha = "ChaCha8.Read"
)

// benchDists are the distributions with code of their own for vectors; the others are
// made from these, or one number at a time.
var benchDists = []string{
	"u32", "u64", "uniform", "uniform64", "uniform16", "open", "normal", "normal64", "normal16",
	"truncnormal", "truncnormal64", "exponential", "exponential64", "bernoulli",
}

// smallCell is the name of the cell of a row by which rows are compared.
func smallCell(row string) string { return row + ", small" }

// benchRows are rows that write into buf, large bytes of it where more than
// benchSmall; 0 is none.
func benchRows(buf []uint64, large int) []benchRow {
	var rows []benchRow
	add := func(name string, oneCore, allCores func(buf []uint64)) {
		cell := func(cellName string, bytes int, f func(buf []uint64)) measure.Contender {
			if bytes == 0 || f == nil {
				return measure.Contender{}
			}
			return measure.Contender{Name: cellName, Bytes: bytes, Run: func(times int) {
				for range times {
					f(buf[:bytes/8])
				}
			}}
		}
		rows = append(rows, benchRow{name, [3]measure.Contender{
			cell(smallCell(name), benchSmall, oneCore), cell(name+", large", large, oneCore), cell(name+", large, all cores", large, allCores),
		}})
	}
	all := philox.New(1)
	one := all.WithMaxGoroutines(1)
	for _, name := range benchDists {
		d, err := findDist(name)
		if err != nil {
			panic(err) // a test finds them all
		}
		standard := d.standard()
		fill := func(s philox.Stream) func([]uint64) {
			return func(buf []uint64) { standard.fill(s, buf, len(buf)*8/int(d.size), 0) }
		}
		add(d.name, fill(one), fill(all))
	}
	// A loop for each type, since through an interface no call would be inlined.
	pcg := rand.NewPCG(1, 2)
	add(benchPCG, func(buf []uint64) {
		for i := range buf {
			buf[i] = pcg.Uint64()
		}
	}, nil)
	chacha := rand.NewChaCha8([32]byte{1})
	add("ChaCha8.Uint64", func(buf []uint64) {
		for i := range buf {
			buf[i] = chacha.Uint64()
		}
	}, nil)
	add(benchChaCha, func(buf []uint64) { chacha.Read(view.Of[byte](buf)) }, nil)
	return rows
}

func benchTable(rows []benchRow, report measure.Report, large int) string {
	find := func(name string) measure.Result {
		r, _ := report.Find(name) // all of them were measured
		return r
	}
	pcg, chacha := find(smallCell(benchPCG)), find(smallCell(benchChaCha))
	text := fmt.Sprintf("%s, vector level %s, GOMAXPROCS %d, %.2f GHz, %s\n\n",
		processorName(cpuid.CPU), asm.Active(), runtime.GOMAXPROCS(0), report.GHz, runtime.Version())
	columns := []string{measure.SizeName(benchSmall)}
	if large > 0 {
		columns = append(columns, measure.SizeName(large), "all cores")
	}
	columns = append(columns, "cycles/64 B", "x PCG", "x ChaCha8")
	line := func(name string, values []string) string {
		text := fmt.Sprintf("%-15s", name)
		for i, v := range values {
			text += fmt.Sprintf("%*s", max(8, len(columns[i]))+2, v)
		}
		return text + "\n"
	}
	text += line("GB/s", columns)
	for _, r := range rows {
		var values []string
		for _, cell := range r.cells {
			switch {
			case cell.Run != nil:
				values = append(values, fmt.Sprintf("%.2f", find(cell.Name).GBps()))
			case large > 0:
				values = append(values, "-")
			}
		}
		small := find(smallCell(r.name))
		text += line(r.name, append(values, fmt.Sprintf("%.1f", report.Cycles64(small)),
			fmt.Sprintf("%.2f", measure.Ratio(small, pcg)), fmt.Sprintf("%.2f", measure.Ratio(small, chacha))))
	}
	return text
}
