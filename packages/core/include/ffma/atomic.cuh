#pragma once

#include "vec.cuh"

namespace ffma {

/// Adds four neighbouring floats to global memory, each atomically and in no given order among threads; `to` must be a
/// multiple of 16 bytes. One request from sm_90 on (PTX ISA, red.global.add.v4.f32), four before.
__device__ __forceinline__ void add4(float* to, vec4 value) {
#if __CUDA_ARCH__ >= 900
  asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(value.x), "f"(value.y), "f"(value.z),
               "f"(value.w)
               : "memory");
#else
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(to), "f"(value.x) : "memory");
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(to + 1), "f"(value.y) : "memory");
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(to + 2), "f"(value.z) : "memory");
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(to + 3), "f"(value.w) : "memory");
#endif
}

/// Says by a word in global memory that everything this thread knows of is done: what it wrote, and what others wrote
/// before a barrier that it passed. Whoever sees it through wait_for sees that, too.
__device__ __forceinline__ void signal(unsigned* flag) {
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(1) : "memory");
}

/// Waits until another block has called signal for this word, which was 0 before.
__device__ __forceinline__ void wait_for(const unsigned* flag) {
  unsigned seen;
  do {
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
  } while (seen == 0);
}

}  // namespace ffma
