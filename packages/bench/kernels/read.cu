// The ceiling of reading memory: every float4 of a buffer is read once, by neighbouring lanes side by side.
// All threads of the grid go through the buffer together; P::loads reads of a thread are under way at a time.

#include <ffma/vec.cuh>

template <class P>
__device__ __forceinline__ void read_all(const float* __restrict__ in, float* __restrict__ out, int vectors) {
  const int thread = static_cast<int>(blockIdx.x * P::threads + threadIdx.x);
  const int threads = static_cast<int>(gridDim.x * P::threads);
  float total = 0.0f;
  for (int at = thread; at < vectors; at += threads * P::loads) {
    ffma::vec4 read[P::loads];
#pragma unroll
    for (int l = 0; l < P::loads; ++l) {
      const int vector = at + l * threads;
      read[l] = vector < vectors ? ffma::load4(in + 4ll * vector) : ffma::vec4{0.0f, 0.0f, 0.0f, 0.0f};
    }
#pragma unroll
    for (int l = 0; l < P::loads; ++l) total += read[l].x + read[l].y + read[l].z + read[l].w;
  }
  // Stored, so that no read can be left out: each thread writes one float.
  out[thread] = total;
}
