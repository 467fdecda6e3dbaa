package random

import (
	"fmt"
	"strconv"

	"github.com/philox-go/rng/internal/draw"
	"github.com/philox-go/rng/philox/asm"
)

// IntN fills dst with integers in [lo, hi), each equally likely: not hi. The others are
// those of [IntRange]. It is an error if lo >= hi.
func IntN[T Integer](g *Generator, dst []T, lo, hi T) error {
	d, err := draw.IntegersBelow(lo, hi)
	return run(g, d, err, at(dst), len(dst))
}

// IntRange fills dst with integers from lo to last, both included, each equally likely,
// which may be all integers of the type. An integer is lo plus the upper half of a word
// times the number n of integers, and is drawn again where the lower half is less than
// 2^32 mod n (Lemire, "Fast random integer generation in an interval", ACM Transactions
// on Modeling and Computer Simulation 29(1), 2019), from words of its own. Where n is
// above 2^32, words have 64 bits. So len(dst) integers reserve a quarter of their number
// of blocks, or half of it, rounded up, and the type makes no difference.
//
// The generator's stream must be below 2^48. It is an error if lo > last.
func IntRange[T Integer](g *Generator, dst []T, lo, last T) error {
	d, err := draw.Integers(lo, last)
	return run(g, d, err, at(dst), len(dst))
}

// Bernoulli fills dst with 1 or true with probability p, and 0 or false otherwise: true
// where a word is less than p*2^32, rounded to the nearest integer. So p = 0 never is, and
// p = 1 always. n elements reserve n/4 blocks, rounded up.
//
// It is an error if p is not a number from 0 to 1.
func Bernoulli[T ~bool | Integer | Float](g *Generator, dst []T, p float64) error {
	d, err := draw.Bernoulli[T](p)
	return run(g, d, err, at(dst), len(dst))
}

// BernoulliHalf is [Bernoulli] for the numbers 1 and 0 of a format.
func BernoulliHalf[H Half](g *Generator, dst []H, format Format, p float64) error {
	d, err := draw.BernoulliHalf(asm.Half(format), p)
	return run(g, d, err, at(dst), len(dst))
}

// BernoulliEach is [Bernoulli] with a probability for each element: with the same one
// for all it fills dst with the same. dst may be p. It is also an error if p has not the
// length of dst.
func BernoulliEach[T ~bool | Integer | Float, P Float](g *Generator, dst []T, p []P) error {
	return each(g, dst, p, draw.FromBits[T](draw.One[T]()))
}

// BernoulliEachHalf is [BernoulliEach] for the numbers 1 and 0 of a format.
func BernoulliEachHalf[H Half, P Float](g *Generator, dst []H, format Format, p []P) error {
	if err := draw.Format(asm.Half(format)); err != nil {
		return err
	}
	return each(g, dst, p, H(asm.Half(format).Round(1)))
}

func each[T any, P Float](g *Generator, dst []T, p []P, one T) error {
	if len(p) != len(dst) {
		return badArg("len(p)", strconv.Itoa(len(p)), fmt.Sprintf("must be len(dst), %d", len(dst)))
	}
	for i, x := range p {
		if _, err := draw.Threshold(float64(x)); err != nil {
			return badArg(fmt.Sprintf("p[%d]", i), fmt.Sprint(x), "must be a number from 0 to 1")
		}
	}
	g, err := On(g, CPU())
	if err != nil {
		return err
	}
	s, err := g.ReserveStream(draw.WordBlocks(len(dst)))
	if err != nil {
		return err
	}
	var zero T
	draw.Each(s, dst, p, one, zero)
	return nil
}

// Geometric fills dst with the number of trials with probability p up to and with the
// first success: floor(ln u / ln(1-p)) + 1, u as for [Exponential], with its blocks. int64,
// uint64, int and uint take two words, as float64 does, and the other types one.
//
// It is an error if p is not above 0 or not at most 1, or so small that numbers may come
// that the type has not.
func Geometric[T Integer | Float](g *Generator, dst []T, p float64) error {
	d, err := draw.Geometric[T](p)
	return run(g, d, err, at(dst), len(dst))
}

// GeometricHalf fills dst with the float32 numbers of [Geometric], rounded to the format.
func GeometricHalf[H Half](g *Generator, dst []H, format Format, p float64) error {
	d, err := draw.GeometricHalf(asm.Half(format), p)
	return run(g, d, err, at(dst), len(dst))
}
