// Members of the plain objects that JavaScript passes. binding.ts gives their types; nobody else calls.
#pragma once

#include <napi.h>

#include "calls.h"

namespace ffma {

/// An address or a raw handle, which are bigints.
inline void* pointer(const Napi::Object& from, const char* name) {
  bool lossless = false;
  const uint64_t bits = from.Get(name).As<Napi::BigInt>().Uint64Value(&lossless);
  return reinterpret_cast<void*>(static_cast<uintptr_t>(bits));
}

inline double number(const Napi::Object& from, const char* name) {
  return from.Get(name).As<Napi::Number>().DoubleValue();
}

inline int whole(const Napi::Object& from, const char* name) { return static_cast<int>(number(from, name)); }

inline float single(const Napi::Object& from, const char* name) { return static_cast<float>(number(from, name)); }

inline cublasMath_t math(const Napi::Object& from) { return static_cast<cublasMath_t>(whole(from, "math")); }

inline Matrix matrix(const Napi::Object& from, const char* data, const char* ld) {
  return {static_cast<const float*>(pointer(from, data)), whole(from, ld)};
}

}  // namespace ffma
