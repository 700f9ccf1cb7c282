// streamk-deterministic: k14 with parts added in a fixed order, so that the same launch gives the same bits every time.
// A block that computes a part of a tile, other than its first chunks, puts the sums into its slot of a workspace and
// raises its flag. Whoever has the tile's first chunks waits for the others, adds their parts in the order of k, and
// stores. That is the last piece of its share, and a part in a slot the first of its owner's: nobody waits for long.
// Shares are dealt out from the last block to the first, so that a block waits only for blocks that started before it.
// With FIXUP_APART nobody waits: all parts go to slots, and `fixup`, a launch of its own, adds them in the same order.
// m, n and k are multiples of the tile, rows start at multiples of 16 bytes.

#include <ffma/atomic.cuh>
#include <ffma/epilogue.cuh>
#include <ffma/vec.cuh>

#include "../parts/stream.cuh"

/// Flags are down again before anybody can wait for one.
template <class P>
__device__ __forceinline__ void clear(void* flags, int count) {
  const unsigned at = blockIdx.x * P::clearThreads + threadIdx.x;
  if (at < count) static_cast<unsigned*>(flags)[at] = 0;
}

/// Four floats of a tile's sums in slot number `number` of the workspace, from row i and column j of this thread's patch
/// on. A slot holds the threads' patches four floats at a time, those of all threads side by side.
template <class P>
__device__ __forceinline__ float* slot(void* slots, unsigned number, int i, int j) {
  const unsigned four = (i * P::TN + j) / 4 * P::threads + threadIdx.x;
  return static_cast<float*>(slots) + number * static_cast<unsigned long long>(P::BM * P::BN) + four * 4;
}

/// A share has at most two parts of tiles that it does not have whole: its first piece, where that starts behind the
/// tile's first chunk, and its last. With FIXUP_APART, each has a slot.
template <class P>
__device__ __forceinline__ unsigned slot_of(unsigned block, bool from_first_chunk) {
  return P::FIXUP_APART ? 2 * block + from_first_chunk : block;
}

/// The first `whole` tiles are computed whole, those behind them shared. `slots` holds a tile for every block, or two;
/// `flags` a word, unused with FIXUP_APART.
template <class P>
__device__ __forceinline__ void gemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                     int m, int n, int k, int lda, int ldb, int ldc, float alpha, float beta, int whole,
                                     void* slots, void* flags) {
  extern __shared__ __align__(16) float shared[];
  const unsigned down = m / P::BM;
  const unsigned across = n / P::BN;
  const unsigned chunks = k / P::BK;
  const unsigned block = gridDim.x - 1 - blockIdx.x;  // place in line
  const stream_k::patch<P> own(threadIdx.x);
  float acc[P::TM][P::TN];

  unsigned* raised = static_cast<unsigned*>(flags);
  const unsigned long long line = static_cast<unsigned long long>(down * across - whole) * chunks;

  auto share = stream_k::share_of(line, block);
  unsigned next_whole = block;
#pragma unroll 1
  while (next_whole < whole || share.next < share.end) {
    stream_k::piece part = {next_whole, 0, chunks};
    if (next_whole < whole) {
      next_whole += gridDim.x;
    } else {
      part = take(share, chunks);
      part.tile += whole;
    }
    const auto tile = ffma::grouped_tile<P::BM, P::BN, P::GROUP_M>(part.tile, down, across);
    const float* a_from = a + ffma::element_offset(tile.row, part.first * P::BK, lda);
    const float* b_from = b + ffma::element_offset(part.first * P::BK, tile.col, ldb);
    stream_k::multiply<P>(acc, own, shared, a_from, b_from, lda, ldb, part.count);

    if (part.first > 0 || (P::FIXUP_APART && part.count < chunks)) {
      // Put the part into its slot: every thread writes, then one says so for all who wait.
      const unsigned own_slot = slot_of<P>(block, part.first == 0);
#pragma unroll
      for (int i = 0; i < P::TM; ++i) {
#pragma unroll
        for (int j = 0; j < P::TN; j += 4) {
          ffma::store4(slot<P>(slots, own_slot, i, j), {acc[i][j], acc[i][j + 1], acc[i][j + 2], acc[i][j + 3]});
        }
      }
      if constexpr (!P::FIXUP_APART) {
        __syncthreads();
        if (threadIdx.x == 0) ffma::signal(&raised[block]);
      }
      continue;
    }

    // Add the parts of the blocks behind this one, as far as they lie within the tile. A share may be empty.
    const unsigned long long tile_end = static_cast<unsigned long long>(part.tile - whole + 1) * chunks;
    unsigned long long done = share.next;
#pragma unroll 1
    for (unsigned other = block + 1; !P::FIXUP_APART && part.count < chunks && done < tile_end; ++other) {
      const unsigned long long end = stream_k::cut(line, other + 1, gridDim.x);
      if (end == done) continue;
      done = end;
      if (threadIdx.x == 0) ffma::wait_for(&raised[other]);
      __syncthreads();
#pragma unroll
      for (int i = 0; i < P::TM; ++i) {
#pragma unroll
        for (int j = 0; j < P::TN; j += 4) {
          const ffma::vec4 theirs = ffma::load4(slot<P>(slots, slot_of<P>(other, false), i, j));
          acc[i][j] += theirs.x;
          acc[i][j + 1] += theirs.y;
          acc[i][j + 2] += theirs.z;
          acc[i][j + 3] += theirs.w;
        }
      }
    }
#pragma unroll
    for (int i = 0; i < P::TM; ++i) {
      ffma::store_scaled_dealt<own.run, own.across>(c + own.row(tile, i, ldc), acc[i], alpha, beta);
    }
  }
}

/// With FIXUP_APART: adds the parts of the tiles that no block had whole, in the order of k, and stores them. A block
/// takes one row of every patch of one tile; `blocks` is how many had shares.
template <class P>
__device__ __forceinline__ void fixup(float* __restrict__ c, int m, int n, int k, int ldc, float alpha, float beta,
                                      int whole, int blocks, void* slots) {
  if constexpr (P::FIXUP_APART) {
    const unsigned down = m / P::BM;
    const unsigned across = n / P::BN;
    const unsigned chunks = k / P::BK;
    const unsigned number = blockIdx.x / P::TM;  // on the line
    const int i = blockIdx.x % P::TM;
    const unsigned long long line = static_cast<unsigned long long>(down * across - whole) * chunks;
    const unsigned long long start = static_cast<unsigned long long>(number) * chunks;
    const unsigned long long tile_end = start + chunks;

    // The last block whose share starts no later than the tile: cut(line, b) <= start.
    unsigned other = static_cast<unsigned>(((start + 1) * blocks + line - 1) / line - 1);
    unsigned long long done = stream_k::cut(line, other + 1, blocks);
    if (done >= tile_end) return;  // it had the tile whole

    float sum[P::TN];
#pragma unroll
    for (int j = 0; j < P::TN; j += 4) {
      const ffma::vec4 first = ffma::load4(slot<P>(slots, slot_of<P>(other, true), i, j));
      sum[j] = first.x;
      sum[j + 1] = first.y;
      sum[j + 2] = first.z;
      sum[j + 3] = first.w;
    }
#pragma unroll 1
    while (done < tile_end) {
      ++other;
      const unsigned long long end = stream_k::cut(line, other + 1, blocks);
      if (end == done) continue;  // an empty share
      done = end;
#pragma unroll
      for (int j = 0; j < P::TN; j += 4) {
        const ffma::vec4 theirs = ffma::load4(slot<P>(slots, slot_of<P>(other, false), i, j));
        sum[j] += theirs.x;
        sum[j + 1] += theirs.y;
        sum[j + 2] += theirs.z;
        sum[j + 3] += theirs.w;
      }
    }
    const stream_k::patch<P> own(threadIdx.x);
    const auto tile = ffma::grouped_tile<P::BM, P::BN, P::GROUP_M>(whole + number, down, across);
    ffma::store_scaled_dealt<own.run, own.across>(c + own.row(tile, i, ldc), sum, alpha, beta);
  }
}
