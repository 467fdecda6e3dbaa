package torch

import (
	"math/bits"

	"github.com/philox-go/rng/internal/fill"
	"github.com/philox-go/rng/rosetta/mufu"
)

// Several numbers with replacement are found in running sums of a row's weights, each by a
// number of its own (ATen/native/cuda/MultinomialKernel.cu). The sums are those of one
// type, float16 included, so that the order of additions decides them.

// An arithmetic is that of one type, on its numbers as float64.
type arithmetic struct {
	add, div func(a, b float64) float64
	round    func(u float32) float64
}

func arithmeticOf[T Float]() arithmetic {
	if wide[T]() {
		return arithmetic{
			add:   func(a, b float64) float64 { return a + b },
			div:   func(a, b float64) float64 { return a / b },
			round: func(u float32) float64 { return float64(u) },
		}
	}
	return arithmetic{
		add:   func(a, b float64) float64 { return float64(round32[T](float32(a) + float32(b))) },
		div:   func(a, b float64) float64 { return float64(round32[T](float32(a) / float32(b))) },
		round: func(u float32) float64 { return float64(round32[T](u)) },
	}
}

const (
	warp       = 32
	blockLimit = 1024 // threads that sum a row
	gridLimit  = 65535
	sampling   = 128     // threads of a block that looks numbers up
	lookups    = 1 << 12 // weights and numbers that are worth a goroutine
)

// total adds a row as a block of threads does: thread t every so many weights from t on,
// each warp its threads' sums by halves, and the first warp those of the warps.
func (a arithmetic) total(row []float64) float64 {
	threads := min(blockLimit, (len(row)+warp-1)/warp*warp)
	sums := make([]float64, threads)
	for t := range sums {
		for c := t; c < len(row); c += threads {
			sums[t] = a.add(sums[t], row[c])
		}
	}
	var warps [warp]float64
	for w := range threads / warp {
		warps[w] = a.halves(sums[w*warp:][:warp])
	}
	return a.halves(warps[:])
}

// halves adds the numbers of a warp. It overwrites them.
func (a arithmetic) halves(x []float64) float64 {
	for n := warp / 2; n > 0; n /= 2 {
		for i := range n {
			x[i] = a.add(x[i], x[i+n])
		}
	}
	return x[0]
}

// normalise divides a row by its sum.
func (a arithmetic) normalise(row []float64) {
	sum := a.total(row)
	if sum > 0 {
		for i, w := range row {
			row[i] = a.div(w, sum)
		}
	}
}

// runningOfMany returns the running sums of one of several rows
// (ATen/native/cuda/ScanUtils.cuh): by Sklansky's network over some numbers at a time, the
// first of which has the sum of all before added.
func (a arithmetic) runningOfMany(row []float64, rows int) []float64 {
	size := 2 << scanThreads(rows, len(row))
	if n := 1 << bits.Len(uint(len(row))); n < size { // the network of fewer is part of it
		size = n
	}
	out := make([]float64, 0, len(row))
	buf := make([]float64, size)
	total := 0.
	for len(row) > 0 {
		n := copy(buf, row)
		clear(buf[n:])
		buf[0] = a.add(buf[0], total)
		for s := 1; s < size; s *= 2 {
			for t := range size / 2 {
				at := t/s*2*s + s
				buf[at+t%s] = a.add(buf[at+t%s], buf[at-1])
			}
		}
		out = append(out, buf[:n]...)
		row, total = row[n:], buf[size-1]
	}
	return out
}

// scanThreads is the binary logarithm of how many threads a row has, which PyTorch computes
// without a sign: far more rows than columns wrap around, and have the most threads.
func scanThreads(rows, columns int) uint32 {
	x, y := uint32(bits.Len32(uint32(columns-1))), uint32(bits.Len32(uint32(rows-1)))
	return min(max(4, (9+x-y)/2), 9)
}

// A single row's running sums are CUB's (DeviceScan::InclusiveScan), a tile of so many
// weights at a time: a thread adds some neighbours, a warp its threads' sums by distances
// of 1, 2, 4, 8 and 16, and the warps follow each other. How many neighbours a thread adds
// was found from what an H200 recorded; it is the preset for operations that CUB does not
// know, whatever the card.
const (
	tileThreads = 128
	// scanTiles is how many tiles have one order of additions: from the fourth on, a tile adds
	// the sums of those before it by itself where they are not yet added up.
	scanTiles = 3
)

// tileOf is how many weights a tile has.
func tileOf[T Float]() int {
	switch size[T]() {
	case 8:
		return tileThreads * 7
	case 4:
		return tileThreads * 15
	}
	return tileThreads * 30
}

// runningOfOne returns the running sums of a single row, items to a thread.
func (a arithmetic) runningOfOne(row []float64, items int) []float64 {
	const threads = tileThreads
	tile := threads * items
	out := make([]float64, len(row))
	prefix := 0.
	for at := 0; at < len(row); at += tile {
		in := make([]float64, tile)
		copy(in, row[at:])
		sums := make([]float64, threads)
		for t := range sums {
			sums[t] = in[t*items]
			for _, x := range in[t*items+1 : (t+1)*items] {
				sums[t] = a.add(sums[t], x)
			}
		}
		before := make([]float64, threads) // sums of the threads before, none for thread 0
		aggregate := 0.
		for w := 0; w < threads; w += warp {
			part := sums[w : w+warp]
			for d := 1; d < warp; d *= 2 {
				for i := warp - 1; i >= d; i-- {
					part[i] = a.add(part[i-d], part[i])
				}
			}
			for i := range part {
				switch {
				case i == 0:
					before[w] = aggregate
				case w == 0:
					before[i] = part[i-1]
				default:
					before[w+i] = a.add(aggregate, part[i-1])
				}
			}
			if w == 0 {
				aggregate = part[warp-1]
			} else {
				aggregate = a.add(aggregate, part[warp-1])
			}
		}
		for t := range threads {
			first := t == 0
			if at > 0 {
				if first {
					before[0] = prefix
				} else {
					before[t] = a.add(prefix, before[t])
				}
				first = false
			}
			sum := in[t*items]
			if !first {
				sum = a.add(before[t], sum)
			}
			for i := range items {
				if i > 0 {
					sum = a.add(sum, in[t*items+i])
				}
				if e := at + t*items + i; e < len(out) {
					out[e] = sum
				}
			}
		}
		if at == 0 {
			prefix = aggregate
		} else {
			prefix = a.add(prefix, aggregate)
		}
	}
	return out
}

// A wheel is a row of weights that numbers are looked up in.
type wheel struct{ weights, sums []float64 }

// wheelOf returns the wheel of one of so many rows.
func wheelOf[T Float](a arithmetic, row []T, rows int) wheel {
	w := wheel{weights: make([]float64, len(row))}
	for c, x := range row {
		w.weights[c] = float64Of(x)
	}
	a.normalise(w.weights)
	if rows == 1 {
		w.sums = a.runningOfOne(w.weights, tileOf[T]()/tileThreads)
	} else {
		w.sums = a.runningOfMany(w.weights, rows)
	}
	return w
}

// at returns the number that u falls on: the first whose running sum is not below u, or
// the last, and from there the nearest one before whose weight is not 0.
func (w wheel) at(u float64) int64 {
	lo, hi := 0, len(w.sums)
	for lo < hi {
		if mid := lo + (hi-lo)/2; w.sums[mid] < u {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	lo = min(lo, len(w.sums)-1)
	for lo >= 1 && w.weights[lo] == 0 {
		lo--
	}
	return int64(lo)
}

// replaced are k numbers of each row, with replacement.
func replaced[T Float](s source, weights []T, rows, k int) numbers[int64] {
	a := arithmeticOf[T]()
	columns := len(weights) / rows
	grid := min(rows, gridLimit)
	across := ((k-1)/sampling + 1) * sampling // threads of a row
	return numbers[int64]{
		n: uint64(rows * k), after: s.offset + 4*uint64((rows-1)/grid+1),
		fill: func(dst []int64, first uint64) {
			from, to := int(first/uint64(k)), int((first+uint64(len(dst))-1)/uint64(k)+1)
			fill.Share(to-from, lookups/(columns+k)+1, 0, func(p, q int) {
				for r := from + p; r < from+q; r++ {
					spin := wheelOf(a, weights[r*columns:][:columns], rows)
					begin := uint64(r) * uint64(k)
					for e := max(begin, first); e < min(begin+uint64(k), first+uint64(len(dst))); e++ {
						// A thread takes a block for each of its rows, and of that one word.
						w := s.words(uint64(r%grid*across)+e-begin, uint64(r/grid))
						dst[e-first] = spin.at(a.round(mufu.Uniform(w[0])))
					}
				}
			})
		},
	}
}
