#pragma once

#include "../copier.h"
#include "event.h"
#include "host_view.h"
#include "memory.h"

namespace ffma {

/// NativeStream: work in order.
class Stream : public Handle<Stream>, public Child {
 public:
  static constexpr napi_type_tag type_tag = {0x6f1d2a4c9be84f04, 0x8c3a77e5d0b14a04};
  struct Init {
    std::shared_ptr<Context> context;
  };

  explicit Stream(const Napi::CallbackInfo& info);
  ~Stream() override { release(); }
  static Napi::Function define(Napi::Env env);

  void release() override;
  /// @throws Failure where it is closed
  CUstream get() const {
    if (stream_ == nullptr) throw closed("stream");
    return stream_;
  }

 private:
  Napi::Value handle(const Napi::CallbackInfo& info);
  Napi::Value number(const Napi::CallbackInfo& info);
  Napi::Value copy_to_device(const Napi::CallbackInfo& info);
  Napi::Value copy_to_host(const Napi::CallbackInfo& info);
  void copy_on_device(const Napi::CallbackInfo& info);
  void fill(const Napi::CallbackInfo& info);
  void record(const Napi::CallbackInfo& info);
  void wait(const Napi::CallbackInfo& info);
  Napi::Value synchronize(const Napi::CallbackInfo& info);
  void close(const Napi::CallbackInfo&) { release(); }

  void upload(CUdeviceptr target, const HostView& source, Pending& pending);
  void download(CUdeviceptr source, const HostView& target, Pending& pending);
  void* take_piece(size_t bytes, Pending& pending);
  Copier& copier(Pending& pending);
  void own(const Context& other, const char* what) const;

  CUstream stream_ = nullptr;
  std::shared_ptr<Copier> copier_;
};

}  // namespace ffma
