// The addon's entry: what binding.ts declares.
#include <napi.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "addon_data.h"
#include "background.h"
#include "cuda_context.h"
#include "js_handle.h"
#include "js_library.h"

namespace ffma {
namespace {

/// Raised whenever binding.ts changes in a way that an older addon does not serve.
constexpr int interface_version = 2;

/// The main thread's environment goes only when the process does.
void clean_up() {
  if (syscall(SYS_gettid) == getpid()) mark_process_ending();
}

Napi::Value open_library_file(const Napi::CallbackInfo& info) {
  return in_background(
      info.Env(), [file = info[0].As<Napi::String>().Utf8Value()] { return open_cublas(file); },
      [](Napi::Env env, std::shared_ptr<const CublasLibrary> library) {
        return JsLibrary::make(env, std::move(library));
      });
}

Napi::Value open_driver(const Napi::CallbackInfo& info) {
  const Napi::Array names = info[0].As<Napi::Array>();
  std::vector<std::string> candidates;
  for (uint32_t i = 0; i < names.Length(); ++i) candidates.push_back(names.Get(i).As<Napi::String>());
  return guarded(info.Env(), [&]() -> Napi::Value {
    const std::optional<int> version = driver_version(open_context_api(candidates));
    return version ? Napi::Number::New(info.Env(), *version) : info.Env().Undefined();
  });
}

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  auto* data = new AddonData;
  data->library_class = Napi::Persistent(JsLibrary::define(env));
  data->handle_class = Napi::Persistent(JsHandle::define(env));
  env.SetInstanceData(data);
  env.AddCleanupHook(clean_up);
  exports.Set("addon", "@ffma/cublas-ref");
  exports.Set("interfaceVersion", interface_version);
  exports.Set("openDriver", Napi::Function::New(env, open_driver, "openDriver"));
  exports.Set("openLibrary", Napi::Function::New(env, open_library_file, "openLibrary"));
  return exports;
}

}  // namespace
}  // namespace ffma

static Napi::Object initialise(Napi::Env env, Napi::Object exports) { return ffma::initialise(env, exports); }

NODE_API_MODULE(ffma_cublas, initialise)
