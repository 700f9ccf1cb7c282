// k09: k08 with operands of the next step along k read into registers while this step multiplies (PREFETCH), and with A
// transposed in shared memory (TRANSPOSE_A), so that a lane reads its rows four at a time.
// A block computes a BM x BN tile of C; its warps share it out in WM x WN tiles, row by row, and the 32 lanes of a warp
// share that out in TM x TN patches. A transposed tile is copied float by float; the copies still run ahead.
// m, n and k are multiples of the tile, and rows start at multiples of 16 bytes: no edges.

#include <ffma/fragment.cuh>
#include <ffma/index.cuh>
#include <ffma/tile_copy_async.cuh>

template <class P>
__device__ __forceinline__ void gemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                     int m, int n, int k, int lda, int ldb, int ldc, float alpha, float beta) {
  constexpr int down = P::WM / P::TM;  // lanes of a warp
  constexpr int across = P::WN / P::TN;
  static_assert(down * across == 32, "One lane computes one patch");
  static_assert(P::threads == P::BM / P::WM * (P::BN / P::WN) * 32, "One warp computes one warp tile");
  constexpr int a_pitch = (P::TRANSPOSE_A ? P::BM : P::BK) + 4;
  constexpr int a_floats = a_pitch * (P::TRANSPOSE_A ? P::BK : P::BM);
  constexpr int stage_floats = a_floats + P::BK * P::BN;
  static_assert(P::STAGES * stage_floats * 4 == P::dynamicSharedBytes, "The declaration states the same shared memory");
  extern __shared__ __align__(16) float shared[];

  // Own: a patch of a warp tile. Lane and warp count along a row first, then down. Rows are dealt out to lanes in runs:
  // of 4 where a load fetches 4, else of 1, for the sake of the banks.
  constexpr int run = P::TRANSPOSE_A ? 4 : 1;
  const unsigned thread = threadIdx.x;
  const unsigned warp = thread / 32;
  const unsigned lane = thread % 32;
  const unsigned y = warp / (P::BN / P::WN) * P::WM + lane / across * run;
  const unsigned x = warp % (P::BN / P::WN) * P::WN + lane % across * P::TN;
  const auto tile = ffma::block_tile<P::BM, P::BN>(n);
  const int chunks = k / P::BK;

  // Fetch: starts the copies of a chunk into its stage, as one group.
  const auto fetch = [&](int chunk) {
    if (chunk < chunks) {
      const unsigned to = ffma::shared_address(shared + chunk % P::STAGES * stage_floats);
      const float* a_from = a + ffma::element_offset(tile.row, chunk * P::BK, lda);
      const float* b_from = b + ffma::element_offset(chunk * P::BK, tile.col, ldb);
      if (P::TRANSPOSE_A) {
        ffma::copy_tile_transposed_async<P::threads, P::BM, P::BK, a_pitch>(to, a_from, lda, thread);
      } else {
        ffma::copy_tile4_async<P::threads, P::BM, P::BK, a_pitch>(to, a_from, lda, thread);
      }
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
    if constexpr (P::TRANSPOSE_A) {
      ffma::load_dealt_fragment<run, down>(a_own[set], &a_tile[step * a_pitch + y]);
    } else {
#pragma unroll
      for (int i = 0; i < P::TM; ++i) a_own[set][i] = a_tile[(y + ffma::dealt<run, down>(i)) * a_pitch + step];
    }
    ffma::load_fragment(b_own[set], &b_tile[step * P::BN + x]);
  };
  const auto arrive = [&] {  // the oldest chunk on its way is there for all, and nobody reads the one before any more
    ffma::wait_copies<P::STAGES - 2>();
    __syncthreads();
  };

  float acc[P::TM][P::TN] = {};
  constexpr int ahead = P::PREFETCH ? 1 : 0;  // steps that loads are ahead of multiplication
  for (int chunk = 0; chunk < P::STAGES - 1; ++chunk) fetch(chunk);
  if (P::PREFETCH && chunks > 0) {
    arrive();
    load(0, 0, 0);
  }
#pragma unroll 1
  for (int chunk = 0; chunk < chunks; ++chunk) {
#pragma unroll
    for (int step = 0; step < P::BK; ++step) {
      const int wanted = step + ahead;
      if (wanted % P::BK == 0) arrive();
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
    float* c_row = c + ffma::element_offset(tile.row + y + ffma::dealt<run, down>(i), tile.col + x, ldc);
    ffma::store_scaled_row(c_row, acc[i], alpha, beta);
  }
}
