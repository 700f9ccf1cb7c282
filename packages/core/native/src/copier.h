// Large copies of pageable host memory: in stream order, and without blocking who asks for them.
#pragma once

#include "context.h"

namespace ffma {

/// Copies chunk by chunk through a ring. Everything is enqueued at once: the stream waits for each chunk until the
/// mover has filled or emptied it.
class Copier {
 public:
  /// @throws Failure
  explicit Copier(Context& context) : ring_(std::make_shared<Ring>(context.device())) {}
  /// Touches no memory of a caller any more, where the device was lost.
  void cancel(Context& context);
  /// The ring goes once the work that uses it is over.
  void close(Context& context) noexcept;

  /// Enqueues on `stream`; later work on it comes after the copy. @throws Failure
  void upload(Context& context, CUstream stream, CUdeviceptr target, const void* source, size_t bytes);
  void download(Context& context, CUstream stream, void* target, CUdeviceptr source, size_t bytes);

 private:
  std::shared_ptr<Ring> ring_;
};

}  // namespace ffma
