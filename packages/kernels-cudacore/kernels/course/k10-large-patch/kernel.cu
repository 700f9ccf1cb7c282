// k10: k09s with patches of 128 outputs a lane, and with the columns of B dealt out to lanes four at a time (REMAP_B).
// A block computes a BM x BN tile of C; its warps share it out in WM x WN tiles, row by row, and the 32 lanes of a warp
// share that out in TM x TN patches. A lane whose columns lie in one piece, as before (REMAP_B off), reads float4s from
// TN floats away from its neighbour's: several lanes then meet in a bank. PREFETCH and TRANSPOSE_A stay on from here.
// m, n and k are multiples of the tile, and rows start at multiples of 16 bytes: no edges.

#include <ffma/fragment.cuh>
#include <ffma/index.cuh>
#include <ffma/raster.cuh>
#include <ffma/tile_copy_async.cuh>

template <class P>
__device__ __forceinline__ void gemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                     int m, int n, int k, int lda, int ldb, int ldc, float alpha, float beta) {
  constexpr int down = P::WM / P::TM;  // lanes of a warp
  constexpr int across = P::WN / P::TN;
  static_assert(down * across == 32, "One lane computes one patch");
  static_assert(P::threads == P::BM / P::WM * (P::BN / P::WN) * 32, "One warp computes one warp tile");
  constexpr int a_pitch = P::BM + 4;
  constexpr int a_floats = P::BK * a_pitch;
  constexpr int stage_floats = a_floats + P::BK * P::BN;
  static_assert(P::STAGES * stage_floats * 4 == P::dynamicSharedBytes, "The declaration states the same shared memory");
  extern __shared__ __align__(16) float shared[];

  // Own: a patch of a warp tile. Lane and warp count along a row first, then down; rows and columns are dealt out to
  // lanes in runs, of 4 where neighbours shall read what lies side by side.
  constexpr int rows_run = 4;
  constexpr int cols_run = P::REMAP_B ? 4 : P::TN;
  const unsigned thread = threadIdx.x;
  const unsigned warp = thread / 32;
  const unsigned lane = thread % 32;
  const unsigned y = warp / (P::BN / P::WN) * P::WM + lane / across * rows_run;
  const unsigned x = warp % (P::BN / P::WN) * P::WN + lane % across * cols_run;
  const auto tile = ffma::grouped_tile<P::BM, P::BN, P::GROUP_M>(blockIdx.x, m / P::BM, n / P::BN);
  const int chunks = k / P::BK;

  // Fetch: starts the copies of a chunk into its stage, as one group.
  const auto fetch = [&](int chunk) {
    if (chunk < chunks) {
      const unsigned to = ffma::shared_address(shared + chunk % P::STAGES * stage_floats);
      const float* a_from = a + ffma::element_offset(tile.row, chunk * P::BK, lda);
      const float* b_from = b + ffma::element_offset(chunk * P::BK, tile.col, ldb);
      ffma::copy_tile_transposed_async<P::threads, P::BM, P::BK, a_pitch>(to, a_from, lda, thread);
      ffma::copy_tile4_async<P::threads, P::BK, P::BN, P::BN>(to + a_floats * 4, b_from, ldb, thread);
    }
    ffma::commit_copies();
  };

  // Load: this lane's operands of one step, from shared memory into one of two sets of registers.
  float a_own[2][P::TM];
  float b_own[2][P::TN];
  const auto load = [&](int set, int chunk, int step) {
    const float* a_tile = shared + chunk % P::STAGES * stage_floats;
    const float* b_tile = a_tile + a_floats;
    ffma::load_dealt_fragment<rows_run, down>(a_own[set], &a_tile[step * a_pitch + y]);
    ffma::load_dealt_fragment<cols_run, across>(b_own[set], &b_tile[step * P::BN + x]);
  };
  const auto arrive = [&] {  // the oldest chunk on its way is there for all, and nobody reads the one before any more
    ffma::wait_copies<P::STAGES - 2>();
    __syncthreads();
  };

  float acc[P::TM][P::TN] = {};
  for (int chunk = 0; chunk < P::STAGES - 1; ++chunk) fetch(chunk);
  if (chunks > 0) {
    arrive();
    load(0, 0, 0);
  }
#pragma unroll 1
  for (int chunk = 0; chunk < chunks; ++chunk) {
#pragma unroll
    for (int step = 0; step < P::BK; ++step) {
      const int wanted = step + 1;
      if (wanted == P::BK) arrive();
      // Behind the last chunk there is none: its own first step is read once more, and not used.
      const int from = wanted < P::BK || chunk + 1 == chunks ? chunk : chunk + 1;
      load(wanted % 2, from, wanted % P::BK);
      if (step == 0) fetch(chunk + P::STAGES - 1);
      ffma::outer_product(acc, a_own[step % 2], b_own[step % 2]);
    }
  }

  // Store.
#pragma unroll
  for (int i = 0; i < P::TM; ++i) {
    float* c_row = c + ffma::element_offset(tile.row + y + ffma::dealt<rows_run, down>(i), tile.col + x, ldc);
    ffma::store_scaled_dealt<cols_run, across>(c_row, acc[i], alpha, beta);
  }
}
