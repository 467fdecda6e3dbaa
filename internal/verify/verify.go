// Package verify compares recorded outputs of other systems with what this library makes
// of their seeds.
//
// A folder of recordings holds arrays and, in index.json files of any of its folders, what
// they are: the system, the operator with its arguments, type, length, seed and offset, the
// GPU, and the SHA-256 of the whole array, of which the file may keep only parts. Raw files
// of cuRAND say it in their names and may do without an index. Nothing in a folder is
// trusted: no file outside of it is read, and no memory is taken because of a number in it.
package verify

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"runtime"
	"slices"
	"sync"

	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/rosetta/torch"
)

// An Outcome is what the comparison of an array came to.
type Outcome int

// From the best to the worst.
const (
	// Exact: every value that is known of the array is equal, of a whole one by its SHA-256.
	Exact Outcome = iota
	// Within: floating-point values differ, and the kept ones by no more than MostULP.
	Within
	// Unknown: nothing here makes such an array.
	Unknown
	// Wrong: values differ that should not, or the offset after the call does.
	Wrong
	// Unreadable: the recording contradicts itself, or is not there.
	Unreadable
)

// Outcomes are all of them, in order.
var Outcomes = []Outcome{Exact, Within, Unknown, Wrong, Unreadable}

func (o Outcome) String() string {
	return [...]string{"exact", "within", "unknown", "wrong", "unreadable"}[o]
}

// MostULP is how far values may be from the recorded ones, in units in the last place, to be
// called close to them. Numbers of another sequence are farther away.
const MostULP = 64

// A Result is the outcome for one array.
type Result struct {
	File     string // below the folder, with slashes
	System   string // "torch", "curand", or what the recording says
	Operator string // with the type, such as "normal float32"
	N        uint64
	Outcome  Outcome
	ULP      uint64 // of Within: the farthest kept value
	Detail   string // empty for Exact
	// Claimed says that the array should be exact, so that any other outcome but Unknown
	// is a fault.
	Claimed bool
}

// Fault reports whether the result is one that must not be.
func (r Result) Fault() bool {
	switch r.Outcome {
	case Wrong, Unreadable:
		return true
	case Within:
		return r.Claimed
	}
	return false
}

// Options are what a check may be told.
type Options struct {
	// GPU is that of arrays which do not say theirs.
	GPU torch.GPU
}

// Check compares everything in a folder and passes each result, in the order of the files,
// to report. It returns an error if the folder cannot be read at all, or ctx is done, or
// report has returned an error.
func Check(ctx context.Context, dir string, o Options, report func(Result) error) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	f := &folder{root: root, options: o}
	if err := f.list(ctx); err != nil {
		return err
	}
	return f.check(ctx, report)
}

// check does the work of several arrays at a time, and reports in order.
func (f *folder) check(parent context.Context, report func(Result) error) error {
	ctx, stop := context.WithCancelCause(parent)
	defer stop(nil)
	// Few: each has a buffer, and makes long arrays on all cores.
	workers := min(runtime.GOMAXPROCS(0), 8, len(f.recordings))
	results := make([]chan Result, len(f.recordings))
	for i := range results {
		results[i] = make(chan Result, 1)
	}
	var (
		next  = make(chan int)
		group sync.WaitGroup
	)
	for range workers {
		group.Go(func() {
			buf := make([]uint64, pieceBytes/8)
			for i := range next {
				results[i] <- f.recordings[i].compare(ctx, f, view.Of[byte](buf))
			}
		})
	}
	group.Go(func() {
		defer close(next)
		for i := range results {
			select {
			case next <- i:
			case <-ctx.Done():
				return
			}
		}
	})
	defer group.Wait()
	for _, result := range results {
		select {
		case r := <-result:
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := report(r); err != nil {
				stop(err)
				return err
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

const (
	// pieceBytes is how much of an array is made at a time: some rows of the largest GPUs'
	// threads, so that most blocks are made once.
	pieceBytes = 16 << 20
	// mostBytes is the largest array that is checked. Its hash takes a minute.
	mostBytes = 1 << 37
)

// Numbers are an array that this library makes.
type Numbers interface {
	DType() string // of the elements, such as "float32"
	Size() int     // of an element, in bytes
	Len() uint64
	// Fill makes elements first, first+1, ..., little-endian. Several goroutines may call it
	// at once. dst begins where a uint64 may be.
	Fill(dst []byte, first uint64) error
}

// compare checks one recording. buf is memory for a piece.
func (r *recording) compare(ctx context.Context, f *folder, buf []byte) Result {
	result := Result{File: r.path, System: cmp.Or(r.system, "?"), Operator: cmp.Or(r.name, "?"), N: r.n}
	end := func(o Outcome, format string, a ...any) Result {
		result.Outcome, result.Detail = o, fmt.Sprintf(format, a...)
		return result
	}
	if r.err != nil {
		return end(Unreadable, "%v", r.err)
	}
	s, ok := findSystem(r.system)
	if !ok {
		return end(Unknown, "system %q: none that is made here, which are %s", r.system, systemNames())
	}
	made, err := s.numbers(r, f.options)
	if err != nil {
		return end(Unreadable, "%v", err)
	}
	result.Operator = made.operator
	if made.unknown != "" {
		return end(Unknown, "%s", made.unknown)
	}
	result.Claimed = made.claimed
	if _, whole := made.Numbers.(*wholeNumbers); whole {
		f.whole.Lock() // they take much memory: one at a time
		defer f.whole.Unlock()
	}
	kept, err := f.open(r, made.Numbers)
	if err != nil {
		return end(Unreadable, "%v", err)
	}
	defer kept.Close()
	result.N = r.n
	if r.after != nil && made.after != nil && *r.after != *made.after {
		return end(Wrong, "offset_after is %d and should be %d", *r.after, *made.after)
	}
	d := difference{recording: r, Numbers: made.Numbers, kept: kept.values, keptHash: sha256.New()}
	if err := d.find(ctx, buf); err != nil {
		return end(Unreadable, "%v", err)
	}
	result.ULP = d.ulp
	switch count := r.keptCount(); {
	case d.first == nil && !d.otherHash:
		return end(Exact, "")
	case d.first == nil && isFloat(made.DType()): // so much can be said
		return end(Within, "the %d kept values are equal, but not the SHA-256 of all %d", count, r.n)
	case d.first == nil:
		return end(Wrong, "the %d kept values are equal, but not the SHA-256 of all %d", count, r.n)
	case isFloat(made.DType()) && d.ulp <= MostULP:
		return end(Within, "%d of %d kept values, by at most %d ulp: %v", d.count, count, d.ulp, d.first)
	default:
		assumed := ""
		if made.assumed {
			assumed = fmt.Sprintf("; the GPU, which is not recorded, was taken to be %dx%d", f.options.GPU.SMs, f.options.GPU.ThreadsPerSM)
		}
		return end(Wrong, "%d of %d kept values: %v%s", d.count, count, d.first, assumed)
	}
}

// A difference is what an array and its recording differ in.
type difference struct {
	*recording
	Numbers
	kept     io.Reader // the values of the spans, one behind another
	keptHash hash.Hash

	first     *mismatch
	count     uint64 // of kept values
	ulp       uint64 // the farthest
	otherHash bool   // of the whole
}

// A mismatch is two values that should be equal.
type mismatch struct {
	at                   uint64
	dtype                string
	recorded, reproduced []byte
}

func (m *mismatch) String() string {
	return fmt.Sprintf("[%d] is %s and should be %s", m.at, textOf(m.dtype, m.recorded), textOf(m.dtype, m.reproduced))
}

// find makes the array, in pieces, as far as is needed: all of it if its hash is known.
func (d *difference) find(ctx context.Context, buf []byte) error {
	size := uint64(d.Size())
	spans := d.spans
	if d.sha != "" {
		spans = []span{{0, d.n}}
	}
	all := sha256.New()
	for _, s := range spans {
		for at := s.from; at < s.to; {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			piece := buf[:min(uint64(len(buf))/size, s.to-at)*size]
			if err := d.Fill(piece, at); err != nil {
				return err
			}
			if d.sha != "" {
				all.Write(piece)
			}
			if err := d.comparePiece(piece, at); err != nil {
				return err
			}
			at += uint64(len(piece)) / size
		}
	}
	if d.sha == "" {
		return nil
	}
	if d.whole && hex.EncodeToString(d.keptHash.Sum(nil)) != d.sha {
		return errors.New("the file's values have another SHA-256 than its index says")
	}
	d.otherHash = hex.EncodeToString(all.Sum(nil)) != d.sha
	return nil
}

// comparePiece compares what is kept of a piece that begins with element first. Pieces come
// in order.
func (d *difference) comparePiece(piece []byte, first uint64) error {
	size := uint64(d.Size())
	last := first + uint64(len(piece))/size
	var scratch [1 << 12]byte
	for _, s := range d.spans {
		for at, end := max(s.from, first), min(s.to, last); at < end; {
			n := min(end-at, uint64(len(scratch))/size)
			recorded := scratch[:n*size]
			if _, err := io.ReadFull(d.kept, recorded); err != nil {
				return fmt.Errorf("cannot be read: %w", err)
			}
			d.keptHash.Write(recorded)
			d.compareValues(recorded, piece[(at-first)*size:], at)
			at += n
		}
	}
	return nil
}

func (d *difference) compareValues(recorded, reproduced []byte, first uint64) {
	if bytes.Equal(recorded, reproduced[:len(recorded)]) {
		return
	}
	size, dtype := d.Size(), d.DType()
	for i := 0; i < len(recorded); i += size {
		a, b := recorded[i:i+size], reproduced[i:i+size]
		if bytes.Equal(a, b) {
			continue
		}
		if d.first == nil {
			d.first = &mismatch{first + uint64(i/size), dtype, slices.Clone(a), slices.Clone(b)}
		}
		d.count++
		if isFloat(dtype) {
			d.ulp = max(d.ulp, ulps(dtype, a, b))
		}
	}
}
