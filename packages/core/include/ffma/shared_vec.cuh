#pragma once

// Shared memory by its own 32-bit addresses (shared_address), for kernels that compute with them. The compiler keeps
// these accesses in the order of the source.

namespace ffma {

/// Reads a float; `from` is a multiple of 4.
__device__ __forceinline__ float load_shared(unsigned from) {
  float value;
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"(from) : "memory");
  return value;
}

/// Reads four floats; `from` is a multiple of 16.
__device__ __forceinline__ void load_shared4(float* to, unsigned from) {
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3])
               : "r"(from)
               : "memory");
}

/// Writes four floats; `to` is a multiple of 16.
__device__ __forceinline__ void store_shared4(unsigned to, const float* from) {
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(to), "f"(from[0]), "f"(from[1]), "f"(from[2]),
               "f"(from[3])
               : "memory");
}

}  // namespace ffma
