#pragma once

#include <ffma/epilogue.cuh>
#include <ffma/index.cuh>
#include <ffma/shared_vec.cuh>

namespace hopper {

/// Floats from row to row where eight rows of WN columns are laid out: two rows that are written at a time, 16 columns of
/// each, then lie in different banks.
template <int WN>
constexpr int stores_pitch = WN % 32 == 16 ? WN : WN + 16;

/// What a warp needs of shared memory for that.
template <int WN>
constexpr unsigned stores_bytes = 8 * stores_pitch<WN> * 4;

/// Stores a warp's tile of C by whole rows. A lane holds rows lane / 4 + 8 i and, of each, runs of four columns: those of
/// eight rows are laid out in shared memory at `stage` (stores_bytes<WN> of the warp's own), and read again in the order
/// of C. The tile begins at `row`, `col`; what lies outside of C is left out.
template <int WN, int TM, int TN>
__device__ __forceinline__ void store_by_rows(const float (&acc)[TM][TN], unsigned stage, unsigned lane, float* c,
                                              unsigned row, unsigned col, int m, int n, int ldc, float alpha, float beta) {
  static_assert(WN % 16 == 0, "Two rows of 16 columns fill all banks");
  constexpr int pitch = stores_pitch<WN>;
  constexpr int pieces = WN / 4;  // of a row
  const unsigned own = stage + (lane / 4 * pitch + lane % 4 * 4) * 4;
#pragma unroll
  for (int i = 0; i < TM; ++i) {
    __syncwarp();
#pragma unroll
    for (int j = 0; j < TN; j += 4) ffma::store_shared4(own + j * 16, &acc[i][j]);
    __syncwarp();
#pragma unroll
    for (int round = 0; round < pieces / 4; ++round) {
      const unsigned piece = lane + round * 32;
      const unsigned at = row + i * 8 + piece / pieces;
      const unsigned first = col + piece % pieces * 4;
      float sums[4];
      ffma::load_shared4(sums, stage + (piece / pieces * pitch + piece % pieces * 4) * 4);
      float* to = c + ffma::element_offset(at, first, ldc);
      if (at < static_cast<unsigned>(m) && first + 4 <= static_cast<unsigned>(n)) {
        ffma::store_scaled4(to, {sums[0], sums[1], sums[2], sums[3]}, alpha, beta);
      } else if (at < static_cast<unsigned>(m)) {
#pragma unroll
        for (int e = 0; e < 3; ++e) {
          if (first + e < static_cast<unsigned>(n)) ffma::store_scaled(to + e, sums[e], alpha, beta);
        }
      }
    }
  }
}

}  // namespace hopper
