// NVIDIA's runtime compiler, found at run time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shared_library.h"

namespace ffma {

struct NvrtcRequest {
  std::string source;
  std::string name;
  /// Header names and texts, in the same order.
  std::vector<std::string> header_names;
  std::vector<std::string> header_texts;
  std::vector<std::string> options;
  bool cubin = false;
};

struct NvrtcResult {
  std::vector<char> image;
  std::string log;
};

const LibraryReport& open_nvrtc(const std::vector<std::string>& candidates);
/// As the driver writes versions, e.g. 13000.
std::optional<int> nvrtc_version();
/// @throws Failure FFMA_COMPILE with the log, FFMA_UNAVAILABLE
NvrtcResult compile(const NvrtcRequest& request);

}  // namespace ffma
