// Package mufu computes what NVIDIA's GPUs compute, bit for bit, on any processor: the
// fast functions of their special-function unit, and those functions of CUDA's
// mathematical library from which other libraries make their random numbers.
//
// [Sin], [Cos], [Lg2], [Ex2], [Rcp], [Rsqrt] and [Sqrt] are the PTX instructions
// sin.approx.ftz.f32 and so on, [Rcp64] and [Rsqrt64] those of float64. They are not
// correctly rounded, and no formula gives their last bits but the unit's own: a table of
// short polynomials in whole numbers (package internal/sfu). [FastLog], [FastExp], [FastTan]
// and [FastDivide] are CUDA's __logf, __expf, __tanf and __fdividef, which are made of them.
//
// [Logf], [Expf], [Log1pf], [Erfinvf], [Sinf] and [Cosf] are CUDA's functions of float32,
// [Exp], [Log], [Log1p], [Tan], [Erfinv] and [Sincospi] those of float64, as nvcc 13.0
// compiles them for compute capability 9.0 without -use_fast_math and without -ftz=true: the
// same additions, multiplications and fused multiply-adds in the same order. CUDA's
// sqrtf, sqrt and division are correctly rounded, as Go's are.
//
// # What was compared
//
// On an NVIDIA H200 (compute capability 9.0, CUDA 13.0, 2026-11-30), with no difference:
//
//   - every function of one float32 above, and CUDA's sqrtf, for all 2^32 arguments;
//   - Rcp64 and Rsqrt64 for all 2^32 high words, each with another low word;
//   - the functions of float64, the division and the square root for 2^26 arguments each of up to
//     three kinds: those which random numbers need, those near the ends of that range, and
//     any bits at all;
//   - FastDivide for 2^26 pairs of any bits and 2^26 pairs of moderate ones.
//
// The tests repeat a part of that, and with MUFU_ALL=1 in the environment all of it, by
// sums of the GPU's results in testdata. NaN was compared with NaN: which one the GPU gives, its
// sign and payload, is not modelled.
//
// Other GPUs were not compared. PTX promises no bits for its approximate instructions, so
// that another generation may have others, and another release of CUDA may have other
// functions.
package mufu
