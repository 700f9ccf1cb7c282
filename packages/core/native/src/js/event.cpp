#include "event.h"

namespace ffma {

Event::Event(const Napi::CallbackInfo& info) : Handle(info), Child(init_of<Init>(info).context) {
  const Init& init = init_of<Init>(info);
  handle_ = std::make_shared<EventHandle>(context_->device_pointer());
  guarded(info, [&] {
    context_->enter();
    const unsigned flags = init.timing ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING;
    context_->check(context_->api().EventCreate(&handle_->event, flags), "cuEventCreate");
  });
}

CUevent Event::get() const {
  if (handle_ == nullptr) throw closed("event");
  return handle_->event;
}

Napi::Value Event::query(const Napi::CallbackInfo& info) {
  return guarded(info, [&] {
    CUevent event = get();
    context_->enter();
    const CUresult result = context_->api().EventQuery(event);
    if (result != CUDA_ERROR_NOT_READY) context_->check(result, "cuEventQuery");
    return Napi::Boolean::New(info.Env(), result == CUDA_SUCCESS);
  });
}

Napi::Value Event::synchronize(const Napi::CallbackInfo& info) {
  return Addon::of(info.Env()).promise(info.Env(), [&](Pending& pending, Addon::Settler settle) {
    CUevent event = get();
    pending.hold(context_->use());
    context_->when_happened(event, [settle, handle = handle_](const Failure* failure) { settle(failure); });
  });
}

Napi::Value Event::elapsed_ms(const Napi::CallbackInfo& info) {
  return guarded(info, [&] {
    CUevent end = get();
    CUevent start = from(info[0]).get();
    context_->enter();
    float ms = 0;
    const CUresult result = context_->api().EventElapsedTime(&ms, start, end);
    if (result == CUDA_ERROR_NOT_READY || result == CUDA_ERROR_INVALID_HANDLE) {
      throw Failure("FFMA_ARGUMENT",
                    result == CUDA_ERROR_NOT_READY
                        ? "Both events must have happened before the time between them is known."
                        : "The time between two events needs both to be recorded, and created with timing.");
    }
    context_->check(result, "cuEventElapsedTime");
    return Napi::Number::New(info.Env(), ms);
  });
}

Napi::Function Event::define(Napi::Env env) {
  return Handle::define(env, "NativeEvent",
                        {InstanceMethod<&Event::query>("query"), InstanceMethod<&Event::synchronize>("synchronize"),
                         InstanceMethod<&Event::elapsed_ms>("elapsedMs"), InstanceMethod<&Event::close>("close")});
}

}  // namespace ffma
