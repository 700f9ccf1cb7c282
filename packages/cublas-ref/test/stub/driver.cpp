// Core's fake driver, and what cuBLAS and its addon ask of one beyond it: which context is current on a thread. What is
// defined here takes the place of what core has under the same name.
#include <algorithm>

#define cuStreamQuery fake_cuStreamQuery
#define cuStreamCreate fake_cuStreamCreate
#define cuStreamDestroy_v2 fake_cuStreamDestroy
#define cuCtxSetCurrent fake_cuCtxSetCurrent
#define cuDevicePrimaryCtxRetain fake_cuDevicePrimaryCtxRetain
#define cuDevicePrimaryCtxRelease_v2 fake_cuDevicePrimaryCtxRelease
#include "../../../core/test/fake-cuda/fake-cuda.cpp"
#undef cuStreamQuery
#undef cuStreamCreate
#undef cuStreamDestroy_v2
#undef cuCtxSetCurrent
#undef cuDevicePrimaryCtxRetain
#undef cuDevicePrimaryCtxRelease_v2

#include "words.h"

static thread_local std::vector<CUcontext> contexts;

EXPORT CUresult cuCtxSetCurrent(CUcontext context) {
  if (contexts.empty()) contexts.push_back(context);
  return contexts.back() = context, CUDA_SUCCESS;
}
EXPORT CUresult cuCtxPushCurrent_v2(CUcontext context) {
  ++stub::word(stub::pushed_contexts);
  return contexts.push_back(context), CUDA_SUCCESS;
}
EXPORT CUresult cuCtxPopCurrent_v2(CUcontext* context) {
  --stub::word(stub::pushed_contexts);
  *context = contexts.back();
  return contexts.pop_back(), CUDA_SUCCESS;
}
EXPORT CUresult cuCtxGetCurrent(CUcontext* context) {
  return *context = contexts.empty() ? nullptr : contexts.back(), CUDA_SUCCESS;
}
EXPORT CUresult cuCtxGetDevice(CUdevice* device) {
  return *device = 0, contexts.empty() ? static_cast<CUresult>(201) : CUDA_SUCCESS;
}
EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  ++stub::word(stub::retained_contexts);
  return fake_cuDevicePrimaryCtxRetain(context, device);
}
EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice) {
  return --stub::word(stub::retained_contexts), CUDA_SUCCESS;
}
EXPORT CUresult cuStreamQuery(CUstream) { return static_cast<CUresult>(stub::word(stub::stream_state).load()); }
static std::mutex streams_mutex;
static std::vector<CUstream> live_streams;
EXPORT CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  const CUresult result = fake_cuStreamCreate(stream, flags);
  const std::lock_guard lock(streams_mutex);
  return live_streams.push_back(*stream), result;
}
EXPORT CUresult cuStreamDestroy_v2(CUstream stream) {
  {
    const std::lock_guard lock(streams_mutex);
    live_streams.erase(std::find(live_streams.begin(), live_streams.end(), stream));
  }
  return fake_cuStreamDestroy(stream);
}
/// For the stub of cuBLAS, which must not look at a stream that is gone.
EXPORT bool stub_is_live(CUstream stream) {
  const std::lock_guard lock(streams_mutex);
  return std::find(live_streams.begin(), live_streams.end(), stream) != live_streams.end();
}
/// For the stub of cuBLAS: work on a stream.
EXPORT CUresult stub_enqueue(CUstream stream, void (*work)(void*), void* data) {
  return enqueue(stream, [=] { work(data); });
}
