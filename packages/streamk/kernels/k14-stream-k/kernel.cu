// k14: k11 made persistent, with the work cut evenly: as many blocks as fit at a time, each of which computes whole
// tiles of C while there are enough for all, and then its even share of the chunks of k that are left.
// A tile that several blocks share is a sum of theirs: each adds alpha times its part to C, which `prepare` has scaled
// by beta before. The order of these additions is not fixed. m, n and k are multiples of the tile, rows start at
// multiples of 16 bytes.

#include <ffma/atomic.cuh>
#include <ffma/epilogue.cuh>

#include "../parts/prepare.cuh"
#include "../parts/stream.cuh"

/// The first `whole` tiles are computed whole, those behind them shared. Launched with no more blocks than are resident
/// at a time.
template <class P>
__device__ __forceinline__ void multiply(const float* __restrict__ a, const float* __restrict__ b,
                                         float* __restrict__ c, int m, int n, int k, int lda, int ldb, int ldc,
                                         float alpha, float beta, int whole) {
  extern __shared__ __align__(16) float shared[];
  const unsigned down = m / P::BM;
  const unsigned across = n / P::BN;
  const unsigned chunks = k / P::BK;
  const stream_k::patch<P> own(threadIdx.x);
  float acc[P::TM][P::TN];

  const auto origin = [&](unsigned tile) { return ffma::grouped_tile<P::BM, P::BN, P::GROUP_M>(tile, down, across); };
  const auto compute = [&](ffma::tile_origin tile, unsigned first, unsigned count) {
    const float* a_from = a + ffma::element_offset(tile.row, first * P::BK, lda);
    const float* b_from = b + ffma::element_offset(first * P::BK, tile.col, ldb);
    stream_k::multiply<P>(acc, own, shared, a_from, b_from, lda, ldb, count);
  };
  const auto store = [&](ffma::tile_origin tile) {
#pragma unroll
    for (int i = 0; i < P::TM; ++i) {
      ffma::store_scaled_dealt<own.run, own.across>(c + own.row(tile, i, ldc), acc[i], alpha, beta);
    }
  };
  const auto add = [&](ffma::tile_origin tile) {
#pragma unroll
    for (int i = 0; i < P::TM; ++i) {
      float* c_row = c + own.row(tile, i, ldc);
#pragma unroll
      for (int j = 0; j < P::TN; j += 4) {
        const float* part = &acc[i][j];
        const ffma::vec4 scaled = {alpha * part[0], alpha * part[1], alpha * part[2], alpha * part[3]};
        ffma::add4(c_row + ffma::dealt<own.run, own.across>(j), scaled);
      }
    }
  };

  auto share = stream_k::share_of(static_cast<unsigned long long>(down * across - whole) * chunks, blockIdx.x);
  unsigned next_whole = blockIdx.x;
  if constexpr (P::INLINE_TWICE) {
    // The main loop stands in the code twice: without, and with the work of a share around it.
#pragma unroll 1
    for (; next_whole < whole; next_whole += gridDim.x) {
      compute(origin(next_whole), 0, chunks);
      store(origin(next_whole));
    }
#pragma unroll 1
    while (share.next < share.end) {
      const stream_k::piece part = take(share, chunks);
      compute(origin(whole + part.tile), part.first, part.count);
      add(origin(whole + part.tile));
    }
  } else {
#pragma unroll 1
    while (next_whole < whole || share.next < share.end) {
      stream_k::piece part = {next_whole, 0, chunks};
      if (next_whole < whole) {
        next_whole += gridDim.x;
      } else {
        part = take(share, chunks);
        part.tile += whole;
      }
      const auto tile = origin(part.tile);
      compute(tile, part.first, part.count);
      if (part.tile < whole) {
        store(tile);
      } else {
        add(tile);
      }
    }
  }
}

/// For the usual problem. With SPECIALIZE: packed matrices of the compiled sizes, so that every stride is a constant.
template <class P>
__device__ __forceinline__ void gemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                     int m, int n, int k, int lda, int ldb, int ldc, float alpha, float beta,
                                     int whole) {
  if constexpr (P::SPECIALIZE) {
    multiply<P>(a, b, c, P::M, P::N, P::K, P::K, P::N, P::N, alpha, beta, whole);
  } else {
    multiply<P>(a, b, c, m, n, k, lda, ldb, ldc, alpha, beta, whole);
  }
}

/// With SPECIALIZE, for matrices whose rows are further apart: the sizes are constants, the strides are not.
template <class P>
__device__ __forceinline__ void strided(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                        int, int, int, int lda, int ldb, int ldc, float alpha, float beta, int whole) {
  if constexpr (P::SPECIALIZE) multiply<P>(a, b, c, P::M, P::N, P::K, lda, ldb, ldc, alpha, beta, whole);
}
