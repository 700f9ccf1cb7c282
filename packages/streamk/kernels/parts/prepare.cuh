#pragma once

#include <ffma/epilogue.cuh>
#include <ffma/raster.cuh>

/// C = beta * C for the tiles from number `whole` on, so that parts can be added; beta = 0 does not read C. A block
/// takes P::prepareRows rows of one tile, its threads four columns at a time. What is added to beta * C is -0, which leaves
/// it as it is, signs of zero included.
template <class P>
__device__ __forceinline__ void prepare(float* __restrict__ c, int m, int n, int ldc, float beta, int whole) {
  constexpr unsigned strips = P::BM / P::prepareRows;
  const unsigned number = whole + blockIdx.x / strips;
  const auto tile = ffma::grouped_tile<P::BM, P::BN, P::GROUP_M>(number, m / P::BM, n / P::BN);
  const unsigned top = tile.row + blockIdx.x % strips * P::prepareRows;
#pragma unroll
  for (unsigned at = 0; at < P::prepareRows * P::BN / 4; at += P::prepareThreads) {
    const unsigned row = (at + threadIdx.x) / (P::BN / 4);
    const unsigned col = (at + threadIdx.x) % (P::BN / 4) * 4;
    float* at_c = c + ffma::element_offset(top + row, tile.col + col, ldc);
    ffma::store_scaled4(at_c, {0.0f, 0.0f, 0.0f, 0.0f}, beta == 0.0f ? 1.0f : -1.0f, beta);
  }
}
