// A 128x128 block tile, an 8x8 patch a thread, 256 threads, B K 8: what a register-tiled kernel looks like to the
// emulator. No edges: m and n are multiples of 128, k of 8. A test kernel for measuring, not one to learn from.
#include <ffma/fma.cuh>

template <class P>
__device__ __forceinline__ void tiled(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                      int m, int n, int k) {
  constexpr int BM = 128, BN = 128, BK = 8;
  __shared__ __align__(16) float a_tile[BK][BM];
  __shared__ __align__(16) float b_tile[BK][BN];
  const int tid = threadIdx.x;
  const int tx = tid % 16, ty = tid / 16;
  a += static_cast<long long>(blockIdx.y) * BM * k;
  b += blockIdx.x * BN;
  float acc[8][8] = {};
  for (int k0 = 0; k0 < k; k0 += BK) {
    for (int i = 0; i < 4; ++i) {
      const int row = tid / 8 + i * 32, col = tid % 8;
      a_tile[col][row] = a[static_cast<long long>(row) * k + k0 + col];
    }
    for (int i = 0; i < 4; ++i) {
      const int row = tid / 128 + i * 2, col = tid % 128;
      b_tile[row][col] = b[static_cast<long long>(k0 + row) * n + col];
    }
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < BK; ++kk) {
      float x[8], y[8];
#pragma unroll
      for (int i = 0; i < 8; ++i) x[i] = a_tile[kk][ty * 8 + i];
#pragma unroll
      for (int j = 0; j < 8; ++j) y[j] = b_tile[kk][j * 16 + tx];
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) acc[i][j] = ffma::fma(x[i], y[j], acc[i][j]);
      }
    }
    __syncthreads();
  }
  float* out = c + (static_cast<long long>(blockIdx.y) * BM + ty * 8) * n + blockIdx.x * BN + tx;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
#pragma unroll
    for (int j = 0; j < 8; ++j) out[static_cast<long long>(i) * n + j * 16] = acc[i][j];
  }
}
