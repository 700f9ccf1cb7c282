// Handles and calls as JavaScript sees them.
#pragma once

#include <napi.h>

#include <memory>

#include "handle.h"

namespace ffma {

using CallBox = Napi::External<Call>;

/// `NativeHandle` of binding.ts.
class JsHandle : public Napi::ObjectWrap<JsHandle> {
 public:
  static Napi::Function define(Napi::Env env);
  static Napi::Value make(Napi::Env env, std::unique_ptr<Handle> handle);

  explicit JsHandle(const Napi::CallbackInfo& info) : Napi::ObjectWrap<JsHandle>(info) {}

 private:
  void enqueue(const Napi::CallbackInfo& info);
  void detach(const Napi::CallbackInfo& info);
  Napi::Value destroy(const Napi::CallbackInfo& info);

  std::unique_ptr<Handle> handle_;
};

}  // namespace ffma
