#include "failure.h"

namespace ffma {
namespace {

struct Meaning {
  const char* name;
  const char* code;
  const char* text;
};

Meaning meaning_of(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return {"CUBLAS_STATUS_NOT_INITIALIZED", "FFMA_UNAVAILABLE", "the driver or the GPU cannot be used by it"};
    case CUBLAS_STATUS_ALLOC_FAILED:
      return {"CUBLAS_STATUS_ALLOC_FAILED", "FFMA_OUT_OF_MEMORY", "it could not allocate memory"};
    case CUBLAS_STATUS_INVALID_VALUE:
      return {"CUBLAS_STATUS_INVALID_VALUE", "FFMA_ARGUMENT", "it does not take an argument"};
    case CUBLAS_STATUS_ARCH_MISMATCH:
      return {"CUBLAS_STATUS_ARCH_MISMATCH", "FFMA_UNSUPPORTED", "the GPU's architecture lacks what it needs"};
    case CUBLAS_STATUS_MAPPING_ERROR:
      return {"CUBLAS_STATUS_MAPPING_ERROR", "FFMA_UNSUPPORTED", "it could not map GPU memory"};
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return {"CUBLAS_STATUS_EXECUTION_FAILED", "FFMA_UNSUPPORTED", "it could not launch on the GPU"};
    case CUBLAS_STATUS_INTERNAL_ERROR:
      return {"CUBLAS_STATUS_INTERNAL_ERROR", "FFMA_UNSUPPORTED", "an operation inside it failed"};
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return {"CUBLAS_STATUS_NOT_SUPPORTED", "FFMA_UNSUPPORTED", "it does not support this"};
    default:
      return {nullptr, "FFMA_UNSUPPORTED", "it does not say why"};
  }
}

}  // namespace

Failure cublas_failure(cublasStatus_t status, const char* call) {
  const Meaning meaning = meaning_of(status);
  Failure failure(meaning.code, "");
  failure.native = meaning.name != nullptr ? meaning.name : "cuBLAS status " + std::to_string(status);
  failure.call = call;
  failure.message = failure.call + " failed with " + failure.native + ": " + meaning.text + ".";
  return failure;
}

}  // namespace ffma
