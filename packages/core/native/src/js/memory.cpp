#include "memory.h"

namespace ffma {
namespace {

/// Page-locked memory; freed once everything that was enqueued before is over.
struct PinnedBlock {
  std::shared_ptr<Context> context;
  void* address;

  PinnedBlock(std::shared_ptr<Context> owner, size_t bytes) : context(std::move(owner)), address(nullptr) {
    context->enter();
    context->check(context->api().MemHostAlloc(&address, bytes, CU_MEMHOSTALLOC_PORTABLE), "cuMemHostAlloc");
    PinnedSpans::all().add(address, bytes);
  }
  ~PinnedBlock() {
    if (address == nullptr) return;
    PinnedSpans::all().remove(address);
    context->release_later([block = address](const DeviceState& device) { device.api().MemFreeHost(block); });
  }
  PinnedBlock(const PinnedBlock&) = delete;
  PinnedBlock& operator=(const PinnedBlock&) = delete;
};

}  // namespace

Memory::Memory(const Napi::CallbackInfo& info) : Handle(info), Child(init_of<Init>(info).context) {
  const Init& init = init_of<Init>(info);
  guarded(info, [&] {
    if (init.bytes > 0) address_ = context_->allocate(init.bytes);
  });
  bytes_ = init.bytes;
  account(static_cast<int64_t>(bytes_));
}

void Memory::release() {
  if (freed_) return;
  freed_ = true;
  if (address_ != 0) context_->free(address_);
  account(-static_cast<int64_t>(bytes_));
}

/// Tells the garbage collector; it cannot be told any more where a worker ends.
void Memory::account(int64_t bytes) {
  int64_t total = 0;
  napi_adjust_external_memory(Env(), bytes, &total);
}

CUdeviceptr Memory::at(size_t offset, size_t bytes) const {
  if (freed_) throw closed("buffer");
  if (offset > bytes_ || bytes > bytes_ - offset) {
    throw Failure("FFMA_ARGUMENT", std::to_string(bytes) + " bytes at byte " + std::to_string(offset) +
                                       " do not fit into a buffer of " + std::to_string(bytes_) + " bytes.");
  }
  return address_ + offset;
}

Napi::Value Memory::address(const Napi::CallbackInfo& info) { return Napi::BigInt::New(info.Env(), uint64_t{address_}); }

Napi::Value Memory::byte_length(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(bytes_));
}

Napi::Function Memory::define(Napi::Env env) {
  return Handle::define(env, "NativeMemory",
                        {InstanceAccessor<&Memory::address>("address"),
                         InstanceAccessor<&Memory::byte_length>("byteLength"), InstanceMethod<&Memory::free>("free")});
}

Pinned::Pinned(const Napi::CallbackInfo& info) : Handle(info) {
  Init& init = init_of<Init>(info);
  if (init.bytes == 0) {
    buffer_ = Napi::Persistent(Napi::ArrayBuffer::New(info.Env(), 0));
    return;
  }
  auto block = guarded(info, [&] { return std::make_unique<PinnedBlock>(init.context, init.bytes); });
  const auto finalize = [](Napi::Env, void*, PinnedBlock* own) { delete own; };
  buffer_ = Napi::Persistent(Napi::ArrayBuffer::New(info.Env(), block->address, init.bytes, finalize, block.get()));
  static_cast<void>(block.release());
}

Napi::Value Pinned::buffer(const Napi::CallbackInfo&) { return buffer_.Value(); }

void Pinned::release(const Napi::CallbackInfo&) {
  Napi::ArrayBuffer buffer = buffer_.Value();
  if (!buffer.IsDetached()) buffer.Detach();
}

Napi::Function Pinned::define(Napi::Env env) {
  return Handle::define(env, "NativePinned",
                        {InstanceAccessor<&Pinned::buffer>("buffer"), InstanceMethod<&Pinned::release>("release")});
}

}  // namespace ffma
