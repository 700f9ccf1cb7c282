// What the driver itself takes, called from C++ with handles that the addon made: the yardstick for what calls from
// JavaScript take. Not part of the package.
#include <napi.h>

#include <chrono>

#include "../src/driver_api.h"
#include "../src/failure.h"
#include "graph.h"

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

/// One block of a kernel without arguments.
CUlaunchConfig one_block(CUstream stream) {
  CUlaunchConfig config{};
  config.gridDimX = config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = 32, config.blockDimY = config.blockDimZ = 1;
  config.hStream = stream;
  return config;
}

/// What a launch function was given: function, stream, count, batch.
struct Run {
  CUfunction function;
  CUstream stream;
  uint32_t count, batch;

  explicit Run(const Napi::CallbackInfo& info)
      : function(handle<CUfunction>(info[0])),
        stream(handle<CUstream>(info[1])),
        count(info[2].ToNumber().Uint32Value()),
        batch(info[3].ToNumber().Uint32Value()) {}

  /// Microseconds of each call; the stream is drained after every `batch`, outside of the times.
  template <class Launch>
  Napi::Value times(Napi::Env env, const char* call, const Launch& launch) const {
    Napi::Float64Array times = Napi::Float64Array::New(env, count);
    for (uint32_t i = 0; i < count; ++i) {
      const auto start = Clock::now();
      const CUresult result = launch();
      times[i] = microseconds_since(start);
      ffma::check_driver(result, call);
      if ((i + 1) % batch == 0) ffma::check_driver(ffma::driver().StreamSynchronize(stream), "cuStreamSynchronize");
    }
    return times;
  }
};

/// open(candidates, context): the driver for what follows.
void open(const Napi::CallbackInfo& info) {
  const Napi::Array array = info[0].As<Napi::Array>();
  std::vector<std::string> candidates;
  for (uint32_t i = 0; i < array.Length(); ++i) candidates.push_back(Napi::Value(array[i]).ToString().Utf8Value());
  ffma::open_driver(candidates);
  ffma::check_driver(ffma::driver().CtxSetCurrent(handle<CUcontext>(info[1])), "cuCtxSetCurrent");
}

/// launch(function, stream, count, batch): by cuLaunchKernel.
Napi::Value launch(const Napi::CallbackInfo& info) {
  const Run run(info);
  const auto start = ffma::driver().LaunchKernel;
  return run.times(info.Env(), "cuLaunchKernel", [&] {
    return start(run.function, 1, 1, 1, 32, 1, 1, 0, run.stream, nullptr, nullptr);
  });
}

/// launchEx(function, stream, count, batch): by cuLaunchKernelEx.
Napi::Value launch_ex(const Napi::CallbackInfo& info) {
  const Run run(info);
  const auto start = ffma::driver().LaunchKernelEx;
  const CUlaunchConfig config = one_block(run.stream);
  return run.times(info.Env(), "cuLaunchKernelEx", [&] { return start(&config, run.function, nullptr, nullptr); });
}

/// launchGraph(function, stream, count, batch, nodes): by cuGraphLaunch, of a graph of so many launches in a row, that
/// was captured, instantiated and uploaded before.
Napi::Value launch_graph(const Napi::CallbackInfo& info) {
  const Run run(info);
  const uint32_t nodes = info[4].ToNumber().Uint32Value();
  const ffma::CapturedGraph graph(run.stream, [&] {
    for (uint32_t i = 0; i < nodes; ++i) {
      const CUlaunchConfig config = one_block(run.stream);
      ffma::check_driver(ffma::driver().LaunchKernelEx(&config, run.function, nullptr, nullptr), "cuLaunchKernelEx");
    }
  });
  return run.times(info.Env(), "cuGraphLaunch", [&] { return graph.launch(run.stream); });
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

/// A function whose failures are errors of JavaScript.
template <class Body>
Napi::Function exported(Napi::Env env, const char* name, Body body) {
  const auto guarded = [body](const Napi::CallbackInfo& info) -> Napi::Value {
    try {
      if constexpr (std::is_void_v<decltype(body(info))>) {
        body(info);
        return info.Env().Undefined();
      } else {
        return body(info);
      }
    } catch (const ffma::Failure& failure) {
      throw Napi::Error::New(info.Env(), failure.message);
    }
  };
  return Napi::Function::New(env, guarded, name);
}

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  exports["open"] = exported(env, "open", open);
  exports["launch"] = exported(env, "launch", launch);
  exports["launchEx"] = exported(env, "launchEx", launch_ex);
  exports["launchGraph"] = exported(env, "launchGraph", launch_graph);
  exports["upload"] = exported(env, "upload", upload);
  return exports;
}

}  // namespace

NODE_API_MODULE(ffma_benchmark, initialise)
