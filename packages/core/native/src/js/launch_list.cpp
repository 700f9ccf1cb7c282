#include "launch_list.h"

#include "stream.h"

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
  launch.args.assign(args.Data(), args.Data() + args.ByteLength());
  for (size_t i = 0; i < function.param_offsets.size(); ++i) {
    if (function.param_offsets[i] + function.param_bytes[i] > launch.args.size()) {
      throw Failure("FFMA_ARGUMENT", "Kernel " + function.name + " takes " +
                                         std::to_string(function.param_offsets[i] + function.param_bytes[i]) +
                                         " bytes of arguments or more, but got " +
                                         std::to_string(launch.args.size()) + ".");
    }
    launch.params.push_back(launch.args.data() + function.param_offsets[i]);
  }
}

}  // namespace

LaunchList::LaunchList(const Napi::CallbackInfo& info) : Handle(info) {
  Init& init = init_of<Init>(info);
  context_ = init.context;
  guarded(info, [&] {
    context_->enter();
    for (uint32_t i = 0; i < init.launches.Length(); ++i) add(Napi::Value(init.launches[i]).As<Napi::Object>());
  });
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

void LaunchList::enqueue(const Napi::CallbackInfo& info) {
  guarded(info, [&] {
    const Stream& target = Stream::from(info[0]);
    if (target.context() != context_) {
      throw Failure("FFMA_ARGUMENT", "The stream belongs to another device than the launches.");
    }
    CUstream stream = target.get();
    context_->enter_quickly();
    for (const auto& launch : launches_) {
      if (launch->function->module->module == nullptr) throw closed("module");
      CUresult result = launch->enqueue(context_->api(), stream);
      if (result == CUDA_ERROR_INVALID_CONTEXT || result == CUDA_ERROR_INVALID_HANDLE) {
        context_->enter();
        result = launch->enqueue(context_->api(), stream);
      }
      context_->check(result, launch->call());
    }
  });
}

Napi::Function LaunchList::define(Napi::Env env) {
  return Handle::define(env, "NativeLaunchList", {InstanceMethod<&LaunchList::enqueue>("enqueue")});
}

}  // namespace ffma
