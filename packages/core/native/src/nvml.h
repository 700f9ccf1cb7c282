// NVIDIA's management library, found at run time: clocks, power, temperature.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shared_library.h"

namespace ffma {

struct NvmlSample {
  unsigned sm_clock_mhz = 0;
  unsigned memory_clock_mhz = 0;
  unsigned power_mw = 0;
  unsigned temperature_c = 0;
  /// Bit mask of nvmlClocksEventReasons.
  unsigned long long throttle_reasons = 0;
};

const LibraryReport& open_nvml(const std::vector<std::string>& candidates);
/// The driver's version as text, e.g. "580.159.04".
std::optional<std::string> nvml_driver_version();
/// @throws Failure FFMA_UNAVAILABLE
NvmlSample nvml_sample(const std::string& uuid);

}  // namespace ffma
