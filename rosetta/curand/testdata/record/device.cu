#include <cstdio>
#include <cstdlib>
#include <vector>
#include <chrono>
#include <cuda_runtime.h>
#include <curand.h>
#include <curand_kernel.h>
typedef curandStatePhilox4_32_10_t S;
typedef unsigned long long u64;
// One kernel for everything: thread t has subsequence sub + t and makes calls calls of op. Everything is stored as double (exact).
__global__ void run(int op, double *o, u64 seed, u64 sub, u64 off, int threads, int calls, int per, double a, double b, curandDiscreteDistribution_t p) {
  int t = blockIdx.x * blockDim.x + threadIdx.x; if (t >= threads) return;
  S st; curand_init(seed, sub + t, off, &st); S *s = &st; float fa = (float)a, fb = (float)b;
  for (int i = 0; i < calls; i++, o += 0) {
    double *q = o + ((size_t)t * calls + i) * per;
    switch (op) {
    case 0: { double4 v = curand_uniform4_double(s); q[0] = v.x; q[1] = v.y; q[2] = v.z; q[3] = v.w; } break;
    case 1: { double4 v = curand_normal4_double(s); q[0] = v.x; q[1] = v.y; q[2] = v.z; q[3] = v.w; } break;
    case 2: q[0] = curand_log_normal_double(s, a, b); break;
    case 3: { double2 v = curand_log_normal2_double(s, a, b); q[0] = v.x; q[1] = v.y; } break;
    case 4: { double4 v = curand_log_normal4_double(s, a, b); q[0] = v.x; q[1] = v.y; q[2] = v.z; q[3] = v.w; } break;
    case 5: q[0] = curand_log_normal(s, fa, fb); break;
    case 6: { float2 v = curand_log_normal2(s, fa, fb); q[0] = v.x; q[1] = v.y; } break;
    case 7: { float4 v = curand_log_normal4(s, fa, fb); q[0] = v.x; q[1] = v.y; q[2] = v.z; q[3] = v.w; } break;
    case 8: { uint4 v = curand4(s); q[0] = v.x; q[1] = v.y; q[2] = v.z; q[3] = v.w; } break;
    case 9: q[0] = curand_poisson(s, a); break;
    case 10: { uint4 v = curand_poisson4(s, a); q[0] = v.x; q[1] = v.y; q[2] = v.z; q[3] = v.w; } break;
    case 11: q[0] = curand_discrete(s, p); break;
    case 12: { uint4 v = curand_discrete4(s, p); q[0] = v.x; q[1] = v.y; q[2] = v.z; q[3] = v.w; } break;
    case 13: q[0] = curand_normal(s); break;
    case 14: q[0] = curand_normal_double(s); break;
    case 15: { int k = 0; // one state through everything: the kept numbers, shared between kinds, and skipping
      q[k++] = curand_normal(s); q[k++] = curand_log_normal(s, 0.1f, 0.3f); q[k++] = curand_normal(s); q[k++] = curand_normal(s);
      q[k++] = curand_log_normal(s, 0.1f, 0.3f); q[k++] = curand_log_normal(s, 5.f, 7.f); q[k++] = curand_normal(s); q[k++] = curand_uniform(s);
      q[k++] = curand_normal_double(s); q[k++] = curand_log_normal_double(s, 0.1, 0.3); q[k++] = curand_normal(s); q[k++] = curand_log_normal_double(s, 5, 7);
      q[k++] = curand_normal_double(s); skipahead(5, s); q[k++] = curand_normal_double(s); q[k++] = curand_poisson(s, 5000.0);
      q[k++] = curand_normal_double(s); q[k++] = curand(s); skipahead_sequence(3, s); q[k++] = curand_normal(s); q[k++] = curand_uniform_double(s);
      { float4 v = curand_normal4(s); q[k++] = v.x; q[k++] = v.w; } q[k++] = curand_normal(s);
      { uint4 v = curand4(s); q[k++] = v.x; q[k++] = v.w; } q[k++] = curand_poisson(s, 3.5); q[k++] = curand_poisson(s, 500.0);
      { double2 v = curand_normal2_double(s); q[k++] = v.x; q[k++] = v.y; } q[k++] = curand_log_normal_double(s, 0.1, 0.3);
      { uint4 v = curand_poisson4(s, 70.5); q[k++] = v.x; q[k++] = v.y; } q[k++] = curand(s); } break; // 32
    }
  }
}
static FILE *bin, *txt; static size_t at; static std::chrono::steady_clock::time_point t0 = std::chrono::steady_clock::now();
void take(const char *name, int op, int per, int threads, int calls, u64 seed, u64 sub, u64 off, double a = 0, double b = 0, curandDiscreteDistribution_t p = 0) {
  size_t n = (size_t)threads * calls * per; static double *d = 0, *h = 0; if (!d) { cudaMalloc(&d, 1 << 23); cudaMallocHost(&h, 1 << 23); }
  run<<<(threads + 63) / 64, 64>>>(op, d, seed, sub, off, threads, calls, per, a, b, p);
  int e = cudaDeviceSynchronize(); cudaMemcpy(h, d, n * 8, cudaMemcpyDeviceToHost); fwrite(h, 8, n, bin);
  fprintf(txt, "%s %d %llu %llu %llu %d %d %.17g %.17g %d %zu:%zu\n", name, per, seed, sub, off, threads, calls, a, b, e, at, n); at += n;
  double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count(); if (s > 15) { printf("out of time at %s\n", name); fclose(bin); fclose(txt); exit(0); }
}
int main() {
  bin = fopen("keep/device.bin", "wb"); txt = fopen("keep/device.txt", "w");
  u64 subs[4] = {0, 7, 4294967295ull, ~0ull}, offs[4] = {0, 6, 3, 4611686018427387901ull};
  for (int i = 0; i < 4; i++) {
    u64 q = subs[i], f = offs[i];
    take("uniform4_double", 0, 4, 1, 16, 42, q, f); take("normal4_double", 1, 4, 1, 16, 42, q, f); take("log_normal_double", 2, 1, 1, 16, 42, q, f, .1, .3);
    take("log_normal2_double", 3, 2, 1, 16, 42, q, f, .1, .3); take("log_normal4_double", 4, 4, 1, 16, 42, q, f, .1, .3); take("log_normal", 5, 1, 1, 16, 42, q, f, .1, .3);
    take("log_normal2", 6, 2, 1, 16, 42, q, f, .1, .3); take("log_normal4", 7, 4, 1, 16, 42, q, f, .1, .3); take("curand4", 8, 4, 1, 16, 42, q, f);
    take("mix", 15, 32, 1, 8, 42, q, f);
  }
  take("mix", 15, 32, 64, 4, 7, 0, 0);
  take("normal", 13, 1, 4096, 8, 42, 0, 0); take("normal_double", 14, 1, 4096, 8, 42, 0, 0); take("log_normal", 5, 1, 4096, 8, 42, 0, 0, .1, .3);
  take("log_normal_double", 2, 1, 4096, 8, 42, 0, 0, .1, .3); take("log_normal_double", 2, 1, 1024, 8, 42, 0, 0, 3, 300); take("log_normal", 5, 1, 1024, 8, 42, 0, 0, 3, 40);
  for (double l : {3.5, 63.9, 64.0, 64.5, 100.0, 250.25, 700.0, 1999.5, 3000.0, 3999.9, 4000.0}) take("poisson", 9, 1, 4096, 8, 42, 0, 3, l);
  for (double l : {0.0, -1.0, 0.001, 0.5, 1.0, 10.0, 30.0, 4000.5, 5000.0, 123456.789, 1e9, 4.2949e9, 1e12}) take("poisson", 9, 1, 512, 8, 42, 0, 3, l);
  for (double l : {0.5, 30.0, 64.0, 500.0, 3999.0, 4000.5, 1e6}) take("poisson4", 10, 4, 128, 4, 42, 5, 1, l);
  for (double l : {3.0, 100.0, 1999.0, 2000.0, 5000.0}) {
    curandDiscreteDistribution_t p; int e = curandCreatePoissonDistribution(l, &p); printf("discrete %g: %d\n", l, e); if (e) continue;
    take("discrete", 11, 1, 512, 8, 42, 0, 3, l, 0, p); take("discrete4", 12, 4, 128, 4, 42, 5, 1, l, 0, p);
    curandDestroyDistribution(p);
  }
  for (double l : {0.0, -1.0, 400001.0}) { curandDiscreteDistribution_t p; printf("discrete %g: %d\n", l, (int)curandCreatePoissonDistribution(l, &p)); }
  fclose(bin); fclose(txt); return 0;
}
