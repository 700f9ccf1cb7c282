#pragma once

namespace ffma {

/// a * b + c with one rounding, to nearest even: the only fusion anywhere. Everything is compiled with contraction
/// off, so a chain of these has the same bits on every compiler and device.
__device__ __forceinline__ float fma(float a, float b, float c) {
  float d;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(d) : "f"(a), "f"(b), "f"(c));
  return d;
}

}  // namespace ffma
