#include "cublas_api.h"

#include <vector>

#include "failure.h"
#include "shared_library.h"

namespace ffma {
namespace {

std::vector<Symbol> symbols_of(CublasApi& api) {
  std::vector<Symbol> symbols;
#define FFMA_SYMBOL(member, symbol, parameters) symbols.push_back({#symbol, reinterpret_cast<void**>(&api.member)});
  FFMA_CUBLAS_FUNCTIONS(FFMA_SYMBOL)
#undef FFMA_SYMBOL
  return symbols;
}

}  // namespace

std::shared_ptr<const CublasLibrary> open_cublas(const std::string& file) {
  auto library = std::make_shared<CublasLibrary>();
  const LibraryReport report = open_library({file}, symbols_of(library->api));
  if (!report.found) {
    const LibraryAttempt& attempt = report.attempts.front();
    const bool incomplete = std::string(attempt.problem) == "incomplete";
    throw Failure("FFMA_UNAVAILABLE",
                  incomplete ? "it has no function " + attempt.reason : "it does not load: " + attempt.reason);
  }
  library->path = report.path;
  for (const libraryPropertyType part : {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL}) {
    check_cublas(library->api.GetProperty(part, &library->version[part]), "cublasGetProperty");
  }
  return library;
}

}  // namespace ffma
