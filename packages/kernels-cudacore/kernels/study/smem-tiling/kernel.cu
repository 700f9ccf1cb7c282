// smem-tiling: naive-row with tiles of A and B that a block copies into shared memory, chunk by chunk along k.
// A block computes a BM x BN tile of C; thread (x, y) owns the element y rows and x columns into it, and copies the
// element at the same place of either tile. All three tiles are squares of the same side.

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

  // Own: one element of C. Threads past its edges copy, too.
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const auto tile = ffma::block_tile<P::BM, P::BN>(n);
  const unsigned row = tile.row + y;
  const unsigned col = tile.col + x;

  float acc = 0.0f;
  for (int left = k; left > 0; left -= P::BK) {
    const int done = k - left;
    // Copy: zeros past m and n feed only elements that are not stored.
    a_tile[y][x] = row < m && x < left ? a[ffma::element_offset(row, done + x, lda)] : 0.0f;
    b_tile[y][x] = col < n && y < left ? b[ffma::element_offset(done + y, col, ldb)] : 0.0f;
    __syncthreads();

    // Multiply: only the k that exist, because 0 * Inf is NaN.
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
