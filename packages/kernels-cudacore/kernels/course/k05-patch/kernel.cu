// k05: k04 with a patch of TM x TN accumulators a thread instead of a strip.
// A block computes a BM x BN tile of C; thread (x, y) owns TM rows from y * TM down and TN columns from x * TN on. A
// step along k reads TM values of A and TN of B for TM * TN FFMAs. All threads copy the tiles, whichever they own.

#include <ffma/epilogue.cuh>
#include <ffma/fragment.cuh>
#include <ffma/index.cuh>
#include <ffma/tile_copy.cuh>

template <class P>
__device__ __forceinline__ void gemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                     int m, int n, int k, int lda, int ldb, int ldc, float alpha, float beta) {
  static_assert(P::BM % P::TM == 0 && P::BN % P::TN == 0, "Patches cover the tile");
  static_assert(P::threads == P::BM / P::TM * (P::BN / P::TN), "One thread computes one patch");
  __shared__ float a_tile[P::BM][P::BK];
  __shared__ float b_tile[P::BK][P::BN];
  static_assert(sizeof(a_tile) + sizeof(b_tile) == P::sharedBytes, "The declaration states the same shared memory");

  // Own: a patch of C.
  const unsigned x = threadIdx.x * P::TN;
  const unsigned y = threadIdx.y * P::TM;
  const unsigned thread = threadIdx.y * (P::BN / P::TN) + threadIdx.x;
  const auto tile = ffma::block_tile<P::BM, P::BN>(n);
  const float* a_at = a + ffma::element_offset(tile.row, 0, lda);
  const float* b_at = b + tile.col;
  const unsigned long long b_chunk = ffma::element_offset(P::BK, 0, ldb);

  float acc[P::TM][P::TN] = {};
  const auto multiply = [&](int step) {
    float a_own[P::TM];
    float b_own[P::TN];
#pragma unroll
    for (int i = 0; i < P::TM; ++i) a_own[i] = a_tile[y + i][step];
#pragma unroll
    for (int j = 0; j < P::TN; ++j) b_own[j] = b_tile[step][x + j];
    ffma::outer_product(acc, a_own, b_own);
  };
  for (int left = k; left > 0; left -= P::BK) {
    // Copy: zeros past m and n feed only elements that are not stored.
    ffma::copy_tile<P::threads>(a_tile, a_at, lda, m - tile.row, left, thread);
    ffma::copy_tile<P::threads>(b_tile, b_at, ldb, left, n - tile.col, thread);
    a_at += P::BK;
    b_at += b_chunk;
    __syncthreads();

    // Multiply: only the k that exist. Zeros past k would not do: 0 * Inf is NaN, and -0 + 0 is +0.
    if (left >= P::BK) {
#pragma unroll
      for (int step = 0; step < P::BK; ++step) multiply(step);
    } else {
      for (int step = 0; step < left; ++step) multiply(step);
    }
    __syncthreads();
  }

  // Store.
  const unsigned row = tile.row + y;
  const unsigned col = tile.col + x;
#pragma unroll
  for (int i = 0; i < P::TM; ++i) {
#pragma unroll
    for (int j = 0; j < P::TN; ++j) {
      if (row + i < m && col + j < n) {
        ffma::store_scaled(c + ffma::element_offset(row + i, col + j, ldc), acc[i][j], alpha, beta);
      }
    }
  }
}
