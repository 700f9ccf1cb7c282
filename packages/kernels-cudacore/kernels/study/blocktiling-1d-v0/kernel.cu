// blocktiling-1d-v0: smem-tiling with a strip of TM outputs a thread, and tiles that need not be squares.
// A block computes a BM x BN tile of C. Its threads are counted along rows; each owns TM elements of a column, one
// below the other. A lies in shared memory as in global memory. All threads copy the tiles, whichever they own.

#include <ffma/epilogue.cuh>
#include <ffma/fma.cuh>
#include <ffma/index.cuh>
#include <ffma/tile_copy.cuh>

template <class P>
__device__ __forceinline__ void gemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                     int m, int n, int k, int lda, int ldb, int ldc, float alpha, float beta) {
  static_assert(P::BN % 32 == 0, "A warp's 32 lanes lie along one row");
  static_assert(P::BM % P::TM == 0, "Strips cover the tile");
  static_assert(P::threads == P::BM / P::TM * P::BN, "One thread computes one strip");
  __shared__ float a_tile[P::BM][P::BK];
  __shared__ float b_tile[P::BK][P::BN];
  static_assert(sizeof(a_tile) + sizeof(b_tile) == P::sharedBytes, "The declaration states the same shared memory");

  // Own: a strip of C.
  const unsigned thread = threadIdx.x;
  const unsigned x = thread % P::BN;
  const unsigned y = thread / P::BN * P::TM;
  const auto tile = ffma::block_tile<P::BM, P::BN>(n);
  const unsigned row = tile.row + y;
  const unsigned col = tile.col + x;

  float acc[P::TM] = {};
  const auto multiply = [&](int step) {
    const float b_own = b_tile[step][x];
#pragma unroll
    for (int i = 0; i < P::TM; ++i) acc[i] = ffma::fma(a_tile[y + i][step], b_own, acc[i]);
  };
  for (int left = k; left > 0; left -= P::BK) {
    const int done = k - left;
    // Copy: zeros past m and n feed only elements that are not stored.
    const float* a_from = a + ffma::element_offset(tile.row, done, lda);
    const float* b_from = b + ffma::element_offset(done, tile.col, ldb);
    ffma::copy_tile<P::threads>(a_tile, a_from, lda, m - tile.row, left, thread);
    ffma::copy_tile<P::threads>(b_tile, b_from, ldb, left, n - tile.col, thread);
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
    if (row + i < m && col < n) ffma::store_scaled(c + ffma::element_offset(row + i, col, ldc), acc[i], alpha, beta);
  }
}
