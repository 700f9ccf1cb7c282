// k03: k02 with tiles of A and B in shared memory, read from global memory once a block.
// A block computes a BM x BN tile of C; thread (x, y) owns the element y rows and x columns into it, and in each chunk
// of BK along k copies one element of A (row y, column x) and one of B (the same) for everybody.

#include <ffma/epilogue.cuh>
#include <ffma/fma.cuh>
#include <ffma/index.cuh>

template <class P>
__device__ __forceinline__ void gemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                     int m, int n, int k, int lda, int ldb, int ldc, float alpha, float beta) {
  static_assert(P::BM == P::BK && P::BN == P::BK, "One thread copies one element of each tile");
  static_assert(P::BN % 32 == 0, "A warp's 32 lanes lie along one row");
  static_assert(P::threads == P::BM * P::BN, "One thread computes one element");
  __shared__ float a_tile[P::BM][P::BK];
  __shared__ float b_tile[P::BK][P::BN];
  static_assert(sizeof(a_tile) + sizeof(b_tile) == P::sharedBytes, "The declaration states the same shared memory");

  // Own: one element of C. No thread leaves early, because all take part in copying.
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const auto tile = ffma::block_tile<P::BM, P::BN>(n);
  const unsigned row = tile.row + y;
  const unsigned col = tile.col + x;
  const float* a_at = a + ffma::element_offset(row, x, lda);
  const float* b_at = b + ffma::element_offset(y, col, ldb);
  const unsigned long long b_chunk = ffma::element_offset(P::BK, 0, ldb);

  float acc = 0.0f;
  for (int left = k; left > 0; left -= P::BK) {
    // Copy: zeros past m and n feed only elements that are not stored.
    a_tile[y][x] = row < m && x < left ? *a_at : 0.0f;
    b_tile[y][x] = col < n && y < left ? *b_at : 0.0f;
    a_at += P::BK;
    b_at += b_chunk;
    __syncthreads();

    // Multiply: only the k that exist. Zeros past k would not do: 0 * Inf is NaN, and -0 + 0 is +0.
    if (left >= P::BK) {
#pragma unroll
      for (int step = 0; step < P::BK; ++step) acc = ffma::fma(a_tile[y][step], b_tile[step][x], acc);
    } else {
      for (int step = 0; step < left; ++step) acc = ffma::fma(a_tile[y][step], b_tile[step][x], acc);
    }
    __syncthreads();
  }

  // Store.
  if (row < m && col < n) ffma::store_scaled(c + ffma::element_offset(row, col, ldc), acc, alpha, beta);
}
