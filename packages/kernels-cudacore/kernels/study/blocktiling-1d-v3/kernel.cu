// blocktiling-1d-v3: blocktiling-1d-v2 with two pairs of tiles that take turns, so that one barrier a chunk is enough:
// who is past it fills the other pair, and may do so while others still multiply from this one.
// A block computes a BM x BN tile of C. Its threads are counted along rows; each owns TM elements of a column, one
// below the other. All threads copy the tiles, whichever elements they own.

#include <ffma/epilogue.cuh>
#include <ffma/fma.cuh>
#include <ffma/index.cuh>
#include <ffma/vec.cuh>

template <class P>
__device__ __forceinline__ void gemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                     int m, int n, int k, int lda, int ldb, int ldc, float alpha, float beta) {
  constexpr int a_rows = P::threads / P::BK;  // that all threads copy at a time
  constexpr int b_rows = P::threads / P::BN;
  static_assert(P::BN % 32 == 0, "A warp's 32 lanes lie along one row");
  static_assert(P::BM % P::TM == 0, "Strips cover the tile");
  static_assert(P::TM % 4 == 0, "A strip is whole float4s");
  static_assert(P::BM % a_rows == 0 && P::BK % b_rows == 0, "Every thread copies as many elements");
  static_assert(P::threads == P::BM / P::TM * P::BN, "One thread computes one strip");
  alignas(16) __shared__ float a_tile[2][P::BK][P::BM + 4];  // padded: with BK = 8, a warp stores to 32 banks
  __shared__ float b_tile[2][P::BK][P::BN];
  static_assert(sizeof(a_tile) + sizeof(b_tile) == P::sharedBytes, "The declaration states the same shared memory");

  // Own: a strip of C.
  const unsigned thread = threadIdx.x;
  const unsigned x = thread % P::BN;
  const unsigned y = thread / P::BN * P::TM;
  const auto tile = ffma::block_tile<P::BM, P::BN>(n);
  const unsigned row = tile.row + y;
  const unsigned col = tile.col + x;

  // Copied: every a_rows-th row of one column of A's tile, and every b_rows-th of one of B's, the one that is owned.
  const unsigned a_row = thread / P::BK;
  const unsigned a_col = thread % P::BK;
  const unsigned b_row = thread / P::BN;
  const float* a_at = a + ffma::element_offset(tile.row + a_row, a_col, lda);
  const float* b_at = b + ffma::element_offset(b_row, col, ldb);
  const unsigned long long b_chunk = ffma::element_offset(P::BK, 0, ldb);

  float acc[P::TM] = {};
  int turn = 0;
  const auto multiply = [&](int step) {
    const float b_own = b_tile[turn][step][x];
#pragma unroll
    for (int i = 0; i < P::TM; i += 4) {
      const ffma::vec4 a_own = ffma::load4(&a_tile[turn][step][y + i]);
      acc[i] = ffma::fma(a_own.x, b_own, acc[i]);
      acc[i + 1] = ffma::fma(a_own.y, b_own, acc[i + 1]);
      acc[i + 2] = ffma::fma(a_own.z, b_own, acc[i + 2]);
      acc[i + 3] = ffma::fma(a_own.w, b_own, acc[i + 3]);
    }
  };
  for (int left = k; left > 0; left -= P::BK) {
    // Copy: zeros past m and n feed only elements that are not stored.
#pragma unroll
    for (int i = 0; i < P::BM; i += a_rows) {
      const bool exists = tile.row + a_row + i < m && a_col < left;
      a_tile[turn][a_col][a_row + i] = exists ? a_at[ffma::element_offset(i, 0, lda)] : 0.0f;
    }
#pragma unroll
    for (int i = 0; i < P::BK; i += b_rows) {
      const bool exists = col < n && b_row + i < left;
      b_tile[turn][b_row + i][x] = exists ? b_at[ffma::element_offset(i, 0, ldb)] : 0.0f;
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
    turn ^= 1;
  }

  // Store.
#pragma unroll
  for (int i = 0; i < P::TM; ++i) {
    if (row + i < m && col < n) ffma::store_scaled(c + ffma::element_offset(row + i, col, ldc), acc[i], alpha, beta);
  }
}
