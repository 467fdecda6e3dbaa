// Package philox makes random words and uniform numbers with Philox4x32-10, the
// counter-based generator of Salmon, Moraes, Dror and Shaw ("Parallel random
// numbers: as easy as 1, 2, 3", SC 2011), at the speed of the machine's vector
// units.
//
// Every number is a pure function of a 64-bit seed, a 128-bit counter and an
// index. So any part of a sequence can be made anywhere, in any order, by any
// number of goroutines or machines, with the same bits on every processor:
//
//	s := philox.New(42)
//	s.FillFloat32(x)              // elements 0, 1, 2, ...
//	s.FillFloat32At(y, 1_000_000) // elements 1,000,000, ...
//	t := s.Substream(7)           // 2^64 blocks of its own
//
// A [Stream] is the place that fills start from. A [Source] is a cursor for
// callers who draw one number at a time, as math/rand/v2 and gonum do. [Block] is
// the bare function.
//
// The numbers of a version of the contract, [SequenceVersion], never change; the
// contract is SEQUENCE.md in the repository. Philox is not for cryptography.
package philox
