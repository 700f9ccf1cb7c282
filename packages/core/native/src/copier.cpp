#include "copier.h"

#include <algorithm>

namespace ffma {
namespace {

void wait_for(const Context& context, CUstream stream, const uint32_t* word, uint32_t value) {
  const auto address = static_cast<CUdeviceptr>(reinterpret_cast<uintptr_t>(word));
  context.check(context.api().StreamWaitValue32(stream, address, value, CU_STREAM_WAIT_VALUE_GEQ),
                "cuStreamWaitValue32");
}

void write(const Context& context, CUstream stream, uint32_t* word, uint32_t value) {
  const auto address = static_cast<CUdeviceptr>(reinterpret_cast<uintptr_t>(word));
  context.check(context.api().StreamWriteValue32(stream, address, value, CU_STREAM_WRITE_VALUE_DEFAULT),
                "cuStreamWriteValue32");
}

}  // namespace

void Copier::close(Context& context) noexcept {
  context.release_later([ring = ring_](const DeviceState& device) { ring->free(device); });
}

void Copier::cancel(Context& context) { context.mover().cancel(ring_); }

void Copier::upload(Context& context, CUstream stream, CUdeviceptr target, const void* source, size_t bytes) {
  Ring& ring = *ring_;
  char* from = static_cast<char*>(const_cast<void*>(source));
  for (size_t at = 0; at < bytes; at += Ring::chunk_bytes, ++ring.next) {
    const size_t length = std::min(Ring::chunk_bytes, bytes - at);
    // The mover comes first: once the stream waits, the driver may hold up our calls until it has got on.
    context.mover().add(ring_, {true, from + at, length, ring.next});
    wait_for(context, stream, ring.host_done, ring.next + 1);
    context.check(context.api().MemcpyHtoDAsync(target + at, ring.slot(ring.next), length, stream),
                  "cuMemcpyHtoDAsync");
    write(context, stream, ring.gpu_done, ring.next + 1);
  }
}

void Copier::download(Context& context, CUstream stream, void* target, CUdeviceptr source, size_t bytes) {
  Ring& ring = *ring_;
  for (size_t at = 0; at < bytes; at += Ring::chunk_bytes, ++ring.next) {
    const size_t length = std::min(Ring::chunk_bytes, bytes - at);
    context.mover().add(ring_, {false, static_cast<char*>(target) + at, length, ring.next});
    // The slot's last content must be with the host.
    wait_for(context, stream, ring.host_done, ring.next + 1 - Ring::slots);
    context.check(context.api().MemcpyDtoHAsync(ring.slot(ring.next), source + at, length, stream),
                  "cuMemcpyDtoHAsync");
    write(context, stream, ring.gpu_done, ring.next + 1);
  }
  wait_for(context, stream, ring.host_done, ring.next);
}

}  // namespace ffma
