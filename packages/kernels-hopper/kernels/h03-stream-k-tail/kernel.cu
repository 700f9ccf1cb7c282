// h03: h01 with as many blocks as run at a time, which go from tile to tile and never let the ring of stages run dry;
// the tiles that are left for a last, uneven wave are cut along k and shared.
// A block computes BM x BN tiles of C, laid out on warps and lanes as in h01. Whoever computes later stages of a shared
// tile puts the sums into its slot of a workspace and raises its flag; whoever has the tile's first stages waits for the
// others, adds their sums in the order of k, and stores. That is the last piece of its share, and sums in a slot the first
// of their owner's: nobody waits for somebody who waits for it. Shares are dealt out from the last block to the first, so
// that a block waits only for blocks that started before it. Rows start at multiples of 16 bytes; m, n and k are what
// they are.

#include "../parts/scale.cuh"
#include "../parts/store_rows.cuh"
#include "../parts/tail.cuh"

#include <ffma/atomic.cuh>
#include <ffma/vec.cuh>

/// Flags are down before anybody looks.
template <class P>
__device__ __forceinline__ void clear(void* flags, int count) {
  const unsigned at = blockIdx.x * P::clearThreads + threadIdx.x;
  if (at < count) static_cast<unsigned*>(flags)[at] = 0;
}

/// Sums of a tile in neighbouring slots of the workspace, each BM x BN floats row by row; of a warp's tile in it.
template <class P>
struct slots_behind {
  const float* first;  // element of the warp's tile in the first slot
  unsigned count;

  __device__ __forceinline__ void add(float (&sums)[4], unsigned number, unsigned row, unsigned col) const {
    const ffma::vec4 theirs =
        ffma::load4(first + number * static_cast<unsigned long long>(P::BM * P::BN) + row * P::BN + col);
    sums[0] += theirs.x;
    sums[1] += theirs.y;
    sums[2] += theirs.z;
    sums[3] += theirs.w;
  }
};

/// The first `whole` tiles are computed whole, those behind them by `shares` blocks, none of which has an empty share.
template <class P>
__device__ __forceinline__ void gemm(const ffma::tensor_map* a_tiles, const ffma::tensor_map* b_tiles,
                                     float* __restrict__ c, int m, int n, int k, int ldc, float alpha, float beta,
                                     int whole, int shares, void* slots, void* flags) {
  static_assert(P::K_GROUPS == 1, "All warps go along all of k");
  static_assert(P::threads == P::BM / P::WM * (P::BN / P::WN) * 32, "One warp computes one warp tile");
  constexpr unsigned store_bytes = hopper::stores_bytes<P::WN>;  // of a warp
  static_assert(hopper::layout<P>::ring_bytes + P::threads / 32 * store_bytes + 8 * P::STAGES == P::dynamicSharedBytes,
                "The declaration states the same shared memory");
  extern __shared__ __align__(1024) float shared[];
  const hopper::layout<P> at(ffma::shared_address(shared));

  // Own: a patch of a warp tile, dealt out to lanes: rows one by one, columns in runs of 4.
  const unsigned warp = threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
  const unsigned y = warp / (P::BN / P::WN) * P::WM;
  const unsigned x = warp % (P::BN / P::WN) * P::WN;

  // Work: whole tiles, then a share of the line of those that are left.
  const unsigned block = gridDim.x - 1 - blockIdx.x;  // place in line
  const unsigned down = ffma::tiles_across<P::BM>(m);
  const unsigned across = ffma::tiles_across<P::BN>(n);
  const unsigned full_stages = static_cast<unsigned>(k) / P::STEPS;
  const unsigned left = static_cast<unsigned>(k) % P::STEPS;  // steps of one more
  const unsigned stages = full_stages + (left > 0 ? 1 : 0);
  const unsigned line = (down * across - whole) * stages;
  hopper::work own = {block, static_cast<unsigned>(whole), stages, 0, 0};
  if (block < shares) {
    own.next = hopper::cut(line, block, shares);
    own.end = hopper::cut(line, block + 1, shares);
  }
  hopper::ring<P, hopper::work_stages<P>> ring{a_tiles, b_tiles, at, {own, down, across, {}, 0}, own.total()};
  ring.start();

  unsigned* raised = static_cast<unsigned*>(flags);
  unsigned number = 0;  // of the piece's first stage in the ring
#pragma unroll 1
  while (number < ring.stages) {
    const hopper::piece part = own.take();
    const bool to_end = part.first + part.count == stages;
    float acc[P::TM][P::TN] = {};
    hopper::multiply_stages<P>(acc, ring, number, to_end ? full_stages - part.first : part.count, to_end ? left : 0, 0,
                               y + lane / 4, x + lane % 4 * 4);
    number += part.count;

    // Wait: where the tile's first stages are this block's and others have the rest, those are the blocks behind it.
    unsigned behind = block + 1;
    if (part.first == 0 && part.count < stages) {
      const unsigned tile_end = own.next + stages - part.count;
      while (hopper::cut(line, behind, shares) < tile_end) ++behind;
      for (unsigned other = block + 1 + threadIdx.x; other < behind; other += P::threads) ffma::wait_for(&raised[other]);
      __syncthreads();
    }

    // Store: to C with the sums of the others; those of later stages to the block's slot, as if that were C, and then one
    // thread says so for all. It is the same code for both, so that the sums have the same registers as in h01.
    const bool mine = part.first == 0;
    const auto slot_of = [&](unsigned of) {
      return static_cast<float*>(slots) + of * static_cast<unsigned long long>(P::BM * P::BN);
    };
    const slots_behind<P> others{slot_of(block + 1) + y * P::BN + x, behind - block - 1};
    const auto tile = ffma::grouped_tile<P::BM, P::BN, P::GROUP_M>(part.tile, down, across);
    hopper::store_by_rows<P::WN>(acc, at.stores_first + warp * store_bytes, lane, mine ? c : slot_of(block),
                                 mine ? tile.row + y : y, mine ? tile.col + x : x, mine ? m : P::BM, mine ? n : P::BN,
                                 mine ? ldc : P::BN, mine ? alpha : 1.0f, mine ? beta : 0.0f, others);
    if (!mine) {
      __syncthreads();
      if (threadIdx.x == 0) ffma::signal(&raised[block]);
    }
  }
}
