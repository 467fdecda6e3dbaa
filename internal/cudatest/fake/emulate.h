// What philox.cu has of CUDA, for a compiler of C++ alone. Compile it with -ffp-contract=off: an operation with
// a rounding of its own must not be joined with another one.

#ifndef EMULATE_H
#define EMULATE_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define __global__
#define __device__
#define __host__
#define __constant__ static
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)

struct uint3 {
	unsigned x, y, z;
};
static __thread uint3 gridDim, blockDim, blockIdx, threadIdx;

struct alignas(8) uint2 {
	uint32_t x, y;
};
struct alignas(16) uint4 {
	uint32_t x, y, z, w;
};
struct alignas(8) float2 {
	float x, y;
};
struct alignas(16) float4 {
	float x, y, z, w;
};
static inline uint2 make_uint2(uint32_t x, uint32_t y) { return {x, y}; }
static inline uint4 make_uint4(uint32_t x, uint32_t y, uint32_t z, uint32_t w) { return {x, y, z, w}; }
static inline float2 make_float2(float x, float y) { return {x, y}; }
static inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

// A device faults where a vector is not aligned; a processor need not.
template <class T> static inline void __stcs(T *p, T v) {
	if ((uintptr_t)p % sizeof(T) != 0) {
		fprintf(stderr, "emulated kernel: a store of %zu bytes at %p\n", sizeof(T), (void *)p);
		abort();
	}
	memcpy((void *)p, &v, sizeof v);
}
template <class T> static inline T __ldg(const T *p) { return *p; }

template <class T> static inline T min(T a, T b) { return a < b ? a : b; }
template <class T> static inline T max(T a, T b) { return a < b ? b : a; }

static inline uint32_t __umulhi(uint32_t a, uint32_t b) { return (uint32_t)((uint64_t)a * b >> 32); }
static inline uint64_t __umul64hi(uint64_t a, uint64_t b) { return (uint64_t)((unsigned __int128)a * b >> 64); }

template <class To, class From> static inline To same_bits(From from) {
	static_assert(sizeof(To) == sizeof(From), "sizes differ");
	To to;
	memcpy(&to, &from, sizeof to);
	return to;
}
static inline int32_t __float_as_int(float x) { return same_bits<int32_t>(x); }
static inline uint32_t __float_as_uint(float x) { return same_bits<uint32_t>(x); }
static inline float __int_as_float(int32_t x) { return same_bits<float>(x); }
static inline float __uint_as_float(uint32_t x) { return same_bits<float>(x); }
static inline int64_t __double_as_longlong(double x) { return same_bits<int64_t>(x); }
static inline double __longlong_as_double(int64_t x) { return same_bits<double>(x); }

static inline float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fsub_rn(float a, float b) { return a - b; }
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline float __fsqrt_rn(float a) { return __builtin_sqrtf(a); }
static inline double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dsub_rn(double a, double b) { return a - b; }
static inline double __ddiv_rn(double a, double b) { return a / b; }
static inline double __dsqrt_rn(double a) { return __builtin_sqrt(a); }

static inline float __int2float_rn(int32_t x) { return (float)x; }
static inline float __uint2float_rn(uint32_t x) { return (float)x; }
static inline double __int2double_rn(int32_t x) { return x; }
static inline double __uint2double_rn(uint32_t x) { return x; }
static inline double __ll2double_rn(int64_t x) { return (double)x; }
static inline double __ull2double_rn(uint64_t x) { return (double)x; }
static inline float __double2float_rn(double x) { return (float)x; }

// Beyond the ends of their range a device's integers stay at them, where C++ says nothing.
static inline int64_t __double2ll_rz(double x) {
	if (!(x >= -0x1p63)) return INT64_MIN; // NaN, too
	return x >= 0x1p63 ? INT64_MAX : (int64_t)x;
}
static inline uint64_t __double2ull_rz(double x) {
	if (x != x) return (uint64_t)1 << 63;
	if (!(x > -1)) return 0;
	return x >= 0x1p64 ? UINT64_MAX : (uint64_t)x;
}

// What philox.cu itself says in the device's instructions.

static inline float saturated(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; } // of NaN 0

static inline float root(float l) { return __fsqrt_rn(l); }

static inline void exchange(uint32_t w, float x, float y, float &a, float &b) {
	a = w >> 31 ? y : x;
	b = w >> 31 ? x : y;
}

// half16 returns the float16 nearest to f, of two the even one.
static inline uint32_t half16(float f) {
	const uint32_t b = __float_as_uint(f), sign = b >> 16 & 0x8000, magnitude = b & 0x7fffffff;
	if (magnitude > 0x7f800000) return 0x7fff; // the device's NaN
	if (magnitude >= 0x477ff000) return sign | 0x7c00;
	if (magnitude < 0x38800000) { // Subnormal: the sum's last bit is that of the result.
		return sign | (__float_as_uint(__uint_as_float(magnitude) + 0.5f) - 0x3f000000);
	}
	return sign | (magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13;
}

// from16 returns the number of a float16.
static inline float from16(uint16_t h) {
	const uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = h >> 10 & 31, fraction = h & 0x3ff;
	float f;
	if (exponent == 31) {
		f = __uint_as_float(0x7f800000 | fraction << 13);
	} else if (exponent == 0) {
		f = (float)fraction * 0x1p-24f;
	} else {
		f = __uint_as_float((exponent + 112) << 23 | fraction << 13);
	}
	return __uint_as_float(__float_as_uint(f) | sign);
}

#endif
