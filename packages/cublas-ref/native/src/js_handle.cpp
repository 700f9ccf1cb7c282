#include "js_handle.h"

#include "addon_data.h"
#include "background.h"

namespace ffma {

Napi::Function JsHandle::define(Napi::Env env) {
  return DefineClass(env, "NativeHandle",
                     {InstanceMethod<&JsHandle::enqueue>("enqueue"), InstanceMethod<&JsHandle::detach>("detach"),
                      InstanceMethod<&JsHandle::destroy>("destroy")});
}

Napi::Value JsHandle::make(Napi::Env env, std::unique_ptr<Handle> handle) {
  const Napi::Object object = AddonData::of(env).handle_class.New({});
  Unwrap(object)->handle_ = std::move(handle);
  return object;
}

void JsHandle::enqueue(const Napi::CallbackInfo& info) {
  if (handle_ == nullptr || !info[0].IsExternal()) {
    throw Napi::TypeError::New(info.Env(), "enqueue takes a prepared call, on a handle that was not destroyed.");
  }
  try {
    handle_->enqueue(*info[0].As<CallBox>().Data());
  } catch (const Failure& failure) {
    throw to_js(info.Env(), failure);
  }
}

void JsHandle::detach(const Napi::CallbackInfo&) {
  if (handle_ != nullptr) handle_->detach();
}

Napi::Value JsHandle::destroy(const Napi::CallbackInfo& info) {
  return in_background(
      info.Env(), [last = std::move(handle_)]() mutable { return last.reset(), true; },
      [](Napi::Env env, bool) { return env.Undefined(); });
}

}  // namespace ffma
