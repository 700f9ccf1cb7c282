#pragma once

// A thread's share of the tiles that a block stages in shared memory: read into registers, and from there stored, so
// that something can be done in between. Tiles follow each other along k, BK at a time; floats move one by one, or with
// VEC4 four at a time. A tile of A is stored transposed, its columns P::aPitch floats apart.

#include <ffma/index.cuh>
#include <ffma/vec.cuh>

#include "loads.cuh"

namespace study {

/// Eight floats of a row of A, a sector, are read by 8 lanes, or 2 with VEC4; a warp stores its 32 floats to 32 banks.
template <class P>
class a_share {
  static constexpr int width = P::VEC4 ? 4 : 1;
  static constexpr int lanes = 8 / width;
  static constexpr int rows_at_once = P::threads / lanes;
  static constexpr int parts = P::BK / 8;
  static constexpr int count = P::BM / rows_at_once * parts;
  static_assert(P::BK % 8 == 0 && P::BM % rows_at_once == 0, "Every thread reads as many whole parts of sectors");
  static_assert(P::aPitch % 32 == 4, "Columns that a warp stores side by side start 4 banks apart");

 public:
  /// `from` is the first tile's first element.
  __device__ __forceinline__ a_share(const float* from, int ld, unsigned thread)
      : from_(from + ffma::element_offset(thread / lanes, thread % lanes * width, ld)),
        stride_(ffma::element_offset(rows_at_once, 0, ld)),
        to_(thread % lanes * width * P::aPitch + thread / lanes) {}

  /// Reads this thread's part of a tile, and goes on to the next tile.
  template <class Loads>
  __device__ __forceinline__ void load(Loads loads) {
    const float* row = from_;
#pragma unroll
    for (int i = 0; i < count; ++i) {
      if (i > 0 && i % parts == 0) row += stride_;
      const float* at = row + i % parts * 8;
      if constexpr (P::VEC4) {
        const ffma::vec4 four = loads.four(at);
        staged_[i][0] = four.x;
        staged_[i][1] = four.y;
        staged_[i][2] = four.z;
        staged_[i][3] = four.w;
      } else {
        staged_[i][0] = loads.one(at);
      }
    }
    from_ += P::BK;
  }

  /// Stores what was read to a tile of shared memory.
  __device__ __forceinline__ void store(float* tile) const {
#pragma unroll
    for (int i = 0; i < count; ++i) {
#pragma unroll
      for (int e = 0; e < width; ++e) {
        tile[to_ + (i % parts * 8 + e) * P::aPitch + i / parts * rows_at_once] = staged_[i][e];
      }
    }
  }

 private:
  const float* from_;
  unsigned long long stride_;
  unsigned to_;
  float staged_[count][width];
};

/// Neighbouring threads read along a row of B, and store along the same.
template <class P>
class b_share {
  static constexpr int width = P::VEC4 ? 4 : 1;
  static constexpr int lanes = P::BN / width;
  static constexpr int rows_at_once = P::threads / lanes;
  static constexpr int count = P::BK / rows_at_once;
  static_assert(P::threads % lanes == 0 && P::BK % rows_at_once == 0, "Every thread reads as many parts of rows");

 public:
  __device__ __forceinline__ b_share(const float* from, int ld, unsigned thread)
      : from_(from + ffma::element_offset(thread / lanes, thread % lanes * width, ld)),
        stride_(ffma::element_offset(rows_at_once, 0, ld)),
        to_(thread / lanes * P::BN + thread % lanes * width) {}

  template <class Loads>
  __device__ __forceinline__ void load(Loads loads) {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      if constexpr (P::VEC4) {
        const ffma::vec4 four = loads.four(from_);
        staged_[i][0] = four.x;
        staged_[i][1] = four.y;
        staged_[i][2] = four.z;
        staged_[i][3] = four.w;
      } else {
        staged_[i][0] = loads.one(from_);
      }
      from_ += stride_;
    }
  }

  __device__ __forceinline__ void store(float* tile) const {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      float* to = tile + to_ + i * rows_at_once * P::BN;
      if constexpr (P::VEC4) {
        ffma::store4(to, {staged_[i][0], staged_[i][1], staged_[i][2], staged_[i][3]});
      } else {
        *to = staged_[i][0];
      }
    }
  }

 private:
  const float* from_;
  unsigned long long stride_;
  unsigned to_;
  float staged_[count][width];
};

}  // namespace study
