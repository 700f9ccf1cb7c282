// cuBLAS, resolved at run time: one table of functions for each library file.
#pragma once

#include <memory>
#include <string>

#include "cublas_types.h"

namespace ffma {

// clang-format off
// X(member, exported symbol, parameters)
#define FFMA_CUBLAS_FUNCTIONS(X) \
  X(GetProperty, cublasGetProperty, (libraryPropertyType type, int* value)) \
  X(Create, cublasCreate_v2, (cublasHandle_t* handle)) \
  X(Destroy, cublasDestroy_v2, (cublasHandle_t handle)) \
  X(SetStream, cublasSetStream_v2, (cublasHandle_t handle, CUstream stream)) \
  X(SetWorkspace, cublasSetWorkspace_v2, (cublasHandle_t handle, void* workspace, size_t bytes)) \
  X(SetMathMode, cublasSetMathMode, (cublasHandle_t handle, cublasMath_t mode)) \
  X(Sgemm, cublasSgemm_v2, \
    (cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, const float* alpha, \
     const float* a, int lda, const float* b, int ldb, const float* beta, float* c, int ldc)) \
  X(Sgeam, cublasSgeam, \
    (cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, const float* alpha, \
     const float* a, int lda, const float* beta, const float* b, int ldb, float* c, int ldc))
// clang-format on

struct CublasApi {
#define FFMA_MEMBER(member, symbol, parameters) cublasStatus_t(*member) parameters = nullptr;
  FFMA_CUBLAS_FUNCTIONS(FFMA_MEMBER)
#undef FFMA_MEMBER
};

/// An open cuBLAS. It stays loaded until the process ends.
struct CublasLibrary {
  CublasApi api;
  /// The file that was loaded.
  std::string path;
  int version[3] = {0, 0, 0};
};

/// Opens the library at a path, or by a name that the loader knows. Takes a while: it is large.
/// Throws Failure FFMA_UNAVAILABLE with the reason.
std::shared_ptr<const CublasLibrary> open_cublas(const std::string& file);

}  // namespace ffma
