#pragma once

namespace ffma {

/// Elements from a matrix's first one to (row, col), row-major with leading dimension ld. 64 bits, because
/// row * ld passes 2^31 long before memory runs out.
__device__ __forceinline__ unsigned long long element_offset(unsigned row, unsigned col, int ld) {
  return static_cast<unsigned long long>(row) * static_cast<unsigned>(ld) + col;
}

/// Tiles of `tile` elements that cover `extent` >= 1, without passing 2^31 on the way.
template <int tile>
__device__ __forceinline__ unsigned tiles_across(int extent) {
  return (static_cast<unsigned>(extent) + (tile - 1)) / tile;
}

/// Where a tile of C starts, in elements. Unsigned: a row inside the last tile may pass 2^31 - 1.
struct tile_origin {
  unsigned row;
  unsigned col;
};

/// Origin of this block's BM x BN tile of C, which has n columns. The grid is one-dimensional, tile rows one after
/// the other: its x extent alone may pass 65535, so every C that fits in memory can be covered.
template <int BM, int BN>
__device__ __forceinline__ tile_origin block_tile(int n) {
  const unsigned across = tiles_across<BN>(n);
  return {blockIdx.x / across * BM, blockIdx.x % across * BN};
}

}  // namespace ffma
