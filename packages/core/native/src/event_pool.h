// Events without timing, for waits of our own.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "device_state.h"

namespace ffma {

/// May be used from any thread; the device's context must be current where events are taken.
class EventPool {
 public:
  explicit EventPool(std::shared_ptr<DeviceState> device) : device_(std::move(device)) {}
  ~EventPool() {
    if (!device_->try_enter()) return;
    for (CUevent event : idle_) device_->api().EventDestroy(event);
  }
  EventPool(const EventPool&) = delete;
  EventPool& operator=(const EventPool&) = delete;

  /// @throws Failure
  CUevent take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        CUevent event = idle_.back();
        idle_.pop_back();
        return event;
      }
    }
    CUevent event = nullptr;
    device_->check(device_->api().EventCreate(&event, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
    return event;
  }

  void give(const std::vector<CUevent>& events) {
    const std::lock_guard lock(mutex_);
    idle_.insert(idle_.end(), events.begin(), events.end());
  }

 private:
  std::shared_ptr<DeviceState> device_;
  std::mutex mutex_;
  std::vector<CUevent> idle_;
};

}  // namespace ffma
