#pragma once

#include "handle.h"

namespace ffma {

/// A module of the driver, kept by whoever uses its functions; unloaded after the work that was enqueued before.
struct ModuleState : Child {
  CUmodule module;
  const std::string log;

  ModuleState(std::shared_ptr<Context> context, CUmodule own, std::string own_log)
      : Child(std::move(context)), module(own), log(std::move(own_log)) {}
  ~ModuleState() override { release(); }
  /// Its functions see at once that it is gone.
  void release() override;
};

/// NativeModule: loaded code.
class Module : public Handle<Module> {
 public:
  static constexpr napi_type_tag type_tag = {0x6f1d2a4c9be84f05, 0x8c3a77e5d0b14a05};
  struct Init {
    std::shared_ptr<ModuleState> state;
  };

  explicit Module(const Napi::CallbackInfo& info);
  static Napi::Function define(Napi::Env env);
  /// Loads on a thread of its own; resolves to a NativeModule.
  static Napi::Value load(Napi::Env env, std::shared_ptr<Context> context, std::vector<char> image);

 private:
  Napi::Value log(const Napi::CallbackInfo& info);
  Napi::Value function_names(const Napi::CallbackInfo& info);
  Napi::Value function(const Napi::CallbackInfo& info);
  void unload(const Napi::CallbackInfo&) { state_->release(); }
  /// @throws Failure where it was unloaded
  CUmodule get() const;

  std::shared_ptr<ModuleState> state_;
};

}  // namespace ffma
