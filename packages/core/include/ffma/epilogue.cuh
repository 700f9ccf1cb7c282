#pragma once

#include "fma.cuh"

namespace ffma {

/// Writes alpha * acc + beta * *c to *c, always as fma(beta, *c, alpha * acc): two roundings, the same everywhere.
/// Where beta is 0, *c is not read, so that a NaN there does not spread.
__device__ __forceinline__ void store_scaled(float* c, float acc, float alpha, float beta) {
  const float scaled = alpha * acc;
  *c = beta == 0.0f ? scaled : fma(beta, *c, scaled);
}

}  // namespace ffma
