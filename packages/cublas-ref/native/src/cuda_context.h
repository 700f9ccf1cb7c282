// The CUDA context that cuBLAS works in: the one that core opened.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cublas_types.h"
#include "failure.h"

namespace ffma {

/// From here on contexts and handles are left to the driver, which takes back what a process held faster than we can.
void mark_process_ending();
bool process_is_ending();


// clang-format off
// X(member, exported symbol, parameters)
#define FFMA_CONTEXT_FUNCTIONS(X) \
  X(DriverGetVersion, cuDriverGetVersion, (int* version)) \
  X(GetErrorName, cuGetErrorName, (CUresult error, const char** name)) \
  X(CtxPushCurrent, cuCtxPushCurrent_v2, (CUcontext context)) \
  X(CtxPopCurrent, cuCtxPopCurrent_v2, (CUcontext* context)) \
  X(CtxGetCurrent, cuCtxGetCurrent, (CUcontext* context)) \
  X(CtxGetDevice, cuCtxGetDevice, (CUdevice* device)) \
  X(DevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (CUcontext* context, CUdevice device)) \
  X(DevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (CUdevice device)) \
  X(StreamQuery, cuStreamQuery, (CUstream stream))
// clang-format on

struct ContextApi {
#define FFMA_MEMBER(member, symbol, parameters) CUresult(*member) parameters = nullptr;
  FFMA_CONTEXT_FUNCTIONS(FFMA_MEMBER)
#undef FFMA_MEMBER
};

/// Takes the driver's functions for contexts from the first candidate that has them, once a process. Core has loaded
/// the same library, or this loads it. Throws Failure FFMA_UNAVAILABLE with the reason.
const ContextApi& open_context_api(const std::vector<std::string>& candidates);

/// The functions, where they were opened. @throws Failure
inline const ContextApi& context_api() { return open_context_api({}); }

/// CUDA version of the driver, e.g. 13000; empty where it does not say.
std::optional<int> driver_version(const ContextApi& api);

/// A primary context that is kept alive: core may close its device before the last cuBLAS handle is destroyed.
class KeptContext {
 public:
  /// @throws Failure
  KeptContext(const ContextApi& api, CUcontext context);
  ~KeptContext();
  KeptContext(const KeptContext&) = delete;
  KeptContext& operator=(const KeptContext&) = delete;

  const ContextApi& api() const { return api_; }
  CUcontext context() const { return context_; }

  /// Adds what the driver knows to a failure of cuBLAS: whether the stream's context was lost.
  Failure explain(Failure failure, CUstream stream) const;

 private:
  const ContextApi& api_;
  CUcontext context_;
  CUdevice device_ = 0;
};

/// Makes a context current on this thread for as long as it lives.
class CurrentContext {
 public:
  /// @throws Failure
  explicit CurrentContext(const KeptContext& kept);
  ~CurrentContext();
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;

 private:
  const ContextApi& api_;
  bool pushed_ = false;
};

}  // namespace ffma
