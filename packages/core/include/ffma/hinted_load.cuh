#pragma once

#include "vec.cuh"

// Loads of global memory with the hint L2::128B (PTX ISA, ld; sm_80): where the line is not in the L2 cache yet, memory
// is asked for 128 bytes of it, and not only for the sectors that are wanted. A hint: values do not depend on it.

namespace ffma {

/// Reads a float; `from` must be a multiple of 4 bytes.
__device__ __forceinline__ float load1_hinted(const float* from) {
  float value;
  asm volatile("ld.global.L2::128B.f32 %0, [%1];" : "=f"(value) : "l"(from) : "memory");
  return value;
}

/// Reads four floats; `from` must be a multiple of 16 bytes.
__device__ __forceinline__ vec4 load4_hinted(const float* from) {
  vec4 value;
  asm volatile("ld.global.L2::128B.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w)
               : "l"(from)
               : "memory");
  return value;
}

/// As load1_hinted where `wanted`; else zero, and nothing is read, so that `from` may point anywhere. One predicated
/// instruction, no branch.
__device__ __forceinline__ float load1_hinted_or_zero(const float* from, bool wanted) {
  float value = 0.0f;
  asm volatile("{.reg .pred p; setp.ne.b32 p, %2, 0; @p ld.global.L2::128B.f32 %0, [%1];}"
               : "+f"(value)
               : "l"(from), "r"(static_cast<int>(wanted))
               : "memory");
  return value;
}

/// As load4_hinted where `wanted`; else zeros, and nothing is read, so that `from` may point anywhere.
__device__ __forceinline__ vec4 load4_hinted_or_zero(const float* from, bool wanted) {
  vec4 value = {0.0f, 0.0f, 0.0f, 0.0f};
  asm volatile("{.reg .pred p; setp.ne.b32 p, %5, 0; @p ld.global.L2::128B.v4.f32 {%0, %1, %2, %3}, [%4];}"
               : "+f"(value.x), "+f"(value.y), "+f"(value.z), "+f"(value.w)
               : "l"(from), "r"(static_cast<int>(wanted))
               : "memory");
  return value;
}

}  // namespace ffma
