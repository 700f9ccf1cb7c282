#include "libraries.h"

#include "../nvml.h"
#include "../nvrtc.h"
#include "addon.h"

namespace ffma {
namespace {

std::vector<std::string> texts(const Napi::Value& value) {
  const Napi::Array array = value.As<Napi::Array>();
  std::vector<std::string> all;
  for (uint32_t i = 0; i < array.Length(); ++i) all.push_back(Napi::Value(array[i]).ToString().Utf8Value());
  return all;
}

Napi::Object report_object(Napi::Env env, const LibraryReport& report) {
  Napi::Object object = Napi::Object::New(env);
  object["found"] = report.found;
  object["path"] = report.found ? Napi::String::New(env, report.path) : env.Undefined();
  object["version"] = env.Undefined();
  Napi::Array attempts = Napi::Array::New(env, report.attempts.size());
  for (uint32_t i = 0; i < report.attempts.size(); ++i) {
    Napi::Object attempt = Napi::Object::New(env);
    attempt["path"] = report.attempts[i].path;
    attempt["problem"] = report.attempts[i].problem;
    attempt["reason"] = report.attempts[i].reason;
    attempts[i] = attempt;
  }
  object["attempts"] = attempts;
  return object;
}

std::string uuid_text(const CUuuid& uuid) {
  static const char digits[] = "0123456789abcdef";
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += digits[uuid.bytes[i] >> 4];
    text += digits[uuid.bytes[i] & 15];
  }
  return text;
}

}  // namespace

Napi::Value open_library_js(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::string which = info[0].ToString().Utf8Value();
  const auto candidates = texts(info[1]);
  if (which == "cuda") {
    Napi::Object report = report_object(env, open_driver(candidates));
    if (const auto version = driver_version()) report["version"] = *version;
    return report;
  }
  if (which == "nvrtc") {
    Napi::Object report = report_object(env, open_nvrtc(candidates));
    if (const auto version = nvrtc_version()) report["version"] = *version;
    return report;
  }
  Napi::Object report = report_object(env, open_nvml(candidates));
  if (const auto version = nvml_driver_version()) report["version"] = *version;
  return report;
}

Napi::Value device_count(const Napi::CallbackInfo& info) {
  return guarded(info, [&] {
    int count = 0;
    check_driver(driver().DeviceGetCount(&count), "cuDeviceGetCount");
    return Napi::Number::New(info.Env(), count);
  });
}

Napi::Value device_info(const Napi::CallbackInfo& info) {
  return guarded(info, [&] {
    const DriverApi& api = driver();
    CUdevice device = 0;
    check_driver(api.DeviceGet(&device, info[0].ToNumber().Int32Value()), "cuDeviceGet");
    char name[256] = {};
    check_driver(api.DeviceGetName(name, sizeof name, device), "cuDeviceGetName");
    CUuuid uuid{};
    check_driver(api.DeviceGetUuid(&uuid, device), "cuDeviceGetUuid");
    size_t bytes = 0;
    check_driver(api.DeviceTotalMem(&bytes, device), "cuDeviceTotalMem");
    Napi::Object object = Napi::Object::New(info.Env());
    object["name"] = std::string(name);
    object["uuid"] = uuid_text(uuid);
    object["totalBytes"] = static_cast<double>(bytes);
    const Napi::Array wanted = info[1].As<Napi::Array>();
    Napi::Array values = Napi::Array::New(info.Env(), wanted.Length());
    for (uint32_t i = 0; i < wanted.Length(); ++i) {
      int value = 0;
      const int attribute = Napi::Value(wanted[i]).ToNumber().Int32Value();
      check_driver(api.DeviceGetAttribute(&value, attribute, device), "cuDeviceGetAttribute");
      values[i] = value;
    }
    object["attributes"] = values;
    return object;
  });
}

Napi::Value compile_js(const Napi::CallbackInfo& info) {
  const Napi::Object wanted = info[0].As<Napi::Object>();
  NvrtcRequest request;
  request.source = wanted.Get("source").ToString().Utf8Value();
  request.name = wanted.Get("name").ToString().Utf8Value();
  request.options = texts(wanted.Get("options"));
  request.cubin = wanted.Get("format").ToString().Utf8Value() == "cubin";
  const Napi::Object headers = wanted.Get("headers").As<Napi::Object>();
  request.header_names = texts(headers.GetPropertyNames());
  for (const auto& name : request.header_names) request.header_texts.push_back(headers.Get(name).ToString().Utf8Value());

  Addon& addon = Addon::of(info.Env());
  return addon.promise(info.Env(), [&](Pending& pending, Addon::Settler settle) {
    auto result = std::make_shared<NvrtcResult>();
    pending.value = [result](Napi::Env env) {
      Napi::Object object = Napi::Object::New(env);
      Napi::Uint8Array image = Napi::Uint8Array::New(env, result->image.size());
      std::copy(result->image.begin(), result->image.end(), reinterpret_cast<char*>(image.Data()));
      object["image"] = image;
      object["log"] = result->log;
      return object;
    };
    addon.compiling.add([request = std::move(request), result, settle] {
      try {
        *result = compile(request);
        settle(nullptr);
      } catch (const Failure& failure) {
        settle(&failure);
      }
    });
  });
}

Napi::Value nvml_sample_js(const Napi::CallbackInfo& info) {
  return guarded(info, [&] {
    const NvmlSample sample = nvml_sample(info[0].ToString().Utf8Value());
    Napi::Object object = Napi::Object::New(info.Env());
    object["smClockMHz"] = sample.sm_clock_mhz;
    object["memoryClockMHz"] = sample.memory_clock_mhz;
    object["powerW"] = sample.power_mw / 1000.0;
    object["temperatureC"] = sample.temperature_c;
    object["throttleReasons"] = Napi::BigInt::New(info.Env(), uint64_t{sample.throttle_reasons});
    return object;
  });
}

Napi::Value encode_tensor_map(const Napi::CallbackInfo& info) {
  return guarded(info, [&] {
    const Napi::Object wanted = info[0].As<Napi::Object>();
    const auto longs = [&](const char* name) {
      const Napi::Array array = wanted.Get(name).As<Napi::Array>();
      std::vector<uint64_t> all;
      bool lossless = false;
      for (uint32_t i = 0; i < array.Length(); ++i) {
        all.push_back(Napi::Value(array[i]).As<Napi::BigInt>().Uint64Value(&lossless));
      }
      return all;
    };
    const auto words = [&](const char* name) {
      const Napi::Array array = wanted.Get(name).As<Napi::Array>();
      std::vector<uint32_t> all;
      for (uint32_t i = 0; i < array.Length(); ++i) all.push_back(Napi::Value(array[i]).ToNumber().Uint32Value());
      return all;
    };
    const auto number = [&](const char* name) { return wanted.Get(name).ToNumber().Int32Value(); };
    bool lossless = false;
    const uint64_t address = wanted.Get("address").As<Napi::BigInt>().Uint64Value(&lossless);
    CUtensorMap map{};
    const auto dims = longs("globalDim");
    const CUresult result = driver().TensorMapEncodeTiled(
        &map, number("dataType"), static_cast<unsigned>(dims.size()), reinterpret_cast<void*>(address), dims.data(),
        longs("globalStrides").data(), words("boxDim").data(), words("elementStrides").data(), number("interleave"),
        number("swizzle"), number("l2Promotion"), number("oobFill"));
    check_driver(result, "cuTensorMapEncodeTiled");
    Napi::Uint8Array bytes = Napi::Uint8Array::New(info.Env(), sizeof map);
    std::copy_n(reinterpret_cast<const uint8_t*>(&map), sizeof map, bytes.Data());
    return bytes;
  });
}

}  // namespace ffma
