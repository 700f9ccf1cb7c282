// The CUDA driver, resolved at run time: one table of functions for the process.
#pragma once

#include <optional>

#include "driver_types.h"
#include "shared_library.h"

namespace ffma {

// clang-format off
// X(member, exported symbol, parameters). Symbols are named with the version whose ABI driver_types.h declares.
#define FFMA_DRIVER_FUNCTIONS(X) \
  X(Init, cuInit, (unsigned flags)) \
  X(DriverGetVersion, cuDriverGetVersion, (int* version)) \
  X(GetErrorName, cuGetErrorName, (CUresult error, const char** name)) \
  X(GetErrorString, cuGetErrorString, (CUresult error, const char** text)) \
  X(DeviceGetCount, cuDeviceGetCount, (int* count)) \
  X(DeviceGet, cuDeviceGet, (CUdevice* device, int ordinal)) \
  X(DeviceGetName, cuDeviceGetName, (char* name, int size, CUdevice device)) \
  X(DeviceGetUuid, cuDeviceGetUuid_v2, (CUuuid* uuid, CUdevice device)) \
  X(DeviceTotalMem, cuDeviceTotalMem_v2, (size_t* bytes, CUdevice device)) \
  X(DeviceGetAttribute, cuDeviceGetAttribute, (int* value, int attribute, CUdevice device)) \
  X(DevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (CUcontext* context, CUdevice device)) \
  X(DevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (CUdevice device)) \
  X(CtxSetCurrent, cuCtxSetCurrent, (CUcontext context)) \
  X(MemGetInfo, cuMemGetInfo_v2, (size_t* free, size_t* total)) \
  X(MemAlloc, cuMemAlloc_v2, (CUdeviceptr* address, size_t bytes)) \
  X(MemFree, cuMemFree_v2, (CUdeviceptr address)) \
  X(MemPoolCreate, cuMemPoolCreate, (CUmemoryPool* pool, const CUmemPoolProps* properties)) \
  X(MemPoolDestroy, cuMemPoolDestroy, (CUmemoryPool pool)) \
  X(MemPoolSetAttribute, cuMemPoolSetAttribute, (CUmemoryPool pool, int attribute, void* value)) \
  X(MemPoolTrimTo, cuMemPoolTrimTo, (CUmemoryPool pool, size_t keep)) \
  X(MemAllocFromPoolAsync, cuMemAllocFromPoolAsync, (CUdeviceptr* address, size_t bytes, CUmemoryPool pool, CUstream stream)) \
  X(MemFreeAsync, cuMemFreeAsync, (CUdeviceptr address, CUstream stream)) \
  X(MemHostAlloc, cuMemHostAlloc, (void** address, size_t bytes, unsigned flags)) \
  X(MemFreeHost, cuMemFreeHost, (void* address)) \
  X(MemcpyHtoDAsync, cuMemcpyHtoDAsync_v2, (CUdeviceptr target, const void* source, size_t bytes, CUstream stream)) \
  X(MemcpyDtoHAsync, cuMemcpyDtoHAsync_v2, (void* target, CUdeviceptr source, size_t bytes, CUstream stream)) \
  X(MemcpyDtoDAsync, cuMemcpyDtoDAsync_v2, (CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream stream)) \
  X(MemsetD32Async, cuMemsetD32Async, (CUdeviceptr target, unsigned word, size_t words, CUstream stream)) \
  X(StreamCreate, cuStreamCreate, (CUstream* stream, unsigned flags)) \
  X(StreamDestroy, cuStreamDestroy_v2, (CUstream stream)) \
  X(StreamSynchronize, cuStreamSynchronize, (CUstream stream)) \
  X(StreamWaitEvent, cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags)) \
  X(StreamQuery, cuStreamQuery, (CUstream stream)) \
  X(StreamWaitValue32, cuStreamWaitValue32_v2, (CUstream stream, CUdeviceptr word, uint32_t value, unsigned flags)) \
  X(StreamWriteValue32, cuStreamWriteValue32_v2, (CUstream stream, CUdeviceptr word, uint32_t value, unsigned flags)) \
  X(EventCreate, cuEventCreate, (CUevent* event, unsigned flags)) \
  X(EventDestroy, cuEventDestroy_v2, (CUevent event)) \
  X(EventRecord, cuEventRecord, (CUevent event, CUstream stream)) \
  X(EventQuery, cuEventQuery, (CUevent event)) \
  X(EventElapsedTime, cuEventElapsedTime, (float* ms, CUevent start, CUevent end)) \
  X(ModuleLoadDataEx, cuModuleLoadDataEx, (CUmodule* module, const void* image, unsigned options, int* keys, void** values)) \
  X(ModuleUnload, cuModuleUnload, (CUmodule module)) \
  X(ModuleGetFunction, cuModuleGetFunction, (CUfunction* function, CUmodule module, const char* name)) \
  X(ModuleGetFunctionCount, cuModuleGetFunctionCount, (unsigned* count, CUmodule module)) \
  X(ModuleEnumerateFunctions, cuModuleEnumerateFunctions, (CUfunction* functions, unsigned count, CUmodule module)) \
  X(FuncGetName, cuFuncGetName, (const char** name, CUfunction function)) \
  X(FuncGetAttribute, cuFuncGetAttribute, (int* value, int attribute, CUfunction function)) \
  X(FuncSetAttribute, cuFuncSetAttribute, (CUfunction function, int attribute, int value)) \
  X(FuncGetParamInfo, cuFuncGetParamInfo, (CUfunction function, size_t index, size_t* offset, size_t* bytes)) \
  X(OccupancyMaxActiveBlocksPerMultiprocessor, cuOccupancyMaxActiveBlocksPerMultiprocessor, \
    (int* blocks, CUfunction function, int threads, size_t dynamic_bytes)) \
  X(LaunchKernel, cuLaunchKernel, \
    (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, \
     unsigned block_z, unsigned shared_bytes, CUstream stream, void** params, void** extra)) \
  X(LaunchKernelEx, cuLaunchKernelEx, (const CUlaunchConfig* config, CUfunction function, void** params, void** extra)) \
  X(StreamBeginCapture, cuStreamBeginCapture_v2, (CUstream stream, int mode)) \
  X(StreamEndCapture, cuStreamEndCapture, (CUstream stream, CUgraph* graph)) \
  X(GraphInstantiate, cuGraphInstantiateWithFlags, (CUgraphExec* exec, CUgraph graph, unsigned long long flags)) \
  X(GraphUpload, cuGraphUpload, (CUgraphExec exec, CUstream stream)) \
  X(GraphLaunch, cuGraphLaunch, (CUgraphExec exec, CUstream stream)) \
  X(GraphExecDestroy, cuGraphExecDestroy, (CUgraphExec exec)) \
  X(GraphDestroy, cuGraphDestroy, (CUgraph graph)) \
  X(TensorMapEncodeTiled, cuTensorMapEncodeTiled, \
    (CUtensorMap* map, int type, unsigned rank, void* address, const uint64_t* dims, const uint64_t* strides, \
     const uint32_t* box, const uint32_t* element_strides, int interleave, int swizzle, int promotion, int fill))
// clang-format on

struct DriverApi {
#define FFMA_MEMBER(member, symbol, parameters) CUresult(*member) parameters = nullptr;
  FFMA_DRIVER_FUNCTIONS(FFMA_MEMBER)
#undef FFMA_MEMBER
};

/// CUDA version of the oldest driver that has every function above.
inline constexpr int oldest_driver = 12040;

/// Looks for the driver among the candidates, once a process: after a success they are not looked at.
const LibraryReport& open_driver(const std::vector<std::string>& candidates);

/// The driver's version as it states it, e.g. 13000; empty where none is open.
std::optional<int> driver_version();

/// The functions of the open driver, initialised. Throws Failure FFMA_UNAVAILABLE with the reason.
const DriverApi& driver();

}  // namespace ffma
