// Counters of the stub libraries, and orders that tests give them, in a small file that both map.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

namespace stub {

/// In the order of stub-words.ts.
enum Word {
  retained_contexts,
  pushed_contexts,
  live_handles,
  created_handles,
  workspace_bytes,
  math_mode,
  products,
  scalings,
  fail_create,
  fail_product,
  stream_state,
  streams_missed,
  waiting_destroys,
};

inline std::atomic<int>& word(Word index) {
  static auto* const words = static_cast<std::atomic<int>*>(mmap(
      nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, open(std::getenv("FFMA_STUB_WORDS"), O_RDWR), 0));
  return words[index];
}

}  // namespace stub
