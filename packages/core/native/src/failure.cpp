#include "failure.h"

#include "driver_api.h"

namespace ffma {
namespace {

const char* code_of(CUresult result) {
  if (is_sticky(result)) return "FFMA_DEVICE_LOST";
  switch (result) {
    case CUDA_ERROR_OUT_OF_MEMORY:
      return "FFMA_OUT_OF_MEMORY";
    case CUDA_ERROR_INVALID_VALUE:
    case CUDA_ERROR_INVALID_HANDLE:
    case CUDA_ERROR_NOT_FOUND:
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
    case CUDA_ERROR_INVALID_CLUSTER_SIZE:
      return "FFMA_ARGUMENT";
    case CUDA_ERROR_INVALID_PTX:
      return "FFMA_COMPILE";
    case CUDA_ERROR_NOT_INITIALIZED:
    case CUDA_ERROR_DEINITIALIZED:
    case CUDA_ERROR_STUB_LIBRARY:
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_INVALID_DEVICE:
    case CUDA_ERROR_DEVICE_NOT_LICENSED:
    case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
    case CUDA_ERROR_OPERATING_SYSTEM:
    case CUDA_ERROR_SYSTEM_NOT_READY:
    case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
    case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
    case CUDA_ERROR_MPS_CONNECTION_FAILED:
      return "FFMA_UNAVAILABLE";
    default:
      return "FFMA_UNSUPPORTED";
  }
}

}  // namespace

bool is_sticky(CUresult result) {
  switch (result) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_CONTAINED:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_TENSOR_MEMORY_LEAK:
    case CUDA_ERROR_MPS_CLIENT_TERMINATED:
    case CUDA_ERROR_EXTERNAL_DEVICE:
      return true;
    default:
      return false;
  }
}

Failure driver_failure(CUresult result, const char* call) {
  const char* name = nullptr;
  const char* text = nullptr;
  const DriverApi& api = driver();
  if (api.GetErrorName(result, &name) != CUDA_SUCCESS) name = nullptr;
  if (api.GetErrorString(result, &text) != CUDA_SUCCESS) text = nullptr;
  Failure failure(code_of(result), "");
  failure.native = name != nullptr ? name : "CUDA error " + std::to_string(result);
  failure.call = call;
  failure.message = failure.call + " failed with " + failure.native + (text != nullptr ? std::string(": ") + text : "") + ".";
  return failure;
}

void check_driver(CUresult result, const char* call) {
  if (result != CUDA_SUCCESS) throw driver_failure(result, call);
}

}  // namespace ffma
