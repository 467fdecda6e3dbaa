package random

import (
	"fmt"
	"strconv"

	"github.com/philox-go/rng/internal/draw"
	"github.com/philox-go/rng/philox/asm"
)

// MaskBytes returns the number of bytes of a mask for n elements: a bit for each, padded
// to a multiple of 128 bits. It panics if n < 0.
func MaskBytes(n int) int {
	if n < 0 {
		panic(fmt.Sprintf("random: n = %d: must be at least 0", n))
	}
	return draw.MaskBytes(n)
}

// DropoutMask writes a mask for n elements into the first [MaskBytes] bytes of bits: bit
// i, of byte i/8, the least significant bits first, is 0 with probability p, where
// element i is to be dropped, and 1 where it is kept. It is dropped where [Bernoulli]
// would give 1. The bits behind element n-1 are 0. n elements reserve n/4 blocks, rounded
// up, and none if p is 0 or 1.
//
// It is an error if n < 0, if bits is shorter, or if p is not a number from 0 to 1.
func DropoutMask(g *Generator, bits []byte, n int, p float64) error {
	threshold, err := draw.Threshold(p)
	if err != nil {
		return err
	}
	if n < 0 {
		return badArg("n", strconv.Itoa(n), "must be at least 0")
	}
	if err := hasMask("bits", bits, n); err != nil {
		return err
	}
	if g, err = On(g, CPU()); err != nil {
		return err
	}
	if p == 0 || p == 1 {
		draw.ConstantMask(bits, n, p == 0)
		return nil
	}
	s, err := g.ReserveStream(draw.WordBlocks(n))
	if err != nil {
		return err
	}
	draw.Mask(s, bits, n, threshold)
	return nil
}

// hasMask checks the length of a mask for n elements.
func hasMask(name string, mask []byte, n int) error {
	if least := draw.MaskBytes(n); len(mask) < least {
		return badArg(fmt.Sprintf("len(%s)", name), strconv.Itoa(len(mask)), fmt.Sprintf("must be at least %d, random.MaskBytes(%d)", least, n))
	}
	return nil
}

// Dropout sets dst to src with elements dropped with probability p: a dropped element
// becomes 0, also an infinite one or NaN, and one that is kept is multiplied by
// float32(1/(1-p)), so that the mean stays. The mask is written as [DropoutMask] would
// write it, for [DropoutBackward]. dst may be src.
//
// With p = 0, and without training whatever p, dst is src, bit for bit, and the mask keeps
// all. In training with p = 1 all is 0. None of these reserves blocks; otherwise n elements
// reserve n/4, rounded up. Without training a mask is not needed, and may be nil.
//
// It is an error if dst and src differ in length, if the mask is too short, or if p is
// not a number from 0 to 1, be it with training or without.
func Dropout[T Float](g *Generator, dst []T, mask []byte, src []T, p float64, training bool) error {
	p, err := drop(g, dst, mask, src, p, training)
	if err == nil {
		keep(dst, mask, src, p)
	}
	return err
}

// DropoutHalf is [Dropout] for numbers of a format. A product is rounded to float32 and
// then to the format.
func DropoutHalf[H Half](g *Generator, dst []H, format Format, mask []byte, src []H, p float64, training bool) error {
	if err := draw.Format(asm.Half(format)); err != nil {
		return err
	}
	p, err := drop(g, dst, mask, src, p, training)
	if err == nil {
		keepHalf(dst, format, mask, src, p)
	}
	return err
}

// drop checks the arguments of a dropout, writes its mask and returns the probability
// that it has.
func drop[T any](g *Generator, dst []T, mask []byte, src []T, p float64, training bool) (float64, error) {
	needed := len(dst)
	if !training && len(mask) == 0 {
		needed = 0
	}
	if err := sameLength(dst, src, p); err != nil {
		return 0, err
	}
	if err := hasMask("mask", mask, needed); err != nil {
		return 0, err
	}
	if !training {
		p = 0
	}
	return p, DropoutMask(g, mask, needed, p)
}

// DropoutBackward sets dst to the gradient of what [Dropout] took, from grad, that of what
// it gave, with its mask and its p; 0 where training was false. It draws nothing. dst may
// be grad.
//
// It is an error if dst and grad differ in length, if the mask is too short, or if p is
// not a number from 0 to 1.
func DropoutBackward[T Float](dst []T, mask []byte, grad []T, p float64) error {
	err := sameLength(dst, grad, p)
	if err == nil {
		err = hasMask("mask", mask, len(dst))
	}
	if err == nil {
		keep(dst, mask, grad, p)
	}
	return err
}

// DropoutBackwardHalf is [DropoutBackward] for numbers of a format.
func DropoutBackwardHalf[H Half](dst []H, format Format, mask []byte, grad []H, p float64) error {
	if err := draw.Format(asm.Half(format)); err != nil {
		return err
	}
	err := sameLength(dst, grad, p)
	if err == nil {
		err = hasMask("mask", mask, len(dst))
	}
	if err == nil {
		keepHalf(dst, format, mask, grad, p)
	}
	return err
}

// sameLength checks the lengths of a dropout's elements, and its probability.
func sameLength[T any](dst, src []T, p float64) error {
	if len(src) != len(dst) {
		return badArg("len(dst)", strconv.Itoa(len(dst)), fmt.Sprintf("must be that of the source, %d", len(src)))
	}
	_, err := draw.Threshold(p)
	return err
}

func keep[T Float](dst []T, mask []byte, src []T, p float64) {
	switch p {
	case 0: // not times 1, which would make a signalling NaN a quiet one
		copy(dst, src)
	case 1:
		clear(dst)
	default:
		draw.Keep(dst, mask, src, draw.KeptScale(p))
	}
}

func keepHalf[H Half](dst []H, format Format, mask []byte, src []H, p float64) {
	switch p {
	case 0:
		copy(dst, src)
	case 1:
		clear(dst)
	default:
		draw.KeepHalf(asm.Half(format), dst, mask, src, draw.KeptScale(p))
	}
}
