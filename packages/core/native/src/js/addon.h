// The addon's state in one JavaScript environment (the main thread or a worker).
#pragma once

#include <napi.h>

#include <functional>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

#include "../context.h"
#include "../failure.h"
#include "../jobs.h"

namespace ffma {

/// A promise that something outside of JavaScript will settle, and what must stay alive until then.
struct Pending {
  explicit Pending(Napi::Env env) : deferred(Napi::Promise::Deferred::New(env)) {}

  Napi::Promise::Deferred deferred;
  std::vector<Napi::ObjectReference> kept;
  std::vector<std::shared_ptr<void>> held;
  /// Makes the value on success. May throw Failure, which rejects.
  std::function<Napi::Value(Napi::Env)> value;
  /// Runs in either case, before the promise is settled, on JavaScript's thread.
  std::function<void(bool failed)> cleanup;

  void keep(Napi::Object object) { kept.push_back(Napi::Persistent(object)); }
  void hold(std::shared_ptr<void> object) { held.push_back(std::move(object)); }
};

/// Whatever still has threads: contexts, and waiters whose context is gone until they have released what they had to.
/// Objects of JavaScript may be finalised after the addon's state, so they share this.
class Living {
 public:
  /// @throws Failure
  static std::shared_ptr<Context> open(const std::shared_ptr<Living>& living, int ordinal);
  /// Stops every thread, waiting for them.
  void stop();

 private:
  void retire(std::unique_ptr<Waiter> waiter);

  std::unordered_set<Context*> contexts_;
  std::vector<std::unique_ptr<Waiter>> retired_;
};

class Addon {
 public:
  explicit Addon(Napi::Env env);
  ~Addon();
  Addon(const Addon&) = delete;
  Addon& operator=(const Addon&) = delete;
  static Addon& of(Napi::Env env) { return *env.GetInstanceData<Addon>(); }

  /// A promise; `start` begins what will call the settler, from any thread, once. Failures of `start` reject.
  using Settler = std::function<void(const Failure*)>;
  Napi::Value promise(Napi::Env env, const std::function<void(Pending&, Settler)>& start);

  /// The JavaScript error for a failure.
  Napi::Error error(Napi::Env env, const Failure& failure) const;
  /// Throws it in JavaScript, for callbacks without a wrapper.
  static void throw_error(napi_env env, const Failure& failure) noexcept;

  const std::shared_ptr<Living>& living() const { return living_; }

  Napi::FunctionReference make_error;
  /// Loads modules.
  Jobs loading;
  /// Runs NVRTC.
  Jobs compiling;
  struct Constructors {
    Napi::FunctionReference context, memory, pinned, stream, event, module, function;
  } constructors;

 private:
  static void call_js(napi_env env, napi_value callback, void* context, void* data);
  static void clean_up(void* data);
  void settle(Napi::Env env, Pending* pending, const std::optional<Failure>& failure) noexcept;

  napi_env env_;
  napi_threadsafe_function loop_ = nullptr;
  std::unordered_set<Pending*> pending_;
  std::shared_ptr<Living> living_ = std::make_shared<Living>();
};

/// Runs `body`; a Failure becomes the JavaScript error.
template <class Body>
auto guarded(const Napi::CallbackInfo& info, Body&& body) {
  try {
    return body();
  } catch (const Failure& failure) {
    throw Addon::of(info.Env()).error(info.Env(), failure);
  }
}

}  // namespace ffma
