// k08: k07 with copies that run ahead: cp.async fills a ring of STAGES tiles while the block multiplies from one.
// A block computes a BM x BN tile of C; its warps share it out in WM x WN tiles, row by row, and the 32 lanes of a warp
// share that out in TM x TN patches. A is row-major in shared memory again, because a copy of 16 bytes cannot transpose;
// a lane's rows are dealt out one by one, so that scalar loads of a warp meet in no bank. STAGES = 1 is the control: the
// same copies, waited for at once. m, n and k are multiples of the tile, rows start at multiples of 16 bytes: no edges.

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
  constexpr int a_pitch = P::BK + 4;  // padded: rows that lanes read at a time lie in different banks
  constexpr int a_floats = P::BM * a_pitch;
  constexpr int stage_floats = a_floats + P::BK * P::BN;
  static_assert(P::STAGES * stage_floats * 4 == P::dynamicSharedBytes, "The declaration states the same shared memory");
  extern __shared__ __align__(16) float shared[];

  // Own: a patch of a warp tile. Lane and warp count along a row first, then down.
  const unsigned thread = threadIdx.x;
  const unsigned warp = thread / 32;
  const unsigned lane = thread % 32;
  const unsigned y = warp / (P::BN / P::WN) * P::WM + lane / across;
  const unsigned x = warp % (P::BN / P::WN) * P::WN + lane % across * P::TN;
  const auto tile = ffma::block_tile<P::BM, P::BN>(n);
  const int chunks = k / P::BK;

  // Fetch: starts the copies of a chunk into its stage. One group each, an empty one past the end, so that counting
  // groups counts chunks.
  const auto fetch = [&](int chunk) {
    if (chunk < chunks) {
      const unsigned to = ffma::shared_address(shared + chunk % P::STAGES * stage_floats);
      const float* a_from = a + ffma::element_offset(tile.row, chunk * P::BK, lda);
      const float* b_from = b + ffma::element_offset(chunk * P::BK, tile.col, ldb);
      ffma::copy_tile4_async<P::threads, P::BM, P::BK, a_pitch>(to, a_from, lda, thread);
      ffma::copy_tile4_async<P::threads, P::BK, P::BN, P::BN>(to + a_floats * 4, b_from, ldb, thread);
    }
    ffma::commit_copies();
  };

  float acc[P::TM][P::TN] = {};
  for (int chunk = 0; chunk < P::STAGES - 1; ++chunk) fetch(chunk);
  for (int chunk = 0; chunk < chunks; ++chunk) {
    // Wait: after the barrier this chunk is there for all, and nobody reads the one before it any more.
    if (P::STAGES == 1) fetch(chunk);
    ffma::wait_copies<(P::STAGES > 1 ? P::STAGES - 2 : 0)>();
    __syncthreads();
    if (P::STAGES > 1) fetch(chunk + P::STAGES - 1);

    // Multiply.
    const float* a_tile = shared + chunk % P::STAGES * stage_floats;
    const float* b_tile = a_tile + a_floats;
#pragma unroll
    for (int step = 0; step < P::BK; ++step) {
      float a_own[P::TM];
      float b_own[P::TN];
#pragma unroll
      for (int i = 0; i < P::TM; ++i) a_own[i] = a_tile[(y + ffma::dealt<1, down>(i)) * a_pitch + step];
      ffma::load_fragment(b_own, &b_tile[step * P::BN + x]);
      ffma::outer_product(acc, a_own, b_own);
    }
    if (P::STAGES == 1) __syncthreads();
  }

  // Store.
#pragma unroll
  for (int i = 0; i < P::TM; ++i) {
    float* c_row = c + ffma::element_offset(tile.row + y + ffma::dealt<1, down>(i), tile.col + x, ldc);
    ffma::store_scaled_row(c_row, acc[i], alpha, beta);
  }
}
