package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/philox-go/rng/internal/layout"
	"github.com/philox-go/rng/internal/poly"
)

// A stuffing makes a number of the low bits of a word in a float32: the bits go up to
// the end of the significand, under the exponent of a one, which is then subtracted.
type stuffing struct {
	up        int // bits that the word is shifted
	mask, one uint32
	align     int // bits that a float16's pattern is then below the upper half
}

// stuffing returns that of a conversion.
//
// A float16's one is 2^-112: there the bits of a float32 from bit 13 on are those of the
// float16 that is 2^112 times as large, because the exponents' biases differ by 112. All
// of its numbers, from 2^-122 on, are normal.
func (c conversion) stuffing() stuffing {
	const f16, b16 = poly.Mask32 &^ (1<<13 - 1), poly.Mask32 &^ (1<<16 - 1)
	switch c {
	case half16:
		return stuffing{13, f16, (127 - 112) << 23, 3}
	case halfB16:
		return stuffing{16, b16, poly.One32, 0}
	case range16:
		return stuffing{13, f16, poly.One32, 0}
	case rangeB16:
		return stuffing{16, b16, poly.One32, 0}
	}
	return stuffing{0, poly.Mask32, poly.One32, 0}
}

func (s stuffing) minusOne() operand.Constant {
	return operand.F32(-math.Float32frombits(s.one))
}

// converted returns the address of a field of layout.Conversion.
func converted(name string) operand.Mem { return field[layout.Conversion](name) }

// gathered reports whether two registers of words are stored together.
func (c conversion) gathered() bool { return c.outBytes() != 64 || c == chosen32 }
