#pragma once

#include "../graph_exec.h"
#include "function.h"

namespace ffma {

/// Arguments are packed in units of the strictest alignment that one has: that of a CUtensorMap.
struct alignas(64) ArgLine {
  char bytes[64];
};

/// A launch with its arguments, packed once.
struct Launch {
  std::shared_ptr<FunctionState> function;
  CUlaunchConfig config{};
  CUlaunchAttribute cluster{};
  std::vector<ArgLine> args;
  /// Where each argument stands in `args`.
  std::vector<void*> params;

  CUresult enqueue(const DriverApi& api, CUstream stream);
  const char* call() const { return config.numAttrs > 0 ? "cuLaunchKernelEx" : "cuLaunchKernel"; }
};

/// Launches that are enqueued together.
class LaunchList {
 public:
  /// A function of JavaScript that takes the number of a stream and enqueues the launches there. Most of what a call
  /// costs above the driver is finding out what objects stand for; this one finds itself, and its stream is a number.
  /// Its property `release` gives back what the driver holds for them. As a graph they are one call of the driver.
  static Napi::Value make(Napi::Env env, std::shared_ptr<Context> context, const Napi::Array& launches, bool as_graph);

 private:
  explicit LaunchList(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  static napi_value call(napi_env env, napi_callback_info info);
  static napi_value release(napi_env env, napi_callback_info info);
  void add(const Napi::Object& launch);
  void enqueue(uint32_t stream_number);
  void enqueue_graph(CUstream stream) const;

  std::shared_ptr<Context> context_;
  std::vector<std::unique_ptr<Launch>> launches_;
  std::unique_ptr<GraphExec> graph_;
};

}  // namespace ffma
