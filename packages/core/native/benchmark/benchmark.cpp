// What the driver itself takes, called from C++ with handles that the addon made: the yardstick for what calls from
// JavaScript take. Not part of the package.
#include <napi.h>

#include <chrono>

#include "../src/driver_api.h"
#include "../src/failure.h"

namespace {

using Clock = std::chrono::steady_clock;

template <class T>
T handle(const Napi::Value& value) {
  bool lossless = false;
  return reinterpret_cast<T>(static_cast<uintptr_t>(value.As<Napi::BigInt>().Uint64Value(&lossless)));
}

double microseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

/// open(candidates, context): the driver for what follows.
void open(const Napi::CallbackInfo& info) {
  const Napi::Array array = info[0].As<Napi::Array>();
  std::vector<std::string> candidates;
  for (uint32_t i = 0; i < array.Length(); ++i) candidates.push_back(Napi::Value(array[i]).ToString().Utf8Value());
  ffma::open_driver(candidates);
  ffma::check_driver(ffma::driver().CtxSetCurrent(handle<CUcontext>(info[1])), "cuCtxSetCurrent");
}

/// launch(function, stream, count, batch): microseconds of each cuLaunchKernel of one block of a kernel without
/// arguments; the stream is drained after every `batch`, outside of the times.
Napi::Value launch(const Napi::CallbackInfo& info) {
  const ffma::DriverApi& api = ffma::driver();
  const auto function = handle<CUfunction>(info[0]);
  const auto stream = handle<CUstream>(info[1]);
  const uint32_t count = info[2].ToNumber().Uint32Value();
  const uint32_t batch = info[3].ToNumber().Uint32Value();
  Napi::Float64Array times = Napi::Float64Array::New(info.Env(), count);
  for (uint32_t i = 0; i < count; ++i) {
    const auto start = Clock::now();
    const CUresult result = api.LaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, nullptr, nullptr);
    times[i] = microseconds_since(start);
    ffma::check_driver(result, "cuLaunchKernel");
    if ((i + 1) % batch == 0) ffma::check_driver(api.StreamSynchronize(stream), "cuStreamSynchronize");
  }
  return times;
}

/// upload(address, pinned, stream, count): microseconds of each copy to the device, until it has landed.
Napi::Value upload(const Napi::CallbackInfo& info) {
  const ffma::DriverApi& api = ffma::driver();
  bool lossless = false;
  const CUdeviceptr target = info[0].As<Napi::BigInt>().Uint64Value(&lossless);
  const Napi::Uint8Array source = info[1].As<Napi::Uint8Array>();
  const auto stream = handle<CUstream>(info[2]);
  const uint32_t count = info[3].ToNumber().Uint32Value();
  Napi::Float64Array times = Napi::Float64Array::New(info.Env(), count);
  for (uint32_t i = 0; i < count; ++i) {
    const auto start = Clock::now();
    ffma::check_driver(api.MemcpyHtoDAsync(target, source.Data(), source.ByteLength(), stream), "cuMemcpyHtoDAsync");
    ffma::check_driver(api.StreamSynchronize(stream), "cuStreamSynchronize");
    times[i] = microseconds_since(start);
  }
  return times;
}

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  exports["open"] = Napi::Function::New(env, open, "open");
  exports["launch"] = Napi::Function::New(env, launch, "launch");
  exports["upload"] = Napi::Function::New(env, upload, "upload");
  return exports;
}

}  // namespace

NODE_API_MODULE(ffma_benchmark, initialise)
