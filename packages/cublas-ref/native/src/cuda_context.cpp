#include "cuda_context.h"

#include <atomic>
#include <mutex>

#include "shared_library.h"

namespace ffma {
namespace {

std::atomic<bool> ending{false};

}  // namespace

void mark_process_ending() { ending.store(true, std::memory_order_relaxed); }

bool process_is_ending() { return ending.load(std::memory_order_relaxed); }

namespace {

Failure driver_failure(const ContextApi& api, const char* code, CUresult result, const char* call) {
  const char* name = nullptr;
  if (api.GetErrorName(result, &name) != CUDA_SUCCESS) name = nullptr;
  Failure failure(code, "");
  failure.native = name != nullptr ? name : "CUDA error " + std::to_string(result);
  failure.call = call;
  failure.message = failure.call + " failed with " + failure.native + ".";
  return failure;
}

void check(const ContextApi& api, CUresult result, const char* call) {
  if (result != CUDA_SUCCESS) throw driver_failure(api, "FFMA_UNAVAILABLE", result, call);
}

std::vector<Symbol> symbols_of(ContextApi& api) {
  std::vector<Symbol> symbols;
#define FFMA_SYMBOL(member, symbol, parameters) symbols.push_back({#symbol, reinterpret_cast<void**>(&api.member)});
  FFMA_CONTEXT_FUNCTIONS(FFMA_SYMBOL)
#undef FFMA_SYMBOL
  return symbols;
}

}  // namespace

const ContextApi& open_context_api(const std::vector<std::string>& candidates) {
  static std::mutex& mutex = *new std::mutex;
  static ContextApi& api = *new ContextApi;
  static bool found = false;
  const std::lock_guard lock(mutex);
  if (found) return api;
  const LibraryReport report = open_library(candidates, symbols_of(api));
  if (!report.found) {
    std::string reasons;
    for (const LibraryAttempt& attempt : report.attempts) reasons += " " + attempt.path + ": " + attempt.reason + ".";
    throw Failure("FFMA_UNAVAILABLE", "The NVIDIA driver's library does not load." + reasons);
  }
  found = true;
  return api;
}

std::optional<int> driver_version(const ContextApi& api) {
  int version = 0;
  if (api.DriverGetVersion(&version) != CUDA_SUCCESS || version == 0) return std::nullopt;
  return version;
}

KeptContext::KeptContext(const ContextApi& api, CUcontext context) : api_(api), context_(context) {
  check(api_, api_.CtxPushCurrent(context), "cuCtxPushCurrent");
  CUdevice device = 0;
  const CUresult result = api_.CtxGetDevice(&device);
  CUcontext popped = nullptr;
  api_.CtxPopCurrent(&popped);
  check(api_, result, "cuCtxGetDevice");
  CUcontext primary = nullptr;
  check(api_, api_.DevicePrimaryCtxRetain(&primary, device), "cuDevicePrimaryCtxRetain");
  device_ = device;
  if (primary == context) return;
  api_.DevicePrimaryCtxRelease(device);
  throw Failure("FFMA_UNSUPPORTED", "cuBLAS works in the primary context of a GPU, but the device has another.");
}

KeptContext::~KeptContext() {
  // At the end of the process the driver would wait for its kernels here; it takes everything back by itself.
  if (!process_is_ending()) api_.DevicePrimaryCtxRelease(device_);
}

Failure KeptContext::explain(Failure failure, CUstream stream) const {
  const CUresult state = api_.StreamQuery(stream);
  const bool works = state == CUDA_SUCCESS || state == CUDA_ERROR_NOT_READY;
  if (works || state == CUDA_ERROR_INVALID_CONTEXT || state == CUDA_ERROR_INVALID_HANDLE) return failure;
  Failure lost = driver_failure(api_, "FFMA_DEVICE_LOST", state, "cuStreamQuery");
  lost.message = failure.message + " The GPU was lost before it: " + lost.native + ".";
  lost.call = failure.call;
  return lost;
}

CurrentContext::CurrentContext(const KeptContext& kept) : api_(kept.api()) {
  CUcontext current = nullptr;
  if (api_.CtxGetCurrent(&current) == CUDA_SUCCESS && current == kept.context()) return;
  check(api_, api_.CtxPushCurrent(kept.context()), "cuCtxPushCurrent");
  pushed_ = true;
}

CurrentContext::~CurrentContext() {
  CUcontext popped = nullptr;
  if (pushed_) api_.CtxPopCurrent(&popped);
}

}  // namespace ffma
