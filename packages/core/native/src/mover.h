// Moves bytes between pageable host memory and page-locked buffers while a stream waits for them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "device_state.h"

namespace ffma {

/// Page-locked slots that the copies of one stream pass through in turn, and how far each side has got. Chunk i of all
/// that ever passed uses slot i % slots. The counts wrap around; what is compared is close together.
struct Ring {
  static constexpr size_t chunk_bytes = size_t{4} << 20;
  static constexpr uint32_t slots = 4;

  char* memory = nullptr;
  /// Chunks that the host has moved, written by the mover, awaited by the stream. Page-locked.
  uint32_t* host_done = nullptr;
  /// Chunks that the GPU has copied, written by the stream.
  uint32_t* gpu_done = nullptr;
  /// Chunks that were enqueued.
  uint32_t next = 0;

  char* slot(uint32_t index) const { return memory + index % slots * chunk_bytes; }
  /// @throws Failure
  explicit Ring(const DeviceState& device);
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  /// Once nothing uses it any more.
  void free(const DeviceState& device);
};

/// One chunk's worth for the host to move.
struct Move {
  bool upload;
  char* host;
  size_t bytes;
  uint32_t index;
};

/// A thread that calls nothing of the driver: a call of another thread may hold the driver's locks until a stream has
/// got on, which waits for this.
class Mover {
 public:
  explicit Mover(std::shared_ptr<DeviceState> device);
  ~Mover() { stop(); }
  Mover(const Mover&) = delete;
  Mover& operator=(const Mover&) = delete;

  void add(const std::shared_ptr<Ring>& ring, Move move);
  /// Drops what is left to move for a ring, and returns when nothing of it is being moved.
  void cancel(const std::shared_ptr<Ring>& ring);
  /// Touches the callers' memory no more; streams that wait go on.
  void stop();

 private:
  using Clock = std::chrono::steady_clock;
  struct Queue {
    std::shared_ptr<Ring> ring;
    std::deque<Move> moves;
  };

  void run();
  bool move_one(std::unique_lock<std::mutex>& lock);
  void let_go();

  std::shared_ptr<DeviceState> device_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Queue> queues_;
  /// Whose chunk is being moved, with the lock released.
  std::shared_ptr<Ring> moving_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace ffma
