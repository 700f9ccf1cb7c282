#include "mover.h"

#include <algorithm>
#include <cstring>

namespace ffma {
namespace {

using std::chrono::microseconds;

/// Words of different cache lines.
constexpr size_t word_distance = 64;

uint32_t load(const uint32_t* word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
void store(uint32_t* word, uint32_t value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }

/// Whether a count that wraps around has got as far as `wanted`, as the GPU compares.
bool reached(uint32_t count, uint32_t wanted) { return static_cast<int32_t>(count - wanted) >= 0; }

/// An upload may fill a chunk once its last content was copied; a download may empty it once it was filled.
bool is_ready(const Ring& ring, const Move& move) {
  return reached(load(ring.gpu_done), move.upload ? move.index + 1 - Ring::slots : move.index + 1);
}

}  // namespace

Ring::Ring(const DeviceState& device) {
  void* allocated = nullptr;
  const size_t bytes = slots * chunk_bytes + 2 * word_distance;
  device.check(device.api().MemHostAlloc(&allocated, bytes, CU_MEMHOSTALLOC_PORTABLE), "cuMemHostAlloc");
  memory = static_cast<char*>(allocated);
  host_done = reinterpret_cast<uint32_t*>(memory + slots * chunk_bytes);
  gpu_done = reinterpret_cast<uint32_t*>(memory + slots * chunk_bytes + word_distance);
  *host_done = *gpu_done = 0;
}

void Ring::free(const DeviceState& device) { device.api().MemFreeHost(memory); }

Mover::Mover(std::shared_ptr<DeviceState> device) : device_(std::move(device)), thread_([this] { run(); }) {}

void Mover::add(const std::shared_ptr<Ring>& ring, Move move) {
  {
    const std::lock_guard lock(mutex_);
    auto queue = std::find_if(queues_.begin(), queues_.end(), [&](const Queue& each) { return each.ring == ring; });
    if (queue == queues_.end()) queue = queues_.insert(queue, Queue{ring, {}});
    queue->moves.push_back(move);
  }
  changed_.notify_all();
}

void Mover::cancel(const std::shared_ptr<Ring>& ring) {
  std::unique_lock lock(mutex_);
  const auto is_its = [&](const Queue& each) { return each.ring == ring; };
  queues_.erase(std::remove_if(queues_.begin(), queues_.end(), is_its), queues_.end());
  changed_.wait(lock, [&] { return moving_ != ring; });
}

void Mover::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Mover::let_go() {
  for (Queue& queue : queues_) {
    if (!queue.moves.empty()) store(queue.ring->host_done, queue.moves.back().index + 1);
  }
  queues_.clear();
}

/// Moves the first chunk that is ready, with the lock released meanwhile.
bool Mover::move_one(std::unique_lock<std::mutex>& lock) {
  for (auto queue = queues_.begin(); queue != queues_.end(); ++queue) {
    const Move move = queue->moves.front();
    if (!is_ready(*queue->ring, move)) continue;
    moving_ = queue->ring;
    queue->moves.pop_front();
    if (queue->moves.empty()) queues_.erase(queue);
    lock.unlock();
    char* slot = moving_->slot(move.index);
    std::memcpy(move.upload ? slot : move.host, move.upload ? move.host : slot, move.bytes);
    store(moving_->host_done, move.index + 1);
    lock.lock();
    moving_.reset();
    changed_.notify_all();
    return true;
  }
  return false;
}

void Mover::run() {
  std::unique_lock lock(mutex_);
  Clock::time_point progress = Clock::now();
  while (!stopping_) {
    if (queues_.empty()) {
      changed_.wait(lock, [&] { return stopping_ || !queues_.empty(); });
      progress = Clock::now();
    } else if (move_one(lock)) {
      progress = Clock::now();
    } else if (device_->lost().is_lost()) {
      queues_.clear();
    } else {
      const auto waited = std::chrono::duration_cast<microseconds>(Clock::now() - progress);
      changed_.wait_for(lock, std::clamp(waited / 16, microseconds(5), microseconds(500)));
    }
  }
  let_go();
}

}  // namespace ffma
