#include "graph.h"

#include "../src/driver_api.h"
#include "../src/failure.h"

namespace ffma {
namespace {

/// CU_STREAM_CAPTURE_MODE_RELAXED: the thread may call anything meanwhile.
constexpr int capture_relaxed = 2;

}  // namespace

CapturedGraph::CapturedGraph(CUstream stream, const std::function<void()>& enqueue) {
  const DriverApi& api = driver();
  check_driver(api.StreamBeginCapture(stream, capture_relaxed), "cuStreamBeginCapture");
  enqueue();
  check_driver(api.StreamEndCapture(stream, &graph_), "cuStreamEndCapture");
  check_driver(api.GraphInstantiate(&exec_, graph_, 0), "cuGraphInstantiateWithFlags");
  check_driver(api.GraphUpload(exec_, stream), "cuGraphUpload");
}

CapturedGraph::~CapturedGraph() {
  if (exec_ != nullptr) driver().GraphExecDestroy(exec_);
  if (graph_ != nullptr) driver().GraphDestroy(graph_);
}

CUresult CapturedGraph::launch(CUstream stream) const { return driver().GraphLaunch(exec_, stream); }

}  // namespace ffma
