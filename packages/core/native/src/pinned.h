// Page-locked host memory: which memory is, and where copies of other memory pass through.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "device_state.h"

namespace ffma {

/// The spans of page-locked memory that JavaScript has, in the whole process.
class PinnedSpans {
 public:
  static PinnedSpans& all();
  void add(const void* address, size_t bytes);
  void remove(const void* address);
  bool contain(const void* address, size_t bytes);

 private:
  std::mutex mutex_;
  std::map<uintptr_t, size_t> spans_;
};

/// Page-locked blocks that small copies pass through.
class StagingPool {
 public:
  static constexpr size_t block_bytes = size_t{1} << 20;

  explicit StagingPool(std::shared_ptr<DeviceState> device) : device_(std::move(device)) {}
  StagingPool(const StagingPool&) = delete;
  StagingPool& operator=(const StagingPool&) = delete;

  /// A piece of at least this many bytes, at most `block_bytes`; nullptr where too many are in use. @throws Failure
  void* take(size_t bytes);
  void give(void* piece);
  /// Every block, for freeing; none may be used any more.
  std::vector<void*> take_all();

 private:
  static constexpr size_t small_bytes = size_t{1} << 15;
  static constexpr size_t most_blocks = 32;

  std::shared_ptr<DeviceState> device_;
  std::vector<void*> blocks_;
  std::vector<void*> whole_;
  std::vector<void*> small_;
  std::map<void*, bool> is_small_;
};

}  // namespace ffma
