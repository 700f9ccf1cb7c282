#include "nvrtc.h"

#include <dlfcn.h>

#include <cstdlib>
#include <mutex>

#include "elf_file.h"
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

/// A log as the end of a sentence: one line, without the full stop that ends it.
std::string in_one_line(const std::string& log) {
  std::string line;
  for (const char c : log) {
    const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!space) line += c;
    else if (!line.empty() && line.back() != ' ') line += ' ';
  }
  while (!line.empty() && (line.back() == ' ' || line.back() == '.')) line.pop_back();
  return line;
}

/// @param log what the compiler said meanwhile; of what keeps it from working it says it there only
void check(const Nvrtc& api, int result, const char* call, const std::string& log = "") {
  if (result == success) return;
  const std::string name = api.GetErrorString(result);
  const std::string said = log.empty() ? "" : ": " + in_one_line(log);
  Failure failure("FFMA_UNAVAILABLE", "NVRTC does not work: " + std::string(call) + " gives " + name + said + ".");
  failure.native = name;
  failure.call = call;
  failure.log = log;
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

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

std::string without_links(const std::string& path) {
  char* real = realpath(path.c_str(), nullptr);
  const std::string copy = real != nullptr ? real : path;
  std::free(real);
  return copy;
}

/// NVRTC loads a second library by its bare name at its first compilation, which the loader does not find in a Python
/// wheel or a toolkit that it was not told of. One that is loaded already is found by that name.
void load_builtins(const Nvrtc& api, const std::string& path) {
  int major = 0;
  int minor = 0;
  if (api.Version(&major, &minor) != success) return;
  const std::string name = "libnvrtc-builtins.so." + std::to_string(major) + "." + std::to_string(minor);
  for (const std::string& beside : {path, without_links(path)}) {
    const std::string library = folder_of(beside) + name;
    if (!cut_short(library).empty()) continue;
    if (dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr) return;
  }
}

}  // namespace

const LibraryReport& open_nvrtc(const std::vector<std::string>& candidates) {
  State& own = state();
  const std::lock_guard lock(own.mutex);
  if (own.report.found) return own.report;
  own.report = open_library(candidates, symbols_of(own.api));
  if (own.report.found) load_builtins(own.api, own.report.path);
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
  check(api, result, "nvrtcCompileProgram", made.log);
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
