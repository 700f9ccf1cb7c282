// A cuBLAS handle with its stream and workspace.
#pragma once

#include <memory>

#include "cublas_api.h"
#include "cuda_context.h"

namespace ffma {

/// What a handle is bound to for life. The memory of the workspace is the caller's.
struct Binding {
  CUstream stream = nullptr;
  void* workspace = nullptr;
  size_t workspace_bytes = 0;
};

/// Something that a handle enqueues. Prepared once, run any number of times, on any handle of the library.
class Call {
 public:
  explicit Call(cublasMath_t math) : math_(math) {}
  virtual ~Call() = default;

  cublasMath_t math() const { return math_; }
  virtual const char* name() const = 0;
  virtual cublasStatus_t run(const CublasApi& api, cublasHandle_t handle) const = 0;

 private:
  cublasMath_t math_;
};

/// One cuBLAS handle on one stream. Not for several threads at once.
class Handle {
 public:
  /// @throws Failure
  Handle(std::shared_ptr<const CublasLibrary> library, std::shared_ptr<const KeptContext> context, Binding binding);
  ~Handle();
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  /// Enqueues and returns at once. @throws Failure
  void enqueue(const Call& call);
  /// Parts with the stream and the workspace, which may go before the handle does. Nothing can be enqueued after it.
  void detach() noexcept;

 private:
  void bind(const Binding& binding) const;
  void set_math(cublasMath_t mode);

  std::shared_ptr<const CublasLibrary> library_;
  std::shared_ptr<const KeptContext> context_;
  CUstream stream_;
  cublasHandle_t handle_ = nullptr;
  cublasMath_t math_ = CUBLAS_DEFAULT_MATH;
  bool detached_ = false;
};

}  // namespace ffma
