// blocktiling-2d-vec4-v0: blocktiling-2d with global memory read and written four floats at a time.
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
  static_assert(P::BM * P::BK % (4 * P::threads) == 0, "Every thread copies as many float4s of A");
  alignas(16) __shared__ float a_tile[P::BK][P::BM + 4];
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
    // Copy. Lanes are dealt out down the rows of A, so that the four stores of each go to neighbouring banks.
#pragma unroll
    for (unsigned at = 0; at < P::BM * P::BK / 4; at += P::threads) {
      const unsigned row = (at + thread) % P::BM;
      const unsigned col = (at + thread) / P::BM * 4;
      const ffma::vec4 four = ffma::load4(a_at + ffma::element_offset(row, col, lda));
      a_tile[col][row] = four.x;
      a_tile[col + 1][row] = four.y;
      a_tile[col + 2][row] = four.z;
      a_tile[col + 3][row] = four.w;
    }
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
