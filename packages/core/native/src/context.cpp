#include "context.h"

#include <algorithm>
#include <utility>

namespace ffma {

Child::Child(std::shared_ptr<Context> context) : context_(std::move(context)) { context_->children_.insert(this); }

Child::~Child() { context_->children_.erase(this); }

void Context::close() {
  const auto children = children_;
  for (Child* child : children) child->release();
  closed_ = true;
  if (uses_ == 0) shut_down();
}

std::shared_ptr<void> Context::use() {
  ++uses_;
  return {nullptr, [context = shared_from_this()](void*) {
            if (--context->uses_ == 0 && context->closed_) context->shut_down();
          }};
}

void Context::enter() const {
  if (closed_) throw Failure("FFMA_CLOSED", "This CUDA device is closed.");
  device_->enter();
}

void Context::enter_quickly() const {
  if (closed_) throw Failure("FFMA_CLOSED", "This CUDA device is closed.");
  device_->enter_quickly();
}

Context::Context(int ordinal)
    : device_(std::make_shared<DeviceState>(ordinal)),
      events_(std::make_shared<EventPool>(device_)),
      staging_(device_) {
  enter();
  check(api().StreamCreate(&allocating_, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
  check(api().StreamCreate(&freeing_, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
  create_pool();
  waits_for_words_ = attribute(CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS) != 0;
  waiter_ = std::make_unique<Waiter>(device_);
  enlist(true);
}

int Context::attribute(int which) const {
  int value = 0;
  check(api().DeviceGetAttribute(&value, which, device_->device()), "cuDeviceGetAttribute");
  return value;
}

void Context::create_pool() {
  if (attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED) == 0) return;
  CUmemPoolProps properties{};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device_->device()};
  check(api().MemPoolCreate(&pool_, &properties), "cuMemPoolCreate");
  // Otherwise an allocation could be made to wait for a free that waits for work.
  int off = 0;
  check(api().MemPoolSetAttribute(pool_, CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, &off),
        "cuMemPoolSetAttribute");
}

Context::~Context() {
  enlist(false);
  shut_down();
}

void Context::shut_down() {
  if (std::exchange(shut_down_, true)) return;
  mover_.reset();
  if (device_->try_enter()) {
    const auto blocks = staging_.take_all();
    if (!blocks.empty()) {
      release_later([blocks](const DeviceState& device) {
        for (void* block : blocks) device.api().MemFreeHost(block);
      });
    }
    for (CUstream stream : std::exchange(streams_, {})) {
      if (stream != nullptr) api().StreamDestroy(stream);
    }
    if (allocating_ != nullptr) api().StreamDestroy(allocating_);
    if (freeing_ != nullptr) api().StreamDestroy(freeing_);
    if (pool_ != nullptr) api().MemPoolDestroy(pool_);
  }
  if (waiter_ == nullptr) return;
  waiter_->finish();
  if (retire && !waiter_->finished()) retire(std::move(waiter_));
}

CUdeviceptr Context::allocate(size_t bytes) {
  enter();
  CUdeviceptr address = 0;
  if (pool_ == nullptr) {
    check(api().MemAlloc(&address, bytes), "cuMemAlloc");
    return address;
  }
  CUresult result = api().MemAllocFromPoolAsync(&address, bytes, pool_, allocating_);
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    // Memory may be on its way back.
    check(api().StreamSynchronize(freeing_), "cuStreamSynchronize");
    check(api().MemPoolTrimTo(pool_, 0), "cuMemPoolTrimTo");
    result = api().MemAllocFromPoolAsync(&address, bytes, pool_, allocating_);
  }
  check(result, "cuMemAllocFromPoolAsync");
  check(api().StreamSynchronize(allocating_), "cuStreamSynchronize");
  return address;
}

void Context::free(CUdeviceptr address) noexcept {
  if (shut_down_ || !device_->try_enter()) return;
  try {
    if (pool_ == nullptr) return check(api().MemFree(address), "cuMemFree");
    order_after_all(freeing_);
    check(api().MemFreeAsync(address, freeing_), "cuMemFreeAsync");
  } catch (const Failure&) {
    // Only a lost device fails here, and its memory is gone; the next call on it says so.
  }
}

std::pair<size_t, size_t> Context::memory_info() {
  enter();
  if (pool_ != nullptr) {
    // The driver learns that frees are over by synchronising only; that of an idle stream takes no time.
    if (api().StreamQuery(freeing_) == CUDA_SUCCESS) check(api().StreamSynchronize(freeing_), "cuStreamSynchronize");
    check(api().MemPoolTrimTo(pool_, 0), "cuMemPoolTrimTo");
  }
  size_t free = 0;
  size_t total = 0;
  check(api().MemGetInfo(&free, &total), "cuMemGetInfo");
  return {free, total};
}

CUstream Context::create_stream() {
  enter();
  CUstream stream = nullptr;
  check(api().StreamCreate(&stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
  const auto unused = std::find(streams_.begin(), streams_.end(), nullptr);
  if (unused != streams_.end()) {
    *unused = stream;
  } else {
    streams_.push_back(stream);
  }
  return stream;
}

uint32_t Context::number_of(CUstream stream) const {
  return static_cast<uint32_t>(std::find(streams_.begin(), streams_.end(), stream) - streams_.begin());
}

void Context::destroy_stream(CUstream stream) noexcept {
  const auto found = std::find(streams_.begin(), streams_.end(), stream);
  if (found == streams_.end()) return;
  *found = nullptr;
  if (shut_down_ || !device_->try_enter()) return;
  try {
    // What is freed later still comes after the work of this stream.
    CUevent event = record(stream);
    check(api().StreamWaitEvent(freeing_, event, 0), "cuStreamWaitEvent");
    events_->give({event});
    check(api().StreamDestroy(stream), "cuStreamDestroy");
  } catch (const Failure&) {
    // As in free.
  }
}

CUevent Context::record(CUstream stream) {
  CUevent event = events_->take();
  check(api().EventRecord(event, stream), "cuEventRecord");
  return event;
}

std::vector<CUevent> Context::record_all() {
  std::vector<CUevent> events;
  for (CUstream stream : streams_) {
    if (stream != nullptr) events.push_back(record(stream));
  }
  events.push_back(record(freeing_));
  return events;
}

void Context::order_after_all(CUstream stream) {
  for (CUstream other : streams_) {
    if (other == nullptr) continue;
    CUevent event = record(other);
    check(api().StreamWaitEvent(stream, event, 0), "cuStreamWaitEvent");
    // A wait keeps the event as it was recorded, so it can be recorded anew at once.
    events_->give({event});
  }
}

void Context::add(std::vector<CUevent> events, std::function<void(const Failure*)> done, bool releases) {
  auto finish = [events, pool = events_, done = std::move(done)](const Failure* failure) {
    pool->give(events);
    done(failure);
  };
  waiter_->add({std::move(events), std::move(finish), releases});
}

void Context::when_reached(CUstream stream, std::function<void(const Failure*)> done) {
  enter();
  add({record(stream)}, std::move(done));
}

void Context::when_all_reached(std::function<void(const Failure*)> done) {
  enter();
  add(record_all(), std::move(done));
}

void Context::when_happened(CUevent event, std::function<void(const Failure*)> done) {
  enter();
  waiter_->add({{event}, std::move(done)});
}

void Context::release_later(std::function<void(const DeviceState&)> release) noexcept {
  if (!device_->try_enter() || waiter_ == nullptr) return;
  try {
    add(record_all(), [device = device_, release = std::move(release)](const Failure*) {
      if (device->try_enter()) release(*device);
    }, true);
  } catch (const Failure&) {
    // As in free.
  }
}

Mover& Context::mover() {
  if (mover_ == nullptr) mover_ = std::make_unique<Mover>(device_);
  return *mover_;
}

void Context::abandon() {
  if (mover_ != nullptr) mover_->stop();
  if (waiter_ != nullptr) waiter_->stop();
}

}  // namespace ffma
