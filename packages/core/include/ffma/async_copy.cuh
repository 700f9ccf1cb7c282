#pragma once

// cp.async (sm_80): a thread asks for a copy from global to shared memory and goes on. Its copies so far become a group
// at commit_copies; wait_copies waits for the thread's own groups, and a barrier after that shows them to the block.

namespace ffma {

/// Address of shared memory in its own 32-bit window, in bytes: what the copies below take as their destination.
__device__ __forceinline__ unsigned shared_address(const void* shared) {
  unsigned long long address;
  asm("cvta.to.shared.u64 %0, %1;" : "=l"(address) : "l"(shared));
  return static_cast<unsigned>(address);
}

/// Starts a copy of one float; both addresses are multiples of 4 bytes.
__device__ __forceinline__ void copy1_async(unsigned to, const float* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from) : "memory");
}

/// Starts a copy of four floats past the L1 cache; both addresses are multiples of 16 bytes.
__device__ __forceinline__ void copy4_async(unsigned to, const float* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

/// As copy1_async where `wanted`; else writes zero and reads nothing, so that `from` may point anywhere.
__device__ __forceinline__ void copy1_async_or_zero(unsigned to, const float* from, bool wanted) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(wanted ? 4 : 0) : "memory");
}

/// As copy4_async where `wanted`; else writes zeros and reads nothing, so that `from` may point anywhere.
__device__ __forceinline__ void copy4_async_or_zero(unsigned to, const float* from, bool wanted) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(wanted ? 16 : 0) : "memory");
}

/// Closes the group of copies that this thread started since the last one; a group may be empty.
__device__ __forceinline__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }

/// Waits until at most `pending` of this thread's youngest groups are still on their way.
template <int pending>
__device__ __forceinline__ void wait_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

}  // namespace ffma
