#include "nvml.h"

#include <map>
#include <mutex>

#include "failure.h"

namespace ffma {
namespace {

using Device = struct nvmlDevice_st*;

constexpr int success = 0;
constexpr int clock_sm = 1;
constexpr int clock_memory = 2;
constexpr int temperature_gpu = 0;

struct Nvml {
  int (*Init)() = nullptr;
  const char* (*ErrorString)(int) = nullptr;
  int (*SystemGetDriverVersion)(char*, unsigned) = nullptr;
  int (*DeviceGetHandleByUUID)(const char*, Device*) = nullptr;
  int (*DeviceGetClockInfo)(Device, int, unsigned*) = nullptr;
  int (*DeviceGetPowerUsage)(Device, unsigned*) = nullptr;
  int (*DeviceGetTemperature)(Device, int, unsigned*) = nullptr;
  int (*DeviceGetCurrentClocksThrottleReasons)(Device, unsigned long long*) = nullptr;
};

struct State {
  std::mutex mutex;
  Nvml api;
  LibraryReport report;
  bool initialised = false;
  std::map<std::string, Device> devices;
};

State& state() {
  static State& own = *new State;
  return own;
}

std::vector<Symbol> symbols_of(Nvml& api) {
#define FFMA_SYMBOL(member, symbol) {symbol, reinterpret_cast<void**>(&api.member)}
  return {FFMA_SYMBOL(Init, "nvmlInit_v2"),
          FFMA_SYMBOL(ErrorString, "nvmlErrorString"),
          FFMA_SYMBOL(SystemGetDriverVersion, "nvmlSystemGetDriverVersion"),
          FFMA_SYMBOL(DeviceGetHandleByUUID, "nvmlDeviceGetHandleByUUID"),
          FFMA_SYMBOL(DeviceGetClockInfo, "nvmlDeviceGetClockInfo"),
          FFMA_SYMBOL(DeviceGetPowerUsage, "nvmlDeviceGetPowerUsage"),
          FFMA_SYMBOL(DeviceGetTemperature, "nvmlDeviceGetTemperature"),
          FFMA_SYMBOL(DeviceGetCurrentClocksThrottleReasons, "nvmlDeviceGetCurrentClocksThrottleReasons")};
#undef FFMA_SYMBOL
}

void check(const Nvml& api, int result, const char* call) {
  if (result == success) return;
  Failure failure("FFMA_UNAVAILABLE", std::string("NVML does not answer: ") + api.ErrorString(result) + ".");
  failure.native = "NVML error " + std::to_string(result);
  failure.call = call;
  throw failure;
}

/// The library, initialised. Its lock must be held.
const Nvml& initialised(State& own) {
  if (!own.report.found) throw Failure("FFMA_UNAVAILABLE", "NVML is not open.");
  if (!own.initialised) check(own.api, own.api.Init(), "nvmlInit");
  own.initialised = true;
  return own.api;
}

}  // namespace

const LibraryReport& open_nvml(const std::vector<std::string>& candidates) {
  State& own = state();
  const std::lock_guard lock(own.mutex);
  if (!own.report.found) own.report = open_library(candidates, symbols_of(own.api));
  return own.report;
}

std::optional<std::string> nvml_driver_version() {
  State& own = state();
  const std::lock_guard lock(own.mutex);
  char text[96] = {};
  try {
    const Nvml& api = initialised(own);
    check(api, api.SystemGetDriverVersion(text, sizeof text), "nvmlSystemGetDriverVersion");
  } catch (const Failure&) {
    return std::nullopt;
  }
  return std::string(text);
}

NvmlSample nvml_sample(const std::string& uuid) {
  State& own = state();
  const std::lock_guard lock(own.mutex);
  const Nvml& api = initialised(own);
  if (own.devices.count(uuid) == 0) {
    Device found = nullptr;
    check(api, api.DeviceGetHandleByUUID(uuid.c_str(), &found), "nvmlDeviceGetHandleByUUID");
    own.devices[uuid] = found;
  }
  Device device = own.devices[uuid];
  NvmlSample sample;
  check(api, api.DeviceGetClockInfo(device, clock_sm, &sample.sm_clock_mhz), "nvmlDeviceGetClockInfo");
  check(api, api.DeviceGetClockInfo(device, clock_memory, &sample.memory_clock_mhz), "nvmlDeviceGetClockInfo");
  check(api, api.DeviceGetPowerUsage(device, &sample.power_mw), "nvmlDeviceGetPowerUsage");
  check(api, api.DeviceGetTemperature(device, temperature_gpu, &sample.temperature_c), "nvmlDeviceGetTemperature");
  check(api, api.DeviceGetCurrentClocksThrottleReasons(device, &sample.throttle_reasons),
        "nvmlDeviceGetCurrentClocksThrottleReasons");
  return sample;
}

}  // namespace ffma
