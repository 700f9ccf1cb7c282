#include "graph.h"

#include "../src/failure.h"
#include "../src/shared_library.h"

namespace ffma {
namespace {

/// CU_STREAM_CAPTURE_MODE_RELAXED: the thread may call anything meanwhile.
constexpr int capture_relaxed = 2;

// clang-format off
// X(member, exported symbol, parameters), as in driver_api.h.
#define FFMA_GRAPH_FUNCTIONS(X) \
  X(BeginCapture, cuStreamBeginCapture_v2, (CUstream stream, int mode)) \
  X(EndCapture, cuStreamEndCapture, (CUstream stream, CUgraph* graph)) \
  X(Instantiate, cuGraphInstantiateWithFlags, (CUgraphExec* exec, CUgraph graph, unsigned long long flags)) \
  X(Upload, cuGraphUpload, (CUgraphExec exec, CUstream stream)) \
  X(Launch, cuGraphLaunch, (CUgraphExec exec, CUstream stream)) \
  X(ExecDestroy, cuGraphExecDestroy, (CUgraphExec exec)) \
  X(Destroy, cuGraphDestroy, (CUgraph graph))
// clang-format on

struct GraphApi {
#define FFMA_MEMBER(member, symbol, parameters) CUresult(*member) parameters = nullptr;
  FFMA_GRAPH_FUNCTIONS(FFMA_MEMBER)
#undef FFMA_MEMBER
} api;

}  // namespace

void open_graphs(const std::string& library) {
  std::vector<Symbol> symbols;
#define FFMA_SYMBOL(member, symbol, parameters) symbols.push_back({#symbol, reinterpret_cast<void**>(&api.member)});
  FFMA_GRAPH_FUNCTIONS(FFMA_SYMBOL)
#undef FFMA_SYMBOL
  const LibraryReport report = open_library({library}, symbols);
  if (report.found) return;
  throw Failure("FFMA_UNAVAILABLE", library + " has no graphs: " + report.attempts.front().reason + ".");
}

CapturedGraph::CapturedGraph(CUstream stream, const std::function<void()>& enqueue) {
  check_driver(api.BeginCapture(stream, capture_relaxed), "cuStreamBeginCapture");
  enqueue();
  check_driver(api.EndCapture(stream, &graph_), "cuStreamEndCapture");
  check_driver(api.Instantiate(&exec_, graph_, 0), "cuGraphInstantiateWithFlags");
  check_driver(api.Upload(exec_, stream), "cuGraphUpload");
}

CapturedGraph::~CapturedGraph() {
  if (exec_ != nullptr) api.ExecDestroy(exec_);
  if (graph_ != nullptr) api.Destroy(graph_);
}

CUresult CapturedGraph::launch(CUstream stream) const { return api.Launch(exec_, stream); }

}  // namespace ffma
