#include "module.h"

#include <cstring>

#include "function.h"

namespace ffma {
namespace {

constexpr size_t log_bytes = size_t{64} << 10;

void load_image(ModuleState& state, const std::vector<char>& image) {
  std::vector<char> info(log_bytes);
  std::vector<char> error(log_bytes);
  int keys[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER,
                CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {info.data(), reinterpret_cast<void*>(log_bytes - 1), error.data(),
                    reinterpret_cast<void*>(log_bytes - 1)};
  state.device->enter();
  const CUresult result = state.device->api().ModuleLoadDataEx(&state.module, image.data(), 4, keys, values);
  const std::string errors(error.data(), strnlen(error.data(), log_bytes));
  state.log.assign(info.data(), strnlen(info.data(), log_bytes));
  if (!errors.empty()) state.log += (state.log.empty() ? "" : "\n") + errors;
  if (result == CUDA_SUCCESS) return;
  Failure failure = state.device->describe(result, "cuModuleLoadDataEx");
  failure.log = state.log;
  throw failure;
}

}  // namespace

Napi::Value Module::load(Napi::Env env, std::shared_ptr<Context> context, std::vector<char> image) {
  Addon& addon = Addon::of(env);
  return addon.promise(env, [&](Pending& pending, Addon::Settler settle) {
    context->enter();
    auto state = std::make_shared<ModuleState>(context->device_pointer());
    pending.hold(context->use());
    pending.value = [&addon, context, state](Napi::Env) {
      if (context->closed()) throw closed("CUDA device");
      Init init{context, state};
      return make(addon.constructors.module, init);
    };
    addon.loading.add([state = state, image = std::move(image), settle] {
      try {
        load_image(*state, image);
        settle(nullptr);
      } catch (const Failure& failure) {
        settle(&failure);
      }
    });
  });
}

Module::Module(const Napi::CallbackInfo& info) : Handle(info), Child(init_of<Init>(info).context) {
  state_ = init_of<Init>(info).state;
}

void Module::release() {
  if (state_ == nullptr || state_->module == nullptr) return;
  // Its functions see at once that it is gone; the driver drops it after the work that uses it.
  CUmodule module = std::exchange(state_->module, nullptr);
  context_->release_later([module](const DeviceState& device) { device.api().ModuleUnload(module); });
}

CUmodule Module::get() const {
  if (state_->module == nullptr) throw closed("module");
  return state_->module;
}

Napi::Value Module::log(const Napi::CallbackInfo& info) { return Napi::String::New(info.Env(), state_->log); }

Napi::Value Module::function_names(const Napi::CallbackInfo& info) {
  return guarded(info, [&] {
    CUmodule module = get();
    context_->enter();
    const DriverApi& api = context_->api();
    unsigned count = 0;
    context_->check(api.ModuleGetFunctionCount(&count, module), "cuModuleGetFunctionCount");
    std::vector<CUfunction> functions(count);
    if (count > 0) {
      context_->check(api.ModuleEnumerateFunctions(functions.data(), count, module), "cuModuleEnumerateFunctions");
    }
    Napi::Array names = Napi::Array::New(info.Env(), count);
    for (unsigned i = 0; i < count; ++i) {
      const char* name = nullptr;
      context_->check(api.FuncGetName(&name, functions[i]), "cuFuncGetName");
      names[i] = Napi::String::New(info.Env(), name);
    }
    return names;
  });
}

Napi::Value Module::function(const Napi::CallbackInfo& info) {
  return guarded(info, [&] {
    const size_t most_params = info[1].IsUndefined() ? SIZE_MAX : bytes_argument(info[1], "The number of parameters");
    Function::Init init{context_, state_, info[0].ToString().Utf8Value(), nullptr, most_params};
    CUmodule module = get();
    context_->enter();
    const CUresult result = context_->api().ModuleGetFunction(&init.function, module, init.name.c_str());
    context_->check(result, "cuModuleGetFunction");
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
