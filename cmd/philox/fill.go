package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/philox-go/rng/cuda"
	"github.com/philox-go/rng/internal/verify"
	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/skip"
)

// chunkBytes is the size of a worker's buffer: small enough to stay in a core's
// own cache between being filled and being written, and large enough for handing
// on the turn to write to cost little (a quarter of it took a fifth longer into
// a pipe). It is whole blocks of every distribution.
const chunkBytes = 1 << 20

// maxWorkers bounds what the program chooses by itself, maxThreads what the user
// may: it keeps a slip of the keyboard from taking all memory for buffers.
const (
	maxWorkers = 8
	maxThreads = 1024
)

var fillCommand = command{
	name:    "fill",
	summary: "write random numbers to a file or to standard output",
	usage:   "-n count -out file [flags]",
	options: slices.Concat([]option{
		{name: "n", arg: "count", required: true,
			help: "How many numbers (elements) to write. 0 is allowed; the bytes must stay\nbelow 2^63."},
		outOption.with("\nWith -shard, %d in the name stands for the index, %03d for three digits."),
		{name: "dist", arg: "name", preset: "uniform",
			help: "What to draw; the list is below."},
		likeOption,
	}, distOptions, []option{
		deviceOption.with("where the numbers are made. They are the same ones."),
		seedOption,
		streamOption,
		offsetOption.with(": 2 elements of 8 bytes, 4 of others and of int where\nhi-lo is at most 2^32."),
		{name: "first", arg: "index", preset: "0",
			help: "Element to start at, 0 to 2^64-1, counted from the offset: with -first k\nthe output is what a longer one has from element k on."},
		{name: "shard", arg: "i/k", preset: unsharded,
			help: "Write only part i of k of the output, i from 0 to k-1. auto takes both\nfrom who started the program, auto/k the index alone; see below."},
		{name: "threads", arg: "count", preset: "0",
			help: fmt.Sprintf("Goroutines that fill and write, 0 to %d, with 1 MiB of memory each,\nand of a GPU's. 0 is one for each core (GOMAXPROCS) and one more, at\nmost %d. The numbers do not depend on it.", maxThreads, maxWorkers)},
	}),
	details: fillDetails,
	run:     runFill,
}

func fillDetails() string {
	return `Distributions:

` + distsHelp() + `
uniform16, normal16, truncnormal16, lognormal16, exponential16, cauchy16,
laplace16 and gumbel16 are float16, 2 bytes, and uniformbf16, normalbf16 and so
on bfloat16, which NumPy has not and loads as uint16. uniform16 has 2^10 steps
and uniformbf16 2^7; the others are the float32 numbers, rounded.

Uniforms are lo plus a multiple of a step, rounded, and below hi; -lo and -hi
are rounded to the type first. Numbers beyond a type's largest are infinite;
exponentials end with it.

Truncated normals and integers may be drawn again, from counters that streams
from 2^48 on do not leave free, so such outputs must end before them.

` + countsHelp + `

Element i of the output depends on the seed, the stream, the offset and
first + i alone, so outputs can be cut and joined anywhere. Blocks are counted
from the offset in 128 bits: past block 2^64-1 of a stream the counter carries
on into the next stream, as every fill of the library does.

Shards are cut where blocks begin and differ by at most one block. The .bin
files of all k, one behind another, are the file that one run without -shard
writes; .npy files have a header each. A shard depends on nothing but its
index, so one that was lost can be run again alone, as -shard i/k. -shard auto
looks for a rank and a size, and takes the first that it finds, in

    torchrun           RANK, WORLD_SIZE
    Open MPI           OMPI_COMM_WORLD_RANK, OMPI_COMM_WORLD_SIZE
    a Slurm step       SLURM_PROCID, SLURM_STEP_NUM_TASKS or SLURM_NTASKS
    a Slurm array      SLURM_ARRAY_TASK_ID, SLURM_ARRAY_TASK_COUNT
    Kubernetes         JOB_COMPLETION_INDEX of an indexed job, with auto/k

and says on standard error what it found; -out needs %d then. A Slurm array
numbers its tasks from 0 (--array=0-6). To submit some of them again, say
--array=3, auto/7 must be used from the start: Slurm tells such a task no more
of the 7. In an array, a step of one task is no step.

` + likeDetails() + `
` + outputHelp + `

Examples:

    # heights in centimetres
    philox fill -dist normal -mean 170 -std 7.5 -n 1e6 -seed 42 -out heights.npy

    # none of them below 0
    philox fill -dist truncnormal -a 0 -b inf -n 1e6 -out positive.npy

    # a billion throws of a die
    philox fill -dist uint8 -lo 1 -hi 7 -n 1e9 -out dice.npy

    # doubles for NumPy: numpy.load("x.npy")
    philox fill -dist uniform64 -n 2.5e6 -seed 0xdecaf -out x.npy

    # ten million words of stream 7, from element 1000 on
    philox fill -dist u32 -n 10_000_000 -stream 7 -first 1000 -out words.bin

    # part 3 of 7, on any machine
    philox fill -n 1e9 -seed 42 -shard 3/7 -out x-3.npy

    # x-0.bin, x-1.bin and x-2.bin from three processes
    mpirun -n 3 philox fill -n 1e9 -seed 42 -shard auto -out x-%d.bin

    # the same billion numbers as without -device, from a GPU
    philox fill -n 1e9 -seed 42 -device cuda:0 -out x.npy

    # torch.randn(1000, device="cuda") after torch.manual_seed(42), on an H200
    philox fill -like torch:h200 -dist normal -n 1000 -seed 42 -out x.npy

    # into another program
    philox fill -dist u64 -n 1e12 -out - | RNG_test stdin64
`
}

// A job is a fill whose flags have all been found good.
type job struct {
	dist dist
	filling
	n       uint64
	device  deviceName
	start   philox.Stream  // at the block that has the first element
	skip    uint64         // elements of that block before the first one
	like    verify.Numbers // instead: another system's, of which skip elements are left out
	threads int
	chunk   uint64 // bytes of a worker's buffer
	output  output
	choice  string // which shard -shard auto has found, and where
}

func parseFill(c call) (j job, err error) {
	whole := func(flag string, most uint64) uint64 {
		v, wrong := c.number(flag, 0, most)
		if err == nil {
			err = wrong
		}
		return v
	}
	if err := c.noArguments(); err != nil {
		return job{}, err
	}
	if j.device, err = c.deviceName(); err != nil {
		return job{}, err
	}
	other, err := c.like()
	if err != nil {
		return job{}, err
	}
	var drawn likeDist
	if other != nil {
		drawn, err = other.find(c.options["dist"])
		j.dist = drawn.dist
	} else if j.dist, err = findDist(c.options["dist"]); err == nil {
		j.filling, err = j.dist.filler(c)
	}
	if err != nil {
		return job{}, c.asTyped(err)
	}
	// What is written must be counted in an int64, by files and by us.
	longest := len(npyHeader(j.dist.descr, math.MaxUint64))
	j.n = whole("n", (math.MaxInt64-uint64(longest))/j.dist.size)
	first := whole("first", math.MaxUint64)
	j.threads = int(whole("threads", maxThreads))
	if err != nil {
		return job{}, err
	}
	at, err := c.place()
	if err != nil {
		return job{}, err
	}
	part, origin, err := parseShard(c.options["shard"], c.lookup)
	if err != nil {
		return job{}, err
	}
	out, err := shardOut(c.options["out"], c.options["shard"], part)
	if err != nil {
		return job{}, err
	}
	if other != nil {
		if j.like, err = other.numbers(c, drawn, at, j.n, first); err != nil {
			return job{}, c.asTyped(err)
		}
		j.chunk = other.chunk(j.dist.size)
	} else {
		j.chunk = chunkBytes
		j.start = philox.NewAt(philox.NewKey(at.seed), philox.CounterAt(at.stream, at.offset)).WithMaxGoroutines(1)
		if err := j.try(c, j.start, first); err != nil {
			return job{}, err
		}
	}
	before := first % j.perBlock()
	from, count := part.cut(before, j.n, j.perBlock())
	if origin != "" {
		j.choice = fmt.Sprintf("shard %d of %d (%s): %d of %d numbers, from %d on, into %s", part.index, part.count, origin, count, j.n, from, out)
	}
	j.n = count
	if j.output, err = newOutput(c.env, out, j.dist.descr, j.dist.size, j.n); err != nil {
		return job{}, err
	}
	if j.like != nil {
		j.skip = first + from
		return j, nil
	}
	// Whole blocks go into the counter, which has room for them; first + n
	// might not fit in 64 bits.
	j.start = j.start.Skip(first / j.perBlock()).Skip((before + from) / j.perBlock())
	j.skip = (before + from) % j.perBlock()
	return j, nil
}

// perBlock is how many elements shards and chunks are whole multiples of.
func (j job) perBlock() uint64 {
	if j.like != nil {
		return 1
	}
	return j.filling.perBlock()
}

// try makes the first and the last element of the whole output, so that what a fill
// would refuse anywhere is refused by every shard, before anything is written.
func (j job) try(c call, base philox.Stream, first uint64) error {
	var (
		perBlock = j.perBlock()
		start    = base.Skip(first / perBlock)
		begin    = first % perBlock
		end      = begin + max(j.n, 1) - 1
		buf      [1]uint64
	)
	for i, element := range []struct {
		flag string // takes the counter where it is
		s    philox.Stream
		at   uint64
	}{
		{"stream", base, 0},
		{"first", start, begin},
		{"n", start.Skip(end / perBlock), end % perBlock},
	} {
		// Of an empty output the numbers and the stream must be good all the same.
		if i > 0 && j.n == 0 {
			break
		}
		_, err := j.fill(element.s, buf[:], min(i, 1), element.at)
		if bad := (*skip.ArgumentError)(nil); errors.As(err, &bad) && bad.Arg == "s" {
			return badValue(element.flag, c.options[element.flag], fmt.Sprintf("must keep the output of -dist %s before stream 2^48 (%d)", j.dist.name, uint64(1)<<48))
		}
		if err != nil {
			return c.asTyped(err)
		}
	}
	return nil
}

func runFill(ctx context.Context, c call) error {
	// A misspelt level would silently time or test another one.
	if err := asm.EnvError(); err != nil {
		return usageError(err.Error())
	}
	j, err := parseFill(c)
	if err != nil {
		return err
	}
	dev, err := j.device.open()
	if err != nil {
		return err
	}
	if j.choice != "" {
		fmt.Fprintf(c.stderr, "philox fill: %s\n", j.choice)
	}
	err = j.output.produce(ctx, c.env, nil, func(ctx context.Context, out sink, written *atomic.Int64) error {
		return j.write(ctx, dev, out, written)
	})
	if ctx.Err() == nil { // after a signal workers may still use it
		dev.Close() // what was copied from it is right, however this ends
	}
	return err
}

// write has workers take one chunk after another, fill it, on a device if there is one, and,
// when its turn comes, write it; it adds what was written to written.
//
// The turns are for files too. The usual file systems let one write at a time
// into a file, and workers that call WriteAt at once spend their time waiting
// for each other inside the kernel: on ext4 with two cores that was slower than
// one worker that writes while the others fill.
func (j job) write(signalled context.Context, dev *cuda.Device, out sink, written *atomic.Int64) error {
	var (
		elements = j.chunk / j.dist.size
		chunks   = (j.n + elements - 1) / elements
		workers  = min(uint64(j.workers()), chunks)
		next     atomic.Uint64
		group    sync.WaitGroup
	)
	ctx, fail := context.WithCancelCause(signalled)
	defer fail(nil)

	// One token goes round: who takes it from chunk i's place may write chunk
	// i. Workers hold one chunk each and take them in order, so that as many
	// places as workers never mix up two chunks.
	turns := make([]chan struct{}, workers)
	for i := range turns {
		turns[i] = make(chan struct{}, 1)
	}
	turn := func(chunk uint64) chan struct{} { return turns[chunk%workers] }

	work := func() {
		fill, err := j.filler(dev)
		if err != nil {
			fail(err)
			return
		}
		buf := make([]uint64, (j.chunk+7)/8)
		for {
			i := next.Add(1) - 1
			if i >= chunks {
				return
			}
			n := min(elements, j.n-i*elements)
			p, err := fill(buf, int(n), i*elements)
			if err != nil {
				fail(err)
				return
			}
			select {
			case <-turn(i):
			case <-ctx.Done():
				return
			}
			done, err := out.Write(p)
			written.Add(int64(done))
			if err != nil {
				fail(err)
				return
			}
			turn(i + 1) <- struct{}{}
		}
	}
	for range workers {
		group.Go(work)
	}
	if chunks > 0 {
		turn(0) <- struct{}{}
	}

	attend(ctx, out.patience(), group.Wait)
	if signalled.Err() != nil {
		return signalError(signalled)
	}
	return context.Cause(ctx)
}

// A chunkFill puts n of a job's elements, from index on, at the start of buf and returns
// their little-endian bytes. index is a multiple of the elements in a block.
type chunkFill func(buf []uint64, n int, index uint64) ([]byte, error)

// filler returns what fills one worker's chunks.
func (j job) filler(dev *cuda.Device) (chunkFill, error) {
	if j.like != nil {
		return func(buf []uint64, n int, index uint64) ([]byte, error) {
			p := view.Of[byte](buf)[:n*int(j.dist.size)]
			return p, j.like.Fill(p, j.skip+index)
		}, nil
	}
	fill, err := j.on(dev)
	return func(buf []uint64, n int, index uint64) ([]byte, error) {
		return fill(j.start.Skip(index/j.perBlock()), buf, n, j.skip)
	}, err
}

// workers is one more than the cores, unless the user chose: one of them writes
// while the others fill. As writing is what takes the longest, more than a few
// would only take memory.
func (j job) workers() int {
	if j.threads > 0 {
		return j.threads
	}
	return min(runtime.GOMAXPROCS(0)+1, maxWorkers)
}
