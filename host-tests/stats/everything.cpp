#include "everything.h"

#include <array>

#include <barefxt/host/archive_writer.h>

#include "archive/memory_archive.h"

namespace barefxt::test {
namespace {

using fxt::EventType;
using host::ArchiveArgument;
using host::ArchiveText;

constexpr uint64_t kControl = 1;
constexpr uint64_t kLog = 2;
constexpr uint64_t kNet = 3;
constexpr uint64_t kIdle = 9;
constexpr uint64_t kPseudo = 20;

class Writer {
 public:
  std::string write() {
    name_thread(writer_, kIdle, 0, "idle/0");
    name_thread(writer_, kControl, 5, "control");
    name_thread(writer_, kLog, 5, "log");
    name_thread(writer_, kNet, 5, "net");
    name_thread(writer_, kPseudo, 7, "cpu-0");
    interrupts();
    inversion(2000);
    probes();
    jobs();
    loss();
    return writer_.text();
  }

 private:
  static uint8_t priority(uint64_t thread) {
    return thread == kControl ? 30 : thread == kNet ? 20 : thread == kLog ? 10 : 0;
  }
  void change(uint64_t time, uint64_t out, fxt::ThreadState state, uint64_t in) {
    add_switch(writer_, time, 0, {5, out, priority(out)}, state, {5, in, priority(in)});
  }
  void wake(uint64_t time, uint64_t thread) {
    (void)writer_.thread_wakeup({.timestamp = time, .cpu = 0, .thread = thread}, {});
  }
  void event(EventType type, uint64_t time, uint64_t thread, const char* category, const char* text,
             uint64_t trailing = 0, std::span<const ArchiveArgument> arguments = {}) {
    add_event(writer_, type, time, {0, 5, thread}, category, text, trailing, arguments);
  }

  // One within another, while `control` runs.
  void interrupts() {
    wake(1000, kControl);
    change(1004, kIdle, fxt::ThreadState::kNew, kControl);
    event(EventType::kDurationBegin, 1010, kPseudo, "irq", "timer");
    event(EventType::kDurationBegin, 1012, kPseudo, "irq", "uart");
    event(EventType::kDurationEnd, 1013, kPseudo, "irq", "uart");
    event(EventType::kDurationEnd, 1020, kPseudo, "irq", "timer");
    change(1100, kControl, fxt::ThreadState::kBlocked, kIdle);
    const std::array<ArchiveArgument, 2> by = {
        ArchiveArgument::uint32(ArchiveText::spelled_out("irq"), 37),
        ArchiveArgument::string(ArchiveText::spelled_out("interrupt"),
                                ArchiveText::spelled_out("adc"))};
    for (const size_t count : {1, 2, 2})
      (void)writer_.thread_wakeup({.timestamp = 1200, .cpu = 0, .thread = kControl},
                                  std::span(by).first(count));
  }

  // `control` waits for the lock `bus` that `log` holds, while `net`, of a priority in between,
  // runs; later for an unknown holder.
  void inversion(uint64_t now) {
    wake(now, kLog);
    change(now + 1, kIdle, fxt::ThreadState::kNew, kLog);
    wake(now + 2, kControl);
    change(now + 3, kLog, fxt::ThreadState::kNew, kControl);
    change(now + 5, kControl, fxt::ThreadState::kBlocked, kLog);
    wake(now + 6, kNet);
    change(now + 7, kLog, fxt::ThreadState::kNew, kNet);
    change(now + 107, kNet, fxt::ThreadState::kDead, kLog);
    wake(now + 108, kControl);
    change(now + 109, kLog, fxt::ThreadState::kNew, kControl);
    const auto mutex = ArchiveArgument::pointer(ArchiveText::spelled_out("mutex"), 4096);
    event(EventType::kDurationComplete, now + 4, kControl, "lock", "bus", now + 110, {&mutex, 1});
    event(EventType::kDurationComplete, now + 112, kControl, "lock", "bus", now + 113, {&mutex, 1});
  }

  void probes() {
    event(EventType::kDurationBegin, 3000, kControl, "c", "outer");
    event(EventType::kDurationBegin, 3002, kControl, "c", "inner");
    event(EventType::kDurationEnd, 3005, kControl, "c", "inner");
    event(EventType::kDurationEnd, 3009, kControl, "c", "outer");
    event(EventType::kDurationEnd, 3010, kControl, "c", "nothing");
    event(EventType::kDurationBegin, 3011, kControl, "c", "endless");
    event(EventType::kDurationBegin, 3020, kLog, "function", "work()");
    event(EventType::kDurationEnd, 3050, kLog, "function", "work()");
    const auto real = ArchiveArgument::real(ArchiveText::spelled_out("v"), 1.5);
    event(EventType::kCounter, 3060, kControl, "c", "real", 3, {&real, 1});
    const auto whole = ArchiveArgument::int32(ArchiveText::spelled_out("n"), -7);
    event(EventType::kCounter, 3062, kControl, "c", "whole", 0, {&whole, 1});
    event(EventType::kFlowBegin, 3070, kControl, "c", "flow", 1);
    event(EventType::kFlowStep, 3072, kLog, "c", "flow", 1);
    event(EventType::kFlowEnd, 3077, kNet, "c", "flow", 1);
    event(EventType::kFlowBegin, 3079, kControl, "c", "flow", 2);
    const auto count = [](const char* text, uint64_t value) {
      return ArchiveArgument::uint64(ArchiveText::spelled_out(text), value);
    };
    const std::array<ArchiveArgument, 4> left_out = {count("too_short", 5), count("too_deep", 2),
                                                     count("without_end", 1), count("open", 3)};
    event(EventType::kAsyncBegin, 3080, kControl, "c", "job", 5);
    event(EventType::kAsyncInstant, 3081, kLog, "c", "job", 5);
    event(EventType::kAsyncEnd, 3082, kNet, "c", "job", 5);
    writer_.log(3083, {0, 5, kControl}, "hello, \"world\"");
    event(EventType::kInstant, 3084, kControl, "barefxt", "calls_left_out", 0, left_out);
  }

  // The first is late, since `log` was woken long before; the third by itself.
  void jobs() {
    const std::array<ArchiveArgument, 2> terms = {
        ArchiveArgument::uint64(ArchiveText::spelled_out("period_ns"), 20'000),
        ArchiveArgument::uint64(ArchiveText::spelled_out("deadline_ns"), 8'000)};
    event(EventType::kDurationBegin, 3090, kLog, "job", "flush", 0, terms);
    event(EventType::kDurationEnd, 3095, kLog, "job", "flush");
    event(EventType::kDurationBegin, 3100, kLog, "job", "flush", 0, terms);
    event(EventType::kDurationEnd, 3108, kLog, "job", "flush");
    event(EventType::kDurationBegin, 3120, kLog, "job", "flush", 0, terms);
    event(EventType::kDurationEnd, 3129, kLog, "job", "flush");
  }

  // The second loss has no count.
  void loss() {
    const std::array<ArchiveArgument, 3> counted = {
        ArchiveArgument::uint64(ArchiveText::spelled_out("records"), 4),
        ArchiveArgument::uint64(ArchiveText::spelled_out("bytes"), 96),
        ArchiveArgument::string(ArchiveText::spelled_out("where"),
                                ArchiveText::spelled_out("ring"))};
    event(EventType::kDurationComplete, 4000, kPseudo, "barefxt", "drop_stats", 4010, counted);
    const auto where = ArchiveArgument::string(ArchiveText::spelled_out("where"),
                                               ArchiveText::spelled_out("line"));
    event(EventType::kDurationComplete, 4020, kPseudo, "barefxt", "drop_stats", 4030, {&where, 1});
    change(4040, kControl, fxt::ThreadState::kBlocked, kIdle);
  }

  MemoryArchive writer_{1'000'000};
};

}  // namespace

std::string archive_of_everything() { return Writer().write(); }

}  // namespace barefxt::test
