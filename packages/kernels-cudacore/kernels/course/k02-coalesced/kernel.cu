// k02: k01 with neighbouring lanes along columns instead of rows.
// A block computes a BM x BN tile of C. Thread (x, y) owns the element y rows and x columns into the tile, so the 32
// lanes of a warp lie along one row: they read neighbouring B, write neighbouring C, and all read the same A.

#include <ffma/epilogue.cuh>
#include <ffma/fma.cuh>
#include <ffma/index.cuh>

template <class P>
__device__ __forceinline__ void gemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                     int m, int n, int k, int lda, int ldb, int ldc, float alpha, float beta) {
  static_assert(P::BN % 32 == 0, "A warp's 32 lanes lie along one row");
  static_assert(P::threads == P::BM * P::BN, "One thread computes one element");

  // Own: one element of C.
  const auto tile = ffma::block_tile<P::BM, P::BN>(n);
  const unsigned row = tile.row + threadIdx.y;
  const unsigned col = tile.col + threadIdx.x;
  if (row >= m || col >= n) return;

  // Multiply: row of A by column of B, k ascending.
  const float* a_at = a + ffma::element_offset(row, 0, lda);
  const float* b_at = b + col;
  float acc = 0.0f;
  for (int step = 0; step < k; ++step) {
    acc = ffma::fma(*a_at, *b_at, acc);
    a_at += 1;
    b_at += ldb;
  }

  // Store.
  ffma::store_scaled(c + ffma::element_offset(row, col, ldc), acc, alpha, beta);
}
