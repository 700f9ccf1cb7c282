// An NVRTC that compiles nothing: its PTX lists, as comments, the names of the headers it was given and every include
// of theirs and of the source. FAKE_NVRTC_RESULT is what compiling gives, FAKE_NVRTC_LOG what it says. With BUILTINS it
// asks the loader for its second library by name, as the real one does.
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <string>

#define EXPORT extern "C" __attribute__((visibility("default")))

struct Program {
  std::string ptx;
};

static void list_includes(std::string& into, const std::string& file, const std::string& text) {
  for (size_t at = text.find("#include "); at != std::string::npos; at = text.find("#include ", at + 1)) {
    into += "// " + file + " has " + text.substr(at, text.find('\n', at) - at) + "\n";
  }
}

EXPORT int nvrtcVersion(int* major, int* minor) { return *major = 13, *minor = 7, 0; }
EXPORT const char* nvrtcGetErrorString(int result) {
  return result == 6 ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE";
}
EXPORT int nvrtcCreateProgram(Program** program, const char* source, const char* name, int count, const char** texts,
                              const char** names) {
  *program = new Program{".version 7.0\n"};
  list_includes((*program)->ptx, name, source);
  for (int i = 0; i < count; ++i) {
    (*program)->ptx += "// header \"" + std::string(names[i]) + "\"\n";
    list_includes((*program)->ptx, names[i], texts[i]);
  }
  return 0;
}
EXPORT int nvrtcDestroyProgram(Program** program) { return delete *program, *program = nullptr, 0; }
EXPORT int nvrtcCompileProgram(Program*, int, const char* const*) {
#ifdef BUILTINS
  if (dlopen("libnvrtc-builtins.so.13.7", RTLD_NOW) == nullptr) return 7;
#endif
  const char* result = std::getenv("FAKE_NVRTC_RESULT");
  return result == nullptr ? 0 : std::atoi(result);
}
EXPORT int nvrtcGetPTXSize(Program* program, size_t* bytes) { return *bytes = program->ptx.size() + 1, 0; }
EXPORT int nvrtcGetPTX(Program* program, char* text) { return std::strcpy(text, program->ptx.c_str()), 0; }
EXPORT int nvrtcGetCUBINSize(Program*, size_t* bytes) { return *bytes = 0, 0; }
EXPORT int nvrtcGetCUBIN(Program*, char*) { return 0; }
static std::string said() {
  const char* log = std::getenv("FAKE_NVRTC_LOG");
  return log == nullptr ? "" : log;
}
EXPORT int nvrtcGetProgramLogSize(Program*, size_t* bytes) { return *bytes = said().size() + 1, 0; }
EXPORT int nvrtcGetProgramLog(Program*, char* text) { return std::strcpy(text, said().c_str()), 0; }
