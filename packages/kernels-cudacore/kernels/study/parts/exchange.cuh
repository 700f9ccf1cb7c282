#pragma once

#include <ffma/epilogue.cuh>
#include <ffma/fragment.cuh>
#include <ffma/index.cuh>
#include <ffma/vec.cuh>

#include "lane.cuh"

namespace study {

/// C on its way through shared memory: in each turn a run of rows of every patch. Lanes put down what they own, and
/// then warps store whole rows of the block's tile. A barrier belongs before either.
template <class P>
struct exchange {
  using patch = lane_patch<P>;
  static constexpr int turns = P::TM / patch::run;
  static constexpr int warp_rows = patch::run * patch::down;    // of a warp tile, in a turn
  static constexpr int rows = P::BM / P::WM * warp_rows;        // of the block's tile, in a turn
  static constexpr int rows_a_warp = rows / (P::threads / 32);  // that it stores
  static constexpr int pitch = P::BN + 4;  // what 8 lanes put down at a time, in two rows 4 apart, lies in 32 banks
  static constexpr int floats = rows * pitch;
  static_assert(P::BN % 32 == 0, "A row is stored by whole warps");
  static_assert(warp_rows % rows_a_warp == 0, "What a warp stores comes from one row of warp tiles");

  static __device__ __forceinline__ void put(float* shared, const float (&acc)[P::TM][P::TN], const patch& own,
                                             int turn) {
    const auto lines = reinterpret_cast<float (*)[pitch]>(shared) + (own.y / P::WM * warp_rows + own.y % P::WM);
#pragma unroll
    for (int i = 0; i < patch::run; ++i) {
      const float (&row)[P::TN] = acc[turn * patch::run + i];
#pragma unroll
      for (int j = 0; j < P::TN; j += 4) {
        const ffma::vec4 four = {row[j], row[j + 1], row[j + 2], row[j + 3]};
        ffma::store4(&lines[i][own.x + ffma::dealt<patch::run, patch::across>(j)], four);
      }
    }
  }

  /// `c` is the first element of the block's tile.
  static __device__ __forceinline__ void store(float* c, int ldc, const float* shared, unsigned thread, int turn,
                                               float alpha, float beta) {
    const unsigned lane = thread % 32;
    const unsigned first = thread / 32 * rows_a_warp;
    const auto lines = reinterpret_cast<const float (*)[pitch]>(shared) + first;
    const unsigned row = first / warp_rows * P::WM + turn * warp_rows + first % warp_rows;
#pragma unroll 4
    for (int i = 0; i < rows_a_warp; ++i) {
      float* c_row = c + ffma::element_offset(row + i, lane, ldc);
#pragma unroll
      for (int j = 0; j < P::BN; j += 32) ffma::store_scaled(c_row + j, lines[i][lane + j], alpha, beta);
    }
  }
};

}  // namespace study
