#pragma once

#include "fma.cuh"

namespace ffma {

/// The order in which a thread's patch is updated. The sums do not depend on it; what ptxas can reuse from one FFMA to
/// the next does: a snake turns round at each end, so that two neighbours always share an operand.
enum ffma_order { row_order, column_order, snake_rows, snake_columns };

/// outer_product in the given order.
template <int order, int TM, int TN>
__device__ __forceinline__ void outer_product_in(float (&acc)[TM][TN], const float (&a)[TM], const float (&b)[TN]) {
  constexpr bool by_row = order == row_order || order == snake_rows;
  constexpr bool snake = order == snake_rows || order == snake_columns;
  constexpr int outer = by_row ? TM : TN;
  constexpr int inner = by_row ? TN : TM;
#pragma unroll
  for (int o = 0; o < outer; ++o) {
#pragma unroll
    for (int s = 0; s < inner; ++s) {
      const int turned = snake && o % 2 == 1 ? inner - 1 - s : s;
      const int i = by_row ? o : turned;
      const int j = by_row ? turned : o;
      acc[i][j] = fma(a[i], b[j], acc[i][j]);
    }
  }
}

}  // namespace ffma
