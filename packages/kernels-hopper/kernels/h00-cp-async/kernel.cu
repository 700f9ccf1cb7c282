// h00: h01 for GPUs without a tensor memory accelerator: all threads copy the tiles by cp.async, 16 bytes at a time, into
// the places where the accelerator would put them, and the copies are spread among the multiplying.
// A block computes a BM x BN tile of C; its warps share it out in WM x WN tiles, row by row, and the 32 lanes of a warp
// share that out in TM x TN patches. Rows start at multiples of 16 bytes; m, n and k are what they are.

#include "../parts/copied_loop.cuh"
#include "../parts/store_rows.cuh"

#include <ffma/raster.cuh>

template <class P>
__device__ __forceinline__ void gemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m,
                                     int n, int k, int lda, int ldb, int ldc, float alpha, float beta) {
  static_assert(P::threads == P::BM / P::WM * (P::BN / P::WN) * 32, "One warp computes one warp tile");
  constexpr unsigned store_bytes = hopper::stores_bytes<P::WN>;  // of a warp
  constexpr unsigned stores_bytes = P::threads / 32 * store_bytes;
  constexpr unsigned ring_bytes = hopper::copied_ring<P>::bytes;
  static_assert((ring_bytes > stores_bytes ? ring_bytes : stores_bytes) == P::dynamicSharedBytes,
                "The declaration states the same shared memory");
  extern __shared__ __align__(1024) float shared[];
  const unsigned first = ffma::shared_address(shared);

  // Own: a patch of a warp tile, dealt out to lanes: rows one by one, columns in runs of 4.
  const unsigned warp = threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
  const unsigned y = warp / (P::BN / P::WN) * P::WM;
  const unsigned x = warp % (P::BN / P::WN) * P::WN;
  const auto tile = ffma::grouped_tile<P::BM, P::BN, P::GROUP_M>(blockIdx.x, ffma::tiles_across<P::BM>(m),
                                                                  ffma::tiles_across<P::BN>(n));

  float acc[P::TM][P::TN] = {};
  hopper::copied_ring<P> ring(first, a, b, tile, m, n, lda, ldb);
  hopper::multiply_copied<P>(acc, ring, first, k, y + lane / 4, x + lane % 4 * 4);

  __syncthreads();  // rows of C are laid out where the stages were
  hopper::store_by_rows<P::WN>(acc, first + warp * store_bytes, lane, c, tile.row + y, tile.col + x, m, n, ldc, alpha, beta);
}
