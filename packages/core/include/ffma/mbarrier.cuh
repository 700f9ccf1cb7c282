#pragma once

#include "async_copy.cuh"

// mbarriers (sm_90): counters in shared memory that threads arrive at and wait for, phase after phase, and that copies
// signal when their bytes are there. A phase is over when all arrivals and all announced bytes have come; phases have the
// parities 0, 1, 0, … An mbarrier is 8 bytes at a multiple of 8, and is named by its shared_address.

namespace ffma {

/// What an mbarrier takes of shared memory.
using mbarrier = unsigned long long;

/// Makes an mbarrier whose phases each ask for `arrivals` arrivals, 1 to 2^20 - 1. One thread does it, then
/// fence_mbarriers, then comes a barrier of the block, before anybody else uses it.
__device__ __forceinline__ void init_mbarrier(unsigned barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

/// Shows mbarriers that this thread has made to copies.
__device__ __forceinline__ void fence_mbarriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// Ends an mbarrier, so that its memory can be used for something else.
__device__ __forceinline__ void end_mbarrier(unsigned barrier) {
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(barrier) : "memory");
}

/// Arrives once. What this thread has done before is seen by whoever waits for the phase.
__device__ __forceinline__ void arrive(unsigned barrier) {
  asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

/// Announces `bytes` that copies will bring in this phase, and arrives once. Comes before those copies.
__device__ __forceinline__ void arrive_expecting(unsigned barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}

/// Announces `bytes` more, without arriving.
__device__ __forceinline__ void expect_bytes(unsigned barrier, unsigned bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

/// Arrives when the copies by copy1_async and copy4_async that this thread has started are there. It is one of the
/// arrivals that the phase asks for.
__device__ __forceinline__ void arrive_with_copies(unsigned barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(barrier) : "memory");
}

/// Whether the phase of this parity is over; may take a while to say that it is not. The phase before the first counts
/// as one of parity 1 that is over.
__device__ __forceinline__ bool try_wait(unsigned barrier, unsigned parity) {
  unsigned over;
  asm volatile(
      "{\n"
      "  .reg .pred over;\n"
      "  mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 over, [%1], %2;\n"
      "  selp.u32 %0, 1, 0, over;\n"
      "}"
      : "=r"(over)
      : "r"(barrier), "r"(parity)
      : "memory");
  return over != 0;
}

/// Waits until the phase of this parity is over. What was done before its arrivals, and what its copies have brought, is
/// seen after that.
__device__ __forceinline__ void wait_parity(unsigned barrier, unsigned parity) {
  while (!try_wait(barrier, parity)) {
  }
}

}  // namespace ffma
