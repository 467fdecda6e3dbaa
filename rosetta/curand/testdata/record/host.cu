// Reads commands on stdin, writes a log to stdout and arrays to the folder argv[1].
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#include <cuda_runtime.h>
#include <curand.h>
#ifdef WRAP
extern "C" cudaError_t __real_cudaDeviceGetAttribute(int *v, enum cudaDeviceAttr a, int d);
extern "C" cudaError_t __wrap_cudaDeviceGetAttribute(int *v, enum cudaDeviceAttr a, int d) {
  cudaError_t e = __real_cudaDeviceGetAttribute(v, a, d);
  if (getenv("ATTRS")) fprintf(stderr, "attribute %d = %d\n", (int)a, *v);
  if (a == cudaDevAttrMultiProcessorCount && getenv("SMS")) *v = atoi(getenv("SMS"));
  return e;
}
extern "C" __attribute__((weak)) cudaError_t __real_cudaGetDeviceProperties(cudaDeviceProp *p, int d);
extern "C" cudaError_t __wrap_cudaGetDeviceProperties(cudaDeviceProp *p, int d) {
  cudaError_t e = __real_cudaGetDeviceProperties(p, d);
  if (getenv("ATTRS")) fprintf(stderr, "properties\n");
  if (getenv("SMS")) p->multiProcessorCount = atoi(getenv("SMS"));
  return e;
}
extern "C" cudaError_t __real_cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, const void *f, int b, size_t s);
extern "C" cudaError_t __wrap_cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, const void *f, int b, size_t s) {
  cudaError_t e = __real_cudaOccupancyMaxActiveBlocksPerMultiprocessor(n, f, b, s);
  if (getenv("ATTRS")) fprintf(stderr, "occupancy block %d = %d\n", b, *n);
  return e;
}
#endif
#include <cstdint>
#include <chrono>
static uint32_t rr(uint32_t x, int n) { return x >> n | x << (32 - n); }
static std::string sha(const unsigned char *p, size_t n) {
  static const uint32_t K[64] = {0x428a2f98,0x71374491,0xb5c0fbcf,0xe9b5dba5,0x3956c25b,0x59f111f1,0x923f82a4,0xab1c5ed5,0xd807aa98,0x12835b01,0x243185be,0x550c7dc3,0x72be5d74,0x80deb1fe,0x9bdc06a7,0xc19bf174,0xe49b69c1,0xefbe4786,0x0fc19dc6,0x240ca1cc,0x2de92c6f,0x4a7484aa,0x5cb0a9dc,0x76f988da,0x983e5152,0xa831c66d,0xb00327c8,0xbf597fc7,0xc6e00bf3,0xd5a79147,0x06ca6351,0x14292967,0x27b70a85,0x2e1b2138,0x4d2c6dfc,0x53380d13,0x650a7354,0x766a0abb,0x81c2c92e,0x92722c85,0xa2bfe8a1,0xa81a664b,0xc24b8b70,0xc76c51a3,0xd192e819,0xd6990624,0xf40e3585,0x106aa070,0x19a4c116,0x1e376c08,0x2748774c,0x34b0bcb5,0x391c0cb3,0x4ed8aa4a,0x5b9cca4f,0x682e6ff3,0x748f82ee,0x78a5636f,0x84c87814,0x8cc70208,0x90befffa,0xa4506ceb,0xbef9a3f7,0xc67178f2};
  uint32_t h[8] = {0x6a09e667,0xbb67ae85,0x3c6ef372,0xa54ff53a,0x510e527f,0x9b05688c,0x1f83d9ab,0x5be0cd19};
  unsigned char tail[128] = {0}; size_t full = n / 64, rest = n % 64, tb = rest < 56 ? 1 : 2;
  memcpy(tail, p + full * 64, rest); tail[rest] = 0x80; for (int i = 0; i < 8; i++) tail[tb * 64 - 1 - i] = (unsigned char)((uint64_t)n * 8 >> 8 * i);
  for (size_t b = 0; b < full + tb; b++) {
    const unsigned char *q = b < full ? p + b * 64 : tail + (b - full) * 64; uint32_t w[64], a[8];
    for (int i = 0; i < 16; i++) w[i] = (uint32_t)q[4*i] << 24 | q[4*i+1] << 16 | q[4*i+2] << 8 | q[4*i+3];
    for (int i = 16; i < 64; i++) w[i] = w[i-16] + (rr(w[i-15],7)^rr(w[i-15],18)^(w[i-15]>>3)) + w[i-7] + (rr(w[i-2],17)^rr(w[i-2],19)^(w[i-2]>>10));
    memcpy(a, h, 32);
    for (int i = 0; i < 64; i++) {
      uint32_t t = a[7] + (rr(a[4],6)^rr(a[4],11)^rr(a[4],25)) + ((a[4]&a[5])^(~a[4]&a[6])) + K[i] + w[i];
      uint32_t u = (rr(a[0],2)^rr(a[0],13)^rr(a[0],22)) + ((a[0]&a[1])^(a[0]&a[2])^(a[1]&a[2]));
      a[7]=a[6];a[6]=a[5];a[5]=a[4];a[4]=a[3]+t;a[3]=a[2];a[2]=a[1];a[1]=a[0];a[0]=t+u;
    }
    for (int i = 0; i < 8; i++) h[i] += a[i];
  }
  char o[65]; for (int i = 0; i < 8; i++) snprintf(o + 8 * i, 9, "%08x", h[i]); return o;
}
// Usage: host NAME SECONDS < commands: NAME.bin gets slices, NAME.txt a line a step
int main(int argc, char **argv) {
  auto t0 = std::chrono::steady_clock::now(); double limit = atof(argv[2]), tnew = 0, tcall = 0; int nnew = 0, ncall = 0;
  auto now = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count(); };
  const size_t most = (size_t)3100000 * 8;
  char *d, *h; if (cudaMalloc(&d, most) || cudaMallocHost(&h, most)) { printf("no memory\n"); return 1; }
  printf("start %.3f\n", now());
  FILE *bin = fopen((std::string(argv[1]) + ".bin").c_str(), "wb"), *txt = fopen((std::string(argv[1]) + ".txt").c_str(), "w"); size_t at = 0;
  setvbuf(bin, 0, _IOFBF, 1 << 22); setvbuf(txt, 0, _IOFBF, 1 << 22);
  curandGenerator_t g = 0; char line[512], name[256] = "", cmd[64], a1[64], a2[64], a3[64]; int step = 0;
  while (fgets(line, sizeof line, stdin)) {
    if (now() > limit) { printf("out of time at %s\n", line); break; }
    a1[0] = a2[0] = a3[0] = 0;
    if (sscanf(line, "%63s %63s %63s %63s", cmd, a1, a2, a3) < 1) continue;
    std::string c = cmd; unsigned long long u = strtoull(a1, 0, 10);
    double t1 = now();
    if (c == "new") {
      if (g) curandDestroyGenerator(g);
      g = 0; strcpy(name, a1); step = 0;
      int e = curandCreateGenerator(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10);
      if (e) fprintf(txt, "%s - create %d\n", name, e);
      nnew++; tnew += now() - t1; continue;
    }
    if (c == "order" || c == "seed" || c == "offset") {
      int e = c == "order" ? curandSetGeneratorOrdering(g, (curandOrdering_t)u) : c == "seed" ? curandSetPseudoRandomGeneratorSeed(g, u) : curandSetGeneratorOffset(g, u);
      fprintf(txt, "%s %d set %s %s 0 0 %d 0\n", name, step++, cmd, a1, e);
      continue;
    }
    size_t n = u, size = 4; double x = a2[0] ? atof(a2) : 0, y = a3[0] ? atof(a3) : 0; int e = -1;
    if (c.find("double") != std::string::npos || c == "longlong") size = 8;
    size_t bytes = (n + 4) * size;
    if (n <= 64) cudaMemset(d, 0xCC, bytes);
    if (c == "u32") e = curandGenerate(g, (unsigned *)d, n);
    if (c == "uniform") e = curandGenerateUniform(g, (float *)d, n);
    if (c == "uniform_double") e = curandGenerateUniformDouble(g, (double *)d, n);
    if (c == "normal") e = curandGenerateNormal(g, (float *)d, n, (float)x, (float)y);
    if (c == "normal_double") e = curandGenerateNormalDouble(g, (double *)d, n, x, y);
    if (c == "log_normal") e = curandGenerateLogNormal(g, (float *)d, n, (float)x, (float)y);
    if (c == "log_normal_double") e = curandGenerateLogNormalDouble(g, (double *)d, n, x, y);
    if (c == "poisson") e = curandGeneratePoisson(g, (unsigned *)d, n, x);
    if (c == "longlong") e = curandGenerateLongLong(g, (unsigned long long *)d, n);
    int f = cudaDeviceSynchronize(); cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
    int dirty = 0; if (n <= 64) for (size_t i = n * size; i < bytes; i++) if (h[i] != (char)0xCC) dirty = 1;
    fprintf(txt, "%s %d call %s %s %s %s %d %d %s", name, step++, cmd, a1, a2[0] ? a2 : "0", a3[0] ? a3 : "0", e, f | dirty << 16, n > 64 ? sha((unsigned char *)h, n * size).c_str() : "-");
    auto keep = [&](size_t a, size_t b) { fprintf(txt, " %zu:%zu@%zu", a, b, at); fwrite(h + a * size, size, b - a, bin); at += (b - a) * size; };
    if (n <= 64) keep(0, n);
    else if (c == "poisson" && n <= 8192) keep(0, n);
    else if (c == "poisson") { keep(0, 1024); for (size_t a = 4096; a + 100 < n; a += 4096) keep(a, a + 16); keep(n - 64, n); }
    else { keep(0, 32); if (n > 50000) for (size_t a = 8192; a + 32 < n; a += 8192) keep(a, a + 4); keep(n - 32, n); }
    fputc('\n', txt); ncall++; tcall += now() - t1;
  }
  fclose(bin); fclose(txt); printf("%s: %.2f s; %d new %.2f s; %d calls %.2f s\n", argv[1], now(), nnew, tnew, ncall, tcall);
  return 0;
}
