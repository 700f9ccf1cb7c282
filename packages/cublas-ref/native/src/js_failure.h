// Failures as JavaScript errors.
#pragma once

#include <napi.h>

#include "failure.h"

namespace ffma {

inline Napi::Error to_js(Napi::Env env, const Failure& failure) {
  Napi::Error error = Napi::Error::New(env, failure.message);
  error.Set("code", failure.code);
  if (!failure.native.empty()) error.Set("native", failure.native);
  if (!failure.call.empty()) error.Set("call", failure.call);
  return error;
}

/// Runs what may throw a Failure on behalf of a method; the failure becomes the method's exception.
template <class Work>
Napi::Value guarded(Napi::Env env, const Work& work) {
  try {
    return work();
  } catch (const Failure& failure) {
    throw to_js(env, failure);
  }
}

}  // namespace ffma
