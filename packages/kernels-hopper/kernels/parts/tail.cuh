#pragma once

#include "main_loop.cuh"

#include <ffma/raster.cuh>

namespace hopper {

/// A run of stages of one tile, which a block multiplies at a time. None is left where `count` is 0.
struct piece {
  unsigned tile;
  unsigned first;  // stage along k
  unsigned count;  // stages
};

/// Where share number `share` of `shares` starts on a line of `length` stages.
__device__ __forceinline__ unsigned cut(unsigned length, unsigned share, unsigned shares) {
  return static_cast<unsigned>(static_cast<unsigned long long>(length) * share / shares);
}

/// A block's work, piece by piece: whole tiles, each gridDim.x tiles behind the last, then its share of the line on which
/// the tiles behind the first `whole` lie one after the other, each `stages` long. Only the first blocks have a share.
struct work {
  unsigned next_tile;
  unsigned whole;
  unsigned stages;  // of a tile
  unsigned next;    // on the line
  unsigned end;

  /// The next piece: a tile, or what the share has of one.
  __device__ __forceinline__ piece take() {
    if (next_tile < whole) {
      const unsigned tile = next_tile;
      next_tile += gridDim.x;
      return {tile, 0, stages};
    }
    const unsigned tile = next / stages;
    const unsigned first = next - tile * stages;
    const unsigned count = end - next < stages - first ? end - next : stages - first;
    next += count;
    return {whole + tile, first, count};
  }

  /// Stages of all pieces together.
  __device__ __forceinline__ unsigned total() const {
    const unsigned tiles = next_tile < whole ? (whole - next_tile + gridDim.x - 1) / gridDim.x : 0;
    return tiles * stages + end - next;
  }
};

/// What a ring fetches of such work: the stages of a piece, then those of the next.
template <class P>
struct work_stages {
  work own;
  unsigned down;  // tiles of C
  unsigned across;
  stage_place next;
  unsigned left;  // stages of the piece that is being fetched

  __device__ __forceinline__ stage_place operator()(unsigned) {
    if (left == 0) {
      const piece part = own.take();
      next = {ffma::grouped_tile<P::BM, P::BN, P::GROUP_M>(part.tile, down, across), part.first};
      left = part.count;
    }
    --left;
    const stage_place now = next;
    ++next.stage;
    return now;
  }
};

}  // namespace hopper
