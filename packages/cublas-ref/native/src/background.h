// Work on a thread of its own, with a promise for its result.
#pragma once

#include <napi.h>

#include <optional>

#include "js_failure.h"

namespace ffma {

/// `Work` runs on the other thread and may throw a Failure; `Deliver` makes its result a value, on the caller's thread.
template <class Work, class Deliver>
class Background : public Napi::AsyncWorker {
 public:
  using Result = std::invoke_result_t<Work>;

  static Napi::Promise start(Napi::Env env, Work work, Deliver deliver) {
    auto* worker = new Background(env, std::move(work), std::move(deliver));
    const Napi::Promise promise = worker->deferred_.Promise();
    worker->Queue();
    return promise;
  }

 private:
  Background(Napi::Env env, Work work, Deliver deliver)
      : Napi::AsyncWorker(env), deferred_(env), work_(std::move(work)), deliver_(std::move(deliver)) {}

  void Execute() override {
    try {
      result_ = work_();
    } catch (const Failure& failure) {
      failure_ = failure;
    }
  }

  void OnOK() override {
    if (failure_) {
      deferred_.Reject(to_js(Env(), *failure_).Value());
    } else {
      deferred_.Resolve(deliver_(Env(), std::move(*result_)));
    }
  }

  Napi::Promise::Deferred deferred_;
  Work work_;
  Deliver deliver_;
  std::optional<Result> result_;
  std::optional<Failure> failure_;
};

template <class Work, class Deliver>
Napi::Promise in_background(Napi::Env env, Work work, Deliver deliver) {
  return Background<Work, Deliver>::start(env, std::move(work), std::move(deliver));
}

}  // namespace ffma
