// A cuBLAS that works on the fake driver: in float32, asynchronously, on the stream of its handle, and no better than
// cuBLAS is documented to. A product whose k or alpha is 0 is refused, so that relying on what is not promised shows.
#include <dlfcn.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <thread>

#include "words.h"

namespace {

template <class Function>
Function* from_driver(const char* name) {
  static void* const driver = dlopen(std::getenv("FFMA_LIBCUDA"), RTLD_NOW | RTLD_NOLOAD);
  return driver == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(driver, name));
}

bool context_is_current() {
  static auto* const get_current = from_driver<int(void**)>("cuCtxGetCurrent");
  void* now = nullptr;
  return get_current != nullptr && get_current(&now) == 0 && now != nullptr;
}

struct Handle {
  void* stream = nullptr;
  uint32_t* workspace = nullptr;
  int math = 0;
  std::atomic<int> pending{0};
};

using Work = std::function<void()>;

void run(void* work) {
  (*static_cast<Work*>(work))();
  delete static_cast<Work*>(work);
}

/// Computes on the stream, holding the workspace: where another stream uses it at the same time, C becomes NaN.
int enqueue(Handle& handle, float* c, const Work& compute) {
  static auto* const launch = from_driver<int(void*, void (*)(void*), void*)>("stub_enqueue");
  static std::atomic<uint32_t> next{1};
  const auto work = [=, &handle, workspace = handle.workspace, mark = next++] {
    *workspace = mark;
    compute();
    if (*workspace != mark) *c = std::numeric_limits<float>::quiet_NaN();
    --handle.pending;
  };
  ++handle.pending;
  return launch(handle.stream, run, new Work(work)) == 0 ? 0 : 13;
}

int begin(const Handle* handle, stub::Word counter) {
  if (!context_is_current() || handle == nullptr) return 1;
  if (handle->stream == nullptr || handle->workspace == nullptr) return 14;
  ++stub::word(counter);
  stub::word(stub::math_mode) = handle->math;
  return stub::word(stub::fail_product);
}

/// As cuBLAS does, under its variable, unless math is pedantic.
bool is_tf32(const Handle& handle) {
  static const char* const forced = std::getenv("NVIDIA_TF32_OVERRIDE");
  return forced != nullptr && std::strcmp(forced, "1") == 0 && handle.math != 2;
}

/// A finite input without its last 13 bits.
float tf32(float value) {
  if (!std::isfinite(value)) return value;
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  bits = (bits + 0x1000) & ~0x1fffu;
  std::memcpy(&value, &bits, 4);
  return value;
}

}  // namespace

extern "C" {

int cublasGetProperty(int type, int* value) {
  constexpr int version[3] = {STUB_MAJOR, 1, 2};
  return *value = version[type], 0;
}

int cublasCreate_v2(Handle** handle) {
  if (!context_is_current()) return 1;
  if (const int status = stub::word(stub::fail_create)) return status;
  ++stub::word(stub::live_handles);
  ++stub::word(stub::created_handles);
  return *handle = new Handle, 0;
}

int cublasDestroy_v2(Handle* handle) {
  if (!context_is_current()) return 1;
  static auto* const is_live = from_driver<bool(void*)>("stub_is_live");
  if (handle->stream != nullptr && !is_live(handle->stream)) ++stub::word(stub::streams_missed);
  if (handle->pending > 0) ++stub::word(stub::waiting_destroys);
  while (handle->pending > 0) std::this_thread::yield();
  --stub::word(stub::live_handles);
  return delete handle, 0;
}

int cublasSetStream_v2(Handle* handle, void* stream) {
  handle->stream = stream;
  return handle->workspace = nullptr, 0;
}

int cublasSetWorkspace_v2(Handle* handle, void* workspace, size_t bytes) {
  if (reinterpret_cast<uintptr_t>(workspace) % 256 != 0) return 7;
  stub::word(stub::workspace_bytes) = static_cast<int>(bytes);
  return handle->workspace = static_cast<uint32_t*>(workspace), 0;
}

int cublasSetMathMode(Handle* handle, int mode) { return handle->math = mode, 0; }

int cublasSgemm_v2(Handle* handle, int op_a, int op_b, int m, int n, int k, const float* alpha, const float* a, int lda,
                   const float* b, int ldb, const float* beta, float* c, int ldc) {
  if (op_a != 0 || op_b != 0 || m < 0 || n < 0 || k <= 0 || *alpha == 0 || lda < m || ldb < k || ldc < m) return 7;
  if (const int status = begin(handle, stub::products)) return status;
  return enqueue(*handle, c, [=, alpha = *alpha, beta = *beta, rounded = is_tf32(*handle)] {
    const auto input = [=](float value) { return rounded ? tf32(value) : value; };
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t i = 0; i < m; ++i) {
        float sum = 0;
        for (int64_t l = 0; l < k; ++l) sum = std::fma(input(a[i + l * lda]), input(b[l + j * ldb]), sum);
        float& out = c[i + j * ldc];
        out = beta == 0 ? alpha * sum : std::fma(beta, out, alpha * sum);
      }
    }
  });
}

#ifndef STUB_WITHOUT_SGEAM
int cublasSgeam(Handle* handle, int op_a, int op_b, int m, int n, const float* alpha, const float* a, int lda,
                const float* beta, const float*, int ldb, float* c, int ldc) {
  if (op_a != 0 || op_b != 0 || *beta != 0 || lda < m || ldb < m || ldc < m) return 7;
  if (a == c && lda != ldc) return 7;
  if (const int status = begin(handle, stub::scalings)) return status;
  return enqueue(*handle, c, [=, alpha = *alpha] {
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t i = 0; i < m; ++i) c[i + j * ldc] = alpha == 0 ? 0 : alpha * a[i + j * lda];
    }
  });
}
#endif
}
