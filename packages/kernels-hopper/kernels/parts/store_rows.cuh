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

/// No sums but a warp's own.
struct no_more_sums {
  static constexpr unsigned count = 0;

  __device__ __forceinline__ void add(float (&)[4], unsigned, unsigned, unsigned) const {}
};

/// Stores a warp's tile of C by whole rows. A lane holds rows lane / 4 + 8 i and, of each, runs of four columns: those of
/// eight rows are laid out in shared memory at `stage` (stores_bytes<WN> of the warp's own), and read again in the order
/// of C. The tile begins at `row`, `col`; what lies outside of C is left out. `more` has other sums of the same elements,
/// `count` of each, and adds the one of a number to four columns of a row of the warp's tile: in order, behind its own.
template <int WN, int TM, int TN, class More = no_more_sums>
__device__ __forceinline__ void store_by_rows(const float (&acc)[TM][TN], unsigned stage, unsigned lane, float* c,
                                              unsigned row, unsigned col, int m, int n, int ldc, float alpha, float beta,
                                              const More& more = {}) {
  static_assert(WN % 16 == 0, "Two rows of 16 columns fill all banks");
  constexpr int pitch = stores_pitch<WN>;
  constexpr int pieces = WN / 4;  // of a row
  constexpr int rounds = pieces / 4;
  const unsigned own = stage + (lane / 4 * pitch + lane % 4 * 4) * 4;
#pragma unroll
  for (int i = 0; i < TM; ++i) {
    __syncwarp();
#pragma unroll
    for (int j = 0; j < TN; j += 4) ffma::store_shared4(own + j * 16, &acc[i][j]);
    __syncwarp();
    float sums[rounds][4];
#pragma unroll
    for (int round = 0; round < rounds; ++round) {
      const unsigned piece = lane + round * 32;
      ffma::load_shared4(sums[round], stage + (piece / pieces * pitch + piece % pieces * 4) * 4);
    }
#pragma unroll 1
    for (unsigned number = 0; number < more.count; ++number) {
#pragma unroll
      for (int round = 0; round < rounds; ++round) {
        const unsigned piece = lane + round * 32;
        more.add(sums[round], number, i * 8 + piece / pieces, piece % pieces * 4);
      }
    }
#pragma unroll
    for (int round = 0; round < rounds; ++round) {
      const unsigned piece = lane + round * 32;
      const unsigned at = row + i * 8 + piece / pieces;
      const unsigned first = col + piece % pieces * 4;
      const float(&sum)[4] = sums[round];
      float* to = c + ffma::element_offset(at, first, ldc);
      if (at < static_cast<unsigned>(m) && first + 4 <= static_cast<unsigned>(n)) {
        ffma::store_scaled4(to, {sum[0], sum[1], sum[2], sum[3]}, alpha, beta);
      } else if (at < static_cast<unsigned>(m)) {
#pragma unroll
        for (int e = 0; e < 3; ++e) {
          if (first + e < static_cast<unsigned>(n)) ffma::store_scaled(to + e, sum[e], alpha, beta);
        }
      }
    }
  }
}

}  // namespace hopper
