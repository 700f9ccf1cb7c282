#include "device_state.h"

#include <map>

#include "exit_guard.h"

namespace ffma {
namespace {

std::atomic<bool> ending{false};

thread_local CUcontext last_entered = nullptr;

CUdevice device_of(const DriverApi& api, int ordinal) {
  CUdevice device = 0;
  check_driver(api.DeviceGet(&device, ordinal), "cuDeviceGet");
  return device;
}

}  // namespace

bool process_is_ending() { return ending.load(std::memory_order_relaxed); }
void mark_process_ending() { ending.store(true, std::memory_order_relaxed); }

LostState& LostState::of(CUdevice device) {
  static std::mutex& mutex = *new std::mutex;
  static auto& states = *new std::map<CUdevice, LostState>;
  const std::lock_guard lock(mutex);
  return states[device];
}

std::optional<Failure> LostState::failure() {
  if (!is_lost()) return std::nullopt;
  const std::lock_guard lock(mutex_);
  return first_;
}

void LostState::mark(const Failure& first) {
  const std::lock_guard lock(mutex_);
  if (first_) return;
  first_ = first;
  first_->code = "FFMA_DEVICE_LOST";
  first_->message = "The GPU was lost: " + first.message;
  lost_.store(true, std::memory_order_release);
}

DeviceState::DeviceState(int ordinal)
    : api_(driver()), device_(device_of(api_, ordinal)), lost_(LostState::of(device_)) {
  if (auto failure = lost_.failure()) throw *failure;
  check(api_.DevicePrimaryCtxRetain(&context_, device_), "cuDevicePrimaryCtxRetain");
  guard_exit();
}

DeviceState::~DeviceState() { release(); }

void DeviceState::release() {
  if (context_ == nullptr || released_.exchange(true) || process_is_ending()) return;
  last_entered = nullptr;
  api_.CtxSetCurrent(nullptr);
  api_.DevicePrimaryCtxRelease(device_);
}

void DeviceState::enter_quickly() const {
  if (lost_.is_lost() || last_entered != context_) enter();
}

void DeviceState::enter() const {
  if (lost_.is_lost()) throw *lost_.failure();
  if (released_) throw Failure("FFMA_CLOSED", "This CUDA device is closed.");
  check(api_.CtxSetCurrent(context_), "cuCtxSetCurrent");
  last_entered = context_;
}

bool DeviceState::try_enter() const noexcept {
  last_entered = nullptr;
  return !process_is_ending() && !released_ && !lost_.is_lost() && api_.CtxSetCurrent(context_) == CUDA_SUCCESS;
}

Failure DeviceState::describe(CUresult result, const char* call) const {
  Failure failure = driver_failure(result, call);
  if (!is_sticky(result)) return failure;
  lost_.mark(failure);
  return *lost_.failure();
}

void DeviceState::check(CUresult result, const char* call) const {
  if (result != CUDA_SUCCESS) throw describe(result, call);
}

}  // namespace ffma
