#pragma once

#include "index.cuh"
#include "vec.cuh"

namespace ffma {

/// Copies a ROWS x COLS tile of a row-major matrix to shared memory. All THREADS of a block take part, neighbours
/// along a row. `from` is the tile's first element, of which `rows` rows and `cols` columns exist; zeros elsewhere.
template <int THREADS, int ROWS, int COLS>
__device__ __forceinline__ void copy_tile(float (&tile)[ROWS][COLS], const float* from, int ld, unsigned rows,
                                          unsigned cols, unsigned thread) {
  static_assert(ROWS * COLS % THREADS == 0, "Every thread copies as many elements");
#pragma unroll
  for (unsigned at = 0; at < ROWS * COLS; at += THREADS) {
    const unsigned row = (at + thread) / COLS;
    const unsigned col = (at + thread) % COLS;
    tile[row][col] = row < rows && col < cols ? from[element_offset(row, col, ld)] : 0.0f;
  }
}

/// copy_tile by 128-bit accesses, for a tile that exists as a whole. Rows start at multiples of 16 bytes on both sides.
template <int THREADS, int ROWS, int COLS>
__device__ __forceinline__ void copy_tile4(float (&tile)[ROWS][COLS], const float* from, int ld, unsigned thread) {
  static_assert(COLS % 4 == 0 && ROWS * COLS % (4 * THREADS) == 0, "Every thread copies as many float4s");
#pragma unroll
  for (unsigned at = 0; at < ROWS * COLS / 4; at += THREADS) {
    const unsigned row = (at + thread) / (COLS / 4);
    const unsigned col = (at + thread) % (COLS / 4) * 4;
    store4(&tile[row][col], load4(from + element_offset(row, col, ld)));
  }
}

/// Copies a ROWS x COLS tile by 128-bit loads and stores it transposed, element by element: tile[col][row].
/// A warp takes 8 columns of 16 rows, so that two lanes fill a sector; with a PITCH of ROWS + 4 the 32 elements that
/// its lanes store at a time lie in 32 banks, because 4 rows of the transposed tile are then half of all banks apart.
template <int THREADS, int ROWS, int COLS, int PITCH>
__device__ __forceinline__ void copy_tile4_transposed(float (&tile)[COLS][PITCH], const float* from, int ld,
                                                      unsigned thread) {
  static_assert(ROWS % 16 == 0 && COLS % 8 == 0, "A warp takes 8 columns of 16 rows");
  static_assert(ROWS <= PITCH && ROWS * COLS % (4 * THREADS) == 0, "Every thread copies as many float4s");
#pragma unroll
  for (unsigned at = 0; at < ROWS * COLS / 4; at += THREADS) {
    const unsigned row = (at + thread) / 2 % ROWS;
    const unsigned col = (at + thread) / (2 * ROWS) * 8 + thread % 2 * 4;
    const vec4 four = load4(from + element_offset(row, col, ld));
    tile[col][row] = four.x;
    tile[col + 1][row] = four.y;
    tile[col + 2][row] = four.z;
    tile[col + 3][row] = four.w;
  }
}

}  // namespace ffma
