#pragma once

// How a thread reads its share of a tile from global memory.

#include <ffma/hinted_load.cuh>
#include <ffma/vec.cuh>

namespace study {

/// As the compiler likes.
struct plain_loads {
  __device__ __forceinline__ float one(const float* from) const { return *from; }
  __device__ __forceinline__ ffma::vec4 four(const float* from) const { return ffma::load4(from); }
};

/// With the hint L2::128B.
struct hinted_loads {
  __device__ __forceinline__ float one(const float* from) const { return ffma::load1_hinted(from); }
  __device__ __forceinline__ ffma::vec4 four(const float* from) const { return ffma::load4_hinted(from); }
};

/// With the hint where `wanted`; else zeros, and nothing is read. There is no branch.
struct predicated_loads {
  bool wanted;
  __device__ __forceinline__ float one(const float* from) const { return ffma::load1_hinted_or_zero(from, wanted); }
  __device__ __forceinline__ ffma::vec4 four(const float* from) const {
    return ffma::load4_hinted_or_zero(from, wanted);
  }
};

}  // namespace study
