#include "driver_api.h"

#include <mutex>

#include "failure.h"

namespace ffma {
namespace {

struct Driver {
  std::mutex mutex;
  DriverApi api;
  LibraryReport report;
  std::optional<CUresult> initialised;
};

/// Never destroyed: threads of the driver may call back while the process ends.
Driver& state() {
  static Driver& driver = *new Driver;
  return driver;
}

std::vector<Symbol> symbols_of(DriverApi& api) {
  std::vector<Symbol> symbols;
#define FFMA_SYMBOL(member, symbol, parameters) symbols.push_back({#symbol, reinterpret_cast<void**>(&api.member)});
  FFMA_DRIVER_FUNCTIONS(FFMA_SYMBOL)
#undef FFMA_SYMBOL
  return symbols;
}

Failure unavailable(std::string message) { return {"FFMA_UNAVAILABLE", std::move(message)}; }

Failure initialisation_failure(const DriverApi& api, CUresult result) {
  const char* name = nullptr;
  const char* text = nullptr;
  api.GetErrorName(result, &name);
  api.GetErrorString(result, &text);
  Failure failure = unavailable(result == CUDA_ERROR_NO_DEVICE
                                    ? "The NVIDIA driver sees no CUDA device."
                                    : std::string("The NVIDIA driver does not start: ") +
                                          (text != nullptr ? text : "it does not say why") + ".");
  failure.native = name != nullptr ? name : "CUDA error " + std::to_string(result);
  failure.call = "cuInit";
  return failure;
}

}  // namespace

const LibraryReport& open_driver(const std::vector<std::string>& candidates) {
  Driver& own = state();
  const std::lock_guard lock(own.mutex);
  if (!own.report.found) own.report = open_library(candidates, symbols_of(own.api));
  return own.report;
}

std::optional<int> driver_version() {
  Driver& own = state();
  int version = 0;
  if (!own.report.found || own.api.DriverGetVersion(&version) != CUDA_SUCCESS) return std::nullopt;
  return version;
}

const DriverApi& driver() {
  Driver& own = state();
  const std::lock_guard lock(own.mutex);
  if (!own.report.found) throw unavailable("The NVIDIA driver's library is not open.");
  if (!own.initialised) own.initialised = own.api.Init(0);
  if (*own.initialised != CUDA_SUCCESS) throw initialisation_failure(own.api, *own.initialised);
  return own.api;
}

}  // namespace ffma
