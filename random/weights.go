package random

import (
	"strconv"

	"github.com/philox-go/rng/internal/draw"
)

// CategoricalAt returns an index of weights, each with a probability of its part of their
// sum, by a coin in [0, 1) that is uniform: the first one at which the sum of the weights
// so far is above the coin times the sum of all. Where that product is rounded to the sum of
// all, the number before it counts. Weights and sums are float64, one after the other. An
// index whose weight is 0 is never returned.
//
// It is an error if there are no weights, if one is not a finite number of at least 0, if
// their sum is 0 or infinite, or if the coin is not a number from 0 to below 1.
func CategoricalAt[F Float](weights []F, coin float64) (int, error) {
	return draw.CategoricalAt(weights, coin)
}

// Categorical fills dst with indexes of weights: those of [CategoricalAt] with the float64
// numbers of [Uniform] in [0, 1) as coins. n elements reserve n/2 blocks, rounded up.
//
// It makes a table of the weights, of 8 bytes for each, and where many are drawn of up to
// 24, in memory that one call leaves to the next; [CategoricalFrom] has one that is made
// once. The numbers are the same.
//
// The errors are those of [CategoricalAt], and more weights than I has indexes.
func Categorical[I Integer, F Float](g *Generator, dst []I, weights []F) error {
	t, err := draw.TableFor(weights, len(dst))
	if err != nil {
		return err
	}
	defer t.Release()
	d, err := draw.Categorical[I](t, "len(weights)")
	return run(g, d, err, at(dst), len(dst))
}

// Weights are weights that were made ready to be drawn from, as often as one likes and
// from many goroutines at once. They take 16 to 24 bytes each.
type Weights struct {
	table *draw.Table // nil if there are none
}

// NewWeights returns weights to draw from. It does not keep the slice. The errors are those
// of [CategoricalAt].
func NewWeights[F Float](weights []F) (*Weights, error) {
	t, err := draw.NewTable(weights)
	if err != nil {
		return nil, err
	}
	return &Weights{t}, nil
}

// Len returns the number of weights: 0 if w was not made by [NewWeights].
func (w *Weights) Len() int {
	if w == nil || w.table == nil {
		return 0
	}
	return w.table.Len()
}

// check returns an error if there are no weights.
func (w *Weights) check() error {
	if w.Len() == 0 {
		return badArg("w.Len()", strconv.Itoa(0), "must be at least 1: NewWeights makes weights")
	}
	return nil
}

// At is [CategoricalAt] of the weights.
func (w *Weights) At(coin float64) (int, error) {
	if err := w.check(); err != nil {
		return 0, err
	}
	return w.table.At(coin)
}

// CategoricalFrom is [Categorical] of weights that were made ready.
func CategoricalFrom[I Integer](g *Generator, dst []I, w *Weights) error {
	if err := w.check(); err != nil {
		return err
	}
	d, err := draw.Categorical[I](w.table, "w.Len()")
	return run(g, d, err, at(dst), len(dst))
}

// Multinomial fills dst, a matrix of some rows and k columns, with indexes of the weights
// of the same row in a matrix of as many rows, both row after row. Element i of dst has the
// coin that [Categorical] has for element i of a slice. So rows*k elements reserve half as
// many blocks, rounded up, whatever the weights are.
//
// With replacement an index is what [CategoricalAt] gives for its coin and the row. Without
// it no index comes twice in a row: each is drawn by the weights that are left, in this
// order, from sums of pairs of weights, of pairs of these sums and so on, which SEQUENCE.md
// in the repository describes. An index whose weight is 0 never comes, and in a single row
// the first indexes are the same for any k.
//
// Large ones are shared among goroutines. It allocates 8 bytes for each row, and uses
// memory that one call leaves to the next: what Categorical says for a row, without
// replacement 16 bytes for a weight, and this for each goroutine.
//
// It is an error if rows or k is less than 0; if len(weights) is not a multiple of rows,
// or 0 where rows is not; if len(dst) is not rows*k; if a row has more weights than I has
// indexes; if a weight is not a finite number of at least 0; if the sum of a row is 0 or
// infinite, as it is summed up for the draw; and without replacement if a row has fewer than
// k weights above 0.
func Multinomial[I Integer, F Float](g *Generator, dst []I, weights []F, rows, k int, replacement bool) error {
	m, err := draw.Multinomial[I](weights, len(dst), rows, k, replacement, 0)
	if err != nil {
		return err
	}
	if g, err = On(g, CPU()); err != nil {
		return err
	}
	s, err := g.ReserveStream(m.Blocks())
	if err != nil {
		return err
	}
	m.Fill(s, dst)
	return nil
}
