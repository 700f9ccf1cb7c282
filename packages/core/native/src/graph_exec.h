// A CUDA graph of launches, ready to be launched by one call of the driver.
#pragma once

#include <functional>
#include <memory>

#include "context.h"

namespace ffma {

/// Its launches run in order, and one run at a time: two of them on two streams wait for each other.
class GraphExec : public Child {
 public:
  /// Of what `enqueue` puts on the stream that it is given; nothing runs. @throws Failure
  GraphExec(std::shared_ptr<Context> context, const std::function<void(CUstream)>& enqueue);
  ~GraphExec() override { release(); }

  /// Runs in flight go on to their end.
  void release() override;
  CUgraphExec get() const { return exec_; }

 private:
  CUgraphExec exec_ = nullptr;
};

}  // namespace ffma
