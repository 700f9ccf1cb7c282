#include "shared_library.h"

#include <dlfcn.h>

#include "elf_file.h"

namespace ffma {
namespace {

/// The file that a handle was loaded from: what a bare name was resolved to.
std::string file_of(const void* symbol, const std::string& fallback) {
  Dl_info info{};
  return dladdr(symbol, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : fallback;
}

/// A missing library that the candidate itself needs is reported in the same words, but under its own name.
bool is_absence(const std::string& candidate, const std::string& reason) {
  return reason.rfind(candidate + ":", 0) == 0 && reason.find("No such file") != std::string::npos;
}

const char* first_missing(void* library, const std::vector<Symbol>& symbols, std::vector<void*>& addresses) {
  for (const Symbol& symbol : symbols) {
    void* address = dlsym(library, symbol.name);
    if (address == nullptr) return symbol.name;
    addresses.push_back(address);
  }
  return nullptr;
}

}  // namespace

LibraryReport open_library(const std::vector<std::string>& candidates, const std::vector<Symbol>& symbols) {
  LibraryReport report;
  for (const std::string& candidate : candidates) {
    if (const std::string fault = cut_short(candidate); !fault.empty()) {
      report.attempts.push_back({candidate, "broken", fault});
      continue;
    }
    void* library = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      const char* text = dlerror();
      const std::string reason = text == nullptr ? "the loader does not say why" : text;
      report.attempts.push_back({candidate, is_absence(candidate, reason) ? "absent" : "broken", reason});
      continue;
    }
    std::vector<void*> addresses;
    if (const char* missing = first_missing(library, symbols, addresses)) {
      report.attempts.push_back({candidate, "incomplete", missing});
      dlclose(library);
      continue;
    }
    for (size_t i = 0; i < symbols.size(); ++i) *symbols[i].target = addresses[i];
    report.found = true;
    report.path = file_of(addresses.front(), candidate);
    return report;
  }
  return report;
}

}  // namespace ffma
