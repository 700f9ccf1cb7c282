#pragma once

#include "epilogue.cuh"
#include "fma.cuh"
#include "vec.cuh"

namespace ffma {

/// Reads N neighbouring floats of shared memory into registers by 128-bit loads; `from` must be a multiple of 16 bytes.
template <int N>
__device__ __forceinline__ void load_fragment(float (&fragment)[N], const float* from) {
  static_assert(N % 4 == 0, "A fragment is whole float4s");
#pragma unroll
  for (int i = 0; i < N; i += 4) {
    const vec4 four = load4(from + i);
    fragment[i] = four.x;
    fragment[i + 1] = four.y;
    fragment[i + 2] = four.z;
    fragment[i + 3] = four.w;
  }
}

/// Where element i of a lane's share lies, in floats from its first one. A line is dealt out like cards, `run` floats
/// to each of `lanes` lanes in turn, until all is dealt. Where run is the whole share, the share is in one piece.
template <int run, int lanes>
__device__ __forceinline__ constexpr int dealt(int i) {
  return i / run * (run * lanes) + i % run;
}

/// load_fragment for a share of a line that is dealt out in runs of whole float4s; `from` is the share's first float.
template <int run, int lanes, int N>
__device__ __forceinline__ void load_dealt_fragment(float (&fragment)[N], const float* from) {
  static_assert(run % 4 == 0 && N % run == 0, "A fragment is whole runs, and a run whole float4s");
#pragma unroll
  for (int i = 0; i < N; i += 4) {
    const vec4 four = load4(from + dealt<run, lanes>(i));
    fragment[i] = four.x;
    fragment[i + 1] = four.y;
    fragment[i + 2] = four.z;
    fragment[i + 3] = four.w;
  }
}

/// acc[i][j] += a[i] * b[j] for every i and j: one step along k of a TM x TN patch, each sum one fma further.
template <int TM, int TN>
__device__ __forceinline__ void outer_product(float (&acc)[TM][TN], const float (&a)[TM], const float (&b)[TN]) {
#pragma unroll
  for (int i = 0; i < TM; ++i) {
#pragma unroll
    for (int j = 0; j < TN; ++j) acc[i][j] = fma(a[i], b[j], acc[i][j]);
  }
}

/// store_scaled for N neighbouring columns of one row, by 128-bit stores; `c` must be a multiple of 16 bytes.
template <int N>
__device__ __forceinline__ void store_scaled_row(float* c, const float (&acc)[N], float alpha, float beta) {
  static_assert(N % 4 == 0, "A row of a patch is whole float4s");
#pragma unroll
  for (int j = 0; j < N; j += 4) store_scaled4(c + j, {acc[j], acc[j + 1], acc[j + 2], acc[j + 3]}, alpha, beta);
}

/// store_scaled_row for columns that are dealt out in runs of whole float4s.
template <int run, int lanes, int N>
__device__ __forceinline__ void store_scaled_dealt(float* c, const float (&acc)[N], float alpha, float beta) {
  static_assert(run % 4 == 0 && N % run == 0, "A row of a patch is whole runs, and a run whole float4s");
#pragma unroll
  for (int j = 0; j < N; j += 4) {
    const vec4 four = {acc[j], acc[j + 1], acc[j + 2], acc[j + 3]};
    store_scaled4(c + dealt<run, lanes>(j), four, alpha, beta);
  }
}

}  // namespace ffma
