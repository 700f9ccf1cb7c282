#include "handle.h"

#include <utility>

namespace ffma {

Handle::Handle(std::shared_ptr<const CublasLibrary> library, std::shared_ptr<const KeptContext> context,
               Binding binding)
    : library_(std::move(library)), context_(std::move(context)), stream_(binding.stream) {
  const CurrentContext current(*context_);
  check_cublas(library_->api.Create(&handle_), "cublasCreate");
  try {
    bind(binding);
  } catch (...) {
    library_->api.Destroy(handle_);
    throw;
  }
}

Handle::~Handle() {
  if (process_is_ending()) return;
  // The stream may be gone, and destroying must not look at it.
  detach();
  try {
    const CurrentContext current(*context_);
    library_->api.Destroy(handle_);
  } catch (const Failure&) {
    // The context is gone, and what the handle held in it went with it.
  }
}

void Handle::bind(const Binding& binding) const {
  const CublasApi& api = library_->api;
  // The stream first: setting it takes a workspace away that was set before.
  check_cublas(api.SetStream(handle_, binding.stream), "cublasSetStream");
  if (binding.workspace_bytes > 0) {
    check_cublas(api.SetWorkspace(handle_, binding.workspace, binding.workspace_bytes), "cublasSetWorkspace");
  }
  check_cublas(api.SetMathMode(handle_, math_), "cublasSetMathMode");
}

void Handle::set_math(cublasMath_t mode) {
  if (mode == math_) return;
  check_cublas(library_->api.SetMathMode(handle_, mode), "cublasSetMathMode");
  math_ = mode;
}

void Handle::detach() noexcept {
  if (std::exchange(detached_, true)) return;
  try {
    const CurrentContext current(*context_);
    library_->api.SetStream(handle_, nullptr);
  } catch (const Failure&) {
    // As above.
  }
}

void Handle::enqueue(const Call& call) {
  if (detached_) throw Failure("FFMA_CLOSED", "This cuBLAS handle was detached from its stream.");
  const CurrentContext current(*context_);
  set_math(call.math());
  const cublasStatus_t status = call.run(library_->api, handle_);
  if (status != CUBLAS_STATUS_SUCCESS) throw context_->explain(cublas_failure(status, call.name()), stream_);
}

}  // namespace ffma
