// k04: k03 with a strip of TM accumulators a thread instead of one.
// A block computes a BM x BN tile of C; thread (x, y) owns TM elements of column x, from row y * TM down, and in each
// chunk of BK along k copies as many of A and of B, in the same places. An element of B is read once for TM FFMAs.

#include <ffma/epilogue.cuh>
#include <ffma/fma.cuh>
#include <ffma/index.cuh>

template <class P>
__device__ __forceinline__ void gemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                     int m, int n, int k, int lda, int ldb, int ldc, float alpha, float beta) {
  static_assert(P::BM == P::BK && P::BN == P::BK, "One thread copies a strip of each tile");
  static_assert(P::BN % 32 == 0, "A warp's 32 lanes lie along one row");
  static_assert(P::BM % P::TM == 0, "Strips cover the tile");
  static_assert(P::threads == P::BM / P::TM * P::BN, "One thread computes one strip");
  __shared__ float a_tile[P::BM][P::BK];
  __shared__ float b_tile[P::BK][P::BN];
  static_assert(sizeof(a_tile) + sizeof(b_tile) == P::sharedBytes, "The declaration states the same shared memory");

  // Own: a strip of C. No thread leaves early, because all take part in copying.
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y * P::TM;
  const auto tile = ffma::block_tile<P::BM, P::BN>(n);
  const unsigned row = tile.row + y;
  const unsigned col = tile.col + x;
  const float* a_at = a + ffma::element_offset(row, x, lda);
  const float* b_at = b + ffma::element_offset(y, col, ldb);
  const unsigned long long b_chunk = ffma::element_offset(P::BK, 0, ldb);

  float acc[P::TM] = {};
  const auto multiply = [&](int step) {
    const float b_own = b_tile[step][x];
#pragma unroll
    for (int i = 0; i < P::TM; ++i) acc[i] = ffma::fma(a_tile[y + i][step], b_own, acc[i]);
  };
  for (int left = k; left > 0; left -= P::BK) {
    // Copy: zeros past m and n feed only elements that are not stored.
#pragma unroll
    for (int i = 0; i < P::TM; ++i) {
      a_tile[y + i][x] = row + i < m && x < left ? a_at[ffma::element_offset(i, 0, lda)] : 0.0f;
      b_tile[y + i][x] = col < n && y + i < left ? b_at[ffma::element_offset(i, 0, ldb)] : 0.0f;
    }
    a_at += P::BK;
    b_at += b_chunk;
    __syncthreads();

    // Multiply: only the k that exist. Zeros past k would not do: 0 * Inf is NaN, and -0 + 0 is +0.
    // Eight steps are unrolled at a time: more cost registers, which ptxas for sm_80 then spills.
    if (left >= P::BK) {
#pragma unroll 8
      for (int step = 0; step < P::BK; ++step) multiply(step);
    } else {
      for (int step = 0; step < left; ++step) multiply(step);
    }
    __syncthreads();
  }

  // Store.
#pragma unroll
  for (int i = 0; i < P::TM; ++i) {
    if (row + i < m && col < n) ffma::store_scaled(c + ffma::element_offset(row + i, col, ldc), acc[i], alpha, beta);
  }
}
