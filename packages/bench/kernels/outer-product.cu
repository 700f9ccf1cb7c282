// The ceiling of an outer product from registers: what is left for a matrix product whose operands cost nothing.
// Each thread owns a P::TM x P::TN patch of sums, and adds the product of a column of TM and a row of TN registers to it
// again and again. The operands are read once, from memory, so that the compiler knows nothing of them.

#include <ffma/order.cuh>

template <class P>
__device__ __forceinline__ void outer_product_loop(const float* __restrict__ in, float* __restrict__ out,
                                                   int iterations) {
  float a[P::TM];
  float b[P::TN];
#pragma unroll
  for (int i = 0; i < P::TM; ++i) a[i] = in[i];
#pragma unroll
  for (int j = 0; j < P::TN; ++j) b[j] = in[P::TM + j];

  float acc[P::TM][P::TN] = {};
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) {
#pragma unroll
    for (int u = 0; u < P::unroll; ++u) ffma::outer_product_in<ffma::snake_columns>(acc, a, b);
  }

  // Stored, so that no element can be left out: each thread writes the sum of its patch.
  float total = 0.0f;
#pragma unroll
  for (int i = 0; i < P::TM; ++i) {
#pragma unroll
    for (int j = 0; j < P::TN; ++j) total += acc[i][j];
  }
  out[blockIdx.x * P::threads + threadIdx.x] = total;
}
