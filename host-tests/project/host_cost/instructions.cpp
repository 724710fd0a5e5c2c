#include <csignal>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "costs.h"
#include "recording.h"

namespace {

// Two segments' worth of records of two words.
constexpr unsigned kCalls = 2 * (BAREFXT_SEGMENT_BYTES - 72) / 16;

// Between two signals, which the parent sees.
[[noreturn]] void be_stepped_through(sites::Site site) {
  run_on_cpu(0);
  Recording recording(1, 2 * kCalls);
  recording.start();
  sites::context_switch();
  ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
  raise(SIGUSR1);
  for (unsigned i = 0; i < kCalls; ++i) site();
  raise(SIGUSR1);
  _exit(Recording::stop() ? 0 : 1);
}

// Steps until the child gets the signal, and counts. Negative: it ended.
long steps_to_signal(pid_t child) {
  for (long steps = 0;; ++steps) {
    int status = 0;
    if (ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) != 0) return -1;
    if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return -1;
    if (WSTOPSIG(status) == SIGUSR1) return steps;
  }
}

long steps(sites::Site site) {
  const pid_t child = fork();
  if (child == 0) be_stepped_through(site);
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return -1;
  const long counted = steps_to_signal(child);
  ptrace(PTRACE_CONT, child, nullptr, nullptr);
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? counted : -1;
}

}  // namespace

double instructions(sites::Site with, sites::Site without) {
  const long counted = steps(with);
  const long base = steps(without);
  return counted < 0 || base < 0 ? -1 : static_cast<double>(counted - base) / kCalls;
}
