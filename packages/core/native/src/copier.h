// Large copies of pageable host memory: in stream order, without a thread of ours and without blocking one.
#pragma once

#include "context.h"

namespace ffma {

/// Copies chunk by chunk through two page-locked buffers. The driver's host functions, on a stream of their own, move
/// bytes between these and the caller's memory while the DMA engine is at the other chunk.
class Copier {
 public:
  static constexpr size_t chunk_bytes = size_t{4} << 20;

  /// @throws Failure
  explicit Copier(Context& context);
  /// The buffers go once the work that uses them is over.
  void close(Context& context) noexcept;

  /// Enqueues on `stream`; later work on it comes after the copy. @throws Failure
  void upload(Context& context, CUstream stream, CUdeviceptr target, const void* source, size_t bytes);
  void download(Context& context, CUstream stream, void* target, CUdeviceptr source, size_t bytes);

 private:
  struct Chunk {
    void* memory = nullptr;
    CUevent filled = nullptr;
    CUevent emptied = nullptr;
  };

  void enqueue_move(Context& context, void* target, const void* source, size_t bytes);
  Chunk& next() { return chunks_[turn_++ % 2]; }

  CUstream side_ = nullptr;
  Chunk chunks_[2];
  size_t turn_ = 0;
};

}  // namespace ffma
