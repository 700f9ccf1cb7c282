#pragma once

#include "mbarrier.cuh"

// Copies in bulk (sm_90): one thread asks for a tile of a matrix, or for a run of bytes, and the tensor memory
// accelerator moves it. A copy to shared memory signals an mbarrier; one to global memory belongs to a group of its
// thread. Tiles are those of a tensor map, which the host makes (Device.encodeTensorMap) and an entry takes as
// `const __grid_constant__ ffma::tensor_map`; clang 19 has no such parameters, and the entries that the build generates
// find them another way there.

namespace ffma {

/// A CUtensorMap: opaque, 128 bytes.
struct alignas(64) tensor_map {
  unsigned long long words[16];
};

/// Fetches a tensor map ahead of its first use.
__device__ __forceinline__ void prefetch_map(const tensor_map* map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

/// Copies the tile whose first element is at `row`, `col` to shared memory at `to`, a multiple of 128 bytes (of 1024 if
/// tile_place is to hold), and signals `barrier` the bytes of a whole tile. What lies outside of the matrix is 0. `col` is
/// a multiple of 4.
__device__ __forceinline__ void load_tile(unsigned to, const tensor_map* map, int row, int col, unsigned barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          to),
      "l"(map), "r"(col), "r"(row), "r"(barrier)
      : "memory");
}

/// Stores a tile of shared memory, laid out as load_tile lays it, to `row`, `col`; what lies outside of the matrix is left
/// out. Part of the thread's open group.
__device__ __forceinline__ void store_tile(const tensor_map* map, int row, int col, unsigned from) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map), "r"(col),
               "r"(row), "r"(from)
               : "memory");
}

/// Copies `bytes`, a multiple of 16, of global to shared memory, both at multiples of 16 bytes, and signals `barrier`.
__device__ __forceinline__ void load_bytes(unsigned to, const void* from, unsigned bytes, unsigned barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
               "l"(from), "r"(bytes), "r"(barrier)
               : "memory");
}

/// Copies `bytes`, a multiple of 16, of shared to global memory, both at multiples of 16 bytes. Part of the thread's open
/// group.
__device__ __forceinline__ void store_bytes(void* to, unsigned from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(from), "r"(bytes)
               : "memory");
}

/// Shows what this thread has written to shared memory, and what it has seen others write, to copies that come after a
/// barrier of the block: before store_tile and store_bytes.
__device__ __forceinline__ void fence_for_stores() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

/// Closes the group of stores that this thread started since the last one.
__device__ __forceinline__ void commit_stores() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }

/// Waits until all but `pending` of this thread's youngest groups have read shared memory, which may be written again.
template <int pending>
__device__ __forceinline__ void wait_stores_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(pending) : "memory");
}

/// Waits until all but `pending` of this thread's youngest groups are in global memory.
template <int pending>
__device__ __forceinline__ void wait_stores() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(pending) : "memory");
}

/// How a tile is swizzled, by the bytes of a row that it may have (TensorMapOptions, swizzle).
enum tile_swizzle { no_swizzle = 0, swizzle_32 = 1, swizzle_64 = 2, swizzle_128 = 3 };

/// Where element `row`, `col` of a tile of rows of `cols` floats lies, in floats from the start of the tile, which is at a
/// multiple of 1024 bytes: the row of 128 bytes, modulo 2, 4 or 8, is mixed into the number of the 16-byte piece.
template <tile_swizzle swizzle, int cols>
__device__ __forceinline__ int tile_place(int row, int col) {
  const int at = row * cols + col;
  return at ^ (((at >> 5) & ((1 << swizzle) - 1)) << 2);
}

}  // namespace ffma
