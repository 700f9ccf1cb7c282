#include "nvrtc.h"

#include <mutex>

#include "failure.h"

namespace ffma {
namespace {

using Program = struct nvrtcProgram_*;

constexpr int success = 0;
constexpr int compilation_error = 6;

struct Nvrtc {
  int (*Version)(int*, int*) = nullptr;
  const char* (*GetErrorString)(int) = nullptr;
  int (*CreateProgram)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  int (*DestroyProgram)(Program*) = nullptr;
  int (*CompileProgram)(Program, int, const char* const*) = nullptr;
  int (*GetPTXSize)(Program, size_t*) = nullptr;
  int (*GetPTX)(Program, char*) = nullptr;
  int (*GetCUBINSize)(Program, size_t*) = nullptr;
  int (*GetCUBIN)(Program, char*) = nullptr;
  int (*GetProgramLogSize)(Program, size_t*) = nullptr;
  int (*GetProgramLog)(Program, char*) = nullptr;
};

struct State {
  std::mutex mutex;
  Nvrtc api;
  LibraryReport report;
};

State& state() {
  static State& own = *new State;
  return own;
}

std::vector<Symbol> symbols_of(Nvrtc& api) {
#define FFMA_SYMBOL(member) {"nvrtc" #member, reinterpret_cast<void**>(&api.member)}
  return {FFMA_SYMBOL(Version),           FFMA_SYMBOL(GetErrorString), FFMA_SYMBOL(CreateProgram),
          FFMA_SYMBOL(DestroyProgram),    FFMA_SYMBOL(CompileProgram), FFMA_SYMBOL(GetPTXSize),
          FFMA_SYMBOL(GetPTX),            FFMA_SYMBOL(GetCUBINSize),   FFMA_SYMBOL(GetCUBIN),
          FFMA_SYMBOL(GetProgramLogSize), FFMA_SYMBOL(GetProgramLog)};
#undef FFMA_SYMBOL
}

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> all;
  for (const std::string& text : texts) all.push_back(text.c_str());
  return all;
}

void check(const Nvrtc& api, int result, const char* call) {
  if (result == success) return;
  Failure failure("FFMA_UNAVAILABLE", std::string("NVRTC does not work: ") + call + " failed.");
  failure.native = api.GetErrorString(result);
  failure.call = call;
  throw failure;
}

struct ProgramHandle {
  const Nvrtc& api;
  Program program = nullptr;
  ~ProgramHandle() {
    if (program != nullptr) api.DestroyProgram(&program);
  }
};

std::string log_of(const Nvrtc& api, Program program) {
  size_t bytes = 0;
  if (api.GetProgramLogSize(program, &bytes) != success || bytes <= 1) return "";
  std::string log(bytes, '\0');
  if (api.GetProgramLog(program, log.data()) != success) return "";
  log.resize(bytes - 1);
  return log;
}

}  // namespace

const LibraryReport& open_nvrtc(const std::vector<std::string>& candidates) {
  State& own = state();
  const std::lock_guard lock(own.mutex);
  if (!own.report.found) own.report = open_library(candidates, symbols_of(own.api));
  return own.report;
}

std::optional<int> nvrtc_version() {
  State& own = state();
  int major = 0;
  int minor = 0;
  if (!own.report.found || own.api.Version(&major, &minor) != success) return std::nullopt;
  return major * 1000 + minor * 10;
}

NvrtcResult compile(const NvrtcRequest& request) {
  State& own = state();
  if (!own.report.found) throw Failure("FFMA_UNAVAILABLE", "NVRTC is not open.");
  const Nvrtc& api = own.api;
  const auto names = pointers(request.header_names);
  const auto texts = pointers(request.header_texts);
  const auto options = pointers(request.options);
  ProgramHandle handle{api};
  check(api,
        api.CreateProgram(&handle.program, request.source.c_str(), request.name.c_str(),
                          static_cast<int>(names.size()), texts.data(), names.data()),
        "nvrtcCreateProgram");
  const int result = api.CompileProgram(handle.program, static_cast<int>(options.size()), options.data());
  NvrtcResult made;
  made.log = log_of(api, handle.program);
  if (result == compilation_error) {
    Failure failure("FFMA_COMPILE", "NVRTC refused " + request.name + ".");
    failure.native = api.GetErrorString(result);
    failure.call = "nvrtcCompileProgram";
    failure.log = made.log;
    throw failure;
  }
  check(api, result, "nvrtcCompileProgram");
  size_t bytes = 0;
  const auto size = request.cubin ? api.GetCUBINSize : api.GetPTXSize;
  check(api, size(handle.program, &bytes), request.cubin ? "nvrtcGetCUBINSize" : "nvrtcGetPTXSize");
  made.image.resize(bytes);
  const auto get = request.cubin ? api.GetCUBIN : api.GetPTX;
  check(api, get(handle.program, made.image.data()), request.cubin ? "nvrtcGetCUBIN" : "nvrtcGetPTX");
  // PTX comes with the zero that ends it.
  if (!request.cubin && bytes > 0) made.image.pop_back();
  return made;
}

}  // namespace ffma
