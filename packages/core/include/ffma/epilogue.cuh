#pragma once

#include "fma.cuh"
#include "vec.cuh"

namespace ffma {

/// Writes alpha * acc + beta * *c to *c, always as fma(beta, *c, alpha * acc): two roundings, the same everywhere.
/// Where beta is 0, *c is not read, so that a NaN there does not spread.
__device__ __forceinline__ void store_scaled(float* c, float acc, float alpha, float beta) {
  const float scaled = alpha * acc;
  *c = beta == 0.0f ? scaled : fma(beta, *c, scaled);
}

/// store_scaled for four neighbouring columns by one 128-bit store; `c` must be a multiple of 16 bytes.
__device__ __forceinline__ void store_scaled4(float* c, vec4 acc, float alpha, float beta) {
  vec4 scaled{alpha * acc.x, alpha * acc.y, alpha * acc.z, alpha * acc.w};
  if (beta != 0.0f) {
    const vec4 old = load4(c);
    scaled = {fma(beta, old.x, scaled.x), fma(beta, old.y, scaled.y), fma(beta, old.z, scaled.z),
              fma(beta, old.w, scaled.w)};
  }
  store4(c, scaled);
}

}  // namespace ffma
