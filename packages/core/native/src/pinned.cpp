#include "pinned.h"

#include <utility>

namespace ffma {

PinnedSpans& PinnedSpans::all() {
  static PinnedSpans& spans = *new PinnedSpans;
  return spans;
}

void PinnedSpans::add(const void* address, size_t bytes) {
  const std::lock_guard lock(mutex_);
  spans_[reinterpret_cast<uintptr_t>(address)] = bytes;
}

void PinnedSpans::remove(const void* address) {
  const std::lock_guard lock(mutex_);
  spans_.erase(reinterpret_cast<uintptr_t>(address));
}

bool PinnedSpans::contain(const void* address, size_t bytes) {
  const auto start = reinterpret_cast<uintptr_t>(address);
  const std::lock_guard lock(mutex_);
  auto next = spans_.upper_bound(start);
  if (next == spans_.begin()) return false;
  const auto& [first, length] = *--next;
  return start - first + bytes <= length;
}

void* StagingPool::take(size_t bytes) {
  const bool small = bytes <= small_bytes;
  std::vector<void*>& idle = small ? small_ : whole_;
  if (idle.empty()) {
    if (blocks_.size() == most_blocks) return nullptr;
    void* block = nullptr;
    device_->check(device_->api().MemHostAlloc(&block, block_bytes, CU_MEMHOSTALLOC_PORTABLE), "cuMemHostAlloc");
    blocks_.push_back(block);
    for (size_t at = 0; at < block_bytes; at += small ? small_bytes : block_bytes) {
      void* piece = static_cast<char*>(block) + at;
      idle.push_back(piece);
      is_small_[piece] = small;
    }
  }
  void* piece = idle.back();
  idle.pop_back();
  return piece;
}

void StagingPool::give(void* piece) { (is_small_[piece] ? small_ : whole_).push_back(piece); }

std::vector<void*> StagingPool::take_all() {
  whole_.clear();
  small_.clear();
  is_small_.clear();
  return std::exchange(blocks_, {});
}

}  // namespace ffma
