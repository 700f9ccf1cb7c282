#pragma once

#include "handle.h"

namespace ffma {

/// NativeContext: an opened device.
class ContextHandle : public Handle<ContextHandle> {
 public:
  static constexpr napi_type_tag type_tag = {0x6f1d2a4c9be84f08, 0x8c3a77e5d0b14a08};
  struct Init {
    int ordinal;
  };

  explicit ContextHandle(const Napi::CallbackInfo& info);
  static Napi::Function define(Napi::Env env);

 private:
  Napi::Value handle(const Napi::CallbackInfo& info);
  Napi::Value lost(const Napi::CallbackInfo& info);
  Napi::Value mem_info(const Napi::CallbackInfo& info);
  Napi::Value allocate(const Napi::CallbackInfo& info);
  Napi::Value allocate_pinned(const Napi::CallbackInfo& info);
  Napi::Value create_stream(const Napi::CallbackInfo& info);
  Napi::Value create_event(const Napi::CallbackInfo& info);
  Napi::Value load_module(const Napi::CallbackInfo& info);
  Napi::Value prepare_launches(const Napi::CallbackInfo& info);
  Napi::Value synchronize(const Napi::CallbackInfo& info);
  void close(const Napi::CallbackInfo& info);

  /// @throws Failure where it is closed
  const std::shared_ptr<Context>& get() const {
    if (context_ == nullptr) throw closed("device");
    return context_;
  }

  std::shared_ptr<Context> context_;
};

}  // namespace ffma
