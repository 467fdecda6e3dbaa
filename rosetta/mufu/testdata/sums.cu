// Writes h200.bin, which the tests of package mufu compare with, on the GPU at hand:
//
//	nvcc -std=c++17 -O3 -arch=sm_90 -o sums sums.cu && ./sums h200.bin
//
// It takes a second. Every result, a NaN as the bits 7fc00000 or 7ff8000000000000, is mixed with
// its argument or the argument's index to a number of 64 bits, and these are added up
// modulo 2^64: the file has the low 32 bits of such sums, little-endian:
//
//	[17][1024]  functions of float32; class c has the 64 blocks of 2^16 successive bit patterns
//	            x with (block + 37*(block>>10)) mod 1024 = c, block = x>>16
//	[25][64]    sets of arguments of functions of float64; sum s has the indexes s*2^20 on
//	[2][4096]   Rcp64, Rsqrt64; sum s has the 2^20 high words s<<20 on
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef uint32_t u32;
typedef uint64_t u64;

static void ok(cudaError_t e) {
  if (e != cudaSuccess) {
    fprintf(stderr, "%s\n", cudaGetErrorString(e));
    exit(1);
  }
}

// SplitMix64.
__host__ __device__ inline u64 mix(u64 x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

#define UNARY(name, op, type, letter)                      \
  __device__ type name(type x) {                           \
    type r;                                                \
    asm(op " %0, %1;" : "=" letter(r) : letter(x));        \
    return r;                                              \
  }
UNARY(hsin, "sin.approx.ftz.f32", float, "f")
UNARY(hcos, "cos.approx.ftz.f32", float, "f")
UNARY(hlg2, "lg2.approx.ftz.f32", float, "f")
UNARY(hex2, "ex2.approx.ftz.f32", float, "f")
UNARY(hrcp, "rcp.approx.ftz.f32", float, "f")
UNARY(hrsqrt, "rsqrt.approx.ftz.f32", float, "f")
UNARY(hsqrt, "sqrt.approx.ftz.f32", float, "f")
UNARY(hrcp64, "rcp.approx.ftz.f64", double, "d")
UNARY(hrsqrt64, "rsqrt.approx.ftz.f64", double, "d")

__device__ u32 bits(float v) { return v != v ? 0x7fc00000 : __float_as_uint(v); }
__device__ u64 bits(double v) { return v != v ? 0x7ff8000000000000 : (u64)__double_as_longlong(v); }
__device__ float f32(u32 b) { return __uint_as_float(b); }
__device__ double f64(u64 b) { return __longlong_as_double((long long)b); }

constexpr int functions = 17, sets = 25;

template <int F> __device__ float function(float x) {
  switch (F) {
  case 0: return hsin(x);
  case 1: return hcos(x);
  case 2: return hlg2(x);
  case 3: return hex2(x);
  case 4: return hrcp(x);
  case 5: return hrsqrt(x);
  case 6: return hsqrt(x);
  case 7: return __logf(x);
  case 8: return __expf(x);
  case 9: return __tanf(x);
  case 10: return logf(x);
  case 11: return expf(x);
  case 12: return log1pf(x);
  case 13: return erfinvf(x);
  case 14: return sinf(x);
  case 15: return cosf(x);
  case 16: return sqrtf(x);
  }
  return 0;
}

template <int S> __device__ u64 result(u64 i) {
  u64 z = mix(i + ((u64)S << 32));
  double u = __ull2double_rn(z >> 11) * 0x1p-53;             // [0,1)
  double v = __ull2double_rn((z >> 11) + 1) * 0x1p-53;       // (0,1]
  double little = u * f64((1023 - (z & 63)) << 52);          // [0,1), mostly small
  double sign = z & 64 ? -1 : 1, s, c;
  switch (S) {
  case 0: return bits(exp(__fma_rn(u, 1455.0, -745.0)));
  case 1: return bits(exp(f64(z)));
  case 2: return bits(log(v));
  case 3: return bits(log(f64(z)));
  case 4: return bits(log1p(__fma_rn(u, 2.0, -1.0)));
  case 5: return bits(log1p(f64(z)));
  case 6: return bits(tan(__fma_rn(u, 0x1.921fb54442d18p1, -0x1.921fb54442d18p0)));
  case 7: return bits(tan(f64(z)));
  case 8: return bits(erfinv(__fma_rn(u, 2.0, -1.0)));
  case 9: return bits(erfinv(sign * __dsub_rn(1.0, little)));
  case 10: return bits(erfinv(f64(z)));
  case 11: sincospi(2 * v, &s, &c); return bits(s);
  case 12: sincospi(2 * v, &s, &c); return bits(c);
  case 13: sincospi(f64(z), &s, &c); return bits(s);
  case 14: sincospi(f64(z), &s, &c); return bits(c);
  case 15: return bits(hrcp64(f64(z)));
  case 16: return bits(hrsqrt64(f64(z)));
  case 17: return bits(__ddiv_rn(f64(z), f64(mix(z))));
  case 18: return bits(__dsqrt_rn(f64(z)));
  case 19: return bits(__fdividef(f32((u32)z), f32((u32)(z >> 32))));
  case 20: return bits(__fdividef(f32(((u32)z & 0x83ffffff) + 0x3e000000), f32(((u32)(z >> 32) & 0x83ffffff) + 0x3e000000)));
  case 21: return bits(exp(__fma_rn(u, 40.0, -20.0)));
  case 22: return bits(log1p(sign * little));
  case 23: return bits(tan(__fma_rn(u, 2000.0, -1000.0)));
  case 24: return bits(log(__dsub_rn(1.0, little)));
  }
  return 0;
}

// add adds up the numbers of the 256 threads of a block.
__device__ void add(u64 s, u64* sum) {
  for (int o = 16; o != 0; o >>= 1) s += __shfl_down_sync(~0u, s, o);
  __shared__ u64 part[8];
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 8; i++) s += part[i];
    *sum = s;
  }
}

template <int F> __global__ void sum32(u64* sums) {
  u64 s = 0;
  for (u32 i = threadIdx.x; i < 1 << 16; i += 256) {
    u32 x = blockIdx.x << 16 | i;
    s += mix((u64)x << 32 | bits(function<F>(f32(x))));
  }
  add(s, sums + blockIdx.x);
}

template <int S> __global__ void sum64(u64* sums) {
  u64 s = 0;
  for (u32 i = threadIdx.x; i < 1 << 20; i += 256) {
    u64 x = (u64)blockIdx.x << 20 | i;
    s += mix(result<S>(x) ^ mix(x));
  }
  add(s, sums + blockIdx.x);
}

template <int R> __global__ void sumHigh(u64* sums) {
  u64 s = 0;
  for (u32 i = threadIdx.x; i < 1 << 20; i += 256) {
    u32 h = blockIdx.x << 20 | i;
    double x = f64((u64)h << 32 | (u32)mix(h));
    s += mix(bits(R ? hrsqrt64(x) : hrcp64(x)) ^ mix(h));
  }
  add(s, sums + blockIdx.x);
}

static u64* device;
static std::vector<u32> file;

static std::vector<u64> read(int n) {
  std::vector<u64> v(n);
  ok(cudaGetLastError());
  ok(cudaMemcpy(v.data(), device, n * sizeof(u64), cudaMemcpyDeviceToHost));
  return v;
}

template <int F> void all32() {
  if constexpr (F < functions) {
    sum32<F><<<1 << 16, 256>>>(device);
    auto sums = read(1 << 16);
    std::vector<u64> classes(1024);
    for (u32 b = 0; b < 1 << 16; b++) classes[(b + 37 * (b >> 10)) % 1024] += sums[b];
    file.insert(file.end(), classes.begin(), classes.end());
    all32<F + 1>();
  }
}

template <int S> void all64() {
  if constexpr (S < sets) {
    sum64<S><<<64, 256>>>(device);
    auto sums = read(64);
    file.insert(file.end(), sums.begin(), sums.end());
    all64<S + 1>();
  }
}

template <int R> void allHigh() {
  sumHigh<R><<<4096, 256>>>(device);
  auto sums = read(4096);
  file.insert(file.end(), sums.begin(), sums.end());
}

int main(int argc, char** argv) {
  if (argc != 2) return fprintf(stderr, "usage: sums FILE\n"), 2;
  ok(cudaMalloc(&device, (1 << 16) * sizeof(u64)));
  all32<0>();
  all64<0>();
  allHigh<0>();
  allHigh<1>();
  FILE* f = fopen(argv[1], "wb");
  if (!f || fwrite(file.data(), 4, file.size(), f) != file.size() || fclose(f)) return perror(argv[1]), 1;
}
