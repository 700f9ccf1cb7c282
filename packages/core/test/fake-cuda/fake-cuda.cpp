// A CUDA driver that works on host memory, for testing what lies above a driver. Streams are threads, so work is
// asynchronous and in order; device memory is host memory; a module is a text of kernel names; the kernels are here.
// Built by fake-cuda.ts; FAKE_CUDA_INIT sets what cuInit returns, FAKE_CUDA_FAIL (cuDeviceGetName:1) what others do,
// and FAKE_CUDA_COUNT how many devices there are.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../../native/src/driver_types.h"

#define EXPORT extern "C" __attribute__((visibility("default")))

using Clock = std::chrono::steady_clock;

/// What one recording stands for. Whoever waits keeps the one that was current when it began to.
struct Point {
  std::mutex mutex;
  std::condition_variable changed;
  bool reached = false;
  Clock::time_point at;
};
struct CUevent_st {
  std::shared_ptr<Point> point;
};

static std::atomic<int> lost{0};
static std::atomic<size_t> allocated{0};
static std::mutex sizes_mutex;
static std::map<CUdeviceptr, size_t> sizes;

static std::atomic<int> working{0};
/// What the end of the process does, as a driver might: FAKE_CUDA_PATIENT waits for streams that work, FAKE_CUDA_AT_END
/// is printed.
static const int at_end = std::atexit([] {
  while (std::getenv("FAKE_CUDA_PATIENT") != nullptr && working > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (const char* text = std::getenv("FAKE_CUDA_AT_END")) std::puts(text), std::fflush(stdout);
});

struct CUstream_st {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> queue;
  bool busy = false;
  bool closing = false;
  /// What is captured instead of run, while something is.
  std::shared_ptr<std::vector<std::function<void()>>> captured;
  std::thread thread{[this] { run(); }};

  void run() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return closing || !queue.empty(); });
      if (queue.empty()) return;
      auto work = std::move(queue.front());
      queue.pop_front();
      busy = true;
      ++working;
      lock.unlock();
      work();
      lock.lock();
      busy = false;
      --working;
      changed.notify_all();
    }
  }
  void add(std::function<void()> work) {
    const std::lock_guard lock(mutex);
    queue.push_back(std::move(work));
    changed.notify_all();
  }
  void drain() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return queue.empty() && !busy; });
  }
};

struct CUfunc_st {
  std::string name;
  std::vector<size_t> params;
};
struct CUmod_st {
  std::vector<CUfunc_st*> functions;
};

static CUresult state() { return static_cast<CUresult>(lost.load()); }
/// On a lost device nothing runs any more.
static CUresult enqueue(CUstream stream, std::function<void()> work) {
  if (lost) return state();
  auto unless_lost = [work = std::move(work)] {
    if (!lost) work();
  };
  if (stream->captured != nullptr) {
    stream->captured->push_back(std::move(unless_lost));
  } else {
    stream->add(std::move(unless_lost));
  }
  return CUDA_SUCCESS;
}

/// What a function is told to fail with; success where it is told nothing.
static CUresult told(const char* function) {
  const std::string wanted = std::getenv("FAKE_CUDA_FAIL") != nullptr ? std::getenv("FAKE_CUDA_FAIL") : "";
  const size_t colon = wanted.find(':');
  if (colon == std::string::npos || wanted.compare(0, colon, function) != 0) return CUDA_SUCCESS;
  return static_cast<CUresult>(std::atoi(wanted.c_str() + colon + 1));
}

EXPORT CUresult cuInit(unsigned) {
  const char* wanted = std::getenv("FAKE_CUDA_INIT");
  return static_cast<CUresult>(wanted != nullptr ? std::atoi(wanted) : 0);
}
EXPORT CUresult cuDriverGetVersion(int* version) {
  const char* wanted = std::getenv("FAKE_CUDA_VERSION");
  *version = wanted != nullptr ? std::atoi(wanted) : 13000;
  return told("cuDriverGetVersion");
}
EXPORT CUresult cuGetErrorName(CUresult error, const char** name) {
  static thread_local std::string text;
  text = error == CUDA_ERROR_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS"
         : error == CUDA_ERROR_NO_DEVICE     ? "CUDA_ERROR_NO_DEVICE"
         : error == CUDA_ERROR_OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY"
         : error == CUDA_ERROR_INVALID_PTX   ? "CUDA_ERROR_INVALID_PTX"
                                             : "CUDA_ERROR_" + std::to_string(error);
  *name = text.c_str();
  return CUDA_SUCCESS;
}
EXPORT CUresult cuGetErrorString(CUresult, const char** text) {
  *text = "as the fake driver was told";
  return CUDA_SUCCESS;
}
EXPORT CUresult cuDeviceGetCount(int* count) {
  const char* wanted = std::getenv("FAKE_CUDA_COUNT");
  *count = wanted != nullptr ? std::atoi(wanted) : 1;
  return told("cuDeviceGetCount");
}
EXPORT CUresult cuDeviceGet(CUdevice* device, int ordinal) { return *device = ordinal, CUDA_SUCCESS; }
EXPORT CUresult cuDeviceGetName(char* name, int, CUdevice) { return std::strcpy(name, "Fake H200"), told("cuDeviceGetName"); }
EXPORT CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice) {
  for (int i = 0; i < 16; ++i) uuid->bytes[i] = static_cast<unsigned char>(i);
  return CUDA_SUCCESS;
}
EXPORT CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice) { return *bytes = size_t{1} << 30, CUDA_SUCCESS; }
EXPORT CUresult cuDeviceGetAttribute(int* value, int attribute, CUdevice) {
  static const std::map<int, int> values = {{1, 1024}, {2, 1024}, {3, 1024},  {4, 64},     {5, 2147483647}, {6, 65535},
                                            {7, 65535}, {8, 49152}, {10, 32},  {16, 132},   {38, 1 << 20},   {39, 2048},
                                            {75, 9},    {76, 0},    {81, 233472}, {82, 65536}, {97, 232448},  {106, 32},
                                            {111, 1024}, {115, 1},  {120, 1}, {122, 1}};
  const auto found = values.find(attribute);
  return *value = found == values.end() ? 0 : found->second, told("cuDeviceGetAttribute");
}
EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  *context = reinterpret_cast<CUcontext>(uintptr_t{0xc0de});
  return lost ? state() : told("cuDevicePrimaryCtxRetain");
}
EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice) { return CUDA_SUCCESS; }
EXPORT CUresult cuCtxSetCurrent(CUcontext) { return told("cuCtxSetCurrent"); }
EXPORT CUresult cuMemGetInfo_v2(size_t* free, size_t* total) {
  *total = size_t{1} << 30;
  *free = *total - allocated;
  return state();
}
static CUresult allocate(CUdeviceptr* address, size_t bytes) {
  if (lost) return state();
  if (allocated + bytes > size_t{1} << 30) return CUDA_ERROR_OUT_OF_MEMORY;
  *address = reinterpret_cast<CUdeviceptr>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  std::memset(reinterpret_cast<void*>(*address), 0xff, bytes);
  allocated += bytes;
  const std::lock_guard lock(sizes_mutex);
  sizes[*address] = bytes;
  return CUDA_SUCCESS;
}
static void release(CUdeviceptr address) {
  const std::lock_guard lock(sizes_mutex);
  allocated -= sizes[address];
  std::memset(reinterpret_cast<void*>(address), 0xdd, sizes[address]);
  sizes.erase(address);
  std::free(reinterpret_cast<void*>(address));
}
EXPORT CUresult cuMemAlloc_v2(CUdeviceptr* address, size_t bytes) { return allocate(address, bytes); }
EXPORT CUresult cuMemFree_v2(CUdeviceptr address) { return release(address), state(); }
EXPORT CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps*) {
  return *pool = reinterpret_cast<CUmemoryPool>(uintptr_t{1}), CUDA_SUCCESS;
}
EXPORT CUresult cuMemPoolDestroy(CUmemoryPool) { return CUDA_SUCCESS; }
EXPORT CUresult cuMemPoolSetAttribute(CUmemoryPool, int, void*) { return CUDA_SUCCESS; }
EXPORT CUresult cuMemPoolTrimTo(CUmemoryPool, size_t) { return state(); }
EXPORT CUresult cuMemAllocFromPoolAsync(CUdeviceptr* address, size_t bytes, CUmemoryPool, CUstream) {
  return allocate(address, bytes);
}
EXPORT CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  return enqueue(stream, [=] { release(address); });
}
EXPORT CUresult cuMemHostAlloc(void** address, size_t bytes, unsigned) {
  return *address = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096), CUDA_SUCCESS;
}
EXPORT CUresult cuMemFreeHost(void* address) { return std::free(address), CUDA_SUCCESS; }
static CUresult copy(void* target, const void* source, size_t bytes, CUstream stream) {
  return enqueue(stream, [=] { std::memcpy(target, source, bytes); });
}
EXPORT CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr target, const void* source, size_t bytes, CUstream stream) {
  return copy(reinterpret_cast<void*>(target), source, bytes, stream);
}
EXPORT CUresult cuMemcpyDtoHAsync_v2(void* target, CUdeviceptr source, size_t bytes, CUstream stream) {
  return copy(target, reinterpret_cast<void*>(source), bytes, stream);
}
EXPORT CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream stream) {
  return copy(reinterpret_cast<void*>(target), reinterpret_cast<void*>(source), bytes, stream);
}
EXPORT CUresult cuMemsetD32Async(CUdeviceptr target, unsigned word, size_t words, CUstream stream) {
  return enqueue(stream, [=] { std::fill_n(reinterpret_cast<unsigned*>(target), words, word); });
}
EXPORT CUresult cuStreamCreate(CUstream* stream, unsigned) {
  return *stream = new CUstream_st, state();
}
EXPORT CUresult cuStreamDestroy_v2(CUstream stream) {
  // Its work goes on to its end.
  std::thread([stream] {
    {
      const std::lock_guard lock(stream->mutex);
      stream->closing = true;
      stream->changed.notify_all();
    }
    stream->thread.join();
    delete stream;
  }).detach();
  return state();
}
EXPORT CUresult cuStreamSynchronize(CUstream stream) { return stream->drain(), state(); }
static void wait_for(const std::shared_ptr<Point>& point) {
  if (point == nullptr) return;
  std::unique_lock own(point->mutex);
  while (!point->reached && !lost) point->changed.wait_for(own, std::chrono::milliseconds(1));
}
EXPORT CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  return enqueue(stream, [point = event->point] { wait_for(point); });
}
EXPORT CUresult cuEventSynchronize(CUevent event) { return wait_for(event->point), state(); }
EXPORT CUresult cuStreamQuery(CUstream stream) {
  const std::lock_guard lock(stream->mutex);
  return stream->queue.empty() && !stream->busy ? state() : CUDA_ERROR_NOT_READY;
}
EXPORT CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr word, uint32_t value, unsigned) {
  return enqueue(stream, [=] {
    const auto* at = reinterpret_cast<const uint32_t*>(word);
    while (static_cast<int32_t>(__atomic_load_n(at, __ATOMIC_ACQUIRE) - value) < 0 && !lost) std::this_thread::yield();
  });
}
EXPORT CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr word, uint32_t value, unsigned) {
  return enqueue(stream, [=] { __atomic_store_n(reinterpret_cast<uint32_t*>(word), value, __ATOMIC_RELEASE); });
}
EXPORT CUresult cuEventCreate(CUevent* event, unsigned) { return *event = new CUevent_st, state(); }
EXPORT CUresult cuEventDestroy_v2(CUevent event) { return delete event, state(); }
EXPORT CUresult cuEventRecord(CUevent event, CUstream stream) {
  event->point = std::make_shared<Point>();
  return enqueue(stream, [point = event->point] {
    const std::lock_guard own(point->mutex);
    point->reached = true;
    point->at = Clock::now();
    point->changed.notify_all();
  });
}
EXPORT CUresult cuEventQuery(CUevent event) {
  if (lost) return state();
  if (event->point == nullptr) return CUDA_SUCCESS;
  const std::lock_guard lock(event->point->mutex);
  return event->point->reached ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}
EXPORT CUresult cuEventElapsedTime(float* ms, CUevent start, CUevent end) {
  if (start->point == nullptr || end->point == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (cuEventQuery(start) != CUDA_SUCCESS || cuEventQuery(end) != CUDA_SUCCESS) return CUDA_ERROR_NOT_READY;
  *ms = std::chrono::duration<float, std::milli>(end->point->at - start->point->at).count();
  return state();
}
/// `kernels NAME:SIZE,SIZE NAME:SIZE`, or `slow …`, which takes a while to load; anything else is bad PTX.
EXPORT CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned, int*, void** values) {
  std::string text(static_cast<const char*>(image));
  if (text.rfind("slow ", 0) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    text.erase(0, 5);
  }
  if (text.rfind("kernels", 0) != 0) {
    std::strcpy(static_cast<char*>(values[2]), "ptxas fatal: line 1 is not what was hoped for");
    return CUDA_ERROR_INVALID_PTX;
  }
  *module = new CUmod_st;
  for (size_t at = text.find(' '); at != std::string::npos; at = text.find(' ', at + 1)) {
    const std::string word = text.substr(at + 1, text.find(' ', at + 1) - at - 1);
    auto* function = new CUfunc_st{word.substr(0, word.find(':')), {}};
    for (size_t sizes = word.find(':'); sizes < word.size() - 1; sizes = word.find(',', sizes + 1)) {
      function->params.push_back(std::strtoul(word.c_str() + sizes + 1, nullptr, 10));
    }
    (*module)->functions.push_back(function);
  }
  return state();
}
EXPORT CUresult cuModuleUnload(CUmodule module) { return module->functions.clear(), state(); }
EXPORT CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  for (CUfunction each : module->functions) {
    if (each->name == name) return *function = each, CUDA_SUCCESS;
  }
  return CUDA_ERROR_NOT_FOUND;
}
EXPORT CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule module) {
  return *count = static_cast<unsigned>(module->functions.size()), CUDA_SUCCESS;
}
EXPORT CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned count, CUmodule module) {
  return std::copy_n(module->functions.begin(), count, functions), CUDA_SUCCESS;
}
EXPORT CUresult cuFuncGetName(const char** name, CUfunction function) {
  return *name = function->name.c_str(), CUDA_SUCCESS;
}
EXPORT CUresult cuFuncGetAttribute(int* value, int attribute, CUfunction) {
  return *value = attribute == 0 ? 1024 : attribute == 4 ? 40 : 0, CUDA_SUCCESS;
}
EXPORT CUresult cuFuncSetAttribute(CUfunction, int, int) { return CUDA_SUCCESS; }
EXPORT CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t* offset, size_t* bytes) {
  if (index >= function->params.size()) return CUDA_ERROR_INVALID_VALUE;
  size_t at = 0;
  for (size_t i = 0; i <= index; ++i) {
    *bytes = function->params[i];
    const size_t alignment = std::min<size_t>(*bytes, alignof(CUtensorMap));
    *offset = at = (at + alignment - 1) / alignment * alignment;
    at += *bytes;
  }
  return CUDA_SUCCESS;
}
EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction, int threads, size_t) {
  return *blocks = 2048 / threads, CUDA_SUCCESS;
}
/// add(float* values, float what, int count); mapped(int offset, CUtensorMap map, float* to): the matrix's float at a
/// byte offset; sleep(int ms); crash(); nothing(), which is not even enqueued.
EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                               CUstream stream, void** params, void**) {
  if (function->name == "nothing") return state();
  if (function->name == "add") {
    auto* values = *static_cast<float**>(params[0]);
    const float what = *static_cast<float*>(params[1]);
    const int count = *static_cast<int*>(params[2]);
    return enqueue(stream, [=] {
      for (int i = 0; i < count; ++i) values[i] += what;
    });
  }
  if (function->name == "mapped") {
    if (reinterpret_cast<uintptr_t>(params[1]) % alignof(CUtensorMap) != 0) return CUDA_ERROR_MISALIGNED_ADDRESS;
    const auto from = static_cast<CUtensorMap*>(params[1])->opaque[0] + *static_cast<int*>(params[0]);
    auto* to = *static_cast<float**>(params[2]);
    return enqueue(stream, [=] { *to = *reinterpret_cast<const float*>(from); });
  }
  if (function->name == "sleep") {
    const int ms = *static_cast<int*>(params[0]);
    return enqueue(stream, [=] { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); });
  }
  return enqueue(stream, [] { lost = CUDA_ERROR_ILLEGAL_ADDRESS; });
}
EXPORT CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** params, void** extra) {
  return cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, config->hStream, params, extra);
}
struct CUgraph_st {
  std::shared_ptr<std::vector<std::function<void()>>> work;
};
struct CUgraphExec_st : CUgraph_st {};
EXPORT CUresult cuStreamBeginCapture_v2(CUstream stream, int) {
  if (const CUresult result = told("cuStreamBeginCapture"); result != CUDA_SUCCESS) return result;
  stream->captured = std::make_shared<std::vector<std::function<void()>>>();
  return state();
}
EXPORT CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  *graph = new CUgraph_st{std::exchange(stream->captured, nullptr)};
  return state();
}
EXPORT CUresult cuGraphInstantiateWithFlags(CUgraphExec* exec, CUgraph graph, unsigned long long) {
  if (const CUresult result = told("cuGraphInstantiateWithFlags"); result != CUDA_SUCCESS) return result;
  *exec = new CUgraphExec_st{*graph};
  return state();
}
EXPORT CUresult cuGraphUpload(CUgraphExec, CUstream) { return state(); }
EXPORT CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  for (const auto& work : *exec->work) {
    if (const CUresult result = enqueue(stream, work); result != CUDA_SUCCESS) return result;
  }
  return state();
}
EXPORT CUresult cuGraphExecDestroy(CUgraphExec exec) {
  delete exec;
  return state();
}
EXPORT CUresult cuGraphDestroy(CUgraph graph) {
  delete graph;
  return state();
}
/// The address, then rank, sizes of the box and swizzle. As with the driver, a row of a tile fits into its swizzle.
EXPORT CUresult cuTensorMapEncodeTiled(CUtensorMap* map, int, unsigned rank, void* address, const uint64_t*,
                                       const uint64_t*, const uint32_t* box, const uint32_t*, int, int swizzle, int,
                                       int) {
  if (swizzle > 0 && box[0] * 4 > 16u << swizzle) return CUDA_ERROR_INVALID_VALUE;
  *map = {{reinterpret_cast<uintptr_t>(address), rank, box[0], box[1], static_cast<uint64_t>(swizzle)}};
  return CUDA_SUCCESS;
}
