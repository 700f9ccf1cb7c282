// h01: both tiles come by the tensor memory accelerator: one thread asks for them, and A lies in shared memory as it does
// in global memory, along k, so that a lane reads four steps of a row at a time.
// A block computes a BM x BN tile of C; its warps share it out in WM x WN tiles, row by row, and the 32 lanes of a warp
// share that out in TM x TN patches. Rows start at multiples of 16 bytes; m, n and k are what they are.

#include "../parts/k_major.cuh"
#include "../parts/scale.cuh"
#include "../parts/store_rows.cuh"

#include <ffma/index.cuh>
#include <ffma/raster.cuh>
#include <ffma/shared_vec.cuh>
#include <ffma/tma.cuh>

template <class P>
__device__ __forceinline__ void gemm(const ffma::tensor_map* a_tiles, const ffma::tensor_map* b_tiles,
                                     float* __restrict__ c, int m, int n, int k, int ldc, float alpha, float beta) {
  constexpr int down = P::WM / P::TM;  // lanes of a warp
  constexpr int across = P::WN / P::TN;
  static_assert(down == 8 && across == 4, "Eight rows of a swizzled tile have their pieces at eight different places");
  static_assert(P::threads == P::BM / P::WM * (P::BN / P::WN) * 32, "One warp computes one warp tile");
  constexpr int BK = 32;  // a row of A's tile is as long as the swizzle is wide, 128 bytes
  constexpr int chunks = BK / 4;  // of a stage
  constexpr unsigned a_bytes = P::BM * BK * 4;
  constexpr unsigned b_bytes = BK * P::BN * 4;
  constexpr unsigned store_bytes = 8 * hopper::stores_pitch<P::WN> * 4;  // of a warp
  static_assert(P::STAGES * (a_bytes + b_bytes + 8) + P::threads / 32 * store_bytes == P::dynamicSharedBytes,
                "The declaration states the same shared memory");
  extern __shared__ __align__(1024) float shared[];

  // Shared memory: tiles of A, tiles of B, what is on its way to C, and an mbarrier for each stage.
  const unsigned a_first = ffma::shared_address(shared);
  const unsigned b_first = a_first + P::STAGES * a_bytes;
  const unsigned stores_first = b_first + P::STAGES * b_bytes;
  const unsigned full_first = stores_first + P::threads / 32 * store_bytes;

  // Own: a patch of a warp tile, dealt out to lanes: rows one by one, columns in runs of 4.
  const unsigned thread = threadIdx.x;
  const unsigned warp = thread / 32;
  const unsigned lane = thread % 32;
  const unsigned y = warp / (P::BN / P::WN) * P::WM + lane / across;
  const unsigned x = warp % (P::BN / P::WN) * P::WN + lane % across * 4;
  const auto tile = ffma::grouped_tile<P::BM, P::BN, P::GROUP_M>(blockIdx.x, ffma::tiles_across<P::BM>(m),
                                                                  ffma::tiles_across<P::BN>(n));
  const unsigned whole = static_cast<unsigned>(k) / BK;  // stages of 32 steps; what is left is one more
  const unsigned rest = static_cast<unsigned>(k) % BK;
  const unsigned stages = whole + (rest > 0 ? 1 : 0);

  // Fetch: one thread asks for the tiles of the stage-th 32 steps along k. What lies outside of a matrix comes as zeros.
  const auto fetch = [&](unsigned stage) {
    const unsigned place = stage % P::STAGES;
    const unsigned full = full_first + 8 * place;
    ffma::arrive_expecting(full, a_bytes + b_bytes);
    ffma::load_tile(a_first + place * a_bytes, a_tiles, tile.row, stage * BK, full);
    ffma::load_tile(b_first + place * b_bytes, b_tiles, stage * BK, tile.col, full);
  };
  if (thread == 0) {
    for (int place = 0; place < P::STAGES; ++place) ffma::init_mbarrier(full_first + 8 * place, 1);
    ffma::fence_mbarriers();
  }
  __syncthreads();
  if (thread == 0) {
    for (unsigned stage = 0; stage < P::STAGES && stage < stages; ++stage) fetch(stage);
  }

  // Load: chunks of four steps of A's rows, and single steps of B's columns. The piece of a row of A that holds a chunk is
  // at the chunk's number, exclusive or the row modulo 8.
  float a_own[P::TM][4];
  float b_own[2][P::TN];
  const unsigned a_own_first = a_first + y * BK * 4 + y % 8 * 16;
  const unsigned b_own_first = b_first + x * 4;
  const auto load_a = [&](unsigned from) {
#pragma unroll
    for (int i = 0; i < P::TM; ++i) ffma::load_shared4(a_own[i], from + i * down * BK * 4);
  };
  const auto load_b = [&](int set, unsigned from) {
#pragma unroll
    for (int j = 0; j < P::TN; j += 4) ffma::load_shared4(&b_own[set][j], from + j * across * 4);
  };

  // Multiply: four steps, while what follows is loaded: B's step after each, and after the last the next chunk.
  float acc[P::TM][P::TN] = {};
  constexpr unsigned b_step = P::BN * 4;
  const auto multiply = [&](unsigned b_chunk, unsigned a_next, unsigned b_next, bool more) {
#pragma unroll
    for (int step = 0; step < 4; ++step) {
      if (step < 3) {
        load_b((step + 1) % 2, b_chunk + (step + 1) * b_step);
      } else if (more) {
        load_b(0, b_next);
      }
      hopper::outer_product_of<P::ORDER>(acc, a_own, step, b_own[step % 2]);
    }
    if (more) load_a(a_next);
  };

  // The loop turns between two chunks of a stage, one chunk late, so that it ends where a stage begins.
  if (whole > 0) {
    ffma::wait_parity(full_first, 0);
    load_a(a_own_first);
    load_b(0, b_own_first);
    multiply(b_own_first, a_own_first ^ 16, b_own_first + 4 * b_step, true);
    unsigned a_stage = a_own_first;
    unsigned b_chunk = b_own_first + 4 * b_step;
    unsigned b_next = b_own_first + 8 * b_step;
    unsigned piece = 2 * 16;
#pragma unroll 1
    for (unsigned stage = 0;;) {
#pragma unroll 1
      do {
        multiply(b_chunk, a_stage ^ piece, b_next, true);
        multiply(b_next, a_stage ^ piece ^ 16, b_next + 4 * b_step, true);
        piece += 2 * 16;
        b_chunk = b_next + 4 * b_step;
        b_next += 8 * b_step;
      } while (piece < chunks * 16);
      if (++stage == whole) break;
      const unsigned place = stage % P::STAGES;
      ffma::wait_parity(full_first + 8 * place, stage / P::STAGES % 2);
      a_stage = a_own_first + place * a_bytes;
      b_next = b_own_first + place * b_bytes;
      piece = 0;
      if (stage % P::LOCKSTEP == 0) {
        // All warps have begun the last chunk of the stage before this one, so those before that are free.
        __syncthreads();
        if (thread == 0) {
#pragma unroll
          for (unsigned next = stage - 1 - P::LOCKSTEP + P::STAGES; next < stage - 1 + P::STAGES; ++next) {
            if (next >= P::STAGES && next < stages) fetch(next);
          }
        }
      }
    }
    multiply(b_chunk, 0, 0, false);
  }

  // What is left along k, step by step: zeros that came from outside of the matrices must not be added to a sum of -0.
  if (rest > 0) {
    const unsigned place = whole % P::STAGES;
    ffma::wait_parity(full_first + 8 * place, whole / P::STAGES % 2);
    const unsigned a_stage = a_own_first + place * a_bytes;
    const unsigned b_stage = b_own_first + place * b_bytes;
#pragma unroll 1
    for (unsigned step = 0; step < rest; ++step) {
#pragma unroll
      for (int i = 0; i < P::TM; ++i) {
        a_own[i][0] = ffma::load_shared((a_stage ^ step / 4 * 16) + step % 4 * 4 + i * down * BK * 4);
      }
      load_b(0, b_stage + step * b_step);
      hopper::outer_product_of<P::ORDER>(acc, a_own, 0, b_own[0]);
    }
  }

  // Store.
  hopper::store_by_rows<P::WN>(acc, stores_first + warp * store_bytes, lane, c,
                               tile.row + warp / (P::BN / P::WN) * P::WM, tile.col + warp % (P::BN / P::WN) * P::WN, m, n,
                               ldc, alpha, beta);
}
