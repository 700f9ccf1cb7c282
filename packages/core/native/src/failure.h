// The one form in which anything goes wrong below JavaScript.
#pragma once

#include <exception>
#include <string>

#include "driver_types.h"

namespace ffma {

/// Becomes an FfmaError: `code` is its code, `native` the CUDA name, `call` the function that failed. The code
/// "TypeError" becomes a TypeError.
struct Failure : std::exception {
  std::string code;
  std::string message;
  std::string native;
  std::string call;
  /// The whole log of a compiler, where one was at work.
  std::string log;

  Failure(std::string code_, std::string message_) : code(std::move(code_)), message(std::move(message_)) {}
  const char* what() const noexcept override { return message.c_str(); }
};

/// Describes a failed driver call.
Failure driver_failure(CUresult result, const char* call);

/// Whether an error leaves the context unusable for the rest of the process.
bool is_sticky(CUresult result);

/// @throws Failure
void check_driver(CUresult result, const char* call);

}  // namespace ffma
