// A thread that waits for a device, so that JavaScript's thread never does.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "device_state.h"

namespace ffma {

/// Something to do once events have happened. Runs on the waiter's thread.
struct Wait {
  std::vector<CUevent> events;
  /// Told the failure that ended the wait, or nullptr.
  std::function<void(const Failure*)> done;
  /// Whether `done` still has to run where the waiter is stopped early: it releases something.
  bool releases = false;
};

/// Polls events. Polling, because waits on several streams end in any order, because a callback of the driver never
/// comes from a lost device, and because a blocked thread could not be stopped.
class Waiter {
 public:
  explicit Waiter(std::shared_ptr<DeviceState> device);
  ~Waiter();
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  /// After `stop`, waits that release something are carried out at once.
  void add(Wait wait);
  /// Ends the thread once all waits are over; they go on until then. With it goes the device's context.
  void finish();
  /// Whether the thread has come to its end.
  bool finished() const { return finished_.load(); }
  /// Ends the thread now, and waits for it. Waits that only tell JavaScript something are dropped; what is to be
  /// released is released, unless work in flight takes so long that it may never end: then the device is abandoned.
  void stop();

  /// Waits of all waiters that are not over, and those that were given up.
  static int in_flight();

 private:
  using Clock = std::chrono::steady_clock;
  enum class State { running, finishing, stopping };

  void run();
  bool take(std::vector<Wait>& waits);
  void poll(std::vector<Wait>& waits);
  void release(std::vector<Wait>& waits);
  bool happen_in_time(const Wait& wait);

  std::shared_ptr<DeviceState> device_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Wait> incoming_;
  State state_ = State::running;
  /// When a wait came in or ended last.
  Clock::time_point progress_;
  /// Until when a waiter that is stopped waits for work; none before that.
  std::optional<Clock::time_point> patience_;
  std::atomic<bool> finished_{false};
  std::thread thread_;
};

}  // namespace ffma
