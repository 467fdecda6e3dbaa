package fuzz_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/philox"
)

// A filler checks one kind of fill.
type filler func(t *testing.T, s philox.Stream, first uint64, n int, cuts []byte)

var fillers = []filler{
	chunked(philox.Stream.FillUint32, philox.Stream.FillUint32At),
	chunked(philox.Stream.FillUint64, philox.Stream.FillUint64At),
	chunked(philox.Stream.FillBytes, philox.Stream.FillBytesAt),
	chunked(philox.Stream.FillFloat32, philox.Stream.FillFloat32At),
	chunked(philox.Stream.FillOpenFloat32, philox.Stream.FillOpenFloat32At),
	chunked(philox.Stream.FillFloat64, philox.Stream.FillFloat64At),
}

// chunked compares a fill with the same elements filled in pieces, each as long as
// the next byte of cuts says.
func chunked[T any](fill func(philox.Stream, []T), fillAt func(philox.Stream, []T, uint64)) filler {
	return func(t *testing.T, s philox.Stream, first uint64, n int, cuts []byte) {
		n = int(min(uint64(n), ones64-first)) // every piece must have an index
		whole := make([]T, n)
		fillAt(s, whole, first)

		pieces := make([]T, n)
		for at := 0; at < n; {
			size := n - at
			if len(cuts) > 0 {
				size = min(size, int(cuts[0]))
				cuts = cuts[1:]
			}
			fillAt(s, pieces[at:at+size:at+size], first+uint64(at))
			at += size
		}
		require.Equal(t, whole, pieces)

		// Whole blocks before the first element may be skipped instead, and then a
		// fill from the block on has these elements within.
		perBlock := uint64(16 / binary.Size(*new(T)))
		lead := int(first % perBlock)
		skipped := make([]T, lead+n)
		fill(s.Skip(first/perBlock), skipped)
		require.Equal(t, whole, skipped[lead:])
	}
}

// FuzzChunkedFill cuts fills of every kind.
func FuzzChunkedFill(f *testing.F) {
	f.Add(uint64(0), uint64(0), uint64(0), uint64(0), uint16(100), []byte{1, 2, 3})
	f.Add(uint64(42), uint64(7), uint64(1<<32-5), uint64(3), uint16(1100), []byte{0, 1, 0, 255, 128, 5})
	f.Add(ones64, ones64, ones64-3, uint64(1), uint16(600), []byte{15, 16, 17, 31, 33, 64, 65, 127, 129})
	f.Add(uint64(1), uint64(0), uint64(0), ones64-40, uint16(100), []byte{7, 7})
	f.Add(uint64(2), ones64, ones64, uint64(1<<63-9), uint16(200), []byte{})
	f.Add(uint64(3), uint64(1<<32-1), ones64-70, uint64(0), uint16(65535), []byte{200, 100})
	f.Fuzz(func(t *testing.T, seed, hi, lo, first uint64, n uint16, cuts []byte) {
		s := philox.New(seed).Skip128(hi, lo)
		for _, check := range fillers {
			check(t, s, first, int(n), cuts)
		}
	})
}
