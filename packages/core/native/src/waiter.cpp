#include "waiter.h"

#include <algorithm>
#include <chrono>

#if defined(__linux__)
#include <sys/prctl.h>
#endif

namespace ffma {
namespace {

using std::chrono::microseconds;

/// How long whoever ends waits for work in flight before what it uses is left behind: a kernel may never end.
constexpr std::chrono::seconds longest_patience(5);

std::atomic<int> waits_in_flight{0};

/// How long to rest before polling again: a sixteenth of the time waited, so that a result is at most 6 % late.
microseconds rest_after(std::chrono::steady_clock::duration waited) {
  return std::clamp(std::chrono::duration_cast<microseconds>(waited) / 16, microseconds(10), microseconds(500));
}

}  // namespace

Waiter::Waiter(std::shared_ptr<DeviceState> device) : device_(std::move(device)), thread_([this] { run(); }) {}

Waiter::~Waiter() { stop(); }

int Waiter::in_flight() { return waits_in_flight.load(); }

void Waiter::add(Wait wait) {
  ++waits_in_flight;
  bool stopped = false;
  {
    const std::lock_guard lock(mutex_);
    stopped = state_ == State::stopping;
    if (!stopped) incoming_.push_back(std::move(wait));
  }
  if (!stopped) return changed_.notify_one();
  std::vector<Wait> waits;
  waits.push_back(std::move(wait));
  release(waits);
  --waits_in_flight;
}

void Waiter::finish() {
  {
    const std::lock_guard lock(mutex_);
    if (state_ == State::running) state_ = State::finishing;
  }
  changed_.notify_one();
}

void Waiter::stop() {
  {
    const std::lock_guard lock(mutex_);
    state_ = State::stopping;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

/// Adds what came in; rests where nothing did. False at the end of the thread.
bool Waiter::take(std::vector<Wait>& waits) {
  std::unique_lock lock(mutex_);
  if (waits.empty()) {
    changed_.wait(lock, [&] { return state_ != State::running || !incoming_.empty(); });
  } else {
    const auto rest = rest_after(Clock::now() - progress_);
    changed_.wait_for(lock, rest, [&] { return state_ == State::stopping || !incoming_.empty(); });
  }
  if (!incoming_.empty()) progress_ = Clock::now();
  std::move(incoming_.begin(), incoming_.end(), std::back_inserter(waits));
  incoming_.clear();
  return state_ == State::running || (state_ == State::finishing && !waits.empty());
}

void Waiter::poll(std::vector<Wait>& waits) {
  const DriverApi& api = device_->api();
  std::vector<Wait> over;
  std::vector<std::optional<Failure>> failures;
  for (Wait& wait : waits) {
    std::optional<Failure> failure = device_->lost().failure();
    while (!failure && !wait.events.empty()) {
      const CUresult result = api.EventQuery(wait.events.back());
      if (result == CUDA_ERROR_NOT_READY) break;
      if (result != CUDA_SUCCESS) failure = device_->describe(result, "cuEventQuery");
      wait.events.pop_back();
    }
    if (!failure && !wait.events.empty()) continue;
    over.push_back(std::move(wait));
    failures.push_back(std::move(failure));
    wait.done = nullptr;
  }
  waits.erase(std::remove_if(waits.begin(), waits.end(), [](const Wait& wait) { return !wait.done; }), waits.end());
  for (size_t i = 0; i < over.size(); ++i) {
    over[i].done(failures[i] ? &*failures[i] : nullptr);
    --waits_in_flight;
  }
}

bool Waiter::happen_in_time(const Wait& wait) {
  if (!patience_) patience_ = Clock::now() + longest_patience;
  for (CUevent event : wait.events) {
    while (device_->try_enter() && device_->api().EventQuery(event) == CUDA_ERROR_NOT_READY) {
      if (Clock::now() > *patience_) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  return true;
}

void Waiter::release(std::vector<Wait>& waits) {
  for (Wait& wait : waits) {
    if (!wait.releases) continue;
    if (!happen_in_time(wait)) {
      device_->abandon();
      // For ever: the end of the process must know.
      ++waits_in_flight;
    }
    wait.done(nullptr);
  }
}

void Waiter::run() {
#if defined(__linux__)
  prctl(PR_SET_TIMERSLACK, 1000);
#endif
  device_->try_enter();
  std::vector<Wait> waits;
  while (take(waits)) {
    const size_t before = waits.size();
    poll(waits);
    if (waits.size() != before) progress_ = Clock::now();
  }
  release(waits);
  waits_in_flight -= static_cast<int>(waits.size());
  bool last = false;
  {
    const std::lock_guard lock(mutex_);
    last = state_ == State::finishing;
  }
  if (last) device_->release();
  finished_.store(true);
}

}  // namespace ffma
