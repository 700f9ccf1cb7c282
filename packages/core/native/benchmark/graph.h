// CUDA graphs, for measuring what launching one takes.
#pragma once

#include <functional>

#include "../src/driver_types.h"

namespace ffma {

/// What was enqueued on a stream meanwhile, as a graph that is ready to be launched.
class CapturedGraph {
 public:
  /// @throws Failure
  CapturedGraph(CUstream stream, const std::function<void()>& enqueue);
  ~CapturedGraph();
  CapturedGraph(const CapturedGraph&) = delete;
  CapturedGraph& operator=(const CapturedGraph&) = delete;

  CUresult launch(CUstream stream) const;

 private:
  CUgraph graph_ = nullptr;
  CUgraphExec exec_ = nullptr;
};

}  // namespace ffma
