#pragma once

#include "handle.h"

namespace ffma {

/// NativeMemory: a span of device memory.
class Memory : public Handle<Memory>, public Child {
 public:
  static constexpr napi_type_tag type_tag = {0x6f1d2a4c9be84f01, 0x8c3a77e5d0b14a01};
  struct Init {
    std::shared_ptr<Context> context;
    size_t bytes;
  };

  explicit Memory(const Napi::CallbackInfo& info);
  ~Memory() override { release(); }
  static Napi::Function define(Napi::Env env);

  void release() override;
  /// Address of a part. @throws Failure where it does not fit, or the memory was freed
  CUdeviceptr at(size_t offset, size_t bytes) const;

 private:
  Napi::Value address(const Napi::CallbackInfo& info);
  Napi::Value byte_length(const Napi::CallbackInfo& info);
  void free(const Napi::CallbackInfo&) { release(); }

  void account(int64_t bytes);

  CUdeviceptr address_ = 0;
  size_t bytes_ = 0;
  bool freed_ = false;
};

/// NativePinned: page-locked host memory as an ArrayBuffer.
class Pinned : public Handle<Pinned> {
 public:
  static constexpr napi_type_tag type_tag = {0x6f1d2a4c9be84f02, 0x8c3a77e5d0b14a02};
  using Init = Memory::Init;

  explicit Pinned(const Napi::CallbackInfo& info);
  static Napi::Function define(Napi::Env env);

 private:
  Napi::Value buffer(const Napi::CallbackInfo& info);
  void release(const Napi::CallbackInfo& info);

  Napi::Reference<Napi::ArrayBuffer> buffer_;
};

}  // namespace ffma
