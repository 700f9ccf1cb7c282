// A thread for work that takes long without a device: compiling.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace ffma {

/// Runs jobs one after the other, on a thread that starts with the first.
class Jobs {
 public:
  Jobs() = default;
  ~Jobs() { stop(); }
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  void add(std::function<void()> job);
  /// Drops what has not begun, waits for what has.
  void stop();

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> queue_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace ffma
