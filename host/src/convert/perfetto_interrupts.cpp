#include "perfetto_interrupts.h"

#include "../archive/archive_provider.h"
#include "perfetto_packets.h"

namespace barefxt::host::perfetto {
namespace {

std::string half(unsigned cpu, uint64_t time, unsigned kind, const ProtoMessage& about) {
  return ftrace_packet(cpu, FtraceBundle::kEvent,
                       ProtoMessage()
                           .number(FtraceEvent::kTimestamp, time)
                           .number(FtraceEvent::kPid, uint64_t{0})
                           .message(kind, about));
}

}  // namespace

std::optional<unsigned> cpu_of_interrupt(uint64_t process, uint64_t thread,
                                         std::string_view category) {
  const bool is_interrupt = category == "irq" && process == kCpusProcess &&
                            thread >= kFirstCpuThread && thread - kFirstCpuThread < kMaxShownCpus;
  if (!is_interrupt) return {};
  return static_cast<unsigned>(thread - kFirstCpuThread);
}

uint64_t interrupt_number(const Event& event) {
  constexpr uint64_t kMax = 0x7fffffff;
  const std::optional<Argument> found = event.arguments.find("irq");
  if (!found || found->type != fxt::ArgumentType::kUint32 || found->bits > kMax) return 0;
  return found->bits;
}

std::string interrupt_entry(unsigned cpu, uint64_t time, std::string_view name, uint64_t number) {
  return half(
      cpu, time, FtraceEvent::kInterruptEntry,
      ProtoMessage().number(InterruptEntry::kNumber, number).text(InterruptEntry::kName, name));
}

std::string interrupt_exit(unsigned cpu, uint64_t time) {
  return half(cpu, time, FtraceEvent::kInterruptExit,
              ProtoMessage().number(InterruptExit::kHandled, uint64_t{1}));
}

}  // namespace barefxt::host::perfetto
