#include "host_view.h"

namespace ffma {
namespace {

size_t element_bytes(napi_typedarray_type type) {
  switch (type) {
    case napi_int16_array:
    case napi_uint16_array:
      return 2;
    case napi_int32_array:
    case napi_uint32_array:
    case napi_float32_array:
      return 4;
    case napi_float64_array:
    case napi_bigint64_array:
    case napi_biguint64_array:
      return 8;
    default:
      return 1;
  }
}

}  // namespace

HostView host_view(const Napi::Value& value) {
  if (!value.IsTypedArray()) throw Failure("TypeError", "Host memory must be a typed array.");
  napi_typedarray_type type{};
  size_t length = 0;
  void* data = nullptr;
  napi_value buffer = nullptr;
  if (napi_get_typedarray_info(value.Env(), value, &type, &length, &data, &buffer, nullptr) != napi_ok) {
    throw Failure("TypeError", "The typed array cannot be read.");
  }
  bool detached = false;
  napi_is_detached_arraybuffer(value.Env(), buffer, &detached);
  if (detached) throw Failure("TypeError", "The array is detached: its memory was transferred elsewhere.");
  return {value.As<Napi::Object>(), data, length * element_bytes(type)};
}

}  // namespace ffma
