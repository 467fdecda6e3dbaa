// Records what cuRAND gives on a CUDA GPU, for "philox verify".
//
//     nvcc -O2 -o capture_curand capture_curand.cu -lcurand
//     ./capture_curand folder
//     ./capture_curand -seeds 7,8 folder
//     ./capture_curand -random-seeds 3 folder
//
// The folder, which it makes, gets raw files, little-endian, whose names say what is in them:
//
//     device_OP_seedS_subQ_offO.bin          64 calls in a row of curand_OP, from a state that
//                                            curand_init(S, Q, O) made (curand and curand4
//                                            are OP by themselves); log-normals have mean 0.5
//                                            and deviation 0.25, Poisson numbers lambda 2000
//                                            and 3.5 in turn
//     host_KIND_orderN_seedS_offO_callC.bin  call C, from 0, each for 20000 values, to one
//                                            generator of the host API; lambda is 3.5
//     host_KIND_nN_seedS_callC.bin           call C, each for N, in the default order
//     dynamic_KIND_seedS_offO_nN_callC.bin   the same in the dynamic order, which depends on
//                                            the GPU
//
// and an index.json that says which GPU it was, the SHA-256 of each whole array, and which
// elements its file has: of long ones 400 at both ends. The same arguments write the same
// files on the same GPU, but for -random-seeds.

#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <sys/stat.h>
#include <vector>

#include <curand.h>
#include <curand_kernel.h>

typedef unsigned long long u64;

#define CHECK(call)                                                                      \
  do {                                                                                   \
    int status = (int)(call);                                                            \
    if (status != 0) {                                                                   \
      fprintf(stderr, "%s:%d: status %d of %s\n", __FILE__, __LINE__, status, #call);    \
      exit(1);                                                                           \
    }                                                                                    \
  } while (0)

static std::string folder, entries, gpu_facts;

static size_t files;

static void write_bytes(const std::string &name, const void *data, size_t bytes) {
  std::string path = folder + "/" + name;
  FILE *f = fopen(path.c_str(), "wb");
  if (!f || fwrite(data, 1, bytes, f) != bytes || fclose(f) != 0) {
    fprintf(stderr, "%s: %s\n", path.c_str(), strerror(errno));
    exit(1);
  }
}

// sha256 is FIPS 180-4's.
static std::string sha256(const void *data, size_t bytes) {
  auto rotate = [](uint32_t x, int by) { return x >> by | x << (32 - by); };
  // The constants are the first bits of the roots of primes.
  static std::vector<uint32_t> k, start;
  for (int p = 2; k.size() < 64; p++) {
    bool prime = true;
    for (int d = 2; d * d <= p; d++) prime = prime && p % d != 0;
    if (!prime) continue;
    long double cube = cbrtl(p), square = sqrtl(p);
    k.push_back((uint32_t)(u64)((cube - floorl(cube)) * 4294967296.0L));
    if (start.size() < 8) start.push_back((uint32_t)(u64)((square - floorl(square)) * 4294967296.0L));
  }
  std::vector<uint32_t> h = start;
  auto block = [&](const unsigned char *p) {
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++) w[i] = (uint32_t)p[4 * i] << 24 | p[4 * i + 1] << 16 | p[4 * i + 2] << 8 | p[4 * i + 3];
    for (int i = 16; i < 64; i++)
      w[i] = w[i - 16] + (rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] + (rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10);
    for (int i = 0; i < 8; i++) v[i] = h[i];
    for (int i = 0; i < 64; i++) {
      uint32_t a = v[0], e = v[4];
      uint32_t one = v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & v[5]) ^ (~e & v[6])) + k[i] + w[i];
      uint32_t two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
      for (int j = 7; j > 0; j--) v[j] = v[j - 1];
      v[4] += one;
      v[0] = one + two;
    }
    for (int i = 0; i < 8; i++) h[i] += v[i];
  };
  const unsigned char *p = (const unsigned char *)data;
  size_t left = bytes;
  for (; left >= 64; left -= 64, p += 64) block(p);
  std::vector<unsigned char> tail(p, p + left);
  tail.push_back(0x80);
  while (tail.size() % 64 != 56) tail.push_back(0);
  for (int i = 7; i >= 0; i--) tail.push_back((unsigned char)((u64)bytes * 8 >> 8 * i));
  for (size_t i = 0; i < tail.size(); i += 64) block(&tail[i]);
  std::string text;
  char word[9];
  for (uint32_t x : h) {
    snprintf(word, sizeof word, "%08x", x);
    text += word;
  }
  return text;
}

enum { KEEP = 400 };

// write_file writes n values, or both their ends.
static void write_file(const std::string &name, const char *data, size_t size, u64 n, const char *dtype) {
  entries += entries.empty() ? "[\n" : ",\n";
  entries += "{\"system\": \"curand\", \"file\": \"" + name + "\", \"n\": " + std::to_string(n) + ", \"dtype\": \"" + dtype + "\", \"sha256\": \"" + sha256(data, n * size) + "\"";
  if (n > 3 * KEEP) {
    entries += ", \"kept\": [[0, " + std::to_string((int)KEEP) + "], [" + std::to_string(n - KEEP) + ", " + std::to_string(n) + "]]";
    std::vector<char> ends(data, data + KEEP * size);
    ends.insert(ends.end(), data + (n - KEEP) * size, data + n * size);
    write_bytes(name, ends.data(), ends.size());
  } else {
    write_bytes(name, data, n * size);
  }
  entries += ", " + gpu_facts + "}";
  files++;
}

// ---- device API: one thread, 64 calls

enum { CALLS = 64 };

template <typename T, typename Draw> __global__ void device_calls(u64 seed, u64 subsequence, u64 offset, T *out, Draw draw) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, subsequence, offset, &state);
  for (int i = 0; i < CALLS; i++) draw(&state, i, out);
}

typedef curandStatePhilox4_32_10_t State;
template <typename V, typename T> __device__ void put2(T *o, V v) { o[0] = v.x; o[1] = v.y; }
template <typename V, typename T> __device__ void put4(T *o, V v) { o[0] = v.x; o[1] = v.y; o[2] = v.z; o[3] = v.w; }
__device__ double lambda_of(int i) { return i % 2 ? 3.5 : 2000.0; }

struct Word { __device__ void operator()(State *s, int i, unsigned *o) { o[i] = curand(s); } };
struct Word4 { __device__ void operator()(State *s, int i, unsigned *o) { put4(o + 4 * i, curand4(s)); } };
struct Uniform { __device__ void operator()(State *s, int i, float *o) { o[i] = curand_uniform(s); } };
struct Uniform4 { __device__ void operator()(State *s, int i, float *o) { put4(o + 4 * i, curand_uniform4(s)); } };
struct UniformDouble { __device__ void operator()(State *s, int i, double *o) { o[i] = curand_uniform_double(s); } };
struct Uniform2Double { __device__ void operator()(State *s, int i, double *o) { put2(o + 2 * i, curand_uniform2_double(s)); } };
struct Uniform4Double { __device__ void operator()(State *s, int i, double *o) { put4(o + 4 * i, curand_uniform4_double(s)); } };
struct Normal { __device__ void operator()(State *s, int i, float *o) { o[i] = curand_normal(s); } };
struct Normal2 { __device__ void operator()(State *s, int i, float *o) { put2(o + 2 * i, curand_normal2(s)); } };
struct Normal4 { __device__ void operator()(State *s, int i, float *o) { put4(o + 4 * i, curand_normal4(s)); } };
struct NormalDouble { __device__ void operator()(State *s, int i, double *o) { o[i] = curand_normal_double(s); } };
struct Normal2Double { __device__ void operator()(State *s, int i, double *o) { put2(o + 2 * i, curand_normal2_double(s)); } };
struct Normal4Double { __device__ void operator()(State *s, int i, double *o) { put4(o + 4 * i, curand_normal4_double(s)); } };
struct LogNormal { __device__ void operator()(State *s, int i, float *o) { o[i] = curand_log_normal(s, 0.5f, 0.25f); } };
struct LogNormal2 { __device__ void operator()(State *s, int i, float *o) { put2(o + 2 * i, curand_log_normal2(s, 0.5f, 0.25f)); } };
struct LogNormal4 { __device__ void operator()(State *s, int i, float *o) { put4(o + 4 * i, curand_log_normal4(s, 0.5f, 0.25f)); } };
struct LogNormalDouble { __device__ void operator()(State *s, int i, double *o) { o[i] = curand_log_normal_double(s, 0.5, 0.25); } };
struct LogNormal2Double { __device__ void operator()(State *s, int i, double *o) { put2(o + 2 * i, curand_log_normal2_double(s, 0.5, 0.25)); } };
struct LogNormal4Double { __device__ void operator()(State *s, int i, double *o) { put4(o + 4 * i, curand_log_normal4_double(s, 0.5, 0.25)); } };
struct Poisson { __device__ void operator()(State *s, int i, unsigned *o) { o[i] = curand_poisson(s, lambda_of(i)); } };
struct Poisson4 { __device__ void operator()(State *s, int i, unsigned *o) { put4(o + 4 * i, curand_poisson4(s, lambda_of(i))); } };

template <typename T, typename Draw> static void device(const char *op, const char *dtype, int width, Draw draw, u64 seed, u64 subsequence, u64 offset) {
  std::vector<T> host(CALLS * width);
  T *out;
  CHECK(cudaMalloc(&out, host.size() * sizeof(T)));
  device_calls<<<1, 1>>>(seed, subsequence, offset, out, draw);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(host.data(), out, host.size() * sizeof(T), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(out));
  std::string name = std::string("device_") + op + "_seed" + std::to_string(seed) + "_sub" + std::to_string(subsequence) + "_off" + std::to_string(offset) + ".bin";
  write_file(name, (const char *)host.data(), sizeof(T), host.size(), dtype);
}

static void device_all(u64 seed, u64 subsequence, u64 offset) {
  device<unsigned>("curand", "<u4", 1, Word(), seed, subsequence, offset);
  device<unsigned>("curand4", "<u4", 4, Word4(), seed, subsequence, offset);
  device<float>("uniform", "<f4", 1, Uniform(), seed, subsequence, offset);
  device<float>("uniform4", "<f4", 4, Uniform4(), seed, subsequence, offset);
  device<double>("uniform_double", "<f8", 1, UniformDouble(), seed, subsequence, offset);
  device<double>("uniform2_double", "<f8", 2, Uniform2Double(), seed, subsequence, offset);
  device<double>("uniform4_double", "<f8", 4, Uniform4Double(), seed, subsequence, offset);
  device<float>("normal", "<f4", 1, Normal(), seed, subsequence, offset);
  device<float>("normal2", "<f4", 2, Normal2(), seed, subsequence, offset);
  device<float>("normal4", "<f4", 4, Normal4(), seed, subsequence, offset);
  device<double>("normal_double", "<f8", 1, NormalDouble(), seed, subsequence, offset);
  device<double>("normal2_double", "<f8", 2, Normal2Double(), seed, subsequence, offset);
  device<double>("normal4_double", "<f8", 4, Normal4Double(), seed, subsequence, offset);
  device<float>("log_normal", "<f4", 1, LogNormal(), seed, subsequence, offset);
  device<float>("log_normal2", "<f4", 2, LogNormal2(), seed, subsequence, offset);
  device<float>("log_normal4", "<f4", 4, LogNormal4(), seed, subsequence, offset);
  device<double>("log_normal_double", "<f8", 1, LogNormalDouble(), seed, subsequence, offset);
  device<double>("log_normal2_double", "<f8", 2, LogNormal2Double(), seed, subsequence, offset);
  device<double>("log_normal4_double", "<f8", 4, LogNormal4Double(), seed, subsequence, offset);
  device<unsigned>("poisson", "<u4", 1, Poisson(), seed, subsequence, offset);
  device<unsigned>("poisson4", "<u4", 4, Poisson4(), seed, subsequence, offset);
}

// ---- host API

struct Kind {
  const char *name, *dtype;
  size_t size;
  curandStatus_t (*generate)(curandGenerator_t, void *, size_t);
};

static const Kind kinds[] = {
    {"u32", "<u4", 4, [](curandGenerator_t g, void *p, size_t n) { return curandGenerate(g, (unsigned *)p, n); }},
    {"uniform", "<f4", 4, [](curandGenerator_t g, void *p, size_t n) { return curandGenerateUniform(g, (float *)p, n); }},
    {"uniform_double", "<f8", 8, [](curandGenerator_t g, void *p, size_t n) { return curandGenerateUniformDouble(g, (double *)p, n); }},
    {"normal", "<f4", 4, [](curandGenerator_t g, void *p, size_t n) { return curandGenerateNormal(g, (float *)p, n, 0.0f, 1.0f); }},
    {"normal_double", "<f8", 8, [](curandGenerator_t g, void *p, size_t n) { return curandGenerateNormalDouble(g, (double *)p, n, 0.0, 1.0); }},
    {"log_normal", "<f4", 4, [](curandGenerator_t g, void *p, size_t n) { return curandGenerateLogNormal(g, (float *)p, n, 0.5f, 0.25f); }},
    {"log_normal_double", "<f8", 8, [](curandGenerator_t g, void *p, size_t n) { return curandGenerateLogNormalDouble(g, (double *)p, n, 0.5, 0.25); }},
    {"poisson", "<u4", 4, [](curandGenerator_t g, void *p, size_t n) { return curandGeneratePoisson(g, (unsigned *)p, n, 3.5); }},
};

// host makes some calls for n values each.
template <typename Name> static void host(const Kind &kind, int ordering, u64 seed, u64 offset, size_t n, int calls, Name name) {
  curandGenerator_t g;
  void *out;
  std::vector<char> values(n * kind.size);
  CHECK(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10));
  if (ordering) CHECK(curandSetGeneratorOrdering(g, (curandOrdering_t)ordering));
  CHECK(curandSetPseudoRandomGeneratorSeed(g, seed));
  CHECK(curandSetGeneratorOffset(g, offset));
  CHECK(cudaMalloc(&out, values.size()));
  for (int call = 0; call < calls; call++) {
    CHECK(kind.generate(g, out, n));
    CHECK(cudaMemcpy(values.data(), out, values.size(), cudaMemcpyDeviceToHost));
    write_file(name(call), values.data(), kind.size, n, kind.dtype);
  }
  CHECK(cudaFree(out));
  CHECK(curandDestroyGenerator(g));
}

static void host_all(u64 seed, u64 offset, u64 other_offset, u64 n) {
  std::string s = "_seed" + std::to_string(seed);
  for (const Kind &kind : kinds) {
    std::string k = kind.name;
    for (int ordering : {100, 101, 103, 104})
      for (u64 o : {offset, other_offset})
        host(kind, ordering, seed, o, 20000, 2, [&](int call) {
          return "host_" + k + "_order" + std::to_string(ordering) + s + "_off" + std::to_string(o) + "_call" + std::to_string(call) + ".bin";
        });
    for (u64 length : {(u64)6, n})
      host(kind, 0, seed, 0, length, 3, [&](int call) {
        return "host_" + k + "_n" + std::to_string(length) + s + "_call" + std::to_string(call) + ".bin";
      });
    for (u64 o : {offset, other_offset})
      host(kind, 104, seed, o, n, 2, [&](int call) {
        return "dynamic_" + k + s + "_off" + std::to_string(o) + "_n" + std::to_string(n) + "_call" + std::to_string(call) + ".bin";
      });
  }
}

static std::vector<u64> numbers(const char *text) {
  std::vector<u64> v;
  for (char *end; *text; text = *end ? end + 1 : end) {
    v.push_back(strtoull(text, &end, 0));
    if (end == text || (*end && *end != ',')) {
      fprintf(stderr, "%s: must be whole numbers with commas between them\n", text);
      exit(2);
    }
  }
  return v;
}

int main(int argc, char **argv) {
  std::vector<u64> seeds = {0, 42};
  u64 random_seeds = 0, n = 300002;
  int i = 1;
  for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
    std::string flag = argv[i];
    if (flag == "-seeds") seeds = numbers(argv[i + 1]);
    else if (flag == "-random-seeds") random_seeds = numbers(argv[i + 1]).at(0);
    else if (flag == "-n") n = numbers(argv[i + 1]).at(0);
    else break;
  }
  if (i != argc - 1 || argv[i][0] == '-' || n < 1) {
    fprintf(stderr, "usage: %s [-seeds 0,42] [-random-seeds count] [-n length] folder\n"
                    "-random-seeds takes seeds, subsequences and offsets of this moment; -n is the length of the\n"
                    "host API's longer arrays (default 300002).\n", argv[0]);
    return 2;
  }
  folder = argv[i];
  if (mkdir(folder.c_str(), 0777) != 0) {
    fprintf(stderr, "%s: %s\n", folder.c_str(), strerror(errno));
    return 1;
  }
  cudaDeviceProp p;
  CHECK(cudaGetDeviceProperties(&p, 0));
  int version;
  CHECK(curandGetVersion(&version));
  gpu_facts = "\"gpu\": \"" + std::string(p.name) + "\", \"sms\": " + std::to_string(p.multiProcessorCount) +
              ", \"max_threads_per_sm\": " + std::to_string(p.maxThreadsPerMultiProcessor) + ", \"curand\": " + std::to_string(version);

  if (random_seeds) {
    std::random_device source;
    auto word = [&] { return (u64)source() << 32 | source(); };
    for (u64 k = 0; k < random_seeds; k++) {
      u64 seed = word(), subsequence = word(), offset = word() >> 2, small = word() >> 36;
      printf("seed %llu subsequence %llu offset %llu, host's offset %llu\n", seed, subsequence, offset, small);
      device_all(seed, subsequence, offset);
      host_all(seed, 0, small, n);
    }
  } else {
    for (u64 seed : seeds) {
      // The last two take the counter across the borders of its words.
      for (auto place : std::vector<std::pair<u64, u64>>{{0, 0}, {1, 0}, {0, 1}, {7, 6}, {4294967295ull, 3}, {0x123456789abcull, 17179869182ull}, {~0ull, (1ull << 62) - 1}})
        device_all(seed, place.first, place.second);
      host_all(seed, 0, 1000003, n);
    }
  }
  entries += "\n]\n";
  write_bytes("index.json", entries.data(), entries.size());
  printf("%zu arrays in %s\n", files, folder.c_str());
  return 0;
}
