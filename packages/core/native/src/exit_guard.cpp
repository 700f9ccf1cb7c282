#include "exit_guard.h"

#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>

#include "context.h"

#if defined(__GLIBC__)
#include <unistd.h>
#endif

namespace ffma {
namespace {

using Clock = std::chrono::steady_clock;

/// What is about to be over anyway is let finish.
constexpr std::chrono::milliseconds grace(250);

bool noted = false;
bool something_runs = false;

bool is_busy() { return Waiter::in_flight() > 0 || Context::any_busy(); }

}  // namespace

void note_what_runs() {
  if (std::exchange(noted, true)) return;
  const auto until = Clock::now() + grace;
  while ((something_runs = is_busy()) && Clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

#if defined(__GLIBC__)
void renew_exit_guard() {
  // Nothing says that the driver's own handlers come to an end while a kernel runs. Where one does, the process ends
  // here; the driver's kernel module then stops it and takes back what the process had.
  const auto leave = [](int status, void*) {
    note_what_runs();
    if (something_runs) _exit(status);
  };
  on_exit(leave, nullptr);
}
#else
void renew_exit_guard() {}
#endif

void guard_exit() {
  static std::once_flag& once = *new std::once_flag;
  std::call_once(once, renew_exit_guard);
}

}  // namespace ffma
