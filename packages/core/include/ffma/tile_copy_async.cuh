#pragma once

#include "async_copy.cuh"
#include "index.cuh"

namespace ffma {

/// Starts the copy of a ROWS x COLS tile of a row-major matrix into shared memory, rows PITCH floats apart, 16 bytes at
/// a time. All THREADS of a block take part, neighbours along a row. The tile exists as a whole, and its rows start at
/// multiples of 16 bytes on both sides.
template <int THREADS, int ROWS, int COLS, int PITCH>
__device__ __forceinline__ void copy_tile4_async(unsigned to, const float* from, int ld, unsigned thread) {
  static_assert(COLS % 4 == 0 && PITCH % 4 == 0, "A row is whole float4s");
  static_assert(ROWS * COLS % (4 * THREADS) == 0, "Every thread copies as many float4s");
#pragma unroll
  for (unsigned at = 0; at < ROWS * COLS / 4; at += THREADS) {
    const unsigned row = (at + thread) / (COLS / 4);
    const unsigned col = (at + thread) % (COLS / 4) * 4;
    copy4_async(to + (row * PITCH + col) * 4, from + element_offset(row, col, ld));
  }
}

/// The same tile stored transposed: column after column, PITCH floats apart. cp.async moves no more than what stays
/// together, so that is a copy for every float. Eight lanes fill a sector of a row; with a PITCH of ROWS + 4 the 32
/// floats of a warp land in 32 banks.
template <int THREADS, int ROWS, int COLS, int PITCH>
__device__ __forceinline__ void copy_tile_transposed_async(unsigned to, const float* from, int ld, unsigned thread) {
  static_assert(COLS % 8 == 0 && ROWS * 8 % THREADS == 0, "Eight lanes take a sector, and all threads as many");
#pragma unroll
  for (unsigned part = 0; part < COLS; part += 8) {
#pragma unroll
    for (unsigned at = 0; at < ROWS; at += THREADS / 8) {
      const unsigned row = at + thread / 8;
      const unsigned col = part + thread % 8;
      copy1_async(to + (col * PITCH + row) * 4, from + element_offset(row, col, ld));
    }
  }
}

}  // namespace ffma
