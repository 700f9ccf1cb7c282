#pragma once

namespace ffma {

/// Two floats that move as one 64-bit access.
struct alignas(8) vec2 {
  float x, y;
};

/// Four floats that move as one 128-bit access.
struct alignas(16) vec4 {
  float x, y, z, w;
};

/// Reads two floats from global or shared memory; `from` must be a multiple of 8 bytes.
__device__ __forceinline__ vec2 load2(const float* from) { return *reinterpret_cast<const vec2*>(from); }

/// Reads four floats from global or shared memory; `from` must be a multiple of 16 bytes.
__device__ __forceinline__ vec4 load4(const float* from) { return *reinterpret_cast<const vec4*>(from); }

/// Writes two floats to global or shared memory; `to` must be a multiple of 8 bytes.
__device__ __forceinline__ void store2(float* to, vec2 value) { *reinterpret_cast<vec2*>(to) = value; }

/// Writes four floats to global or shared memory; `to` must be a multiple of 16 bytes.
__device__ __forceinline__ void store4(float* to, vec4 value) { *reinterpret_cast<vec4*>(to) = value; }

}  // namespace ffma
