#pragma once

#include "function.h"

namespace ffma {

/// A launch with its arguments, packed once.
struct Launch {
  std::shared_ptr<FunctionState> function;
  CUlaunchConfig config{};
  CUlaunchAttribute cluster{};
  std::vector<char> args;
  /// Where each argument stands in `args`.
  std::vector<void*> params;

  CUresult enqueue(const DriverApi& api, CUstream stream);
  const char* call() const { return config.numAttrs > 0 ? "cuLaunchKernelEx" : "cuLaunchKernel"; }
};

/// NativeLaunchList: launches that are enqueued together.
class LaunchList : public Handle<LaunchList> {
 public:
  static constexpr napi_type_tag type_tag = {0x6f1d2a4c9be84f07, 0x8c3a77e5d0b14a07};
  struct Init {
    std::shared_ptr<Context> context;
    Napi::Array launches;
  };

  explicit LaunchList(const Napi::CallbackInfo& info);
  static Napi::Function define(Napi::Env env);

 private:
  void enqueue(const Napi::CallbackInfo& info);
  void add(const Napi::Object& launch);

  std::shared_ptr<Context> context_;
  std::vector<std::unique_ptr<Launch>> launches_;
};

}  // namespace ffma
