// The FFMA ceiling: independent chains of multiply-adds, and next to nothing else.
// Each thread owns P::chains sums and adds a product to every one of them P::unroll times in an iteration. The product is
// of the same two registers throughout, so that one fresh register is read for each FFMA: the sum.

#include <ffma/fma.cuh>

template <class P>
__device__ __forceinline__ void ffma_chains(float* __restrict__ out, int iterations, float x, float y) {
  static_assert(P::chains >= 4, "An FFMA takes about four cycles, so fewer chains would wait for each other");
  static_assert(P::chains * P::unroll >= 256, "Fewer FFMAs would leave over 2 % of the loop to its counter and branch");

  float sum[P::chains];
#pragma unroll
  for (int c = 0; c < P::chains; ++c) sum[c] = static_cast<float>(c);
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) {
#pragma unroll
    for (int u = 0; u < P::unroll; ++u) {
#pragma unroll
      for (int c = 0; c < P::chains; ++c) sum[c] = ffma::fma(x, y, sum[c]);
    }
  }

  // Stored, so that no chain can be left out: each thread writes one float.
  float total = 0.0f;
#pragma unroll
  for (int c = 0; c < P::chains; ++c) total += sum[c];
  out[blockIdx.x * P::threads + threadIdx.x] = total;
}
