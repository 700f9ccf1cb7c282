#include "context_handle.h"

#include "launch_list.h"
#include "stream.h"

namespace ffma {
namespace {

/// The image as the driver reads it; PTX is text and ends with a zero.
std::vector<char> image_of(const Napi::Value& value) {
  const HostView view = host_view(value);
  const char* bytes = static_cast<const char*>(view.data);
  std::vector<char> image(bytes, bytes + view.bytes);
  image.push_back('\0');
  return image;
}

}  // namespace

ContextHandle::ContextHandle(const Napi::CallbackInfo& info) : Handle(info) {
  guarded(info, [&] { context_ = Living::open(Addon::of(info.Env()).living(), init_of<Init>(info).ordinal); });
}

void ContextHandle::close(const Napi::CallbackInfo&) {
  if (context_ != nullptr) context_->close();
  context_.reset();
}

Napi::Value ContextHandle::handle(const Napi::CallbackInfo& info) {
  return guarded(info, [&] {
    return Napi::BigInt::New(info.Env(), uint64_t{reinterpret_cast<uintptr_t>(get()->device().context())});
  });
}

Napi::Value ContextHandle::lost(const Napi::CallbackInfo& info) {
  return guarded(info, [&]() -> Napi::Value {
    const auto failure = get()->device().lost().failure();
    return failure ? Addon::of(info.Env()).error(info.Env(), *failure).Value() : info.Env().Undefined();
  });
}

Napi::Value ContextHandle::mem_info(const Napi::CallbackInfo& info) {
  return guarded(info, [&] {
    const auto [free, total] = get()->memory_info();
    Napi::Array pair = Napi::Array::New(info.Env(), 2);
    pair[0u] = static_cast<double>(free);
    pair[1u] = static_cast<double>(total);
    return pair;
  });
}

Napi::Value ContextHandle::allocate(const Napi::CallbackInfo& info) {
  return guarded(info, [&] {
    Memory::Init init{get(), bytes_argument(info[0], "The size of a buffer")};
    return Memory::make(Addon::of(info.Env()).constructors.memory, init);
  });
}

Napi::Value ContextHandle::allocate_pinned(const Napi::CallbackInfo& info) {
  return guarded(info, [&] {
    Pinned::Init init{get(), bytes_argument(info[0], "The size of pinned memory")};
    return Pinned::make(Addon::of(info.Env()).constructors.pinned, init);
  });
}

Napi::Value ContextHandle::create_stream(const Napi::CallbackInfo& info) {
  return guarded(info, [&] {
    Stream::Init init{get()};
    return Stream::make(Addon::of(info.Env()).constructors.stream, init);
  });
}

Napi::Value ContextHandle::create_event(const Napi::CallbackInfo& info) {
  return guarded(info, [&] {
    Event::Init init{get(), info[0].ToBoolean()};
    return Event::make(Addon::of(info.Env()).constructors.event, init);
  });
}

Napi::Value ContextHandle::load_module(const Napi::CallbackInfo& info) {
  return guarded(info, [&] { return Module::load(info.Env(), get(), image_of(info[0])); });
}

Napi::Value ContextHandle::prepare_launches(const Napi::CallbackInfo& info) {
  return guarded(info, [&] {
    return LaunchList::make(info.Env(), get(), info[0].As<Napi::Array>(), info[1].ToBoolean());
  });
}

Napi::Value ContextHandle::synchronize(const Napi::CallbackInfo& info) {
  return Addon::of(info.Env()).promise(info.Env(), [&](Pending& pending, Addon::Settler settle) {
    pending.hold(get()->use());
    get()->when_all_reached(settle);
  });
}

Napi::Function ContextHandle::define(Napi::Env env) {
  return Handle::define(env, "NativeContext",
                        {InstanceAccessor<&ContextHandle::handle>("handle"),
                         InstanceAccessor<&ContextHandle::lost>("lost"),
                         InstanceMethod<&ContextHandle::mem_info>("memInfo"),
                         InstanceMethod<&ContextHandle::allocate>("allocate"),
                         InstanceMethod<&ContextHandle::allocate_pinned>("allocatePinned"),
                         InstanceMethod<&ContextHandle::create_stream>("createStream"),
                         InstanceMethod<&ContextHandle::create_event>("createEvent"),
                         InstanceMethod<&ContextHandle::load_module>("loadModule"),
                         InstanceMethod<&ContextHandle::prepare_launches>("prepareLaunches"),
                         InstanceMethod<&ContextHandle::synchronize>("synchronize"),
                         InstanceMethod<&ContextHandle::close>("close")});
}

}  // namespace ffma
