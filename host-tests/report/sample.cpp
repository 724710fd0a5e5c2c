#include "sample.h"

#include <barefxt/host/archive_writer.h>

#include "archive/memory_archive.h"

namespace barefxt::test {
namespace {

using fxt::EventType;
using fxt::ThreadState;
using host::ArchiveArgument;

constexpr uint64_t kIdle = 1;  // and the next
constexpr uint64_t kCpuThread = 100;

class SampleWriter {
 public:
  SampleWriter() {
    name(kIdle, "idle/0", 0);
    name(kIdle + 1, "idle/1", 0);
    name(kControl, "control", kSampleProcess);
    name(kLogger, "logger", kSampleProcess);
    name(kCpuThread, "cpu-0", 0);
    name(kCpuThread + 1, "cpu-1", 0);
  }

  // An interrupt wakes control, which works and hands a job to logger on the other CPU.
  void round(uint64_t at, unsigned number) {
    event(EventType::kDurationBegin, at, kCpuThread, "irq", "timer");
    (void)writer_.thread_wakeup({.timestamp = at + 100, .cpu = 0, .thread = kControl}, {});
    event(EventType::kDurationEnd, at + 300, kCpuThread, "irq", "timer");
    change(at + 500, 0, kIdle, ThreadState::kNew, kControl);
    const auto job = ArchiveArgument::uint32(text("job"), number);
    event(EventType::kDurationBegin, at + 600, kControl, "work", "plan", 0, {&job, 1});
    event(EventType::kDurationBegin, at + 1000, kControl, "work", "measure");
    event(EventType::kDurationEnd, at + 2500, kControl, "work", "measure");
    event(EventType::kFlowBegin, at + 2800, kControl, "work", "hand over", number + 1);
    (void)writer_.thread_wakeup({.timestamp = at + 2900, .cpu = 0, .thread = kLogger}, {});
    change(at + 3200, 1, kIdle + 1, ThreadState::kNew, kLogger);
    event(EventType::kFlowEnd, at + 3400, kLogger, "work", "hand over", number + 1);
    const auto depth = ArchiveArgument::int64(text("depth"), number % 4);
    event(EventType::kCounter, at + 3500, kLogger, "queue", "jobs", 7, {&depth, 1});
    writer_.log(at + 3600, {0, kSampleProcess, kLogger},
                "job " + std::to_string(number) + " <b>came</b>");
    event(EventType::kDurationEnd, at + 4000, kControl, "work", "plan");
    change(at + 4200, 0, kControl, ThreadState::kBlocked, kIdle);
    event(EventType::kAsyncBegin, at + 4300, kLogger, "io", "flush", number);
    change(at + 5000, 1, kLogger, ThreadState::kBlocked, kIdle + 1);
    event(EventType::kAsyncEnd, at + 8000, kLogger, "io", "flush", number);
    event(EventType::kInstant, at + 8500, kLogger, "io", number == 3 ? "overrun" : "done");
  }

  void loss(uint64_t begin, uint64_t end) {
    const ArchiveArgument arguments[] = {ArchiveArgument::uint64(text("records"), 12),
                                         ArchiveArgument::uint64(text("bytes"), 240),
                                         ArchiveArgument::string(text("where"), text("ring"))};
    event(EventType::kDurationComplete, begin, kCpuThread + 1, "barefxt", "drop_stats", end,
          arguments);
  }

  std::string finish() { return writer_.text(); }

 private:
  void name(uint64_t koid, std::string_view words, uint64_t process) {
    const auto argument = ArchiveArgument::koid(text("process"), process);
    (void)writer_.kernel_object(koid, fxt::KernelObjectType::kThread, text(words), {&argument, 1});
  }
  void event(EventType type, uint64_t at, uint64_t thread, std::string_view category,
             std::string_view name, uint64_t trailing = 0, host::ArchiveArguments arguments = {}) {
    add_event(writer_, type, at, {0, kSampleProcess, thread}, category, name, trailing, arguments);
  }
  void change(uint64_t at, uint8_t cpu, uint64_t out, ThreadState state, uint64_t in) {
    add_switch(writer_, at, cpu, {kSampleProcess, out, 1}, state, {kSampleProcess, in, 2});
  }

  MemoryArchive writer_{1'000'000};
};

}  // namespace

std::string sample_archive(unsigned rounds) {
  constexpr uint64_t kRound = 10'000;
  SampleWriter sample;
  for (unsigned i = 0; i < rounds; ++i) {
    sample.round(1000 + i * kRound, i);
    if (i == 5) sample.loss(1000 + i * kRound + 8600, 1000 + i * kRound + 9900);
  }
  return sample.finish();
}

}  // namespace barefxt::test
