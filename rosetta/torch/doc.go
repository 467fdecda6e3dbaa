// Package torch makes the random numbers that PyTorch draws on an NVIDIA GPU, bit for bit
// and without one:
//
//	card, err := torch.Card("h200")           # what device the numbers are of
//	g := torch.NewGenerator(card, 42)         # torch.cuda.manual_seed(42)
//	err = torch.Normal(g, x, 0, 1)            # x.normal_(), torch.randn(n, device="cuda")
//	err = torch.Dropout(g, y, mask, x, 0.1)   # y, mask = torch.native_dropout(x, 0.1, True)
//	state := g.State()                        # torch.cuda.get_rng_state()
//
// A [Generator] is torch.cuda's: a seed, an offset that operators move on, and the state of
// 16 bytes that get_state and set_state have, so that either side goes on where the other
// one stopped. It is of a [GPU], because PyTorch spreads a tensor over as many threads as
// the card holds: element i is of thread i mod t, and takes its next word, where t is the
// number of multiprocessors times the threads of each, or less for a small tensor.
//
// Operators fill slices, which stand for tensors whose elements lie side by side; views are
// filled by [Strided]. The types are float32, float64, [Float16], [BFloat16], integers and
// bool, and [As] makes the first two of 16 bits of any library's. [Plan] has every operator
// by its name, for any part of a tensor. Large fills are shared by all cores, with the same
// numbers for any number of them.
//
// # What it matches
//
// PyTorch 2.11 with CUDA 13.0, eager mode, on a card of compute capability 9.0. Compared
// with what an NVIDIA H200 recorded (November 2026), whole arrays by their SHA-256 and the
// offset after each, these are exact without exception: uniform_, normal_, log_normal_,
// exponential_, cauchy_, geometric_, bernoulli_ of a probability and of a tensor, random_
// and randint, native_dropout (mask and output, at every width that length, type and
// alignment lead to, of views too), randperm with and without equal keys, multinomial with
// and without replacement, trunc_normal_, kaiming_* and xavier_*, the weights and biases of
// new layers, in all of their types; views, offsets beyond 2^34, and tensors of more than 2^31
// bytes or elements. The tests repeat 3,278 of these arrays.
//
// log, exp, sine and cosine of float32 are the GPU's fast ones (package mufu), the rest are
// CUDA's functions; all are exact, so that nothing is within some ulp.
//
// # Speed
//
// One core of an AMD EPYC (Zen 5) makes 6.4 uniform float32 a nanosecond with AVX-512, 0.96 of
// package random's speed, and 2.0 normals, 0.45 of it; with AVX2 the parts are 0.61 and 0.28
// (2026-12-01, medians, 1,081,344 numbers). A tensor of fewer elements than four times the
// GPU's threads leaves words of each block unused, as on the GPU, and takes longer by that.
//
// # What it does not match
//
//   - torch.compile, CUDA graphs with their own offsets, and PyTorch on a CPU, whose
//     generators are other ones.
//   - Tensors of 2^31 bytes and more that are not one dimension after their dimensions were
//     joined: PyTorch then cuts along another one.
//   - Several numbers with replacement from one row of weights longer than [Multinomial]
//     says: PyTorch itself rounds its running sums in another way now and then (in 400 sums
//     of the same 100,000 numbers an H200 had 183 answers, of 20,000 one).
//   - The numbers of cards other than the H200 follow from two numbers of the card; cards
//     with another special-function unit may have other last bits in what float32's log,
//     exp, sine and cosine make. None was at hand.
//   - Older versions of PyTorch, where integers took 64 bits from a span of 2^32 on,
//     as here from 2^28 on.
//   - Arguments that PyTorch takes without complaint and that make no numbers of the
//     distribution, such as a dropout of 1.5, are errors here.
package torch
