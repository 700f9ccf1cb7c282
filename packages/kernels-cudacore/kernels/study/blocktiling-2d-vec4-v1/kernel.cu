// blocktiling-2d-vec4-v1: blocktiling-2d-vec4-v0 with its lanes dealt out along the rows of A, two to a sector.
// A block computes a BM x BN tile of C. Its threads are counted along rows of patches; each owns TM rows and TN columns
// side by side. A lies transposed in shared memory. m, n and k are multiples of the tile, and rows start at multiples
// of 16 bytes: no edges.

#include <ffma/fragment.cuh>
#include <ffma/index.cuh>
#include <ffma/tile_copy.cuh>

template <class P>
__device__ __forceinline__ void gemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                     int m, int n, int k, int lda, int ldb, int ldc, float alpha, float beta) {
  static_assert(P::BM % P::TM == 0 && P::BN % P::TN == 0, "Patches cover the tile");
  static_assert(P::threads == P::BM / P::TM * (P::BN / P::TN), "One thread computes one patch");
  alignas(16) __shared__ float a_tile[P::BK][P::BM + 4];  // padded for copy_tile4_transposed
  alignas(16) __shared__ float b_tile[P::BK][P::BN];
  static_assert(sizeof(a_tile) + sizeof(b_tile) == P::sharedBytes, "The declaration states the same shared memory");

  // Own: a patch of C.
  const unsigned thread = threadIdx.x;
  const unsigned x = thread % (P::BN / P::TN) * P::TN;
  const unsigned y = thread / (P::BN / P::TN) * P::TM;
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
