// blocktiling-2d: blocktiling-1d-v2 with a patch of TM x TN outputs a thread instead of a strip.
// A block computes a BM x BN tile of C. Its threads are counted along rows of patches; each owns TM rows and TN columns
// side by side, and multiplies TM operands of A by TN of B at a step along k. A lies transposed in shared memory. All
// threads copy the tiles, whichever elements they own.

#include <ffma/epilogue.cuh>
#include <ffma/fragment.cuh>
#include <ffma/index.cuh>

template <class P>
__device__ __forceinline__ void gemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                     int m, int n, int k, int lda, int ldb, int ldc, float alpha, float beta) {
  constexpr int a_rows = P::threads / P::BK;  // that all threads copy at a time
  constexpr int b_rows = P::threads / P::BN;
  static_assert(P::BM % P::TM == 0 && P::BN % P::TN == 0, "Patches cover the tile");
  static_assert(P::BM % a_rows == 0 && P::BK % b_rows == 0, "Every thread copies as many elements");
  static_assert(P::threads == P::BM / P::TM * (P::BN / P::TN), "One thread computes one patch");
  alignas(16) __shared__ float a_tile[P::BK][P::BM + 4];  // padded: with BK = 8, a warp stores to 32 banks
  alignas(16) __shared__ float b_tile[P::BK][P::BN];
  static_assert(sizeof(a_tile) + sizeof(b_tile) == P::sharedBytes, "The declaration states the same shared memory");

  // Own: a patch of C.
  const unsigned thread = threadIdx.x;
  const unsigned x = thread % (P::BN / P::TN) * P::TN;
  const unsigned y = thread / (P::BN / P::TN) * P::TM;
  const auto tile = ffma::block_tile<P::BM, P::BN>(n);
  const unsigned row = tile.row + y;
  const unsigned col = tile.col + x;

  // Copied: every a_rows-th row of one column of A's tile, and every b_rows-th of one of B's.
  const unsigned a_row = thread / P::BK;
  const unsigned a_col = thread % P::BK;
  const unsigned b_row = thread / P::BN;
  const unsigned b_col = thread % P::BN;
  const float* a_at = a + ffma::element_offset(tile.row + a_row, a_col, lda);
  const float* b_at = b + ffma::element_offset(b_row, tile.col + b_col, ldb);
  const unsigned long long b_chunk = ffma::element_offset(P::BK, 0, ldb);

  float acc[P::TM][P::TN] = {};
  const auto multiply = [&](int step) {
    float a_own[P::TM];
    float b_own[P::TN];
    ffma::load_fragment(a_own, &a_tile[step][y]);
    ffma::load_fragment(b_own, &b_tile[step][x]);
    ffma::outer_product(acc, a_own, b_own);
  };
  for (int left = k; left > 0; left -= P::BK) {
    // Copy: zeros past m and n feed only elements that are not stored.
#pragma unroll
    for (int i = 0; i < P::BM; i += a_rows) {
      const bool exists = tile.row + a_row + i < m && a_col < left;
      a_tile[a_col][a_row + i] = exists ? a_at[ffma::element_offset(i, 0, lda)] : 0.0f;
    }
#pragma unroll
    for (int i = 0; i < P::BK; i += b_rows) {
      const bool exists = tile.col + b_col < n && b_row + i < left;
      b_tile[b_row + i][b_col] = exists ? b_at[ffma::element_offset(i, 0, ldb)] : 0.0f;
    }
    a_at += P::BK;
    b_at += b_chunk;
    __syncthreads();

    // Multiply: only the k that exist, because 0 * Inf is NaN.
    if (left >= P::BK) {
#pragma unroll
      for (int step = 0; step < P::BK; ++step) multiply(step);
    } else {
      for (int step = 0; step < left; ++step) multiply(step);
    }
    __syncthreads();
  }

  // Store.
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
