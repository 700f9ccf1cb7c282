// What everything on one device shares: the driver, the primary context, and whether the device was lost.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "driver_api.h"
#include "failure.h"

namespace ffma {

/// The sticky error that took a device down. One a device and process: every thread's primary context is the same.
class LostState {
 public:
  bool is_lost() const { return lost_.load(std::memory_order_acquire); }
  /// The first error, as FFMA_DEVICE_LOST; empty while the device works.
  std::optional<Failure> failure();
  void mark(const Failure& first);
  static LostState& of(CUdevice device);

 private:
  std::atomic<bool> lost_{false};
  std::mutex mutex_;
  std::optional<Failure> first_;
};

/// A retained primary context. Every call into the driver goes through `check`.
class DeviceState {
 public:
  /// @throws Failure
  explicit DeviceState(int ordinal);
  ~DeviceState();
  DeviceState(const DeviceState&) = delete;
  DeviceState& operator=(const DeviceState&) = delete;

  const DriverApi& api() const { return api_; }
  CUdevice device() const { return device_; }
  CUcontext context() const { return context_; }
  LostState& lost() const { return lost_; }

  /// Makes the context current on this thread. @throws Failure, where the device was lost too
  void enter() const;
  /// The same, where what we made current last still is, unless somebody else's code has changed it since.
  void enter_quickly() const;
  /// The same for releasing things: returns false where there is nothing to release any more.
  bool try_enter() const noexcept;
  /// @throws Failure; a sticky error marks the device as lost
  void check(CUresult result, const char* call) const;
  /// The failure that a result stands for.
  Failure describe(CUresult result, const char* call) const;
  /// Gives the primary context back now; whoever still holds this finds nothing to release any more.
  void release();
  /// Leaves everything to the end of the process: work is in flight that may never end, and what it uses must stay.
  void abandon() { released_ = true; }

 private:
  const DriverApi& api_;
  CUdevice device_ = 0;
  LostState& lost_;
  CUcontext context_ = nullptr;
  std::atomic<bool> released_{false};
};

/// True once the process is on its way out: the driver then reclaims what is left faster than we can.
bool process_is_ending();
void mark_process_ending();

}  // namespace ffma
