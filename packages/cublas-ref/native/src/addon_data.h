// What one environment (a thread with JavaScript) keeps.
#pragma once

#include <napi.h>

namespace ffma {

struct AddonData {
  Napi::FunctionReference library_class;
  Napi::FunctionReference handle_class;

  static AddonData& of(Napi::Env env) { return *env.GetInstanceData<AddonData>(); }
};

}  // namespace ffma
