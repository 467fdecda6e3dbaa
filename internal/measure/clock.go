package measure

import "time"

const (
	chainCycles = 1 << 16 // some tens of microseconds
	chainTries  = 3       // an interruption spoils one of them, rarely all
)

// frequency returns the cycles of a nanosecond.
func (m meter) frequency() float64 {
	fastest := time.Duration(1<<63 - 1)
	for range chainTries {
		fastest = min(fastest, m.time(m.chain, chainCycles))
	}
	return chainCycles / float64(max(1, fastest))
}

// chained keeps the compiler from dropping chains.
var chained uint64

// chain takes n cycles, where n is a multiple of 16: every operation needs the
// result of the one before. Additions alternate with XORs because the compiler
// joins additions.
func chain(n int) uint64 {
	x, y, z := uint64(n), uint64(n)|1, uint64(n)|2
	for range n / 16 {
		x = (x + y) ^ z
		x = (x + y) ^ z
		x = (x + y) ^ z
		x = (x + y) ^ z
		x = (x + y) ^ z
		x = (x + y) ^ z
		x = (x + y) ^ z
		x = (x + y) ^ z
	}
	return x
}
