// The kernels of package cuda: the numbers of SEQUENCE.md, bit for bit, on an NVIDIA GPU.
//
// philox.ptx is made of this file by build.sh. Where the compiler is not nvcc, emulate.h
// gives the file a meaning on the CPU, so that tests run it without a GPU.
//
// Every operation on a floating-point number is an intrinsic with a rounding of its own, so that no
// option of the compiler changes a bit; what could is refused:
#if defined(__CUDACC__)
#if (defined(__CUDA_FTZ) && __CUDA_FTZ) || defined(__USE_FAST_MATH__)
#error "subnormal numbers must not become 0: compile without -ftz=true and -use_fast_math"
#endif
#include <stdint.h>
#else
#include "emulate.h"
#endif

#define DEVICE static __device__ __forceinline__
#define DEVICE_MEMBER __device__ __forceinline__

#if defined(__CUDACC__)
// saturated holds x between 0 and 1.
DEVICE float saturated(float x) { return __saturatef(x); }

// root returns the square root of a normal number far from the ends of their range, correctly rounded: one step of
// Newton's from the hardware's estimate. The kernel roots compares it with the square root of IEEE 754
// for every number that normals have, since each generation of GPUs has an estimate of its own.
DEVICE float root(float l) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(l));
  const float s = __fmul_rn(l, y);
  return __fmaf_rn(__fmaf_rn(-s, s, l), __fmul_rn(y, 0.5f), s);
}

// exchange sets a and b to x and y, or to y and x where w has its highest bit. The compiler would shift the bit down first.
DEVICE void exchange(uint32_t w, float x, float y, float &a, float &b) {
  asm("{.reg .pred p; .reg .b32 t; and.b32 t, %2, 0x80000000; setp.ne.u32 p, t, 0; selp.f32 %0, %4, %3, p; selp.f32 %1, %3, %4, p;}"
      : "=f"(a), "=f"(b) : "r"(w), "f"(x), "f"(y));
}

// half16 returns the float16 nearest to f.
DEVICE uint32_t half16(float f) {
  uint16_t h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
  return h;
}

// from16 returns the number of a float16.
DEVICE float from16(uint16_t h) {
  float f;
  asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
  return f;
}
#endif

// ---- What a launch is given. The Go side has the same structs. ----

// A Start is a key and a counter, and what they make of the first rounds: of a counter's words only c0
// differs between the blocks of a launch, so the rest of rounds 1 to 3 is known before.
struct Start {
  uint32_t c0, c1, c2, c3, k0, k1;
  uint32_t x, y, z, u; // what rounds 1, 2, 2 and 3 add to the words that differ
  uint32_t k[15];      // the first key of round 3, and both of rounds 4 to 10
};

// A State is a key and a counter in the device's memory, for launches that are recorded before these are
// known. The Starts are for the launch that follows: its blocks before c0 wraps, and those behind.
struct State {
  uint32_t k0, k1, c[4];
  Start before, behind;
};

// A Fill says where a launch writes. A unit is what a thread writes at a time: as many elements, of
// one block or several, as make 16 bytes or more, but for bits.
struct Fill {
  uint64_t dst;   // the address of unit 0
  uint64_t state; // of a State, or 0
  uint32_t units;
  uint32_t whole, wholes; // the first unit that is wanted as a whole and how many; none where they can only be written in parts
  uint32_t begin, end;    // the first element wanted of unit 0, and the end of those of the last one
  uint32_t ahead;         // of ACROSS: bytes from dst to the next multiple of 16
  Start start;
};

// Args are the arguments of a distribution; each stage says which.
struct Args {
  uint32_t one; // for every one: 0x3f800000, the bits of 1, which as no constant stays in a register, so that two masks are one operation
  float f[3];
  uint64_t n[4];
  double d[11];
};

#define THREADS 256

// ---- Philox4x32-10 ----

#define M0 0xD2511F53u
#define M1 0xCD9E8D57u
#define W0 0x9E3779B9u
#define W1 0xBB67AE85u

DEVICE uint32_t hi(uint64_t x) { return (uint32_t)(x >> 32); }
DEVICE uint32_t lo(uint64_t x) { return (uint32_t)x; }
DEVICE uint64_t join(uint32_t l, uint32_t h) { return (uint64_t)h << 32 | l; }

struct Words {
  uint32_t w[4];
};

// round does one round of c.
DEVICE void round(Words &c, uint32_t k0, uint32_t k1) {
  const uint64_t p = (uint64_t)M0 * c.w[0], q = (uint64_t)M1 * c.w[2];
  c.w[0] = hi(q) ^ c.w[1] ^ k0;
  c.w[1] = lo(q);
  c.w[2] = hi(p) ^ c.w[3] ^ k1;
  c.w[3] = lo(p);
}

// block returns the words of the block whose first counter word is c0 and whose others are s's.
DEVICE Words block(const Start &s, uint32_t c0) {
  const uint64_t p = (uint64_t)M0 * c0;
  const uint64_t q = (uint64_t)M1 * (hi(p) ^ s.x);
  const uint64_t r = (uint64_t)M0 * (hi(q) ^ s.y), t = (uint64_t)M1 * (lo(p) ^ s.z);
  Words c = {{hi(t) ^ lo(q) ^ s.k[0], lo(t), hi(r) ^ s.u, lo(r)}};
#pragma unroll
  for (int i = 1; i < 15; i += 2) round(c, s.k[i], s.k[i + 1]);
  return c;
}

// attempt returns the words of a block at a further attempt.
DEVICE Words attempt(const Start &s, uint32_t c0, uint32_t a) {
  Words c = {{c0, s.c1, s.c2, s.c3 ^ 0x80000000u ^ a << 16}};
  uint32_t k0 = s.k0, k1 = s.k1;
#pragma unroll
  for (int i = 0; i < 10; i++, k0 += W0, k1 += W1) round(c, k0, k1);
  return c;
}

#define ATTEMPTS 32768u

// prepared returns the Start of a key and a counter. The Go side does the same.
DEVICE Start prepared(uint32_t k0, uint32_t k1, const uint32_t c[4]) {
  Start s;
  s.c0 = c[0], s.c1 = c[1], s.c2 = c[2], s.c3 = c[3], s.k0 = k0, s.k1 = k1;
  const uint64_t q = (uint64_t)M1 * c[2];
  const uint64_t p = (uint64_t)M0 * (hi(q) ^ c[1] ^ k0);
  s.x = c[3] ^ k1;
  s.y = lo(q) ^ (k0 + W0);
  s.z = hi(p) ^ (k1 + W1);
  s.u = lo(p) ^ (k1 + 2 * W1);
  s.k[0] = k0 + 2 * W0;
#pragma unroll
  for (int i = 1; i < 8; i++) {
    s.k[2 * i - 1] = k0 + (i + 2) * W0;
    s.k[2 * i] = k1 + (i + 2) * W1;
  }
  return s;
}

// ---- float32: SEQUENCE.md, "Normal numbers" ----

DEVICE float bits32(uint32_t b) { return __uint_as_float(b); }

// stuffed32 returns the number in [1,2) with the low bits of a word for its fraction. one is Args'.
DEVICE float stuffed32(uint32_t w, uint32_t one) { return bits32((w & 0x7fffff) | one); }

DEVICE float uniform32(uint32_t w, uint32_t one) { return __fsub_rn(stuffed32(w, one), 1.0f); }

// minusTwoLog32 returns -2 ln((x + 1/2) 2^-32).
DEVICE float minusTwoLog32(uint32_t x, uint32_t one) {
  const float c = __fadd_rn(__int2float_rn((int)x), 0.5f);
  const uint32_t b = __float_as_uint(c);
  const float g = (int)x >= 0 ? __fsub_rn(2.0f, stuffed32(b, one)) : __fmul_rn(c, -0x1p-31f);
  // 2^23 and the exponent's bits, with the sign's above them: e = 158 - those, over 32, which is exact, and
  // held at 0 where c is negative.
  const float e = saturated(__fmaf_rn(bits32((b >> 23) + 0x4b000000), -0x1p-5f, 8388766.0f * 0x1p-5f));
  const float h = __fmul_rn(g, g);
  float even = -0x1.a3bc56p-7f, odd = 0x1.6a1fe4p-8f;
  even = __fmaf_rn(even, h, -0x1.7297a2p-8f), odd = __fmaf_rn(odd, h, 0x1.356e6ep-6f);
  even = __fmaf_rn(even, h, 0x1.f30fdap-6f), odd = __fmaf_rn(odd, h, 0x1.0e050ep-6f);
  even = __fmaf_rn(even, h, 0x1.fffecp-3f), odd = __fmaf_rn(odd, h, 0x1.55a3a8p-4f);
  return __fmaf_rn(__fmaf_rn(odd, g, even), h, __fmaf_rn(e, 0x1.62e43p+0f * 32, g));
}

struct Pair32 {
  float a, b;
};

// normal32 returns r cos(2 pi u2) and r sin(2 pi u2).
DEVICE Pair32 normal32(uint32_t x, uint32_t y, uint32_t one) {
  const float r = root(minusTwoLog32(x, one));
  const uint32_t turn = y * 4 + 2;
  const float t = __fmul_rn(__int2float_rn((int)turn), 0x1p-32f);
  const float s = __fmul_rn(t, t);
  float p = -0x1.2d9302p-8f, q = 0x1.d99f6p-11f;
  p = __fmaf_rn(p, s, 0x1.465e92p-4f), q = __fmaf_rn(q, s, -0x1.55c4f4p-6f);
  p = __fmaf_rn(p, s, -0x1.4abbbap-1f), q = __fmaf_rn(q, s, 0x1.03c1d4p-2f);
  p = __fmaf_rn(p, s, -0x1.a32bd2p-25f), q = __fmaf_rn(q, s, -0x1.3bd3ccp+0f);
  q = __fmaf_rn(q, s, 1.0f);
  p = __fmaf_rn(t, 0x1.921fb6p+0f, __fmul_rn(p, t));
  // Which of the two is the cosine says the lowest bit of the nearest quadrant, that of y + 2^29, which is y's xor the one below. The
  // signs are those of the whole angle: the sine's is y's, and the cosine's that of y + 2^30, y's xor the bit below.
  const uint32_t doubled = y << 1;
  float cosine, sine;
  exchange(doubled ^ turn, q, p, cosine, sine);
  const uint32_t b = __float_as_uint(r) ^ (y & 0x80000000u);
  return {__fmul_rn(bits32(b ^ (doubled & 0x80000000u)), fabsf(cosine)), __fmul_rn(bits32(b), fabsf(sine))};
}

// ---- float64 ----

DEVICE double bits64(uint64_t b) { return __longlong_as_double((long long)b); }
DEVICE uint64_t pattern64(double x) { return (uint64_t)__double_as_longlong(x); }

#define FRACTION64 ((1ull << 52) - 1)
#define ONE64 (0x3ffull << 52)

DEVICE double uniform64(uint64_t w) { return __dsub_rn(bits64((w & FRACTION64) | ONE64), 1.0); }

// horner returns a polynomial of n coefficients, lowest degree first.
template <int N> DEVICE double horner(const double (&p)[N], double x) {
  double v = p[N - 1];
#pragma unroll
  for (int i = N - 2; i >= 0; i--) v = __fma_rn(v, x, p[i]);
  return v;
}

// parity returns odd*g + even, the halves of a polynomial of an even number of coefficients in h.
template <int N> DEVICE double parity(const double (&p)[N], double g, double h) {
  double even = p[N - 2], odd = p[N - 1];
#pragma unroll
  for (int i = N - 4; i >= 0; i -= 2) even = __fma_rn(even, h, p[i]), odd = __fma_rn(odd, h, p[i + 1]);
  return __fma_rn(odd, g, even);
}

// minusTwoLog64 returns -2 ln u1 of the centre 2^54 u1, less 2^54 where u1 >= 1/2.
DEVICE double minusTwoLog64(double c) {
  const double R[] = {0x1.fffffffffff79p-3,  0x1.5555555560ec2p-4,   0x1.fffffff4cacffp-6, 0x1.99999c5dae599p-7,  0x1.5554ec2fd8c09p-8,
                      0x1.249c99b2b92d4p-9,  0x1.fe94d55a4ecc8p-11,  0x1.d9552817988f3p-12, 0x1.d4127d6d2b5fdp-14, 0x1.a06cd56403489p-12,
                      -0x1.b7b3bbaedd1c5p-11, 0x1.02bb67c43988bp-9, -0x1.bbf2dcf6fe39ep-9, 0x1.2d2205b9e3b9ap-8,  -0x1.395f1235e482dp-8,
                      0x1.ee68abb0bf620p-9,  -0x1.1d8a37557c26bp-9,  0x1.c9b30bdce553fp-11, -0x1.c8197e24101a5p-13, 0x1.af93103cae11bp-16};
  const uint64_t b = pattern64(c);
  double g = __dmul_rn(c, -0x1p-53), e = 0;
  if (c > 0) {
    g = __dsub_rn(2.0, bits64((b & FRACTION64) | ONE64));
    e = __int2double_rn(53 + 1023 - (int)(b >> 52));
  }
  const double h = __dmul_rn(g, g);
  return __fma_rn(parity(R, g, h), h, __fma_rn(e, 0x1.62e42fefa39efp+0, g));
}

DEVICE double minusTwoLogOf64(uint64_t x) { return minusTwoLog64(__ll2double_rn((int64_t)x >> 10 | 1)); }
DEVICE double minusTwoLogOf32(uint32_t x) { return minusTwoLog64(__fma_rn(__int2double_rn((int)x), 0x1p22, 0x1p21)); }

struct Pair64 {
  double a, b;
};

// sinCos returns sine and cosine of pi/2 t.
DEVICE Pair64 sinCos(double t) {
  const double P[] = {0x1.02647475ac615p-54, -0x1.4abbce625be41p-1, 0x1.466bc67758781p-4, -0x1.32d2cce2dcf28p-8,
                      0x1.50782fd107e53p-13, -0x1.e300693f669d9p-19, 0x1.e3f09990400e5p-25};
  const double Q[] = {1, -0x1.3bd3cc9be45dep+0, 0x1.03c1f081b5a52p-2, -0x1.55d3c7e3bfe56p-6,
                      0x1.e1f50675b20c9p-11, -0x1.a6d1e238ee688p-16, 0x1.f9c4adc07aeb7p-22, -0x1.b0345eb4df2eep-28};
  const double s = __dmul_rn(t, t);
  return {__fma_rn(t, 0x1.921fb54442d18p+0, __dmul_rn(horner(P, s), t)), horner(Q, s)};
}

// turned returns the signed number of 2^-64 that a word makes, with its lower 11 bits replaced by their middle.
DEVICE double turned(uint64_t y, int shift) {
  return __dmul_rn(__ll2double_rn((int64_t)(((y & ~0x7ffull) | 0x400) << shift)), 0x1p-64);
}

DEVICE Pair64 normal64(uint64_t x, uint64_t y) {
  double r = __dsqrt_rn(minusTwoLogOf64(x));
  const Pair64 of = sinCos(turned(y, 2));
  double sine = of.a, cosine = of.b;
  y += 1ull << 61;
  if (y & 1ull << 62) sine = of.b, cosine = -of.a;
  if (y >> 63) r = -r;
  return {__dmul_rn(r, cosine), __dmul_rn(r, sine)};
}

// ---- SEQUENCE.md, "Inverse transforms" ----

DEVICE double expOf(double v) {
  const double X[] = {0x1p-1, 0x1.5555555555556p-3, 0x1.5555555555558p-5, 0x1.1111111110d5ep-7, 0x1.6c16c16c14e67p-10, 0x1.a01a01a1e25edp-13,
                      0x1.a01a01ae7862ap-16, 0x1.71de341e69fbp-19, 0x1.27e4c910a9c9dp-22, 0x1.ae786464a8b4bp-26, 0x1.1f91bb8862b1bp-29, 0x1.49015a6fcd78dp-33};
  v = v > -746 ? v : -746;
  v = v < 710 ? v : 710;
  double k = __fma_rn(v, 0x1.71547652b82fep+0, 0x1.8p+52);
  const uint64_t n = pattern64(k) - (0x4338ull << 48) + 2 * 1023; // k + 2046
  k = __dsub_rn(k, 0x1.8p+52);
  const double r = __fma_rn(-k, 0x1.abc9e3b39803fp-56, __fma_rn(-k, 0x1.62e42fefa39efp-1, v));
  const double h = __dmul_rn(r, r);
  const double y = __dadd_rn(1.0, __fma_rn(parity(X, r, h), h, r));
  const uint64_t half = n >> 1;
  return __dmul_rn(__dmul_rn(y, bits64(half << 52)), bits64((n - half) << 52));
}

// logOf returns ln v, for a normal number v.
DEVICE double logOf(double v) {
  const double A[] = {0x1.5555555555592p-1, 0x1.999999997ff1ap-2, 0x1.24924941e13dcp-2, 0x1.c71c5214696ap-3,
                      0x1.74663ce7c29cep-3, 0x1.39a1e967b9122p-3, 0x1.2f03b383b3b91p-3};
  const uint64_t M = 0x3fe6a09e667f3bcdull; // of sqrt(1/2)
  const uint64_t b = pattern64(v) + (ONE64 - M);
  const double of = __int2double_rn((int)(b >> 52) - 1023);
  const double f = __dsub_rn(bits64((b & FRACTION64) + M), 1.0);
  const double s = __ddiv_rn(f, __dadd_rn(2.0, f)), z = __dmul_rn(s, s), g = __dmul_rn(0.5, f);
  const double t = __fma_rn(s, __fma_rn(z, horner(A, z), __dmul_rn(g, f)), __dmul_rn(of, 0x1.abc9e3b39803fp-56));
  return __fma_rn(of, 0x1.62e42fefa39efp-1, __dadd_rn(f, __fma_rn(-g, f, t)));
}

DEVICE double halved(double x) { return __dmul_rn(x, 0.5); }

DEVICE double laplace(uint32_t x) {
  const uint32_t m = min(x, ~x);
  const double e = halved(minusTwoLog64(__dmul_rn(__int2double_rn((int)(m << 1 | 1)), 0x1p22)));
  return x >> 31 ? e : -e;
}
DEVICE double laplace(uint64_t x) {
  const uint64_t m = x >> 63 ? ~x : x;
  const double e = halved(minusTwoLog64(__ll2double_rn(((int64_t)(m << 1) >> 10 & ~3ll) | 2)));
  return x >> 63 ? e : -e;
}

DEVICE double gumbel(uint32_t x) { return -logOf(halved(minusTwoLogOf32(x))); }
DEVICE double gumbel(uint64_t x) { return -logOf(halved(minusTwoLogOf64(x))); }

DEVICE double tangent(double t, bool odd) {
  const Pair64 of = sinCos(t);
  return odd ? __ddiv_rn(-of.b, of.a) : __ddiv_rn(of.a, of.b);
}
DEVICE double cauchy(uint32_t x) { return tangent(__dmul_rn(__int2double_rn((int)(x << 1 | 1)), 0x1p-32), x + (1u << 30) < 1u << 31); }
DEVICE double cauchy(uint64_t x) { return tangent(turned(x, 1), x + (1ull << 62) < 1ull << 63); }

DEVICE double exponential(uint32_t x) { return halved(minusTwoLogOf32(x)); }
DEVICE double exponential(uint64_t x) { return halved(minusTwoLogOf64(x)); }

// ---- Launches ----

// behind returns s for blocks behind those before which c0 wraps.
DEVICE Start behind(const Start &s) {
  uint32_t c[4] = {s.c0, s.c1, s.c2, s.c3};
  if (++c[1] == 0 && ++c[2] == 0) ++c[3];
  return prepared(s.k0, s.k1, c);
}

// Blocks are those of a launch. c0 wraps among them in launches from a State, and where a stage's units have so many blocks
// that a launch cannot end wherever it does: CARRIES.
template <bool STATE, bool CARRIES> struct Blocks {
  const Start &start;
  const State *const state;

  // counter is the first word of block i's.
  DEVICE_MEMBER uint32_t counter(uint32_t i) const { return start.c0 + i; }
  DEVICE_MEMBER Words words(uint32_t i) const {
    if (STATE && counter(i) < i) return block(state->behind, counter(i));
    if (!STATE && CARRIES && counter(i) < i) return block(::behind(start), counter(i));
    return block(start, counter(i));
  }
  DEVICE_MEMBER Words attempt(uint32_t i, uint32_t a) const { return ::attempt(STATE && counter(i) < i ? state->behind : start, counter(i), a); }
};

// store writes a unit, whose address is a multiple of its size, or of 16.
template <int WORDS> DEVICE void store(uint8_t *p, const uint32_t *out) {
  if (WORDS == 1) __stcs((uint32_t *)p, out[0]);
  if (WORDS == 2) __stcs((uint2 *)p, make_uint2(out[0], out[1 % WORDS]));
#pragma unroll
  for (int i = 0; i + 4 <= WORDS; i += 4) __stcs((uint4 *)p + i / 4, make_uint4(out[i], out[i + 1], out[i + 2], out[i + 3]));
}

// storePart writes the elements begin to end-1 of a unit, of SIZE bytes each, one at a time.
template <int WORDS, int SIZE> DEVICE void storePart(uint8_t *p, const uint32_t *out, uint32_t begin, uint32_t end) {
#pragma unroll
  for (uint32_t e = 0; e < WORDS * 4 / SIZE; e++) {
    if (e < begin || e >= end) continue;
    uint8_t *const at = p + e * SIZE;
    const uint32_t w = out[e * SIZE / 4];
    if (SIZE == 1) *at = (uint8_t)(w >> e % 4 * 8);
    if (SIZE == 2) *(uint16_t *)at = (uint16_t)(w >> e % 2 * 16);
    if (SIZE == 4) *(uint32_t *)at = w;
    if (SIZE == 8) *(uint64_t *)at = join(w, out[(e * SIZE / 4 + 1) % WORDS]);
  }
}

template <class Stage> DEVICE uint8_t *unitAt(const Fill &f, uint32_t u) { return (uint8_t *)f.dst + (uint64_t)u * (Stage::WORDS * 4); }

// storeSome writes the wanted elements of unit u.
template <class Stage> DEVICE void storeSome(const Fill &f, uint32_t u, const uint32_t *out) {
  const uint32_t elements = Stage::WORDS * 4 / Stage::SIZE;
  storePart<Stage::WORDS, Stage::SIZE>(unitAt<Stage>(f, u), out, u == 0 ? f.begin : 0, u == f.units - 1 ? f.end : elements);
}

// whole reports whether n units from u on are all wanted as a whole.
DEVICE bool whole(const Fill &f, uint32_t u, uint32_t n) { return u - f.whole < f.wholes && f.whole + f.wholes - u >= n; }

#if defined(__CUDACC__)
// nextUnit sets next to the words of unit u+1, which the next thread of the warp has in out.
template <class Stage, class Blocks> DEVICE void nextUnit(const Stage &, const Blocks &, uint32_t, const uint32_t *out, uint32_t *next) {
#pragma unroll
  for (int i = 0; i < 4; i++) next[i] = __shfl_down_sync(0xffffffff, out[i % Stage::WORDS], 1);
}
#else
// Threads run one after the other there, and make it again.
template <class Stage, class Blocks> DEVICE void nextUnit(const Stage &stage, const Blocks &blocks, uint32_t u, const uint32_t *, uint32_t *next) {
  uint32_t out[Stage::WORDS];
  stage.unit(blocks, u + 1, out);
  for (int i = 0; i < 4; i++) next[i] = out[i % Stage::WORDS];
}
#endif

// storeAcross writes a unit of 16 bytes that begins f.ahead bytes before a multiple of 16, and so in two of the pieces of memory
// that are written at a time: each thread of a warp, all of which come here with a unit behind that of the thread before, writes the end of
// its own with the beginning of the next one's, and the first and the last of them what is left.
template <class Stage, class Blocks> DEVICE void storeAcross(const Fill &f, const Stage &stage, const Blocks &blocks, uint32_t u, const uint32_t *out) {
  uint32_t w[8];
  nextUnit(stage, blocks, u, out, w + 4);
#pragma unroll
  for (int i = 0; i < 4; i++) w[i] = out[i];
  uint32_t from[5];
#pragma unroll
  for (int i = 0; i < 5; i++) {
    if (Stage::SIZE == 8)
      from[i] = w[i + 2];
    else
      from[i] = Stage::SIZE < 4 && f.ahead < 4 ? w[i] : f.ahead < 8 ? w[i + 1] : f.ahead < 12 ? w[i + 2] : w[(i + 3) % 8];
  }
#pragma unroll
  for (int i = 0; i < 4; i++) w[i] = Stage::SIZE < 4 ? (uint32_t)(join(from[i], from[i + 1]) >> f.ahead % 4 * 8) : from[i];
  uint8_t *const p = unitAt<Stage>(f, u);
  const uint32_t lane = threadIdx.x % 32, head = f.ahead / Stage::SIZE;
  if (lane < 31) store<4>(p + f.ahead, w);
  if (lane % 31 == 0) storePart<4, Stage::SIZE>(p, out, lane == 0 ? 0 : head, lane == 0 ? head : 16 / Stage::SIZE);
}

// A Form is where the place in a stream comes from and where the units go: eager launches to multiples of their size, or of 16, and launches
// from a State; and eager launches of units of 16 bytes to anywhere else. That is a kernel of its own since it needs registers.
enum Form { EAGER, FROM_STATE, ACROSS };

// fill writes a launch. A thread block has contiguous pieces of it, one for each time that the grid goes round, and a thread TIMES units
// of a piece: several hide each other's latency.
template <class Stage, Form FORM, int TIMES> DEVICE void fill(const Fill &f, const Args &a) {
  const Stage stage(a);
  const State *const state = (const State *)f.state;
  const Blocks<FORM == FROM_STATE, Stage::CARRIES> blocks = {FORM == FROM_STATE ? state->before : f.start, state};
  const uint32_t piece = THREADS * TIMES;
  uint32_t out[Stage::WORDS];
  for (uint32_t base = blockIdx.x * piece; base < f.units; base += gridDim.x * piece) {
    uint32_t u = base + threadIdx.x;
    if (TIMES > 1 && whole(f, base, piece)) { // nearly all pieces
#pragma unroll
      for (uint32_t i = 0; i < TIMES; i++) {
        stage.unit(blocks, u + i * THREADS, out);
        store<Stage::WORDS>(unitAt<Stage>(f, u) + i * (THREADS * Stage::WORDS * 4), out);
      }
      continue;
    }
#pragma unroll 1
    for (uint32_t i = 0; i < TIMES && u < f.units; i++, u += THREADS) {
      stage.unit(blocks, u, out);
      if (FORM == ACROSS && whole(f, u - threadIdx.x % 32, 32))
        storeAcross<Stage>(f, stage, blocks, u, out);
      else if (FORM != ACROSS && whole(f, u, 1))
        store<Stage::WORDS>(unitAt<Stage>(f, u), out);
      else
        storeSome<Stage>(f, u, out);
    }
  }
}

// ---- Stages: what becomes of words. A stage makes a unit of some blocks; its elements have SIZE bytes. ----

// A Unit is what stages have in common that make every block alike: OUT words of output for each.
template <class Stage, int BLOCKS, int OUT, int BYTES> struct Unit {
  enum { WORDS = BLOCKS * OUT, SIZE = BYTES, CARRIES = false };
  template <class Blocks> DEVICE_MEMBER void unit(const Blocks &blocks, uint32_t u, uint32_t *out) const {
#pragma unroll
    for (int i = 0; i < BLOCKS; i++) ((const Stage *)this)->make(blocks, u * BLOCKS + i, out + i * OUT);
  }
};

// put writes the words of two or four elements.
DEVICE void put(uint32_t *out, const Words &c) {
#pragma unroll
  for (int i = 0; i < 4; i++) out[i] = c.w[i];
}
DEVICE void put(uint32_t *out, uint64_t x, uint64_t y) { out[0] = lo(x), out[1] = hi(x), out[2] = lo(y), out[3] = hi(y); }
DEVICE void put(uint32_t *out, double x, double y) { put(out, pattern64(x), pattern64(y)); }

struct Uint32 : Unit<Uint32, 1, 4, 4> {
  DEVICE_MEMBER Uint32(const Args &) {}
  template <class Blocks> DEVICE_MEMBER void make(const Blocks &blocks, uint32_t i, uint32_t *out) const { put(out, blocks.words(i)); }
};

struct Uint64 : Unit<Uint64, 1, 4, 8> {
  DEVICE_MEMBER Uint64(const Args &) {}
  template <class Blocks> DEVICE_MEMBER void make(const Blocks &blocks, uint32_t i, uint32_t *out) const { put(out, blocks.words(i)); }
};

struct Bytes : Unit<Bytes, 1, 4, 1> {
  DEVICE_MEMBER Bytes(const Args &) {}
  template <class Blocks> DEVICE_MEMBER void make(const Blocks &blocks, uint32_t i, uint32_t *out) const { put(out, blocks.words(i)); }
};

// A Format is what float32 numbers are rounded to.
enum Format { F32, F16, B16 };

template <Format F> DEVICE uint32_t rounded(float x) {
  if (F == F16) return half16(x);
  const uint32_t b = __float_as_uint(x);
  if (F == B16) return (b & 0x7fffffff) > 0x7f800000 ? (b | 0x400000) >> 16 : (b + 0x7fff + (b >> 16 & 1)) >> 16;
  return b;
}

// A Floats is a stage whose blocks make four float32 numbers, or those rounded to a format. Its Stage has numbers,
// which returns four of them.
struct Four {
  float v[4];
};
template <class Stage, Format F, int BLOCKS = 1> struct Floats : Unit<Floats<Stage, F, BLOCKS>, BLOCKS, F == F32 ? 4 : 2, F == F32 ? 4 : 2> {
  template <class Blocks> DEVICE_MEMBER void make(const Blocks &blocks, uint32_t i, uint32_t *out) const {
    const Four x = ((const Stage *)this)->numbers(blocks, i);
    if (F == F32) {
#pragma unroll
      for (int j = 0; j < 4; j++) out[j] = __float_as_uint(x.v[j]);
    } else {
#pragma unroll
      for (int j = 0; j < 2; j++) out[j] = rounded<F>(x.v[2 * j]) | rounded<F>(x.v[2 * j + 1]) << 16;
    }
  }
};

// An Each is a Floats whose numbers are each a function of a word.
template <class Stage, Format F> struct Each : Floats<Each<Stage, F>, F> {
  template <class Blocks> DEVICE_MEMBER Four numbers(const Blocks &blocks, uint32_t i) const {
    const Words c = blocks.words(i);
    Four x;
#pragma unroll
    for (int j = 0; j < 4; j++) x.v[j] = ((const Stage *)this)->number(c.w[j]);
    return x;
  }
};

// An Each64 is a stage of two float64 numbers, each a function of a 64-bit word.
template <class Stage> struct Each64 : Unit<Each64<Stage>, 1, 4, 8> {
  template <class Blocks> DEVICE_MEMBER void make(const Blocks &blocks, uint32_t i, uint32_t *out) const {
    const Words c = blocks.words(i);
    const Stage *const stage = (const Stage *)this;
    put(out, stage->number(join(c.w[0], c.w[1])), stage->number(join(c.w[2], c.w[3])));
  }
};

struct Float32 : Each<Float32, F32> {
  const uint32_t one;
  DEVICE_MEMBER Float32(const Args &a) : one(a.one) {}
  DEVICE_MEMBER float number(uint32_t w) const { return uniform32(w, one); }
};

struct Open32 : Each<Open32, F32> {
  DEVICE_MEMBER Open32(const Args &) {}
  DEVICE_MEMBER float number(uint32_t w) const { return fminf(__fmaf_rn(__uint2float_rn(w), 0x1p-32f, 0x1p-33f), 1 - 0x1p-24f); }
};

struct Float64 : Each64<Float64> {
  DEVICE_MEMBER Float64(const Args &) {}
  DEVICE_MEMBER double number(uint64_t w) const { return uniform64(w); }
};

// A Range is span, lo and the number below hi, in f.
struct Range {
  const float span, from, below;
  DEVICE_MEMBER Range(const Args &a) : span(a.f[0]), from(a.f[1]), below(a.f[2]) {}
  // of returns u*span + lo, or below where that is not less. Of two zeros it is below, which a minimum need not be.
  DEVICE_MEMBER float of(float u) const {
    const float v = __fmaf_rn(u, span, from);
    return below == 0 ? (v < below ? v : below) : fminf(v, below);
  }
};

struct Range32 : Each<Range32, F32> {
  const Range range;
  const uint32_t one;
  DEVICE_MEMBER Range32(const Args &a) : range(a), one(a.one) {}
  DEVICE_MEMBER float number(uint32_t w) const { return range.of(uniform32(w, one)); }
};

// Range64 has them in d.
struct Range64 : Each64<Range64> {
  const double span, from, below;
  DEVICE_MEMBER Range64(const Args &a) : span(a.d[0]), from(a.d[1]), below(a.d[2]) {}
  DEVICE_MEMBER double number(uint64_t w) const {
    const double v = __fma_rn(uniform64(w), span, from);
    return v < below ? v : below;
  }
};

template <Format F> struct RangeHalf : Unit<RangeHalf<F>, 2, 2, 2> {
  const Range range;
  const uint32_t one;
  DEVICE_MEMBER RangeHalf(const Args &a) : range(a), one(a.one) {}
  DEVICE_MEMBER uint32_t number(uint32_t w) const {
    // The low 10 or 7 bits, over 2^10 or 2^7.
    const float u = __fsub_rn(bits32(F == F16 ? (w << 13 & 0x7fe000) | one : (w << 16 & 0x7f0000) | one), 1.0f);
    const uint32_t h = rounded<F>(range.of(u));
    return range.below == 0 && h == 0x8000 ? 0 : h; // what is rounded to -0 is not below the bound
  }
  template <class Blocks> DEVICE_MEMBER void make(const Blocks &blocks, uint32_t i, uint32_t *out) const {
    const Words c = blocks.words(i);
    out[0] = number(c.w[0]) | number(c.w[1]) << 16;
    out[1] = number(c.w[2]) | number(c.w[3]) << 16;
  }
};

// A Normal has mean and standard deviation in f, which count if it is SCALED.
template <Format F, bool SCALED> struct Normal : Floats<Normal<F, SCALED>, F, F == F32 ? 1 : 2> {
  const float mean, std;
  const uint32_t one;
  DEVICE_MEMBER Normal(const Args &a) : mean(a.f[0]), std(a.f[1]), one(a.one) {}
  template <class Blocks> DEVICE_MEMBER Four numbers(const Blocks &blocks, uint32_t i) const { return pairs(blocks.words(i)); }
  DEVICE_MEMBER Four pairs(const Words &c) const {
    const Pair32 x = normal32(c.w[0], c.w[1], one), y = normal32(c.w[2], c.w[3], one);
    Four all = {{x.a, x.b, y.a, y.b}};
    if (SCALED) {
#pragma unroll
      for (int j = 0; j < 4; j++) all.v[j] = __fmaf_rn(all.v[j], std, mean);
    }
    return all;
  }
};

// Normal64 has them in d, from at on.
struct Normal64 : Unit<Normal64, 1, 4, 8> {
  const double mean, std;
  DEVICE_MEMBER Normal64(const Args &a, int at = 0) : mean(a.d[at]), std(a.d[at + 1]) {}
  DEVICE_MEMBER Pair64 pair(const Words &c) const {
    const Pair64 z = normal64(join(c.w[0], c.w[1]), join(c.w[2], c.w[3]));
    return {__fma_rn(z.a, std, mean), __fma_rn(z.b, std, mean)}; // z where std is 1 and mean 0, since z is not 0
  }
  template <class Blocks> DEVICE_MEMBER void make(const Blocks &blocks, uint32_t i, uint32_t *out) const {
    const Pair64 z = pair(blocks.words(i));
    put(out, z.a, z.b);
  }
};

// An Exponential has rate, least and most in f, which count if it is SCALED.
template <Format F, bool SCALED> struct Exponential : Each<Exponential<F, SCALED>, F> {
  const float rate, least, most;
  const uint32_t one;
  DEVICE_MEMBER Exponential(const Args &a) : rate(a.f[0]), least(a.f[1]), most(a.f[2]), one(a.one) {}
  DEVICE_MEMBER float number(uint32_t w) const {
    const float e = __fmul_rn(minusTwoLog32(w, one), 0.5f);
    return SCALED ? fminf(fmaxf(__fdiv_rn(e, rate), least), most) : e;
  }
};

// Exponential64 has them in d.
struct Exponential64 : Each64<Exponential64> {
  const double rate, least, most;
  DEVICE_MEMBER Exponential64(const Args &a) : rate(a.d[0]), least(a.d[1]), most(a.d[2]) {}
  DEVICE_MEMBER double number(uint64_t w) const { return fmin(fmax(__ddiv_rn(exponential(w), rate), least), most); }
};

// A Chosen is one's bits, n[1], where a word is at most n[0], and 0 elsewhere.
template <int BYTES> struct Chosen : Unit<Chosen<BYTES>, BYTES < 4 ? 4 / BYTES : 1, BYTES, BYTES> {
  const uint32_t limit;
  const uint64_t one;
  DEVICE_MEMBER Chosen(const Args &a) : limit((uint32_t)a.n[0]), one(a.n[1]) {}
  template <class Blocks> DEVICE_MEMBER void make(const Blocks &blocks, uint32_t i, uint32_t *out) const {
    const Words c = blocks.words(i);
#pragma unroll
    for (int j = 0; j < BYTES; j++) out[j] = 0;
#pragma unroll
    for (int j = 0; j < 4; j++) {
      const bool chosen = c.w[j] <= limit;
      out[j * BYTES / 4] |= (chosen ? lo(one) : 0) << j * BYTES % 4 * 8;
      if (BYTES == 8) out[(j * BYTES / 4 + 1) % BYTES] = chosen ? hi(one) : 0;
    }
  }
};

// Bits are a bit for every word, 1 where it is at most n[0], if n[1] is all ones and not 0, and then flipped by those of n[2].
// f is not used; behind the first n[3] bits of the launch they are 0.
struct Bits {
  enum { WORDS = 1, SIZE = 1, CARRIES = true };
  const uint32_t limit, enabled, flipped, whole, last;
  DEVICE_MEMBER Bits(const Args &a)
      : limit((uint32_t)a.n[0]), enabled((uint32_t)a.n[1]), flipped((uint32_t)a.n[2]), whole((uint32_t)(a.n[3] >> 5)), last((1u << (a.n[3] & 31)) - 1) {}
  template <class Blocks> DEVICE_MEMBER void unit(const Blocks &blocks, uint32_t u, uint32_t *out) const {
    uint32_t b = 0;
#pragma unroll 2
    for (int i = 0; i < 8; i++) {
      const Words c = blocks.words(u * 8 + i);
#pragma unroll
      for (int j = 0; j < 4; j++) b |= (c.w[j] <= limit ? 1u : 0) << (4 * i + j);
    }
    b = (b & enabled) ^ flipped;
    out[0] = u < whole ? b : u == whole ? b & last : 0;
  }
};

// Integers are lo, n[0], and what a number below n, n[1], adds to it; n[2] is 2^32 mod n.
template <int BYTES> struct Integers : Unit<Integers<BYTES>, 1, BYTES, BYTES> {
  const uint64_t from;
  const uint32_t n, least; // an n of 0 is 2^32
  DEVICE_MEMBER Integers(const Args &a) : from(a.n[0]), n((uint32_t)a.n[1]), least((uint32_t)a.n[2]) {}
  DEVICE_MEMBER bool candidate(uint32_t w, uint32_t &v) const {
    const uint64_t p = (uint64_t)w * n;
    v = n == 0 ? w : hi(p);
    return n == 0 || lo(p) >= least;
  }
  template <class Blocks> DEVICE_MEMBER void make(const Blocks &blocks, uint32_t i, uint32_t *out) const {
    const Words c = blocks.words(i);
    uint32_t v[4], failed = 0; // a bit for each
#pragma unroll
    for (int j = 0; j < 4; j++) failed |= (candidate(c.w[j], v[j]) ? 0u : 1u) << j;
#pragma unroll 1
    for (uint32_t a = 1; failed && a < ATTEMPTS; a++) {
      const Words d = blocks.attempt(i, a);
#pragma unroll
      for (int j = 0; j < 4; j++)
        if (failed >> j & 1 && candidate(d.w[j], v[j])) failed &= ~(1u << j);
    }
#pragma unroll
    for (int j = 0; j < BYTES; j++) out[j] = 0;
#pragma unroll
    for (int j = 0; j < 4; j++) {
      const uint64_t x = from + v[j];
      out[j * BYTES / 4] |= (BYTES == 1 ? lo(x) & 0xff : BYTES == 2 ? lo(x) & 0xffff : lo(x)) << j * BYTES % 4 * 8;
      if (BYTES == 8) out[(j * BYTES / 4 + 1) % BYTES] = hi(x);
    }
  }
};

// Wide64 are Integers of 64-bit words: an n of 0 is 2^64, and n[2] is 2^64 mod n.
struct Wide64 : Unit<Wide64, 1, 4, 8> {
  const uint64_t from, n, least;
  DEVICE_MEMBER Wide64(const Args &a) : from(a.n[0]), n(a.n[1]), least(a.n[2]) {}
  DEVICE_MEMBER bool candidate(const Words &c, int j, uint64_t &v) const {
    const uint64_t w = join(c.w[2 * j], c.w[2 * j + 1]);
    v = n == 0 ? w : __umul64hi(w, n);
    return n == 0 || w * n >= least;
  }
  template <class Blocks> DEVICE_MEMBER void make(const Blocks &blocks, uint32_t i, uint32_t *out) const {
    const Words c = blocks.words(i);
    uint64_t v[2];
    bool first = candidate(c, 0, v[0]), second = candidate(c, 1, v[1]);
#pragma unroll 1
    for (uint32_t a = 1; !(first && second) && a < ATTEMPTS; a++) {
      const Words d = blocks.attempt(i, a);
      first = first || candidate(d, 0, v[0]);
      second = second || candidate(d, 1, v[1]);
    }
    put(out, from + v[0], from + v[1]);
  }
};

// ---- Truncated normals: SEQUENCE.md, "Between bounds" ----

// A Truncated is the normals that are between the bounds, in d[0] and d[1]; what there is after the last attempt is in d[2]. The mean and the
// standard deviation are where Normal has them.
template <Format F> struct Truncated : Floats<Truncated<F>, F> {
  const Normal<F32, true> normal;
  const float least, most, reserve;
  DEVICE_MEMBER Truncated(const Args &a) : normal(a), least((float)a.d[0]), most((float)a.d[1]), reserve((float)a.d[2]) {}
  DEVICE_MEMBER bool holds(float v) const { return least <= v && v <= most; }

  template <class Blocks> DEVICE_MEMBER Four numbers(const Blocks &blocks, uint32_t i) const {
    Four all = normal.pairs(blocks.words(i));
#pragma unroll 1
    for (uint32_t a = 1;; a++) {
      bool held = true;
#pragma unroll
      for (int j = 0; j < 4; j++) held = held && holds(all.v[j]);
      if (held || a == ATTEMPTS) break;
      const Four other = normal.pairs(blocks.attempt(i, a));
#pragma unroll
      for (int j = 0; j < 4; j++) all.v[j] = holds(all.v[j]) ? all.v[j] : other.v[j];
    }
#pragma unroll
    for (int j = 0; j < 4; j++) all.v[j] = holds(all.v[j]) ? all.v[j] : reserve;
    return all;
  }
};

struct Truncated64 : Unit<Truncated64, 1, 4, 8> {
  const Normal64 normal;
  const double least, most, reserve;
  DEVICE_MEMBER Truncated64(const Args &a) : normal(a, 3), least(a.d[0]), most(a.d[1]), reserve(a.d[2]) {}
  DEVICE_MEMBER bool holds(double v) const { return least <= v && v <= most; }
  template <class Blocks> DEVICE_MEMBER void make(const Blocks &blocks, uint32_t i, uint32_t *out) const {
    Pair64 z = normal.pair(blocks.words(i));
#pragma unroll 1
    for (uint32_t a = 1; !(holds(z.a) && holds(z.b)) && a < ATTEMPTS; a++) {
      const Pair64 other = normal.pair(blocks.attempt(i, a));
      if (!holds(z.a)) z.a = other.a;
      if (!holds(z.b)) z.b = other.b;
    }
    put(out, holds(z.a) ? z.a : reserve, holds(z.b) ? z.b : reserve);
  }
};

// The candidates of a tail: uniforms, exponentials, or nothing but what there is after the last attempt.
enum Method { UNIFORM, EXPONENTIAL, CONSTANT };

// A Tail has the method in n[0]; bounds, what there is after the last attempt, end, reach and sigma in d[0] to d[5]; and o, alpha (n of uniforms) and
// lambda in d[6] to d[8].
struct Tail {
  const Method method;
  const double least, most, reserve, end, reach, sigma, origin, alpha, lambda;
  DEVICE_MEMBER Tail(const Args &a)
      : method((Method)a.n[0]), least(a.d[0]), most(a.d[1]), reserve(a.d[2]), end(a.d[3]), reach(a.d[4]), sigma(a.d[5]), origin(a.d[6]), alpha(a.d[7]),
        lambda(a.d[8]) {}

  // proposal returns the candidate of a word's u, or of its -ln u, and what the -ln u of another one must not be less than. It
  // is rounded to the type only then, unless single says so before.
  template <class W> DEVICE_MEMBER double proposal(W w, double u, bool single, double &q) const {
    double v;
    if (method == UNIFORM) {
      v = __fma_rn(reach, u, end);
      const double d = __ddiv_rn(__dsub_rn(v, origin), sigma);
      q = __dmul_rn(d, __dadd_rn(halved(d), alpha));
    } else {
      const double e = exponential(w), d = __ddiv_rn(__dsub_rn(e, 1.0), lambda);
      v = __fma_rn(sigma, __ddiv_rn(e, lambda), end);
      q = halved(__dmul_rn(d, d));
    }
    return single ? __double2float_rn(v) : v;
  }

  // accepted reports whether v is, from the word of the attempt after its own.
  template <class W> DEVICE_MEMBER bool accepted(double v, double q, W other) const {
    return least <= v && v <= most && !(q > exponential(other));
  }

  DEVICE_MEMBER bool candidate(uint32_t w, uint32_t other, double &v) const {
    double q;
    v = proposal(w, __dmul_rn(__dadd_rn(__uint2double_rn(w), 0.5), 0x1p-32), true, q);
    return accepted(v, q, other);
  }
  DEVICE_MEMBER bool candidate(uint64_t w, uint64_t other, double &v) const {
    double q;
    v = proposal(w, __dmul_rn(__ull2double_rn(w >> 11 << 1 | 1), 0x1p-54), false, q);
    return accepted(v, q, other);
  }
};

template <Format F> struct TailFloats : Floats<TailFloats<F>, F> {
  const Tail tail;
  DEVICE_MEMBER TailFloats(const Args &a) : tail(a) {}
  template <class Blocks> DEVICE_MEMBER Four numbers(const Blocks &blocks, uint32_t i) const {
    Four all;
    Words x = blocks.words(i), y = blocks.attempt(i, 1);
    uint32_t failed = 0xf; // a bit for each
#pragma unroll 1
    for (uint32_t a = tail.method == CONSTANT ? ATTEMPTS : 0; failed && a < ATTEMPTS;) {
#pragma unroll
      for (int j = 0; j < 4; j++) {
        double v;
        if (failed >> j & 1 && tail.candidate(x.w[j], y.w[j], v)) all.v[j] = (float)v, failed &= ~(1u << j);
      }
      a += 2;
      if (failed) x = blocks.attempt(i, a), y = blocks.attempt(i, a + 1);
    }
#pragma unroll
    for (int j = 0; j < 4; j++)
      if (failed >> j & 1) all.v[j] = (float)tail.reserve;
    return all;
  }
};

struct Tail64 : Unit<Tail64, 1, 4, 8> {
  const Tail tail;
  DEVICE_MEMBER Tail64(const Args &a) : tail(a) {}
  template <class Blocks> DEVICE_MEMBER void make(const Blocks &blocks, uint32_t i, uint32_t *out) const {
    double v[2];
    Words x = blocks.words(i), y = blocks.attempt(i, 1);
    uint32_t failed = 3; // a bit for each
#pragma unroll 1
    for (uint32_t a = tail.method == CONSTANT ? ATTEMPTS : 0; failed && a < ATTEMPTS;) {
#pragma unroll
      for (int j = 0; j < 2; j++) {
        double w;
        if (failed >> j & 1 && tail.candidate(join(x.w[2 * j], x.w[2 * j + 1]), join(y.w[2 * j], y.w[2 * j + 1]), w)) v[j] = w, failed &= ~(1u << j);
      }
      a += 2;
      if (failed) x = blocks.attempt(i, a), y = blocks.attempt(i, a + 1);
    }
    put(out, failed & 1 ? tail.reserve : v[0], failed & 2 ? tail.reserve : v[1]);
  }
};

// ---- Distributions by inverse transform: mean, or location, and std, or scale, in d ----

struct LogNormal64 : Unit<LogNormal64, 1, 4, 8> {
  const Normal64 normal;
  DEVICE_MEMBER LogNormal64(const Args &a) : normal(a) {}
  template <class Blocks> DEVICE_MEMBER void make(const Blocks &blocks, uint32_t i, uint32_t *out) const {
    const Pair64 z = normal.pair(blocks.words(i));
    put(out, expOf(z.a), expOf(z.b));
  }
};

template <Format F> struct LogNormal : Floats<LogNormal<F>, F> {
  const Normal<F32, true> normal;
  DEVICE_MEMBER LogNormal(const Args &a) : normal(a) {}
  template <class Blocks> DEVICE_MEMBER Four numbers(const Blocks &blocks, uint32_t i) const {
    Four all = normal.numbers(blocks, i);
#pragma unroll
    for (int j = 0; j < 4; j++) all.v[j] = __double2float_rn(expOf(all.v[j]));
    return all;
  }
};

// LOCATED defines the stages of a standard distribution.
#define LOCATED(Name, standard)                                                                                          \
  template <Format F> struct Name : Each<Name<F>, F> {                                                                \
    const double location, scale;                                                                                        \
    DEVICE_MEMBER Name(const Args &a) : location(a.d[0]), scale(a.d[1]) {}                                               \
    DEVICE_MEMBER float number(uint32_t w) const { return __double2float_rn(__fma_rn(standard(w), scale, location)); }   \
  };                                                                                                                     \
  struct Name##64 : Each64<Name##64> {                                                                                   \
    const double location, scale;                                                                                        \
    DEVICE_MEMBER Name##64(const Args &a) : location(a.d[0]), scale(a.d[1]) {}                                           \
    DEVICE_MEMBER double number(uint64_t w) const { return __fma_rn(standard(w), scale, location); }                     \
  };
LOCATED(Cauchy, cauchy)
LOCATED(Laplace, laplace)
LOCATED(Gumbel, gumbel)

// trials returns a geometric number; of is -ln(1-p).
template <class W> DEVICE double trials(W w, double of) { return __dadd_rn(floor(__ddiv_rn(exponential(w), of)), 1.0); }

// A Geometric has ln(1-p) in d[0].
template <Format F> struct Geometric : Each<Geometric<F>, F> {
  const double of;
  DEVICE_MEMBER Geometric(const Args &a) : of(-a.d[0]) {}
  DEVICE_MEMBER float number(uint32_t w) const { return __double2float_rn(trials(w, of)); }
};

struct GeometricFloat64 : Each64<GeometricFloat64> {
  const double of;
  DEVICE_MEMBER GeometricFloat64(const Args &a) : of(-a.d[0]) {}
  DEVICE_MEMBER double number(uint64_t w) const { return trials(w, of); }
};

struct GeometricWide : Each64<GeometricWide> { // integers of 64 bits
  const double of;
  DEVICE_MEMBER GeometricWide(const Args &a) : of(-a.d[0]) {}
  DEVICE_MEMBER uint64_t number(uint64_t w) const { return __double2ull_rz(trials(w, of)); }
};

template <int BYTES> struct GeometricInteger : Unit<GeometricInteger<BYTES>, 1, BYTES, BYTES> { // of 4 bytes or fewer
  const double of;
  DEVICE_MEMBER GeometricInteger(const Args &a) : of(-a.d[0]) {}
  template <class Blocks> DEVICE_MEMBER void make(const Blocks &blocks, uint32_t i, uint32_t *out) const {
    const Words c = blocks.words(i);
#pragma unroll
    for (int j = 0; j < BYTES; j++) out[j] = 0;
#pragma unroll
    for (int j = 0; j < 4; j++) out[j * BYTES / 4] |= (uint32_t)__double2ull_rz(trials(c.w[j], of)) << j * BYTES % 4 * 8;
  }
};

// ---- Kernels ----

// STAGES are all of them: a name, how many units a thread writes at a time (measured), the bytes of a unit, the stage.
#define STAGES(Y, X)                              \
  Y(X, uint32, 4, 16, Uint32)                         \
  Y(X, uint64, 4, 16, Uint64)                         \
  Y(X, bytes, 4, 16, Bytes)                           \
  Y(X, float32, 4, 16, Float32)                       \
  Y(X, open32, 4, 16, Open32)                         \
  Y(X, float64, 4, 16, Float64)                       \
  Y(X, range32, 4, 16, Range32)                       \
  Y(X, range64, 2, 16, Range64)                       \
  Y(X, float16, 2, 16, RangeHalf<F16>)                \
  Y(X, bfloat16, 2, 16, RangeHalf<B16>)               \
  Y(X, normal32, 4, 16, Normal<F32, false>)           \
  Y(X, scaled32, 4, 16, Normal<F32, true>)            \
  Y(X, normal64, 1, 16, Normal64)                     \
  Y(X, normal16, 2, 16, Normal<F16, true>)            \
  Y(X, normalb16, 2, 16, Normal<B16, true>)           \
  Y(X, truncated32, 1, 16, Truncated<F32>)            \
  Y(X, truncated64, 1, 16, Truncated64)               \
  Y(X, truncated16, 1, 8, Truncated<F16>)            \
  Y(X, truncatedb16, 1, 8, Truncated<B16>)           \
  Y(X, tail32, 1, 16, TailFloats<F32>)                \
  Y(X, tail64, 1, 16, Tail64)                         \
  Y(X, tail16, 1, 8, TailFloats<F16>)                \
  Y(X, tailb16, 1, 8, TailFloats<B16>)               \
  Y(X, exponential32, 4, 16, Exponential<F32, false>) \
  Y(X, rate32, 1, 16, Exponential<F32, true>)         \
  Y(X, exponential64, 1, 16, Exponential64)           \
  Y(X, exponential16, 1, 8, Exponential<F16, true>)  \
  Y(X, exponentialb16, 1, 8, Exponential<B16, true>) \
  Y(X, chosen8, 2, 16, Chosen<1>)                     \
  Y(X, chosen16, 2, 16, Chosen<2>)                    \
  Y(X, chosen32, 4, 16, Chosen<4>)                    \
  Y(X, chosen64, 2, 32, Chosen<8>)                    \
  Y(X, bits, 1, 4, Bits)                             \
  Y(X, int8, 1, 4, Integers<1>)                      \
  Y(X, int16, 1, 8, Integers<2>)                     \
  Y(X, int32, 4, 16, Integers<4>)                     \
  Y(X, int64, 2, 32, Integers<8>)                     \
  Y(X, wide64, 2, 16, Wide64)                         \
  Y(X, lognormal32, 1, 16, LogNormal<F32>)            \
  Y(X, lognormal64, 1, 16, LogNormal64)               \
  Y(X, lognormal16, 1, 8, LogNormal<F16>)            \
  Y(X, lognormalb16, 1, 8, LogNormal<B16>)           \
  Y(X, cauchy32, 1, 16, Cauchy<F32>)                  \
  Y(X, cauchy64, 1, 16, Cauchy64)                     \
  Y(X, cauchy16, 1, 8, Cauchy<F16>)                  \
  Y(X, cauchyb16, 1, 8, Cauchy<B16>)                 \
  Y(X, laplace32, 1, 16, Laplace<F32>)                \
  Y(X, laplace64, 1, 16, Laplace64)                   \
  Y(X, laplace16, 1, 8, Laplace<F16>)                \
  Y(X, laplaceb16, 1, 8, Laplace<B16>)               \
  Y(X, gumbel32, 1, 16, Gumbel<F32>)                  \
  Y(X, gumbel64, 1, 16, Gumbel64)                     \
  Y(X, gumbel16, 1, 8, Gumbel<F16>)                  \
  Y(X, gumbelb16, 1, 8, Gumbel<B16>)                 \
  Y(X, geometric32, 1, 16, Geometric<F32>)            \
  Y(X, geometric64, 1, 16, GeometricFloat64)          \
  Y(X, geometric16, 1, 8, Geometric<F16>)            \
  Y(X, geometricb16, 1, 8, Geometric<B16>)           \
  Y(X, geometricint8, 1, 4, GeometricInteger<1>)     \
  Y(X, geometricint16, 1, 8, GeometricInteger<2>)    \
  Y(X, geometricint32, 1, 16, GeometricInteger<4>)    \
  Y(X, geometricint64, 1, 16, GeometricWide)

// A kernel's name says how many units a thread writes, since the best grid depends on it (any grid gives the same numbers), and
// the size of a unit.
#define KERNEL(X, name, times, bytes, ...)                                                                                  \
  static_assert((__VA_ARGS__::WORDS) * 4 == bytes, "the size of a unit");                                                   \
  extern "C" __global__ void __launch_bounds__(THREADS) philox_##name##_x##times##_##bytes(const Fill f, const Args a) {    \
    fill<__VA_ARGS__, EAGER, times>(f, a);                                                                                  \
  }                                                                                                                         \
  extern "C" __global__ void __launch_bounds__(THREADS) philox_##name##_state_x1_##bytes(const Fill f, const Args a) {      \
    fill<__VA_ARGS__, FROM_STATE, 1>(f, a);                                                                                 \
  }
STAGES(KERNEL, )

// ACROSS_STAGES are those that memory holds up; the others are sooner done with a store for each element.
#define ACROSS_STAGES(Y, X) \
  Y(X, uint32, Uint32) Y(X, uint64, Uint64) Y(X, bytes, Bytes) Y(X, float32, Float32) Y(X, open32, Open32) Y(X, float64, Float64) \
  Y(X, range32, Range32) Y(X, range64, Range64)
#define ACROSS_KERNEL(X, name, Stage)                                                                                       \
  extern "C" __global__ void __launch_bounds__(THREADS) philox_##name##_across_x1_16(const Fill f, const Args a) {          \
    fill<Stage, ACROSS, 1>(f, a);                                                                                           \
  }
ACROSS_STAGES(ACROSS_KERNEL, )

// keep writes what a source, at n[0], has times f[0] where a mask, at n[1], has a 1, and 0 elsewhere: n[2] elements. If n[3] is not 0 it
// writes what the source has.
template <class T, Format F> DEVICE void keep(const Fill &f, const Args &a) {
  T *const dst = (T *)f.dst;
  const T *const src = (const T *)a.n[0];
  const uint8_t *const mask = (const uint8_t *)a.n[1];
  const uint64_t step = (uint64_t)gridDim.x * THREADS;
  for (uint64_t i = (uint64_t)blockIdx.x * THREADS + threadIdx.x; i < a.n[2]; i += step) {
    if (a.n[3]) {
      dst[i] = src[i];
      continue;
    }
    const bool kept = mask[i / 8] >> i % 8 & 1;
    if (sizeof(T) == 8) {
      dst[i] = kept ? pattern64(__dmul_rn(bits64(src[i]), a.f[0])) : 0;
    } else if (F == F32) {
      dst[i] = kept ? __float_as_uint(__fmul_rn(bits32(src[i]), a.f[0])) : 0;
    } else {
      const float x = F == F16 ? from16(src[i]) : bits32((uint32_t)src[i] << 16);
      dst[i] = kept ? rounded<F>(__fmul_rn(x, a.f[0])) : 0;
    }
  }
}

extern "C" __global__ void __launch_bounds__(THREADS) philox_keep32_x1_0(const Fill f, const Args a) { keep<uint32_t, F32>(f, a); }
extern "C" __global__ void __launch_bounds__(THREADS) philox_keep64_x1_0(const Fill f, const Args a) { keep<uint64_t, F32>(f, a); }
extern "C" __global__ void __launch_bounds__(THREADS) philox_keep16_x1_0(const Fill f, const Args a) { keep<uint16_t, F16>(f, a); }
extern "C" __global__ void __launch_bounds__(THREADS) philox_keepb16_x1_0(const Fill f, const Args a) { keep<uint16_t, B16>(f, a); }

// prepare, one thread, makes a State ready for a launch of n[0] blocks, and moves it behind them.
extern "C" __global__ void philox_prepare_x1_0(const Fill f, const Args a) {
  State *const s = (State *)f.state;
  uint32_t c[4] = {s->c[0], s->c[1], s->c[2], s->c[3]};
  s->before = prepared(s->k0, s->k1, c);
  const uint64_t low = join(c[0], c[1]) + a.n[0], high = join(c[2], c[3]) + (low < a.n[0]);
  s->c[0] = lo(low), s->c[1] = hi(low), s->c[2] = lo(high), s->c[3] = hi(high);
  s->behind = behind(s->before);
}

// roots counts the float32 numbers with the bit patterns n[0] to n[0]+n[1]-1 of which root is not the square root: a
// count for each thread, at dst.
extern "C" __global__ void __launch_bounds__(THREADS) philox_roots_x1_0(const Fill f, const Args a) {
  const uint32_t thread = blockIdx.x * THREADS + threadIdx.x;
  uint32_t wrong = 0;
  for (uint64_t i = thread; i < a.n[1]; i += gridDim.x * THREADS) {
    const float l = bits32((uint32_t)(a.n[0] + i));
    wrong += __float_as_uint(root(l)) != __float_as_uint(__fsqrt_rn(l));
  }
  ((uint32_t *)f.dst)[thread] = wrong;
}

// Lists of all kernels, for emulate.h.
#define NAMES(X, name, times, bytes, ...) X(philox_##name##_x##times##_##bytes) X(philox_##name##_state_x1_##bytes)
#define ACROSS_NAMES(X, name, Stage) X(philox_##name##_across_x1_16)
#define PHILOX_KERNELS(X) \
  STAGES(NAMES, X) ACROSS_STAGES(ACROSS_NAMES, X) \
  X(philox_keep32_x1_0) X(philox_keep64_x1_0) X(philox_keep16_x1_0) X(philox_keepb16_x1_0) X(philox_prepare_x1_0) X(philox_roots_x1_0)
