#include "addon.h"

#include <algorithm>

#include "../exit_guard.h"

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace ffma {
namespace {

/// One settled promise on its way to JavaScript's thread.
struct Settlement {
  Pending* pending;
  std::optional<Failure> failure;
};

/// The main thread's environment goes only when the process does.
bool on_main_thread() {
#if defined(__linux__)
  return syscall(SYS_gettid) == getpid();
#else
  return false;
#endif
}

void require(napi_status status, const char* what) {
  if (status != napi_ok) Napi::Error::Fatal("ffma", what);
}

}  // namespace

std::shared_ptr<Context> Living::open(const std::shared_ptr<Living>& living, int ordinal) {
  auto context = std::make_unique<Context>(ordinal);
  context->retire = [living](std::unique_ptr<Waiter> waiter) { living->retire(std::move(waiter)); };
  living->contexts_.insert(context.get());
  return {context.release(), [living](Context* closing) {
            living->contexts_.erase(closing);
            delete closing;
          }};
}

void Living::retire(std::unique_ptr<Waiter> waiter) {
  const auto finished = [](const auto& each) { return each->finished(); };
  retired_.erase(std::remove_if(retired_.begin(), retired_.end(), finished), retired_.end());
  retired_.push_back(std::move(waiter));
}

void Living::stop() {
  for (Context* context : contexts_) context->abandon();
  retired_.clear();
}

Addon::Addon(Napi::Env env) : env_(env) {
  require(napi_create_threadsafe_function(env, nullptr, nullptr, Napi::String::New(env, "ffma"), 0, 1, nullptr, nullptr,
                                          this, call_js, &loop_),
          "napi_create_threadsafe_function failed.");
  require(napi_unref_threadsafe_function(env, loop_), "napi_unref_threadsafe_function failed.");
  // Registered after the function's own hook, so it runs before: our threads end while the function is still there.
  require(napi_add_env_cleanup_hook(env, clean_up, this), "napi_add_env_cleanup_hook failed.");
}

Addon::~Addon() = default;

void Addon::clean_up(void* data) {
  Addon& addon = *static_cast<Addon*>(data);
  if (on_main_thread()) {
    note_what_runs();
    mark_process_ending();
  }
  addon.loading.stop();
  addon.compiling.stop();
  addon.living_->stop();
  for (Pending* pending : addon.pending_) delete pending;
  addon.pending_.clear();
  napi_release_threadsafe_function(addon.loop_, napi_tsfn_abort);
}

Napi::Value Addon::promise(Napi::Env env, const std::function<void(Pending&, Settler)>& start) {
  auto* pending = new Pending(env);
  const Napi::Value promise = pending->deferred.Promise();
  if (pending_.empty()) napi_ref_threadsafe_function(env, loop_);
  pending_.insert(pending);
  try {
    start(*pending, [loop = loop_, pending](const Failure* failure) {
      auto settlement = std::make_unique<Settlement>();
      settlement->pending = pending;
      if (failure != nullptr) settlement->failure = *failure;
      if (napi_call_threadsafe_function(loop, settlement.get(), napi_tsfn_nonblocking) == napi_ok) {
        static_cast<void>(settlement.release());
      }
    });
  } catch (const Failure& failure) {
    settle(env, pending, failure);
  }
  return promise;
}

void Addon::call_js(napi_env env, napi_value, void* context, void* data) {
  const std::unique_ptr<Settlement> settlement(static_cast<Settlement*>(data));
  if (env == nullptr) return;
  static_cast<Addon*>(context)->settle(env, settlement->pending, settlement->failure);
}

void Addon::settle(Napi::Env env, Pending* raw, const std::optional<Failure>& failure) noexcept {
  const std::unique_ptr<Pending> pending(raw);
  pending_.erase(raw);
  if (pending_.empty()) napi_unref_threadsafe_function(env, loop_);
  const auto reject = [&](const Failure& reason) { pending->deferred.Reject(error(env, reason).Value()); };
  try {
    if (pending->cleanup) pending->cleanup(failure.has_value());
    if (failure) return reject(*failure);
    try {
      pending->deferred.Resolve(pending->value ? pending->value(env) : env.Undefined());
    } catch (const Failure& reason) {
      reject(reason);
    } catch (const Napi::Error& reason) {
      pending->deferred.Reject(reason.Value());
    }
  } catch (const Napi::Error&) {
    // The worker is being terminated: nobody is left to be told.
  }
}

void Addon::throw_error(napi_env env, const Failure& failure) noexcept {
  try {
    of(env).error(env, failure).ThrowAsJavaScriptException();
  } catch (const Napi::Error&) {
    // As above.
  }
}

Napi::Error Addon::error(Napi::Env env, const Failure& failure) const {
  if (failure.code == "TypeError") return Napi::TypeError::New(env, failure.message);
  Napi::Object facts = Napi::Object::New(env);
  facts["code"] = failure.code;
  facts["message"] = failure.message;
  if (!failure.native.empty()) facts["native"] = failure.native;
  if (!failure.call.empty()) facts["call"] = failure.call;
  if (!failure.log.empty()) facts["log"] = failure.log;
  if (!make_error.IsEmpty()) return {env, make_error.Call({facts})};
  Napi::Error plain = Napi::Error::New(env, failure.message);
  plain.Set("code", failure.code);
  return plain;
}

}  // namespace ffma
