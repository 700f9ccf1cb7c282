// The addon's functions that need no opened device.
#pragma once

#include <napi.h>

namespace ffma {

Napi::Value open_library_js(const Napi::CallbackInfo& info);
Napi::Value device_count(const Napi::CallbackInfo& info);
Napi::Value device_info(const Napi::CallbackInfo& info);
Napi::Value compile_js(const Napi::CallbackInfo& info);
Napi::Value nvml_sample_js(const Napi::CallbackInfo& info);
Napi::Value encode_tensor_map(const Napi::CallbackInfo& info);

}  // namespace ffma
