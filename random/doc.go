// Package random has the [Generator]: a handle on a stream of numbers that hands out
// each block of the stream once, to any number of goroutines.
//
//	g := random.NewGenerator(random.CPU(), 42)
//	s, err := g.ReserveStream(250) // 1000 words that nobody else gets
//	if err != nil {
//		return err
//	}
//	s.FillUint32(words)
//
// A generator is a seed, a stream, and an offset: how many blocks of the stream were
// taken. Block n of a stream is a pure function of seed, stream and n, the same on
// every device. Taking blocks only moves the offset; the numbers are made outside the
// generator's lock.
//
// # Reproducible work on many goroutines
//
// Calls from several goroutines on one generator never get the same blocks, but which
// goroutine gets which is chance. Where each must get the same numbers in every run,
// give each a generator of its own by [Generator.Substream] or [Generator.Split].
//
// # Default generators
//
// Every device has a default generator, [Default], with a seed from the system's
// entropy unless [ManualSeed] sets one. A nil *Generator and the zero Generator stand
// for a default generator: that of the CPU in every method, and in functions that work
// on a device's memory that of the device, by [On].
package random
