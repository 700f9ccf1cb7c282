// What one opened device owns: its memory, the order in which things are released, and the thread that waits for it.
#pragma once

#include <functional>
#include <memory>
#include <unordered_set>
#include <vector>

#include "event_pool.h"
#include "mover.h"
#include "pinned.h"
#include "waiter.h"

namespace ffma {

class Context;

/// Something that a context hands out and takes back when it is closed.
class Child {
 public:
  explicit Child(std::shared_ptr<Context> context);
  virtual ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  /// Gives the resource back. May be called again.
  virtual void release() = 0;
  const std::shared_ptr<Context>& context() const { return context_; }

 protected:
  const std::shared_ptr<Context> context_;
};

/// Used by the thread that created it; what it hands to the waiter does not refer to it.
class Context : public std::enable_shared_from_this<Context> {
 public:
  /// @throws Failure
  explicit Context(int ordinal);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const DeviceState& device() const { return *device_; }
  const DriverApi& api() const { return device_->api(); }
  const std::shared_ptr<DeviceState>& device_pointer() const { return device_; }
  StagingPool& staging() { return staging_; }
  /// Made when it is wanted first.
  Mover& mover();
  /// Whether a stream can wait for a word in memory, as the copier needs it.
  bool waits_for_words() const { return waits_for_words_; }
  /// @throws Failure, where the device is closed or lost too
  void enter() const;
  /// Spares most calls the time that `enter` takes; where it was wrong, the driver says CUDA_ERROR_INVALID_CONTEXT or
  /// INVALID_HANDLE, and has done nothing.
  void enter_quickly() const;
  void check(CUresult result, const char* call) const { device_->check(result, call); }

  /// Device memory, ready at once on every stream. @throws Failure
  CUdeviceptr allocate(size_t bytes);
  /// Frees in order of everything that was enqueued on any stream so far. Blocks nothing.
  void free(CUdeviceptr address) noexcept;
  /// Free and total bytes; unused memory of the pool counts as free. @throws Failure
  std::pair<size_t, size_t> memory_info();

  /// @throws Failure
  CUstream create_stream();
  /// Streams by number: null where there is none; a number is used again once its stream is destroyed.
  CUstream numbered_stream(uint32_t number) const { return number < streams_.size() ? streams_[number] : nullptr; }
  uint32_t number_of(CUstream stream) const;
  /// Work on it goes on to its end.
  void destroy_stream(CUstream stream) noexcept;

  /// Calls back on the waiter's thread once what was enqueued so far, on this stream or on all, is over.
  /// @throws Failure
  void when_reached(CUstream stream, std::function<void(const Failure*)> done);
  void when_all_reached(std::function<void(const Failure*)> done);
  /// Calls back once this event has happened, as it is recorded now.
  void when_happened(CUevent event, std::function<void(const Failure*)> done);
  /// Releases something on the waiter's thread, after everything that was enqueued so far.
  void release_later(std::function<void(const DeviceState&)> release) noexcept;

  /// Takes back what was handed out, and everything else once nobody waits for it any more.
  void close();
  bool closed() const { return closed_; }
  /// Whether a stream of any context has work left. Only where no other thread with contexts runs any more.
  static bool any_busy();
  /// Held by whoever waits: what is in flight goes on to its end on a context that is closed.
  std::shared_ptr<void> use();

  /// Stops the waiter; what it still had to release is released. Nothing is told to JavaScript any more.
  void abandon();
  /// A waiter that has releases left to do when its context goes; somebody must keep it and stop it in the end.
  std::function<void(std::unique_ptr<Waiter>)> retire;

 private:
  friend class Child;

  CUevent record(CUstream stream);
  std::vector<CUevent> record_all();
  void add(std::vector<CUevent> events, std::function<void(const Failure*)> done, bool releases = false);
  void order_after_all(CUstream stream);
  int attribute(int which) const;
  bool is_busy() const;
  /// Among those that `any_busy` asks.
  void enlist(bool lives) const;
  void create_pool();
  void shut_down();

  std::shared_ptr<DeviceState> device_;
  std::shared_ptr<EventPool> events_;
  std::unique_ptr<Waiter> waiter_;
  std::unique_ptr<Mover> mover_;
  StagingPool staging_;
  std::unordered_set<Child*> children_;
  /// Null where one was destroyed.
  std::vector<CUstream> streams_;
  /// Null where the device has no memory pools.
  CUmemoryPool pool_ = nullptr;
  /// Nothing but allocations, so that waiting for one never waits for work.
  CUstream allocating_ = nullptr;
  /// Waits for the others' work, then frees.
  CUstream freeing_ = nullptr;
  int uses_ = 0;
  bool waits_for_words_ = false;
  bool closed_ = false;
  bool shut_down_ = false;
};

}  // namespace ffma
