// Package sfu has the numbers behind the special-function unit of NVIDIA's GPUs:
// sine, logarithm, exponential, reciprocal and square roots of float32, each a
// table of short polynomials of degree 2 in whole numbers, and the unit's
// shortened square. Package rosetta/mufu makes functions of them, one argument at a time,
// and the programs in gen vector kernels.
//
// The method is that of Oberman and Siu, "A high-performance area-efficient
// multifunction interpolator", 17th IEEE Symposium on Computer Arithmetic, 2005;
// the numbers were found by measuring all arguments.
package sfu

// A Segment is the polynomial of one part of a Table:
//
//	C0 + C1*x + C2*S(x)
//
// where S is Square, in whole numbers, without any rounding.
type Segment struct {
	C0     int64
	C1, C2 int32
}

// A Table is a function of a fraction t of 23 bits. The high bits of t choose the
// segment, t>>OffsetBits, and the low OffsetBits bits are its x. Values are in
// units of 2^-Unit.
type Table struct {
	Segments   []Segment
	OffsetBits int // 17 (64 segments) or 16 (128 segments)
	Unit       int
	Cut        int // S leaves out partial products below 2^Cut: 19 or 17
}

// At returns the table's value for t < 2^23, in units of 2^-Unit.
func (t *Table) At(fraction uint32) int64 {
	s := &t.Segments[fraction>>t.OffsetBits]
	x := fraction & (1<<t.OffsetBits - 1)
	// A table of 16 offset bits cuts at 2^17: that is the square of 2x cut at 2^19,
	// as one doubling of x moves every partial product up by 2.
	square := Square(x << (17 - t.OffsetBits))
	return s.C0 + int64(s.C1)*int64(x) + int64(s.C2)*int64(square)
}

// Square is the unit's square of x < 2^17, in units of 2^19: the sum of
// those partial products x_i*x_i*2^(2i) and x_i*x_j*2^(i+j+1), i > j, whose weight is 2^19 or
// more, where x_i is bit i of x.
func Square(x uint32) uint32 {
	// What is left out: all products among the low 10 bits, and those of the bits
	// i = 10 to 16 with the bits below 18-i.
	low := x & 0x3ff
	out := low * low
	out += -(x >> 10 & 1) & ((x & 0xff) << 11)
	out += -(x >> 11 & 1) & ((x & 0x7f) << 12)
	out += -(x >> 12 & 1) & ((x & 0x3f) << 13)
	out += -(x >> 13 & 1) & ((x & 0x1f) << 14)
	out += -(x >> 14 & 1) & ((x & 0xf) << 15)
	out += -(x >> 15 & 1) & ((x & 0x7) << 16)
	out += -(x >> 16 & 1) & ((x & 0x3) << 17)
	return uint32((uint64(x)*uint64(x) - uint64(out)) >> 19)
}
