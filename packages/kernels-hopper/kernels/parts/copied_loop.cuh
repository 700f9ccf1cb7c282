#pragma once

#include <ffma/shared_vec.cuh>

#include "copied_ring.cuh"
#include "k_major.cuh"

namespace hopper {

/// acc = the lane's patch of A B, for tiles that the block's threads copy themselves. The patch begins at row y and column x
/// of the block's tile. All threads of a block call this; behind it, the ring may still be read by others.
template <class P>
__device__ __forceinline__ void multiply_copied(float (&acc)[P::TM][P::TN], copied_ring<P>& ring, unsigned first,
                                                int k, unsigned y, unsigned x) {
  using own = copied_ring<P>;
  constexpr int down = P::WM / P::TM;  // lanes of a warp
  constexpr int across = P::WN / P::TN;
  static_assert(down == 8 && across == 4, "Eight rows of a swizzled tile have their pieces in eight different places");
  constexpr int steps = P::STEPS;
  constexpr int chunks = steps / 4;  // of a tile
  // Stages from the one that is read to the one that is filled. Warps are between two barriers, LOCKSTEP stages and a chunk
  // apart at most, so what is filled was read before.
  constexpr int ahead = P::STAGES - 1 - P::LOCKSTEP;
  static_assert(ahead > P::LOCKSTEP, "A stage has a stage's time to arrive");
  static_assert(own::copies <= 8, "No step has two copies");
  const unsigned whole = static_cast<unsigned>(k) / steps;  // stages; what is left is one more
  const unsigned left = static_cast<unsigned>(k) % steps;

  const auto arrive = [&] {  // LOCKSTEP stages are there for all, and nobody reads those before the last any more
    ffma::wait_copies<ahead - P::LOCKSTEP>();
    __syncthreads();
  };
  const auto fetch = [&](unsigned stage) {  // what is no copy that `multiply` spreads
    if (stage < whole) {
      ring.start_odd_columns();
    } else {
      if (stage == whole && left > 0) ring.start_rest(left);
      ring.stop();
    }
  };
#pragma unroll 1
  for (unsigned stage = 0; stage < ahead; ++stage) {
    fetch(stage);
#pragma unroll 1
    for (int part = 0; part < own::parts; ++part) {
#pragma unroll
      for (int i = 0; i < own::copies; ++i) ring.start(i);
      ring.next_part();
    }
    ring.next_stage(stage + 1);
    ffma::commit_copies();
  }

  // Load: chunks of four steps of A's rows, and single steps of B's columns. The piece of a row of A that holds a chunk is
  // at the chunk's number, exclusive or that of the 128 bytes that the row is in, modulo 8 (4 where a row has 64 bytes).
  float a_own[P::TM][4];
  float b_own[2][P::TN];
  const unsigned a_own_first = first + own::a_place(y);
  const unsigned b_own_first = first + own::b_place(x);
  const auto load_a = [&](unsigned from) {
#pragma unroll
    for (int i = 0; i < P::TM; ++i) ffma::load_shared4(a_own[i], from + i * down * steps * 4);
  };
  const auto load_b = [&](int set, unsigned from) {
#pragma unroll
    for (int j = 0; j < P::TN; j += 4) ffma::load_shared4(&b_own[set][j], from + j * across * 4);
  };

  // Multiply: four steps, while what follows is loaded: B's step after each, and after the last the next chunk. Copies of a
  // run are spread over its two chunks.
  constexpr unsigned b_step = P::BN * 4;
  const auto multiply = [&](unsigned b_chunk, unsigned a_next, unsigned b_next, bool more, int copy_from) {
#pragma unroll
    for (int step = 0; step < 4; ++step) {
      if (step < 3) {
        load_b((step + 1) % 2, b_chunk + (step + 1) * b_step);
      } else if (more) {
        load_b(0, b_next);
      }
      if (copy_from >= 0 && copy_from + step < own::copies) ring.start(copy_from + step);
      outer_product_of<P::ORDER>(acc, a_own, step, b_own[step % 2]);
    }
    if (more) load_a(a_next);
  };

  // The loop turns between two chunks of a stage, one chunk late, so that it ends where a stage begins.
  if (whole > 0) {
    arrive();
    fetch(ahead);
#pragma unroll
    for (int i = 0; i < own::copies; ++i) ring.start(i);
    ring.next_part();
    load_a(a_own_first);
    load_b(0, b_own_first);
    multiply(b_own_first, a_own_first ^ 16, b_own_first + 4 * b_step, true, -1);
    unsigned a_stage = a_own_first;
    unsigned b_chunk = b_own_first + 4 * b_step;
    unsigned b_next = b_own_first + own::part_bytes;
    unsigned piece = 2 * 16;
#pragma unroll 1
    for (unsigned stage = 0;;) {
#pragma unroll 1
      do {
        multiply(b_chunk, a_stage ^ piece, b_next, true, 0);
        multiply(b_next, a_stage ^ piece ^ 16, b_next + 4 * b_step, true, 4);
        ring.next_part();
        piece += 2 * 16;
        b_chunk = b_next + 4 * b_step;
        b_next += own::part_bytes;
      } while (piece < chunks * 16);
      ffma::commit_copies();
      if (++stage == whole) break;
      ring.next_stage(stage + ahead);
      const unsigned place = stage % P::STAGES;
      a_stage = a_own_first + place * own::stage_bytes;
      b_next = b_own_first + place * own::stage_bytes;
      piece = 0;
      if (stage % P::LOCKSTEP == 0) arrive();
      fetch(stage + ahead);
    }
    multiply(b_chunk, 0, 0, false, -1);
  }

  // What is left along k, step by step: a stage of its own, of which only those steps were copied.
  if (left == 0) return;
  ffma::wait_copies<0>();
  __syncthreads();
  const unsigned place = whole % P::STAGES;
  const unsigned a_stage = a_own_first + place * own::stage_bytes;
  const unsigned b_stage = b_own_first + place * own::stage_bytes;
#pragma unroll 1
  for (unsigned step = 0; step < left; ++step) {
#pragma unroll
    for (int i = 0; i < P::TM; ++i) {
      a_own[i][0] = ffma::load_shared((a_stage ^ step / 4 * 16) + step % 4 * 4 + i * down * steps * 4);
    }
    load_b(0, b_stage + step / 8 * own::part_bytes + step % 8 * b_step);
    outer_product_of<P::ORDER>(acc, a_own, 0, b_own[0]);
  }
}

}  // namespace hopper
