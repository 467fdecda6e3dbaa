package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/philox-go/rng/internal/check"
	"github.com/philox-go/rng/philox/asm"
)

var checkCommand = command{
	name:    "check",
	summary: "check the numbers of this machine against known answers",
	usage:   "[-device name]",
	options: []option{deviceOption.with("whose numbers to check.")},
	details: checkDetails,
	run:     runCheck,
}

func checkDetails() string {
	return `It takes a few seconds, and some more where there is only portable code.
Rows:

    blocks     the block functions, Philox4x32 and its siblings, and the
               arithmetic of counters
    (a level and a kind)
               what that level's code fills: words, bytes, uniform numbers,
               normals
    (a level) draws
               what takes arguments: uniform numbers between bounds,
               exponentials, choices, integers, numbers in 16 bits
    stream     the library's fills, by the chosen level and on all cores
    source     sequential numbers, seeds, reads, skips and saved states

Columns:

    known answers
               published numbers, and golden values that never change
    reference  every length, start and alignment that could matter, compared
               with code that shares nothing with the library; what lies around
               must stay as it is
    carries    the same across the places where the counter's words wrap

A cell has the number of its cases, or FAIL and how many of them failed; for
each of those cells the first wrong number is below the table, in hex. The last
line has the verdict. The exit status is 0 if all is right and 1 if not.

With -device cuda:0 the rows are distributions, dropout, and the square roots
that normals are made with, and the columns:

    reference  every length, start and alignment that could matter, compared
               with the library on the CPU, which a check without -device is
               for; what lies around must stay as it is
    carries    the same across the places where the counter's words wrap
    states     the same from a state in the GPU's memory, from graphs that are
               launched again, and from generators

The first time on a machine the driver compiles all kernels, for some seconds.
`
}

func runCheck(ctx context.Context, c call) error {
	// A misspelt level would silently check another one.
	if err := asm.EnvError(); err != nil {
		return usageError(err.Error())
	}
	if err := c.noArguments(); err != nil {
		return err
	}
	name, err := c.deviceName()
	if err != nil {
		return err
	}
	dev, err := name.open()
	if err != nil {
		return err
	}
	out := streamSink{c.stdout}
	if dev == nil {
		return checkLibrary(ctx, out, check.This())
	}
	defer dev.Close()
	return checkDevice(ctx, out, check.Device{Device: dev})
}

// errFault is the error after which the table has said everything.
var errFault = errors.New("a fault was found")

// cellWidth is the width of a column, and nameWidth that of the first one: six
// digits twice fit, and the whole table into 80 columns.
const (
	nameWidth = 21
	cellWidth = 19
)

func checkLibrary(ctx context.Context, w io.Writer, lib check.Library) error {
	return checkRows(ctx, &printer{w: w}, check.Columns, lib.Rows())
}

func checkDevice(ctx context.Context, w io.Writer, d check.Device) error {
	out := printer{w: w}
	out.printf("%s\n\n", deviceText(d.Device.Info()))
	return checkRows(ctx, &out, check.DeviceColumns, d.Rows())
}

// columns are those of a table.
type columns [len(check.Columns)]string

// checkRows prints the table, each cell as soon as it is known: where even the
// program ends because of a fault, the last line shows whose it was.
func checkRows(ctx context.Context, out *printer, columns columns, rows []check.Row) error {
	var (
		start   = time.Now()
		faulty  []string // rows
		details strings.Builder
		total   check.Cell
	)
	out.printf("%-*s%s\n", nameWidth, "", joinCells(columns[:]))
	for _, row := range rows {
		if row.Name == "stream" {
			out.printf("%s", missingLevels())
		}
		out.printf("%-*s", nameWidth, row.Name)
		failed := 0
		for i, column := range columns {
			cell, err := row.Check(ctx, i)
			if err != nil {
				out.printf("\n")
				return signalError(ctx)
			}
			out.printf("%s", padded(cellText(cell), i))
			if cell.Failed > 0 {
				fmt.Fprintf(&details, "%s, %s: %s\n    %s\n", row.Name, column, cell.Wrong, cell.Case)
			}
			failed += cell.Failed
			total.Cases += cell.Cases
		}
		if total.Failed += failed; failed > 0 {
			faulty = append(faulty, row.Name)
		}
		if out.err != nil {
			return out.err
		}
	}
	if details.Len() > 0 {
		out.printf("\n%s", details.String())
	}
	took := time.Since(start).Seconds()
	if len(faulty) > 0 {
		out.printf("\nFAULT: %s: %d of %d cases failed in %.1f s\n", strings.Join(faulty, ", "), total.Failed, total.Cases, took)
		if out.err != nil {
			return fmt.Errorf("%w, which could not be written: %w", errFault, out.err)
		}
		return errFault
	}
	out.printf("\nall %d cases passed in %.1f s\n", total.Cases, took)
	return out.err
}

// missingLevels has a line for each level that cannot be checked here.
func missingLevels() string {
	var b strings.Builder
	for _, l := range asm.AllLevels() {
		if why := asm.Missing(l); len(why) > 0 {
			fmt.Fprintf(&b, "%-*vnot on this machine: %s\n", nameWidth, l, strings.Join(why, ", "))
		}
	}
	return b.String()
}

func cellText(c check.Cell) string {
	switch {
	case c.Cases == 0:
		return "-"
	case c.Failed > 0:
		return fmt.Sprintf("FAIL %d/%d", c.Failed, c.Cases)
	}
	return fmt.Sprintf("ok %d", c.Cases)
}

func joinCells(texts []string) string {
	var b strings.Builder
	for i, text := range texts {
		b.WriteString(padded(text, i))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// padded is a cell of the table; the last one ends the line.
func padded(text string, column int) string {
	if column == len(check.Columns)-1 {
		return text + "\n"
	}
	return fmt.Sprintf("%-*s", cellWidth, text)
}

// A printer keeps the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}
