// streamk-deterministic: k14 with parts added in a fixed order, so that the same launch gives the same bits every time.
// A block that computes a part of a tile, other than its first chunks, puts the sums into its slot of a workspace and
// raises its flag. Whoever has the tile's first chunks waits for the others, adds their parts in the order of k, and
// stores. That is the last piece of its share, and a part in a slot the first of its owner's: nobody waits for long.
// Shares are dealt out from the last block to the first, so that a block waits only for blocks that started before it.
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

/// The first `whole` tiles are computed whole, those behind them shared. `slots` holds a tile for every block, `flags` a
/// word.
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

  // A slot holds the threads' patches four floats at a time, those of all threads side by side.
  const auto slot = [&](unsigned of, int i, int j) {
    const unsigned long long four = (i * P::TN + j) / 4 * P::threads + threadIdx.x;
    return static_cast<float*>(slots) + of * static_cast<unsigned long long>(P::BM * P::BN) + four * 4;
  };
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

    if (part.first > 0) {
      // Put the part into this block's slot: every thread writes, then one says so for all.
#pragma unroll
      for (int i = 0; i < P::TM; ++i) {
#pragma unroll
        for (int j = 0; j < P::TN; j += 4) {
          ffma::store4(slot(block, i, j), {acc[i][j], acc[i][j + 1], acc[i][j + 2], acc[i][j + 3]});
        }
      }
      __syncthreads();
      if (threadIdx.x == 0) ffma::signal(&raised[block]);
      continue;
    }

    // Add the parts of the blocks behind this one, as far as they lie within the tile. A share may be empty.
    const unsigned long long tile_end = static_cast<unsigned long long>(part.tile - whole + 1) * chunks;
    unsigned long long done = share.next;
#pragma unroll 1
    for (unsigned other = block + 1; part.count < chunks && done < tile_end; ++other) {
      const unsigned long long end = stream_k::cut(line, other + 1, gridDim.x);
      if (end == done) continue;
      done = end;
      if (threadIdx.x == 0) ffma::wait_for(&raised[other]);
      __syncthreads();
#pragma unroll
      for (int i = 0; i < P::TM; ++i) {
#pragma unroll
        for (int j = 0; j < P::TN; j += 4) {
          const ffma::vec4 theirs = ffma::load4(slot(other, i, j));
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
