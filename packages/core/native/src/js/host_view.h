// JavaScript's memory, as arguments of copies.
#pragma once

#include "addon.h"

namespace ffma {

/// The bytes of a typed array.
struct HostView {
  Napi::Object view;
  void* data;
  size_t bytes;
};

/// @throws Failure TypeError where the array is detached
HostView host_view(const Napi::Value& value);

}  // namespace ffma
