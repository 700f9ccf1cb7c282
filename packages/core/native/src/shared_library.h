// A shared library found at run time.
#pragma once

#include <string>
#include <vector>

namespace ffma {

/// A candidate that would not do.
struct LibraryAttempt {
  std::string path;
  /// "absent": there is no such file; "broken": it does not load; "incomplete": it lacks a function.
  const char* problem;
  /// The loader's own words, or the name of the function.
  std::string reason;
};

/// Where a library was found, or why it was not.
struct LibraryReport {
  bool found = false;
  std::string path;
  std::vector<LibraryAttempt> attempts;
};

/// One symbol to resolve, and where its address goes.
struct Symbol {
  const char* name;
  void** target;
};

/// Opens the first candidate that loads and has every symbol, and fills in the symbols' addresses. The library stays
/// loaded until the process ends: its threads may outlive whoever asked for it.
LibraryReport open_library(const std::vector<std::string>& candidates, const std::vector<Symbol>& symbols);

}  // namespace ffma
