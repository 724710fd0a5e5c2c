#include "interrupts.h"

#include <csignal>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace barefxt::line {
namespace {

constexpr int kPoliteSignals[] = {SIGINT, SIGTERM, SIGHUP};

sigset_t polite_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int each : kPoliteSignals) sigaddset(&signals, each);
  return signals;
}

}  // namespace

Interrupts::Interrupts() {
  const sigset_t signals = polite_signals();
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  handle_ = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

Interrupts::~Interrupts() {
  // Or they would end the process now.
  take();
  close(handle_);
  const sigset_t signals = polite_signals();
  sigprocmask(SIG_UNBLOCK, &signals, nullptr);
}

void Interrupts::take() const {
  signalfd_siginfo taken = {};
  while (read(handle_, &taken, sizeof taken) == sizeof taken) {
  }
}

bool Interrupts::came_within(int milliseconds) const {
  pollfd waiting = {handle_, POLLIN, 0};
  return poll(&waiting, 1, milliseconds) > 0;
}

void Interrupts::ignore_later_ones() {
  for (const int each : kPoliteSignals) std::signal(each, SIG_IGN);
}

}  // namespace barefxt::line
