#pragma once

#include "index.cuh"

namespace ffma {

/// Origin of tile number `index` of a C of `down` x `across` tiles, counted in groups of `group` tile rows: down the
/// rows of a group first, then to its next column. Blocks that run at the same time then share rows of A and columns of
/// B in the L2 cache. group = 1 counts row by row. A group's tiles must be fewer than 2^32: group <= 2 * BN does for
/// any n.
template <int BM, int BN, int group>
__device__ __forceinline__ tile_origin grouped_tile(unsigned index, unsigned down, unsigned across) {
  if (group == 1) return {index / across * BM, index % across * BN};
  const unsigned first = index / (group * across) * group;
  const unsigned rows = down - first < group ? down - first : group;
  const unsigned within = index % (group * across);
  return {(first + within % rows) * BM, within / rows * BN};
}

}  // namespace ffma
