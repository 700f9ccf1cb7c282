// Which contexts there are, and whether they have work left: asked at the end of the process.
#include <algorithm>
#include <mutex>

#include "context.h"

namespace ffma {
namespace {

struct Contexts {
  std::mutex mutex;
  std::unordered_set<const Context*> all;
};

/// Never destroyed: handlers for the end of the process ask.
Contexts& contexts() {
  static Contexts& own = *new Contexts;
  return own;
}

}  // namespace

void Context::enlist(bool lives) const {
  const std::lock_guard lock(contexts().mutex);
  if (lives) {
    contexts().all.insert(this);
  } else {
    contexts().all.erase(this);
  }
}

bool Context::is_busy() const {
  if (shut_down_ || !device_->try_enter()) return false;
  const auto runs = [&](CUstream stream) {
    return stream != nullptr && api().StreamQuery(stream) == CUDA_ERROR_NOT_READY;
  };
  return runs(freeing_) || std::any_of(streams_.begin(), streams_.end(), runs);
}

bool Context::any_busy() {
  const std::lock_guard lock(contexts().mutex);
  const auto busy = [](const Context* context) { return context->is_busy(); };
  return std::any_of(contexts().all.begin(), contexts().all.end(), busy);
}

}  // namespace ffma
