// What the addon exports; the TypeScript side of it is src/cuda/binding.ts.
#include "../exit_guard.h"
#include "context_handle.h"
#include "function.h"
#include "libraries.h"
#include "stream.h"

namespace ffma {
namespace {

/// The loader refuses an addon with another number than its own.
constexpr int interface_version = 2;

Napi::Value open_context(const Napi::CallbackInfo& info) {
  ContextHandle::Init init{info[0].ToNumber().Int32Value()};
  return ContextHandle::make(Addon::of(info.Env()).constructors.context, init);
}

void set_error_factory(const Napi::CallbackInfo& info) {
  Addon::of(info.Env()).make_error = Napi::Persistent(info[0].As<Napi::Function>());
}

void renew_exit_guard_js(const Napi::CallbackInfo&) { renew_exit_guard(); }

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  auto* addon = new Addon(env);
  env.SetInstanceData(addon);
  auto& constructors = addon->constructors;
  constructors.context = Napi::Persistent(ContextHandle::define(env));
  constructors.memory = Napi::Persistent(Memory::define(env));
  constructors.pinned = Napi::Persistent(Pinned::define(env));
  constructors.stream = Napi::Persistent(Stream::define(env));
  constructors.event = Napi::Persistent(Event::define(env));
  constructors.module = Napi::Persistent(Module::define(env));
  constructors.function = Napi::Persistent(Function::define(env));

  exports["addon"] = "@ffma/core";
  exports["interfaceVersion"] = interface_version;
  exports["guardExit"] = Napi::Function::New(env, renew_exit_guard_js, "guardExit");
  exports["oldestDriver"] = oldest_driver;
  exports["setErrorFactory"] = Napi::Function::New(env, set_error_factory, "setErrorFactory");
  exports["openLibrary"] = Napi::Function::New(env, open_library_js, "openLibrary");
  exports["deviceCount"] = Napi::Function::New(env, device_count, "deviceCount");
  exports["deviceInfo"] = Napi::Function::New(env, device_info, "deviceInfo");
  exports["openContext"] = Napi::Function::New(env, open_context, "openContext");
  exports["compile"] = Napi::Function::New(env, compile_js, "compile");
  exports["nvmlSample"] = Napi::Function::New(env, nvml_sample_js, "nvmlSample");
  exports["encodeTensorMap"] = Napi::Function::New(env, encode_tensor_map, "encodeTensorMap");
  return exports;
}

}  // namespace
}  // namespace ffma

static Napi::Object initialise(Napi::Env env, Napi::Object exports) { return ffma::initialise(env, exports); }
NODE_API_MODULE(ffma, initialise)
