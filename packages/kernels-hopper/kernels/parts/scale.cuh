#pragma once

#include <ffma/index.cuh>

/// C = beta C, of which nothing is read where beta is 0: a thread has one element, blocks go along the rows.
template <class P>
__device__ __forceinline__ void scale(float* __restrict__ c, int, int n, int ldc, float beta) {
  const auto at = ffma::block_tile<1, P::scaleThreads>(n);
  const unsigned col = at.col + threadIdx.x;
  if (col >= static_cast<unsigned>(n)) return;
  float* own = c + ffma::element_offset(at.row, col, ldc);
  *own = beta == 0.0f ? 0.0f : beta * *own;
}
