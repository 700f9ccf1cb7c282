// warptiling-v0: blocktiling-2d with a compact tile of C for each warp; whole tiles only.
// A block computes a BM x BN tile of C; its warps share it out in WM x WN tiles, row by row, and the 32 lanes of a warp
// share that out in patches of TM rows and TN columns side by side. A lies transposed in shared memory. m, n and k are
// multiples of the tile: no edges.

#include <ffma/epilogue.cuh>
#include <ffma/fragment.cuh>
#include <ffma/index.cuh>

#include "../parts/shares.cuh"

template <class P>
__device__ __forceinline__ void gemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                     int m, int n, int k, int lda, int ldb, int ldc, float alpha, float beta) {
  constexpr int across = P::WN / P::TN;  // lanes of a warp
  static_assert(P::WM / P::TM * across == 32, "One lane computes one patch");
  static_assert(P::threads == P::BM / P::WM * (P::BN / P::WN) * 32, "One warp computes one warp tile");
  alignas(16) __shared__ float a_tile[P::BK][P::aPitch];
  alignas(16) __shared__ float b_tile[P::BK][P::BN];
  static_assert(sizeof(a_tile) + sizeof(b_tile) == P::sharedBytes, "The declaration states the same shared memory");

  // Own: a patch of a warp tile. Lane and warp count along a row first, then down.
  const unsigned thread = threadIdx.x;
  const unsigned warp = thread / 32;
  const unsigned lane = thread % 32;
  const unsigned y = warp / (P::BN / P::WN) * P::WM + lane / across * P::TM;
  const unsigned x = warp % (P::BN / P::WN) * P::WN + lane % across * P::TN;
  const auto tile = ffma::block_tile<P::BM, P::BN>(n);
  study::a_share<P> a_copy(a + ffma::element_offset(tile.row, 0, lda), lda, thread);
  study::b_share<P> b_copy(b + tile.col, ldb, thread);

  float acc[P::TM][P::TN] = {};
  for (int left = k; left > 0; left -= P::BK) {
    // Copy.
    a_copy.load(study::plain_loads{});
    b_copy.load(study::plain_loads{});
    a_copy.store(a_tile[0]);
    b_copy.store(b_tile[0]);
    __syncthreads();

    // Multiply.
#pragma unroll
    for (int step = 0; step < P::BK; ++step) {
      float a_own[P::TM];
      float b_own[P::TN];
      ffma::load_fragment(a_own, &a_tile[step][y]);
      ffma::load_fragment(b_own, &b_tile[step][x]);
      ffma::outer_product(acc, a_own, b_own);
    }
    __syncthreads();
  }

  // Store.
#pragma unroll
  for (int i = 0; i < P::TM; ++i) {
    float* c_row = c + ffma::element_offset(tile.row + y + i, tile.col + x, ldc);
#pragma unroll
    for (int j = 0; j < P::TN; ++j) ffma::store_scaled(c_row + j, acc[i][j], alpha, beta);
  }
}
