package main

import (
	"fmt"
	"strings"

	"github.com/philox-go/rng/bench"
	"github.com/philox-go/rng/internal/measure"
)

// none stands where a row has nothing.
const none = "–"

// titles are the heads of the columns after the row's name.
func (t table) titles() []string {
	var all []string
	for _, n := range t.sizes {
		all = append(all, measure.SizeName(n))
	}
	compared := " (" + measure.SizeName(bench.CacheSize) + ")"
	return append(all, measure.SizeName(t.largest())+", all cores", "cycles per 64 bytes"+compared, bench.Reference+" / this"+compared)
}

func (t table) largest() int { return t.sizes[len(t.sizes)-1] }

func (t table) cells(r bench.Row) []string {
	var all []string
	for _, n := range t.sizes {
		report := t.inCache
		if n == t.largest() {
			report = t.large
		}
		all = append(all, figure(find(report, cell(r, n)).GBps()))
	}
	shared := none
	if r.All != nil {
		shared = figure(find(t.large, allCores(r, t.largest())).GBps())
	}
	return append(all, shared, figure(t.inCache.Cycles64(t.atCacheSize(r))), figure(t.faster(r)))
}

// markdown returns the table, a line before that says where and how it was
// measured, and what is no table's matter after it.
func (t table) markdown(h bench.Host) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d cores at %.2f GHz, %s, %s, %s: GB/s (10^9 bytes a second) on one core,\n",
		h.CPU, h.Cores, t.inCache.GHz, h.Level, h.Go, h.Date)
	fmt.Fprintf(&b, "medians of %d rounds (of %d at %s).\n\n", t.schedule.rounds, t.schedule.large, measure.SizeName(t.largest()))
	line := func(cells ...string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	titles := t.titles()
	line(append([]string{"filled by"}, titles...)...)
	b.WriteString("|---|" + strings.Repeat("--:|", len(titles)) + "\n")
	for _, r := range t.rows {
		line(append([]string{r.Name}, t.cells(r)...)...)
	}
	call := func(name string) string { return figure(find(t.inCache, name).Median()) + " ns" }
	fmt.Fprintf(&b, "\n%s takes %s and %s %s. In a sum, %s takes %s a call and %s %s.\n",
		bench.FourWords, call(bench.FourWords), bench.OneKiB, call(bench.OneKiB),
		bench.SourceUint64, call(bench.SourceUint64), bench.PCGUint64, call(bench.PCGUint64))
	fmt.Fprintf(&b, "Two cores with a buffer of %s each make of\n\n", measure.SizeName(bench.CacheSize))
	for _, c := range t.cores {
		fmt.Fprintf(&b, "- %v\n", c)
	}
	b.WriteString("\nOn all cores\n\n")
	for i := 0; i < len(t.tasks.Results); i += 2 {
		this, other := t.tasks.Results[i], t.tasks.Results[i+1]
		fmt.Fprintf(&b, "- %s takes %s and %s %s, %s times as long\n",
			this.Name, duration(this.Median()), other.Name, duration(other.Median()), figure(measure.Ratio(this, other)))
	}
	return b.String()
}

// duration writes nanoseconds.
func duration(ns float64) string {
	if ns < 1e6 {
		return figure(ns/1e3) + " µs"
	}
	return figure(ns/1e6) + " ms"
}

// figure writes three digits.
func figure(x float64) string {
	switch {
	case x >= 99.95:
		return fmt.Sprintf("%.0f", x)
	case x >= 9.995:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}
