// h02: h01 with the steps along k sliced among K_GROUPS groups of warps, each of which computes the whole tile from its
// own part of every stage; the sums meet in shared memory. A small C then has as many warps as a large one.
// A block computes a BM x BN tile of C; the warps of a group share it out in WM x WN tiles, row by row, and the 32 lanes of
// a warp share that out in TM x TN patches. Rows start at multiples of 16 bytes; m, n and k are what they are.

#include "../parts/main_loop.cuh"
#include "../parts/scale.cuh"
#include "../parts/store_rows.cuh"

#include <ffma/raster.cuh>

template <class P>
__device__ __forceinline__ void gemm(const ffma::tensor_map* a_tiles, const ffma::tensor_map* b_tiles,
                                     float* __restrict__ c, int m, int n, int k, int ldc, float alpha, float beta) {
  constexpr unsigned group_threads = P::BM / P::WM * (P::BN / P::WN) * 32;
  static_assert(P::threads == P::K_GROUPS * group_threads, "One warp of each group computes one warp tile");
  static_assert(P::TM % P::K_GROUPS == 0, "Each group stores as many rows of a patch");
  constexpr int rows = P::TM / P::K_GROUPS;  // of a patch, that a group stores
  constexpr unsigned store_bytes = hopper::stores_bytes<P::WN>;  // of a warp
  static_assert(hopper::layout<P>::ring_bytes + P::threads / 32 * store_bytes + 8 * P::STAGES == P::dynamicSharedBytes,
                "The declaration states the same shared memory");
  constexpr unsigned sums_bytes = group_threads * P::TM * P::TN * 4;  // of a group
  static_assert(P::K_GROUPS * sums_bytes <= hopper::layout<P>::ring_bytes, "All sums fit where the stages were");
  extern __shared__ __align__(1024) float shared[];
  const hopper::layout<P> at(ffma::shared_address(shared));

  // Own: a patch of a warp tile, dealt out to lanes: rows one by one, columns in runs of 4.
  const unsigned group = threadIdx.x / group_threads;
  const unsigned thread = threadIdx.x % group_threads;
  const unsigned warp = thread / 32;
  const unsigned lane = thread % 32;
  const unsigned y = warp / (P::BN / P::WN) * P::WM;
  const unsigned x = warp % (P::BN / P::WN) * P::WN;
  const auto tile = ffma::grouped_tile<P::BM, P::BN, P::GROUP_M>(blockIdx.x, ffma::tiles_across<P::BM>(m),
                                                                  ffma::tiles_across<P::BN>(n));

  float acc[P::TM][P::TN] = {};
  hopper::multiply_tile<P>(acc, a_tiles, b_tiles, at, tile, k, group, y + lane / 4, x + lane % 4 * 4);

  // Sum: every group lays out its sums, four neighbours of all threads after one another; then each adds those of its
  // rows, in the order of the groups.
  __syncthreads();
  const unsigned sums = at.a_first + thread * 16;
  const auto place = [&](unsigned of, int i, int j) {
    return sums + of * sums_bytes + (i * P::TN + j) / 4 * (group_threads * 16);
  };
#pragma unroll
  for (int i = 0; i < P::TM; ++i) {
#pragma unroll
    for (int j = 0; j < P::TN; j += 4) ffma::store_shared4(place(group, i, j), &acc[i][j]);
  }
  __syncthreads();
  float sum[rows][P::TN];
#pragma unroll
  for (int i = 0; i < rows; ++i) {
#pragma unroll
    for (int j = 0; j < P::TN; j += 4) {
      const int row = group * rows + i;
      ffma::load_shared4(&sum[i][j], place(0, row, j));
#pragma unroll
      for (unsigned of = 1; of < P::K_GROUPS; ++of) {
        float part[4];
        ffma::load_shared4(part, place(of, row, j));
#pragma unroll
        for (int e = 0; e < 4; ++e) sum[i][j + e] += part[e];
      }
    }
  }

  hopper::store_by_rows<P::WN>(sum, at.stores_first + threadIdx.x / 32 * store_bytes, lane, c,
                               tile.row + y + group * (rows * 8), tile.col + x, m, n, ldc, alpha, beta);
}
