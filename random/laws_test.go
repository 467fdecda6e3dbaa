package random_test

import (
	"math"

	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/random"
)

// fineBins is how many bins of the same probability a law has between its tails.
const fineBins = 128

// tail is the probability of a tail.
func tail() float64 { return tailElements / float64(mutantElements()) }

// smooth is the law of elements whose distribution function at returns, and a
// standardised value. A u of -1 is for what there may not be.
func smooth[T any](kurtosis float64, at func(x T) (u, value float64)) *law[T] {
	low := tail()
	high := 1 - low
	scale := fineBins / (high - low)
	l := &law[T]{kurtosis: kurtosis, bins: []float64{low}}
	for range fineBins {
		l.bins = append(l.bins, 1/scale)
	}
	l.bins = append(l.bins, low)
	l.see = func(x T) seen {
		u, value := at(x)
		s := seen{score: (u - 0.5) * math.Sqrt(12), value: value}
		switch {
		case !(u >= 0 && u <= 1):
			s.bin = -1
		case u < low:
		case u >= high:
			s.bin = fineBins + 1
		default:
			s.bin = 1 + min(int((u-low)*scale), fineBins-1)
		}
		return s
	}
	return l
}

// A shape is a distribution of real numbers.
type shape struct {
	below                     func(x float64) float64 // the distribution function
	least, most               float64                 // of the numbers
	mean, deviation, kurtosis float64                 // NaN if there are none
}

// floats is the law of a shape's numbers in a type that has them nearly all.
func floats[T random.Float](s shape) *law[T] {
	return smooth(s.kurtosis, func(x T) (u, value float64) {
		v := float64(x)
		if !(v >= s.least && v <= s.most) {
			return -1, 0
		}
		if value = (v - s.mean) / s.deviation; value != value {
			value = 0
		}
		return s.below(v), value
	})
}

// A cell is a number, and how probable it is.
type cell struct{ value, p float64 }

// discrete is the law of elements that are in cells, which ascend. Bins are made of
// cells, so that they have at least the probability coarsest. index returns the cell of
// an element, or -1.
func discrete[T any](cells []cell, coarsest float64, index func(x T) int) *law[T] {
	var mean, variance, fourth float64
	for _, c := range cells {
		if c.p > 0 {
			mean += c.p * c.value
		}
	}
	for _, c := range cells {
		if c.p > 0 {
			d := (c.value - mean) * (c.value - mean)
			variance += c.p * d
			fourth += c.p * d * d
		}
	}
	l := &law[T]{kurtosis: fourth / (variance * variance)}
	if math.IsInf(mean, 0) || math.IsNaN(mean) {
		l.kurtosis = math.NaN()
	}

	all := make([]seen, len(cells))
	before, squares := 0.0, 0.0
	for i, c := range cells {
		all[i].score = before + c.p/2 - 0.5
		squares += c.p * all[i].score * all[i].score
		before += c.p
		if l.kurtosis == l.kurtosis {
			all[i].value = (c.value - mean) / math.Sqrt(variance)
		}
	}
	for i := range all {
		all[i].score /= math.Sqrt(squares)
	}

	// The upper tail is put together first.
	end, last := len(cells), 0.0
	for end > 1 && last < tail() {
		end--
		last += cells[end].p
	}
	l.bins = []float64{0}
	for i, c := range cells[:end] {
		bin := len(l.bins) - 1
		if least := max(coarsest, tail()/2); bin == 0 && l.bins[0] >= tail() || bin > 0 && l.bins[bin] >= least {
			l.bins = append(l.bins, 0)
			bin++
		}
		l.bins[bin] += c.p
		all[i].bin = bin
	}
	if bin := len(l.bins) - 1; bin > 0 && l.bins[bin] < tail()/2 { // too little
		l.bins[bin-1] += l.bins[bin]
		l.bins = l.bins[:bin]
		for i := range all[:end] {
			all[i].bin = min(all[i].bin, bin-1)
		}
	}
	for i := range all[end:] {
		all[end+i].bin = len(l.bins)
	}
	l.bins = append(l.bins, last)
	l.see = func(x T) seen {
		i := index(x)
		if i < 0 || i >= len(all) {
			return seen{bin: -1}
		}
		return all[i]
	}
	return l
}

// halves is the law of a shape's numbers rounded to a format.
func halves(f random.Format, s shape) *law[uint16] {
	var numbers []uint16 // ascending, without -0
	add := func(b uint16) {
		if v := toFloat(f, b); v >= s.least && v <= s.most {
			numbers = append(numbers, b)
		}
	}
	for b := math.MaxUint16; b > 1<<15; b-- {
		add(uint16(b))
	}
	for b := range 1 << 15 {
		add(uint16(b))
	}
	cells, places := make([]cell, len(numbers)), make([]int, 1<<16)
	for i := range places {
		places[i] = -1
	}
	before := 0.0
	for i, b := range numbers {
		cells[i].value = toFloat(f, b)
		places[b] = i
		below := 1.0
		if i+1 < len(numbers) {
			below = s.below(middle(f, b, numbers[i+1]))
		}
		cells[i].p = below - before
		before = below
	}
	places[1<<15] = places[0]
	l := discrete(cells, 1.0/fineBins, func(b uint16) int { return places[b] })
	if s.kurtosis != s.kurtosis {
		l.kurtosis = math.NaN()
	}
	return l
}

func toFloat(f random.Format, b uint16) float64 { return float64(asm.Half(f).Float32(b)) }

// middle is where rounding changes from one number of a format to the next one. Infinity
// counts as the number that would follow the largest one.
func middle(f random.Format, a, b uint16) float64 {
	x, y := toFloat(f, a), toFloat(f, b)
	beyond := 65536.0
	if f == random.BFloat16 {
		beyond = 0x1p128
	}
	return (max(x, -beyond) + min(y, beyond)) / 2
}

// halfSteps is how many uniforms a format has.
func halfSteps(f random.Format) int {
	if f == random.BFloat16 {
		return 1 << 7
	}
	return 1 << 10
}

// uniformHalf is lo + k*(hi-lo)/halfSteps, rounded to the format, but less than hi.
func uniformHalf(f random.Format, lo, hi float64, k int) uint16 {
	b := rounded(f)(float32(lo + (hi-lo)*float64(k)/float64(halfSteps(f))))
	if toFloat(f, b) >= hi { // above 0
		b--
	}
	return b
}

// uniformHalves is the law of those with all k equally likely.
func uniformHalves(f random.Format, lo, hi float64) *law[uint16] {
	var cells []cell
	for k := range halfSteps(f) {
		v := toFloat(f, uniformHalf(f, lo, hi, k))
		if len(cells) == 0 || cells[len(cells)-1].value != v {
			cells = append(cells, cell{value: v})
		}
		cells[len(cells)-1].p += 1 / float64(halfSteps(f))
	}
	return discrete(cells, 0, find(f, cells))
}

// find returns the function that finds the cell of a half.
func find(f random.Format, cells []cell) func(b uint16) int {
	places := make([]int, 1<<16)
	for i := range places {
		places[i] = -1
	}
	for i, c := range cells {
		places[rounded(f)(float32(c.value))] = i
	}
	return func(b uint16) int { return places[b] }
}

// number is what can be drawn as a number.
type number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// equals is the law of n integers from lo on that are equally likely.
func equals[T number](lo T, n int) *law[T] {
	cells := make([]cell, n)
	for i := range cells {
		cells[i] = cell{float64(lo) + float64(i), 1 / float64(n)}
	}
	return discrete(cells, 0, func(x T) int { return int(x) - int(lo) })
}

// span is that of many. n is 0 for 2^64.
func span[T random.Integer](lo T, n uint64) *law[T] {
	all := float64(n)
	if n == 0 {
		all = 0x1p64
	}
	return smooth(1.8, func(x T) (u, value float64) {
		d := uint64(x) - uint64(lo)
		if d > n-1 {
			return -1, 0
		}
		u = (float64(d) + 0.5) / all
		return u, (u - 0.5) * math.Sqrt(12)
	})
}

// residueOf is a modulus that shows what becomes of low bits and of thirds.
const residueOf = 240

// residues is the law of the residues of n integers, and residue takes them.
func residues(n uint64) *law[uint8] {
	cells := make([]cell, residueOf)
	for i := range cells {
		cells[i] = cell{float64(i), float64((n-1-uint64(i))/residueOf+1) / float64(n)}
		if n == 0 {
			cells[i].p = 1.0 / residueOf
		}
	}
	l := discrete(cells, 0, func(r uint8) int { return int(r) })
	l.unordered = true
	return l
}

func residue[T random.Integer](lo T) func(x T) uint8 {
	return func(x T) uint8 { return uint8((uint64(x) - uint64(lo)) % residueOf) }
}

// trial is the law of 1 with probability p, and 0.
func trial[T number](p float64) *law[T] { return trialOf(p, T(1)) }

func trialOf[T comparable](p float64, one T) *law[T] {
	var zero T
	return discrete([]cell{{0, 1 - p}, {1, p}}, 0, func(x T) int {
		switch x {
		case zero:
			return 0
		case one:
			return 1
		}
		return -1
	})
}

// trials is the law of the number of trials up to a success.
func trials(p float64) []cell {
	cells := []cell{}
	for k, left := 1.0, 1.0; left > 1e-18; k++ {
		cells = append(cells, cell{k, left * p})
		left *= 1 - p
	}
	return cells
}

func geometric[T number](p float64) *law[T] {
	return discrete(trials(p), 0, func(x T) int {
		if float64(x) != math.Floor(float64(x)) {
			return -1
		}
		return int(x) - 1
	})
}

// geometricHalves has numbers of trials rounded.
func geometricHalves(f random.Format, p float64) *law[uint16] {
	var cells []cell
	for _, c := range trials(p) {
		v := toFloat(f, rounded(f)(float32(c.value)))
		if len(cells) == 0 || cells[len(cells)-1].value != v {
			cells = append(cells, cell{value: v})
		}
		cells[len(cells)-1].p += c.p
	}
	return discrete(cells, 0, find(f, cells))
}

// The shapes. Infinite numbers count as numbers where rounding may give them.

func uniformShape(lo, hi float64) shape {
	return shape{
		below: func(x float64) float64 { return (x - lo) / (hi - lo) },
		least: lo, most: math.Nextafter(hi, lo),
		mean: (lo + hi) / 2, deviation: (hi - lo) / math.Sqrt(12), kurtosis: 1.8,
	}
}

func normalShape(mean, std float64) shape {
	return shape{
		below: func(x float64) float64 { return math.Erfc((mean-x)/std/math.Sqrt2) / 2 },
		least: math.Inf(-1), most: math.Inf(1), mean: mean, deviation: std, kurtosis: 3,
	}
}

func truncatedShape(mean, std, a, b float64) shape {
	return truncate(normalShape(mean, std), a, b, a, b)
}

// truncatedHalves is that of halves from a to b, which are rounded.
func truncatedHalves(f random.Format, mean, std, a, b float64) *law[uint16] {
	beside := func(x float64, up bool) float64 { // the next number of the format
		next := math.Inf(1)
		for b := range 1 << 16 {
			if v := toFloat(f, uint16(b)); up == (v > x) && v != x && math.Abs(v-x) < math.Abs(next-x) {
				next = v
			}
		}
		return next
	}
	return halves(f, truncate(normalShape(mean, std), a, b, (a+beside(a, false))/2, (b+beside(b, true))/2))
}

// truncate is a shape under the condition that numbers are from low to high; least and
// most are what they are rounded to.
func truncate(s shape, least, most, low, high float64) shape {
	// Upper tails are as exact as lower ones where the shape is symmetric.
	below, sign := s.below, 1.0
	if low > s.mean {
		below, sign = func(x float64) float64 { return s.below(2*s.mean - x) }, -1
	}
	from, all := below(low), sign*(below(high)-below(low))
	t := shape{least: least, most: most, below: func(x float64) float64 {
		return min(1, max(0, sign*(below(x)-from)/all))
	}}
	// The moments are sums over thin slices.
	const slices = 1 << 14
	first := max(low, s.mean-10*s.deviation)
	width := (min(high, s.mean+10*s.deviation) - first) / slices
	sum := func(f func(x float64) float64) (total float64) {
		before := 0.0
		for i := range slices {
			here := t.below(first + width*float64(i+1))
			total += (here - before) * f(first+width*(float64(i)+0.5))
			before = here
		}
		return total
	}
	t.mean = sum(func(x float64) float64 { return x })
	variance := sum(func(x float64) float64 { return (x - t.mean) * (x - t.mean) })
	t.deviation = math.Sqrt(variance)
	t.kurtosis = sum(func(x float64) float64 { return math.Pow(x-t.mean, 4) }) / (variance * variance)
	return t
}

func exponentialShape(rate float64) shape {
	return shape{
		below: func(x float64) float64 { return -math.Expm1(-rate * max(0, x)) },
		least: math.SmallestNonzeroFloat64, most: math.MaxFloat64, mean: 1 / rate, deviation: 1 / rate, kurtosis: 9,
	}
}

func logNormalShape(mean, std float64) shape {
	z := normalShape(mean, std)
	w := math.Exp(std * std)
	m := math.Exp(mean + std*std/2)
	return shape{
		below: func(x float64) float64 { return z.below(math.Log(max(0, x))) },
		least: 0, most: math.Inf(1), mean: m, deviation: m * math.Sqrt(w-1), kurtosis: w*w*w*w + 2*w*w*w + 3*w*w - 3,
	}
}

func cauchyShape(median, scale float64) shape {
	none := math.NaN()
	return shape{
		below: func(x float64) float64 { return math.Atan2(1, (median-x)/scale) / math.Pi },
		least: math.Inf(-1), most: math.Inf(1), mean: none, deviation: none, kurtosis: none,
	}
}

func laplaceShape(mean, scale float64) shape {
	return shape{
		below: func(x float64) float64 {
			half := math.Exp(-math.Abs(x-mean)/scale) / 2
			if x > mean {
				return 1 - half
			}
			return half
		},
		least: math.Inf(-1), most: math.Inf(1), mean: mean, deviation: scale * math.Sqrt2, kurtosis: 6,
	}
}

func gumbelShape(mode, scale float64) shape {
	const euler = 0.57721566490153286
	return shape{
		below: func(x float64) float64 { return math.Exp(-math.Exp((mode - x) / scale)) },
		least: math.Inf(-1), most: math.Inf(1), mean: mode + scale*euler, deviation: scale * math.Pi / math.Sqrt(6), kurtosis: 5.4,
	}
}
