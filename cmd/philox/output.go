package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"time"
)

// What commands that write numbers have in common: where the numbers come from, and
// where they go.

var (
	outOption = option{name: "out", arg: "file", required: true,
		help: "Where to write: a name that ends in .npy (for NumPy), or in .bin (the\nraw numbers, little-endian), or - (the same bytes on standard output)."}
	seedOption = option{name: "seed", arg: "number", preset: "0",
		help: "Chooses the sequence: -2^63 to 2^64-1. A negative seed is its two's\ncomplement, so -1 is 2^64-1."}
	streamOption = option{name: "stream", arg: "number", preset: "0",
		help: "Chooses one of the 2^64 streams of the seed, 0 to 2^64-1 (counter words\n2 and 3; cuRAND calls it the subsequence)."}
	// offsetOption's help goes on with what a block is enough for.
	offsetOption = option{name: "offset", arg: "blocks", preset: "0",
		help: "Block of the stream to start at, 0 to 2^64-1 (counter words 0 and 1). A\nblock is 128 bits"}
)

const (
	countsHelp = `Counts and places are whole: 1000000, 1_000_000, 1e6, 2.5e6 (which is 2500000)
and 0xf4240 all work, exactly, up to 18446744073709551615.`

	outputHelp = `A file is written under a hidden name, .philox-*.partial, beside its place and
renamed when it is complete; an existing file is replaced only then, by a new
one with a new file's permissions. If anything fails, or a signal asks the
program to stop, nothing is kept; a program that is killed leaves the hidden
file. Nothing waits for the disk itself: use sync where a file must outlast a
power cut. On a terminal a progress bar shows on standard error.`
)

// A place is what the options of a seed, a stream and an offset say.
type place struct{ seed, stream, offset uint64 }

func (c call) place() (p place, err error) {
	var ok bool
	if p.seed, ok = parseSeed(c.options["seed"]); !ok {
		return place{}, badValue("seed", c.options["seed"], "must be a whole number from -2^63 to 2^64-1, decimal or 0x hexadecimal")
	}
	if p.stream, err = c.number("stream", 0, math.MaxUint64); err != nil {
		return place{}, err
	}
	if p.offset, err = c.number("offset", 0, math.MaxUint64); err != nil {
		return place{}, err
	}
	return p, nil
}

// An output is what is written, and where.
type output struct {
	name   string // as -out has it
	header []byte
	bytes  int64 // after the header
}

// newOutput returns the output of n elements of a type. Their bytes, and the header, must be
// counted in an int64.
func newOutput(e env, name, descr string, size, n uint64) (output, error) {
	o := output{name: name, bytes: int64(n * size)}
	switch {
	case strings.HasSuffix(name, ".npy"):
		o.header = npyHeader(descr, n)
	case name == "-" && isTerminal(e.stdout):
		return output{}, badValue("out", name, "standard output is a terminal; send it to a program or a file")
	case name != "-" && !strings.HasSuffix(name, ".bin"):
		return output{}, badValue("out", name, "must end in .npy or .bin, or be - for standard output")
	}
	return o, nil
}

// produce opens the output, has prepare, if there is one, make what write needs, and write
// write all of its bytes; write adds what was written to written. Of an output that is not
// complete nothing is kept.
func (o output) produce(ctx context.Context, e env, prepare func(context.Context) error, write func(ctx context.Context, out sink, written *atomic.Int64) error) error {
	out, err := openSink(e, o)
	if err != nil {
		return err
	}
	var written atomic.Int64
	if prepare != nil {
		err = prepare(ctx)
	}
	if err == nil {
		endProgress := showProgress(e.stderr, o.bytes, &written)
		err = write(ctx, out, &written)
		if err == nil {
			err = out.finish()
		}
		endProgress(err == nil)
	}
	if err != nil {
		lost := out.abort()
		return fmt.Errorf("%w after %d of %d bytes%s", err, written.Load(), o.bytes, lost)
	}
	return nil
}

// attend calls work, in another goroutine, and returns when it has returned; or, once ctx
// is done, after some patience. A write may hang for as long as it likes (a reader that
// does not read, a network disk); the process ends without it.
func attend(ctx context.Context, patience time.Duration, work func()) {
	finished := make(chan struct{})
	go func() {
		work()
		close(finished)
	}()
	select {
	case <-finished:
	case <-ctx.Done():
		select {
		case <-finished:
		case <-time.After(patience):
		}
	}
}

// signalError says which signal it was where Go tells (from 1.26 on).
func signalError(ctx context.Context) error {
	cause := context.Cause(ctx)
	if cause == context.Canceled {
		return errors.New("stopped by a signal")
	}
	return fmt.Errorf("stopped by a signal (%s)", strings.TrimSuffix(cause.Error(), " signal received"))
}
