#include "interrupts.h"

#include <csignal>
#include <initializer_list>
#include <sys/signalfd.h>
#include <unistd.h>

namespace barefxt::capture {
namespace {

sigset_t polite_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int each : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, each);
  return signals;
}

}  // namespace

Interrupts::Interrupts() {
  const sigset_t signals = polite_signals();
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  handle_ = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

Interrupts::~Interrupts() {
  // Those that came are taken, or they would end the process now.
  signalfd_siginfo taken = {};
  while (read(handle_, &taken, sizeof taken) == sizeof taken) {
  }
  close(handle_);
  const sigset_t signals = polite_signals();
  sigprocmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace barefxt::capture
