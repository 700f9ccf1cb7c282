// warptiling-v9: warptiling-v8 with the next chunk fetched at step LOAD_STEP instead of the first, when the operands
// that were asked for behind the barrier are there and the FFMAs run.
// A block computes a BM x BN tile of C; its warps share it out in WM x WN tiles, row by row, and the 32 lanes of a warp
// share that out in patches of TM x TN, dealt out in runs of 4. A lies transposed in shared memory. m, n and k are
// multiples of the tile: no edges. With VEC4 both tiles are read four floats at a time.

#include <ffma/fragment.cuh>
#include <ffma/index.cuh>

#include "../parts/exchange.cuh"
#include "../parts/lane.cuh"
#include "../parts/shares.cuh"

template <class P>
__device__ __forceinline__ void gemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                     int m, int n, int k, int lda, int ldb, int ldc, float alpha, float beta) {
  alignas(16) __shared__ float shared[P::sharedBytes / 4];
  const auto a_tile = reinterpret_cast<float (*)[P::BK][P::aPitch]>(shared);
  const auto b_tile = reinterpret_cast<float (*)[P::BK][P::BN]>(shared + 2 * P::BK * P::aPitch);
  static_assert(0 <= P::LOAD_STEP && P::LOAD_STEP < P::BK - 1, "What is fetched is put down at the last step");
  static_assert(P::BK % 2 == 0, "A chunk begins and ends with the same set of registers");
  static_assert(2 * P::BK * (P::aPitch + P::BN) * 4 <= P::sharedBytes, "Two stages fit");
  static_assert(study::exchange<P>::floats * 4 <= P::sharedBytes, "Rows of C fit, where the stages were");

  // Own: a patch of a warp tile.
  const unsigned thread = threadIdx.x;
  const study::lane_patch<P> own(thread);
  const auto tile = ffma::block_tile<P::BM, P::BN>(n);
  study::a_share<P> a_copy(a + ffma::element_offset(tile.row, 0, lda), lda, thread);
  study::b_share<P> b_copy(b + tile.col, ldb, thread);
  const int chunks = k / P::BK;

  // Fetch the next chunk into registers; put what was fetched into a stage.
  const auto fetch = [&] {
    a_copy.load(study::hinted_loads{});
    b_copy.load(study::hinted_loads{});
  };
  const auto put = [&](int stage) {
    a_copy.store(a_tile[stage][0]);
    b_copy.store(b_tile[stage][0]);
  };

  // Load: this lane's operands of one step, from a stage into one of two sets of registers.
  float a_own[2][P::TM];
  float b_own[2][P::TN];
  const auto load = [&](int set, int stage, int step) {
    ffma::load_dealt_fragment<own.run, own.down>(a_own[set], &a_tile[stage][step][own.y]);
    ffma::load_dealt_fragment<own.run, own.across>(b_own[set], &b_tile[stage][step][own.x]);
  };

  float acc[P::TM][P::TN] = {};
  int stage = 0;
  // Prologue.
  if (chunks > 0) {
    fetch();
    put(0);
    __syncthreads();
    load(0, 0, 0);
  }

  // Steady state: all chunks but the last.
#pragma unroll 1
  for (int left = chunks - 1; left > 0; --left) {
#pragma unroll
    for (int step = 0; step < P::BK; ++step) {
      if (step == P::BK - 1) {
        stage ^= 1;
        put(stage);
        __syncthreads();
      }
      load((step + 1) % 2, stage, (step + 1) % P::BK);
      if (step == P::LOAD_STEP) fetch();
      ffma::outer_product(acc, a_own[step % 2], b_own[step % 2]);
    }
  }

  // Drain: the last chunk.
  if (chunks > 0) {
#pragma unroll
    for (int step = 0; step < P::BK; ++step) {
      if (step + 1 < P::BK) load((step + 1) % 2, stage, step + 1);
      ffma::outer_product(acc, a_own[step % 2], b_own[step % 2]);
    }
  }

  // Store: in turns, because not all of C fits where the stages were.
  float* c_tile = c + ffma::element_offset(tile.row, tile.col, ldc);
#pragma unroll
  for (int turn = 0; turn < study::exchange<P>::turns; ++turn) {
    __syncthreads();  // nobody reads any more what lay there
    study::exchange<P>::put(shared, acc, own, turn);
    __syncthreads();
    study::exchange<P>::store(c_tile, ldc, shared, thread, turn, alpha, beta);
  }
}
