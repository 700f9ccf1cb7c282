// k07: k06 with another geometry; the code is the same.
// A block computes a BM x BN tile of C; its warps share it out in WM x WN tiles, row by row, and the 32 lanes of a warp
// share that out in TM x TN patches. How large each is, a search decides: see the candidates in kernel.ts.
// m, n and k are multiples of the tile, and rows start at multiples of 16 bytes: no edges.

#include <ffma/fragment.cuh>
#include <ffma/index.cuh>
#include <ffma/tile_copy.cuh>

template <class P>
__device__ __forceinline__ void gemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                     int m, int n, int k, int lda, int ldb, int ldc, float alpha, float beta) {
  static_assert(P::BM % P::WM == 0 && P::BN % P::WN == 0, "Warp tiles cover the block's tile");
  static_assert(P::WM % P::TM == 0 && P::WN % P::TN == 0, "Patches cover the warp's tile");
  static_assert(P::WM / P::TM * (P::WN / P::TN) == 32, "One lane computes one patch");
  static_assert(P::threads == P::BM / P::WM * (P::BN / P::WN) * 32, "One warp computes one warp tile");
  alignas(16) __shared__ float a_tile[P::BK][P::BM + 4];  // padded for copy_tile4_transposed
  alignas(16) __shared__ float b_tile[P::BK][P::BN];
  static_assert(sizeof(a_tile) + sizeof(b_tile) == P::sharedBytes, "The declaration states the same shared memory");

  // Own: a patch of a warp tile. Lane and warp count along a row of patches first, then down.
  const unsigned thread = threadIdx.x;
  const unsigned warp = thread / 32;
  const unsigned lane = thread % 32;
  const unsigned y = warp / (P::BN / P::WN) * P::WM + lane / (P::WN / P::TN) * P::TM;
  const unsigned x = warp % (P::BN / P::WN) * P::WN + lane % (P::WN / P::TN) * P::TN;
  const auto tile = ffma::block_tile<P::BM, P::BN>(n);
  const float* a_at = a + ffma::element_offset(tile.row, 0, lda);
  const float* b_at = b + tile.col;
  const unsigned long long b_chunk = ffma::element_offset(P::BK, 0, ldb);

  float acc[P::TM][P::TN] = {};
  for (int left = k; left > 0; left -= P::BK) {
    // Copy.
    ffma::copy_tile4_transposed<P::threads, P::BM>(a_tile, a_at, lda, thread);
    ffma::copy_tile4<P::threads>(b_tile, b_at, ldb, thread);
    a_at += P::BK;
    b_at += b_chunk;
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
    ffma::store_scaled_row(c_row, acc[i], alpha, beta);
  }
}
