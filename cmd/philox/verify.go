package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/philox-go/rng/internal/verify"
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/rosetta/torch"
)

var verifyCommand = command{
	name:    "verify",
	summary: "reproduce what PyTorch and cuRAND drew, and compare",
	usage:   "[flags] folder",
	options: []option{
		{name: "v", boolean: true,
			help: "Print a line for each array, also for those that are exact."},
		{name: "gpu", arg: "card", preset: "h200",
			help: "The GPU of arrays that do not say theirs: a name, such as h200, or its\nmultiprocessors and the threads of each, such as 132x2048. It matters to\nPyTorch and to cuRAND's dynamic order."},
	},
	details: verifyDetails,
	run:     runVerify,
}

func verifyDetails() string {
	return `The folder, or folders in it, holds what a program drew on a GPU: arrays in .npy
files and an index.json that says what each one is, or cuRAND's raw files, whose
names say it. The scripts in rosetta/capture record such folders:

    python3 rosetta/capture/capture_torch.py --random-seeds 3 drawn
    philox verify drawn

index.json is a list of objects, with these fields (whole numbers may be text):

    system      "torch" or "curand"
    name        the operator, its arguments and type: normal_0.1_0.3_float16,
                randint_-5_1000_int32, randperm; see "philox systems". After
                NAME_2nd is a second call, from the state that NAME left
    file        the .npy or .bin file, below the index's own folder
    n, dtype    how many elements, and their type; float16 and bfloat16 may be
                held as uint16
    seed, offset, offset_after
                the generator's seed, and its offset before and after
    gpu, sms, max_threads_per_sm
                the GPU's name, multiprocessors and threads of each
    sha256      of the whole array, little-endian
    kept        which elements the file has, if not all: "first 400 and last
                400", or [[0,128],[1000,1128]]

Each array is made again from its seed and compared, whole by its SHA-256. The
table has for each operator how many arrays are

    exact       every bit is equal
    within      floating-point values differ by a few units in the last place
    unknown     of a system or an operator that is not made here, or with inputs
                that are not recorded
    wrong       different
    unreadable  not there, or contradicting their own description

Above it is a line for each array that is not exact. The exit status is 0 if all
that "philox systems" calls exact is exact, nothing is wrong or unreadable, and
something could be compared; else 1.
`
}

func runVerify(ctx context.Context, c call) error {
	// A misspelt level would silently check another one.
	if err := asm.EnvError(); err != nil {
		return usageError(err.Error())
	}
	switch {
	case len(c.args) == 0:
		return usageError("the folder is missing")
	case len(c.args) > 1 && strings.HasPrefix(c.args[1], "-"):
		return usageError(fmt.Sprintf("unexpected argument %q: flags stand before the folder", c.args[1]))
	case len(c.args) > 1:
		return usageError(fmt.Sprintf("unexpected argument %q", c.args[1]))
	}
	gpu, err := torch.Card(c.options["gpu"])
	if err != nil {
		return badCard("gpu", c.options["gpu"], err)
	}
	t := tally{out: printer{w: streamSink{c.stdout}}, all: c.options["v"] == "true", start: time.Now()}
	err = verify.Check(ctx, c.args[0], verify.Options{GPU: gpu}, t.add)
	switch {
	case ctx.Err() != nil:
		return signalError(ctx)
	case err != nil && t.out.err == nil:
		return fmt.Errorf("%s: %w", c.args[0], withoutPath(err))
	}
	return t.end()
}

// A tally counts results.
type tally struct {
	out    printer
	all    bool // print a line for exact ones too
	start  time.Time
	rows   []*tallyRow
	total  tallyRow
	faults int
}

// A tallyRow is a row of the table.
type tallyRow struct {
	system, operator string
	count            [verify.Unreadable + 1]int
	ulp              uint64
}

func (r *tallyRow) add(result verify.Result) {
	r.count[result.Outcome]++
	if result.Outcome == verify.Within {
		r.ulp = max(r.ulp, result.ULP)
	}
}

func (r *tallyRow) arrays() (n int) {
	for _, c := range r.count {
		n += c
	}
	return n
}

func (t *tally) add(r verify.Result) error {
	// What a folder says goes to a terminal: none of it is a line of its own, or a colour.
	for _, text := range []*string{&r.File, &r.System, &r.Operator, &r.Detail} {
		*text = printable(*text)
	}
	operator := r.Operator
	if r.Outcome == verify.Unknown || r.Outcome == verify.Unreadable {
		operator = "" // their names may all be different
	}
	i := slices.IndexFunc(t.rows, func(row *tallyRow) bool { return row.system == r.System && row.operator == operator })
	if i < 0 {
		i = len(t.rows)
		t.rows = append(t.rows, &tallyRow{system: r.System, operator: operator})
	}
	t.rows[i].add(r)
	t.total.add(r)
	if r.Fault() {
		t.faults++
	}
	switch {
	case r.Outcome != verify.Exact:
		t.out.printf("%-10s %s: %s %s: %s\n", r.Outcome, r.File, r.System, r.Operator, r.Detail)
	case t.all:
		t.out.printf("%-10s %s: %s %s\n", r.Outcome, r.File, r.System, r.Operator)
	}
	return t.out.err
}

// printable returns text, in quotes if there is something in it that is not printed.
func printable(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}

// errDifferent is the error after which the table has said everything.
var errDifferent = errors.New("not everything is as it should be")

// end prints the table and the verdict.
func (t *tally) end() error {
	slices.SortStableFunc(t.rows, func(a, b *tallyRow) int {
		return cmp.Or(cmp.Compare(a.system, b.system), cmp.Compare(a.operator, b.operator))
	})
	if t.out.err == nil && (t.all || t.total.count[verify.Exact] < t.total.arrays()) {
		t.out.printf("\n")
	}
	t.row("system", "operator", "arrays", "exact", "within", "unknown", "wrong", "unreadable")
	for _, r := range t.rows {
		cells := []string{r.system, cmp.Or(r.operator, "(others)"), fmt.Sprint(r.arrays())}
		for _, n := range r.count {
			text := "-"
			if n > 0 {
				text = fmt.Sprint(n)
			}
			cells = append(cells, text)
		}
		t.row(cells...)
	}
	compared := t.total.arrays() - t.total.count[verify.Unknown] - t.total.count[verify.Unreadable]
	t.out.printf("\n%d of %d arrays are exact", t.total.count[verify.Exact], t.total.arrays())
	for _, o := range verify.Outcomes[1:] {
		switch n := t.total.count[o]; {
		case n == 0:
		case o == verify.Within:
			t.out.printf(", %d within %d ulp", n, t.total.ulp)
		default:
			t.out.printf(", %d %v", n, o)
		}
	}
	t.out.printf(" in %.1f s\n", time.Since(t.start).Seconds())
	switch {
	case t.faults > 0:
		t.out.printf("FAULT: %d arrays are not as they should be\n", t.faults)
	case compared == 0:
		t.out.printf("FAULT: nothing could be compared\n")
	default:
		return t.out.err
	}
	if t.out.err != nil {
		return fmt.Errorf("%w, which could not be written: %w", errDifferent, t.out.err)
	}
	return errDifferent
}

// row prints a row of the table, which fits into 80 columns.
func (t *tally) row(cells ...string) {
	t.out.printf("%-7s %-27s %6s %5s %6s %7s %5s %10s\n", cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7])
}
