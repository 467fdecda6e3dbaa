// Package random has the [Generator], a handle on a stream of numbers, and the operators
// that fill slices from one:
//
//	g := random.NewGenerator(random.CPU(), 42)
//	err := random.Normal(g, weights, 0, 0.02)
//
// Every operator takes from the generator, in one step, the blocks that its elements need,
// and makes the numbers outside the generator's lock, large fills by all cores. Element i
// is a pure function of the generator's seed and stream, the offset of the first block,
// the arguments and i: the same on every machine and every device. SEQUENCE.md in the
// repository says which. If nothing else is said, operators do not allocate, but for some
// memory that one fill leaves to the next, and agree with any longer fill from the same
// place.
//
// The operators for float32 and float64 have a twin for numbers in 16 bits, [UniformHalf]
// for [Uniform] and so on, which takes a [Format] and elements of any type that has the
// bits of those. [Dropout] and [DropoutMask] work with masks of a bit for each element, and
// [Strided] gives every operator the form for views of a slice. [KaimingUniform],
// [XavierNormal] and their kin are uniform and normal numbers whose spread follows from the
// shape of a layer's weights, as in PyTorch.
//
// [Perm] and [Shuffle] permute, all of their elements by all of their words. [Choice] and
// [ChoiceWithMask] choose among equals, [Categorical] and [Multinomial] by weights.
//
// A bad argument is a [*skip.ArgumentError] that names it, a generator of another device a
// [*DeviceError], and a stream without enough blocks an [*ExhaustedError]. After any error
// nothing was written and no block taken.
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
