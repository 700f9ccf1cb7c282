#pragma once

#include "module.h"

namespace ffma {

/// A kernel, and what was set on it.
struct FunctionState {
  std::shared_ptr<Context> context;
  std::shared_ptr<ModuleState> module;
  std::string name;
  CUfunction function = nullptr;
  std::vector<size_t> param_offsets;
  std::vector<size_t> param_bytes;
  /// Dynamic shared memory that launches may ask for so far.
  int dynamic_bytes_allowed = 0;
  bool large_clusters_allowed = false;

  /// @throws Failure
  int attribute(int which) const;
  /// Allows this much dynamic shared memory, and clusters of so many blocks. @throws Failure
  void allow(unsigned dynamic_bytes, unsigned cluster_blocks);
};

/// NativeFunction: a `__global__` function.
class Function : public Handle<Function> {
 public:
  static constexpr napi_type_tag type_tag = {0x6f1d2a4c9be84f06, 0x8c3a77e5d0b14a06};
  struct Init {
    std::shared_ptr<ModuleState> module;
    std::string name;
    CUfunction function;
    /// Most parameters to ask the driver for.
    size_t most_params;
  };

  explicit Function(const Napi::CallbackInfo& info);
  static Napi::Function define(Napi::Env env);
  const std::shared_ptr<FunctionState>& state() const { return state_; }

 private:
  Napi::Value name(const Napi::CallbackInfo& info);
  Napi::Value handle(const Napi::CallbackInfo& info);
  Napi::Value attributes(const Napi::CallbackInfo& info);
  Napi::Value params(const Napi::CallbackInfo& info);
  Napi::Value occupancy(const Napi::CallbackInfo& info);

  std::shared_ptr<FunctionState> state_;
};

}  // namespace ffma
