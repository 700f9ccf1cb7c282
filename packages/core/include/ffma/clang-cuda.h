#pragma once
// What kernels use of CUDA's language, for clang without a CUDA toolkit (-nocudainc). Included ahead of the source;
// nvcc and NVRTC bring these names themselves.

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))

// __syncthreads() and __syncwarp() are clang's own builtins.
static inline __device__ void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }

#define FFMA_SPECIAL_REGISTER(axis, read) \
  __declspec(property(get = read_##axis)) unsigned axis; \
  static inline __device__ __attribute__((always_inline)) unsigned read_##axis() { return read(); }

struct ffma_clang_thread_idx {
  FFMA_SPECIAL_REGISTER(x, __nvvm_read_ptx_sreg_tid_x)
  FFMA_SPECIAL_REGISTER(y, __nvvm_read_ptx_sreg_tid_y)
  FFMA_SPECIAL_REGISTER(z, __nvvm_read_ptx_sreg_tid_z)
};
struct ffma_clang_block_idx {
  FFMA_SPECIAL_REGISTER(x, __nvvm_read_ptx_sreg_ctaid_x)
  FFMA_SPECIAL_REGISTER(y, __nvvm_read_ptx_sreg_ctaid_y)
  FFMA_SPECIAL_REGISTER(z, __nvvm_read_ptx_sreg_ctaid_z)
};
struct ffma_clang_block_dim {
  FFMA_SPECIAL_REGISTER(x, __nvvm_read_ptx_sreg_ntid_x)
  FFMA_SPECIAL_REGISTER(y, __nvvm_read_ptx_sreg_ntid_y)
  FFMA_SPECIAL_REGISTER(z, __nvvm_read_ptx_sreg_ntid_z)
};
struct ffma_clang_grid_dim {
  FFMA_SPECIAL_REGISTER(x, __nvvm_read_ptx_sreg_nctaid_x)
  FFMA_SPECIAL_REGISTER(y, __nvvm_read_ptx_sreg_nctaid_y)
  FFMA_SPECIAL_REGISTER(z, __nvvm_read_ptx_sreg_nctaid_z)
};

#undef FFMA_SPECIAL_REGISTER

extern const __device__ __attribute__((weak)) ffma_clang_thread_idx threadIdx;
extern const __device__ __attribute__((weak)) ffma_clang_block_idx blockIdx;
extern const __device__ __attribute__((weak)) ffma_clang_block_dim blockDim;
extern const __device__ __attribute__((weak)) ffma_clang_grid_dim gridDim;
constexpr int warpSize = 32;
