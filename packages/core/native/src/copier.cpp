#include "copier.h"

#include <algorithm>
#include <cstring>

namespace ffma {
namespace {

struct Move {
  std::shared_ptr<Gate> gate;
  void* target;
  const void* source;
  size_t bytes;
};

/// Runs on a thread of the driver; never on a lost device, so no bytes of a lost device reach the caller.
void move_bytes(void* data) {
  const std::unique_ptr<Move> move(static_cast<Move*>(data));
  const std::lock_guard lock(move->gate->mutex);
  if (!move->gate->closed) std::memcpy(move->target, move->source, move->bytes);
}

}  // namespace

Copier::Copier(Context& context) {
  const DriverApi& api = context.api();
  context.check(api.StreamCreate(&side_, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
  for (Chunk& chunk : chunks_) {
    context.check(api.MemHostAlloc(&chunk.memory, chunk_bytes, CU_MEMHOSTALLOC_PORTABLE), "cuMemHostAlloc");
    context.check(api.EventCreate(&chunk.filled, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
    context.check(api.EventCreate(&chunk.emptied, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
  }
}

void Copier::close(Context& context) noexcept {
  context.release_later([side = side_, first = chunks_[0], second = chunks_[1]](const DeviceState& device) {
    const DriverApi& api = device.api();
    api.StreamSynchronize(side);
    api.StreamDestroy(side);
    for (const Chunk& chunk : {first, second}) {
      api.EventDestroy(chunk.filled);
      api.EventDestroy(chunk.emptied);
      api.MemFreeHost(chunk.memory);
    }
  });
}

void Copier::enqueue_move(Context& context, void* target, const void* source, size_t bytes) {
  auto move = std::make_unique<Move>(Move{context.gate(), target, source, bytes});
  context.check(context.api().LaunchHostFunc(side_, move_bytes, move.get()), "cuLaunchHostFunc");
  static_cast<void>(move.release());
}

void Copier::upload(Context& context, CUstream stream, CUdeviceptr target, const void* source, size_t bytes) {
  const DriverApi& api = context.api();
  for (size_t at = 0; at < bytes; at += chunk_bytes) {
    const size_t length = std::min(chunk_bytes, bytes - at);
    Chunk& chunk = next();
    context.check(api.StreamWaitEvent(side_, chunk.emptied, 0), "cuStreamWaitEvent");
    enqueue_move(context, chunk.memory, static_cast<const char*>(source) + at, length);
    context.check(api.EventRecord(chunk.filled, side_), "cuEventRecord");
    context.check(api.StreamWaitEvent(stream, chunk.filled, 0), "cuStreamWaitEvent");
    context.check(api.MemcpyHtoDAsync(target + at, chunk.memory, length, stream), "cuMemcpyHtoDAsync");
    context.check(api.EventRecord(chunk.emptied, stream), "cuEventRecord");
  }
}

void Copier::download(Context& context, CUstream stream, void* target, CUdeviceptr source, size_t bytes) {
  const DriverApi& api = context.api();
  for (size_t at = 0; at < bytes; at += chunk_bytes) {
    const size_t length = std::min(chunk_bytes, bytes - at);
    Chunk& chunk = next();
    context.check(api.StreamWaitEvent(stream, chunk.emptied, 0), "cuStreamWaitEvent");
    context.check(api.MemcpyDtoHAsync(chunk.memory, source + at, length, stream), "cuMemcpyDtoHAsync");
    context.check(api.EventRecord(chunk.filled, stream), "cuEventRecord");
    context.check(api.StreamWaitEvent(side_, chunk.filled, 0), "cuStreamWaitEvent");
    enqueue_move(context, static_cast<char*>(target) + at, chunk.memory, length);
    context.check(api.EventRecord(chunk.emptied, side_), "cuEventRecord");
  }
  for (const Chunk& chunk : chunks_) {
    context.check(api.StreamWaitEvent(stream, chunk.emptied, 0), "cuStreamWaitEvent");
  }
}

}  // namespace ffma
