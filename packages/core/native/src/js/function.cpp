#include "function.h"

namespace ffma {
namespace {

/// What every kernel may use of dynamic shared memory without asking, in bytes.
constexpr int dynamic_bytes_by_default = 48 << 10;
/// Blocks of a cluster that every device with clusters can run.
constexpr unsigned portable_cluster_blocks = 8;

void read_params(FunctionState& state, size_t most) {
  const DriverApi& api = state.context->api();
  for (size_t index = 0; index < most; ++index) {
    size_t offset = 0;
    size_t bytes = 0;
    const CUresult result = api.FuncGetParamInfo(state.function, index, &offset, &bytes);
    // The driver's way to say that there are no more.
    if (result == CUDA_ERROR_INVALID_VALUE) return;
    state.context->check(result, "cuFuncGetParamInfo");
    state.param_offsets.push_back(offset);
    state.param_bytes.push_back(bytes);
  }
}

}  // namespace

int FunctionState::attribute(int which) const {
  int value = 0;
  context->check(context->api().FuncGetAttribute(&value, which, function), "cuFuncGetAttribute");
  return value;
}

void FunctionState::allow(unsigned dynamic_bytes, unsigned cluster_blocks) {
  const auto set = [&](int which, int value) {
    context->check(context->api().FuncSetAttribute(function, which, value), "cuFuncSetAttribute");
  };
  if (static_cast<int>(dynamic_bytes) > dynamic_bytes_allowed) {
    set(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(dynamic_bytes));
    dynamic_bytes_allowed = static_cast<int>(dynamic_bytes);
  }
  if (cluster_blocks > portable_cluster_blocks && !large_clusters_allowed) {
    set(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
    large_clusters_allowed = true;
  }
}

Function::Function(const Napi::CallbackInfo& info) : Handle(info) {
  Init& init = init_of<Init>(info);
  state_ = std::make_shared<FunctionState>();
  state_->context = init.module->context();
  state_->module = std::move(init.module);
  state_->name = std::move(init.name);
  state_->function = init.function;
  guarded(info, [&] {
    read_params(*state_, init.most_params);
    state_->dynamic_bytes_allowed =
        dynamic_bytes_by_default - state_->attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  });
}

Napi::Value Function::name(const Napi::CallbackInfo& info) { return Napi::String::New(info.Env(), state_->name); }

Napi::Value Function::handle(const Napi::CallbackInfo& info) {
  return Napi::BigInt::New(info.Env(), uint64_t{reinterpret_cast<uintptr_t>(state_->function)});
}

Napi::Value Function::attributes(const Napi::CallbackInfo& info) {
  return guarded(info, [&] {
    state_->context->enter();
    Napi::Object all = Napi::Object::New(info.Env());
    all["numRegs"] = state_->attribute(CU_FUNC_ATTRIBUTE_NUM_REGS);
    all["sharedBytes"] = state_->attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    all["localBytes"] = state_->attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
    all["maxThreadsPerBlock"] = state_->attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    return all;
  });
}

Napi::Value Function::params(const Napi::CallbackInfo& info) {
  Napi::Array all = Napi::Array::New(info.Env(), state_->param_bytes.size());
  for (uint32_t i = 0; i < state_->param_bytes.size(); ++i) {
    Napi::Object param = Napi::Object::New(info.Env());
    param["offset"] = static_cast<double>(state_->param_offsets[i]);
    param["size"] = static_cast<double>(state_->param_bytes[i]);
    all[i] = param;
  }
  return all;
}

Napi::Value Function::occupancy(const Napi::CallbackInfo& info) {
  return guarded(info, [&] {
    state_->context->enter();
    if (state_->module->module == nullptr) throw closed("module");
    const size_t dynamic_bytes = bytes_argument(info[1], "Dynamic shared memory");
    state_->allow(static_cast<unsigned>(dynamic_bytes), 1);
    int blocks = 0;
    const CUresult result = state_->context->api().OccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, state_->function, info[0].ToNumber().Int32Value(), dynamic_bytes);
    state_->context->check(result, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    return Napi::Number::New(info.Env(), blocks);
  });
}

Napi::Function Function::define(Napi::Env env) {
  return Handle::define(env, "NativeFunction",
                        {InstanceAccessor<&Function::name>("name"), InstanceAccessor<&Function::handle>("handle"),
                         InstanceMethod<&Function::attributes>("attributes"),
                         InstanceMethod<&Function::params>("params"),
                         InstanceMethod<&Function::occupancy>("occupancy")});
}

}  // namespace ffma
