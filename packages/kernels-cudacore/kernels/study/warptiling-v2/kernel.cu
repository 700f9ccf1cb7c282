// warptiling-v2: warptiling-v1 with two stages: the next chunk is read into registers while this one is multiplied, and
// stored to the other stage behind it. One barrier a chunk.
// A block computes a BM x BN tile of C; its warps share it out in WM x WN tiles, row by row, and the 32 lanes of a warp
// share that out in patches of TM x TN, dealt out in runs of 4. A lies transposed in shared memory. m, n and k are
// multiples of the tile: no edges. With VEC4 both tiles are read four floats at a time.

#include <ffma/epilogue.cuh>
#include <ffma/fragment.cuh>
#include <ffma/index.cuh>

#include "../parts/lane.cuh"
#include "../parts/shares.cuh"

template <class P>
__device__ __forceinline__ void gemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                     int m, int n, int k, int lda, int ldb, int ldc, float alpha, float beta) {
  alignas(16) __shared__ float a_tile[2][P::BK][P::aPitch];
  alignas(16) __shared__ float b_tile[2][P::BK][P::BN];
  static_assert(sizeof(a_tile) + sizeof(b_tile) == P::sharedBytes, "The declaration states the same shared memory");

  // Own: a patch of a warp tile.
  const unsigned thread = threadIdx.x;
  const study::lane_patch<P> own(thread);
  const auto tile = ffma::block_tile<P::BM, P::BN>(n);
  study::a_share<P> a_copy(a + ffma::element_offset(tile.row, 0, lda), lda, thread);
  study::b_share<P> b_copy(b + tile.col, ldb, thread);
  const int chunks = k / P::BK;

  // Fetch the next chunk into registers; put what was fetched into a stage.
  const auto fetch = [&] {
    a_copy.load(study::plain_loads{});
    b_copy.load(study::plain_loads{});
  };
  const auto put = [&](int stage) {
    a_copy.store(a_tile[stage][0]);
    b_copy.store(b_tile[stage][0]);
  };

  float acc[P::TM][P::TN] = {};
  if (chunks > 0) {
    fetch();
    put(0);
    __syncthreads();
  }
#pragma unroll 1
  for (int chunk = 0; chunk < chunks; ++chunk) {
    const int stage = chunk % 2;
    const bool more = chunk + 1 < chunks;
    if (more) fetch();

    // Multiply.
#pragma unroll
    for (int step = 0; step < P::BK; ++step) {
      float a_own[P::TM];
      float b_own[P::TN];
      ffma::load_dealt_fragment<own.run, own.down>(a_own, &a_tile[stage][step][own.y]);
      ffma::load_dealt_fragment<own.run, own.across>(b_own, &b_tile[stage][step][own.x]);
      ffma::outer_product(acc, a_own, b_own);
    }
    if (more) put(stage ^ 1);
    __syncthreads();
  }

  // Store.
#pragma unroll
  for (int i = 0; i < P::TM; ++i) {
    const unsigned row = tile.row + own.y + ffma::dealt<own.run, own.down>(i);
    float* c_row = c + ffma::element_offset(row, tile.col + own.x, ldc);
#pragma unroll
    for (int j = 0; j < P::TN; ++j) {
      ffma::store_scaled(c_row + ffma::dealt<own.run, own.across>(j), acc[i][j], alpha, beta);
    }
  }
}
