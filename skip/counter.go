package skip

import (
	"encoding/binary"
	"math/big"
	"math/bits"
)

// Counter is a 128-bit unsigned block number in four 32-bit words, word 0 least
// significant. Every value is valid and the zero value is block 0. Its unit is
// the block (four 32-bit words of output), and its arithmetic is mod 2^128.
//
// A Counter is comparable with == and may be a map key.
type Counter [4]uint32

// FromUint64s returns the counter hi*2^64 + lo. Every pair is valid.
func FromUint64s(hi, lo uint64) Counter {
	return Counter{uint32(lo), uint32(lo >> 32), uint32(hi), uint32(hi >> 32)}
}

// Uint64s returns the counter as a pair: its value is hi*2^64 + lo.
func (c Counter) Uint64s() (hi, lo uint64) {
	return uint64(c[3])<<32 | uint64(c[2]), uint64(c[1])<<32 | uint64(c[0])
}

// FromBig returns the counter whose value is x, which must be in [0, 2^128). It
// does not reduce x mod 2^128: for a nil, negative or larger x it returns the
// zero Counter and an [*ArgumentError]. It neither changes x nor keeps it.
func FromBig(x *big.Int) (Counter, error) {
	switch {
	case x == nil:
		return Counter{}, &ArgumentError{Arg: "x", Value: "nil", Reason: "must be a number"}
	case x.Sign() < 0:
		return Counter{}, &ArgumentError{Arg: "x", Value: bigValue(x), Reason: "must be at least 0"}
	case x.BitLen() > 128:
		return Counter{}, &ArgumentError{Arg: "x", Value: bigValue(x), Reason: "must be less than 2^128"}
	}
	// By bytes, because a big.Word has 32 bits on some machines and 64 on others.
	var b [16]byte
	x.FillBytes(b[:])
	return FromUint64s(binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(b[8:])), nil
}

// Big returns the counter's value, in [0, 2^128), as a new big.Int.
func (c Counter) Big() *big.Int {
	hi, lo := c.Uint64s()
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], hi)
	binary.BigEndian.PutUint64(b[8:], lo)
	return new(big.Int).SetBytes(b[:])
}

// Skip returns the counter n blocks ahead, c + n mod 2^128. It leaves c as it is.
func (c Counter) Skip(n uint64) Counter {
	// Adding n's halves to the words one by one is the classic mistake: the carry
	// out of the low half can make the high half wrap, and that second carry is
	// lost. Add64 on whole halves has only one carry to pass on.
	hi, lo := c.Uint64s()
	lo, carry := bits.Add64(lo, n, 0)
	return FromUint64s(hi+carry, lo)
}

// Skip128 returns the counter hi*2^64 + lo blocks ahead, mod 2^128.
func (c Counter) Skip128(hi, lo uint64) Counter {
	chi, clo := c.Uint64s()
	clo, carry := bits.Add64(clo, lo, 0)
	return FromUint64s(chi+hi+carry, clo)
}

// Back returns the counter n blocks behind, c - n mod 2^128. It undoes
// [Counter.Skip]; from block 0 it wraps to the top of the range.
func (c Counter) Back(n uint64) Counter {
	hi, lo := c.Uint64s()
	lo, borrow := bits.Sub64(lo, n, 0)
	return FromUint64s(hi-borrow, lo)
}

// Back128 returns the counter hi*2^64 + lo blocks behind, mod 2^128. It undoes
// [Counter.Skip128].
func (c Counter) Back128(hi, lo uint64) Counter {
	chi, clo := c.Uint64s()
	clo, borrow := bits.Sub64(clo, lo, 0)
	return FromUint64s(chi-hi-borrow, clo)
}

// SkipWords moves ahead by hi*2^64 + lo 32-bit words, four to a block, from the
// first word of block c. It returns the counter of the block that holds the word
// arrived at, mod 2^128, and the word's lane in it, 0 to 3.
//
// The distance is below 2^126 blocks. To move on from lane k, add k to the
// distance first.
func (c Counter) SkipWords(hi, lo uint64) (Counter, int) {
	// The low two bits of hi must come down into lo: dropping them is the error
	// that shows only at 2^64 words, which are 2^62 blocks.
	return c.Skip128(hi>>2, hi<<62|lo>>2), int(lo & 3)
}

// Distance returns how many blocks ahead of c the counter to lies,
// to - c mod 2^128: c.Skip128(c.Distance(to)) is to. If to is behind c, that is
// the way around the circle, not a negative number.
func (c Counter) Distance(to Counter) (hi, lo uint64) {
	chi, clo := c.Uint64s()
	thi, tlo := to.Uint64s()
	lo, borrow := bits.Sub64(tlo, clo, 0)
	return thi - chi - borrow, lo
}

// Compare returns -1, 0 or 1 as c is less than, equal to or greater than d, both
// as unsigned 128-bit numbers. It suits slices.SortFunc as Counter.Compare. The
// order knows nothing of wrapping: block 0 comes before all others.
func (c Counter) Compare(d Counter) int {
	switch {
	case c == d:
		return 0
	case c.Less(d):
		return -1
	default:
		return 1
	}
}

// Less reports whether c is less than d, both as unsigned 128-bit numbers.
func (c Counter) Less(d Counter) bool {
	chi, clo := c.Uint64s()
	dhi, dlo := d.Uint64s()
	return chi < dhi || chi == dhi && clo < dlo
}
