#include "js_library.h"

#include "addon_data.h"
#include "arguments.h"
#include "background.h"
#include "js_handle.h"

namespace ffma {
namespace {

std::shared_ptr<const KeptContext> keep(void* context) {
  return std::make_shared<const KeptContext>(context_api(), static_cast<CUcontext>(context));
}

Napi::Value boxed(Napi::Env env, Call* call) {
  return CallBox::New(env, call, [](Napi::Env, Call* done) { delete done; });
}

}  // namespace

Napi::Function JsLibrary::define(Napi::Env env) {
  return DefineClass(env, "NativeCublas",
                     {InstanceAccessor<&JsLibrary::path>("path"), InstanceAccessor<&JsLibrary::version>("version"),
                      InstanceMethod<&JsLibrary::try_context>("tryContext"),
                      InstanceMethod<&JsLibrary::create_handle>("createHandle"),
                      InstanceMethod<&JsLibrary::prepare_sgemm>("prepareSgemm"),
                      InstanceMethod<&JsLibrary::prepare_scale>("prepareScale")});
}

Napi::Value JsLibrary::make(Napi::Env env, std::shared_ptr<const CublasLibrary> library) {
  const Napi::Object object = AddonData::of(env).library_class.New({});
  Unwrap(object)->library_ = std::move(library);
  return object;
}

Napi::Value JsLibrary::path(const Napi::CallbackInfo& info) { return Napi::String::New(info.Env(), library_->path); }

Napi::Value JsLibrary::version(const Napi::CallbackInfo& info) {
  Napi::Array parts = Napi::Array::New(info.Env(), 3);
  for (uint32_t i = 0; i < 3; ++i) parts.Set(i, library_->version[i]);
  return parts;
}

Napi::Value JsLibrary::try_context(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    // Kept from here on: the device may be closed before the other thread begins.
    auto context = keep(pointer(info[0].As<Napi::Object>(), "context"));
    return in_background(
        info.Env(), [library = library_, context] { return Handle(library, context, Binding{}), true; },
        [](Napi::Env env, bool) { return env.Undefined(); });
  });
}

Napi::Value JsLibrary::create_handle(const Napi::CallbackInfo& info) {
  const Napi::Object from = info[0].As<Napi::Object>();
  Binding binding;
  binding.stream = static_cast<CUstream>(pointer(from, "stream"));
  binding.workspace = pointer(from, "workspace");
  binding.workspace_bytes = static_cast<size_t>(number(from, "workspaceBytes"));
  return guarded(info.Env(), [&] {
    return JsHandle::make(info.Env(), std::make_unique<Handle>(library_, keep(pointer(from, "context")), binding));
  });
}

Napi::Value JsLibrary::prepare_sgemm(const Napi::CallbackInfo& info) {
  const Napi::Object from = info[0].As<Napi::Object>();
  return boxed(info.Env(), new SgemmCall(math(from), whole(from, "m"), whole(from, "n"), whole(from, "k"),
                                         single(from, "alpha"), matrix(from, "a", "lda"), matrix(from, "b", "ldb"),
                                         single(from, "beta"), matrix(from, "c", "ldc")));
}

Napi::Value JsLibrary::prepare_scale(const Napi::CallbackInfo& info) {
  const Napi::Object from = info[0].As<Napi::Object>();
  return boxed(info.Env(), new ScaleCall(math(from), whole(from, "m"), whole(from, "n"), single(from, "beta"),
                                         matrix(from, "c", "ldc")));
}

}  // namespace ffma
