// An open cuBLAS as JavaScript sees it.
#pragma once

#include <napi.h>

#include <memory>

#include "cublas_api.h"
#include "cuda_context.h"

namespace ffma {

/// `NativeCublas` of binding.ts.
class JsLibrary : public Napi::ObjectWrap<JsLibrary> {
 public:
  static Napi::Function define(Napi::Env env);
  static Napi::Value make(Napi::Env env, std::shared_ptr<const CublasLibrary> library);

  explicit JsLibrary(const Napi::CallbackInfo& info) : Napi::ObjectWrap<JsLibrary>(info) {}

 private:
  Napi::Value path(const Napi::CallbackInfo& info);
  Napi::Value version(const Napi::CallbackInfo& info);
  Napi::Value try_context(const Napi::CallbackInfo& info);
  Napi::Value create_handle(const Napi::CallbackInfo& info);
  Napi::Value prepare_sgemm(const Napi::CallbackInfo& info);
  Napi::Value prepare_scale(const Napi::CallbackInfo& info);

  std::shared_ptr<const CublasLibrary> library_;
};

}  // namespace ffma
