// Package curand makes the numbers of cuRAND's generator Philox4_32_10, bit for bit, on any
// processor: what a kernel or a program with NVIDIA's library draws on a GPU can be drawn
// again, in whole or in part, where there is none.
//
// A [State] is cuRAND's device API, the generator of one thread in a kernel:
//
//	s := curand.Init(seed, thread, 0)    // curand_init(seed, thread, 0, &s);
//	u := s.Uniform()                     // curand_uniform(&s)
//	z := s.Normal4()                     // curand_normal4(&s)
//	k := s.Poisson(12.5)                 // curand_poisson(&s, 12.5)
//
// A [Generator] is its host API, one generator for whole arrays:
//
//	g := curand.NewGenerator()           // curandCreateGenerator(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10);
//	g.SetSeed(1234)                      // curandSetPseudoRandomGeneratorSeed(g, 1234);
//	err := g.GenerateNormal(x, 0, 1)     // curandGenerateNormal(g, x, n, 0, 1);
//
// [Output] names any array of either by a function's name and numbers, gives any part of it, and
// knows the names of files with recorded ones.
//
// # What was compared
//
// All of it is exact: no value differs in any bit. It was compared with cuRAND 10.4 (CUDA 13.0) on an
// H200 (compute capability 9.0, 132 multiprocessors) on 2026-11-30:
//
//   - every function of the device API that takes a Philox state, from up to seven places, some of
//     which end a subsequence or all of them; states through mixed calls, with the numbers that they
//     keep and with skips; 360000 Poisson numbers of eleven lambdas from 3.5 to 4000, and others of lambda
//     from 0 to 10^12;
//   - the host API in all four orderings: every kind of number in arrays of up to 3000000, by sums of
//     all; offsets up to 2^64; some 4000 calls of any length one after the other, of one kind and
//     of different ones; and changes of seed, offset and ordering in between;
//   - the tables that curandCreatePoissonDistribution makes, of 21 lambdas. They come from
//     logarithms and exponentials of the C library, which differ from Go's in last places: of
//     all 2^32 words, fewer than 10^-5 are expected to give another number. The very last word makes
//     cuRAND read past the end of such a table.
//
// Constants and the order of operations follow cuRAND's public headers and what nvcc makes of
// them. Sine and cosine, and in Poisson numbers of the device API logarithm, exponential and
// roots, are those of the GPU's special-function unit (package mufu).
//
// Other GPUs were not compared. Words and uniform numbers are exact arithmetic and should be alike
// everywhere; the numbers that use the special-function unit are as alike as the units are.
//
// # What cuRAND does that its documentation does not say
//
// The host API deals values by fours to threads, each of which has a subsequence, and four values of
// float64 take two blocks. So where float32 and float64 alternate, some subsequences are ahead of
// others; Generator keeps account of that. An offset counts words, but modulo 4 it counts
// values: an offset of 1 leaves out one float64.
//
// The documentation asks for an even number of normal numbers. The Philox generator takes any.
// curandGenerateLongLong it refuses, as a generator of 32 bits; here there is no such method.
//
// Another seed or another ordering makes a generator begin again, though not at its offset: see
// [Generator.SetSeed].
//
// In dynamic ordering a GPU has 512 threads for each of its multiprocessors. That was seen on the H200 and
// by letting the library find 2, 66, 108 and 144 multiprocessors there; [GPU] says how many. Where
// the offset is at least 8 times the number of threads, the first call begins with the wrong thread;
// so does Generator. Between 4 and 8 times that number, the first call leaves some values unwritten, and
// others are written by two threads, so that one program run three times gave three arrays:
// calls that get so far are refused here.
package curand
