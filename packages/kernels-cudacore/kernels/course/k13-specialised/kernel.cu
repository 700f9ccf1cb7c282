// k13: k12 with m, n and k compiled in (SPECIALIZE), and with copies spread without branches (SPREAD_BRANCHFREE): every
// copy is started, and past the last chunk writes zeros that nobody reads.
// A block computes a BM x BN tile of C; its warps share it out in WM x WN tiles, row by row, and the 32 lanes of a warp
// share that out in TM x TN patches. m, n and k are multiples of the tile, and rows start at multiples of 16 bytes.

#include <ffma/fragment.cuh>
#include <ffma/hoisted_copies.cuh>
#include <ffma/index.cuh>
#include <ffma/order.cuh>
#include <ffma/raster.cuh>

template <class P>
__device__ __forceinline__ void multiply(const float* __restrict__ a, const float* __restrict__ b,
                                         float* __restrict__ c, int m, int n, int k, int lda, int ldb, int ldc,
                                         float alpha, float beta) {
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

  // Fetch: starts copies of the next chunk into the next stage to fill; `finish` makes a group of them and goes on.
  // Stages are counted in floats.
  const unsigned to = ffma::shared_address(shared);
  const float* a_from = a + ffma::element_offset(tile.row, 0, lda);
  const float* b_from = b + tile.col;
  ffma::hoisted_transposed_copies<P::threads, P::BM, P::BK, a_pitch> a_copies(to, a_from, lda, thread);
  ffma::hoisted_copies<P::threads, P::BK, P::BN, P::BN> b_copies(to + a_floats * 4, b_from, ldb, thread);
  constexpr int copies = a_copies.count + b_copies.count;
  const auto next_stage = [](int stage) { return stage == (P::STAGES - 1) * stage_floats ? 0 : stage + stage_floats; };
  int filling = 0;
  const auto fetch = [&](int first, int last, bool wanted) {
#pragma unroll
    for (int i = first; i < last && i < copies; ++i) {
      if (i < a_copies.count) {
        a_copies.template start<P::SPREAD_BRANCHFREE>(i, filling * 4, wanted);
      } else {
        b_copies.template start<P::SPREAD_BRANCHFREE>(i - a_copies.count, filling * 4, wanted);
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
  constexpr int steps = P::SPREAD || P::SPREAD_BRANCHFREE ? P::BK - 1 : 1;
  constexpr int copies_a_step = (copies + steps - 1) / steps;

  // Load: this lane's operands of one step, from shared memory into one of two sets of registers.
  float a_own[2][P::TM];
  float b_own[2][P::TN];
  const float* a_at = shared + y;
  const float* b_at = shared + a_floats + x;
  const auto load = [&](int set, int stage, int step) {
    ffma::load_dealt_fragment<rows_run, down>(a_own[set], a_at + stage + step * a_pitch);
    ffma::load_dealt_fragment<cols_run, across>(b_own[set], b_at + stage + step * P::BN);
  };
  const auto arrive = [&] {  // the oldest chunk on its way is there for all, and nobody reads the one before any more
    ffma::wait_copies<P::STAGES - 2>();
    __syncthreads();
  };

  float acc[P::TM][P::TN] = {};
#pragma unroll
  for (int chunk = 0; chunk < P::STAGES - 1; ++chunk) {
    if (chunk < chunks) fetch(0, copies, true);
    finish(chunk < chunks);
  }
  if (chunks > 0) {
    arrive();
    load(0, 0, 0);
  }
  int stage = 0;
#pragma unroll 1
  for (int chunk = 0; chunk < chunks; ++chunk) {
    const bool more = chunk + P::STAGES - 1 < chunks;
#pragma unroll
    for (int step = 0; step < P::BK; ++step) {
      if (step == P::BK - 1) {
        arrive();
        // Behind the last chunk there is none: its own first step is read once more, and not used.
        stage = chunk + 1 < chunks ? next_stage(stage) : stage;
      }
      load((step + 1) % 2, stage, (step + 1) % P::BK);
      if (step < steps && (P::SPREAD_BRANCHFREE || more)) {
        fetch(step * copies_a_step, (step + 1) * copies_a_step, more);
      }
      if (step == steps - 1) finish(more);
      ffma::outer_product_in<P::FFMA_ORDER>(acc, a_own[step % 2], b_own[step % 2]);
    }
  }

  if (P::SPREAD_BRANCHFREE) ffma::wait_copies<0>();  // the zeros are still on their way

  // Store.
#pragma unroll
  for (int i = 0; i < P::TM; ++i) {
    float* c_row = c + ffma::element_offset(tile.row + y + ffma::dealt<rows_run, down>(i), tile.col + x, ldc);
    ffma::store_scaled_dealt<cols_run, across>(c_row, acc[i], alpha, beta);
  }
}

/// For the usual problem. With SPECIALIZE: packed matrices of the compiled sizes, so that every stride is a constant.
template <class P>
__device__ __forceinline__ void gemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                     int m, int n, int k, int lda, int ldb, int ldc, float alpha, float beta) {
  if constexpr (P::SPECIALIZE) {
    multiply<P>(a, b, c, P::M, P::N, P::K, P::K, P::N, P::N, alpha, beta);
  } else {
    multiply<P>(a, b, c, m, n, k, lda, ldb, ldc, alpha, beta);
  }
}

/// With SPECIALIZE, for matrices whose rows are further apart: the sizes are constants, the strides are not.
template <class P>
__device__ __forceinline__ void strided(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                        int, int, int, int lda, int ldb, int ldc, float alpha, float beta) {
  if constexpr (P::SPECIALIZE) multiply<P>(a, b, c, P::M, P::N, P::K, lda, ldb, ldc, alpha, beta);
}

/// With SPECIALIZE, where there are no products, because alpha is 0: C = beta * C.
template <class P>
__device__ __forceinline__ void scale(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                      int, int, int, int lda, int ldb, int ldc, float alpha, float beta) {
  if constexpr (P::SPECIALIZE) multiply<P>(a, b, c, P::M, P::N, 0, lda, ldb, ldc, alpha, beta);
}
