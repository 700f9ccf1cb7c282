#pragma once

// How Stream-K deals out a product, and the main loop that all of its kernels share: k11's.

#include <ffma/fragment.cuh>
#include <ffma/hoisted_copies.cuh>
#include <ffma/index.cuh>
#include <ffma/order.cuh>
#include <ffma/raster.cuh>

namespace stream_k {

/// A block's share of the tiles that are not computed whole: chunks [next, end) of a line on which these tiles lie one
/// after the other, each as long as k has chunks. The line is cut evenly, wherever the cuts fall.
struct share {
  unsigned long long next;
  unsigned long long end;
};

/// Where the share of block number `block` of `blocks` starts on a line of `length` chunks.
__device__ __forceinline__ unsigned long long cut(unsigned long long length, unsigned block, unsigned blocks) {
  return length * block / blocks;
}

/// The share of block number `block`.
__device__ __forceinline__ share share_of(unsigned long long length, unsigned block) {
  return {cut(length, block, gridDim.x), cut(length, block + 1, gridDim.x)};
}

/// A run of chunks of one tile: what is multiplied at a time.
struct piece {
  unsigned tile;   // on the line
  unsigned first;  // chunk of k
  unsigned count;  // chunks
};

/// Takes the next piece off a share: to the end of its tile, or of the share.
__device__ __forceinline__ piece take(share& own, unsigned chunks) {
  const auto tile = static_cast<unsigned>(own.next / chunks);
  const auto first = static_cast<unsigned>(own.next % chunks);
  const unsigned long long left = own.end - own.next;
  const unsigned count = left < chunks - first ? static_cast<unsigned>(left) : chunks - first;
  own.next += count;
  return {tile, first, count};
}

/// Where a lane's patch lies in a block's tile, in elements. Lane and warp count along a row first, then down; rows and
/// columns are dealt out to lanes in runs of 4.
template <class P>
struct patch {
  static constexpr int down = P::WM / P::TM;  // lanes of a warp
  static constexpr int across = P::WN / P::TN;
  static constexpr int run = 4;
  static_assert(down * across == 32, "One lane computes one patch");
  static_assert(P::threads == P::BM / P::WM * (P::BN / P::WN) * 32, "One warp computes one warp tile");

  unsigned y;
  unsigned x;

  __device__ __forceinline__ explicit patch(unsigned thread) {
    const unsigned warp = thread / 32;
    const unsigned lane = thread % 32;
    y = warp / (P::BN / P::WN) * P::WM + lane / across * run;
    x = warp % (P::BN / P::WN) * P::WN + lane % across * run;
  }

  /// Element of a row-major matrix with leading dimension ld at row i of the patch in `tile`, and its first column.
  __device__ __forceinline__ unsigned long long row(ffma::tile_origin tile, int i, int ld) const {
    return ffma::element_offset(tile.row + y + ffma::dealt<run, down>(i), tile.col + x, ld);
  }
};

/// acc = A * B over `count` chunks of one tile, as k11 does it: cp.async fills a ring of STAGES pairs of tiles, A
/// transposed on the way, and operands are read a step ahead. `a` and `b` are the first chunk's first elements. On
/// return every thread has done with `shared`, STAGES * P::stageFloats floats.
template <class P>
__device__ __forceinline__ void multiply(float (&acc)[P::TM][P::TN], const patch<P>& own, float* shared, const float* a,
                                         const float* b, int lda, int ldb, int count) {
  constexpr int a_pitch = P::BM + 4;
  constexpr int a_floats = P::BK * a_pitch;
  constexpr int stage_floats = a_floats + P::BK * P::BN;
  static_assert(P::STAGES * stage_floats * 4 == P::dynamicSharedBytes, "The declaration states the same shared memory");

  // Fetch: starts copies of the next chunk into the next stage to fill; `finish` makes a group of them and goes on.
  // Stages are counted in floats.
  const unsigned to = ffma::shared_address(shared);
  ffma::hoisted_transposed_copies<P::threads, P::BM, P::BK, a_pitch> a_copies(to, a, lda, threadIdx.x);
  ffma::hoisted_copies<P::threads, P::BK, P::BN, P::BN> b_copies(to + a_floats * 4, b, ldb, threadIdx.x);
  constexpr int copies = a_copies.count + b_copies.count;
  const auto next_stage = [](int stage) { return stage == (P::STAGES - 1) * stage_floats ? 0 : stage + stage_floats; };
  int filling = 0;
  const auto fetch = [&](int first, int last) {
#pragma unroll
    for (int i = first; i < last && i < copies; ++i) {
      if (i < a_copies.count) {
        a_copies.start(i, filling * 4);
      } else {
        b_copies.start(i - a_copies.count, filling * 4);
      }
    }
  };
  const auto finish = [&](bool wanted) {
    if (wanted) {
      a_copies.advance();
      b_copies.advance();
    }
    ffma::commit_copies();
    filling = next_stage(filling);
  };
  // Steps that copies are spread over: all but the last, which waits for the chunk after this one.
  constexpr int steps = P::SPREAD ? P::BK - 1 : 1;
  constexpr int copies_a_step = (copies + steps - 1) / steps;

  // Load: this lane's operands of one step, from shared memory into one of two sets of registers.
  float a_own[2][P::TM];
  float b_own[2][P::TN];
  const float* a_at = shared + own.y;
  const float* b_at = shared + a_floats + own.x;
  const auto load = [&](int set, int stage, int step) {
    ffma::load_dealt_fragment<patch<P>::run, patch<P>::down>(a_own[set], a_at + stage + step * a_pitch);
    ffma::load_dealt_fragment<patch<P>::run, patch<P>::across>(b_own[set], b_at + stage + step * P::BN);
  };
  const auto arrive = [&] {  // the oldest chunk on its way is there for all, and nobody reads the one before any more
    ffma::wait_copies<P::STAGES - 2>();
    __syncthreads();
  };

#pragma unroll
  for (int i = 0; i < P::TM; ++i) {
#pragma unroll
    for (int j = 0; j < P::TN; ++j) acc[i][j] = 0.0f;
  }
#pragma unroll
  for (int chunk = 0; chunk < P::STAGES - 1; ++chunk) {
    if (chunk < count) fetch(0, copies);
    finish(chunk < count);
  }
  if (count > 0) {
    arrive();
    load(0, 0, 0);
  }
  int stage = 0;
#pragma unroll 1
  for (int chunk = 0; chunk < count; ++chunk) {
    const bool more = chunk + P::STAGES - 1 < count;
#pragma unroll
    for (int step = 0; step < P::BK; ++step) {
      if (step == P::BK - 1) {
        arrive();
        // Behind the last chunk there is none: its own first step is read once more, and not used.
        stage = chunk + 1 < count ? next_stage(stage) : stage;
      }
      load((step + 1) % 2, stage, (step + 1) % P::BK);
      if (step < steps && more) fetch(step * copies_a_step, (step + 1) * copies_a_step);
      if (step == steps - 1) finish(more);
      ffma::outer_product_in<P::FFMA_ORDER>(acc, a_own[step % 2], b_own[step % 2]);
    }
  }
  __syncthreads();
}

}  // namespace stream_k
