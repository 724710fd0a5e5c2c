#include "perfetto_scheduling.h"

#include <algorithm>
#include <limits>

#include <barefxt/fxt/scheduling.h>
#include <barefxt/host/json.h>

#include "perfetto_packets.h"

namespace barefxt::host::perfetto {
namespace {

// Linux's bits for why a thread stopped running, which Perfetto reads.
uint64_t linux_state(unsigned state) {
  constexpr uint64_t kRunnable = 0;
  constexpr uint64_t kSleeping = 1;
  constexpr uint64_t kStopped = 4;
  constexpr uint64_t kDead = 16;
  constexpr uint64_t kZombie = 32;
  switch (static_cast<fxt::ThreadState>(state)) {
    case fxt::ThreadState::kSuspended:
      return kStopped;
    case fxt::ThreadState::kBlocked:
      return kSleeping;
    case fxt::ThreadState::kDying:
      return kZombie;
    case fxt::ThreadState::kDead:
      return kDead;
    default:
      return kRunnable;
  }
}

// Perfetto calls priorities below 100 real-time, as Linux does.
int64_t shown_priority(int64_t priority) {
  constexpr int64_t kBeyondRealTime = 1000;
  constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
  return std::min(kBeyondRealTime + std::max<int64_t>(priority, 0), kMax);
}

// `pid`: who ran. `kind`: of the event.
std::string event_packet(unsigned cpu, uint64_t time, uint64_t pid, unsigned kind,
                         const ProtoMessage& about) {
  return ftrace_packet(cpu, FtraceBundle::kEvent,
                       ProtoMessage()
                           .number(FtraceEvent::kTimestamp, time)
                           .number(FtraceEvent::kPid, pid)
                           .message(kind, about));
}

}  // namespace

std::string switch_packet(unsigned cpu, uint64_t time, const Switched& outgoing, unsigned state,
                          const Switched& incoming) {
  ProtoMessage about;
  about.text(SchedSwitch::kPreviousName, valid_utf8(outgoing.thread.name))
      .number(SchedSwitch::kPreviousPid, outgoing.thread.number)
      .number(SchedSwitch::kPreviousPriority, shown_priority(outgoing.priority))
      .number(SchedSwitch::kPreviousState, linux_state(state))
      .text(SchedSwitch::kNextName, valid_utf8(incoming.thread.name))
      .number(SchedSwitch::kNextPid, incoming.thread.number)
      .number(SchedSwitch::kNextPriority, shown_priority(incoming.priority));
  return event_packet(cpu, time, outgoing.thread.number, FtraceEvent::kSchedSwitch, about);
}

std::string wakeup_packet(unsigned cpu, uint64_t time, const PerfettoTracks::Scheduled& woken,
                          uint64_t waker) {
  ProtoMessage about;
  about.text(SchedWaking::kName, valid_utf8(woken.name))
      .number(SchedWaking::kPid, woken.number)
      .number(SchedWaking::kSuccess, uint64_t{1})
      .number(SchedWaking::kTargetCpu, uint64_t{cpu});
  return event_packet(cpu, time, waker, FtraceEvent::kSchedWaking, about);
}

std::string interrupt_wakeup_packet(unsigned cpu, uint64_t time,
                                    const PerfettoTracks::Scheduled& woken) {
  return ftrace_packet(cpu, FtraceBundle::kCompactSched,
                       ProtoMessage()
                           .text(CompactSched::kName, valid_utf8(woken.name))
                           .list(CompactSched::kWakingTimestamp, time)
                           .list(CompactSched::kWakingPid, woken.number)
                           .list(CompactSched::kWakingTargetCpu, cpu)
                           .list(CompactSched::kWakingPriority, 0)
                           .list(CompactSched::kWakingNameIndex, 0)
                           .list(CompactSched::kWakingFlags, CompactSched::kHardInterrupt));
}

}  // namespace barefxt::host::perfetto
