#pragma once

#include "async_copy.cuh"
#include "index.cuh"

// A thread's share in copying tiles of one matrix, chunk after chunk along k: what copy_tile4_async and
// copy_tile_transposed_async do, with every pointer computed once and advanced by a fixed stride. Each copy has a
// number, so that they can be started one by one.

namespace ffma {

/// Copies of a ROWS x COLS tile, as copy_tile4_async; the next tile lies ROWS rows further down.
template <int THREADS, int ROWS, int COLS, int PITCH>
class hoisted_copies {
  static constexpr int rows_at_once = THREADS / (COLS / 4);
  static_assert(THREADS % (COLS / 4) == 0 && ROWS % rows_at_once == 0, "All threads copy as many float4s");

 public:
  /// Copies of one thread for one tile.
  static constexpr int count = ROWS / rows_at_once;

  /// `to` is the tile in the first stage, in bytes of shared memory; `from` the first tile's first element.
  __device__ __forceinline__ hoisted_copies(unsigned to, const float* from, int ld, unsigned thread)
      : stride_(element_offset(ROWS, 0, ld)) {
    const unsigned row = thread / (COLS / 4);
    const unsigned col = thread % (COLS / 4) * 4;
    to_ = to + (row * PITCH + col) * 4;
#pragma unroll
    for (int i = 0; i < count; ++i) from_[i] = from + element_offset(row + i * rows_at_once, col, ld);
  }

  /// Starts copy number i into the stage that lies `stage` bytes behind the first.
  __device__ __forceinline__ void start(int i, unsigned stage) const {
    copy4_async(to_ + stage + i * (rows_at_once * PITCH * 4), from_[i]);
  }

  /// As start where `wanted`; else writes zeros and reads nothing.
  __device__ __forceinline__ void start_or_zero(int i, unsigned stage, bool wanted) const {
    copy4_async_or_zero(to_ + stage + i * (rows_at_once * PITCH * 4), from_[i], wanted);
  }

  /// start_or_zero if `or_zero`, else start.
  template <bool or_zero>
  __device__ __forceinline__ void start(int i, unsigned stage, bool wanted) const {
    if constexpr (or_zero) {
      start_or_zero(i, stage, wanted);
    } else {
      start(i, stage);
    }
  }

  /// Goes on to the next tile.
  __device__ __forceinline__ void advance() {
#pragma unroll
    for (int i = 0; i < count; ++i) from_[i] += stride_;
  }

 private:
  const float* from_[count];
  unsigned long long stride_;
  unsigned to_;
};

/// Copies of a ROWS x COLS tile, as copy_tile_transposed_async; the next tile lies COLS columns further on.
template <int THREADS, int ROWS, int COLS, int PITCH>
class hoisted_transposed_copies {
  static constexpr int rows_at_once = THREADS / 8;
  static constexpr int parts = COLS / 8;
  static_assert(COLS % 8 == 0 && ROWS % rows_at_once == 0, "Eight lanes take a sector, and all threads as many");

 public:
  static constexpr int count = ROWS / rows_at_once * parts;

  __device__ __forceinline__ hoisted_transposed_copies(unsigned to, const float* from, int ld, unsigned thread) {
    const unsigned row = thread / 8;
    const unsigned col = thread % 8;
    to_ = to + (col * PITCH + row) * 4;
#pragma unroll
    for (int i = 0; i < count / parts; ++i) from_[i] = from + element_offset(row + i * rows_at_once, col, ld);
  }

  __device__ __forceinline__ void start(int i, unsigned stage) const {
    copy1_async(to_ + stage + place(i), from_[i / parts] + i % parts * 8);
  }

  __device__ __forceinline__ void start_or_zero(int i, unsigned stage, bool wanted) const {
    copy1_async_or_zero(to_ + stage + place(i), from_[i / parts] + i % parts * 8, wanted);
  }

  template <bool or_zero>
  __device__ __forceinline__ void start(int i, unsigned stage, bool wanted) const {
    if constexpr (or_zero) {
      start_or_zero(i, stage, wanted);
    } else {
      start(i, stage);
    }
  }

  __device__ __forceinline__ void advance() {
#pragma unroll
    for (int i = 0; i < count / parts; ++i) from_[i] += COLS;
  }

 private:
  // Bytes from this thread's first float: down the rows, and 8 columns on for each part.
  static __device__ __forceinline__ constexpr unsigned place(int i) {
    return (i / parts * rows_at_once + i % parts * (8 * PITCH)) * 4;
  }

  const float* from_[count / parts];
  unsigned to_;
};

}  // namespace ffma
