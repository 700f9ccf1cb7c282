// h01: both tiles come by the tensor memory accelerator: one thread asks for them, and A lies in shared memory as it does
// in global memory, along k, so that a lane reads four steps of a row at a time.
// A block computes a BM x BN tile of C; its warps share it out in WM x WN tiles, row by row, and the 32 lanes of a warp
// share that out in TM x TN patches. Rows start at multiples of 16 bytes; m, n and k are what they are.

#include "../parts/main_loop.cuh"
#include "../parts/scale.cuh"
#include "../parts/store_rows.cuh"

#include <ffma/raster.cuh>

template <class P>
__device__ __forceinline__ void gemm(const ffma::tensor_map* a_tiles, const ffma::tensor_map* b_tiles,
                                     float* __restrict__ c, int m, int n, int k, int ldc, float alpha, float beta) {
  static_assert(P::K_GROUPS == 1, "All warps go along all of k");
  static_assert(P::threads == P::BM / P::WM * (P::BN / P::WN) * 32, "One warp computes one warp tile");
  constexpr unsigned store_bytes = hopper::stores_bytes<P::WN>;  // of a warp
  static_assert(hopper::layout<P>::ring_bytes + P::threads / 32 * store_bytes + 8 * P::STAGES == P::dynamicSharedBytes,
                "The declaration states the same shared memory");
  extern __shared__ __align__(1024) float shared[];
  const hopper::layout<P> at(ffma::shared_address(shared));

  // Own: a patch of a warp tile, dealt out to lanes: rows one by one, columns in runs of 4.
  const unsigned warp = threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
  const unsigned y = warp / (P::BN / P::WN) * P::WM;
  const unsigned x = warp % (P::BN / P::WN) * P::WN;
  const auto tile = ffma::grouped_tile<P::BM, P::BN, P::GROUP_M>(blockIdx.x, ffma::tiles_across<P::BM>(m),
                                                                  ffma::tiles_across<P::BN>(n));

  float acc[P::TM][P::TN] = {};
  hopper::multiply_tile<P>(acc, a_tiles, b_tiles, at, tile, k, 0, y + lane / 4, x + lane % 4 * 4);

  hopper::store_by_rows<P::WN>(acc, at.stores_first + warp * store_bytes, lane, c, tile.row + y, tile.col + x, m, n, ldc,
                               alpha, beta);
}
