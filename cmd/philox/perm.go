package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/philox-go/rng/internal/draw"
	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/random"
)

var permCommand = command{
	name:    "perm",
	summary: "write a random permutation of 0 to n-1",
	usage:   "-n count -out file [flags]",
	options: []option{
		{name: "n", arg: "count", required: true,
			help: "How many numbers: those from 0 to n-1, each once. 0 is allowed. The type\nmust have n-1, and all are held in memory: see below."},
		outOption,
		{name: "type", arg: "name", preset: "int64",
			help: "Type of the numbers, as Go and NumPy call it:\n" + permTypeNames() + "."},
		seedOption,
		streamOption.with(" Those from 2^48 on\nhave no permutations."),
		offsetOption.with(", and n/4 of them are taken, rounded up; twice that\nabove n = 2^19, three times that above 2^26, four times above 2^37."),
	},
	details: permDetails,
	run:     runPerm,
}

func permDetails() string {
	return `All n! orders are equally likely. Which it is depends on n, the seed, the stream
and the offset: not on the type, the machine or the number of cores, all of
which are used above 2^19 numbers.

A permutation is made in memory as a whole and then written: it takes the bytes
of the output, and twice as much above n = 2^26 (67108864). So 1e7 numbers take
80 MB as int64, 8 bytes each, and 40 MB as int32; 1e9 take 16 GB and 8 GB. (On
32-bit systems, wasm and in builds without assembly above n = 2^19 (524288) it
is once more.) Where the system refuses as much, nothing is written.

` + countsHelp + `

` + outputHelp + `
The bar is that of writing; while the permutation is made, a line says for how
long already.

Examples:

    # an order in which to read ten million rows: data[numpy.load("order.npy")]
    philox perm -n 1e7 -seed 42 -out order.npy

    # the next epoch's, with half the bytes
    philox perm -n 1e7 -seed 42 -stream 1 -type int32 -out order-1.npy

    # raw bytes for another program
    philox perm -n 256 -type uint8 -out - | xxd

The same in Go, with package github.com/philox-go/rng/random:

    g := random.NewGenerator(random.CPU(), 42) // -seed 42
    g, err := g.Substream(1)                   // -stream 1; without it, 0
    err = g.SetOffset(5)                       // -offset 5; without it, 0
    order := make([]int32, 1e7)                // -type int32 -n 1e7
    err = random.Perm(g, order)
`
}

// A permType is a type of numbers.
type permType struct {
	name  string // Go's and NumPy's
	descr string // as a .npy header writes it
	size  uint64 // bytes
	most  uint64 // the largest number

	// perm makes a permutation of n numbers, and returns its little-endian bytes.
	perm func(g *random.Generator, n int) ([]byte, error)
}

var permTypes = []permType{
	permOf[int64]("int64", "<i8", math.MaxInt64),
	permOf[int32]("int32", "<i4", math.MaxInt32),
	permOf[int16]("int16", "<i2", math.MaxInt16),
	permOf[int8]("int8", "|i1", math.MaxInt8),
	permOf[uint64]("uint64", "<u8", math.MaxUint64),
	permOf[uint32]("uint32", "<u4", math.MaxUint32),
	permOf[uint16]("uint16", "<u2", math.MaxUint16),
	permOf[uint8]("uint8", "|u1", math.MaxUint8),
}

func permOf[T random.Integer](name, descr string, most uint64) permType {
	size := int(unsafe.Sizeof(T(0)))
	return permType{name, descr, uint64(size), most, func(g *random.Generator, n int) ([]byte, error) {
		p := make([]T, n)
		err := random.Perm(g, p)
		return asBytes(view.Of[byte](p), size), err
	}}
}

// A permJob is a permutation whose flags have all been found good.
type permJob struct {
	permType
	n      int
	from   *random.Generator
	output output
}

// count reads how many numbers there are, which must be in the type and in memory.
func (t permType) count(c call) (int, error) {
	n, err := c.number("n", 0, math.MaxInt64)
	if err != nil {
		return 0, err
	}
	refuse := func(must string, a ...any) (int, error) {
		return 0, badValue("n", c.options["n"], fmt.Sprintf(must, a...))
	}
	if n > 0 && n-1 > t.most {
		return refuse("must be at most %d, the number of integers from 0 on that -type %s has", t.most+1, t.name)
	}
	// Up to three times the bytes must be counted in an int.
	if most := math.MaxInt / (3 * t.size); n > most {
		return refuse("must be at most %d with -type %s, since all are held in memory", most, t.name)
	}
	bytes := (n + draw.PermutationMemory(int(n))) * t.size
	if err := tryMemory(int(bytes)); err != nil {
		return refuse("takes %d bytes of memory with -type %s: %v", bytes, t.name, err)
	}
	return int(n), nil
}

func parsePerm(c call) (j permJob, err error) {
	if err := c.noArguments(); err != nil {
		return permJob{}, err
	}
	j.permType, err = findNamed("type", c.options["type"], permTypes, func(t permType) string { return t.name })
	if err != nil {
		return permJob{}, err
	}
	at, err := c.place()
	if err != nil {
		return permJob{}, err
	}
	if j.n, err = j.count(c); err != nil {
		return permJob{}, err
	}
	if j.output, err = newOutput(c.env, c.options["out"], j.descr, j.size, uint64(j.n)); err != nil {
		return permJob{}, err
	}
	if j.from, err = at.generator(); err != nil {
		return permJob{}, err
	}
	return j, j.try(c)
}

// generator returns the generator of a place.
func (p place) generator() (*random.Generator, error) {
	g := random.NewGenerator(random.CPU(), p.seed)
	if p.stream != 0 {
		var err error
		if g, err = g.Substream(p.stream); err != nil {
			return nil, err
		}
	}
	return g, g.SetOffset(p.offset)
}

// try returns the error that the permutation would have, before it is made.
func (j permJob) try(c call) error {
	if err := random.Perm[uint8](j.from, nil); err != nil {
		return c.asTyped(err)
	}
	_, err := j.from.Clone().Reserve(draw.PermutationBlocks(j.n))
	if few := (*random.ExhaustedError)(nil); errors.As(err, &few) {
		return badValue("offset", c.options["offset"], fmt.Sprintf("leaves %d blocks of the stream, and the permutation takes %d", few.Left, few.Blocks))
	}
	return err
}

func runPerm(ctx context.Context, c call) error {
	// A misspelt level would silently time or test another one.
	if err := asm.EnvError(); err != nil {
		return usageError(err.Error())
	}
	j, err := parsePerm(c)
	if err != nil {
		return err
	}
	var p []byte
	prepare := func(signalled context.Context) (err error) {
		defer showWork(c.stderr, fmt.Sprintf("permuting %d numbers", j.n))()
		p, err = j.make(signalled)
		return err
	}
	write := func(signalled context.Context, out sink, written *atomic.Int64) error {
		return writePieces(signalled, out, p, written)
	}
	return j.output.produce(ctx, c.env, prepare, write)
}

// make makes the permutation. It does not wait for it after a signal: nothing is left
// behind when the process ends.
func (j permJob) make(signalled context.Context) (p []byte, err error) {
	var (
		made  []byte
		fault error
	)
	attend(signalled, 0, func() { made, fault = j.perm(j.from, j.n) })
	if signalled.Err() != nil {
		return nil, signalError(signalled)
	}
	return made, fault
}

// writePieces writes p, in pieces between which it stops at a signal and which progress
// counts.
func writePieces(signalled context.Context, out sink, p []byte, written *atomic.Int64) error {
	var fault error
	attend(signalled, out.patience(), func() {
		for len(p) > 0 && signalled.Err() == nil && fault == nil {
			var n int
			n, fault = out.Write(p[:min(len(p), chunkBytes)])
			written.Add(int64(n))
			p = p[n:]
		}
	})
	if signalled.Err() != nil {
		return signalError(signalled)
	}
	return fault
}

func permTypeNames() string {
	var names []string
	for _, t := range permTypes {
		names = append(names, t.name)
	}
	return strings.Join(names, ", ")
}
