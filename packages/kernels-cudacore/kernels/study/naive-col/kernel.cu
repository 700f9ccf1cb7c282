// naive-col: naive-row with its lanes down a column of C.
// A block computes a BM x BN tile of C; thread (x, y) owns the element x rows and y columns into it. A warp's 32 lanes
// read 32 elements of A, each from another row, and one of B, the same for all.

#include <ffma/epilogue.cuh>
#include <ffma/fma.cuh>
#include <ffma/index.cuh>

template <class P>
__device__ __forceinline__ void gemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                     int m, int n, int k, int lda, int ldb, int ldc, float alpha, float beta) {
  static_assert(P::BM % 32 == 0, "A warp's 32 lanes lie down one column");
  static_assert(P::threads == P::BM * P::BN, "One thread computes one element");

  // Own: one element of C.
  const auto tile = ffma::block_tile<P::BM, P::BN>(n);
  const unsigned row = tile.row + threadIdx.x;
  const unsigned col = tile.col + threadIdx.y;
  if (row >= m || col >= n) return;

  // Multiply: a row of A by a column of B, k ascending.
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
