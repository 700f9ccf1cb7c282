#include "graph_exec.h"

#include <utility>

namespace ffma {
namespace {

/// CU_STREAM_NON_BLOCKING
constexpr unsigned non_blocking = 1;
/// CU_STREAM_CAPTURE_MODE_RELAXED: other threads, and this one, may call anything meanwhile.
constexpr int capture_relaxed = 2;

/// A stream that nothing runs on.
struct CaptureStream {
  const DriverApi& api;
  CUstream stream = nullptr;
  ~CaptureStream() {
    if (stream != nullptr) api.StreamDestroy(stream);
  }
};

struct CapturedGraph {
  const DriverApi& api;
  CUgraph graph = nullptr;
  ~CapturedGraph() {
    if (graph != nullptr) api.GraphDestroy(graph);
  }
};

}  // namespace

GraphExec::GraphExec(std::shared_ptr<Context> context, const std::function<void(CUstream)>& enqueue)
    : Child(std::move(context)) {
  context_->enter();
  const DriverApi& api = context_->api();
  CaptureStream capture{api};
  CapturedGraph captured{api};
  context_->check(api.StreamCreate(&capture.stream, non_blocking), "cuStreamCreate");
  context_->check(api.StreamBeginCapture(capture.stream, capture_relaxed), "cuStreamBeginCapture");
  try {
    enqueue(capture.stream);
  } catch (...) {
    api.StreamEndCapture(capture.stream, &captured.graph);
    throw;
  }
  context_->check(api.StreamEndCapture(capture.stream, &captured.graph), "cuStreamEndCapture");
  context_->check(api.GraphInstantiate(&exec_, captured.graph, 0), "cuGraphInstantiateWithFlags");
  // What the first launch would have to send ahead of itself.
  const CUresult uploaded = api.GraphUpload(exec_, capture.stream);
  if (uploaded == CUDA_SUCCESS) return;
  release();
  context_->check(uploaded, "cuGraphUpload");
}

void GraphExec::release() {
  if (exec_ == nullptr) return;
  // After what is in flight, its own runs among it.
  context_->release_later([exec = std::exchange(exec_, nullptr)](const DeviceState& device) {
    device.api().GraphExecDestroy(exec);
  });
}

}  // namespace ffma
