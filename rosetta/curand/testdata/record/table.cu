#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <curand.h>
#include <curand_kernel.h>
int main() {
  FILE *bin = fopen("keep/table.bin", "wb"), *txt = fopen("keep/table.txt", "w");
  for (double l : {0.001, 0.1, 0.5, 1.0, 2.0, 3.0, 3.5, 7.25, 10.0, 20.0, 50.0, 63.0, 64.0, 100.0, 250.5, 500.0, 999.0, 1000.0, 1500.0, 1999.0, 1999.999, 2000.0, 2000.5, 5000.0}) {
    curandDiscreteDistribution_t p; int e = curandCreatePoissonDistribution(l, &p); if (e) { fprintf(txt, "%.17g error %d\n", l, e); continue; }
    curandDiscreteDistribution_st st; int c = cudaMemcpy(&st, p, sizeof st, cudaMemcpyDefault);
    fprintf(txt, "%.17g %d method %d mean %.17g std %.17g", l, c, (int)st.method, st.mean, st.stddev);
    if (st.M2 && (int)st.method != 0 || st.M2) {
      curandDistributionM2Shift_st m; c = cudaMemcpy(&m, st.M2, sizeof m, cudaMemcpyDefault);
      if (!c) {
        curandHistogramM2_st h; c = cudaMemcpy(&h, m.histogram, sizeof h, cudaMemcpyDefault);
        fprintf(txt, " shift %u length %u copy %d", m.shift, m.length, c);
        if (!c && m.length < 100000) { std::vector<double> V(m.length); std::vector<unsigned> K(m.length);
          int c1 = cudaMemcpy(V.data(), h.V, 8 * m.length, cudaMemcpyDefault), c2 = cudaMemcpy(K.data(), h.K, 4 * m.length, cudaMemcpyDefault);
          fprintf(txt, " at %ld copies %d %d", ftell(bin), c1, c2); fwrite(V.data(), 8, m.length, bin); fwrite(K.data(), 4, m.length, bin); }
      }
    }
    fputc('\n', txt); cudaGetLastError(); curandDestroyDistribution(p);
  }
  fclose(bin); fclose(txt); return 0;
}
