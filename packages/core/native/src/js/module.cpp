#include "module.h"

#include <cstring>
#include <utility>

#include "function.h"

namespace ffma {
namespace {

constexpr size_t log_bytes = size_t{64} << 10;

/// What loading brings, and gives back where nobody takes it.
struct Loaded {
  std::shared_ptr<DeviceState> device;
  CUmodule module = nullptr;
  std::string log;

  explicit Loaded(std::shared_ptr<DeviceState> own) : device(std::move(own)) {}
  ~Loaded() {
    if (module != nullptr && device->try_enter()) device->api().ModuleUnload(module);
  }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
};

void load_image(Loaded& loaded, const std::vector<char>& image) {
  std::vector<char> info(log_bytes);
  std::vector<char> error(log_bytes);
  int keys[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER,
                CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {info.data(), reinterpret_cast<void*>(log_bytes - 1), error.data(),
                    reinterpret_cast<void*>(log_bytes - 1)};
  loaded.device->enter();
  const CUresult result = loaded.device->api().ModuleLoadDataEx(&loaded.module, image.data(), 4, keys, values);
  const std::string errors(error.data(), strnlen(error.data(), log_bytes));
  loaded.log.assign(info.data(), strnlen(info.data(), log_bytes));
  if (!errors.empty()) loaded.log += (loaded.log.empty() ? "" : "\n") + errors;
  if (result == CUDA_SUCCESS) return;
  loaded.module = nullptr;
  Failure failure = loaded.device->describe(result, "cuModuleLoadDataEx");
  failure.log = loaded.log;
  throw failure;
}

}  // namespace

void ModuleState::release() {
  if (module == nullptr) return;
  context_->release_later(
      [own = std::exchange(module, nullptr)](const DeviceState& device) { device.api().ModuleUnload(own); });
}

Napi::Value Module::load(Napi::Env env, std::shared_ptr<Context> context, std::vector<char> image) {
  Addon& addon = Addon::of(env);
  return addon.promise(env, [&](Pending& pending, Addon::Settler settle) {
    context->enter();
    auto loaded = std::make_shared<Loaded>(context->device_pointer());
    pending.hold(context->use());
    pending.value = [&addon, context, loaded](Napi::Env) {
      if (context->closed()) {
        // Unloading waits for whatever runs.
        context->release_later([own = std::exchange(loaded->module, nullptr)](const DeviceState& device) {
          device.api().ModuleUnload(own);
        });
        throw closed("CUDA device");
      }
      Init init{std::make_shared<ModuleState>(context, std::exchange(loaded->module, nullptr), loaded->log)};
      return make(addon.constructors.module, init);
    };
    addon.loading.add([loaded, image = std::move(image), settle] {
      try {
        load_image(*loaded, image);
        settle(nullptr);
      } catch (const Failure& failure) {
        settle(&failure);
      }
    });
  });
}

Module::Module(const Napi::CallbackInfo& info) : Handle(info) { state_ = init_of<Init>(info).state; }

CUmodule Module::get() const {
  if (state_->module == nullptr) throw closed("module");
  return state_->module;
}

Napi::Value Module::log(const Napi::CallbackInfo& info) { return Napi::String::New(info.Env(), state_->log); }

Napi::Value Module::function_names(const Napi::CallbackInfo& info) {
  return guarded(info, [&] {
    CUmodule module = get();
    const Context& context = *state_->context();
    context.enter();
    const DriverApi& api = context.api();
    unsigned count = 0;
    context.check(api.ModuleGetFunctionCount(&count, module), "cuModuleGetFunctionCount");
    std::vector<CUfunction> functions(count);
    if (count > 0) {
      context.check(api.ModuleEnumerateFunctions(functions.data(), count, module), "cuModuleEnumerateFunctions");
    }
    Napi::Array names = Napi::Array::New(info.Env(), count);
    for (unsigned i = 0; i < count; ++i) {
      const char* name = nullptr;
      context.check(api.FuncGetName(&name, functions[i]), "cuFuncGetName");
      names[i] = Napi::String::New(info.Env(), name);
    }
    return names;
  });
}

Napi::Value Module::function(const Napi::CallbackInfo& info) {
  return guarded(info, [&] {
    const size_t most_params = info[1].IsUndefined() ? SIZE_MAX : bytes_argument(info[1], "The number of parameters");
    Function::Init init{state_, info[0].ToString().Utf8Value(), nullptr, most_params};
    CUmodule module = get();
    const Context& context = *state_->context();
    context.enter();
    const CUresult result = context.api().ModuleGetFunction(&init.function, module, init.name.c_str());
    context.check(result, "cuModuleGetFunction");
    return Function::make(Addon::of(info.Env()).constructors.function, init);
  });
}

Napi::Function Module::define(Napi::Env env) {
  return Handle::define(
      env, "NativeModule",
      {InstanceAccessor<&Module::log>("log"), InstanceAccessor<&Module::function_names>("functionNames"),
       InstanceMethod<&Module::function>("function"), InstanceMethod<&Module::unload>("unload")});
}

}  // namespace ffma
