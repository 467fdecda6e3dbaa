package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/philox-go/rng/bench"
	"github.com/philox-go/rng/bench/internal/console"
	"github.com/philox-go/rng/internal/measure"
)

// A schedule says how long to measure. Memory outside the caches gets fewer
// rounds, because a call takes up to a tenth of a second.
type schedule struct {
	rounds, large int
	slice         time.Duration
}

// A table is what was measured.
type table struct {
	schedule schedule
	sizes    []int
	inCache  measure.Report // every row at every size but the last, and the calls
	large    measure.Report // every row at the last size
	cores    []bench.Speedup
	tasks    measure.Report // pairs, as bench.Tasks has them
	rows     []bench.Row
}

// cell names the contender of a row at a size.
func cell(r bench.Row, size int) string { return r.Name + " at " + measure.SizeName(size) }

// allCores names that of a row on all cores.
func allCores(r bench.Row, size int) string { return cell(r, size) + " on all cores" }

// measureAll measures tasks, and rows in mem and in as much of it as the smaller sizes
// need. All rows share the memory, so none has a better place than another.
func measureAll(ctx context.Context, rows []bench.Row, tasks []bench.Task, mem []byte, s schedule, p console.Progress) (table, error) {
	t := table{schedule: s, rows: rows}
	var inCache, large []measure.Contender
	for _, n := range bench.Sizes {
		if n == bench.LargeSize {
			continue
		}
		t.sizes = append(t.sizes, n)
		for _, r := range rows {
			inCache = append(inCache, r.Run.Contender(cell(r, n), mem[:n]))
		}
	}
	n := len(mem)
	t.sizes = append(t.sizes, n)
	for _, r := range rows {
		large = append(large, r.Run.Contender(cell(r, n), mem))
		if r.All != nil {
			large = append(large, r.All.Contender(allCores(r, n), mem))
		}
	}
	var err error
	options := func(rounds int, part string) measure.Options {
		return measure.Options{Rounds: rounds, Slice: s.slice, Progress: p.Steps(part)}
	}
	if t.inCache, err = measure.Interleave(ctx, append(inCache, bench.Calls()...), options(s.rounds, "in the caches")); err != nil {
		return table{}, err
	}
	p.Say("two cores")
	for _, r := range bench.OnTwoCores() {
		speedup, err := bench.TwoCores(ctx, r, s.rounds)
		if err != nil {
			return table{}, err
		}
		t.cores = append(t.cores, speedup)
	}
	var pairs []measure.Contender
	for _, task := range tasks {
		pairs = append(pairs, task.This, task.Other)
	}
	if t.tasks, err = measure.Interleave(ctx, pairs, options(s.large, "beside others")); err != nil {
		return table{}, err
	}
	if t.large, err = measure.Interleave(ctx, large, options(s.large, measure.SizeName(n))); err != nil {
		return table{}, err
	}
	return t, nil
}

// find returns a result that must be there.
func find(r measure.Report, name string) measure.Result {
	x, ok := r.Find(name)
	if !ok {
		panic(fmt.Sprintf("table: nothing measured %q", name))
	}
	return x
}

// atCacheSize returns the result of a row at the size at which rows are compared.
func (t table) atCacheSize(r bench.Row) measure.Result {
	return find(t.inCache, cell(r, bench.CacheSize))
}

// faster says how many times as fast the reference is as a row.
func (t table) faster(r bench.Row) float64 {
	return measure.Ratio(t.atCacheSize(bench.Row{Name: bench.Reference}), t.atCacheSize(r))
}

func isRandom123(r bench.Row) bool { return strings.HasPrefix(r.Name, bench.Random123) }

func hasRandom123(rows []bench.Row) bool {
	for _, r := range rows {
		if isRandom123(r) {
			return true
		}
	}
	return false
}

// check fails unless the reference is at least so many times as fast as Random123.
func (t table) check(times float64) error {
	if times == 0 {
		return nil
	}
	for _, r := range t.rows {
		if got := t.faster(r); isRandom123(r) && !(got >= times) {
			return fmt.Errorf("-require = %v: %s is %.2f times as fast as %s", times, bench.Reference, got, r.Name)
		}
	}
	return nil
}
