#pragma once

#include "handle.h"

namespace ffma {

/// A module of the driver, shared by whoever uses its functions.
struct ModuleState {
  std::shared_ptr<DeviceState> device;
  CUmodule module = nullptr;
  std::string log;

  explicit ModuleState(std::shared_ptr<DeviceState> own) : device(std::move(own)) {}
  ~ModuleState() {
    if (module != nullptr && device->try_enter()) device->api().ModuleUnload(module);
  }
  ModuleState(const ModuleState&) = delete;
  ModuleState& operator=(const ModuleState&) = delete;
};

/// NativeModule: loaded code.
class Module : public Handle<Module>, public Child {
 public:
  static constexpr napi_type_tag type_tag = {0x6f1d2a4c9be84f05, 0x8c3a77e5d0b14a05};
  struct Init {
    std::shared_ptr<Context> context;
    std::shared_ptr<ModuleState> state;
  };

  explicit Module(const Napi::CallbackInfo& info);
  ~Module() override { release(); }
  void release() override;
  static Napi::Function define(Napi::Env env);
  /// Loads on a thread of its own; resolves to a NativeModule.
  static Napi::Value load(Napi::Env env, std::shared_ptr<Context> context, std::vector<char> image);

 private:
  Napi::Value log(const Napi::CallbackInfo& info);
  Napi::Value function_names(const Napi::CallbackInfo& info);
  Napi::Value function(const Napi::CallbackInfo& info);
  void unload(const Napi::CallbackInfo&) { release(); }
  /// @throws Failure where it was unloaded
  CUmodule get() const;

  std::shared_ptr<ModuleState> state_;
};

}  // namespace ffma
