#include "stream.h"

#include <cstring>

namespace ffma {

Stream::Stream(const Napi::CallbackInfo& info) : Handle(info), Child(init_of<Init>(info).context) {
  guarded(info, [&] { stream_ = context_->create_stream(); });
}

void Stream::release() {
  if (stream_ == nullptr) return;
  if (copier_ != nullptr) copier_->close(*context_);
  copier_.reset();
  context_->destroy_stream(stream_);
  stream_ = nullptr;
}

void Stream::own(const Context& other, const char* what) const {
  if (&other == context_.get()) return;
  throw Failure("FFMA_ARGUMENT", std::string("The ") + what + " belongs to another device than the stream.");
}

Copier& Stream::copier(Pending& pending) {
  if (copier_ == nullptr) copier_ = std::make_shared<Copier>(*context_);
  // The caller's memory may go once the promise is settled.
  pending.cleanup = [context = context_, copier = copier_](bool failed) {
    if (failed) copier->cancel(*context);
  };
  return *copier_;
}

Napi::Value Stream::handle(const Napi::CallbackInfo& info) {
  return guarded(info, [&] { return Napi::BigInt::New(info.Env(), uint64_t{reinterpret_cast<uintptr_t>(get())}); });
}

/// Part of a page-locked block, until the promise is settled; nullptr where it does not fit into one.
void* Stream::take_piece(size_t bytes, Pending& pending) {
  void* piece = bytes <= StagingPool::block_bytes ? context_->staging().take(bytes) : nullptr;
  if (piece != nullptr) pending.cleanup = [context = context_, piece](bool) { context->staging().give(piece); };
  return piece;
}

/// Page-locked memory is read by the DMA engine; little memory is copied aside at once; the rest passes through a ring.
void Stream::upload(CUdeviceptr target, const HostView& source, Pending& pending) {
  const void* from = source.data;
  if (!PinnedSpans::all().contain(source.data, source.bytes)) {
    if (void* piece = take_piece(source.bytes, pending)) {
      from = std::memcpy(piece, source.data, source.bytes);
    } else if (context_->waits_for_words()) {
      return copier(pending).upload(*context_, stream_, target, source.data, source.bytes);
    }
  }
  context_->check(context_->api().MemcpyHtoDAsync(target, from, source.bytes, stream_), "cuMemcpyHtoDAsync");
}

/// As above; little memory is copied to its place on JavaScript's thread, after the array was checked again.
void Stream::download(CUdeviceptr source, const HostView& target, Pending& pending) {
  void* to = target.data;
  if (!PinnedSpans::all().contain(target.data, target.bytes)) {
    if (void* piece = take_piece(target.bytes, pending)) {
      pending.value = [piece, &kept = pending.kept](Napi::Env env) {
        const HostView view = host_view(kept.front().Value());
        std::memcpy(view.data, piece, view.bytes);
        return env.Undefined();
      };
      to = piece;
    } else if (context_->waits_for_words()) {
      return copier(pending).download(*context_, stream_, target.data, source, target.bytes);
    }
  }
  context_->check(context_->api().MemcpyDtoHAsync(to, source, target.bytes, stream_), "cuMemcpyDtoHAsync");
}

Napi::Value Stream::copy_to_device(const Napi::CallbackInfo& info) {
  return Addon::of(info.Env()).promise(info.Env(), [&](Pending& pending, Addon::Settler settle) {
    const Memory& memory = Memory::from(info[0]);
    own(*memory.context(), "buffer");
    get();
    const HostView source = host_view(info[2]);
    const CUdeviceptr target = memory.at(bytes_argument(info[1], "The offset"), source.bytes);
    context_->enter();
    if (source.bytes == 0) return settle(nullptr);
    pending.hold(context_->use());
    pending.keep(source.view);
    pending.keep(info[0].As<Napi::Object>());
    // What was read from an array that was taken away meanwhile is not what the caller meant.
    pending.value = [&kept = pending.kept](Napi::Env env) {
      host_view(kept.front().Value());
      return env.Undefined();
    };
    upload(target, source, pending);
    context_->when_reached(stream_, settle);
  });
}

Napi::Value Stream::copy_to_host(const Napi::CallbackInfo& info) {
  return Addon::of(info.Env()).promise(info.Env(), [&](Pending& pending, Addon::Settler settle) {
    const Memory& memory = Memory::from(info[1]);
    own(*memory.context(), "buffer");
    get();
    const HostView target = host_view(info[0]);
    const CUdeviceptr source = memory.at(bytes_argument(info[2], "The offset"), target.bytes);
    context_->enter();
    if (target.bytes == 0) return settle(nullptr);
    pending.hold(context_->use());
    pending.keep(target.view);
    pending.keep(info[1].As<Napi::Object>());
    pending.value = [&kept = pending.kept](Napi::Env env) {
      host_view(kept.front().Value());
      return env.Undefined();
    };
    download(source, target, pending);
    context_->when_reached(stream_, settle);
  });
}

void Stream::copy_on_device(const Napi::CallbackInfo& info) {
  guarded(info, [&] {
    const Memory& target = Memory::from(info[0]);
    const Memory& source = Memory::from(info[2]);
    own(*target.context(), "target");
    own(*source.context(), "source");
    const size_t bytes = bytes_argument(info[4], "The number of bytes");
    const CUdeviceptr to = target.at(bytes_argument(info[1], "The offset"), bytes);
    const CUdeviceptr from = source.at(bytes_argument(info[3], "The offset"), bytes);
    CUstream stream = get();
    context_->enter();
    if (bytes > 0) context_->check(context_->api().MemcpyDtoDAsync(to, from, bytes, stream), "cuMemcpyDtoDAsync");
  });
}

void Stream::fill(const Napi::CallbackInfo& info) {
  guarded(info, [&] {
    const Memory& target = Memory::from(info[0]);
    own(*target.context(), "buffer");
    const size_t words = bytes_argument(info[3], "The number of words");
    const CUdeviceptr at = target.at(bytes_argument(info[1], "The offset"), words * 4);
    const unsigned word = info[2].ToNumber().Uint32Value();
    CUstream stream = get();
    context_->enter();
    if (words > 0) context_->check(context_->api().MemsetD32Async(at, word, words, stream), "cuMemsetD32Async");
  });
}

void Stream::record(const Napi::CallbackInfo& info) {
  guarded(info, [&] {
    const Event& event = Event::from(info[0]);
    own(*event.context(), "event");
    CUstream stream = get();
    context_->enter();
    context_->check(context_->api().EventRecord(event.get(), stream), "cuEventRecord");
  });
}

void Stream::wait(const Napi::CallbackInfo& info) {
  guarded(info, [&] {
    const Event& event = Event::from(info[0]);
    own(*event.context(), "event");
    CUstream stream = get();
    context_->enter();
    context_->check(context_->api().StreamWaitEvent(stream, event.get(), 0), "cuStreamWaitEvent");
  });
}

Napi::Value Stream::synchronize(const Napi::CallbackInfo& info) {
  return Addon::of(info.Env()).promise(info.Env(), [&](Pending& pending, Addon::Settler settle) {
    pending.hold(context_->use());
    context_->when_reached(get(), settle);
  });
}

Napi::Value Stream::number(const Napi::CallbackInfo& info) {
  return guarded(info, [&] { return Napi::Number::New(info.Env(), context_->number_of(get())); });
}

Napi::Function Stream::define(Napi::Env env) {
  return Handle::define(
      env, "NativeStream",
      {InstanceAccessor<&Stream::handle>("handle"), InstanceAccessor<&Stream::number>("number"),
       InstanceMethod<&Stream::copy_to_device>("copyToDevice"),
       InstanceMethod<&Stream::copy_to_host>("copyToHost"), InstanceMethod<&Stream::copy_on_device>("copyOnDevice"),
       InstanceMethod<&Stream::fill>("fill"), InstanceMethod<&Stream::record>("record"),
       InstanceMethod<&Stream::wait>("wait"), InstanceMethod<&Stream::synchronize>("synchronize"),
       InstanceMethod<&Stream::close>("close")});
}

}  // namespace ffma
