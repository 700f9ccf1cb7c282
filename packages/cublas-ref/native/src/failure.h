// The one form in which anything goes wrong below JavaScript.
#pragma once

#include <exception>
#include <string>

#include "cublas_types.h"

namespace ffma {

/// Becomes an FfmaError: `code` is its code, `native` the name that the library has for it, `call` what failed.
struct Failure : std::exception {
  std::string code;
  std::string message;
  std::string native;
  std::string call;

  Failure(std::string code_, std::string message_) : code(std::move(code_)), message(std::move(message_)) {}
  const char* what() const noexcept override { return message.c_str(); }
};

/// Describes a failed call of cuBLAS.
Failure cublas_failure(cublasStatus_t status, const char* call);

/// @throws Failure
inline void check_cublas(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS) throw cublas_failure(status, call);
}

}  // namespace ffma
