// Runs barefxt stats on a trace with wakeups, a wait for a lock, and a priority inversion.
#pragma once

#include <string>
#include <vector>

#include <barefxt/host/archive_writer.h>

#include "archive/memory_archive.h"
#include "hostile/shell.h"

namespace barefxt::test {

struct CommandResult {
  int status;
  std::string out;
  std::string err;
};

class StatsCommand : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    write("trace.fxt", archive(std::vector<uint64_t>(200, 30)));
  }

  CommandResult run(const std::string& arguments) {
    const int status = Shell::run("BAREFXT stats " + arguments);
    return {status, printed(), messages()};
  }
  CommandResult held_to(const std::string& budget, const std::string& more = {}) {
    write("budget", budget);
    return run("trace.fxt --budget budget " + more);
  }

  // A thread `control` that is woken every millisecond, and runs so many microseconds later; it
  // waits for the lock `bus` that `log` holds, while `net`, of a priority in between, runs.
  static std::string archive(const std::vector<uint64_t>& latencies) {
    constexpr uint64_t kIdleKoid = 9;
    constexpr uint64_t kControlKoid = 1;
    constexpr uint64_t kLogKoid = 2;
    constexpr uint64_t kNetKoid = 3;
    MemoryArchive writer(1'000'000);
    name_thread(writer, kIdleKoid, 0, "idle/0");
    name_thread(writer, kControlKoid, 5, "control");
    name_thread(writer, kLogKoid, 5, "log");
    name_thread(writer, kNetKoid, 5, "net");
    const auto priority = [](uint64_t thread) -> uint8_t {
      return thread == kControlKoid ? 30 : thread == kNetKoid ? 20 : thread == kLogKoid ? 10 : 0;
    };
    const auto change = [&](uint64_t time, uint64_t out, fxt::ThreadState state, uint64_t in) {
      add_switch(writer, time, 0, {5, out, priority(out)}, state, {5, in, priority(in)});
    };
    const auto wake = [&](uint64_t time, uint64_t thread) {
      (void)writer.thread_wakeup({.timestamp = time, .cpu = 0, .thread = thread}, {});
    };
    uint64_t now = 1000;
    for (const uint64_t latency : latencies) {
      wake(now, kControlKoid);
      change(now + latency, kIdleKoid, fxt::ThreadState::kNew, kControlKoid);
      change(now + latency + 10, kControlKoid, fxt::ThreadState::kBlocked, kIdleKoid);
      now += 1000;
    }
    wake(now, kLogKoid);
    change(now + 1, kIdleKoid, fxt::ThreadState::kNew, kLogKoid);
    wake(now + 2, kControlKoid);
    change(now + 3, kLogKoid, fxt::ThreadState::kNew, kControlKoid);
    change(now + 5, kControlKoid, fxt::ThreadState::kBlocked, kLogKoid);  // waits for log
    wake(now + 6, kNetKoid);
    change(now + 7, kLogKoid, fxt::ThreadState::kNew, kNetKoid);
    change(now + 107, kNetKoid, fxt::ThreadState::kBlocked, kLogKoid);
    wake(now + 108, kControlKoid);
    change(now + 109, kLogKoid, fxt::ThreadState::kNew, kControlKoid);
    const auto mutex = host::ArchiveArgument::pointer(text("mutex"), 4096);
    add_event(writer, fxt::EventType::kDurationComplete, now + 4, {0, 5, kControlKoid}, "lock",
              "bus", now + 110, {&mutex, 1});
    return writer.text();
  }
};

}  // namespace barefxt::test
