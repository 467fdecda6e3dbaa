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
	return checkLibrary(ctx, streamSink{c.stdout}, check.This())
}

// errFault is the error after which the table has said everything.
var errFault = errors.New("a fault was found")

// cellWidth is the width of a column, and nameWidth that of the first one: six
// digits twice fit, and the whole table into 80 columns.
const (
	nameWidth = 21
	cellWidth = 19
)

// checkLibrary prints the table, each cell as soon as it is known: where even the
// program ends because of a fault, the last line shows whose it was.
func checkLibrary(ctx context.Context, w io.Writer, lib check.Library) error {
	var (
		out     = printer{w: w}
		start   = time.Now()
		faulty  []string // rows
		details strings.Builder
		total   check.Cell
	)
	out.printf("%-*s%s\n", nameWidth, "", joinCells(check.Columns[:]))
	for _, row := range lib.Rows() {
		if row.Name == "stream" {
			out.printf("%s", missingLevels())
		}
		out.printf("%-*s", nameWidth, row.Name)
		failed := 0
		for i, column := range check.Columns {
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
	if c.Failed > 0 {
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
