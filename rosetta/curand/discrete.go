package curand

import (
	"math"

	"github.com/philox-go/rng/rosetta/internal/engine"
)

// A Discrete is a curandDiscreteDistribution_t: a Poisson distribution in the form in which
// curand_discrete draws from it, and the host API below a lambda of 2000. It never changes, and any number
// of states may share it.
type Discrete struct {
	lambda float64
	table  *table // below 2000, else nil
}

const (
	maxLambda   = 400000 // MAX_LAMBDA of cuRAND's headers
	leastNormal = 2000   // MIN_GAUSS_LAMBDA: from here on the numbers are rounded normal ones
)

// NewPoisson is curandCreatePoissonDistribution. lambda must be above 0 and at most 400000.
func NewPoisson(lambda float64) (*Discrete, error) {
	if err := checkLambda(lambda); err != nil {
		return nil, err
	}
	d := &Discrete{lambda: lambda}
	if lambda < leastNormal {
		d.table = newTable(lambda)
	}
	return d, nil
}

// checkLambda is the error of a lambda that the host API refuses.
func checkLambda(lambda float64) error {
	if !(lambda > 0 && lambda <= maxLambda) {
		return bad("lambda", lambda, "must be above 0 and at most 400000")
	}
	return nil
}

// Discrete is curand_discrete: of one word where d's lambda is below 2000, and from there on a
// rounded [State.NormalDouble].
func (s *State) Discrete(d *Discrete) uint32 {
	if d.table == nil {
		return normalPoisson(s.NormalDouble(), d.lambda)
	}
	return d.table.at(s.Uint32())
}

// Discrete4 is curand_discrete4.
func (s *State) Discrete4(d *Discrete) (v [4]uint32) {
	if d.table == nil {
		for i, z := range s.Normal4Double() {
			v[i] = normalPoisson(z, d.lambda)
		}
		return v
	}
	for i, x := range s.Uint32x4() {
		v[i] = d.table.at(x)
	}
	return v
}

// A table is a square histogram (Marsaglia, Tsang and Wang, "Fast generation of discrete
// random variables", 2004): as many cells of one width as there are values. The first part of a
// cell is that of its own value, first + its number, and the rest that of another.
type table struct {
	first uint32
	cells []cell
}

type cell struct {
	until float64 // where the part of the cell's own value ends
	own   uint32
	other uint32
}

// newTable makes the table of a Poisson distribution. Its values are those whose probability is
// not 0 in float64. Neither the sum that makes the factorial's logarithm nor which cell gets its rest from
// which value follows from the distribution: this is what cuRAND's tables show. The value with
// the highest number that has more than a cell left gives to the cells that lack something,
// one after the other, around and around.
func newTable(lambda float64) *table {
	var p []float64
	t := &table{}
	log, factorial := math.Log(lambda), 0.0
	for k := 0; ; k++ {
		if k > 0 {
			factorial += math.Log(float64(k))
		}
		x := math.Exp(float64(float64(k)*log) - lambda - factorial)
		if x > 0 {
			p = append(p, x)
			continue
		}
		if len(p) > 0 {
			break
		}
		t.first++
	}
	n := len(p)
	width := 1 / float64(n)
	t.cells = make([]cell, n)
	for j := range t.cells {
		k := t.first + uint32(j)
		t.cells[j] = cell{own: k, other: k}
	}
	giver, taker := n-1, 0
	for full := 0; full < n; { // cells in a row that lack nothing
		if p[taker] >= width {
			taker = (taker + 1) % n
			full++
			continue
		}
		for giver >= 0 && !(p[giver] > width) {
			giver--
		}
		if giver < 0 {
			break // what is lacking is a matter of rounding
		}
		c := &t.cells[taker]
		c.until, c.other = p[taker]+float64(float64(taker)*width), t.cells[giver].own
		p[giver] -= width - p[taker]
		p[taker] = width
		full = 0
	}
	for j := range t.cells {
		if c := &t.cells[j]; c.own == c.other {
			c.until = p[j] + float64(float64(j)*width)
		}
	}
	return t
}

// at is the value of a word. The last word of all makes 1, and cuRAND reads past the end of
// its table: here it is the last cell's.
func (t *table) at(x uint32) uint32 {
	u := coarse(x)
	c := &t.cells[min(int(float64(len(t.cells))*u), len(t.cells)-1)]
	if u < c.until {
		return c.own
	}
	return c.other
}

// convert is what the host API makes of words.
func (d *Discrete) convert() *engine.Convert[uint32] {
	if d.table != nil {
		return engine.In(engine.Words(), func(x []uint32) {
			for i, w := range x {
				x[i] = d.table.at(w)
			}
		})
	}
	root := math.Sqrt(d.lambda)
	return engine.Then(engine.Normal32(), func(dst []uint32, src []float32) {
		for i, z := range src {
			dst[i] = toUint32(math.FMA(root, float64(z), d.lambda) + 0.5)
		}
	})
}

// GeneratePoisson is curandGeneratePoisson: of a word each. lambda must be above 0 and at most
// 400000.
func (g *Generator) GeneratePoisson(dst []uint32, lambda float64) error {
	if g.poisson == nil || g.poisson.lambda != lambda {
		d, err := NewPoisson(lambda)
		if err != nil {
			return err
		}
		g.poisson = d
	}
	return generate(g, 1, g.poisson.convert(), dst)
}
