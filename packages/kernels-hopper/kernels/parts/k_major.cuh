#pragma once

#include <ffma/fma.cuh>
#include <ffma/fragment.cuh>

// Fragments of an A that lies along k in shared memory, as it does in global memory: a lane reads four steps along k of
// each of its rows at a time.

namespace hopper {

/// The order in which a lane's patch is updated, row by row, each row turning round where the one before ended.
enum patch_order {
  /// 0 to TN - 1 and back.
  snake,
  /// The same with the last two columns, or in odd steps the first two, exchanged: all rows of a step then begin at
  /// columns of one parity. A row begins with a new element of A, which lies in a register of the step's parity, and
  /// with its own sum; that sum is in a register of the other parity, so that the two come from different banks.
  even_turns
};

/// Column that comes `s`-th in row `i` at step `step` along k.
template <int order, int TN>
__device__ __forceinline__ constexpr int column_at(int i, int s, int step) {
  const int at = i % 2 == 0 ? s : TN - 1 - s;
  if (order == snake) return at;
  if (step % 2 == 0) return at < TN - 2 ? at : 2 * TN - 3 - at;
  return at < 2 ? 1 - at : at;
}

/// acc[i][j] += a[i][step] * b[j] for every i and j.
template <int order, int TM, int TN>
__device__ __forceinline__ void outer_product_of(float (&acc)[TM][TN], const float (&a)[TM][4], int step,
                                                 const float (&b)[TN]) {
#pragma unroll
  for (int i = 0; i < TM; ++i) {
#pragma unroll
    for (int s = 0; s < TN; ++s) {
      const int j = column_at<order, TN>(i, s, step);
      acc[i][j] = ffma::fma(a[i][step], b[j], acc[i][j]);
    }
  }
}

}  // namespace hopper
