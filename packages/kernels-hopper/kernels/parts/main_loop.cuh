#pragma once

#include <ffma/index.cuh>
#include <ffma/shared_vec.cuh>
#include <ffma/tma.cuh>

#include "k_major.cuh"

namespace hopper {

/// Shared memory of a block: the ring of stages, what is on its way to C, and an mbarrier for each stage. A stage is a
/// tile of A and one of B for each group of warps, which lie one behind the other along k.
template <class P>
struct layout {
  static constexpr unsigned a_tile = P::BM * P::STEPS * 4;
  static constexpr unsigned b_tile = P::STEPS * P::BN * 4;
  static constexpr unsigned a_bytes = P::K_GROUPS * a_tile;  // of a stage
  static constexpr unsigned b_bytes = P::K_GROUPS * b_tile;
  static constexpr unsigned ring_bytes = P::STAGES * (a_bytes + b_bytes);

  unsigned a_first;
  unsigned b_first;
  unsigned stores_first;
  unsigned full_first;

  __device__ __forceinline__ explicit layout(unsigned first)
      : a_first(first),
        b_first(first + P::STAGES * a_bytes),
        stores_first(first + ring_bytes),
        full_first(first + P::dynamicSharedBytes - 8 * P::STAGES) {}
};

/// What a block fetches next: stage number `stage` along k of the tile of C that begins at `tile`.
struct stage_place {
  ffma::tile_origin tile;
  unsigned stage;
};

/// A ring of stages that one thread keeps filled with what `source` names, and all warps read. Stages are numbered in the
/// order in which a block reads them, from piece to piece of its work: a ring that goes round does not stop at the end of
/// a tile, and neither do the phases of its mbarriers. `source(number)` is called once for each number, in order, by the
/// thread that fetches, and gives a stage_place.
template <class P, class Source>
struct ring {
  using own = layout<P>;
  static constexpr unsigned stage_steps = P::K_GROUPS * P::STEPS;

  const ffma::tensor_map* a_tiles;
  const ffma::tensor_map* b_tiles;
  own at;
  Source source;
  unsigned stages;  // that the block reads in all

  /// Asks for the tiles of a stage. What lies outside of a matrix comes as zeros.
  __device__ __forceinline__ void fetch(unsigned number) {
    const unsigned place = number % P::STAGES;
    const unsigned full = at.full_first + 8 * place;
    const stage_place from = source(number);
    ffma::arrive_expecting(full, own::a_bytes + own::b_bytes);
#pragma unroll
    for (unsigned part = 0; part < P::K_GROUPS; ++part) {
      const unsigned step = from.stage * stage_steps + part * P::STEPS;
      ffma::load_tile(at.a_first + place * own::a_bytes + part * own::a_tile, a_tiles, from.tile.row, step, full);
      ffma::load_tile(at.b_first + place * own::b_bytes + part * own::b_tile, b_tiles, step, from.tile.col, full);
    }
  }

  /// Makes the mbarriers, and asks for the first stages. All threads of a block call this.
  __device__ __forceinline__ void start() {
    if (threadIdx.x == 0) {
      for (int place = 0; place < P::STAGES; ++place) ffma::init_mbarrier(at.full_first + 8 * place, 1);
      ffma::fence_mbarriers();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      for (unsigned number = 0; number < P::STAGES && number < stages; ++number) fetch(number);
    }
  }

  /// Waits for a stage, and returns its place in the ring.
  __device__ __forceinline__ unsigned wait(unsigned number) const {
    const unsigned place = number % P::STAGES;
    ffma::wait_parity(at.full_first + 8 * place, number / P::STAGES % 2);
    return place;
  }

  /// Every LOCKSTEP stages all warps meet here, and what they have read is asked for anew. All threads of a block call
  /// this for each stage in order, each when it has begun the last chunk of the stage before: those before that are free.
  __device__ __forceinline__ void refill(unsigned number) {
    if (number == 0 || number % P::LOCKSTEP != 0) return;
    __syncthreads();
    if (threadIdx.x == 0) {
#pragma unroll
      for (unsigned next = number - 1 - P::LOCKSTEP + P::STAGES; next < number - 1 + P::STAGES; ++next) {
        if (next >= P::STAGES && next < stages) fetch(next);
      }
    }
  }
};

/// A block's only tile, fetched from its first stage on.
struct one_tile {
  ffma::tile_origin tile;

  __device__ __forceinline__ stage_place operator()(unsigned number) const { return {tile, number}; }
};

/// acc += the lane's patch of A B, over `whole` stages and `left` steps of one more, of which stage number `first` of the
/// ring is the first; of each stage the steps that are those of `group`, the group-th STEPS. The patch begins at row y and
/// column x of the block's tile. All threads of a block call this; behind it, the ring may still be read by others.
template <class P, class Source>
__device__ __forceinline__ void multiply_stages(float (&acc)[P::TM][P::TN], ring<P, Source>& stages, unsigned first,
                                                unsigned whole, unsigned left, unsigned group, unsigned y, unsigned x) {
  using own = layout<P>;
  constexpr int down = P::WM / P::TM;  // lanes of a warp
  constexpr int across = P::WN / P::TN;
  static_assert(down == 8 && across == 4, "Eight rows of a swizzled tile have their pieces in eight different places");
  static_assert(P::STEPS == 32 || P::STEPS == 16, "A row of A's tile is as long as its swizzle is wide, 128 or 64 bytes");
  constexpr int steps = P::STEPS;
  constexpr int chunks = steps / 4;  // of a tile

  // Load: chunks of four steps of A's rows, and single steps of B's columns. The piece of a row of A that holds a chunk is
  // at the chunk's number, exclusive or that of the 128 bytes that the row is in, modulo 8 (4 where a row has 64 bytes).
  float a_own[P::TM][4];
  float b_own[2][P::TN];
  const unsigned a_own_first = stages.at.a_first + group * own::a_tile + y * steps * 4 + (steps == 32 ? y % 8 : y / 2 % 4) * 16;
  const unsigned b_own_first = stages.at.b_first + group * own::b_tile + x * 4;
  const auto load_a = [&](unsigned from) {
#pragma unroll
    for (int i = 0; i < P::TM; ++i) ffma::load_shared4(a_own[i], from + i * down * steps * 4);
  };
  const auto load_b = [&](int set, unsigned from) {
#pragma unroll
    for (int j = 0; j < P::TN; j += 4) ffma::load_shared4(&b_own[set][j], from + j * across * 4);
  };

  // Multiply: four steps, while what follows is loaded: B's step after each, and after the last the next chunk.
  constexpr unsigned b_step = P::BN * 4;
  const auto multiply = [&](unsigned b_chunk, unsigned a_next, unsigned b_next, bool more) {
#pragma unroll
    for (int step = 0; step < 4; ++step) {
      if (step < 3) {
        load_b((step + 1) % 2, b_chunk + (step + 1) * b_step);
      } else if (more) {
        load_b(0, b_next);
      }
      outer_product_of<P::ORDER>(acc, a_own, step, b_own[step % 2]);
    }
    if (more) load_a(a_next);
  };

  // The loop turns between two chunks of a stage, one chunk late, so that it ends where a stage begins.
  const unsigned end = first + whole;
  if (whole > 0) {
    const unsigned begin = stages.wait(first);
    unsigned a_stage = a_own_first + begin * own::a_bytes;
    unsigned b_chunk = b_own_first + begin * own::b_bytes;
    unsigned b_next = b_chunk + 4 * b_step;
    stages.refill(first);
    load_a(a_stage);
    load_b(0, b_chunk);
    multiply(b_chunk, a_stage ^ 16, b_next, true);
    b_chunk = b_next;
    b_next += 4 * b_step;
    unsigned piece = 2 * 16;
#pragma unroll 1
    for (unsigned number = first;;) {
#pragma unroll 1
      do {
        multiply(b_chunk, a_stage ^ piece, b_next, true);
        multiply(b_next, a_stage ^ piece ^ 16, b_next + 4 * b_step, true);
        piece += 2 * 16;
        b_chunk = b_next + 4 * b_step;
        b_next += 8 * b_step;
      } while (piece < chunks * 16);
      if (++number == end) break;
      const unsigned place = stages.wait(number);
      a_stage = a_own_first + place * own::a_bytes;
      b_next = b_own_first + place * own::b_bytes;
      piece = 0;
      // Behind these, not before: ptxas 13.0 otherwise makes one loop of both, with a third of its sums in place.
      stages.refill(number);
    }
    multiply(b_chunk, 0, 0, false);
  }

  // What is left along k, step by step: zeros that came from outside of the matrices must not be added to a sum of -0.
  if (left > 0) {
    const unsigned place = stages.wait(end);
    stages.refill(end);
    const unsigned a_stage = a_own_first + place * own::a_bytes;
    const unsigned b_stage = b_own_first + place * own::b_bytes;
    const unsigned own_left = left > group * steps ? left - group * steps : 0;
#pragma unroll 1
    for (unsigned step = 0; step < steps && step < own_left; ++step) {
#pragma unroll
      for (int i = 0; i < P::TM; ++i) {
        a_own[i][0] = ffma::load_shared((a_stage ^ step / 4 * 16) + step % 4 * 4 + i * down * steps * 4);
      }
      load_b(0, b_stage + step * b_step);
      outer_product_of<P::ORDER>(acc, a_own, 0, b_own[0]);
    }
  }
}

/// acc = the lane's patch of A B for the one tile of a block, whose origin is `tile`; otherwise as multiply_stages.
template <class P>
__device__ __forceinline__ void multiply_tile(float (&acc)[P::TM][P::TN], const ffma::tensor_map* a_tiles,
                                              const ffma::tensor_map* b_tiles, const layout<P>& at,
                                              ffma::tile_origin tile, int k, unsigned group, unsigned y, unsigned x) {
  constexpr unsigned stage_steps = ring<P, one_tile>::stage_steps;
  const unsigned whole = static_cast<unsigned>(k) / stage_steps;  // stages; what is left is one more
  const unsigned left = static_cast<unsigned>(k) % stage_steps;
  ring<P, one_tile> stages{a_tiles, b_tiles, at, {tile}, whole + (left > 0 ? 1 : 0)};
  stages.start();
  multiply_stages<P>(acc, stages, 0, whole, left, group, y, x);
}

}  // namespace hopper
