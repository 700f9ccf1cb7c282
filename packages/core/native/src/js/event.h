#pragma once

#include "handle.h"

namespace ffma {

/// An event of the driver; destroyed with its last user, which may be a wait.
struct EventHandle {
  std::shared_ptr<DeviceState> device;
  CUevent event = nullptr;

  explicit EventHandle(std::shared_ptr<DeviceState> own) : device(std::move(own)) {}
  ~EventHandle() {
    if (event != nullptr && device->try_enter()) device->api().EventDestroy(event);
  }
  EventHandle(const EventHandle&) = delete;
  EventHandle& operator=(const EventHandle&) = delete;
};

/// NativeEvent: a point in a stream.
class Event : public Handle<Event>, public Child {
 public:
  static constexpr napi_type_tag type_tag = {0x6f1d2a4c9be84f03, 0x8c3a77e5d0b14a03};
  struct Init {
    std::shared_ptr<Context> context;
    bool timing;
  };

  explicit Event(const Napi::CallbackInfo& info);
  static Napi::Function define(Napi::Env env);

  void release() override { handle_.reset(); }
  /// @throws Failure where it is closed
  CUevent get() const;

 private:
  Napi::Value query(const Napi::CallbackInfo& info);
  Napi::Value synchronize(const Napi::CallbackInfo& info);
  Napi::Value elapsed_ms(const Napi::CallbackInfo& info);
  void close(const Napi::CallbackInfo&) { release(); }

  std::shared_ptr<EventHandle> handle_;
};

}  // namespace ffma
