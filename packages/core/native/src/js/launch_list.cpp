#include "launch_list.h"

#include <algorithm>

namespace ffma {
namespace {

struct Extent {
  unsigned x, y, z;
};

Extent extent(const Napi::Value& value) {
  const Napi::Array array = value.As<Napi::Array>();
  const auto at = [&](uint32_t i) { return Napi::Value(array[i]).ToNumber().Uint32Value(); };
  return {at(0), at(1), at(2)};
}

void pack(Launch& launch, const Napi::Uint8Array& args) {
  const FunctionState& function = *launch.function;
  launch.args.resize((args.ByteLength() + sizeof(ArgLine) - 1) / sizeof(ArgLine));
  char* const packed = reinterpret_cast<char*>(launch.args.data());
  std::copy_n(args.Data(), args.ByteLength(), packed);
  for (size_t i = 0; i < function.param_offsets.size(); ++i) {
    if (function.param_offsets[i] + function.param_bytes[i] > args.ByteLength()) {
      throw Failure("FFMA_ARGUMENT", "Kernel " + function.name + " takes " +
                                         std::to_string(function.param_offsets[i] + function.param_bytes[i]) +
                                         " bytes of arguments or more, but got " +
                                         std::to_string(args.ByteLength()) + ".");
    }
    launch.params.push_back(packed + function.param_offsets[i]);
  }
}

}  // namespace

Napi::Value LaunchList::make(Napi::Env env, std::shared_ptr<Context> context, const Napi::Array& launches,
                             bool as_graph) {
  std::unique_ptr<LaunchList> list(new LaunchList(std::move(context)));
  list->context_->enter();
  for (uint32_t i = 0; i < launches.Length(); ++i) list->add(Napi::Value(launches[i]).As<Napi::Object>());
  if (as_graph && !list->launches_.empty()) {
    list->graph_ = std::make_unique<GraphExec>(list->context_, [&list](CUstream stream) {
      for (const auto& launch : list->launches_) {
        list->context_->check(launch->enqueue(list->context_->api(), stream), launch->call());
      }
    });
  }
  napi_value function = nullptr;
  napi_value release_function = nullptr;
  const auto finalize = [](napi_env, void* data, void*) { delete static_cast<LaunchList*>(data); };
  const bool made =
      napi_create_function(env, "enqueue", NAPI_AUTO_LENGTH, call, list.get(), &function) == napi_ok &&
      napi_create_function(env, "release", NAPI_AUTO_LENGTH, release, list.get(), &release_function) == napi_ok &&
      napi_set_named_property(env, function, "release", release_function) == napi_ok &&
      napi_add_finalizer(env, function, list.get(), finalize, nullptr, nullptr) == napi_ok;
  if (!made) throw Napi::Error::New(env);
  static_cast<void>(list.release());
  return {env, function};
}

void LaunchList::add(const Napi::Object& object) {
  auto launch = std::make_unique<Launch>();
  launch->function = Function::from(object.Get("function")).state();
  if (launch->function->module->module == nullptr) throw closed("module");
  const Extent grid = extent(object.Get("grid"));
  const Extent block = extent(object.Get("block"));
  CUlaunchConfig& config = launch->config;
  config.gridDimX = grid.x, config.gridDimY = grid.y, config.gridDimZ = grid.z;
  config.blockDimX = block.x, config.blockDimY = block.y, config.blockDimZ = block.z;
  config.sharedMemBytes = object.Get("sharedBytes").ToNumber().Uint32Value();
  unsigned cluster_blocks = 1;
  if (const Napi::Value wanted = object.Get("cluster"); !wanted.IsUndefined()) {
    const Extent cluster = extent(wanted);
    cluster_blocks = cluster.x * cluster.y * cluster.z;
    launch->cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    launch->cluster.value.clusterDim = {cluster.x, cluster.y, cluster.z};
    config.attrs = &launch->cluster;
    config.numAttrs = 1;
  }
  launch->function->allow(config.sharedMemBytes, cluster_blocks);
  pack(*launch, object.Get("args").As<Napi::Uint8Array>());
  launches_.push_back(std::move(launch));
}

CUresult Launch::enqueue(const DriverApi& api, CUstream stream) {
  if (config.numAttrs > 0) {
    config.hStream = stream;
    return api.LaunchKernelEx(&config, function->function, params.data(), nullptr);
  }
  return api.LaunchKernel(function->function, config.gridDimX, config.gridDimY, config.gridDimZ, config.blockDimX,
                          config.blockDimY, config.blockDimZ, config.sharedMemBytes, stream, params.data(), nullptr);
}

void LaunchList::enqueue(uint32_t stream_number) {
  CUstream stream = context_->numbered_stream(stream_number);
  if (stream == nullptr) throw closed("stream");
  context_->enter_quickly();
  for (const auto& launch : launches_) {
    if (launch->function->module->module == nullptr) throw closed("module");
  }
  if (graph_ != nullptr) return enqueue_graph(stream);
  for (const auto& launch : launches_) {
    CUresult result = launch->enqueue(context_->api(), stream);
    if (result == CUDA_ERROR_INVALID_CONTEXT || result == CUDA_ERROR_INVALID_HANDLE) {
      context_->enter();
      result = launch->enqueue(context_->api(), stream);
    }
    context_->check(result, launch->call());
  }
}

void LaunchList::enqueue_graph(CUstream stream) const {
  if (graph_->get() == nullptr) throw closed("graph");
  CUresult result = context_->api().GraphLaunch(graph_->get(), stream);
  if (result == CUDA_ERROR_INVALID_CONTEXT || result == CUDA_ERROR_INVALID_HANDLE) {
    context_->enter();
    result = context_->api().GraphLaunch(graph_->get(), stream);
  }
  context_->check(result, "cuGraphLaunch");
}

napi_value LaunchList::release(napi_env env, napi_callback_info info) {
  void* data = nullptr;
  napi_get_cb_info(env, info, nullptr, nullptr, nullptr, &data);
  auto& list = *static_cast<LaunchList*>(data);
  if (list.graph_ != nullptr) list.graph_->release();
  return nullptr;
}

napi_value LaunchList::call(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value argument = nullptr;
  void* data = nullptr;
  uint32_t stream_number = UINT32_MAX;
  napi_get_cb_info(env, info, &count, &argument, nullptr, &data);
  if (count > 0) napi_get_value_uint32(env, argument, &stream_number);
  try {
    static_cast<LaunchList*>(data)->enqueue(stream_number);
  } catch (const Failure& failure) {
    Addon::throw_error(env, failure);
  }
  return nullptr;
}

}  // namespace ffma
