package sfu

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// square adds up partial products one by one, as the definition has it.
func square(x uint32, bits, cut int) uint32 {
	var sum uint64
	for i := range bits {
		xi := uint64(x >> i & 1)
		if 2*i >= cut {
			sum += xi << (2 * i)
		}
		for j := range i {
			if i+j+1 >= cut {
				sum += xi & uint64(x>>j&1) << (i + j + 1)
			}
		}
	}
	return uint32(sum >> cut)
}

func TestSquare(t *testing.T) {
	for x := range uint32(1 << 17) {
		if got, want := Square(x), square(x, 17, 19); got != want {
			t.Fatalf("Square(%#x) = %#x, want %#x", x, got, want)
		}
	}
	for x := range uint32(1 << 16) {
		if got, want := Square(2*x), square(x, 16, 17); got != want {
			t.Fatalf("Square(2 * %#x) = %#x, want %#x", x, got, want)
		}
	}
}

func TestTables(t *testing.T) {
	for name, table := range map[string]*Table{"Sin": &Sin, "Lg2": &Lg2, "Ex2": &Ex2, "Rcp": &Rcp,
		"Rsqrt1": &Rsqrt1, "Rsqrt2": &Rsqrt2, "Sqrt1": &Sqrt1, "Sqrt2": &Sqrt2} {
		t.Run(name, func(t *testing.T) {
			assert.Len(t, table.Segments, 1<<(23-table.OffsetBits))
			assert.Equal(t, 19-table.Cut, 2*(17-table.OffsetBits), "Square of x << (17-OffsetBits)")
			// Neighbours fit: a segment ends where the next one begins, to 2^-21.
			for i := 1; i < len(table.Segments); i++ {
				end, begin := table.At(uint32(i<<table.OffsetBits)-1), table.At(uint32(i<<table.OffsetBits))
				assert.InDelta(t, end, begin, float64(int64(1)<<(table.Unit-21)), "segment %d", i)
			}
		})
	}
}
